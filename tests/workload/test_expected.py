"""What a reader is expected to keep."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.workload.expected import LEAST, SHARES, expected_kept


@pytest.mark.parametrize(("share", "least"), [(0.2, 3000), (0.05, 500), (0.35, 0), (0.1, 1000)])
def test_the_numbers_that_made_the_readings_are_found(share: float, least: int) -> None:
    sizes = np.geomspace(300, 200_000, 60)
    kept = np.minimum(sizes, np.maximum(share * sizes, least))
    assert expected_kept(kept.tolist(), sizes.tolist()) == (share, least)
    assert share in SHARES and least in LEAST


def test_noise_moves_them_little() -> None:
    random = np.random.default_rng(0)
    sizes = np.geomspace(1_000, 100_000, 200)
    kept = np.maximum(0.2 * sizes, 2_000) * random.lognormal(0, 0.4, 200)
    share, least = expected_kept(np.minimum(kept, sizes).tolist(), sizes.tolist())
    assert share == pytest.approx(0.2, abs=0.03)
    assert 1_500 <= least <= 3_000


def test_nothing_read_says_that_all_is_kept() -> None:
    assert expected_kept([], []) == (1.0, 0)
