"""Skipped versus kept as one file, for people who decide and open no notebook.

Plain data first (``contents``), then markup (``templates``): what a report says is tested without a browser. Names are
loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .making import report_on
    from .prices import Price, PriceTable
    from .report import Report
    from .story.making import report_on_workload

_HOME = {
    "Price": "prices",
    "PriceTable": "prices",
    "Report": "report",
    "report_on": "making",
    "report_on_workload": "story.making",
}

__all__ = ["Price", "PriceTable", "Report", "report_on", "report_on_workload"]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
