"""A store that keeps its file open between labels: nothing is lost, and nobody else is in its way."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.documents import Document
from workbench.errors import LabelStoreFailed
from workbench.training.labels import Label, LabelStore

from .made_labels import label_of

LONG = 600.0
WRITER = """
import sys
from workbench.training.labels import Label, LabelStore
store = LabelStore(sys.argv[1])
store.linger(600)
for block in range(100_000):
    label = Label(document="d" * 64, document_name="x", question="?", block_id=block, quote="😀", value="evidence",
                  annotator=sys.argv[2])
    store.add(label)
    print(label.id, flush=True)
"""


@pytest.fixture
def lingering(store: LabelStore) -> LabelStore:
    store.linger(LONG)
    return store


def beside(path: Path) -> list[str]:
    return sorted(other.name for other in path.parent.glob(f"{path.name}?*"))


def until(told: Callable[[], bool]) -> None:
    for _ in range(500):
        if told():
            return
        time.sleep(0.02)
    raise AssertionError("It has not happened.")


def test_every_label_is_there_for_others_at_once_and_theirs_here(lingering: LabelStore, document: Document) -> None:
    other = LabelStore(lingering.path)
    for block in range(1, 4):
        lingering.add(label_of(document, block))
        assert len(other.labels()) == block
    other.add(label_of(document, 1, annotator="bob"))
    assert lingering.annotators == ("ann", "bob")
    assert lingering.undo("ann") is not None
    assert [label.annotator for label in other.labels()].count("ann") == 2


def test_the_file_is_complete_and_alone_after_a_rest(lingering: LabelStore, document: Document, tmp_path: Path) -> None:
    lingering.add(label_of(document, 1), label_of(document, 2))
    assert beside(lingering.path) == ["labels.sqlite-shm", "labels.sqlite-wal"]
    lingering.rest()
    assert beside(lingering.path) == []
    copied = shutil.copy(lingering.path, tmp_path / "copy.sqlite")
    assert len(LabelStore(copied).labels()) == 2
    lingering.add(label_of(document, 3))
    assert len(lingering.labels()) == 3


def test_it_comes_to_rest_by_itself(store: LabelStore, document: Document) -> None:
    store.linger(0.05)
    store.add(label_of(document))
    until(lambda: not beside(store.path))
    store.add(label_of(document, 2))
    until(lambda: not beside(store.path))
    assert len(LabelStore(store.path).labels()) == 2


def test_reading_alone_leaves_nothing_open(lingering: LabelStore) -> None:
    assert (lingering.labels(), lingering.version) == ((), 0)
    assert beside(lingering.path) == []


def test_a_store_that_nobody_has_any_more_closes_its_file(tmp_path: Path, document: Document) -> None:
    path = tmp_path / "labels.sqlite"
    store = LabelStore(path)
    store.linger(LONG)
    store.add(label_of(document))
    assert beside(path)
    del store
    gc.collect()
    assert beside(path) == []
    assert len(LabelStore(path).labels()) == 1


def test_a_process_that_ends_closes_its_file(tmp_path: Path) -> None:
    script = WRITER.replace("range(100_000)", "range(3)")
    path = tmp_path / "labels.sqlite"
    subprocess.run([sys.executable, "-c", script, str(path), "ann"], check=True, stdout=subprocess.DEVNULL)
    assert beside(path) == []
    assert len(LabelStore(path).labels()) == 3


def test_what_was_acknowledged_survives_a_kill_while_another_one_writes(tmp_path: Path, document: Document) -> None:
    path = tmp_path / "labels.sqlite"
    own = LabelStore(path)
    own.linger(LONG)
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), "bob"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = [process.stdout.readline().strip() for _ in range(15)]
    for block in range(1, 4):
        own.add(label_of(document, block))
    process.send_signal(signal.SIGKILL)
    told += process.stdout.read().split()
    process.wait()
    found = {label.id for label in LabelStore(path).labels()}
    # The last line may have been cut by the kill.
    assert {name for name in told if len(name) == 36} <= found
    assert len(own.labels(annotator="ann")) == 3
    own.add(label_of(document, 4))
    own.rest()
    assert beside(path) == []


def test_a_file_that_was_removed_is_made_again(lingering: LabelStore, document: Document) -> None:
    lingering.add(label_of(document, 1))
    lingering.path.unlink()
    assert lingering.labels() == ()
    lingering.add(label_of(document, 2))
    lingering.rest()
    assert [label.block_id for label in LabelStore(lingering.path).labels()] == [2]


def test_a_file_that_another_one_was_moved_over_is_that_one(
    lingering: LabelStore, document: Document, tmp_path: Path
) -> None:
    lingering.add(label_of(document, 1), label_of(document, 2))
    other = LabelStore(tmp_path / "other.sqlite")
    other.add(*(label_of(document, block) for block in (3, 4, 5)))
    other.path.replace(lingering.path)
    assert [label.block_id for label in lingering.labels()] == [3, 4, 5]
    lingering.add(label_of(document, 1))
    lingering.rest()
    assert sorted(label.block_id for label in LabelStore(lingering.path).labels()) == [1, 3, 4, 5]


def test_what_is_written_to_a_file_that_was_moved_away_meanwhile_is_told(
    lingering: LabelStore, document: Document, tmp_path: Path
) -> None:
    lingering.add(label_of(document, 1))
    with (
        pytest.raises(LabelStoreFailed, match=r"labels\.sqlite was replaced while labels were written to it; look at"),
        lingering._holder.connected(writing=True),
    ):
        lingering.path.rename(tmp_path / "away.sqlite")
    assert lingering.labels() == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
def test_a_fork_shares_no_connection_and_both_write_on(lingering: LabelStore, document: Document) -> None:
    lingering.add(label_of(document, 1))
    child = multiprocessing.get_context("fork").Process(
        target=lingering.add, args=(label_of(document, 2, annotator="child"),)
    )
    child.start()
    for block in range(1, 4):
        lingering.add(label_of(document, block))
    child.join()
    assert child.exitcode == 0
    lingering.add(label_of(document, 4))
    lingering.rest()
    found = LabelStore(lingering.path)
    assert (len(found.labels(annotator="ann")), len(found.labels(annotator="child"))) == (4, 1)
    check = sqlite3.connect(lingering.path)
    assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()


def test_threads_take_turns(lingering: LabelStore, document: Document) -> None:
    labels: list[Label] = [label_of(document, rank % 4 + 1, question=f"Question {rank}?") for rank in range(24)]
    threads = [threading.Thread(target=lingering.add, args=labels[rank::4]) for rank in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {label.id for label in LabelStore(lingering.path).labels()} == {label.id for label in labels}


def test_a_lock_of_another_program_is_told_and_passes(store: LabelStore, document: Document) -> None:
    impatient = LabelStore(store.path, wait_seconds=0.1)
    impatient.linger(LONG)
    impatient.add(label_of(document, 1))
    holder = sqlite3.connect(store.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LabelStoreFailed, match=r"are locked by another program for more than 0\.1 s"):
        impatient.add(label_of(document, 2))
    holder.execute("ROLLBACK")
    holder.close()
    impatient.add(label_of(document, 2))
    assert len(store.labels()) == 2


def test_without_lingering_it_closes_at_once_again(lingering: LabelStore, document: Document) -> None:
    lingering.add(label_of(document))
    lingering.linger(0)
    assert beside(lingering.path) == []
    lingering.add(label_of(document, 2))
    assert beside(lingering.path) == []
