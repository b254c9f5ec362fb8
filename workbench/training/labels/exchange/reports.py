"""What came of reading and writing labels: nothing is left out without a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....printing import counted, printable
from ..label import Label

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that did not become a label, or did not get into a file.

    Attributes
    ----------
    where : str
        The record, row or label.
    reason : str
    """

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Labels of a file.

    Attributes
    ----------
    labels : tuple of Label
    format : str
    notes : tuple of str
        What must be known of them, a sentence each.
    dropped : tuple of Dropped
    """

    labels: tuple[Label, ...]
    format: str
    notes: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def report(self) -> str:
        """Return it as text."""
        return "\n".join([f"{self.format}: {counted(len(self.labels), 'label')}", *told(self.notes, self.dropped)])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, the labels as a count."""
        return _plain(self.format, len(self.labels), self.notes, self.dropped)

    def __repr__(self) -> str:
        return f"ImportReport({self.format}, {counted(len(self.labels), 'label')}, {len(self.dropped)} dropped)"


@dataclass(frozen=True, slots=True)
class ExportReport:
    """A file of labels.

    Attributes
    ----------
    path : pathlib.Path
    written : int
        Labels in the file.
    format : str
    notes : tuple of str
    dropped : tuple of Dropped
        Labels that the format has no room for.
    """

    path: Path
    written: int
    format: str
    notes: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def report(self) -> str:
        """Return it as text."""
        head = f"{self.format}: {counted(self.written, 'label')} written to {printable(str(self.path))}"
        return "\n".join([head, *told(self.notes, self.dropped)])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"path": str(self.path), **_plain(self.format, self.written, self.notes, self.dropped)}

    def __repr__(self) -> str:
        return f"ExportReport({self.path.name!r}, {counted(self.written, 'label')}, {len(self.dropped)} dropped)"


def told(notes: Iterable[str], dropped: Iterable[Dropped]) -> list[str]:
    """Return notes and what was left out as lines: each reason with its count and some examples."""
    lines = list(notes)
    by_reason: dict[str, list[str]] = {}
    for one in dropped:
        by_reason.setdefault(printable(one.reason), []).append(one.where)
    for reason, places in by_reason.items():
        shown = "; ".join(map(printable, places[:EXAMPLES]))
        more = f"; and {len(places) - EXAMPLES:,} more" if len(places) > EXAMPLES else ""
        lines.append(f"left out {len(places):,}: {reason} ({shown}{more})")
    return lines


def _plain(name: str, count: int, notes: tuple[str, ...], dropped: tuple[Dropped, ...]) -> dict[str, Any]:
    reasons = Counter(printable(one.reason) for one in dropped)
    return {"format": name, "labels": count, "notes": list(notes), "dropped": dict(reasons)}
