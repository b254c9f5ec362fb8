"""Word documents: blocks in order, limits, damaged files, and files that are none."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.docx import FORMAT
from workbench.documents.pages import PageStatus
from workbench.documents.source import Source
from workbench.errors import DamagedFile, LimitExceeded

from ..office_files import blocks, content_types, kinds, read, relations, rows, warnings, word_file, write_zip
from .word_markup import cell, paragraph


@pytest.fixture
def report(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Annual report", 0)
    document.add_heading("Results", 1)
    document.add_paragraph("Net sales rose by 3 %. ").add_run("Costs fell.")
    document.add_heading("Outlook", 2)
    document.add_paragraph("First", style="List Bullet")
    document.add_paragraph("Second", style="List Bullet 2")
    table = document.add_table(rows=3, cols=3)
    for row, values in zip(
        table.rows, [["Item", "2023", "2022"], ["Sales", "10", "9"], ["Costs", "4", "5"]], strict=True
    ):
        for place, value in zip(row.cells, values, strict=True):
            place.text = value
    document.add_paragraph("Table 1: Figures", style="Caption")
    section = document.sections[0]
    section.header.paragraphs[0].text = "ACME Corp"
    section.footer.paragraphs[0].text = "Page 1"
    path = tmp_path / "report.docx"
    document.save(str(path))
    return path


def test_a_report_becomes_typed_blocks_in_order(report: Path) -> None:
    assert [block for block in blocks(read(FORMAT, report)) if block[0] != "table_row"] == [
        ("header", 0, "ACME Corp"),
        ("heading", 1, "Annual report"),
        ("heading", 1, "Results"),
        ("paragraph", 0, "Net sales rose by 3 %. Costs fell."),
        ("heading", 2, "Outlook"),
        ("list_item", 1, "First"),
        ("list_item", 2, "Second"),
        ("table", 0, ""),
        ("caption", 0, "Table 1: Figures"),
        ("footer", 0, "Page 1"),
    ]


def test_a_table_has_a_header_and_places(report: Path) -> None:
    assert rows(read(FORMAT, report)) == [
        (True, {0: "Item", 1: "2023", 2: "2022"}, "table 1 row 1"),
        (False, {0: "Sales", 1: "10", 2: "9"}, "table 1 row 2"),
        (False, {0: "Costs", 1: "4", 2: "5"}, "table 1 row 3"),
    ]


def test_paragraphs_are_counted_as_word_libraries_count_them(report: Path) -> None:
    done = read(FORMAT, report)
    listed = docx.Document(str(report)).paragraphs
    for text, kind, place in zip(done.texts, kinds(done), done.locators, strict=True):
        if kind in (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CAPTION):
            assert place.startswith("paragraph ")
            assert listed[int(place.split()[1]) - 1].text.strip() == text


def test_sections_follow_the_headings(report: Path) -> None:
    done = read(FORMAT, report)
    first = done.texts.index("First")
    outlook = int(done.columns.parent[first])
    assert done.texts[outlook] == "Outlook"
    assert done.texts[int(done.columns.parent[outlook])] == "Results"


def test_an_empty_document_is_blank(tmp_path: Path) -> None:
    done = read(FORMAT, word_file(tmp_path / "a.docx", "<w:p/>"))
    assert done.texts == []
    assert done.pages[0].status is PageStatus.BLANK


def test_macro_enabled_and_strict_documents_are_read_alike(tmp_path: Path) -> None:
    macro = "application/vnd.ms-word.document.macroEnabled.main+xml"
    path = word_file(tmp_path / "a.docm", paragraph("Same"), main_type=macro)
    assert read(FORMAT, path).texts == ["Same"]
    strict = tmp_path / "strict.docx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(strict, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            text = text.replace(
                "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                "http://purl.oclc.org/ooxml/wordprocessingml/main",
            )
            new.writestr(name, text)
    assert read(FORMAT, strict).texts == ["Same"]


def test_more_blocks_than_allowed_stop_the_reading_early(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", paragraph("x") * 500)
    assert len(read(FORMAT, path, max_blocks=10).texts) == 11


def test_time_that_is_up_is_an_error_or_a_warning(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", paragraph("x") * 50)
    with pytest.raises(LimitExceeded, match=r"a\.docx took longer than 1e-09 s to read; raise max_seconds"):
        read(FORMAT, path, max_seconds=1e-9)
    done = read(FORMAT, path, max_seconds=1e-9, partial=True)
    assert warnings(done) == {
        "out_of_time": "Reading a.docx ended after 0 paragraphs, because its 1e-09 s were up (max_seconds)."
    }


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", "<w:p>")
    with pytest.raises(DamagedFile, match=r"a\.docx has a damaged part 'word/document\.xml' \(.+\); get a fresh copy"):
        read(FORMAT, path)


def test_a_lost_main_part_is_named(tmp_path: Path) -> None:
    members = {"[Content_Types].xml": content_types({}), "_rels/.rels": relations({}), "word/x.xml": "<a/>"}
    with pytest.raises(DamagedFile, match=r"a\.docx has no main document part; get a fresh copy of it\."):
        read(FORMAT, write_zip(tmp_path / "a.docx", members))


def test_content_decides_what_a_word_file_is(report: Path, tmp_path: Path) -> None:
    assert FORMAT.sniff(Source(report, "report.bin")) > 0.9
    other = tmp_path / "a.docx"
    other.write_bytes(b"plain text")
    assert FORMAT.sniff(Source(other)) == 0.0


WORDS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=40)


PARTS = st.one_of(WORDS.map(lambda text: [text]), st.lists(WORDS, min_size=2, max_size=3))
"""One text is a paragraph, several are the cells of a table."""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, max_size=6))
def test_no_text_is_lost_or_changed(tmp_path: Path, parts: list[list[str]]) -> None:
    body = ""
    for texts in parts:
        made = [escape(text) for text in texts]
        body += f"<w:tbl><w:tr>{''.join(map(cell, made))}</w:tr></w:tbl>" if len(made) > 1 else paragraph(made[0])
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    expected = "".join("".join(texts) for texts in parts)
    assert "".join("".join(done.texts).split()) == "".join(expected.split())
