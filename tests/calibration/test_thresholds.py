"""For given margins the thresholds are the best of all pairs, and stand where no tie is split."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.calibration.made import table
from workbench.calibration.outcomes import checked_outcomes
from workbench.calibration.thresholds import Cut, Problem, best_cut, problem_of

EIGHTHS = st.integers(0, 8).map(lambda value: value / 8)
ROWS = st.lists(
    st.tuples(
        st.integers(-6, 6).map(lambda value: value / 8),  # margin, with ties
        st.integers(0, 64),  # native tokens
        st.integers(0, 128),  # sparse tokens
        EIGHTHS,  # loss
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),  # chance that advisory is sparse
        st.booleans(),  # a hard constraint
    ),
    min_size=1,
    max_size=12,
)


def yields(native: float, force: float, rows: list[tuple[float, int, int, float, float, bool]]) -> tuple[float, float]:
    """Tokens saved and loss summed, row by row, as the gate is written down."""
    saved = lost = 0.0
    for margin, whole, sparse, loss, chance, held in rows:
        share = 0.0 if held or margin <= native else 1.0 if margin >= force else chance
        saved += share * (whole - sparse)
        lost += share * loss
    return saved, lost


def best_of_all_pairs(rows: list[tuple[float, int, int, float, float, bool]], tolerance: float) -> float:
    values = sorted({row[0] for row in rows})
    cuts = [values[0] - 1, *[(low + high) / 2 for low, high in pairwise(values)], values[-1] + 1]
    found = []
    for place, native in enumerate(cuts):
        for force in [native + 1e-6, *cuts[place + 1 :]]:
            saved, lost = yields(native, force, rows)
            if lost <= tolerance * len(rows):
                found.append(saved)
    return max(found)


@settings(max_examples=300, deadline=None)
@given(ROWS, st.sampled_from([0.0, 0.0625, 0.125, 0.25, 0.5, 1.0]))
def test_no_pair_of_thresholds_saves_more(
    rows: list[tuple[float, int, int, float, float, bool]], tolerance: float
) -> None:
    outcomes = checked_outcomes(
        table(
            [[0.5, 0.5, 0.5]] * len(rows),
            [row[1] for row in rows],
            [row[2] for row in rows],
            [row[3] for row in rows],
            advisory_sparse=[row[4] for row in rows],
            constraint=["exact_copy" if row[5] else "" for row in rows],
        )
    )
    margins = np.array([row[0] for row in rows])[outcomes.free]
    cut = best_cut(problem_of(outcomes), margins, tolerance)
    assert cut.native < cut.force
    assert yields(cut.native, cut.force, rows) == (cut.saved, cut.loss)
    assert cut.saved == best_of_all_pairs(rows, tolerance)
    assert cut.loss <= tolerance * len(rows) + 1e-9


def problem(gain: list[float], loss: list[float], chance: float = 0.5) -> Problem:
    g, lost = np.array(gain, float), np.array(loss, float)
    parts = np.column_stack([(1 - chance) * g, chance * g, (1 - chance) * lost, chance * lost])
    return Problem(np.zeros((len(g), 3)), parts, len(g), float(np.abs(g).sum()))


def test_a_lossy_request_that_cannot_be_forced_may_still_be_advisory() -> None:
    cut = best_cut(problem([10, 10], [0, 0.5]), np.array([0.5, 0.1]), 0.125)
    assert (cut.saved, cut.loss) == (15.0, 0.25)
    assert cut.force == pytest.approx(0.3) and cut.native == pytest.approx(0.1 - 0.1)


def test_thresholds_stand_in_the_middle_of_their_gaps() -> None:
    cut = best_cut(problem([10, -10], [0, 0]), np.array([0.6, 0.0]), 0.0)
    assert (cut.native, cut.force) == (pytest.approx(0.2), pytest.approx(0.4))


def test_a_tie_is_never_split() -> None:
    cut = best_cut(problem([30, -10], [0, 0]), np.array([0.25, 0.25 + 1e-14]), 0.0)
    assert cut.saved == 20.0
    assert cut.force <= 0.25


def test_margins_one_step_apart_are_told_apart_only_if_rounding_cannot_turn_them_round() -> None:
    cut = best_cut(problem([30, -10], [0, 0]), np.array([0.25 + 1e-9, 0.25]), 0.0)
    assert cut.saved == 30.0
    assert 0.25 < cut.native < cut.force < 0.25 + 1e-9


def test_nothing_to_save_leaves_all_native_with_finite_thresholds() -> None:
    assert best_cut(problem([-5, -5], [0, 0]), np.array([0.9, -0.9]), 1.0) == Cut(1.0, 2.0, 0.0, 0.0)


def test_no_request_at_all_leaves_all_native() -> None:
    assert best_cut(problem([], []), np.zeros(0), 0.01) == Cut(1.0, 2.0, 0.0, 0.0)


def test_where_all_pays_a_margin_far_below_all_that_was_seen_stays_native() -> None:
    cut = best_cut(problem([5, 5], [0, 0]), np.array([0.6, 0.2]), 0.0)
    assert cut.native == pytest.approx(0.1) and cut.force == pytest.approx(0.15)


def test_of_pairs_that_save_as_much_the_one_that_loses_least_is_taken() -> None:
    cut = best_cut(problem([10, 0], [0, 0.5]), np.array([0.5, 0.1]), 1.0)
    assert (cut.saved, cut.loss) == (10.0, 0.0)
