"""Benches on a workload of made depots, read without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.workload.made_depots import depots_in
from workbench.reading import SparseReader
from workbench.reading.altered import altered
from workbench.workload import Workload
from workbench.workload.block_fitting import fit_blocks
from workbench.workload.replay import collect_block_scores
from workbench.workspace import Bench

from .made import replayed_in, words_alone

Benches = Callable[..., Bench]


@pytest.fixture(scope="session")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=3, paragraphs=60)


@pytest.fixture
def benches(depots: Workload, tmp_path: Path) -> Iterator[Benches]:
    made: list[Bench] = []

    def bench(workload: Workload | None = depots, **others: object) -> Bench:
        given = {"reader": words_alone(min_tokens=200), "folder": tmp_path / "space", **others}
        made.append(Bench(workload, **given))  # type: ignore[arg-type]
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.jobs.wait_for_all(60)


@pytest.fixture(scope="session")
def replayed(depots: Workload, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which the workload was replayed."""
    return replayed_in(tmp_path_factory.mktemp("replayed"), depots)


@pytest.fixture(scope="session")
def calibrated(depots: Workload) -> SparseReader:
    """A reader whose relevance is calibrated, on the requests of the workload."""
    reader = words_alone(min_tokens=200)
    scores = collect_block_scores(depots, reader, processes=1, progress=False)
    fit = fit_blocks(scores, fitted_on=depots.fingerprint)
    return altered(reader, calibration=fit.calibration, threshold=0.2, offsets={"general": 0.01})
