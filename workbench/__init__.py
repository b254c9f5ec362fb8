"""SparseRead Workbench: admit only the blocks of a document that matter for a question, and see why.

Names are loaded when first used, so that ``import workbench`` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazy import loaded_when_used

if TYPE_CHECKING:
    from .calibration.block_thresholds import fit_threshold
    from .calibration.calibrate import calibrate
    from .documents import (
        Block,
        BlockKind,
        Collection,
        Document,
        ReadOptions,
        open_artifact,
        open_collection,
        open_document,
    )
    from .documents.overlay import page_overlay
    from .errors import WorkbenchError
    from .gate import GateProfile, Intent, Preview, ReadGate, intent_of, preview_of
    from .reading import Feedback, Reading, Session, SparseReader, Threshold, TokenShare, load_audit, open_store
    from .relevance.classifier import Classifier
    from .report import Price, PriceTable, Report, report_on, report_on_workload
    from .training.evaluating import evaluate_classifier
    from .training.exporting import export_classifier
    from .training.fine_tuning import fine_tune
    from .training.labels import Label, LabelStore
    from .training.mining import mine_hard_negatives
    from .training.questions import questions_of
    from .training.splitting import split_questions
    from .widgets.annotator import Annotator
    from .widgets.training_view import TrainingView
    from .widgets.workbench import Workbench
    from .workload import Workload, load_workload
    from .workload.fitting import fit_profile
    from .workload.replay import load_outcomes, replay, save_outcomes

__version__ = "0.1.0"

_HOME = {
    "calibrate": "calibration",
    "fit_threshold": "calibration.block_thresholds",
    "Block": "documents",
    "BlockKind": "documents",
    "Collection": "documents",
    "Document": "documents",
    "ReadOptions": "documents",
    "open_artifact": "documents",
    "open_collection": "documents",
    "open_document": "documents",
    "page_overlay": "documents.overlay",
    "WorkbenchError": "errors",
    "GateProfile": "gate",
    "Intent": "gate",
    "Preview": "gate",
    "ReadGate": "gate",
    "intent_of": "gate",
    "preview_of": "gate",
    "Feedback": "reading",
    "Reading": "reading",
    "Session": "reading",
    "SparseReader": "reading",
    "Threshold": "reading",
    "TokenShare": "reading",
    "load_audit": "reading",
    "open_store": "reading",
    "Price": "report",
    "PriceTable": "report",
    "Report": "report",
    "report_on": "report",
    "report_on_workload": "report",
    "Workbench": "widgets.workbench",
    "Workload": "workload",
    "load_workload": "workload",
    "fit_profile": "workload.fitting",
    "load_outcomes": "workload.replay",
    "replay": "workload.replay",
    "save_outcomes": "workload.replay",
    "Annotator": "widgets.annotator",
    "TrainingView": "widgets.training_view",
    "Label": "training.labels",
    "LabelStore": "training.labels",
    "mine_hard_negatives": "training.mining",
    "questions_of": "training.questions",
    "split_questions": "training.splitting",
    "Classifier": "relevance.classifier",
    "export_classifier": "training.exporting",
    "evaluate_classifier": "training.evaluating",
    "fine_tune": "training.fine_tuning",
}

__all__ = [
    "Annotator",
    "Block",
    "BlockKind",
    "Classifier",
    "Collection",
    "Document",
    "Feedback",
    "GateProfile",
    "Intent",
    "Label",
    "LabelStore",
    "Preview",
    "Price",
    "PriceTable",
    "ReadGate",
    "ReadOptions",
    "Reading",
    "Report",
    "Session",
    "SparseReader",
    "Threshold",
    "TokenShare",
    "TrainingView",
    "Workbench",
    "WorkbenchError",
    "Workload",
    "__version__",
    "calibrate",
    "evaluate_classifier",
    "export_classifier",
    "fine_tune",
    "fit_profile",
    "fit_threshold",
    "intent_of",
    "load_audit",
    "load_outcomes",
    "load_workload",
    "mine_hard_negatives",
    "open_artifact",
    "open_collection",
    "open_document",
    "open_store",
    "page_overlay",
    "preview_of",
    "questions_of",
    "replay",
    "report_on",
    "report_on_workload",
    "save_outcomes",
    "split_questions",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
