"""A cut says which scale it is meant for; what cannot be honoured is refused with a remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from workbench.errors import InvalidOption, ScaleMismatch
from workbench.reading.cuts import (
    Threshold,
    TokenShare,
    check_scale,
    checked_budget,
    checked_offsets,
    chosen_cut,
)
from workbench.relevance.scores import Scale


@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), True, "0.5", None])
def test_a_threshold_is_a_number_from_0_to_1(value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        Threshold(value)
    assert str(caught.value) == f"threshold is {value!r}; give a number from 0 to 1."


def test_numbers_of_numpy_are_numbers() -> None:
    assert Threshold(np.float64(0.5)) == Threshold(0.5)
    assert TokenShare(np.float32(0.5), np.int64(10)) == TokenShare(0.5, 10)  # type: ignore[arg-type]
    assert checked_budget(np.int32(10)) == 10  # type: ignore[arg-type]


def test_the_scale_of_a_threshold_is_one_of_two() -> None:
    with pytest.raises(InvalidOption) as caught:
        Threshold(0.5, scale="raw")  # type: ignore[arg-type]
    assert str(caught.value) == ("The scale of a threshold is 'raw'; choose from Scale.CALIBRATED, Scale.UNCALIBRATED.")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ((0, 1), "token_share is 0; give a number above 0 and at most 1."),
        ((1.2, 1), "token_share is 1.2; give a number from 0 to 1."),
        ((0.2, -1), "min_tokens is -1; give a whole number of at least 0."),
        ((0.2, 2.5), "min_tokens is 2.5; give a whole number of at least 0."),
    ],
)
def test_a_token_share_is_checked(values: tuple[Any, Any], told: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        TokenShare(*values)
    assert str(caught.value) == told


@pytest.mark.parametrize("value", [0, -5, 10.0, True, "100"])
def test_a_budget_is_a_whole_number_of_tokens(value: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        checked_budget(value)
    assert str(caught.value) == f"budget_tokens is {value!r}; give a whole number of at least 1."
    assert checked_budget(None) is None


def test_a_reading_has_one_cut() -> None:
    assert chosen_cut(None, None) is None
    assert chosen_cut(0.5, None) == Threshold(0.5)
    assert chosen_cut(None, 0.1, min_tokens=7) == TokenShare(0.1, 7)
    explicit = Threshold(0.3, scale=Scale.UNCALIBRATED)
    assert chosen_cut(explicit, None) is explicit
    with pytest.raises(InvalidOption) as caught:
        chosen_cut(0.5, 0.1)
    assert str(caught.value) == (
        "threshold and token_share were both given; a reading has one cut, so give one of them."
    )


def test_a_threshold_meets_only_scores_of_its_scale() -> None:
    with pytest.raises(ScaleMismatch) as caught:
        check_scale(Threshold(0.65), Scale.UNCALIBRATED)
    assert str(caught.value) == (
        "The threshold 0.65 is meant for calibrated relevance, but these scores are uncalibrated: a fixed number says "
        "nothing on them; give a calibration, cut by token_share, or say that you mean it with "
        "Threshold(0.65, scale=Scale.UNCALIBRATED)."
    )
    with pytest.raises(ScaleMismatch) as caught:
        check_scale(Threshold(0.3, scale=Scale.UNCALIBRATED), Scale.CALIBRATED)
    assert str(caught.value) == (
        "The threshold 0.3 is meant for uncalibrated scores, but these are calibrated; give it as Threshold(0.3)."
    )
    for scale in Scale:
        check_scale(Threshold(0.5, scale=scale), scale)
        check_scale(TokenShare(), scale)


def test_an_offset_is_of_a_known_type_and_at_most_8_hundredths() -> None:
    assert checked_offsets({"legal": 0.08, "general": -0.08}) == {"legal": 0.08, "general": -0.08}
    assert checked_offsets(None) == {}
    with pytest.raises(InvalidOption) as caught:
        checked_offsets({"legal": 0.081})
    assert str(caught.value) == "offsets['legal'] is 0.081; give a number from -0.08 to 0.08."
    with pytest.raises(InvalidOption) as caught:
        checked_offsets({"novel": 0.01})
    assert str(caught.value) == (
        "offsets names novel; the document types are financial, legal, medical, patent, courseware, technical, general."
    )


def test_cuts_say_what_they_are() -> None:
    assert str(Threshold(0.65)) == "threshold 0.65"
    assert str(Threshold(0.3, scale=Scale.UNCALIBRATED)) == "threshold 0.3 on uncalibrated scores"
    assert str(TokenShare()) == "the best 20 % of the tokens, at least 3,000"
    assert str(TokenShare(0.125, 0)) == "the best 12.5 % of the tokens"
