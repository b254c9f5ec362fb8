"""What befalls a file of labels: kills, two writers, damage, locks, rights."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.documents import Document
from workbench.errors import LabelStoreFailed
from workbench.training.labels import Label, LabelStore

from .made_labels import label_of

WRITER = """
import sys, uuid
from workbench.training.labels import Label, LabelStore
store = LabelStore(sys.argv[1])
name, count = sys.argv[2], int(sys.argv[3])
for block in range(count):
    label = Label(document="d" * 64, document_name="x", question="?", block_id=block, quote=f"block {block} 😀",
                  value="evidence", annotator=name)
    store.add(label)
    print(label.id, flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)], stdout=subprocess.PIPE, text=True, bufsize=1
    )


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    processes = [writer(path, name, 40) for name in ("ann", "bob")]
    told = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    store = LabelStore(path)
    assert {label.id for label in store.labels()} == set(told[0]) | set(told[1])
    assert [event.number for event in store.history()] == list(range(1, 81))


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    process = writer(path, "ann", 100_000)
    assert process.stdout is not None
    told = [process.stdout.readline().strip() for _ in range(25)]
    process.send_signal(signal.SIGKILL)
    told += process.stdout.read().split()
    process.wait()
    store = LabelStore(path)
    found = {label.id for label in store.labels()}
    # The last line may have been cut by the kill.
    assert {name for name in told if len(name) == 36} <= found
    assert len(told) >= 25
    assert store.undo("ann") is not None, "the store is whole: it can be written on"


def test_a_locked_file_is_told(store: LabelStore, document: Document) -> None:
    impatient = LabelStore(store.path, wait_seconds=0.1)
    holder = sqlite3.connect(store.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LabelStoreFailed, match=r"are locked by another program for more than 0\.1 s; close what else"):
        impatient.add(label_of(document))
    assert impatient.labels() == ()
    holder.execute("ROLLBACK")
    holder.close()
    impatient.add(label_of(document))
    assert len(store.labels()) == 1


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    path.write_bytes(b"no database at all, just a text of some length" * 100)
    with pytest.raises(LabelStoreFailed, match=r"labels\.sqlite is damaged or no file of labels \(file is not a datab"):
        LabelStore(path)


def test_a_file_with_a_torn_page_is_told(store: LabelStore, document: Document) -> None:
    store.add(*(label_of(document, block % 4 + 1, question=f"Question {block}?") for block in range(60)))
    data = bytearray(store.path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    store.path.write_bytes(bytes(data))
    with pytest.raises(LabelStoreFailed, match=r"is damaged or no file of labels|cannot be read"):
        LabelStore(store.path).labels()


def test_a_row_that_is_no_label_is_named(store: LabelStore) -> None:
    connection = sqlite3.connect(store.path)
    connection.execute(
        "INSERT INTO events (id, kind, annotator, at, about, body) VALUES ('x', 'label', 'a', '', '', '{}')"
    )
    connection.commit()
    connection.close()
    with pytest.raises(LabelStoreFailed, match=r"Row 1 of .*labels\.sqlite is no label .* put back a copy of the"):
        store.labels()


def test_a_newer_file_and_that_of_another_program_are_refused(tmp_path: Path) -> None:
    newer = LabelStore(tmp_path / "newer.sqlite").path
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(LabelStoreFailed, match=r"newer version \(layout 7, this one knows 1\); update the workbench"):
        LabelStore(newer)
    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE events (id)")
    connection.close()
    with pytest.raises(LabelStoreFailed, match="is the database of another program; give another file for the labels"):
        LabelStore(foreign)


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LabelStoreFailed, match="give a file in a folder that exists, may be written to and has space"):
        LabelStore(tmp_path / "file" / "labels.sqlite")
    with pytest.raises(LabelStoreFailed, match="cannot be read or written"):
        LabelStore(tmp_path)


def test_a_file_that_was_removed_or_replaced_meanwhile_is_noticed(
    store: LabelStore, document: Document, tmp_path: Path
) -> None:
    store.add(label_of(document, 1), label_of(document, 2))
    other = LabelStore(tmp_path / "other.sqlite")
    other.add(label_of(document, 3), label_of(document, 4), label_of(document, 5))
    shutil.copy(other.path, store.path)
    assert [label.block_id for label in store.labels()] == [3, 4, 5]
    store.path.unlink()
    assert store.labels() == ()
    store.add(label_of(document, 1))
    assert [label.block_id for label in LabelStore(store.path).labels()] == [1]


def test_a_file_whose_making_was_cut_short_becomes_a_store(tmp_path: Path, document: Document) -> None:
    path = tmp_path / "labels.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert path.stat().st_size
    store = LabelStore(path)
    store.add(label_of(document))
    assert len(LabelStore(path).labels()) == 1


def test_an_empty_file_becomes_a_store(tmp_path: Path, document: Document) -> None:
    path = tmp_path / "labels.sqlite"
    path.touch()
    store = LabelStore(path)
    store.add(label_of(document))
    assert len(store.labels()) == 1


def test_nobody_else_may_read_the_file(store: LabelStore) -> None:
    assert store.path.stat().st_mode & 0o077 == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach: those of ``tmp_path`` are closed to them."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_a_reader(path: Path, label: Label, another: Label) -> int:
    """What somebody without the right to write finds; 0 for what is expected. Ends in ``os._exit``: it is a fork."""
    if os.geteuid() == 0:
        os.setuid(65534)
    reader = LabelStore(path)
    try:
        reader.add(another)
    except LabelStoreFailed as error:
        told = "may only be read; give a file in a folder that may be written to" in str(error)
        return 0 if told and reader.labels() == (label,) else 2
    return 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process of another user")
def test_a_file_that_may_only_be_read_is_read(open_folder: Path, document: Document) -> None:
    store, label = LabelStore(open_folder / "labels.sqlite"), label_of(document)
    store.add(label)
    store.path.chmod(0o444)
    open_folder.chmod(0o555)
    another = label_of(document, 2)
    child = os.fork()
    if not child:
        outcome = 1
        try:
            outcome = as_a_reader(store.path, label, another)
        finally:
            os._exit(outcome)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_processes_that_make_the_file_together_do_not_harm_each_other(tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    processes = [writer(path, f"a{rank}", 3) for rank in range(3)]
    deadline = time.monotonic() + 60
    for process in processes:
        process.communicate(timeout=max(1, deadline - time.monotonic()))
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(LabelStore(path).labels()) == 9
