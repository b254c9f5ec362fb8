"""What model calls carry, counted over a whole exchange."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidOption
from workbench.gate.exchange import Exchange


def by_hand(exchange: Exchange, question: int, observations: list[int]) -> float:
    """Every call carries the prompt, the question and everything observed before it."""
    total = 0.0
    for call in range(len(observations) + 1):
        seen = sum(exchange.call_tokens + tokens for tokens in observations[:call])
        total += exchange.prompt_tokens + question + seen
    return total


@given(st.integers(0, 50), st.lists(st.integers(0, 5_000), max_size=6))
def test_without_caching_every_call_pays_for_its_whole_context(question: int, observations: list[int]) -> None:
    exchange = Exchange()
    assert exchange.tokens(question, observations) == by_hand(exchange, question, observations)


@given(st.lists(st.integers(0, 5_000), max_size=6))
def test_with_free_caching_every_token_is_paid_for_once(observations: list[int]) -> None:
    exchange = Exchange(resent_share=0.0)
    assert exchange.tokens(20, observations) == 420 + sum(60 + tokens for tokens in observations)


def test_a_read_in_rounds_that_ends_in_the_whole_costs_a_multiple() -> None:
    exchange = Exchange()
    assert exchange.tokens(20, [300, 600, 600, 600, 2_000]) > 4 * exchange.tokens(20, [2_000])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt_tokens": -1}, "prompt_tokens is -1; give a whole number of at least 0."),
        ({"max_rounds": 0}, "max_rounds is 0; give a whole number of at least 1."),
        ({"call_tokens": True}, "call_tokens is True; give a whole number of at least 0."),
        ({"resent_share": 1.1}, "resent_share is 1.1; give a number from 0 to 1."),
        ({"growth": 1.0}, "growth is 1, so that a further round would find nothing new; give more than 1."),
        ({"context_tokens": 0}, "context_tokens is 0; give a whole number of at least 1."),
    ],
)
def test_values_outside_their_range_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        Exchange(**change)
    assert str(caught.value) == message


def test_the_values_are_plain_numbers_whatever_they_were_given_as() -> None:
    exchange = Exchange(prompt_tokens=np.int64(5), resent_share=np.float32(0.5))  # type: ignore[arg-type]
    assert json.loads(json.dumps(exchange.to_dict()))["prompt_tokens"] == 5
