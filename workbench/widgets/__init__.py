"""What an analyst sees and touches: widgets for notebooks, each usable alone in one line, and all of them as one bench.

A widget holds traits; what it shows is computed below, and drawn by the JavaScript in ``static``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .annotator import Annotator
    from .document_view import DocumentView
    from .gate_view import GateView
    from .linking import link
    from .page_view import PageView
    from .rule_table import RuleTable
    from .threshold_panel import ThresholdPanel
    from .training_view import TrainingView
    from .workbench import Workbench
    from .workload_table import WorkloadTable

_HOME = {
    "Annotator": "annotator",
    "DocumentView": "document_view",
    "GateView": "gate_view",
    "PageView": "page_view",
    "RuleTable": "rule_table",
    "ThresholdPanel": "threshold_panel",
    "TrainingView": "training_view",
    "Workbench": "workbench",
    "WorkloadTable": "workload_table",
    "link": "linking",
}

__all__ = [
    "Annotator",
    "DocumentView",
    "GateView",
    "PageView",
    "RuleTable",
    "ThresholdPanel",
    "TrainingView",
    "Workbench",
    "WorkloadTable",
    "link",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
