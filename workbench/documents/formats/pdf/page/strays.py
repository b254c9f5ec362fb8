"""Words that nobody sees: beyond the page's edge, or under an equal word at the same place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .words import PageWords

REASONS = ("outside the visible page", "drawn twice at the same place")
_OUTSIDE, _TWICE = range(2)
_SAME_PLACE, _MOST_DOUBLES = 1.0, 3  # points; copies of a word at its place


def without_strays(words: PageWords, width: float, height: float) -> tuple[PageWords, list[tuple[int, int, int]]]:
    """Take out words that nobody sees; the second value lists them: start, end and index into ``REASONS``."""
    if not len(words):
        return words, []
    x = (words.box[:, 0] + words.box[:, 2]) / 2
    y = (words.box[:, 1] + words.box[:, 3]) / 2
    outside = (x < -1) | (x > width + 1) | (y < -1) | (y > height + 1)
    twice = _drawn_twice(words)
    away = outside | twice
    letters = [(start, end, _TWICE) for start, end in words.twice.tolist()]
    if not away.any():
        return words, letters
    excluded = letters + [
        (int(words.start[i]), int(words.end[i]), _OUTSIDE if outside[i] else _TWICE)
        for i in np.flatnonzero(away).tolist()
    ]
    keep = ~away
    glued = words.glued & ~np.concatenate(([False], away[:-1]))
    kept = PageWords(
        words.text,
        words.start[keep],
        words.end[keep],
        words.box[keep],
        words.size[keep],
        words.font[keep],
        words.direction[keep],
        glued[keep],
        words.hyphen[keep],
        words.twice,
    )
    return kept, excluded


def _drawn_twice(words: PageWords) -> npt.NDArray[np.bool_]:
    """Fake bold draws a word again, less than a point away.

    Sorted by height and place, a word and its double are neighbours. A rounded height may part them, so a second
    sorting rounds half a point lower.
    """
    twice = np.zeros(len(words), bool)
    box = words.box
    for shift in (0.0, 0.5):
        order = np.lexsort((box[:, 0], np.floor(box[:, 1] + shift)))
        for step in range(1, min(_MOST_DOUBLES, len(order) - 1) + 1):
            first, second = order[:-step], order[step:]
            near = (np.abs(box[first] - box[second]) < _SAME_PLACE).all(axis=1)
            for one, other in zip(first[near].tolist(), second[near].tolist(), strict=True):
                if _text(words, one) == _text(words, other):
                    twice[max(one, other)] = True
    return twice


def _text(words: PageWords, index: int) -> str:
    return words.text[int(words.start[index]) : int(words.end[index])]
