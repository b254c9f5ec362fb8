"""A queue: which blocks an annotator is asked about for which questions, in what order, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ...documents.surrogates import without_surrogates
from ...errors import InvalidOption
from ...printing import counted, shortened

if TYPE_CHECKING:
    import pandas as pd


class Order(StrEnum):
    """What decides which blocks come first."""

    NEAREST = "nearest to threshold"
    HARD_NEGATIVES = "hard negatives"
    DISAGREEMENT = "words and meaning disagree"
    AUDIT = "random audit"
    MISTAKES = "mistakes"


ORDERS: tuple[Order, ...] = tuple(Order)


def order_of(given: Order | str) -> Order:
    """Return the order of that name.

    Raises
    ------
    InvalidOption
        If there is none; the message lists them.

    Examples
    --------
    >>> order_of("random audit")
    <Order.AUDIT: 'random audit'>
    """
    try:
        return Order(given)
    except ValueError:
        raise InvalidOption(f"order is {given!r:.60}; choose from {', '.join(ORDERS)}.") from None


class ItemKey(NamedTuple):
    """What an item is about: SHA-256 of the document, the question, the block."""

    document: str
    question: str
    block_id: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an item is in the queue: a code, which widgets have words for, and the values in them.

    Examples
    --------
    >>> Reason("audit", {"blocks": 812}).code
    'audit'
    """

    code: str
    values: Mapping[str, float | int | str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """A block to be labelled for a question.

    Attributes
    ----------
    document : str
        SHA-256 of the document's bytes.
    document_key : str
        What its source calls the document.
    question : str
    request : str or None
        Id of the workload's request, where it comes from one.
    block_id : int
    block_sha256 : str
        Hash of the block's text.
    order : Order
        What it was chosen by.
    score : float
        What it was chosen for; higher comes first within its question.
    reason : Reason
    scores : mapping of str to float
        What the reader made of the block: relevance, logit, priority, weight, rank (1-based, by priority), blocks (how
        many were ranked), and where there is a cut threshold and margin.
    scale : str
        What the relevance means, see ``Scale``; "" where nothing was read.
    scorer : str
        Fingerprint of what made the scores.
    """

    document: str
    document_key: str
    question: str
    block_id: int
    order: Order
    score: float
    reason: Reason
    block_sha256: str = ""
    request: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    scale: str = ""
    scorer: str = ""

    @property
    def key(self) -> ItemKey:
        """What it is about."""
        return ItemKey(self.document, self.question, self.block_id)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values that JSON can hold."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        reason = {"code": self.reason.code, "values": dict(self.reason.values)}
        return plain | {"order": self.order.value, "reason": reason, "scores": dict(self.scores)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the item of ``to_dict``.

        Raises
        ------
        KeyError, TypeError, ValueError
            If a field is missing or is nothing that an item has.
        """
        reason = Reason(str(data["reason"]["code"]), dict(data["reason"]["values"]))
        plain = {name: data[name] for name in _PLAIN}
        return cls(**plain, order=Order(data["order"]), reason=reason, scores=dict(data["scores"]))

    def __repr__(self) -> str:
        what = f"block {self.block_id} of {self.document_key}, {shortened(self.question, 40)!r}"
        return f"QueueItem({what}, {self.reason.code})"


_PLAIN = (
    "document",
    "document_key",
    "question",
    "block_id",
    "score",
    "block_sha256",
    "request",
    "scale",
    "scorer",
)


@dataclass(frozen=True, eq=False)
class Queue:
    """Items in the order in which they are asked; made by ``build_queue``.

    Attributes
    ----------
    items : tuple of QueueItem
        Those of one question follow each other.
    order : Order
    left_out : mapping of str to int
        Blocks that would have come, and were left out, by why: "labelled", "near-copies", "nothing to read"; and
        "questions not looked at", a number of questions.
    notes : tuple of str
        What else a person must know, a sentence each.
    """

    items: tuple[QueueItem, ...]
    order: Order
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return one row an item, in order.

        Returns
        -------
        DataFrame
            Columns document, question, request ("" for none), block_id, order, score, reason (its code), relevance,
            priority, margin (nan where not known).
        """
        import pandas as pd

        nan = float("nan")
        rows = [
            (
                without_surrogates(item.document_key),
                without_surrogates(item.question),
                without_surrogates(item.request or ""),
                item.block_id,
                item.order.value,
                item.score,
                item.reason.code,
                *(item.scores.get(name, nan) for name in ("relevance", "priority", "margin")),
            )
            for item in self.items
        ]
        columns = ("document", "question", "request", "block_id", "order", "score", "reason")
        return pd.DataFrame(rows, columns=[*columns, "relevance", "priority", "margin"])

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[QueueItem]:
        return iter(self.items)

    def __getitem__(self, rank: int) -> QueueItem:
        return self.items[rank]

    def __repr__(self) -> str:
        questions = len({(item.document, item.question) for item in self.items})
        out = ", ".join(f"{number:,} {why}" for why, number in self.left_out.items() if number)
        return (
            f"Queue({counted(len(self), 'block')} of {counted(questions, 'question')}, {self.order.value}"
            f"{f'; left out: {out}' if out else ''})"
        )
