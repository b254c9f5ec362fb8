"""Scores of questions as ``workload.block_fitting`` fits maps and a cut on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..documents.progress import showing
from ..errors import TrainingRefused
from ..workload.replay.block_table import BlockScores, RequestScores

if TYPE_CHECKING:
    from ..reading import SparseReader
    from .question import Question


def question_scores(
    questions: Iterable[Question],
    reader: SparseReader | Callable[[Question], SparseReader],
    *,
    scorer: str,
    progress: bool | None = None,
) -> BlockScores:
    """Return the scores of the blocks of questions with evidence, as a calibration takes them.

    Parameters
    ----------
    questions : iterable of Question
    reader : SparseReader or callable
        Whose scorer and rules are asked; a callable gives the reader for a question, so that each is scored by models
        that have not seen its document.
    scorer : str
        Fingerprint of the scorer that the calibration is for.
    progress : bool, optional
        Whether progress is shown; None where somebody looks.

    Raises
    ------
    TrainingRefused
        If no question has evidence.
    """
    wanted = [one for one in questions if one.pieces]
    if not wanted:
        raise TrainingRefused("No question has evidence in its document, so nothing can be calibrated; add some.")
    found = []
    with showing("Scoring for the calibration", progress) as report:
        for rank, question in enumerate(wanted):
            report(rank, len(wanted))
            asked = reader(question) if callable(reader) else reader
            found.append(_scores(question, asked))
    return BlockScores(tuple(found), scorer)


def _scores(question: Question, reader: SparseReader) -> RequestScores:
    basis = reader.basis(question.document, question.question, scope=question.scope, progress=False)
    return RequestScores(
        request=question.id,
        document=question.document_key,
        document_type=question.document.document_type.value,
        split="dev",
        logits=basis.scored.logits,
        weights=np.asarray(basis.structure.weights, np.float64),
        pinned=np.asarray(basis.structure.pinned, np.bool_),
        tokens=basis.tokens,
        eligible=basis.has_text,
        gold=question.gold,
        words_alone=basis.scored.words_alone,
        presence=basis.scored.presence,
        nothing_relevant=basis.scored.nothing_relevant,
    )
