"""Options are checked before any work."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.errors import InvalidOption
from workbench.training.fine_tuning import FineTuningOptions
from workbench.training.options import TrainingOptions


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"epochs": 0}, "epochs is 0; give a whole number from 1 to 1,000."),
        ({"rank": True}, "rank is True; give a whole number from 1 to 512."),
        ({"learning_rate": 0}, "learning_rate is 0; give a number above 0, at most 10."),
        ({"learning_rate": float("nan")}, "learning_rate is nan; give a number above 0, at most 10."),
        ({"hard_share": 1.5}, "hard_share is 1.5; give a number from 0 to 1."),
        ({"beside": -0.5}, "beside is -0.5; give a number from 0 to 100."),
        ({"minutes": float("inf")}, "minutes is inf; give a number from 0 to 100,000."),
        ({"loss": "triplet"}, "loss is 'triplet'; it is one of: listwise, binary."),
        ({"device": "tpu"}, "device is 'tpu'; it is one of: auto, cpu, cuda, mps."),
        ({"precision": "int8"}, "precision is 'int8'; it is one of: auto, fp32, bf16."),
    ],
)
def test_a_value_outside_its_range_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        TrainingOptions(**given)
    assert str(caught.value) == said


def test_an_option_that_there_is_not_is_named() -> None:
    with pytest.raises(InvalidOption, match=r"A training has no option 'dropout'; it has: epochs, learning_rate, "):
        TrainingOptions.of({"dropout": 0.1})


def test_options_come_back_from_what_a_file_holds() -> None:
    options = TrainingOptions.for_encoder(seed=3)
    assert TrainingOptions.of(options.as_dict()) == options
    assert options.batch != TrainingOptions().batch


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"classifier": {"rank": 4}}, "classifier is {'rank': 4}; give TrainingOptions(…)."),
        ({"encoder": "none"}, "encoder is 'none'; give TrainingOptions.for_encoder(…), or None."),
        ({"recurring": True}, "recurring is True; give RecurringOptions(…), or None."),
        ({"candidates": 0}, "candidates is 0; give a whole number from 1 on."),
        ({"combine": 1}, "combine is 1; give True or False."),
    ],
)
def test_options_of_a_fine_tuning_are_checked_as_well(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        FineTuningOptions(**given)
    assert str(caught.value) == said


def test_minutes_are_dealt_out_to_both_trainings() -> None:
    both = FineTuningOptions().within(8)
    assert both.encoder is not None
    assert (both.encoder.minutes, both.classifier.minutes) == (2.0, 6.0)
    alone = FineTuningOptions(encoder=None).within(8)
    assert (alone.encoder, alone.classifier.minutes) == (None, 8.0)
