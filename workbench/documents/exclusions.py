"""Stretches of the text layer that are in no block, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt


class Exclusion(NamedTuple):
    """A range of the text layer that is in no block, and why."""

    start_char: int
    end_char: int
    reason: str


class Exclusions(Sequence[Exclusion]):
    """Exclusions as arrays, in order of their start: a table has one for each delimiter.

    Attributes
    ----------
    start, end : ndarray of int32, shape (e,)
        Ranges of the text layer.
    code : ndarray of uint8, shape (e,)
        Index into ``reasons``.
    reasons : tuple of str
    """

    def __init__(
        self,
        start: npt.NDArray[np.int32],
        end: npt.NDArray[np.int32],
        code: npt.NDArray[np.uint8],
        reasons: Sequence[str],
    ) -> None:
        self.start, self.end, self.code = start, end, code
        self.reasons = tuple(reasons)

    @classmethod
    def of(cls, items: Iterable[Exclusion]) -> Exclusions:
        """Build the arrays from single exclusions, sorted by their start."""
        ordered = sorted(items)
        codes: dict[str, int] = {}
        code = [codes.setdefault(item[2], len(codes)) for item in ordered]
        return cls(
            np.array([item[0] for item in ordered], np.int32),
            np.array([item[1] for item in ordered], np.int32),
            np.array(code, np.uint8),
            tuple(codes),
        )

    def __len__(self) -> int:
        return len(self.start)

    @overload
    def __getitem__(self, index: int) -> Exclusion: ...

    @overload
    def __getitem__(self, index: slice) -> list[Exclusion]: ...

    def __getitem__(self, index: Any) -> Exclusion | list[Exclusion]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        return Exclusion(int(self.start[index]), int(self.end[index]), self.reasons[int(self.code[index])])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exclusions) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} exclusions: {', '.join(self.reasons) or 'none'}>"
