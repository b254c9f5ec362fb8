"""What an annotator is asked next, and why.

Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

if TYPE_CHECKING:
    from .building import build_queue, default_order
    from .items import ORDERS, ItemKey, Order, Queue, QueueItem, Reason
    from .keeping import KeptQueue
    from .sources import Asked, Sources, sources_of
    from .walking import Walk

_HOME = {
    "ORDERS": "items",
    "Asked": "sources",
    "ItemKey": "items",
    "KeptQueue": "keeping",
    "Order": "items",
    "Queue": "items",
    "QueueItem": "items",
    "Reason": "items",
    "Sources": "sources",
    "build_queue": "building",
    "default_order": "building",
    "Walk": "walking",
    "sources_of": "sources",
}

__all__ = [
    "ORDERS",
    "Asked",
    "ItemKey",
    "KeptQueue",
    "Order",
    "Queue",
    "QueueItem",
    "Reason",
    "Sources",
    "Walk",
    "build_queue",
    "default_order",
    "sources_of",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
