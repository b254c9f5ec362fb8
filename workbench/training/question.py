"""One question on one document with its evidence: what is mined, trained on, and judged."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..documents.surrogates import without_surrogates
from ..errors import TrainingRefused
from ..printing import counted, shortened
from ..workload.gold import Gold, GoldPiece, Way
from ..workload.requests import Evidence

if TYPE_CHECKING:
    import pandas as pd

    from ..documents import Document
    from ..relevance.scores import Scope

Place = tuple[int, ...]
"""Ids of the blocks of one spot, in reading order."""
Piece = tuple[Place, ...]
"""The places of one piece of evidence, any of which will do."""


class LeftOut(NamedTuple):
    """A request or label that became no part of a question, why, and what is particular to it; a sentence each."""

    id: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """A question on a document, with what is known of its blocks.

    A block is in at most one of evidence (a place of a piece), ``negatives`` and ``unsure``. What is in none of them is
    not known: it may hold evidence that nobody marked.

    Attributes
    ----------
    id : str
        That of the request, where there is one.
    document : Document
    document_key : str
        What questions on one document have in common.
    question : str
    scope : Scope or None
    set_name : str
        Name of the workload that it comes from.
    document_type, language : str
        Of the document.
    pieces : tuple of tuple of tuple of int
        Pieces of evidence; the places of each, any of which will do; the blocks of each place.
    positives : tuple of int
        Blocks of the first place of every piece, in reading order.
    negatives : tuple of int
        Blocks that a person calls a hard negative or not relevant, in reading order.
    suggested : tuple of (int, str)
        Blocks of which nobody knows anything but a label that no person made, which calls them negative, each with the
        source of that ("feedback", "gold" or "mined"), in reading order. Mining decides whether they are negatives.
    unsure : tuple of int
        Blocks that are neither, in reading order: a label says so, or another request with the same question on the
        document has them as evidence.
    answers : tuple of str
        Short gold answers, any of which is right.
    """

    id: str
    document: Document
    document_key: str
    question: str
    scope: Scope | None = None
    set_name: str = ""
    document_type: str = ""
    language: str = ""
    pieces: tuple[Piece, ...] = ()
    positives: tuple[int, ...] = ()
    negatives: tuple[int, ...] = ()
    suggested: tuple[tuple[int, str], ...] = ()
    unsure: tuple[int, ...] = ()
    answers: tuple[str, ...] = ()

    @cached_property
    def evidence(self) -> frozenset[int]:
        """The blocks of every place of every piece: none of them is a negative."""
        return frozenset(block for piece in self.pieces for place in piece for block in place).union(self.positives)

    @cached_property
    def labels(self) -> npt.NDArray[np.bool_]:
        """Which blocks hold evidence, shape (blocks of the document,)."""
        found = np.zeros(len(self.document), np.bool_)
        found[sorted(self.evidence)] = True
        return found

    @cached_property
    def gold(self) -> Gold:
        """The pieces as a workload has them: which blocks recall them, and at which threshold."""
        home = self.document.columns.home_page
        pieces = tuple(GoldPiece(Evidence(page=1 + int(home[piece[0][0]])), Way.ANCHOR, piece) for piece in self.pieces)
        return Gold(self.id, pieces, (), self.document.columns.tokens)

    def __repr__(self) -> str:
        pieces = counted(len(self.pieces), "piece") + " of evidence"
        return f"Question({self.id!r}, {shortened(self.question, 60)!r}, {pieces})"


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions to train on, and what was left out of them.

    Attributes
    ----------
    questions : tuple of Question
        Each with evidence, in the order of the workload.
    unanswerable : tuple of Question
        Those that their document is known not to answer: without evidence, so that every block of it is a negative.
    left_out : tuple of LeftOut
        What became neither, with a reason each.
    notes : tuple of str
        What else a person must know, a sentence each.
    """

    questions: tuple[Question, ...]
    unanswerable: tuple[Question, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable[Questions]) -> Questions:
        """Return the questions of several sets together, in their order.

        A document that lies in two sets is one: questions on equal bytes, cut into equal blocks, have one document
        key. Ids and keys that two sets use for different things get the name of their set before them.
        """
        parts, joining = list(parts), _Joining()
        return cls(
            tuple(joining.one(one) for part in parts for one in part.questions),
            tuple(joining.one(one) for part in parts for one in part.unanswerable),
            tuple(one for part in parts for one in part.left_out),
            tuple(note for part in parts for note in part.notes),
        )

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """The documents by their keys, in the order of the questions."""
        return {one.document_key: one.document for one in (*self.questions, *self.unanswerable)}

    @cached_property
    def _by_id(self) -> Mapping[str, Question]:
        return {one.id: one for one in (*self.unanswerable, *self.questions)}

    @property
    def ids(self) -> Collection[str]:
        """The ids of all questions, also of the unanswerable ones."""
        return self._by_id.keys()

    def question(self, question_id: str) -> Question:
        """Return the question of an id.

        Raises
        ------
        TrainingRefused
            If there is none.
        """
        found = self._by_id.get(question_id)
        if found is None:
            raise TrainingRefused(
                f"There is no question {question_id!r:.80} among these {len(self._by_id):,}; take one of their ids."
            )
        return found

    def of_documents(self, keys: Iterable[str]) -> Questions:
        """Return the questions on some documents, in their order; what was left out stays with the whole."""
        chosen = frozenset(keys)
        return replace(
            self,
            questions=tuple(one for one in self.questions if one.document_key in chosen),
            unanswerable=tuple(one for one in self.unanswerable if one.document_key in chosen),
            left_out=(),
            notes=(),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row a question, then those that are known to be unanswerable.

        Returns
        -------
        DataFrame
            Columns question (id), text, document, set, document_type, language, scope ("" where not said), pieces,
            positives, negatives, suggested, unsure (counts of blocks; pieces of pieces), answerable.
        """
        import pandas as pd

        rows = [
            (
                one.id,
                one.question,
                one.document_key,
                one.set_name,
                one.document_type,
                one.language,
                one.scope.value if one.scope else "",
                len(one.pieces),
                len(one.positives),
                len(one.negatives),
                len(one.suggested),
                len(one.unsure),
                bool(one.pieces),
            )
            for one in (*self.questions, *self.unanswerable)
        ]
        return pd.DataFrame([[_shown(cell) for cell in row] for row in rows], columns=list(_COLUMNS))

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def __getitem__(self, rank: int) -> Question:
        return self.questions[rank]

    def __repr__(self) -> str:
        said = [f"{counted(len(self), 'question')} on {counted(len(self.documents), 'document')}"]
        said += [f"{len(self.unanswerable):,} unanswerable"] if self.unanswerable else []
        said += [f"{len(self.left_out):,} left out"] if self.left_out else []
        return f"Questions({', '.join(said)})"

    def _repr_html_(self) -> str:
        rows = [
            ("questions", f"{len(self):,} on {counted(len(self.documents), 'document')}"),
            ("positives", counted(sum(len(one.positives) for one in self), "block")),
            ("labelled negatives", counted(sum(len(one.negatives) for one in self), "block")),
            ("suggested negatives", counted(sum(len(one.suggested) for one in self), "block")),
            ("unanswerable", counted(len(self.unanswerable), "question")),
        ]
        for name in ("set_name", "document_type", "language"):
            counts = Counter(getattr(one, name) or "not said" for one in self)
            rows.append((name.replace("_name", "").replace("_", " "), _said(counts)))
        rows += [("left out", f"{number:,}: {why}") for why, number in Counter(o.reason for o in self.left_out).items()]
        rows += [("note", note) for note in self.notes]
        body = "".join(
            f"<tr><th style='text-align:left'>{html.escape(key)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in rows
        )
        # Without these classes a notebook turns "$5 to $9" into a formula; lone surrogates it cannot send.
        return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'>{body}</table>")


_COLUMNS = (
    "question",
    "text",
    "document",
    "set",
    "document_type",
    "language",
    "scope",
    "pieces",
    "positives",
    "negatives",
    "suggested",
    "unsure",
    "answerable",
)


class _Joining:
    """Gives questions of several sets ids of their own, and documents with equal bytes and blocks one key."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._keys: dict[str, Document] = {}
        self._documents: dict[tuple[str, int, int], tuple[str, Document]] = {}

    def one(self, question: Question) -> Question:
        document = question.document
        same = document.sha256, len(document), len(document.text_layer)
        if same not in self._documents:
            key = self._free(question.document_key, question.set_name, self._keys)
            self._keys[key] = document
            self._documents[same] = key, document
        key, document = self._documents[same]
        name = self._free(question.id, question.set_name, self._ids)
        self._ids.add(name)
        return replace(question, id=name, document_key=key, document=document)

    @staticmethod
    def _free(name: str, set_name: str, taken: Container[str]) -> str:
        names = (f"{set_name}/{name}" + (f" ({rank})" if rank > 1 else "") for rank in count(1))
        return next(found for found in chain([name], names) if found not in taken)


def _said(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {value}" for value, number in sorted(counts.items()))


def _shown(cell: Any) -> Any:
    return without_surrogates(cell) if isinstance(cell, str) else cell
