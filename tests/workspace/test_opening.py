"""A document that takes long to read is read beside the analyst, who goes on with the one at hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import InvalidOption, InvalidQuestion
from workbench.workload import Workload
from workbench.workspace import Bench, JobStatus, Journal, Operation

from .made import house_in
from .slow import WAIT, SlowScorer, reader_of


@pytest.fixture
def scorer() -> SlowScorer:
    return SlowScorer("lost key")


@pytest.fixture
def bench(tmp_path: Path, scorer: SlowScorer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr("workbench.workspace.bench.PATIENCE_SECONDS", 0.01)
    found = Bench(house_in(tmp_path / "house"), reader=reader_of(scorer), folder=tmp_path / "space")
    yield found
    scorer.go_on.set()
    found.close()
    found.wait(WAIT)


def opened(bench: Bench, request: str = "key", **values: Any) -> Operation:
    """Open as a click does: nobody waits."""
    operation = Operation("open", {"request": request, **values})
    bench.take(operation)
    return operation


def test_a_click_returns_while_the_document_is_read_and_what_is_at_hand_stays(bench: Bench, scorer: SlowScorer) -> None:
    heard: list[frozenset[str]] = []
    bench.watch(heard.append)
    operation = opened(bench, show="tune")
    assert scorer.begun.wait(WAIT)
    assert (bench.state.request, bench.state.tab, bench.is_reading) == ("key", "tune", True)
    assert bench.request is not None
    assert bench.request.id == "rent"
    job = bench.jobs.of("reading")
    assert job is not None
    assert (job.status, job.label, job.done, job.total) == (JobStatus.RUNNING, "Reading house.md", 1, 2)
    assert [one.id for one in Journal(bench.folder / "journal.jsonl").load().operations] == [operation.id]
    bench.set_share(0.6)
    bench.take(operation)
    with pytest.raises(InvalidOption, match=r"^Another document is being read; pin a block when it is there\.$"):
        bench.pin(0)
    heard.clear()
    scorer.go_on.set()
    bench.wait(WAIT)
    assert (bench.request.id, bench.is_reading, bench.operations) == ("key", False, 2)
    assert {"state", "reading"} in heard
    fresh = bench.reader.read(bench.document, bench.question, scope=bench.reading.scope)
    assert bench.reading.status.tolist() == fresh.status.tolist()


def test_a_call_waits_and_shows_how_far_it_is(bench: Bench, scorer: SlowScorer) -> None:
    told: list[str] = []

    def hear(_names: frozenset[str]) -> None:
        told.extend(job.label for job in bench.jobs if job.kind == "reading")
        if "Reading house.md" in told:
            scorer.go_on.set()
        # What is looked at needs the lock, which who waits must not hold.
        with bench.lock:
            assert bench.outcomes is None

    bench.watch(hear)
    threading.Timer(0.5, scorer.go_on.set).start()
    bench.open("key")
    assert bench.request is not None
    assert bench.request.id == "key"
    assert told


def test_who_holds_the_lock_may_open_as_well(bench: Bench, scorer: SlowScorer) -> None:
    scorer.go_on.set()
    with bench.lock:
        bench.open("key")
    assert bench.request is not None
    assert bench.request.id == "key"


def test_what_is_opened_last_is_what_is_at_hand(bench: Bench, scorer: SlowScorer) -> None:
    opened(bench)
    assert scorer.begun.wait(WAIT)
    bench.open("租金")
    assert bench.request is not None
    assert (bench.request.id, bench.state.request) == ("租金", "租金")
    scorer.go_on.set()
    bench.wait(WAIT)
    assert (bench.request.id, bench.state.request, bench.is_reading) == ("租金", "租金", False)


def test_going_back_to_what_is_at_hand_ends_the_reading(bench: Bench, scorer: SlowScorer) -> None:
    reading = bench.reading
    opened(bench)
    assert scorer.begun.wait(WAIT)
    opened(bench, "rent")
    scorer.go_on.set()
    bench.wait(WAIT)
    assert bench.reading is reading
    assert (bench.state.request, bench.is_reading) == ("rent", False)


@pytest.mark.parametrize("ends", ["cancelled", "failed"])
def test_a_reading_that_ends_without_a_result_leaves_what_is_at_hand(
    bench: Bench, scorer: SlowScorer, tmp_path: Path, ends: str
) -> None:
    opened(bench)
    assert scorer.begun.wait(WAIT)
    scorer.fails = ends == "failed"
    if ends == "cancelled":
        bench.cancel("reading")
    scorer.go_on.set()
    bench.wait(WAIT)
    job = bench.jobs.of("reading")
    assert job is not None
    assert (job.status.value, job.error) == (ends, "The question is too long." if ends == "failed" else "")
    assert bench.request is not None
    assert (bench.state.request, bench.request.id, bench.is_reading) == ("rent", "rent", False)
    assert bench.calls[0] == "bench.open('key')"
    bench.close()
    again = Bench(bench.workload, reader=reader_of(scorer), folder=tmp_path / "space")
    assert again.state == bench.state
    assert again.notes == ()
    again.close()


def test_what_fails_while_somebody_waits_changes_nothing(bench: Bench, scorer: SlowScorer) -> None:
    scorer.fails = True
    scorer.go_on.set()
    before = bench.state
    with pytest.raises(InvalidQuestion, match=r"^The question is too long\.$"):
        bench.open("key")
    assert (bench.state, bench.operations) == (before, 0)


def test_what_is_quick_is_done_when_a_click_returns_and_no_job_is_seen(tmp_path: Path, benches: Callable[..., Bench]
                                                                       ) -> None:  # fmt: skip
    house: Workload = house_in(tmp_path / "house")
    bench = benches(house)
    bench.open("key")
    assert list(bench.jobs) == []
    bench.open("rent")
    opened(bench)
    bench.wait(WAIT)
    assert bench.request is not None
    assert bench.request.id == "key"
