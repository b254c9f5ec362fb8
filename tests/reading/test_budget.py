"""A budget is a ceiling on the kept text as rendered, in the tokenizer that is named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.made import CHINESE, ENGLISH, Made, manual
from tests.reading.strategies import Case, basis_of, cases
from workbench.errors import InvalidOption
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.reading import Reading, reading_of
from workbench.relevance.scores import Scale


class EveryFourthCharacter:
    """Counts that add up to less than the count of the whole: the worst that a tokenizer can do to an estimate."""

    name = "every fourth character"

    def count(self, texts: Sequence[str]) -> npt.NDArray[np.int32]:
        return np.array([len(text) // 4 for text in texts], np.int32)


def budgeted(budget: int, relevance: Sequence[float], *, pinned: tuple[int, ...] = ()) -> Reading:
    return reading_of(basis_of(manual(), relevance, pinned=pinned), Threshold(0.5), budget)


RISING = [0.0, 0.0, 0.6, 0.7, 0.0, 0.8, 0.9, 0.0, 0.95, 1.0]


def test_the_best_blocks_that_fit_are_kept_with_their_context() -> None:
    reading = budgeted(90, RISING)
    assert reading.bound == "budget" and reading.kept_ids == (8, 9) and reading.context_ids == (0, 7)
    assert reading.saving.rendered_tokens <= 90
    assert reading.notes == ("The budget of 90 tokens left out 4 blocks that passed the cut.",)
    assert "; 4 skipped by score; 4 skipped by budget;" not in reading.kept_text
    assert "; 2 skipped by score; 4 skipped by budget; 16 of 67 tokens]" in reading.kept_text
    frame = reading.to_frame()
    assert frame["reason"][6].startswith("passes the cut 0.50, but needs ")
    assert frame["reason"][6].endswith(" left")


def test_a_budget_that_is_large_enough_does_not_bind() -> None:
    reading = budgeted(1_000, RISING)
    assert reading.bound == "threshold" and reading.kept_ids == (2, 3, 5, 6, 8, 9) and reading.notes == ()
    assert reading.with_budget(None).kept_text == reading.kept_text


def test_a_budget_too_small_for_the_coverage_line_gives_an_empty_text_and_says_so() -> None:
    reading = budgeted(5, RISING)
    assert reading.is_empty and reading.kept_text == "" and reading.pieces == ()
    assert reading.saving.rendered_tokens == 0 and reading.saving.share_skipped == 1.0
    assert reading.notes == (
        "The budget of 5 tokens left out 6 blocks that passed the cut.",
        "The budget of 5 tokens has no room even for the coverage line: the kept text is empty.",
    )


def test_a_budget_with_room_for_the_coverage_line_only_says_what_is_missing() -> None:
    lines = {len(budgeted(budget, RISING).kept_text.splitlines()): budget for budget in range(20, 80)}
    assert set(lines) == {0, 1, 2} | {count for count in lines if count > 2}
    reading = budgeted(lines[2], RISING)
    assert reading.kept_text.splitlines()[1] == (
        f"The budget of {lines[2]} tokens has no room for any of the 6 blocks that passed the cut."
    )


def test_pinned_blocks_come_first_and_those_left_out_are_named() -> None:
    reading = budgeted(80, RISING, pinned=(2, 5, 6))
    assert set(reading.kept_ids) < {2, 5, 6} and reading.kept_ids
    left_out = sorted({2, 5, 6} - set(reading.kept_ids))
    shown = f"block{'s' if len(left_out) > 1 else ''} {', '.join(map(str, left_out))}"
    assert reading.notes[0] == f"The budget of 80 tokens had no room for {shown}, which a rule pins."
    assert reading.to_frame()["reason"][left_out[0]] == ("pinned by rule 'by-hand', but the budget has no room for it")
    roomy = budgeted(120, RISING, pinned=(2, 5, 6))
    assert {2, 5, 6} <= set(roomy.kept_ids)


def test_with_nothing_relevant_a_budget_shortens_what_is_said() -> None:
    nothing = [0.1] * 10
    whole = budgeted(1_000, nothing)
    assert len(whole.kept_text.splitlines()) == 2 and whole.bound == "threshold"
    counts = [len(budgeted(budget, nothing).kept_text.splitlines()) for budget in (5, 45, 1_000)]
    assert counts == [0, 1, 2]


@pytest.mark.parametrize("chapters", [ENGLISH, CHINESE])
def test_a_budget_is_nearly_used_up(chapters: dict[str, tuple[str, ...]]) -> None:
    made = Made().heading("Manual")
    for number in range(40):
        made.heading(f"Chapter {number}", 2)
        for paragraphs in chapters.values():
            made.text(*paragraphs)
    document = made.document()
    relevance = np.random.default_rng(1).random(len(document)).tolist()
    basis = basis_of(document, relevance, scale=Scale.UNCALIBRATED)
    for budget in (500, 1_000, 2_000):
        reading = reading_of(basis, TokenShare(1.0), budget)
        assert 0.85 * budget <= reading.saving.rendered_tokens <= budget


@settings(max_examples=60, deadline=None)
@given(cases(Scale.CALIBRATED), st.floats(0, 1), st.floats(0, 1), st.integers(1, 300))
def test_a_tokenizer_whose_counts_do_not_add_up_breaks_no_promise(
    case: Case, one: float, other: float, budget: int
) -> None:
    basis = case.basis(tokenizer=EveryFourthCharacter())
    loose, strict = (reading_of(basis, Threshold(value), budget) for value in sorted((one, other)))
    for reading in (loose, strict):
        assert len(reading.kept_text) // 4 <= budget
        assert reading.saving.tokenizer == "every fourth character"
    assert set(np.flatnonzero(strict.decision.kept)) <= set(np.flatnonzero(loose.decision.kept))


def test_blocks_dropped_from_the_text_are_accounted_for() -> None:
    document = Made().text(*["abc " * 3 for _ in range(60)]).document()
    basis = basis_of(document, [0.9] * 60, tokenizer=EveryFourthCharacter())
    reading = reading_of(basis, Threshold(0.5), 150)
    assert len(reading.kept_text) // 4 <= 150
    assert reading.bound == "budget" and 0 < len(reading.kept_ids) < 60
    assert len(reading.decision.refused) == 60 - len(reading.kept_ids)


@pytest.mark.parametrize("budget", [0, -1, 2.5])
def test_what_is_no_budget_is_refused(budget: int) -> None:
    with pytest.raises(InvalidOption, match="give a whole number of at least 1"):
        budgeted(100, RISING).with_budget(budget)
