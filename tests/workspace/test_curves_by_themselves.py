"""Recall curves begin by themselves only where the scores of the workload are remembered."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.relevance.fake_encoder import FakeEncoder
from tests.workspace.conftest import Benches
from tests.workspace.made import TABLE, house_in
from workbench.reading import SparseReader
from workbench.relevance import HybridScorer
from workbench.workload.replay.block_table import are_scores_remembered, collect_block_scores
from workbench.workspace.jobs import JobStatus


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SparseReader:
    """A reader whose encoder has never been asked before."""
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    encoder = FakeEncoder(defaultdict(lambda: 20.0), fingerprint="asked by nobody")
    return SparseReader(scorer=HybridScorer(encoder), rules=TABLE, token_share=0.3, min_tokens=0)


def test_where_nothing_is_remembered_somebody_must_ask(benches: Benches, reader: SparseReader, tmp_path: Path) -> None:
    bench = benches(house_in(tmp_path / "house"), reader=reader)
    heard: set[str] = set()
    bench.watch(heard.update)
    assert bench.are_curves_offered is False
    bench.need("curves", by_itself=True)
    bench.wait()
    assert (bench.curves, bench.are_curves_offered) == (None, True)
    assert "curves" in heard
    before = bench.jobs.of("curves")
    bench.need("curves", by_itself=True)
    assert bench.jobs.of("curves") is before
    bench.need("curves")
    bench.wait()
    assert bench.is_fresh("curves")
    assert bench.are_curves_offered is False


def test_where_the_scores_are_remembered_curves_begin_by_themselves(
    benches: Benches, reader: SparseReader, tmp_path: Path
) -> None:
    workload = house_in(tmp_path / "house")
    assert are_scores_remembered(workload, reader) is False
    collect_block_scores(workload, reader, progress=False)
    assert are_scores_remembered(workload, reader) is True
    bench = benches(workload, reader=reader)
    bench.need("curves", by_itself=True)
    bench.wait()
    assert bench.is_fresh("curves")
    bench.edit_rule("money", weight=3)
    bench.need("curves", by_itself=True)
    bench.wait()
    assert bench.is_fresh("curves")


def test_words_alone_need_nobody_who_asks(benches: Benches) -> None:
    bench = benches()
    bench.need("curves", by_itself=True)
    bench.wait()
    assert [job.error for job in bench.jobs] == [""]
    assert bench.is_fresh("curves")


def test_curves_that_were_stopped_are_offered(benches: Benches) -> None:
    bench = benches()
    with bench.lock:
        bench.need("curves")
        bench.jobs.cancel("curves")
    bench.wait()
    job = bench.jobs.of("curves")
    assert job is not None
    assert bench.are_curves_offered is (job.status is JobStatus.CANCELLED)
