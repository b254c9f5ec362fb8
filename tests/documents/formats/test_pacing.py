"""A parse that runs out of time keeps what it has read, says so in one way, and is never taken for the whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.documents.formats.conservation import assert_conserves
from tests.documents.formats.office_files import word_file
from workbench.documents.draft import Draft, FinishedDraft
from workbench.documents.formats.markdown.blocks import CHUNK_CHARS
from workbench.documents.formats.pacing import Pace
from workbench.documents.options import ReadOptions
from workbench.documents.pages import OUT_OF_TIME
from workbench.documents.registry import format_named
from workbench.documents.source import ParseContext, Source

Write = Callable[[Path], Any]
MAIL = "From: a@b.c\nSubject: x\nContent-Type: multipart/mixed; boundary=B\n\n" + "--B\n\nHello\n" * 40 + "--B--\n"
CELLS = [{"cell_type": "markdown", "source": f"Word {number}", "metadata": {}} for number in range(40)]


def _text(content: str) -> Write:
    return lambda path: path.write_text(content, encoding="utf-8")


def _deck(path: Path) -> None:
    import pptx

    deck = pptx.Presentation()
    for number in range(40):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = str(number)
    deck.save(str(path))


def _book(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for number in range(40):
        book.active.append(["word", number])
    book.save(path)


def _table(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"n": list(range(10_000))}), path)


FILES: list[tuple[str, str, Write]] = [
    ("text", "a.txt", _text("Some words here\n\n" * 40)),
    ("text", "a.log", _text("2024-01-01 10:00:00 INFO start\n" * 40)),
    ("markdown", "a.md", _text(f"# Title\n\n{'word ' * (CHUNK_CHARS // 5)}\n\n" * 4)),
    ("code", "a.py", _text("def f():\n    return 1\n\n\n" * 40)),
    ("delimited", "a.csv", _text("a,b\n" + "1,2\n" * 40)),
    ("json", "a.json", _text(json.dumps([{"a": number} for number in range(40)], indent=1))),
    ("jsonl", "a.jsonl", _text('{"a": 1}\n' * 40)),
    ("notebook", "a.ipynb", _text(json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))),
    ("html", "a.html", _text("<html><body>" + "<p>Some words</p>" * 40)),
    ("email", "a.eml", _text(MAIL)),
    ("docx", "a.docx", lambda path: word_file(path, "<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 40)),
    ("pptx", "a.pptx", _deck),
    ("xlsx", "a.xlsx", _book),
    ("parquet", "a.parquet", _table),
]


@pytest.fixture(params=[0, 1, 2])
def steps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Let the time be up after so many looks at the clock."""
    left: list[int] = [request.param]

    def out_of_time(context: ParseContext) -> bool:
        del context
        left[0] -= 1
        return left[0] < 0

    monkeypatch.setattr(ParseContext, "out_of_time", property(out_of_time))
    return left[0]


def parsed(format_name: str, path: Path) -> FinishedDraft:
    draft = format_named(format_name).parse(Source(path), ParseContext(ReadOptions(partial=True)))
    return assert_conserves(draft, max_block_chars=512)


@pytest.mark.parametrize(("format_name", "file_name", "write"), FILES, ids=[name for _, name, _ in FILES])
def test_every_format_says_in_one_way_that_its_time_was_up(
    steps: int, tmp_path: Path, format_name: str, file_name: str, write: Write
) -> None:
    write(tmp_path / file_name)
    done = parsed(format_name, tmp_path / file_name)
    said = [str(warning) for warning in done.warnings if warning.code == OUT_OF_TIME]
    if format_name in ("parquet", "xlsx") and steps == 2:
        return
    assert len(said) == 1
    assert said[0].startswith(f"Reading {file_name} ended after ")
    assert said[0].endswith(", because its 60 s were up (max_seconds).")
    assert "truncated" not in {warning.code for warning in done.warnings}
    assert done.columns.kind.size < 40 or format_name in ("markdown", "parquet")


def test_progress_is_reported_at_each_step() -> None:
    seen: list[tuple[int, int]] = []
    context = ParseContext(ReadOptions(), lambda done, total: seen.append((done, total)))
    pace = Pace(Draft(), context, "a.txt", 30)
    assert all(pace.goes_on(done) for done in (0, 10, 20))
    assert seen == [(0, 30), (10, 30), (20, 30)]
