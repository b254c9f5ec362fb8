"""Many documents behind one path: what folders and archives hold, and the documents in them."""

from __future__ import annotations

from .collection import Collection, open_collection

__all__ = ["Collection", "open_collection"]
