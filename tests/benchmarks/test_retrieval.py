"""What is said about a ranking follows from the shares that its blocks need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.evidence_sets import Case
from benchmarks.evidence_sets.manuscripts import Manuscript
from benchmarks.retrieval import (
    Estimate,
    Floats,
    Notion,
    figures,
    measure,
    needed_for,
    needs,
    ranked,
    recalled_at,
    rejections,
    shares_of,
)

TEXTS = [
    "Net sales rose.",
    "We sold a plant in Ohio.",
    "利润下降了百分之五。",
    "The board met twice.",
    "Nothing else happened.",
]

blocks = st.integers(1, 12).flatmap(
    lambda count: st.tuples(
        st.lists(st.floats(-5, 5), min_size=count, max_size=count),
        st.lists(st.integers(0, 40), min_size=count, max_size=count).filter(any),
    )
)
shares = st.lists(st.floats(0, 100), min_size=1, max_size=30).map(lambda found: np.array(found, np.float64))


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A question whose first piece of evidence is in blocks 0 and 1, or in 4, and whose second is in block 3."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARSEREAD_BENCH_CACHE", str(tmp_path_factory.mktemp("bench")))
        manuscript = Manuscript()
        for text in TEXTS:
            manuscript.paragraph(text)
        document = manuscript.open("made", "five", ".txt")
    assert list(document.texts) == TEXTS
    return Case(
        set_name="made",
        case_id="1",
        document_key="five",
        document=document,
        question="Did sales rise?",
        language="en",
        gold=((0, 1), (3,)),
        also=(((4,),), ()),
        origin="five",
    )


def constant(*scores: float) -> Callable[[Case], Floats]:
    """Score every case alike."""
    return lambda _: np.array(scores, np.float64)


def test_a_block_needs_the_tokens_of_all_that_rank_before_it() -> None:
    assert shares_of([0.1, 0.9, 0.5], [10, 60, 30]).tolist() == [100.0, 60.0, 90.0]


def test_equal_scores_are_in_reading_order_and_what_is_no_number_comes_last() -> None:
    assert ranked([1.0, np.nan, 2.0, 1.0, -np.inf]).tolist() == [2, 0, 3, 1, 4]


def test_a_document_without_tokens_needs_nothing() -> None:
    assert shares_of([1.0, 2.0], [0, 0]).tolist() == [0.0, 0.0]
    assert shares_of([], []).tolist() == []


@given(blocks)
def test_the_last_block_needs_everything_and_no_block_more(made: tuple[list[float], list[int]]) -> None:
    found = shares_of(*made)
    assert found[ranked(made[0])[-1]] == pytest.approx(100.0)
    assert (np.diff(found[ranked(made[0])]) >= 0).all()


@given(blocks, st.data())
def test_the_perfect_ranking_needs_least(made: tuple[list[float], list[int]], data: st.DataObject) -> None:
    scores, tokens = made
    gold = data.draw(st.integers(0, len(tokens) - 1))
    perfect = np.arange(len(tokens)) == gold
    assert shares_of(perfect, tokens)[gold] <= shares_of(scores, tokens)[gold] + 1e-9


@given(shares, st.floats(0, 100), st.floats(0, 100))
def test_more_tokens_never_recall_less(found: Floats, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert recalled_at(found, low)[0] <= recalled_at(found, high)[0]
    assert recalled_at(found, 100.0)[0] == pytest.approx(100.0)


@given(shares, st.floats(0.01, 1), st.floats(0.01, 1))
def test_more_recall_never_needs_fewer_tokens(found: Floats, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert needed_for(found, low)[0] <= needed_for(found, high)[0]


@given(shares, st.sampled_from([0.5, 0.9, 0.95, 0.99, 1.0]))
def test_what_is_needed_is_the_smallest_share_that_reaches_the_recall(found: Floats, recall: float) -> None:
    share = needed_for(found, recall)[0]
    assert recalled_at(found, share)[0] >= 100 * recall - 1e-6
    assert np.mean(found < share) < recall


@given(shares, st.integers(0, 1_000))
def test_weights_count_things_as_often_as_they_say(found: Floats, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 4, len(found))
    counts[0] += 1
    repeated = np.repeat(found, counts)
    for recall in (0.5, 0.95):
        assert needed_for(found, recall, counts[None])[0] == needed_for(repeated, recall)[0]
    assert recalled_at(found, 30.0, counts[None])[0] == pytest.approx(recalled_at(repeated, 30.0)[0])


def test_each_notion_counts_what_it_says(case: Case) -> None:
    tokens = case.document.columns.tokens
    ranking = constant(2, 4, 5, 1, 3)  # order: 2, 1, 4, 0, 3
    after = 100 * np.cumsum(tokens[[2, 1, 4, 0, 3]]) / tokens.sum()
    expected = {
        Notion.FIRST: [after[1]],
        Notion.ANY: [after[1], after[4]],
        Notion.HALF: [after[1], after[4]],
        Notion.PIECES: [after[2], after[4]],
        Notion.BLOCKS: [after[4], after[2]],
        Notion.EVERY: [after[4]],
    }
    assert tokens[1] > tokens[0]
    for notion, shares_needed in expected.items():
        assert needs([case], ranking, notion).share.tolist() == pytest.approx(shares_needed), notion


def test_the_rank_of_the_best_gold_block_is_told(case: Case) -> None:
    assert needs([case], constant(2, 4, 5, 1, 3), Notion.ANY).first_rank.tolist() == [2]
    best = measure([case], constant(5, 0, 0, 0, 0))
    assert (best.top_1, best.first_rank_median, best.first_rank_mean_reciprocal) == (100.0, 1.0, 1.0)


def test_what_is_kept_stays_under_the_share(case: Case) -> None:
    found = measure([case], constant(2, 4, 5, 1, 3), Notion.FIRST)
    assert found.kept_share[0.95] == pytest.approx(found.needed[0.95].value)
    two = measure([case, replace(case, case_id="2")], constant(5, 4, 3, 2, 1), Notion.FIRST)
    assert two.kept_tokens[0.95] == pytest.approx(case.document.columns.tokens[0])


def test_questions_without_evidence_are_counted_and_in_no_figure(case: Case) -> None:
    silent = replace(case, gold=(), also=(), unresolved=("gone",))
    unanswerable = replace(case, gold=(), also=(), answerable=False)
    found = needs([case, silent, unanswerable], constant(1, 2, 3, 4, 5), Notion.ANY)
    assert (len(found.kept), found.unresolved, found.unanswerable) == (1, 1, 1)


@pytest.mark.filterwarnings("error")
def test_no_questions_make_no_figures() -> None:
    found = measure([], constant(1))
    assert (found.questions, found.things, found.origins) == (0, 0, 0)
    assert np.isnan([found.needed[0.95].value, found.recalled[20.0].value, found.kept_tokens[0.95], found.top_1]).all()


def test_an_interval_is_over_origins_and_always_the_same(case: Case) -> None:
    easy = [replace(case, case_id=f"easy {rank}", origin=f"easy {rank}", gold=((0,),), also=((),)) for rank in range(9)]
    hard = [replace(case, case_id=f"hard {rank}", origin="hard", gold=((4,),), also=((),)) for rank in range(9)]
    found = needs([*easy, *hard], constant(5, 4, 3, 2, 1), Notion.ANY)
    first, again = figures(found), figures(found)
    assert first == again
    assert first.origins == 10
    recall = first.recalled[40.0]
    assert recall.value == 50.0
    # A third of the resamples draw the hard origin not at all, and then all is recalled.
    assert recall.low < 40.0
    assert recall.high == 100.0


def test_one_origin_has_no_interval(case: Case) -> None:
    found = measure([case], constant(1, 2, 3, 4, 5))
    assert np.isnan(found.needed[0.95].low)
    assert str(Estimate(12.34)) == "12.3"
    assert str(Estimate(12.34, 1.0, 56.78)) == "12.3 [1.0, 56.8]"


def test_a_rejection_is_told_with_its_false_alarms() -> None:
    found = rejections([0.9, 0.8, 0.4, 0.4], [0.5, 0.3, 0.4])
    assert found.threshold.tolist() == [0.3, 0.4, 0.5, 0.8, 0.9, np.inf]
    assert found.false_alarms.tolist() == [0.0, 0.0, 50.0, 50.0, 75.0, 100.0]
    assert found.caught.tolist() == pytest.approx([0.0, 100 / 3, 200 / 3, 100.0, 100.0, 100.0])
    assert (found.caught_at(0), found.caught_at(50)) == pytest.approx((100 / 3, 100.0))
    assert found.area == pytest.approx((3 + 3 + 1.5 + 1.5) / 12)


@given(st.lists(st.floats(0, 1), min_size=1), st.lists(st.floats(0, 1), min_size=1))
def test_more_false_alarms_never_catch_less(answerable: list[float], unanswerable: list[float]) -> None:
    found = rejections(answerable, unanswerable)
    assert (np.diff(found.caught) >= 0).all()
    assert (np.diff(found.false_alarms) >= 0).all()
    assert found.caught_at(100.0) == 100.0
    assert found.area == pytest.approx(1 - rejections(unanswerable, answerable).area)


@pytest.mark.filterwarnings("error")
def test_no_unanswerable_questions_make_no_area() -> None:
    assert np.isnan(rejections([0.5], []).area)
    assert np.isnan(rejections([], []).area)


def test_a_random_ranking_is_worse_than_the_perfect_one(case: Case) -> None:
    one = [replace(case, case_id=str(rank), gold=((rank % 5,),), also=((),)) for rank in range(50)]

    def perfect(asked: Case) -> Floats:
        return np.isin(np.arange(5), asked.gold_blocks).astype(np.float64)

    def by_chance(asked: Case) -> Floats:
        return np.random.default_rng(int(asked.case_id)).random(5)

    best, worse = measure(one, perfect), measure(one, by_chance)
    assert best.top_1 == 100.0
    assert best.needed[0.95].value < worse.needed[0.95].value
    assert best.recalled[40.0].value > worse.recalled[40.0].value


def test_the_made_document_is_read_where_the_tests_say(case: Case, tmp_path: Path) -> None:
    assert case.document.path is not None
    assert tmp_path.parent.parent in case.document.path.parents
