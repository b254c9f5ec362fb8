"""The constants of the signals: they are checked, and come back from a profile as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from workbench.errors import InvalidOption
from workbench.gate.endings import endings_of
from workbench.gate.exchange import Exchange
from workbench.gate.signal_options import ByScope, SignalOptions
from workbench.relevance.scores import Scope

from .made_options import some_options


@settings(deadline=None)
@given(some_options)
def test_options_come_back_from_json_as_they_were(options: SignalOptions) -> None:
    text = json.dumps(options.to_dict())
    back = SignalOptions.from_dict(json.loads(text))
    assert back == options
    assert json.dumps(back.to_dict()) == text


def test_what_is_not_named_has_its_default() -> None:
    assert SignalOptions.from_dict({}) == SignalOptions()
    given_one = SignalOptions.from_dict({"exchange": {"max_rounds": 2}})
    assert given_one == SignalOptions(exchange=Exchange(max_rounds=2))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"least_token": 5}, "The options of the signals has no 'least_token'; the nearest is 'least_tokens'."),
        ({"exchange": {"max_round": 5}}, "exchange of the signals has no 'max_round'; the nearest is 'max_rounds'."),
        ({"missed": {"pont": 0.1}}, "missed of the signals has no 'pont'; the nearest is 'point'."),
        (
            {"unclosed": {"point": 0.1, "whole": 0.5}},
            "unclosed of the signals has no several, aggregate; give a number for every scope.",
        ),
        ({"exchange": 3}, "exchange of the signals is 3; give the values by their names."),
        ([], r"The options of the signals is \[\]; give the values by their names."),
        ({"share": "much"}, "share is 'much'; give a number from 0 to 1."),
    ],
)
def test_a_profile_with_other_options_is_refused(values: Any, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        SignalOptions.from_dict(values)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"share": 0}, "share is 0; give a number above 0 and at most 1."),
        ({"share": float("nan")}, "share is nan; give a number from 0 to 1."),
        ({"share": True}, "share is True; give a number from 0 to 1."),
        ({"least_tokens": -1}, "least_tokens is -1; give a whole number of at least 0."),
        ({"least_tokens": 2.5}, "least_tokens is 2.5; give a whole number of at least 0."),
        ({"anchors": 11}, "anchors is 11; give a number from 0 to 10."),
        ({"exchange": {}}, "exchange is {}; give an object of Exchange."),
        ({"missed": 0.5}, "missed is 0.5; give an object of ByScope."),
        ({"exchange": Exchange(max_rounds=21)}, "max_rounds is 21; the gate foresees at most 20."),
    ],
)
def test_options_outside_their_range_are_refused(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        SignalOptions(**chosen)


def test_a_wider_scope_never_has_the_smaller_number() -> None:
    message = (
        "The number of scope several is 0.1, below the 0.2 of scope point; give a wider scope at least the number of a "
        "narrower one."
    )
    with pytest.raises(InvalidOption, match=message):
        ByScope(0.2, 0.1, 0.5, 1.0)
    with pytest.raises(InvalidOption, match=r"The number of scope whole is 1.5; give a number from 0 to 1."):
        ByScope(0.2, 0.3, 0.5, 1.5)


@settings(deadline=None)
@given(some_options)
def test_the_ends_of_an_exchange_have_all_chances_together(options: SignalOptions) -> None:
    for scope in Scope:
        ends = endings_of(options, scope)
        assert sum(end.chance for end in ends) == pytest.approx(1.0)
        assert sum(end.chance * end.rounds for end in ends) == pytest.approx(options.expected_rounds(scope))


def test_a_reader_keeps_more_each_round_and_never_more_than_all() -> None:
    options = SignalOptions()
    assert options.kept_shares(1_000) == (1.0, 1.0, 1.0)
    assert options.kept_shares(0) == (1.0, 1.0, 1.0)
    assert options.kept_shares(1_000_000) == pytest.approx((0.2, 0.4, 0.8))
