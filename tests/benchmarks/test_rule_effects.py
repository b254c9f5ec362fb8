"""A rule has an effect where more evidence is found than score and length let expect, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.evidence_sets import Case
from benchmarks.rule_effects import (
    Question,
    evidence_of,
    figures_of,
    fitted,
    priorities,
    questions_of,
    supported_weight,
)
from tests.structure.drafts import document_of


def case_with(gold: tuple[tuple[int, ...], ...], also: tuple[tuple[tuple[int, ...], ...], ...]) -> Case:
    document = document_of("One.", "Two.", "Three.", "Four.")
    return Case(
        set_name="toy",
        case_id="1",
        document_key="d",
        document=document,
        question="?",
        language="en",
        gold=gold,
        also=also,
    )


def question(key: str, evidence: list[float], expected: list[float], tokens: list[float] | None = None) -> Question:
    size = len(evidence)
    return Question("toy", key, np.array(tokens or [10.0] * size), np.array(evidence), np.array(expected))


def test_a_piece_of_evidence_is_one_spread_over_its_places_and_blocks() -> None:
    case = case_with(((0, 1), (3,)), (((2,),), ()))
    assert evidence_of(case).tolist() == [0.25, 0.25, 0.5, 1.0]
    assert evidence_of(case).sum() == 2.0


def test_priority_is_the_relevance_of_an_uncalibrated_score_times_the_weight() -> None:
    assert priorities([5.0, 3.0], [1.0, 2.0]).round(2).tolist() == [0.88, 1.0]
    assert priorities([-800.0, 800.0], 1.0).round(2).tolist() == [0.0, 0.88]


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=20), st.floats(0.05, 0.99))
def test_a_damping_never_raises_a_priority(scores: list[float], weight: float) -> None:
    assert (priorities(scores, weight) <= priorities(scores, 1.0)).all()


def test_the_curve_expects_as_much_evidence_as_there_is() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(500, 2))
    targets = (rng.random(500) < 1 / (1 + np.exp(2 - inputs[:, 0]))).astype(np.float64)
    assert fitted(inputs, targets)(inputs).sum() == pytest.approx(targets.sum(), rel=1e-3)


def test_evidence_that_the_score_knows_of_is_no_effect() -> None:
    found = figures_of(
        [question(key, [1.0, 0.0, 1.0, 0.0], [0.9, 0.1, 0.9, 0.1]) for key in "abcdefgh"],
        [np.array([True, False, False, False])] * 8,
    )
    assert (found.blocks, found.gold_blocks, found.documents, found.questions) == (8, 8, 8, 8)
    assert found.low < 1.0 < found.high
    assert found.lift == pytest.approx(2.0)


def test_evidence_that_the_score_does_not_know_of_is_one() -> None:
    more = [question(key, [1.0, 0.0, 0.0, 0.0], [0.1, 0.3, 0.3, 0.3]) for key in "abcdefghijkl"]
    found = figures_of(more, [np.array([True, False, False, False])] * 12)
    assert found.low > 1.0
    assert 1.0 < found.supported < found.ratio
    less = figures_of(more, [np.array([False, True, True, True])] * 12)
    assert less.high < 1.0
    assert less.supported < 1.0


def test_a_document_counts_once_whatever_the_number_of_its_questions() -> None:
    many = [question("long", [1.0, 0.0], [0.5, 0.5]) for _ in range(50)]
    few = [question("short", [0.0, 1.0], [0.5, 0.5])]
    found = figures_of([*many, *few], [np.array([True, False])] * 51)
    assert found.found == pytest.approx(51 / 2)
    assert found.ratio == pytest.approx(1.0)


def test_a_rule_that_touches_nothing_has_no_figures() -> None:
    found = figures_of([question("a", [1.0, 0.0], [0.5, 0.5])], [np.zeros(2, np.bool_)])
    assert (found.blocks, found.questions, found.all_documents) == (0, 1, 1)
    assert np.isnan(found.low)
    assert np.isnan(found.lift)


def test_little_evidence_supports_a_weight_near_one() -> None:
    assert supported_weight(4.0, 0.1) > 3.5
    assert supported_weight(4.0, 3.0) == pytest.approx(1.0, abs=0.1)
    assert supported_weight(0.25, 0.1) == pytest.approx(1 / supported_weight(4.0, 0.1))


def test_questions_of_a_set_share_one_curve() -> None:
    cases = [case_with(((0,),), ((),)), case_with(((1,),), ((),))]
    found = questions_of(cases, [np.array([4.0, 0.0, 0.0, 0.0]), np.array([0.0, 4.0, 0.0, 0.0])])
    assert [entry.evidence.tolist() for entry in found] == [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]
    assert found[0].expected[0] > 0.9
    assert found[0].expected[1] < 0.1
    assert questions_of([], []) == []
