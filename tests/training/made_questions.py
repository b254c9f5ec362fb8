"""Questions on documents that are made block by block, and a scorer whose scores are set by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from tests.reading.made import Made, scores_of
from workbench.documents import Document
from workbench.relevance.scores import RelevanceScores, Scope
from workbench.training.question import Piece, Question


def asked(document: Document, question: str, *pieces: int | Piece, name: str = "", **others: Any) -> Question:
    """A question whose pieces of evidence are single blocks, or places of blocks."""
    places = tuple(((piece,),) if isinstance(piece, int) else piece for piece in pieces)
    positives = tuple(sorted({block for piece in places for block in piece[0]}))
    given: dict[str, Any] = {
        "id": name or f"{document.name}/{question}",
        "document": document,
        "document_key": document.name,
        "question": question,
        "set_name": "made",
        "document_type": document.document_type.value,
        "language": document.language.value,
        "pieces": places,
        "positives": positives,
    }
    return Question(**{**given, **others})


def pages(*texts: str, name: str = "made.txt", language: str = "en", document_type: str = "general") -> Document:
    """A document of paragraphs."""
    return Made(name=name, language=language, document_type=document_type).page().text(*texts).document()


class HandScores:
    """Gives the blocks of each document, by its name, the logits that it was made with."""

    def __init__(self, **by_stem: Sequence[float]) -> None:
        self.by_stem = by_stem
        self.asked: list[tuple[str, str]] = []

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(repr(sorted(self.by_stem.items())).encode()).hexdigest()

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Nothing: scores are there."""

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        del scope, progress
        self.asked.append((document.name, question))
        return scores_of(self.by_stem[document.name.partition(".")[0]], scorer=self.fingerprint)

    def question_vector(self, question: str) -> None:
        del question


def fates(report: Any, way: str = "any way") -> Mapping[str, int]:
    """The counts of a mining report for one way, without zeros."""
    frame = report.to_frame()
    rows = frame[(frame.way == way) & (frame.blocks > 0)]
    return dict(zip(rows.fate, rows.blocks.tolist(), strict=True))
