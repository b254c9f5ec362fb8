"""What was acknowledged is on disk: whatever is cut off, killed, damaged or written by somebody else meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import InvalidOption, WorkspaceFailed
from workbench.workspace import Journal, Operation
from workbench.workspace.journal import line_of, operation_of

WRITER = """
import sys
from pathlib import Path
from workbench.workspace import Journal, Operation
from workbench.workspace.journal import line_of

journal = Journal(Path(sys.argv[1]))
journal.load()
for number in range(int(sys.argv[3])):
    operation = Operation("set_budget", {"tokens": number + 1}, id=f"{sys.argv[2]}-{number}")
    journal.append(line_of(operation))
    print(operation.id, flush=True)
"""


def operation(number: int, text: str = "键 key") -> Operation:
    return Operation("ask", {"question": text, "number": number}, id=f"id-{number}", at="2026-11-30T12:00:00+00:00")


def filled(path: Path, count: int = 3) -> Journal:
    journal = Journal(path)
    for number in range(count):
        journal.append(line_of(operation(number)))
    return journal


def test_operations_come_back_in_their_order(tmp_path: Path) -> None:
    filled(tmp_path / "new" / "journal.jsonl")
    found = Journal(tmp_path / "new" / "journal.jsonl").load()
    assert found.operations == tuple(operation(number) for number in range(3))
    assert found.faults == ()


def test_no_journal_is_an_empty_one_and_makes_no_folder(tmp_path: Path) -> None:
    assert Journal(tmp_path / "none" / "journal.jsonl").load().operations == ()
    assert not (tmp_path / "none").exists()


def test_an_operation_that_stands_twice_counts_once(tmp_path: Path) -> None:
    journal = filled(tmp_path / "journal.jsonl")
    journal.append(line_of(operation(1)))
    assert [one.id for one in Journal(journal.path).load().operations] == ["id-0", "id-1", "id-2"]


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_a_line_that_was_cut_off_anywhere_is_left_out_and_then_taken_away(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("torn") / "journal.jsonl"
    filled(path).close()
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(whole[: data.draw(st.integers(last, len(whole) - 2))])
    journal = Journal(path)
    found = journal.load()
    assert [one.id for one in found.operations] == ["id-0", "id-1"]
    assert found.faults == ()
    journal.append(line_of(operation(7)))
    journal.close()
    again = Journal(path).load()
    assert [one.id for one in again.operations] == ["id-0", "id-1", "id-7"]
    assert again.faults == ()
    assert path.read_bytes() == whole[:last] + line_of(operation(7)) + b"\n"


def test_a_line_that_lacks_its_end_alone_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    filled(path).close()
    path.write_bytes(path.read_bytes()[:-1])
    journal = Journal(path)
    assert len(journal.load().operations) == 3
    journal.append(line_of(operation(7)))
    assert [one.id for one in Journal(path).load().operations] == ["id-0", "id-1", "id-2", "id-7"]


def test_a_damaged_line_is_told_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    filled(path).close()
    lines = path.read_bytes().split(b"\n")
    lines[1] = b"\0\0\0 not an operation"
    path.write_bytes(b"\n".join(lines))
    journal = Journal(path)
    found = journal.load()
    assert [one.id for one in found.operations] == ["id-0", "id-2"]
    assert found.faults == (
        "Line 2 of journal.jsonl cannot be read (??? not an operation); it stays there, and what it did is missing "
        "here.",
    )
    journal.append(line_of(operation(7)))
    assert b"not an operation" in path.read_bytes()
    assert len(Journal(path).load().operations) == 3


def test_what_json_cannot_hold_is_refused_before_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"^The operation set_budget has a value that cannot be written down"):
        line_of(Operation("set_budget", {"tokens": float("nan")}))
    with pytest.raises(InvalidOption, match="give plain numbers and texts"):
        line_of(Operation("set_budget", {"tokens": tmp_path}))


@given(st.text(), st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False) | st.text()))
def test_an_operation_is_one_line_of_ascii_and_comes_back_as_it_was(text: str, values: dict[str, float | str]) -> None:
    said = Operation("ask", {"question": text, "more": values}, id="x", at="now")
    line = line_of(said)
    assert b"\n" not in line
    assert line.isascii()
    assert operation_of(line) == said


def test_two_kernels_write_into_one_journal_and_neither_loses_a_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name, "60"], stdout=subprocess.PIPE, text=True) for name in "ab"]
    acknowledged = [name for writer in writers for name in writer.communicate(timeout=60)[0].split()]
    found = Journal(path).load()
    assert len(acknowledged) == 120
    assert {one.id for one in found.operations} == set(acknowledged)
    assert found.faults == ()
    own = [one.id for one in found.operations if one.id.startswith("a-")]
    assert own == [f"a-{number}" for number in range(60)]


def test_what_another_kernel_wrote_meanwhile_is_counted_and_taken_over_at_the_next_load(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    mine, other = Journal(path), Journal(path)
    mine.load()
    other.load()
    mine.append(line_of(operation(0)))
    other.append(line_of(operation(1)))
    other.append(line_of(operation(2)))
    mine.append(line_of(operation(3)))
    assert (mine.foreign, other.foreign) == (2, 1)
    assert [one.id for one in mine.load().operations] == ["id-0", "id-1", "id-2", "id-3"]
    assert mine.foreign == 0


@pytest.mark.parametrize("after", [1, 5, 23])
def test_a_kernel_that_is_killed_loses_nothing_that_it_acknowledged(tmp_path: Path, after: int) -> None:
    path = tmp_path / "journal.jsonl"
    command = [sys.executable, "-c", WRITER, str(path), "k", "1000000"]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    acknowledged = [writer.stdout.readline().strip() for _ in range(after)]
    time.sleep(0.01 * after)
    os.kill(writer.pid, signal.SIGKILL)
    acknowledged += writer.stdout.read().split("\n")[:-1]
    assert writer.wait() == -signal.SIGKILL
    found = Journal(path).load()
    ids = [one.id for one in found.operations]
    assert found.faults == ()
    assert ids[: len(acknowledged)] == acknowledged
    assert len(ids) - len(acknowledged) <= 1
    assert ids == [f"k-{number}" for number in range(len(ids))]


def test_a_journal_that_somebody_removes_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = filled(path)
    path.unlink()
    journal.append(line_of(operation(3)))
    assert [one.id for one in Journal(path).load().operations] == ["id-0", "id-1", "id-2", "id-3"]


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    journal = Journal(tmp_path / "file" / "journal.jsonl")
    with pytest.raises(WorkspaceFailed, match=r"cannot be (read|written) \(.+\); check the folder, its rights"):
        journal.append(line_of(operation(0)))


def test_a_disk_without_space_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = tmp_path / "journal.jsonl"
    journal = filled(path)
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))
        with pytest.raises(WorkspaceFailed, match="space on the disk"):
            journal.append(line_of(operation(3)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before
    journal.append(line_of(operation(4)))
    assert [one.id for one in Journal(path).load().operations] == ["id-0", "id-1", "id-2", "id-4"]


def test_a_line_is_plain_json(tmp_path: Path) -> None:
    filled(tmp_path / "journal.jsonl", 1)
    assert json.loads((tmp_path / "journal.jsonl").read_text("ascii")) == operation(0).to_dict()
