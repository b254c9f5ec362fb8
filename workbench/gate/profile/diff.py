"""What one gate profile says otherwise than another, in words and as a table."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .diff_words import words_of

if TYPE_CHECKING:
    import pandas as pd

    from ...structure.rule_books import TableChange
    from .profile import GateProfile

_QUIET = ("created", "name", "rules", "figures", "promises", "notes", "block.calibration")
"""Fields that are compared as a whole, or say nothing about a decision."""
_DECIDES = ("gate", "block", "models")
_ASKED_FOR = ("gate.quality_tolerance",)
"""What a calibration was asked for, among what it found: it decides no request."""
_HASH = 40
"""A text of at least this length without a space is a fingerprint, and is shown by its beginning."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs; None where a profile has not got it."""

    field: str
    words: str
    before: Any
    after: Any
    decides: bool
    table: TableChange | None = None
    """What it is of a rule table."""

    def __str__(self) -> str:
        if self.before is None and self.after is None:
            return self.words
        return f"{self.words}: {_shown(self.before)} -> {_shown(self.after)}"


@dataclass(frozen=True)
class ProfileDiff:
    """All differences between two profiles, those that decide a request first.

    Attributes
    ----------
    before, after : str
        Names of the profiles.
    differences : tuple of Difference
    """

    before: str
    after: str
    differences: tuple[Difference, ...]

    @property
    def decides_alike(self) -> bool:
        """Whether both decide every request alike, as far as their fields tell."""
        return not any(found.decides for found in self.differences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The differences in words."""
        return tuple(str(found) for found in self.differences)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a difference: field, words, before, after (as text), decides (bool)."""
        import pandas as pd

        rows = [
            (found.field, found.words, _shown(found.before), _shown(found.after), found.decides)
            for found in self.differences
        ]
        return pd.DataFrame(rows, columns=["field", "words", "before", "after", "decides"])

    def __len__(self) -> int:
        return len(self.differences)

    def __str__(self) -> str:
        if not self.differences:
            return f"{self.before} and {self.after} say the same."
        end = "Both decide alike." if self.decides_alike else ""
        return "\n".join(
            [f"{self.before} -> {self.after}", *(f"  {said}" for said in self.sentences), *([end] if end else [])]
        )

    def __repr__(self) -> str:
        return f"ProfileDiff({self.before!r} -> {self.after!r}, {len(self)} differences)"

    def _repr_html_(self) -> str:
        return f"<pre class='mathjax_ignore tex2jax_ignore'>{html.escape(str(self))}</pre>"


def diff_of(before: GateProfile, after: GateProfile) -> ProfileDiff:
    """Compare two profiles."""
    found = [
        *_of_fields(before, after),
        *_of_rules(before, after),
        *_of_maps(before, after),
        *_of_figures(before, after),
    ]
    found.sort(key=lambda difference: not difference.decides)
    return ProfileDiff(before.name, after.name, tuple(found))


def _of_fields(before: GateProfile, after: GateProfile) -> Iterator[Difference]:
    old, new = (dict(_flat(profile.model_dump(mode="json"))) for profile in (before, after))
    for field in dict.fromkeys((*old, *new)):
        if old.get(field) != new.get(field) and not _is_quiet(field):
            decides = field.split(".", maxsplit=1)[0] in _DECIDES and field not in _ASKED_FOR
            yield Difference(field, words_of(field), old.get(field), new.get(field), decides)


def _of_rules(before: GateProfile, after: GateProfile) -> Iterator[Difference]:
    for change in before.rule_book.changes(after.rule_book):
        yield Difference("rules", str(change), None, None, True, change)


def _of_maps(before: GateProfile, after: GateProfile) -> Iterator[Difference]:
    old, new = before.calibration, after.calibration
    mine, theirs = (dict(found.maps) if found else {} for found in (old, new))
    for kind in sorted({*mine, *theirs}):
        if mine.get(kind) != theirs.get(kind):
            old_map, new_map = (maps[kind].formula if kind in maps else None for maps in (mine, theirs))
            yield Difference(f"block.calibration.{kind}", f"the map of {kind} documents", old_map, new_map, True)


def _of_figures(before: GateProfile, after: GateProfile) -> Iterator[Difference]:
    old, new = ({(figure.name, figure.sample): figure for figure in profile.figures} for profile in (before, after))
    for key in dict.fromkeys((*old, *new)):
        mine, theirs = old.get(key), new.get(key)
        if mine != theirs:
            value, now = (figure.value if figure else None for figure in (mine, theirs))
            yield Difference(f"figures.{key[0]}", f"{key[0]} ({key[1]})", value, now, False)


def _flat(values: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(values, dict) and not _is_quiet(path):
        for key, child in values.items():
            yield from _flat(child, f"{path}.{key}" if path else key)
    else:
        yield path, values


def _is_quiet(field: str) -> bool:
    return any(field == quiet or field.startswith(f"{quiet}.") for quiet in _QUIET)


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    return text[:12] if len(text) >= _HASH and " " not in text else text
