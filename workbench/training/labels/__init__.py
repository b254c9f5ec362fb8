"""What people say of blocks: labels, their store, agreement, and the formats of others.

Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

if TYPE_CHECKING:
    from .agreeing import Agreement, Disagreement, PairAgreement, agreement
    from .aligning import AlignedSpan, Alignment, aligned_spans
    from .anchoring import Anchored, Moved, Orphan, anchored
    from .events import LabelEvent
    from .exchange import ExportReport, ImportReport, read_labels, write_labels
    from .from_feedback import FeedbackTaken, labels_of_feedback, take_feedback
    from .label import Label
    from .store import LabelStore
    from .taking_in import TakenIn, take_in
    from .values import VALUES, LabelSource, LabelValue

_HOME = {
    "VALUES": "values",
    "Agreement": "agreeing",
    "AlignedSpan": "aligning",
    "Alignment": "aligning",
    "Anchored": "anchoring",
    "Disagreement": "agreeing",
    "ExportReport": "exchange",
    "ImportReport": "exchange",
    "Label": "label",
    "LabelEvent": "events",
    "FeedbackTaken": "from_feedback",
    "LabelSource": "values",
    "LabelStore": "store",
    "LabelValue": "values",
    "Moved": "anchoring",
    "Orphan": "anchoring",
    "PairAgreement": "agreeing",
    "TakenIn": "taking_in",
    "agreement": "agreeing",
    "aligned_spans": "aligning",
    "anchored": "anchoring",
    "labels_of_feedback": "from_feedback",
    "read_labels": "exchange",
    "take_feedback": "from_feedback",
    "take_in": "taking_in",
    "write_labels": "exchange",
}

__all__ = [
    "VALUES",
    "Agreement",
    "AlignedSpan",
    "Alignment",
    "Anchored",
    "Disagreement",
    "ExportReport",
    "FeedbackTaken",
    "ImportReport",
    "Label",
    "LabelEvent",
    "LabelSource",
    "LabelStore",
    "LabelValue",
    "Moved",
    "Orphan",
    "PairAgreement",
    "TakenIn",
    "agreement",
    "aligned_spans",
    "anchored",
    "labels_of_feedback",
    "read_labels",
    "take_feedback",
    "take_in",
    "write_labels",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
