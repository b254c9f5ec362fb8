"""The least value of a smooth function, within bounds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.training.minimising import least

Floats = npt.NDArray[np.float64]


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 6), st.integers(0, 1_000))
def test_a_bowl_is_least_where_its_slope_is_flat_or_presses_against_a_bound(count: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    root = chance.normal(size=(count, count))
    bowl, pull = root @ root.T + np.eye(count), chance.normal(size=count)
    lowest = np.where(chance.random(count) < 0.5, 0.0, -np.inf)
    found = least(lambda x: (float(0.5 * x @ bowl @ x - pull @ x), bowl @ x - pull), np.ones(count), lowest)
    slope = bowl @ found - pull
    assert (found >= lowest).all()
    held = found == lowest
    assert np.abs(slope[~held]).max(initial=0.0) < 0.05
    assert (slope[held] > -0.05).all()


def test_a_bent_valley_is_followed_to_its_end() -> None:
    def valley(x: Floats) -> tuple[float, Floats]:
        bend = x[1] - x[0] ** 2
        slope = np.array([-2 * (1 - x[0]) - 40 * x[0] * bend, 20 * bend])
        return float((1 - x[0]) ** 2 + 10 * bend**2), slope

    found = least(valley, np.array([-1.0, 1.0]), np.full(2, -np.inf))
    assert np.allclose(found, 1.0, atol=1e-2)


def test_where_there_is_no_way_down_the_start_stays() -> None:
    start = np.array([2.0, 0.0])
    found = least(lambda x: (float(x[1]), np.array([0.0, 1.0])), start, np.array([-np.inf, 0.0]))
    assert found.tolist() == start.tolist()
