"""Each line of JSON lines is a value of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, parsed, shown, sniffed
from workbench.documents.formats.jsonl import FORMAT
from workbench.errors import DamagedFile


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    lines=st.lists(st.text(max_size=40) | st.dictionaries(st.text(max_size=5), st.text(max_size=99)).map(json.dumps))
)
def test_no_text_is_lost_or_changed(tmp_path: Path, lines: list[str]) -> None:
    finished(FORMAT, tmp_path / "a.jsonl", "\n".join(["{}", *lines]), max_block_chars=64)


def test_a_line_is_a_block_and_a_long_one_is_descended_into(tmp_path: Path) -> None:
    long = {"id": 2, "text": "It rose by three percent. " * 6}
    done = finished(FORMAT, tmp_path / "a.jsonl", '{"id": 1}\r\n\r\n' + json.dumps(long) + "\n", max_block_chars=100)
    assert shown(done)[:2] == [("code", '{"id": 1}'), ("code", '"id": 2')]
    assert done.locators[:3] == ["line 1", "line 3 $.id", "line 3 $.text"]


def test_a_bad_line_is_kept_and_named(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.jsonl", '{"id": 1}\n{"id": 2\n[3]\n')
    assert shown(done)[1] == ("paragraph", '{"id": 2')
    assert [str(w) for w in done.warnings] == ["In a.jsonl line 2 is not valid JSON and kept as text (1 of 3 lines)."]


def test_a_carriage_return_alone_ends_a_line(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.jsonl", '{"id": 1}\r{"id": 2}\r')
    assert shown(done) == [("code", '{"id": 1}'), ("code", '{"id": 2}')]
    assert done.locators == ["line 1", "line 2"]


def test_a_file_of_bad_lines_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        DamagedFile,
        match=r"^a\.jsonl holds no line of valid JSON \(lines 1, 2 are not\); mend it, or rename it to \.txt\.",
    ):
        parsed(FORMAT, tmp_path / "a.jsonl", "one\ntwo\n")


@pytest.mark.parametrize(
    ("name", "content", "low", "high"),
    [
        ("a.jsonl", '{"a": 1}\n{"a": 2}\n', 0.9, 1),
        ("a.txt", '{"a": 1}\n{"a": 2}\n', 0.8, 0.89),
        ("a.jsonl", '{"a": 1}\n{"a": \n', 0.2, 0.6),
        ("a.jsonl", '{"a": "' + "x" * 9_000 + '"}\n', 0.2, 0.5),
        ("a.json", '{\n"a": 1\n}\n', 0, 0),
        ("a.txt", "1\n2\n", 0, 0),
        ("a.jsonl", b"%PDF-1.4", 0, 0),
    ],
)
def test_sniffing_reads_the_first_lines(
    tmp_path: Path, name: str, content: str | bytes, low: float, high: float
) -> None:
    assert low <= sniffed(FORMAT, tmp_path / name, content) <= high
