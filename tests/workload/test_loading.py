"""A workload file is read whole: every mistake of it is told with its line, and nothing is dropped."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import FileMissing, InvalidWorkload
from workbench.workload import load_workload


def line(number: int = 1, **changed: Any) -> dict[str, Any]:
    return {"id": f"q{number}", "artifact": "a.txt", "question": "When is it due?"} | changed


def written(folder: Path, *entries: dict[str, Any] | str | bytes, name: str = "workload.jsonl") -> Path:
    """Write a workload with its artifacts a.txt, b.txt and audit/c.txt."""
    (folder / "audit").mkdir(exist_ok=True)
    for artifact in ("a.txt", "b.txt", "audit/c.txt"):
        (folder / artifact).write_text(f"{artifact} is due in May. 五月到期。")
    lines = [
        entry if isinstance(entry, bytes) else (entry if isinstance(entry, str) else json.dumps(entry)).encode()
        for entry in entries
    ]
    (folder / name).write_bytes(b"\n".join(lines))
    return folder / name


def mistakes(path: Path) -> list[str]:
    """Return the lines of the message but the first."""
    with pytest.raises(InvalidWorkload) as caught:
        load_workload(path)
    first, *others = str(caught.value).split("\n  ")
    count = len(others)
    assert first.startswith(f"{path.name} has ") or count == 0
    return others or [first]


HEADER = {"workload": "审计 set", "version": 1, "description": "Made for a test."}


def test_a_folder_or_its_file_is_a_workload(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER, line(1), line(2, artifact="audit", split="test"))
    for place in (tmp_path, path, str(path)):
        work = load_workload(place)
        assert (work.name, work.description, work.folder) == ("审计 set", "Made for a test.", tmp_path)
        assert [request.id for request in work.requests] == ["q1", "q2"]
        assert work.documents == ("a.txt", "audit")


def test_a_file_without_header_has_the_name_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "lease set"
    folder.mkdir()
    assert load_workload(written(folder, line(), name="other.jsonl")).name == "lease set"


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_files_of_every_system_are_read(tmp_path: Path, ending: bytes, mark: bytes) -> None:
    path = written(tmp_path, HEADER)
    rows = [HEADER, line(1, question="何时到期？\u2028第二行"), line(2)]
    lines = [json.dumps(row, ensure_ascii=False).encode() for row in rows]
    path.write_bytes(mark + ending.join([*lines, b"", b"  ", b""]))
    work = load_workload(path)
    assert [request.question for request in work.requests] == ["何时到期？\u2028第二行", "When is it due?"]
    path.write_bytes(mark + ending.join([*lines, b"", b"{", b""]))
    assert mistakes(path)[0].startswith("line 5: it is no JSON (Expecting property name")


def test_every_mistake_is_told_with_its_line_and_request(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        HEADER,
        line(1, scope="pont", evidence=[{"quote": "x"}, {"qoute": "y"}]),
        '{"id": "q2", "artifact": ',
        line(1, question=" "),
        "[1, 2]",
        line(3),
        line(3),
    )
    assert mistakes(path) == [
        "line 2 (q1): evidence 2, qoute: there is no such field; the nearest is 'quote'",
        "line 2 (q1): scope: there is no scope 'pont'; the nearest is 'point'",
        "line 3: it is no JSON (Expecting value at character 26); write one request as one object on one line",
        "line 4 (q1): question: it is empty; give a text",
        "line 5: it is no object; write one request as one JSON object on one line",
        "line 7 (q3): id: 'q3' is taken by a request before it; give each an id of its own (line 6)",
    ]
    with pytest.raises(InvalidWorkload, match=r"^workload\.jsonl has 6 mistakes; nothing of it is used before they"):
        load_workload(path)


def test_of_many_mistakes_the_first_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    found = mistakes(written(tmp_path, *[line(rank, page=1) for rank in range(33)]))
    assert len(found) == 21
    assert found[0].startswith("line 1 (q0): page: there is no such field; ")
    assert found[-1] == "and 13 more"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('{"id": "a", "id": "b"}', "line 1: id stands twice in one object; keep one of the two"),
        ('{"id": NaN}', "line 1: it is no JSON (NaN is no number of JSON); write one request as one object"),
        ("[" * 100_000, "line 1: it is nested too deeply; write one request as one flat JSON object"),
        ("1" * 5_000, "line 1: it is no JSON (Exceeds the limit"),
        ("null", "line 1: it is no object"),
        (b'{"id": "caf\xe9"}', "line 1: byte 12 (0xe9) is no UTF-8; save the file as UTF-8"),
        ("", "line 1: there is no request in the file; write one JSON object a line"),
        (json.dumps(HEADER), "line 1: there is no request in the file"),
        ('{"workload": "a", "verison": 1}', "line 1: verison: the header has no such field; the nearest is 'version'"),
        ('{"workload": "a", "version": 2}', "line 1: version: 2 is newer than 1; update the workbench to read it"),
        ('{"workload": "a", "version": "1"}', "line 1: version: write 1, without quotes"),
        ('{"workload": 5}', "line 1: workload: it is no text; write it in quotes"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(tmp_path: Path, entry: str | bytes, told: str) -> None:
    assert mistakes(written(tmp_path, entry))[0].startswith(told)


def test_a_header_stands_in_the_first_line_alone(tmp_path: Path) -> None:
    path = written(tmp_path, line(), HEADER)
    assert mistakes(path) == ["line 2: a header stands here; only the first line can be one"]


def test_a_file_in_utf_16_is_refused_as_such(tmp_path: Path) -> None:
    path = written(tmp_path, line())
    path.write_bytes(json.dumps(line()).encode("utf-16"))
    with pytest.raises(InvalidWorkload, match=r"^workload\.jsonl is written in UTF-16; save it as UTF-8\.$"):
        load_workload(path)


def test_a_document_in_two_splits_is_a_mistake_however_it_is_spelled(tmp_path: Path) -> None:
    path = written(
        tmp_path, line(1), line(2, artifact="./a.txt", split="test"), line(3, artifact="b.txt", split="test")
    )
    assert mistakes(path) == [
        "line 2 (q2): split: 'a.txt' is in 'test' here and in 'dev' for request 'q1'; a document belongs to one split"
    ]


def test_the_same_bytes_under_two_names_are_one_document(tmp_path: Path) -> None:
    path = written(tmp_path, line(1), line(2, artifact="b.txt", split="test"))
    (tmp_path / "b.txt").write_bytes((tmp_path / "a.txt").read_bytes())
    assert mistakes(path) == [
        "line 2: split: 'b.txt' is in 'test' here, and 'a.txt' with the same bytes in 'dev'; "
        "a document belongs to one split"
    ]


def test_artifacts_must_be_there_and_inside_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    path = written(
        folder,
        line(1, artifact="no.txt"),
        line(2, artifact="no.txt"),
        line(3, artifact="../secret.txt"),
        line(4, artifact="link.txt"),
        line(5, artifact="inner/secret.txt"),
        line(6, artifact="loop"),
        line(7, artifact="pipe"),
        line(8, artifact="inside.txt"),
    )
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "inner").symlink_to(tmp_path)
    (folder / "loop").symlink_to("loop")
    (folder / "inside.txt").symlink_to("a.txt")
    os.mkfifo(folder / "pipe")
    assert mistakes(path) == [
        "line 1: artifact: there is no file or folder 'no.txt' in the workload's folder; check the path "
        "(and so in 1 later line)",
        "line 3 (q3): artifact: '../secret.txt' cannot be used (its path leads out of the folder with '..'); name a "
        "file or folder inside the workload's folder",
        "line 4: artifact: 'link.txt' leads out of the workload's folder by a link; copy what it leads to into the "
        "folder",
        "line 5: artifact: 'inner/secret.txt' leads out of the workload's folder by a link; copy what it leads to into "
        "the folder",
        "line 6: artifact: there is no file or folder 'loop' in the workload's folder; check the path",
        "line 7: artifact: 'pipe' is a device or pipe; name a file or folder",
    ]


@pytest.mark.parametrize("name", ["none", "none.jsonl", "a\0b"])
def test_a_path_that_leads_nowhere_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileMissing, match=r"check the path|There is no file"):
        load_workload(tmp_path / name)


def test_a_folder_without_its_file_says_which_file_it_needs(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"name a folder that holds workload\.jsonl, or a JSONL file\.$"):
        load_workload(tmp_path)


def test_hundred_thousand_lines_are_read_to_the_last_mistake(tmp_path: Path) -> None:
    rows = [line(rank, evidence=[{"quote": "due in May"}], turns=["Who?"]) for rank in range(100_000)]
    path = written(tmp_path, HEADER, *rows, "{", line(99_999))
    assert [found[:30] for found in mistakes(path)] == [
        "line 100002: it is no JSON (Ex",
        "line 100003 (q99999): id: 'q99",
    ]
