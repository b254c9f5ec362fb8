"""What a label may say: its values and sources, times, spans, and the hash of what it is put on."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from ...errors import InvalidLabels

Span = tuple[int, int]
Spans = tuple[Span, ...]


class LabelValue(StrEnum):
    """What a block is for a question."""

    EVIDENCE = "evidence"
    CONTEXT = "useful context"
    NOT_RELEVANT = "not relevant"
    HARD_NEGATIVE = "hard negative"
    UNSURE = "unsure"


class LabelSource(StrEnum):
    """Where a label comes from."""

    PERSON = "person"
    GOLD = "gold"
    MINED = "mined"
    FEEDBACK = "feedback"


VALUES: tuple[LabelValue, ...] = tuple(LabelValue)


def value_of(given: LabelValue | str) -> LabelValue:
    """Return the value of that name.

    Raises
    ------
    InvalidLabels
        If there is none; the message lists them.

    Examples
    --------
    >>> value_of("hard negative")
    <LabelValue.HARD_NEGATIVE: 'hard negative'>
    """
    try:
        return LabelValue(given)
    except ValueError:
        allowed = ", ".join(value.value for value in LabelValue)
        raise InvalidLabels(f"{given!r:.60} is no value of a label; give one of {allowed}.") from None


def source_of(given: LabelSource | str) -> LabelSource:
    """Return the source of that name.

    Raises
    ------
    InvalidLabels
        If there is none; the message lists them.
    """
    try:
        return LabelSource(given)
    except ValueError:
        allowed = ", ".join(source.value for source in LabelSource)
        raise InvalidLabels(f"{given!r:.60} is no source of a label; give one of {allowed}.") from None


def time_of(given: str) -> str:
    """Return a time as ISO 8601 in UTC; one without a zone is taken for UTC.

    Raises
    ------
    InvalidLabels
        If it is no time.

    Examples
    --------
    >>> time_of("2026-11-30T14:00:00.5+02:00")
    '2026-11-30T12:00:00.500+00:00'
    """
    try:
        found = datetime.fromisoformat(given.strip())
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidLabels(
            f"{given!r:.60} is no time; give it as ISO 8601, such as 2026-11-30T12:00:00+00:00."
        ) from None
    return found.isoformat(timespec="milliseconds")


def checked_spans(spans: Any, text: str, whose: str) -> Spans:
    """Return spans in rising order, those that overlap as one.

    Parameters
    ----------
    spans : iterable of (int, int)
        Code points of ``text``, end exclusive.
    text : str
    whose : str
        Begins the message of an error.

    Raises
    ------
    InvalidLabels
        If one is no pair of whole numbers, is empty, or leaves the text.

    Examples
    --------
    >>> checked_spans([(4, 9), (0, 2), (8, 10)], "0123456789", "The label")
    ((0, 2), (4, 10))
    """
    found: list[Span] = []
    for span in spans:
        try:
            start, end = span
            whole = all(isinstance(place, int) and not isinstance(place, bool) for place in (start, end))
        except (TypeError, ValueError):
            start, end, whole = 0, 0, False
        if not whole:
            raise InvalidLabels(f"{whose} has the span {span!r:.40}; give two whole numbers, start and end.")
        if not 0 <= start < end <= len(text):
            raise InvalidLabels(
                f"{whose} has the span ({start}, {end}) in a text of {len(text):,} characters; give 0 <= start < end "
                "within the text."
            )
        found.append((start, end))
    joined: list[Span] = []
    for start, end in sorted(found):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def text_sha256(text: str) -> str:
    """Return the hash of a block's text, hexadecimal; a lone surrogate counts as it is."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
