"""What is wrong with the rows of a set, counted by kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...printing import shortened

SHOWN = 5
"""Most examples of one kind that are kept."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One kind of defect.

    Attributes
    ----------
    kind : str
        What is wrong, and after a semicolon what was done about it.
    count : int
    examples : tuple of str
        The first ``SHOWN`` that differ, each as where it stands and what stands there.
    """

    kind: str
    count: int
    examples: tuple[str, ...]


@dataclass(slots=True)
class Defects:
    """Defects as they are met."""

    _counts: dict[str, int] = field(default_factory=dict)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, example: str = "", *, count: int = 1) -> None:
        """Note a defect; ``example`` says where it stands."""
        self._counts[kind] = self._counts.get(kind, 0) + count
        shown = self._examples.setdefault(kind, [])
        said = shortened(example, 160)
        if said and said not in shown and len(shown) < SHOWN:
            shown.append(said)

    def __iter__(self) -> Iterator[Defect]:
        """Give the kinds in the order in which they were met."""
        for kind, count in self._counts.items():
            yield Defect(kind, count, tuple(self._examples[kind]))
