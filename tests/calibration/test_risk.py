"""Conformal risk control keeps what it promises, and says what it cannot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.calibration import crc_threshold, documents_needed
from workbench.errors import InvalidOption, InvalidOutcomes, Unreachable


def drawn(random: np.random.Generator, documents: int, levels: int = 60) -> np.ndarray:
    """Losses that fall along the levels to zero: each document has losses of its own up to a place of its own."""
    place = random.beta(1.5, 3, documents)[:, None] * levels
    height = random.uniform(0.2, 1.0, documents)[:, None]
    return np.where(np.arange(levels) < place, height, 0.0)


@pytest.mark.parametrize(("documents", "alpha"), [(20, 0.1), (60, 0.05)])
def test_over_many_draws_the_loss_on_a_new_document_is_at_most_alpha(documents: int, alpha: float) -> None:
    random = np.random.default_rng(7)
    losses = []
    for _ in range(500):
        index = crc_threshold(drawn(random, documents), alpha).required()
        losses.append(drawn(random, 400)[:, index].mean())
    error = 3 * np.std(losses) / np.sqrt(len(losses))
    assert np.mean(losses) <= alpha + error
    assert np.mean(losses) >= alpha - 2 / (documents + 1) - error, "not more careful than the bound says"


def test_the_first_choice_within_the_bound_is_taken() -> None:
    losses = np.repeat([[0.5, 0.2, 0.1, 0.0]], 19, axis=0)
    found = crc_threshold(losses, 0.15)
    assert found.index == 2
    assert found.mean_loss == pytest.approx(0.1)
    assert str(found) == "expected loss on a new document at most 0.15 (from 19 documents)"


def test_what_cannot_be_promised_says_the_best_and_how_many_documents_it_takes() -> None:
    found = crc_threshold(np.zeros((9, 3)), 0.05)
    assert (found.index, found.reachable, found.documents_needed) == (None, pytest.approx(0.1), 19)
    with pytest.raises(Unreachable) as raised:
        found.required()
    assert str(raised.value) == (
        "An expected loss of at most 0.05 cannot be promised from 9 documents: the best reachable is 0.1; "
        "19 documents would do."
    )


def test_where_every_choice_loses_too_much_no_number_of_documents_helps() -> None:
    found = crc_threshold(np.full((50, 2), 0.3), 0.2)
    assert found.documents_needed is None
    with pytest.raises(Unreachable, match="no number of documents would do, for even the best choice loses more"):
        found.required()


@given(st.floats(0.01, 0.9), st.floats(0, 0.5))
def test_the_documents_needed_are_just_enough(alpha: float, mean: float) -> None:
    needed = documents_needed(alpha, mean_loss=mean)
    if needed is None:
        assert mean >= alpha - 1e-9
        return
    assert (needed * mean + 1) / (needed + 1) <= alpha + 1e-9
    assert needed == 1 or ((needed - 1) * mean + 1) / needed > alpha - 1e-9


def test_losses_that_rise_are_raised_before_and_it_is_said() -> None:
    losses = np.repeat([[0.0, 0.4, 0.0]], 99, axis=0)
    found = crc_threshold(losses, 0.1)
    assert (found.index, found.monotonised) == (2, True)
    assert "losses were made monotone first" in str(found)
    with pytest.raises(InvalidOutcomes, match="Losses rise from one choice to the next"):
        crc_threshold(losses, 0.1, monotonise=False)


def test_another_bound_scales() -> None:
    losses = np.repeat([[5.0, 1.0, 0.0]], 39, axis=0)
    assert crc_threshold(losses, 2.0, 10.0).index == crc_threshold(losses / 10, 0.2).index == 1


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        (np.zeros(3), "give one row a document"),
        (np.zeros((0, 3)), "give one row a document"),
        (np.full((2, 2), np.nan), "no numbers from 0 to 1"),
        (np.full((2, 2), 1.5), "no numbers from 0 to 1"),
    ],
)
def test_losses_that_are_none_are_refused(losses: np.ndarray, message: str) -> None:
    with pytest.raises(InvalidOutcomes, match=message):
        crc_threshold(losses, 0.1)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0, float("nan")])
def test_an_alpha_that_says_nothing_is_refused(alpha: float) -> None:
    with pytest.raises(InvalidOption, match="give a number between 0 and 1"):
        crc_threshold(np.zeros((3, 2)), alpha)


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 80), st.sampled_from([0.05, 0.1, 0.2, 0.4]), st.integers(0, 1_000))
def test_mapie_bounds_the_risk_alike(documents: int, alpha: float, seed: int) -> None:
    methods = pytest.importorskip("mapie.risk_control.methods")
    losses = drawn(np.random.default_rng(seed), documents)
    _, bound = methods.get_r_hat_plus(losses, np.arange(losses.shape[1]), "crc", None, None, None)
    good = np.flatnonzero(bound <= alpha)
    assert crc_threshold(losses, alpha).index == (int(good[0]) if len(good) else None)
