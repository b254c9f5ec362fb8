"""Spans of characters as ranges of tokens. Characters are the truth; what moves or is dropped is said."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ...errors import InvalidOption
from ...printing import counted, shortened
from .values import Span, checked_spans

Mode = Literal["strict", "contract", "expand"]
MODES: tuple[Mode, ...] = get_args(Mode)

_TOKEN = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


@dataclass(frozen=True, slots=True)
class AlignedSpan:
    """A span at the ends of tokens.

    Attributes
    ----------
    start_char, end_char : int
        Code points of the text, end exclusive.
    start_token, end_token : int
        Ranks of the tokens, end exclusive.
    given : (int, int)
        The span that it was made of.
    """

    start_char: int
    end_char: int
    start_token: int
    end_token: int
    given: Span

    @property
    def is_moved(self) -> bool:
        """Whether it is not the span that was given."""
        return (self.start_char, self.end_char) != self.given


@dataclass(frozen=True, slots=True)
class Alignment:
    """Spans that were aligned, and what that cost.

    Attributes
    ----------
    spans : tuple of AlignedSpan
        In rising order.
    dropped : tuple of ((int, int), str)
        Spans that have no tokens, each with the reason.
    text : str
    """

    spans: tuple[AlignedSpan, ...]
    dropped: tuple[tuple[Span, str], ...]
    text: str

    @property
    def moved(self) -> tuple[tuple[Span, Span], ...]:
        """Spans that begin or end elsewhere now: as given, as aligned."""
        return tuple((span.given, (span.start_char, span.end_char)) for span in self.spans if span.is_moved)

    def report(self) -> str:
        """Return how many spans there are, and every one that was moved or dropped, a line each."""
        lines = [
            f"{counted(len(self.spans) + len(self.dropped), 'span')}: {len(self.moved):,} moved, "
            f"{len(self.dropped):,} dropped"
        ]
        for given, new in self.moved:
            lines.append(f"moved    {_told(self.text, given)} to {_told(self.text, new)}")
        lines += [f"dropped  {_told(self.text, given)}: {reason}" for given, reason in self.dropped]
        return "\n".join(lines)


def aligned_spans(
    text: str, spans: Iterable[Span], mode: Mode | str = "expand", *, tokens: Sequence[Span] | None = None
) -> Alignment:
    """Return spans of characters as ranges of whole tokens.

    Parameters
    ----------
    text : str
    spans : iterable of (int, int)
        Code points of ``text``, end exclusive.
    mode : {"expand", "contract", "strict"}
        What becomes of a span that cuts a token: it grows to hold all of it, shrinks to leave it out, or is dropped.
    tokens : sequence of (int, int), optional
        Where each token stands in ``text``, in rising order, as a tokenizer gives it; empty ones are left out. By
        default words between white space, and single Chinese, Japanese and Korean characters.

    Raises
    ------
    InvalidOption
        For a mode of another name; the message lists them.
    InvalidLabels
        For a span that is none of the text.

    Examples
    --------
    >>> text = "An offer by Graematter Inc."
    >>> [aligned_spans(text, [(12, 26)], mode).spans for mode in ("strict",)]
    [()]
    >>> [(text[span.start_char : span.end_char]) for mode in ("contract", "expand")
    ...     for span in aligned_spans(text, [(12, 26)], mode).spans]
    ['Graematter', 'Graematter Inc.']
    """
    if mode not in MODES:
        raise InvalidOption(f"{mode!r:.60} is no way to align spans; give one of {', '.join(MODES)}.")
    given = checked_spans(spans, text, "The text")
    places = list(tokens_of(text) if tokens is None else tokens)
    ranks = [rank for rank, (start, end) in enumerate(places) if start < end]
    starts, ends = [places[rank][0] for rank in ranks], [places[rank][1] for rank in ranks]
    found: list[AlignedSpan] = []
    dropped: list[tuple[Span, str]] = []
    for span in given:
        outcome = _aligned(span, starts, ends, mode)
        if isinstance(outcome, str):
            dropped.append((span, outcome))
        else:
            first, last = outcome
            found.append(AlignedSpan(starts[first], ends[last], ranks[first], ranks[last] + 1, span))
    return Alignment(tuple(found), tuple(dropped), text)


def tokens_of(text: str) -> tuple[Span, ...]:
    """Return where the words of a text stand: between white space, single Chinese, Japanese and Korean characters.

    Examples
    --------
    >>> tokens_of("Net 销售.")
    ((0, 3), (4, 5), (5, 6), (6, 7))
    """
    return tuple(match.span() for match in _TOKEN.finditer(text))


def _aligned(span: Span, starts: list[int], ends: list[int], mode: Mode) -> tuple[int, int] | str:
    """Return the first and the last token of a span, or why it has none."""
    start, end = span
    first, last = bisect_right(ends, start), bisect_left(starts, end) - 1
    if first > last:
        return "it holds white space alone"
    if mode == "expand":
        return first, last
    # White space at the ends of a span cuts no token.
    cut_before, cut_after = starts[first] < start, ends[last] > end
    if mode == "strict":
        return "it cuts a token" if cut_before or cut_after else (first, last)
    first, last = first + cut_before, last - cut_after
    return (first, last) if first <= last else "no whole token stands in it"


def _told(text: str, span: Span) -> str:
    start, end = span
    return f"{start}-{end} {shortened(text[start:end], 40)!r}"
