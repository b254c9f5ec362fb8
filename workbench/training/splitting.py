"""Questions in three parts by document: to train on, to choose by, to judge by; and what leaks from one to another."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..documents.progress import showing
from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption, TrainingRefused
from ..printing import counted
from .near_copies import CopyIndex, is_long
from .question import Question, Questions

if TYPE_CHECKING:
    import pandas as pd

    from ..documents import Document

PARTS = ("train", "validation", "test")
TWIN = 0.5
"""Share of its long blocks that a held-out document has in common with one training document to be called its twin."""


@dataclass(frozen=True, slots=True)
class SharedBlock:
    """A block of a held-out document that a training document says as well, up to spelling.

    Attributes
    ----------
    part : str
        "validation" or "test".
    document_key : str
    block : int
    trained_key : str
        Key of the training document.
    trained_block : int
        Its first near-copy there.
    evidence : bool
        Whether it is evidence of a held-out question.
    """

    part: str
    document_key: str
    block: int
    trained_key: str
    trained_block: int
    evidence: bool


@dataclass(frozen=True, eq=False)
class CopiesAcross:
    """Near-copies between held-out and training documents, of blocks long enough for it to be no chance.

    Attributes
    ----------
    shared : tuple of SharedBlock
    blocks, evidence : int
        Long blocks of the held-out documents, and those of them that are evidence.
    twins : tuple of (str, str)
        A held-out document and the training document that says at least half of its long blocks.
    """

    shared: tuple[SharedBlock, ...]
    blocks: int
    evidence: int
    twins: tuple[tuple[str, str], ...] = ()

    @property
    def share(self) -> float:
        """Share of the long held-out blocks that training documents say as well, 0 to 1; nan without any."""
        return len(self.shared) / self.blocks if self.blocks else float("nan")

    @property
    def evidence_share(self) -> float:
        """The same of the evidence among them."""
        return sum(one.evidence for one in self.shared) / self.evidence if self.evidence else float("nan")

    def to_frame(self) -> pd.DataFrame:
        """Return one row a shared block: part, document, block, trained_document, trained_block, evidence."""
        import pandas as pd

        rows = [
            (
                one.part,
                without_surrogates(one.document_key),
                one.block,
                without_surrogates(one.trained_key),
                one.trained_block,
                one.evidence,
            )
            for one in self.shared
        ]
        names = ["part", "document", "block", "trained_document", "trained_block", "evidence"]
        return pd.DataFrame(rows, columns=names)

    def __str__(self) -> str:
        if not self.blocks:
            return "The held-out documents have no block that is long enough to be compared with training documents."
        evidence = sum(one.evidence for one in self.shared)
        said = (
            f"Training documents say {len(self.shared):,} of {counted(self.blocks, 'long block')} of held-out "
            f"documents as well ({self.share:.1%}), {evidence:,} of {self.evidence:,} with evidence."
        )
        if self.twins:
            first, second = self.twins[0]
            said += (
                f" {counted(len(self.twins), 'held-out document')} says half or more of what a training document says "
                f"(first: {first!r} and {second!r}); keep only one of each."
            )
        return said


@dataclass(frozen=True, eq=False)
class Split:
    """Questions in three parts, no two of which have a document in common.

    Attributes
    ----------
    train, validation, test : Questions
    seed : int
    copies : CopiesAcross or None
        Between the held-out parts and ``train``; None where nobody looked.

    Raises
    ------
    TrainingRefused
        If two parts have a document in common: equal bytes, whatever their keys.
    """

    train: Questions
    validation: Questions
    test: Questions
    seed: int = 0
    copies: CopiesAcross | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        held: dict[str, tuple[str, str]] = {}
        for part in PARTS:
            for key, document in self.part(part).documents.items():
                other, name = held.setdefault(document.sha256, (part, key))
                if other != part:
                    raise TrainingRefused(
                        f"Document {key!r} is in {part!r}, and the same bytes are {name!r} in {other!r}; split by "
                        "document, with split_questions."
                    )

    def part(self, name: str) -> Questions:
        """Return "train", "validation" or "test".

        Raises
        ------
        InvalidOption
            For another name.
        """
        if name not in PARTS:
            raise InvalidOption(f"There is no part {name!r:.40} of a split; choose from {', '.join(PARTS)}.")
        found: Questions = getattr(self, name)
        return found

    @cached_property
    def part_of(self) -> Mapping[str, str]:
        """The part of each document, by its key."""
        return {key: part for part in PARTS for key in self.part(part).documents}

    def to_frame(self) -> pd.DataFrame:
        """Return one row a part, set and document type: part, set, document_type, documents, questions, positives."""
        import pandas as pd

        rows = []
        for part in PARTS:
            groups: dict[tuple[str, str], list[Question]] = defaultdict(list)
            for one in self.part(part):
                groups[one.set_name, one.document_type].append(one)
            for (name, kind), some in sorted(groups.items()):
                documents, positives = len({one.document_key for one in some}), sum(len(one.positives) for one in some)
                rows.append((part, without_surrogates(name), kind, documents, len(some), positives))
        return pd.DataFrame(rows, columns=["part", "set", "document_type", "documents", "questions", "positives"])

    def __repr__(self) -> str:
        said = (
            f"{part}: {counted(len(some), 'question')} on {counted(len(some.documents), 'document')}"
            for part in PARTS
            if (some := self.part(part)).documents
        )
        return f"Split({'; '.join(said)})"


def split_questions(
    questions: Questions | Iterable[Question],
    *,
    validation: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    progress: bool | None = None,
) -> Split:
    """Split questions by document, so that every part has its share of each set and document type.

    Parameters
    ----------
    questions : Questions or iterable of Question
    validation, test : float
        Share of the documents, from 0 on, together below 1; a part with a share above 0 has at least one document.
    seed : int
        Equal questions and seed give an equal split, whatever the order of the questions.
    progress : bool, optional
        Whether the search for near-copies is shown; None where somebody looks.

    Returns
    -------
    Split
        Documents that only unanswerable questions are about are in ``train``.

    Raises
    ------
    InvalidOption
        For shares outside their range.
    TrainingRefused
        If there are fewer documents than parts.
    """
    asked = questions if isinstance(questions, Questions) else Questions(tuple(questions))
    shares = _checked_shares(validation, test)
    wanted = [part for part in PARTS if shares[part]]
    keys = _ordered(asked, seed)
    if len(keys) < len(wanted):
        lacking = len(wanted) - len(keys)
        raise TrainingRefused(
            f"{counted(len(asked), 'question')} on {counted(len(keys), 'document')} cannot be split in {len(wanted)} "
            f"parts ({', '.join(wanted)}), for a document belongs to one part: {len(wanted)} documents are needed; add "
            f"questions on {lacking} more, or set validation or test to 0."
        )
    part_of = _dealt(keys, shares)
    bytes_of = {key: document.sha256 for key, document in asked.documents.items()}
    parts = {
        part: asked.of_documents(key for key, sha in bytes_of.items() if part_of.get(sha, "train") == part)
        for part in PARTS
    }
    return Split(**parts, seed=seed, copies=copies_across(parts, progress=progress))


def _checked_shares(validation: float, test: float) -> dict[str, float]:
    for name, value in (("validation", validation), ("test", test)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
            raise InvalidOption(f"{name} is {value!r:.40}; give the share of the documents, from 0 to below 1.")
    if validation + test >= 1:
        raise InvalidOption(
            f"validation and test are {validation:g} and {test:g}, which leaves nothing to train on; together they are "
            "below 1."
        )
    return {"train": 1 - validation - test, "validation": validation, "test": test}


def _ordered(questions: Questions, seed: int) -> list[str]:
    """Return the bytes of the documents that questions with evidence are about, group by group, shuffled in each."""
    groups: dict[str, tuple[str, str]] = {}
    for one in sorted(questions, key=lambda one: (one.set_name, one.document_type, one.id)):
        groups.setdefault(one.document.sha256, (one.set_name, one.document_type))
    members: dict[tuple[str, str], list[str]] = defaultdict(list)
    for sha in sorted(groups):
        members[groups[sha]].append(sha)
    drawn = np.random.default_rng(seed)
    return [sha for group in sorted(members) for sha in drawn.permutation(members[group]).tolist()]


def _dealt(keys: Sequence[str], shares: Mapping[str, float]) -> dict[str, str]:
    """Deal documents to parts, each to the one that lags most behind its share, so that every group has its own."""
    counts = _counts(len(keys), shares)
    dealt = dict.fromkeys(counts, 0)
    found = {}
    for rank, key in enumerate(keys, start=1):
        open_ = [part for part in counts if dealt[part] < counts[part]]
        part = max(open_, key=lambda part: counts[part] * rank / len(keys) - dealt[part])
        dealt[part] += 1
        found[key] = part
    return found


def _counts(documents: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Return how many documents each part has: at least one where it has a share, the rest by largest remainder."""
    counts = {part: max(1, math.floor(share * documents + 1e-9)) for part, share in shares.items() if share}
    while sum(counts.values()) > documents:
        fullest = [part for part in counts if counts[part] > 1]
        counts[max(fullest, key=lambda part: counts[part] - shares[part] * documents)] -= 1
    while sum(counts.values()) < documents:
        counts[max(counts, key=lambda part: shares[part] * documents - counts[part])] += 1
    return counts


def copies_across(parts: Mapping[str, Questions], *, progress: bool | None = None) -> CopiesAcross:
    """Return the blocks of held-out documents that training documents say as well.

    Parameters
    ----------
    parts : mapping of str to Questions
        "train", "validation" and "test".
    progress : bool, optional
    """
    trained = [(key, document) for key, document in parts["train"].documents.items()]
    places = [(key, block) for key, document in trained for block, text in enumerate(document.texts) if is_long(text)]
    index = CopyIndex([text for _, document in trained for text in document.texts if is_long(text)])
    shared: list[SharedBlock] = []
    twins: list[tuple[str, str]] = []
    blocks = evidence = 0
    held = [(part, key, document) for part in PARTS[1:] for key, document in parts[part].documents.items()]
    with showing("Looking for near-copies", progress) as report:
        for rank, (part, key, document) in enumerate(held):
            report(rank, len(held))
            gold = {block for one in parts[part] if one.document_key == key for block in one.evidence}
            long, found, twin = _shared(part, key, document, gold, index, places)
            blocks += len(long)
            evidence += len(gold.intersection(long))
            shared += found
            twins += [(key, twin)] if twin else []
    return CopiesAcross(tuple(shared), blocks, evidence, tuple(twins))


def _shared(
    part: str,
    key: str,
    document: Document,
    gold: set[int],
    index: CopyIndex,
    places: Sequence[tuple[str, int]],
) -> tuple[list[int], list[SharedBlock], str]:
    """Return the long blocks of a document, those that are shared, and its twin, if it has one."""
    long = [block for block, text in enumerate(document.texts) if is_long(text)]
    found: list[SharedBlock] = []
    common: dict[str, int] = defaultdict(int)
    for block in long:
        copies = [places[rank] for rank in index.copies_of(document.texts[block])]
        if copies:
            found.append(SharedBlock(part, key, block, *copies[0], block in gold))
            for other in {name for name, _ in copies}:
                common[other] += 1
    most = max(sorted(common), key=lambda name: common[name], default="")
    return long, found, most if most and common[most] >= TWIN * len(long) else ""
