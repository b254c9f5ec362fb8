"""The selection alone: plain arrays in, plain arrays out."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tests.reading.made import Made
from workbench.reading.context import ContextLinks
from workbench.reading.selection import Overhead, over_threshold, ranked, take, within_share

ALL = np.ones(5, bool)
TOKENS = np.array([10, 10, 10, 10, 10])


def flat(count: int) -> ContextLinks:
    """Blocks that need no context."""
    return ContextLinks([-1] * count, [-1] * count, {}, [False] * count)


def taken(order: list[int], budget: int, tokens: npt.NDArray[np.int64] = TOKENS, **given: int) -> list[int]:
    return take(
        order,
        budget,
        tokens=tokens,
        pages=np.zeros(len(tokens), np.int32),
        has_text=np.ones(len(tokens), bool),
        links=flat(len(tokens)),
        overhead=Overhead(**{"fixed": 0, "run": 0, "block": 0} | given),
    ).order


def test_ties_go_by_block_id() -> None:
    assert ranked(np.array([0.5, 0.9, 0.5, 0.9])).tolist() == [1, 3, 0, 2]


def test_a_block_at_the_threshold_passes_and_one_a_hair_under_it_does_not() -> None:
    priority = np.array([0.65, math.nextafter(0.65, 0), 0.65, 1.0, 0.0])
    passing = over_threshold(priority, 0.65, ALL)
    assert passing.order.tolist() == [3, 0, 2] and passing.threshold == 0.65


def test_a_share_keeps_blocks_while_those_before_hold_fewer_tokens() -> None:
    priority = np.array([0.1, 0.5, 0.4, 0.3, 0.2])
    for limit, expected in ((0.0, []), (1.0, [1]), (10.0, [1]), (10.5, [1, 2]), (50.0, [1, 2, 3, 4, 0])):
        passing = within_share(priority, limit, tokens=TOKENS, eligible=ALL, links=flat(5))
        assert passing.order.tolist() == expected, limit
        assert passing.threshold == (priority[expected[-1]] if expected else None)
        assert passing.spent == 10 * len(expected)


def test_a_share_keeps_a_first_block_that_is_larger_than_it() -> None:
    passing = within_share(np.array([0.9, 0.1]), 5.0, tokens=np.array([900, 1]), eligible=ALL[:2], links=flat(2))
    assert passing.order.tolist() == [0]


def test_the_context_of_a_block_counts_towards_a_share() -> None:
    links = ContextLinks([-1, 0, 0], [-1] * 3, {}, [False] * 3)
    passing = within_share(np.array([0.0, 0.9, 0.8]), 12.0, tokens=np.array([5, 10, 10]), eligible=ALL[:3], links=links)
    assert passing.order.tolist() == [1] and passing.spent == 15


def test_what_does_not_fit_a_budget_is_passed_over_and_the_rest_goes_on() -> None:
    assert taken([0, 1, 2], 25, np.array([20, 10, 5])) == [0, 2]
    assert taken([0, 1, 2], 4, np.array([20, 10, 5])) == []


def test_a_run_of_blocks_pays_for_one_anchor() -> None:
    assert taken([0, 1, 2], 45, run=10, block=1) == [0, 1, 2]  # 10 + 10, 10 + 1, 10 + 1
    assert taken([0, 2, 4], 45, run=10, block=1) == [0, 2]
    # The block between two runs makes them one, and gives an anchor back.
    assert taken([0, 2, 1], 43, run=10, block=1) == [0, 2, 1]  # 20 + 20 + 10 + 2 - 10 = 42


def test_pages_part_runs_and_blocks_without_text_do_not() -> None:
    def count(pages: list[int], text: list[bool]) -> int:
        found = take(
            [0, 2],
            32,
            tokens=np.array([10, 0, 10]),
            pages=np.array(pages, np.int32),
            has_text=np.array(text),
            links=flat(3),
            overhead=Overhead(0, 10, 1),
        )
        return len(found.order)

    assert count([0, 0, 0], [True, False, True]) == 2
    assert count([0, 0, 0], [True, True, True]) == 1
    assert count([0, 0, 1], [True, False, True]) == 1


def test_a_refused_block_tells_what_it_needed_and_what_was_left() -> None:
    links = ContextLinks([-1, 0, 0], [-1] * 3, {}, [False] * 3)
    found = take(
        [1, 2],
        30,
        tokens=np.array([5, 10, 20]),
        pages=np.zeros(3, np.int32),
        has_text=ALL[:3],
        links=links,
        overhead=Overhead(8, 3, 1),
    )
    # 8 for the coverage line; 10 + 5 with its heading, 3 for their anchor, 1 between them.
    assert found.order == [1] and found.refused == {2: (21, 3)}


def test_a_row_needs_its_headings_its_table_and_its_header_rows() -> None:
    document = (
        Made().heading("Part").heading("Sales", 2).table(["Item", "2023"], ["Timber", "5"], ["Coal", "7"]).document()
    )
    links = ContextLinks.of(document)
    assert [links.missing(block, bytearray(6)) for block in range(6)] == [
        [],
        [0],
        [0, 1],
        [0, 1, 2],
        [0, 1, 2, 3],
        [0, 1, 2, 3],
    ]
    assert np.flatnonzero(links.of_all(np.array([4]))).tolist() == [0, 1, 2, 3]


def test_a_continued_table_has_the_header_rows_of_the_first_part() -> None:
    made = Made().page().table(["Item", "2023"], ["Timber", "5"]).page()
    draft = made.draft
    second = draft.begin_table(continues=0)
    draft.add_row(second, [draft.write("Coal"), draft.write("7")])
    assert ContextLinks.of(made.document()).missing(4, bytearray(5)) == [3, 1]


def test_equal_priorities_are_ranked_by_what_decides_ties() -> None:
    priority = np.array([0.5, 0.9, 0.5, 0.5])
    assert ranked(priority, np.array([3, 2, 0, 1])).tolist() == [1, 2, 3, 0]
    assert ranked(priority).tolist() == [1, 0, 2, 3]
