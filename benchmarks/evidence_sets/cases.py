"""What one question of an evaluation set is, and how documents are split in two halves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from workbench.documents import Document
from workbench.workload.importers.manuscripts import in_hash_order

Item = tuple[int, ...]
"""Ids of the blocks that hold one piece of evidence."""

Scope = Literal["point", "several", "aggregate", "whole"]
Half = Literal["choose", "report", "all"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of a conversation; the speaker is "user" or "agent"."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Case:
    """One question on one document, with the blocks that hold its evidence.

    Attributes
    ----------
    set_name, case_id : str
        The evaluation set and the question's identity in it.
    document_key : str
        Names the document within the set.
    document : Document
        As ``workbench.open_document`` reads it.
    question : str
    language : str
        Of the question: "en" or "zh".
    scope : {"point", "several", "aggregate", "whole"} or None
        Only where the set says it.
    gold : tuple of tuple of int
        The pieces of evidence, each as the ids of the blocks that hold it at its first place. Running headers and
        footers and blocks without tokens are in none.
    also : tuple of tuple of tuple of int
        For each piece of evidence the other places that say the same; as long as ``gold``.
    unresolved : tuple of str
        Pieces of evidence that stand nowhere in the document, as the set gives them. They are in no figure.
    answerable : bool
        False where the set says that the document does not answer the question.
    origin : str
        What a bootstrap draws: the article or context that the question is about, where a document pools many.
    half : {"choose", "report"}
        The half of the set that the document belongs to.
    label : str
        The set's own name for the kind of question; "" if it has none.
    turns : tuple of Turn
        Earlier turns of the conversation, oldest first.
    """

    set_name: str
    case_id: str
    document_key: str
    document: Document
    question: str
    language: str
    scope: Scope | None = None
    gold: tuple[Item, ...] = ()
    also: tuple[tuple[Item, ...], ...] = ()
    unresolved: tuple[str, ...] = ()
    answerable: bool = True
    origin: str = ""
    half: Half = "choose"
    label: str = ""
    turns: tuple[Turn, ...] = ()

    @property
    def gold_blocks(self) -> Item:
        """Every block of the first place of every piece of evidence, in reading order."""
        return tuple(sorted({block for item in self.gold for block in item}))

    def __repr__(self) -> str:
        said = f"{len(self.gold)} pieces of evidence" if self.answerable else "not answerable"
        return f"Case({self.set_name}, {self.document_key!r}, {self.question[:40]!r}, {said})"


@dataclass(frozen=True, slots=True)
class Places:
    """Pieces of evidence with all their places, and those that have none."""

    gold: tuple[Item, ...] = ()
    also: tuple[tuple[Item, ...], ...] = ()
    unresolved: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Iterable[tuple[str, Sequence[Item]]]) -> Places:
        """Divide pieces of evidence (as the set gives them, with their places) in those with and without a place.

        Pieces with equal places are one piece.
        """
        gold: dict[tuple[Item, ...], None] = {}
        lost = []
        for said, places in found:
            if places:
                gold.setdefault(tuple(dict.fromkeys(places)))
            else:
                lost.append(said)
        return cls(tuple(places[0] for places in gold), tuple(places[1:] for places in gold), tuple(lost))


def halves(keys: Iterable[str]) -> dict[str, Half]:
    """Split keys in two halves: every second one in the order of their hashes.

    Examples
    --------
    >>> sorted(halves(["a", "b", "c", "d"]).values())
    ['choose', 'choose', 'report', 'report']
    """
    return {key: "report" if rank % 2 else "choose" for rank, key in enumerate(in_hash_order(keys))}


def wanted(sides: dict[str, Half], half: Half, limit: int | None) -> list[str]:
    """Return the keys of one half, or of both, in the order of their hashes; at most ``limit`` of them."""
    chosen = [key for key in in_hash_order(sides) if half in ("all", sides[key])]
    return chosen[:limit]
