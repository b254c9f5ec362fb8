"""Whoever opens a file that shows nothing is told so, once and whatever its format."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pptx
import pytest

from tests.documents.formats.office_files import read, word_file
from tests.documents.formats.reading import finished, parsed
from workbench.documents.draft import Draft
from workbench.documents.formats.code import FORMAT as CODE
from workbench.documents.formats.delimited import FORMAT as DELIMITED
from workbench.documents.formats.docx import FORMAT as DOCX
from workbench.documents.formats.emptiness import warn_if_nothing_read
from workbench.documents.formats.jsonl import FORMAT as JSONL
from workbench.documents.formats.markdown import FORMAT as MARKDOWN
from workbench.documents.formats.pptx import FORMAT as PPTX
from workbench.documents.formats.text import FORMAT as TEXT
from workbench.documents.formats.xlsx import FORMAT as XLSX
from workbench.documents.pages import PageStatus
from workbench.documents.registry import Format


@pytest.mark.parametrize(
    ("reader", "content"),
    [(TEXT, "....\n\n-----\n"), (MARKDOWN, "---\n\n***\n"), (DELIMITED, ",,\n,,\n")],
)
def test_marks_alone_are_reported_as_nothing_to_read(reader: Format, content: str, tmp_path: Path) -> None:
    done = finished(reader, tmp_path / "a", content)
    assert done.texts in ([], [""])
    assert [str(w) for w in done.warnings] == ["a holds no words or values; there is nothing to read in it."]


@pytest.mark.parametrize("reader", [TEXT, MARKDOWN, DELIMITED, CODE, JSONL])
def test_white_space_is_reported_once(reader: Format, tmp_path: Path) -> None:
    done = finished(reader, tmp_path / "a", " \n\t\n")
    assert [str(w) for w in done.warnings] == ["a holds only white space; there is nothing to read in it."]


def test_an_office_file_without_text_is_reported_once(tmp_path: Path) -> None:
    openpyxl.Workbook().save(tmp_path / "a.xlsx")
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(tmp_path / "a.pptx")
    word_file(tmp_path / "a.docx", "<w:p/>")
    for reader in (DOCX, PPTX, XLSX):
        name = f"a.{reader.name}"
        assert [str(w) for w in read(reader, tmp_path / name).warnings] == [
            f"{name} holds no words or values; there is nothing to read in it."
        ]


def test_pictures_alone_are_named() -> None:
    draft = Draft()
    draft.begin_page(status=PageStatus.NO_TEXT, images=2)
    warn_if_nothing_read(draft, "a.pptx")
    assert [str(w) for w in draft.warnings] == [
        "a.pptx holds no words or values but pictures; there is nothing to read in it."
    ]


def test_what_was_not_read_for_lack_of_time_is_not_called_empty(tmp_path: Path) -> None:
    done = parsed(TEXT, tmp_path / "a", "word\n\n" * 2_000, max_seconds=1e-9, partial=True)
    assert [warning.code for warning in done.warnings] == ["out_of_time"]
