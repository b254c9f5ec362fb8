"""Words that nobody sees: beyond the page's edge, or under an equal word at the same place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .words import PageWords

REASONS = ("outside the visible page", "drawn twice at the same place")
_OUTSIDE, _TWICE = range(2)
_SAME_PLACE = 3.0  # points


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
    """Fake bold draws a word again, less than a point away."""
    twice = np.zeros(len(words), bool)
    if len(words) < 2:
        return twice
    places = np.round(words.box[:, :2] / _SAME_PLACE).astype(np.int64)
    seen: dict[tuple[str, int, int], list[int]] = {}
    starts, ends = words.start.tolist(), words.end.tolist()
    for index, (x, y) in enumerate(places.tolist()):
        word = words.text[starts[index] : ends[index]]
        earlier = [k for dx in (-1, 0, 1) for dy in (-1, 0, 1) for k in seen.get((word, x + dx, y + dy), ())]
        if any(np.abs(words.box[index] - words.box[other]).max() < 1.0 for other in earlier):
            twice[index] = True
        else:
            seen.setdefault((word, x, y), []).append(index)
    return twice
