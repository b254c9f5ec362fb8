"""How wide pictures are: never over the budget, kept pages first, and more of everything for a larger budget."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from workbench.report.pages.sizes import SAMPLED_FROM, STEPS, fitting

PAGES = st.integers(0, 60)
RATES = st.lists(st.floats(0.05, 20), min_size=120, max_size=120)
BUDGETS = st.integers(0, 400_000)


class Drawing:
    """Draws pages that take so much a pixel of their width, or fail; remembers what was asked."""

    def __init__(self, rates: list[float], damaged: frozenset[int] = frozenset()) -> None:
        self._rates, self._damaged = rates, damaged
        self.asked: list[tuple[int, int]] = []

    def __call__(self, widths: Mapping[int, int]) -> dict[int, int]:
        self.asked += widths.items()
        return {page: self.size(page, width) for page, width in widths.items() if page not in self._damaged}

    def size(self, page: int, width: int) -> int:
        return round(self._rates[page] * width)


@given(PAGES, PAGES, RATES, BUDGETS, st.frozensets(st.integers(0, 119)))
def test_pictures_never_take_more_than_the_budget(
    kept: int, skipped: int, rates: list[float], budget: int, damaged: frozenset[int]
) -> None:
    drawing = Drawing(rates, damaged)
    shown = fitting(range(kept), range(kept, kept + skipped), budget, drawing)
    assert sum(drawing.size(page, width) for page, width in shown.items()) <= budget
    assert not damaged & shown.keys()
    assert len(set(drawing.asked)) == len(drawing.asked), "a page was drawn twice at one width"


@given(PAGES, PAGES, RATES, BUDGETS)
def test_a_kept_page_is_never_smaller_than_a_skipped_one(
    kept: int, skipped: int, rates: list[float], budget: int
) -> None:
    shown = fitting(range(kept), range(kept, kept + skipped), budget, Drawing(rates))
    of_kept = [shown.get(page, 0) for page in range(kept)]
    of_skipped = [shown.get(page, 0) for page in range(kept, kept + skipped)]
    assert min(of_kept, default=2_000) >= max(of_skipped, default=0)
    assert len(set(of_skipped)) <= 1
    assert len(set(of_kept) - {0}) <= 1


@given(PAGES, PAGES, RATES, BUDGETS, st.integers(0, 400_000))
def test_a_larger_budget_makes_no_picture_smaller(
    kept: int, skipped: int, rates: list[float], budget: int, more: int
) -> None:
    pages = range(kept), range(kept, kept + skipped)
    less, larger = (fitting(*pages, amount, Drawing(rates)) for amount in (budget, budget + more))
    assert all(larger.get(page, 0) >= width for page, width in less.items())


@given(st.integers(1, SAMPLED_FROM - 1), RATES)
def test_few_pages_are_tried_at_their_best_at_once(kept: int, rates: list[float]) -> None:
    drawing = Drawing(rates)
    shown = fitting(range(kept), (), 10_000_000, drawing)
    assert shown == dict.fromkeys(range(kept), STEPS[0][0])
    assert len(drawing.asked) == kept


def test_where_even_the_smallest_are_too_much_the_first_kept_pages_have_pictures() -> None:
    smallest = STEPS[-1][0]
    shown = fitting(range(10), range(10, 20), 3 * smallest + 5, Drawing([1.0] * 20))
    assert shown == dict.fromkeys(range(3), smallest)
    assert fitting(range(10), range(10, 20), 0, Drawing([1.0] * 20)) == {}


def test_each_step_is_smaller_than_the_one_before_and_gives_kept_pages_the_larger_pictures() -> None:
    for (kept, skipped), (less_kept, less_skipped) in itertools.pairwise(STEPS):
        assert less_kept <= kept
        assert less_skipped <= skipped
        assert (less_kept, less_skipped) != (kept, skipped)
    assert all(kept >= skipped for kept, skipped in STEPS)
