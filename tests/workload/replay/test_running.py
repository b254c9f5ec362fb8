"""Processes share a replay, end with it, and lose nothing that was finished."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import psutil
import pytest

from tests.workload.replay.made import REQUESTS, Noting, reader_of, workload_in
from workbench.documents.progress import set_reporter
from workbench.workload import Workload
from workbench.workload.replay import replay
from workbench.workload.replay.outcomes import SECONDS

SLOW = "How many litres do all pumps move together?"
PROGRAM = """
import sys
from pathlib import Path
from tests.workload.replay.made import Noting, reader_of
from workbench.workload import load_workload
from workbench.workload.replay import replay
folder, notes, slow, processes = sys.argv[1:]
scorer = Noting(Path(notes), slow=[slow])
replay(load_workload(Path(folder)), reader_of(scorer), processes=int(processes))
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def workload(tmp_path: Path) -> Workload:
    return workload_in(tmp_path / "made")


@pytest.fixture
def started(tmp_path: Path, project_dir: Path, workload: Workload) -> Iterator[Callable[[int], psutil.Popen]]:
    """Starts a replay that gets stuck at its last request, and waits until it does."""
    running: list[psutil.Popen] = []

    def start(processes: int) -> psutil.Popen:
        assert workload.folder is not None
        arguments = [str(workload.folder), str(tmp_path / "notes"), SLOW, str(processes)]
        program = psutil.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=project_dir,
            env={**os.environ, "PYTHONPATH": str(project_dir)},
            stderr=subprocess.PIPE,
        )
        running.append(program)
        finished = len(REQUESTS) - 1
        wait_for(
            lambda: (
                SLOW in Noting(tmp_path / "notes").asked()
                and len(list((tmp_path / "cache").glob("*.outcome"))) == finished
            )
        )
        return program

    yield start
    for program in running:
        if program.poll() is None:
            program.kill()
        program.wait()
        assert program.stderr is not None
        program.stderr.close()


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one.drop(columns=list(SECONDS)), other.drop(columns=list(SECONDS)), check_exact=True)
    assert one.attrs == other.attrs


def test_two_processes_give_the_table_of_one(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes")
    alone = replay(workload, reader_of(noting), processes=1, cache=False)
    asked = noting.asked()
    same(replay(workload, reader_of(noting), processes=2, cache=False), alone)
    assert sorted(noting.asked()) == sorted(asked * 2)


def test_a_reader_that_cannot_be_sent_replays_alone(workload: Workload, caplog: pytest.LogCaptureFixture) -> None:
    from tests.reading.made import SharedWords

    class Local(SharedWords):
        pass

    found = replay(workload, reader_of(Local()), processes=2)
    assert len(found) == len(REQUESTS)
    assert "The reader holds what cannot be sent to another process, so one process replays alone." in caplog.text


def test_the_embedded_model_is_made_again_in_each_process() -> None:
    from workbench.reading import SparseReader
    from workbench.workload.replay.sending import packed, unpacked

    reader = SparseReader(token_share=0.3, offsets={"legal": 0.05}, rules="legal")
    data = packed(reader)
    assert data is not None
    assert len(data) < 100_000
    found = unpacked(data)
    assert found.scorer.fingerprint == reader.scorer.fingerprint
    assert (found.share, found.offsets, found.rule_book.sha256) == (
        reader.share,
        reader.offsets,
        reader.rule_book.sha256,
    )


def test_a_process_that_dies_takes_one_request_with_it(tmp_path: Path, workload: Workload) -> None:
    noting = Noting(tmp_path / "notes", deadly=["When does the gate of Kiel open?"])
    found = replay(workload, reader_of(noting), processes=2)
    # The question is that of one request, and the first turn of another one.
    assert found["request"].tolist() == ["depots-1", "rules-1", "rules-2", "table-1"]
    assert [failed["request"] for failed in found.attrs["failed"]] == ["depots-2", "depots-3"]
    assert found.attrs["failed"][0]["reason"].startswith("The process that replayed it ended (signal 9")


def test_a_killed_replay_goes_on_where_it_was(
    tmp_path: Path, workload: Workload, started: Callable[[int], psutil.Popen]
) -> None:
    program = started(1)
    program.send_signal(signal.SIGKILL)
    program.wait()
    noting = Noting(tmp_path / "notes")
    asked = noting.asked()
    found = replay(workload, reader_of(noting))
    assert noting.asked() == [*asked, SLOW]
    same(found, replay(workload, reader_of(noting), cache=False))


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_a_replay_that_is_ended(
    ending: signal.Signals, tmp_path: Path, started: Callable[[int], psutil.Popen]
) -> None:
    program = started(2)
    below = program.children(recursive=True)
    assert len(below) >= 2
    program.send_signal(ending)
    program.wait(30)
    _, alive = psutil.wait_procs(below, timeout=30)
    assert alive == []
    if ending is signal.SIGINT:
        assert program.stderr is not None
        assert program.stderr.read().decode().rstrip().endswith("KeyboardInterrupt")
    assert len(list((tmp_path / "cache").glob("*.outcome"))) == len(REQUESTS) - 1


def test_progress_counts_requests_from_what_is_remembered_on(workload: Workload) -> None:
    shown: list[tuple[str, int, int]] = []

    class Recorder:
        def __init__(self, label: str) -> None:
            self.label = label

        def update(self, done: int, total: int, seconds: float) -> None:
            del seconds
            shown.append((self.label, done, total))

        def close(self) -> None:
            """Nothing is on screen."""

    replay(workload.filter(id=["depots-1", "rules-1"]), reader_of())
    set_reporter(Recorder)
    try:
        from workbench.documents import progress

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(progress, "SHOW_ANYWAY", 0.0)
            patch.setattr(progress, "REFRESH", 0.0)
            replay(workload, reader_of(), progress=True)
    finally:
        set_reporter(None)
    assert shown[0] == ("Replaying made", 2, 6)
    assert shown[-1] == ("Replaying made", 6, 6)
    assert [done for _, done, _ in shown] == sorted(done for _, done, _ in shown)
