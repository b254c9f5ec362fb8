"""Parsers run in worker processes that may crash, hang or devour memory without harm to this one."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.documents.options import ReadOptions
from workbench.documents.packing import unpack_arrays
from workbench.documents.workers.pool import POOL, WorkerPool
from workbench.documents.workers.sandbox import JobRunner, crash_error, run_job, run_jobs
from workbench.errors import DamagedFile, LimitExceeded, ParserFailed

JOBS = "tests.documents.workers.sandbox_jobs"
OPTIONS = ReadOptions(max_seconds=20)

Run = Callable[..., bytes]


@pytest.fixture(autouse=True)
def _jobs_are_allowed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SPARSEREAD_JOB_MODULES", JOBS)
    POOL.close()
    POOL._reset()
    yield
    POOL.close()
    POOL._reset()


def run(job: str, options: ReadOptions = OPTIONS, name: str = "a.pdf", **arguments: Any) -> bytes:
    return run_job(f"{JOBS}:{job}", arguments, options=options, name=name)


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_job_answers_with_bytes() -> None:
    assert run("echo", say="Größe 🙂") == "Größe 🙂".encode()


def test_arrays_come_back_without_pickle() -> None:
    arrays, meta = unpack_arrays(run("arrays", count=5, page=3))
    assert arrays["numbers"].tolist() == [0, 1, 2, 3, 4]
    assert meta == {"page": 3}


def test_the_worker_is_kept_for_the_next_document() -> None:
    assert run("process_id") == run("process_id")
    assert int(run("process_id")) != os.getpid()


def test_results_come_in_the_order_of_the_arguments() -> None:
    arguments = [{"say": rank, "seconds": 0.1 if rank % 3 == 0 else 0.0} for rank in range(9)]
    options = ReadOptions(workers=3, max_seconds=20)
    assert list(run_jobs(f"{JOBS}:echo", arguments, options=options, name="a.pdf")) == [b"%d" % n for n in range(9)]
    assert len(POOL._leased) == 0


def test_no_jobs_give_no_results() -> None:
    assert list(run_jobs(f"{JOBS}:echo", [], options=OPTIONS, name="a.pdf")) == []


@pytest.mark.parametrize("declared", [False, True])
def test_progress_of_all_jobs_is_added_up(declared: bool) -> None:
    seen: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        seen.append((done, total))

    options = ReadOptions(workers=2, max_seconds=20)
    arguments = [{"total": total} | ({"units": total} if declared else {}) for total in (4, 6, 2)]
    list(run_jobs(f"{JOBS}:count_up", arguments, options=options, name="a.pdf", report=report))
    assert seen[-1] == (12, 12)
    assert all(0 <= done <= total for done, total in seen)
    assert not declared or {total for _, total in seen} == {12}


def test_what_a_library_prints_does_not_reach_the_answer() -> None:
    assert run("print_loudly") == b"clean"


@pytest.mark.parametrize("garbage", ["\xff" * 64, "\0\0\0\2" + "\0" * 8 + "{}", "\0\0\0\1" + "\0" * 8 + "["])
def test_garbage_in_the_pipe_of_the_answers_is_a_crash(garbage: str) -> None:
    with pytest.raises(ParserFailed, match=r"crashed on a\.pdf"):
        run("babble", garbage=garbage)
    assert run("echo", say="next") == b"next"


def test_an_exit_amid_a_job_is_told_with_its_code() -> None:
    with pytest.raises(ParserFailed) as caught:
        run("leave", code=7)
    assert str(caught.value) == (
        "The parser crashed on a.pdf (exit code 7); other documents are not affected, and the file is probably damaged."
    )
    assert run("echo", say="next") == b"next"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_segmentation_fault_is_told_by_its_name(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG, "workbench"),
        pytest.raises(ParserFailed, match=r"crashed on a\.pdf \(signal SIGSEGV\)"),
    ):
        run("follow_null")
    assert "Segmentation fault" in caplog.text
    assert run("echo", say="next") == b"next"


TOO_LITTLE = "a.pdf needs more than 2048 MiB of memory to read; raise max_memory_mb."


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_native_abort_for_want_of_memory_names_the_limit() -> None:
    with pytest.raises(LimitExceeded) as caught:
        run("abort_for_memory")
    assert str(caught.value) == TOO_LITTLE


def test_a_corrupted_heap_is_no_want_of_memory() -> None:
    error = crash_error("a.pdf", -signal.SIGABRT, "malloc(): invalid next size (unsorted)\n", options=OPTIONS)
    assert isinstance(error, ParserFailed)
    assert "(signal SIGABRT); other documents are not affected, and the file is probably damaged." in str(error)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", ["SIGABRT", "SIGTRAP", "SIGKILL", "SIGSEGV"])
def test_a_silent_crash_of_a_worker_that_had_no_room_left_names_the_limit(name: str) -> None:
    code = -int(signal.Signals[name])
    error = crash_error("a.pdf", code, "", options=OPTIONS, room_mb=100.0)
    assert isinstance(error, LimitExceeded)
    assert str(error) == TOO_LITTLE
    assert (error.setting, error.limit, error.value) == ("max_memory_mb", 2048.0, 1948.0)
    assert isinstance(crash_error("a.pdf", code, "", options=OPTIONS, room_mb=1_500.0), ParserFailed)
    assert isinstance(crash_error("a.pdf", code, "", options=OPTIONS, room_mb=None), ParserFailed)


@pytest.mark.skipif(sys.platform != "linux", reason="address space limits hold on Linux")
def test_a_worker_that_fills_up_and_aborts_without_a_word_names_the_limit() -> None:
    with pytest.raises(LimitExceeded) as caught:
        run("abort_when_full", ReadOptions(max_memory_mb=256, max_seconds=30))
    assert str(caught.value) == "a.pdf needs more than 256 MiB of memory to read; raise max_memory_mb."
    assert caught.value.value >= 128


@pytest.mark.parametrize(
    "how", ["ENOMEM", "failed to map segment from shared object", "can't start new thread", "wrapped"]
)
def test_memory_refused_in_other_words_names_the_limit(how: str) -> None:
    with pytest.raises(LimitExceeded) as caught:
        run("be_refused", how=how)
    assert str(caught.value) == TOO_LITTLE


def test_a_worker_that_the_system_ends_is_told_as_such() -> None:
    error = crash_error("a.pdf", -9, "", options=OPTIONS)
    assert str(error).endswith(
        "(signal SIGKILL); the system ended it, most often because the machine's memory ran out."
    )


def test_a_worker_that_cannot_start_says_why() -> None:
    error = crash_error("a.pdf", 1, "Traceback\nImportError: no numpy\n\n", options=OPTIONS, started=False)
    assert str(error) == "The worker process for a.pdf could not start (ImportError: no numpy); try isolate=False."


def test_a_hang_ends_at_the_deadline() -> None:
    with pytest.raises(LimitExceeded) as caught:
        run("hang", ReadOptions(max_seconds=0.3))
    assert str(caught.value).startswith("a.pdf took longer than 0.3 s to read; raise max_seconds")
    assert (caught.value.setting, caught.value.limit) == ("max_seconds", 0.3)
    assert caught.value.value >= 0.3
    assert run("echo", say="next") == b"next"


def test_a_limit_met_in_the_worker_keeps_its_fields_and_the_worker() -> None:
    before = run("process_id")
    with pytest.raises(LimitExceeded) as caught:
        run_job(
            f"{JOBS}:polite",
            {"name": "b.pdf"},
            options=ReadOptions(max_seconds=0.2, partial=True),
            name="a.pdf",
        )
    assert str(caught.value).startswith("b.pdf took longer than 0.2 s")
    assert caught.value.setting == "max_seconds"
    assert run("process_id") == before


def test_partial_gives_a_worker_the_time_to_hand_over_what_it_has() -> None:
    assert run("hand_over_late", ReadOptions(max_seconds=0.4, partial=True)) == b"half"


def test_the_deadline_is_shared_by_all_jobs_of_a_document() -> None:
    runner = JobRunner(ReadOptions(max_seconds=1.0, workers=1), name="a.pdf")
    arguments = [{"say": n, "seconds": 0.3} for n in range(10)]
    with pytest.raises(LimitExceeded, match="took longer than 1 s"):
        list(runner(f"{JOBS}:echo", arguments))


@pytest.mark.skipif(sys.platform != "linux", reason="address space limits hold on Linux")
@pytest.mark.parametrize("mb", [1, 64, 4096])
def test_a_memory_hog_meets_its_limit(mb: int) -> None:
    with pytest.raises(LimitExceeded) as caught:
        run("devour", ReadOptions(max_memory_mb=256, max_seconds=30), mb=mb)
    assert str(caught.value) == "a.pdf needs more than 256 MiB of memory to read; raise max_memory_mb."
    assert caught.value.setting == "max_memory_mb"
    assert run("echo", say="next") == b"next"


def test_an_error_for_a_person_comes_through_as_it_is() -> None:
    with pytest.raises(DamagedFile, match=r"^a\.pdf has no pages\.$"):
        run("refuse", message="a.pdf has no pages.")


def test_any_other_exception_becomes_a_failed_parser(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "workbench"), pytest.raises(ParserFailed) as caught:
        run("stumble")
    assert str(caught.value).startswith("a.pdf could not be parsed (KeyError: 'Root')")
    assert "Traceback" in caplog.text
    with pytest.raises(ParserFailed, match="SystemExit: 3"):
        run("say_goodbye")


def test_only_allowed_modules_run() -> None:
    with pytest.raises(ParserFailed, match="PermissionError: os may not run in a worker"):
        run_job("os:system", {}, options=OPTIONS, name="a.pdf")


def test_one_failing_job_ends_the_others() -> None:
    options = ReadOptions(workers=2, max_seconds=20)
    runner = JobRunner(options, name="a.pdf")
    with pytest.raises(ParserFailed, match="exit code 1"):
        list(runner(f"{JOBS}:leave", [{"code": 1}, {"code": 1}, {"code": 1}]))
    assert len(POOL._leased) == 0


def test_a_consumer_that_stops_early_frees_the_workers() -> None:
    results = run_jobs(
        f"{JOBS}:echo", [{"say": n} for n in range(20)], options=ReadOptions(workers=2, max_seconds=20), name="a.pdf"
    )
    assert next(results) == b"0"
    results.close()
    assert len(POOL._leased) == 0


def test_threads_share_the_pool() -> None:
    answers: dict[int, bytes] = {}

    def ask(number: int) -> None:
        answers[number] = run("echo", say=number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: b"%d" % number for number in range(6)}
    assert len(POOL._leased) == 0


def test_a_pool_gives_no_more_workers_than_its_limit() -> None:
    pool = WorkerPool()
    worker = pool.lease(lambda *_: None, limit=1)
    assert worker is not None
    assert pool.lease(lambda *_: None, limit=1) is None
    pool.give_back(worker)
    assert pool.lease(lambda *_: None, limit=1) is worker
    pool.close()
    assert not worker.alive


def test_a_grown_worker_is_not_kept() -> None:
    pool = WorkerPool()
    worker = pool.lease(lambda *_: None)
    assert worker is not None
    pool.give_back(worker, resident_mb=5_000)
    assert wait_until(lambda: worker.ended)
    pool.close()


def test_an_idle_worker_that_died_is_replaced() -> None:
    pid = int(run("process_id"))
    os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not exists(pid))
    assert int(run("process_id")) != pid


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_child_starts_workers_of_its_own() -> None:
    mine = run("process_id")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, run("process_id"))
        finally:
            POOL.close()
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    theirs = os.read(read, 100)
    os.close(read)
    assert theirs
    assert theirs != mine
    assert run("process_id") == mine


SCRIPT = """
import sys
from pathlib import Path
from workbench.documents.options import ReadOptions
from workbench.documents.workers.sandbox import run_job
options = ReadOptions(max_seconds=60)
try:
    arguments = {"say": "hello", "flag": sys.argv[2]}
    print(run_job("tests.documents.workers.sandbox_jobs:" + sys.argv[1], arguments, options=options, name="a.pdf"))
except KeyboardInterrupt:
    again = run_job("tests.documents.workers.sandbox_jobs:echo", {"say": "again"}, options=options, name="a.pdf")
    print("interrupted", again)
"""


def start_script(tmp_path: Path, job: str) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    root = Path(__file__).resolve().parents[3]
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "SPARSEREAD_JOB_MODULES": JOBS,
    }
    command = [sys.executable, str(script), job, str(tmp_path / "flag")]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def running_job(tmp_path: Path) -> int:
    flag = tmp_path / "flag"
    assert wait_until(lambda: flag.exists() and flag.read_text() != "", 30)
    return int(flag.read_text())


def test_a_script_without_main_guard_works(tmp_path: Path) -> None:
    out, err = start_script(tmp_path, "echo").communicate(timeout=60)
    assert (out, err) == ("b'hello'\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_kills_the_running_worker_and_leaves_the_next_job_in_order(tmp_path: Path) -> None:
    process = start_script(tmp_path, "hang")
    worker = running_job(tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (out, err) == ("interrupted b'again'\n", "")
    assert wait_until(lambda: not exists(worker))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_parent_leaves_no_worker_behind(tmp_path: Path) -> None:
    process = start_script(tmp_path, "hang")
    worker = running_job(tmp_path)
    process.kill()
    process.communicate(timeout=60)
    assert wait_until(lambda: not exists(worker))


def test_a_worker_imports_no_heavy_library() -> None:
    code = (
        "import sys, workbench.documents.workers.worker\n"
        "heavy = {'pandas', 'rich', 'lxml', 'IPython', 'ipywidgets', 'plotly', 'torch', 'pypdfium2', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
