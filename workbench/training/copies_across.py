"""What the parts of a split say alike: near-copies of blocks, pair by pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..documents.progress import showing
from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption
from ..printing import counted
from .near_copies import CopyIndex, is_long
from .question import Questions

if TYPE_CHECKING:
    import pandas as pd

PARTS = ("train", "validation", "test")
PAIRS = (("validation", "train"), ("test", "train"), ("test", "validation"))
"""Parts that are compared: what is judged by with what was fitted before."""
TWIN = 0.5
"""Share of its long blocks that a document has in common with one of an earlier part to be called its twin."""


@dataclass(frozen=True, slots=True)
class SharedBlock:
    """A block of one part that a document of an earlier part says as well, up to spelling.

    Attributes
    ----------
    part : str
        "validation" or "test".
    document_key : str
    block : int
    other_part : str
        "train" or "validation".
    other_key : str
        Key of the document there.
    other_block : int
        The first near-copy in it.
    evidence : bool
        Whether ``block`` is evidence of a question of ``part``.
    """

    part: str
    document_key: str
    block: int
    other_part: str
    other_key: str
    other_block: int
    evidence: bool


@dataclass(frozen=True, eq=False)
class CopiesBetween:
    """Near-copies between two parts, of blocks long enough for it to be no chance.

    Attributes
    ----------
    part, other : str
        A pair of ``PAIRS``.
    shared : tuple of SharedBlock
    blocks, evidence, other_blocks : int
        Long blocks of ``part``, those of them that are evidence, and the long blocks of ``other``.
    twins : tuple of (str, str)
        A document of ``part`` and the one of ``other`` that says at least half of its long blocks.
    """

    part: str
    other: str
    shared: tuple[SharedBlock, ...]
    blocks: int
    evidence: int
    other_blocks: int
    twins: tuple[tuple[str, str], ...] = ()

    @property
    def share(self) -> float:
        """Share of the long blocks of ``part`` that ``other`` says as well, 0 to 1; nan without any."""
        return len(self.shared) / self.blocks if self.blocks else float("nan")

    @property
    def evidence_share(self) -> float:
        """The same of the evidence among them."""
        return sum(one.evidence for one in self.shared) / self.evidence if self.evidence else float("nan")

    def __str__(self) -> str:
        evidence = sum(one.evidence for one in self.shared)
        said = (
            f"Documents of {self.other} say {len(self.shared):,} of {counted(self.blocks, 'long block')} of "
            f"{self.part} as well ({self.share:.1%}), {evidence:,} of {self.evidence:,} with evidence."
        )
        if self.twins:
            first, second = self.twins[0]
            has = "has half or more of its" if len(self.twins) == 1 else "have half or more of their"
            said += (
                f" {counted(len(self.twins), 'document')} of {self.part} {has} long blocks in common with one of "
                f"{self.other} (first: {first!r} and {second!r}); keep only one of each."
            )
        return said


@dataclass(frozen=True, eq=False)
class CopiesAcross:
    """Near-copies between the parts of a split.

    Attributes
    ----------
    pairs : tuple of CopiesBetween
        In the order of ``PAIRS``.
    """

    pairs: tuple[CopiesBetween, ...]

    @property
    def shared(self) -> tuple[SharedBlock, ...]:
        """The shared blocks of all pairs."""
        return tuple(one for pair in self.pairs for one in pair.shared)

    def between(self, part: str, other: str) -> CopiesBetween:
        """Return what two parts have in common.

        Raises
        ------
        InvalidOption
            If they are no pair of ``PAIRS``.
        """
        for pair in self.pairs:
            if (pair.part, pair.other) == (part, other):
                return pair
        pairs = ", ".join(f"{one!r} and {two!r}" for one, two in PAIRS)
        raise InvalidOption(f"{part!r:.40} and {other!r:.40} are no pair of parts; the pairs are {pairs}.")

    def to_frame(self) -> pd.DataFrame:
        """Return one row a shared block: part, document, block, other_part, other_document, other_block, evidence."""
        import pandas as pd

        rows = [
            (
                one.part,
                without_surrogates(one.document_key),
                one.block,
                one.other_part,
                without_surrogates(one.other_key),
                one.other_block,
                one.evidence,
            )
            for one in self.shared
        ]
        names = ["part", "document", "block", "other_part", "other_document", "other_block", "evidence"]
        return pd.DataFrame(rows, columns=names)

    def __str__(self) -> str:
        told = [str(pair) for pair in self.pairs if pair.blocks and pair.other_blocks]
        return " ".join(told) or "No two parts of the split have blocks that are long enough to be compared."


def copies_across(parts: Mapping[str, Questions], *, progress: bool | None = None) -> CopiesAcross:
    """Return the blocks that documents of two parts say alike.

    Parameters
    ----------
    parts : mapping of str to Questions
        "train", "validation" and "test". A pair of which one has no document is compared all the same, and shares
        nothing.
    progress : bool, optional
    """
    sides = {part: _Side(part, parts[part]) for part in PARTS}
    pairs = [(sides[part], sides[other]) for part, other in PAIRS]
    work = sum(len(side.questions.documents) for side, _ in pairs)
    done, found = 0, []
    with showing("Looking for near-copies", progress) as report:
        for side, other in pairs:
            shared: list[SharedBlock] = []
            twins: list[tuple[str, str]] = []
            for key in side.questions.documents:
                report(done, work)
                done += 1
                common, twin = _shared(side, key, other)
                shared += common
                twins += [(key, twin)] if twin else []
            counts = side.blocks, side.gold_blocks, other.blocks
            found.append(CopiesBetween(side.part, other.part, tuple(shared), *counts, tuple(twins)))
    return CopiesAcross(tuple(found))


class _Side:
    """The long blocks of a part."""

    def __init__(self, part: str, questions: Questions) -> None:
        self.part, self.questions = part, questions
        self.long = {
            key: [block for block, text in enumerate(document.texts) if is_long(text)]
            for key, document in questions.documents.items()
        }
        self.gold: dict[str, set[int]] = defaultdict(set)
        for one in questions:
            self.gold[one.document_key] |= one.evidence
        self.blocks = sum(map(len, self.long.values()))
        self.gold_blocks = sum(len(self.gold[key].intersection(blocks)) for key, blocks in self.long.items())

    @cached_property
    def places(self) -> list[tuple[str, int]]:
        return [(key, block) for key, blocks in self.long.items() for block in blocks]

    @cached_property
    def index(self) -> CopyIndex:
        documents = self.questions.documents
        return CopyIndex([documents[key].texts[block] for key, block in self.places])


def _shared(side: _Side, key: str, other: _Side) -> tuple[list[SharedBlock], str]:
    """Return the blocks of a document that another part says as well, and its twin there, if it has one."""
    found: list[SharedBlock] = []
    common: dict[str, int] = defaultdict(int)
    texts, long = side.questions.documents[key].texts, side.long[key]
    for block in long:
        copies = [other.places[rank] for rank in other.index.copies_of(texts[block])]
        if copies:
            found.append(SharedBlock(side.part, key, block, other.part, *copies[0], block in side.gold[key]))
            for name in {name for name, _ in copies}:
                common[name] += 1
    most = max(sorted(common), key=lambda name: common[name], default="")
    return found, most if most and common[most] >= TWIN * len(long) else ""
