"""How wide the pictures of pages are, so that a report stays within its bytes: pages with kept blocks come first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

Page = TypeVar("Page", bound=Hashable)

STEPS: tuple[tuple[int, int], ...] = (
    (1100, 840), (1100, 720), (1100, 640), (1000, 640), (1000, 560), (1000, 480), (900, 480), (900, 420), (900, 360),
    (800, 360), (800, 300), (720, 300), (720, 260), (640, 260), (640, 220), (560, 220), (480, 220), (480, 180),
    (400, 180), (340, 180), (300, 160), (260, 160), (220, 140), (220, 0), (180, 0),
)  # fmt: skip
"""Pixels of a page with kept blocks and of one skipped whole, from the best; 0 is none.

Print of a filing can be read from 700 on; at 300 one sees what a page is: prose, a table, a chart; at 160 only where
ink is. So what is skipped shrinks first, and what is kept only then; below that it counts more that every page is seen.
"""
SAMPLE = 16
"""Pages of a kind that are drawn to guess what all of them take."""
SAMPLED_FROM = 32
"""With fewer pages than this the best step is simply tried."""
GROWTH = 1.6
"""Bytes grow with this power of the width: letters have more edge and not more shape."""
MARGIN = 1.02


def fitting(
    kept: Sequence[Page],
    skipped: Sequence[Page],
    budget: int,
    draw: Callable[[Mapping[Page, int]], Mapping[Page, int]],
) -> dict[Page, int]:
    """Return the width of each picture; together they take at most ``budget``.

    All pages of a kind have one width, the widest for which there is room, and a kept page is never smaller than a
    skipped one. A larger budget makes no picture smaller. Where even the smallest pictures of kept pages are too much,
    the first of them have one, as many as there is room for.

    Parameters
    ----------
    kept, skipped : sequence of Page
        Pages on which something is kept, and those that are skipped whole; any hashable names.
    budget : int
        In the unit of ``draw``, at least 0.
    draw : callable
        Draws pages at the widths given (pixels), and returns what each took; a page that cannot be drawn is left out.

    Returns
    -------
    dict
        Page -> width, for the pages that are shown.

    Examples
    --------
    >>> fitting(["p2"], ["p1", "p3"], 1_000, lambda widths: {page: width // 4 for page, width in widths.items()})
    {'p2': 1100, 'p1': 840, 'p3': 840}
    """
    drawn = _Drawn(draw)
    for step in range(_first_step(kept, skipped, budget, drawn), len(STEPS)):
        widths = _widths(kept, skipped, STEPS[step])
        if sum(drawn(widths).values()) <= budget:
            return {page: widths[page] for page in drawn(widths)}
    smallest = _widths(kept, skipped, STEPS[-1])
    chosen, left = {}, budget
    for page, size in drawn(smallest).items():
        left -= size
        if left < 0:
            break
        chosen[page] = smallest[page]
    return chosen


class _Drawn(Generic[Page]):
    """Draws every page at every width only once."""

    def __init__(self, draw: Callable[[Mapping[Page, int]], Mapping[Page, int]]) -> None:
        self._draw = draw
        self._known: dict[tuple[Page, int], int | None] = {}

    def __call__(self, widths: Mapping[Page, int]) -> dict[Page, int]:
        new = {page: width for page, width in widths.items() if (page, width) not in self._known}
        made = self._draw(new) if new else {}
        self._known.update(((page, width), made.get(page)) for page, width in new.items())
        sizes = ((page, self._known[page, width]) for page, width in widths.items())
        return {page: size for page, size in sizes if size is not None}


def _widths(kept: Iterable[Page], skipped: Iterable[Page], step: tuple[int, int]) -> dict[Page, int]:
    return {page: width for pages, width in zip((kept, skipped), step, strict=True) if width for page in pages}


def _first_step(kept: Sequence[Page], skipped: Sequence[Page], budget: int, drawn: _Drawn[Page]) -> int:
    """Return the first step that may fit, by what a few pages take: the same for all budgets but for where it ends."""
    if len(kept) + len(skipped) < SAMPLED_FROM:
        return 0
    middle = STEPS[len(STEPS) // 3]
    rates = []
    for pages, width in zip((kept, skipped), middle, strict=True):
        sample = pages[:: -(-len(pages) // SAMPLE)] if pages else ()
        taken = sum(drawn(dict.fromkeys(sample, width)).values()) / max(1, len(sample))
        rates.append(MARGIN * taken * len(pages) / width**GROWTH)
    guesses = [sum(rate * width**GROWTH for rate, width in zip(rates, step, strict=True)) for step in STEPS]
    return next((step for step, guess in enumerate(guesses) if guess <= budget), len(STEPS) - 1)
