"""A combination is fitted so that evidence is found with few tokens."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.training.made_questions import asked, pages
from workbench.errors import InvalidOption, TrainingRefused
from workbench.relevance.combination import SECOND_STAGE, Combination
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.second_stage import HandWritten
from workbench.training.combining import HeardQuestion, combination_fit, fit_combination, hear, level_of
from workbench.training.question import Question
from workbench.training.smooth_share import SmoothShare, stacked

NAMES = ("anchor", "boiler", "cable", "drain", "engine", "funnel")


def handbook(rank: int) -> Question:
    """Eight blocks share the word of the question; the last, short one has the evidence, which words do not tell."""
    word = NAMES[rank]
    long = [f"The {word} was seen {'again and ' * (20 + part)}again by the crew of the ship." for part in range(7)]
    document = pages(*long, f"Replace the {word} each spring.", name=f"{word}.txt")
    return asked(document, f"When is the {word} replaced?", 7)


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    return [handbook(rank) for rank in range(len(NAMES))]


@pytest.fixture(scope="module")
def says_spring() -> HandWritten:
    return HandWritten(lambda _, text: 4.0 * ("spring" in text), name="spring", version="1")


def test_weights_are_those_that_read_least_before_the_evidence(
    questions: list[Question], says_spring: HandWritten
) -> None:
    scorer = HybridScorer(None, second_stage=says_spring)
    found = combination_fit(hear(questions, scorer, progress=False))
    assert found.combination.needs_second_stage
    assert found.read_after <= found.read_before
    fitted = HybridScorer(None, second_stage=says_spring, combination=found.combination)
    assert all(fitted.score(one.document, one.question).order[0] == 7 for one in questions)
    assert found.documents == len(questions)


def test_a_feature_is_learnt_where_no_voice_tells(questions: list[Question]) -> None:
    longer = [asked(one.document, "What was seen?", 7, name=one.id) for one in questions]
    found = combination_fit(hear(longer, HybridScorer(None), progress=False))
    assert found.read_before > 0.5
    assert found.read_after < found.read_before
    assert SECOND_STAGE not in found.combination.weights
    assert "on 6 documents" in repr(found)
    assert set(found.to_frame()["kind"]) == {"part", "feature", "level"}


def test_equal_questions_give_equal_weights(questions: list[Question], says_spring: HandWritten) -> None:
    scorer = HybridScorer(None, second_stage=says_spring)
    one, other = (fit_combination(some, scorer, ridge=0.01, progress=False) for some in (questions, questions))
    assert one.key() == other.key()


def test_where_fitted_weights_read_no_less_the_fusion_stays() -> None:
    """Evidence that already ranks first: there is nothing to learn."""
    some = []
    for name in NAMES:
        document = pages(f"The {name} is red.", "Nothing else is said.", "The weather was fine.", name=f"{name}.txt")
        some.append(asked(document, f"What is the colour of the {name}?", 0))
    found = combination_fit(hear(some, HybridScorer(None), progress=False))
    assert found.combination.weights == {}
    assert found.combination.features == {}
    assert found.notes == (
        "Fitted weights read no less on documents that were held out, so the parts count as the fusion counts them.",
    )


def test_the_slope_of_the_smoothed_share_is_that_of_its_value(questions: list[Question]) -> None:
    heard = hear(questions, HybridScorer(None), progress=False)
    share = SmoothShare(stacked(heard), np.full(len(heard), 1 / len(heard)))
    drawn = np.random.default_rng(0)
    weights = np.asarray(drawn.normal(size=heard[0].columns.shape[1]), np.float64)
    value, slope = share.value(weights)
    assert 0 <= value <= 1
    for at in range(len(weights)):
        step = np.zeros(len(weights))
        step[at] = 1e-3
        there = (share.value(weights + step)[0] - share.value(weights - step)[0]) / 2e-3
        assert there == pytest.approx(slope[at], abs=2e-4)


def test_a_level_makes_documents_comparable() -> None:
    """The evidence of an easy document scores as its rivals in a hard one do not."""
    some, scores = [], []
    for rank, ease in enumerate((0.0, 4.0, 8.0)):
        document = pages("One.", "Two.", "Three.", "Four.", name=f"d{rank}.txt")
        some.append(HeardQuestion(asked(document, "Which?", 0), np.zeros((4, 1), np.float32), looked=False))
        scores.append(np.array([4.0 + ease, 2.0 + ease, 1.0 + ease, 0.0 + ease]))
    assert level_of(some, scores) >= 0.8
    assert level_of(some[:1], scores[:1]) == 0.0


def test_what_cannot_be_fitted_is_refused(questions: list[Question], says_spring: HandWritten) -> None:
    with pytest.raises(TrainingRefused) as caught:
        fit_combination(questions[:1], HybridScorer(None), progress=False)
    assert str(caught.value) == (
        "A combination needs questions with evidence on at least 2 documents, and these are on 1 document; add "
        "questions on others, or do without a combination."
    )
    heard = hear(questions, HybridScorer(None), progress=False)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"folds": 1}, "folds is 1; give a whole number from 2 on."),
        ({"ridge": 0}, "ridge is 0; give a number above 0."),
    ]
    for given, told in wrong:
        with pytest.raises(InvalidOption) as refused:
            combination_fit(heard, **given)
        assert str(refused.value) == told
    mixed = heard[:3] + hear(questions[3:], HybridScorer(None, second_stage=says_spring), progress=False)
    with pytest.raises(InvalidOption, match=r"^Some of these questions have a second stage and some have none"):
        combination_fit(mixed)


def test_a_combination_of_the_scorer_makes_no_difference(questions: list[Question]) -> None:
    plain = hear(questions, HybridScorer(None), progress=False)
    weighed = hear(questions, HybridScorer(None, combination=Combination(weights={"lexical": 3.0})), progress=False)
    assert all(np.array_equal(one.columns, other.columns) for one, other in zip(plain, weighed, strict=True))
