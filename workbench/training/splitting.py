"""Questions in three parts by document: to train on, to choose by, to judge by; and what leaks from one to another."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption, TrainingRefused
from ..printing import counted
from .copies_across import PARTS, CopiesAcross, copies_across
from .question import Question, Questions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PARTS", "CopiesAcross", "Split", "copies_across", "split_questions"]


@dataclass(frozen=True, eq=False)
class Split:
    """Questions in three parts, no two of which have a document in common.

    Attributes
    ----------
    train, validation, test : Questions
    seed : int
    copies : CopiesAcross or None
        Between the parts; None where nobody looked.

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
