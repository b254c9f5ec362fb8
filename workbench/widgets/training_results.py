"""What came of a training, as plain values: figures with their intervals, and the mistakes that are left."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..documents.surrogates import without_surrogates
from ..printing import printable, shortened

if TYPE_CHECKING:
    from ..training.evaluating import Evaluation
    from ..training.question import Question

FIGURES = (
    ("tokens_95", "lower"),
    ("tokens_99", "lower"),
    ("recall_5", "higher"),
    ("recall_10", "higher"),
    ("recall_20", "higher"),
    ("average_precision", "higher"),
    ("dropped", "higher"),
    ("calibration_error", "lower"),
)
"""Figures of an evaluation in the order in which they are offered, and which way is better; in percent or points."""
MOST_MISTAKES = 250
"""Of each kind."""
_TEXT_CHARS = 160


@dataclass(frozen=True, eq=False, slots=True)
class Mistake:
    """Evidence that is missed, or a block that is kept without holding any.

    Attributes
    ----------
    question : Question
    block : int
    kind : str
        "missed" or "kept".
    score, share : float
        The block's score, and the percent of the tokens that must be kept to keep it.
    """

    question: Question
    block: int
    kind: str
    score: float
    share: float


def mistakes_of(evaluation: Evaluation) -> tuple[Mistake, ...]:
    """Return the first ``MOST_MISTAKES`` of each kind, missed evidence first."""
    questions = {one.id: one for one in evaluation.questions}
    table = evaluation.mistakes
    found: list[Mistake] = []
    for kind in ("missed", "kept"):
        rows = table[table["kind"] == kind].head(MOST_MISTAKES)
        columns = [rows[name].tolist() for name in ("question", "block", "score", "share")]
        found += [Mistake(questions[name], block, kind, *levels) for name, block, *levels in zip(*columns, strict=True)]
    return tuple(found)


def result_data(evaluation: Evaluation, mistakes: tuple[Mistake, ...], notes: Iterable[str] = ()) -> dict[str, Any]:
    """Return what a training view shows at the end.

    Parameters
    ----------
    evaluation : Evaluation
    mistakes : tuple of Mistake
    notes : iterable of str
        What must be known of the figures, before what the evaluation says of them.

    Returns
    -------
    dict
        questions and documents (how many); figures (see ``figures_data``); mistakes: kind, question, document, page
        (1-based), block, text, score, share (percent of the tokens) of each; notes.
    """
    return {
        "questions": len(evaluation.questions),
        "documents": evaluation.documents,
        "figures": figures_data(evaluation),
        "mistakes": [_mistake(one) for one in mistakes],
        "notes": [printable(note) for note in dict.fromkeys((*notes, *evaluation.notes))],
    }


def figures_data(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the figures that there are.

    Returns
    -------
    list of dict
        name (a column of the evaluation), better ("lower" or "higher"), and rows: by, group, questions, and scorers
        (name, trained, level, low, high; None where there is no number). The group of all questions comes first; the
        last scorer is the trained one.
    """
    frame = evaluation.to_frame()
    found = []
    for name, better in FIGURES:
        if name not in frame.columns or not frame[name].notna().any():
            continue
        rows = []
        for (by, group), some in frame.groupby(["by", "group"], sort=False):
            scorers = [_level(row, name, trained=row["scorer"] == evaluation.names[-1]) for _, row in some.iterrows()]
            label = printable(without_surrogates(str(group)))
            rows.append({"by": by, "group": label, "questions": int(some["questions"].iloc[0]), "scorers": scorers})
        found.append({"name": name, "better": better, "rows": rows})
    return found


def _level(row: Any, name: str, *, trained: bool) -> dict[str, Any]:
    levels = {"level": row[name], "low": row.get(f"{name}_low"), "high": row.get(f"{name}_high")}
    scorer = printable(without_surrogates(str(row["scorer"])))
    return {"name": scorer, "trained": trained, **{key: _number(value) for key, value in levels.items()}}


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _mistake(found: Mistake) -> dict[str, Any]:
    document = found.question.document
    return {
        "kind": found.kind,
        "question": shortened(without_surrogates(found.question.question), _TEXT_CHARS),
        "document": printable(document.name),
        "page": int(document.columns.home_page[found.block]) + 1,
        "block": found.block,
        "text": shortened(without_surrogates(document.texts[found.block]), _TEXT_CHARS),
        "score": _number(found.score),
        "share": _number(found.share),
    }
