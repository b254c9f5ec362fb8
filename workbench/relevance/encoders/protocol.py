"""What turns texts into vectors: the interface that a model, or a class of your own, has to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from ...errors import InvalidOption

if TYPE_CHECKING:
    from ...documents.source import Report

Floats = npt.NDArray[np.float32]
TextKind = Literal["question", "passage"]
"""What a text is: models may want different words before each."""


@dataclass(frozen=True, slots=True, eq=False)
class WindowVectors:
    """The vectors of n texts, each read in one window or in several that overlap.

    Attributes
    ----------
    vectors : ndarray of float32 or float16, shape (w, d)
        One row a window, of length 1.
    first : ndarray of int64, shape (n + 1,)
        Text i has the rows ``first[i]:first[i + 1]``, at least one.
    share_read : ndarray of float32, shape (n,)
        Share of each text that its windows hold, in [0, 1].
    """

    vectors: npt.NDArray[np.floating]
    first: npt.NDArray[np.int64]
    share_read: Floats

    def __len__(self) -> int:
        return len(self.share_read)


class Encoder(Protocol):
    """Gives texts with a similar meaning similar vectors."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def fingerprint(self) -> str:
        """Hash of what decides the vectors: weights, tokenizer, pooling, the words put before a text."""

    @property
    def computation(self) -> str:
        """How the passages are computed on this machine; rounding differs between two of them."""

    @property
    def dimensions(self) -> int:
        """Numbers of a vector."""

    @property
    def max_tokens(self) -> int:
        """Most word pieces of a window."""

    def encode(self, texts: Sequence[str], *, kind: TextKind, report: Report | None = None) -> Floats:
        """Return one vector of length 1 a text, shape (n, d); for a long text the mean direction of its windows."""

    def encode_windows(self, texts: Sequence[str], *, kind: TextKind, report: Report | None = None) -> WindowVectors:
        """Return a vector for every window of every text; nothing is cut without showing in ``share_read``."""


def check_kind(kind: str) -> None:
    """Refuse what is no kind of text.

    Raises
    ------
    InvalidOption
    """
    if kind not in get_args(TextKind):
        raise InvalidOption(f"kind is {kind!r}; a text is one of: {', '.join(get_args(TextKind))}.")


def mean_directions(windows: WindowVectors) -> Floats:
    """Return one vector of length 1 a text, shape (n, d): the direction of the sum of its windows."""
    if len(windows.vectors) == len(windows):
        return np.asarray(windows.vectors, np.float32)
    sums = np.add.reduceat(windows.vectors.astype(np.float32), windows.first[:-1], axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    mean: Floats = sums / np.maximum(lengths, np.finfo(np.float32).tiny)
    return mean
