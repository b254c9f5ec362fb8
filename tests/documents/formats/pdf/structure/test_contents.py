"""Entries of a table of contents, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind

from ..pdf_files import BOLD, PdfFile, prose, read, shown, texts_of

ENTRIES = [("Business", 1), ("Risk factors", 8), ("Properties", 15), ("Legal proceedings", 22), ("Exhibits", 29)]


@pytest.mark.parametrize("leader", [" " + "." * 60 + " ", " " + ". " * 40], ids=["dots", "spaced dots"])
def test_lines_with_leaders_are_entries(tmp_path: Path, leader: str) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 80, "Table of contents", size=16, font=BOLD)
    for rank, (title, page) in enumerate(ENTRIES):
        pdf.text(72, 120 + 16 * rank, f"{title}{leader}{page}")
    pdf.next_page()
    pdf.paragraph(72, 80, prose(10))
    document = read(pdf.save())
    assert [text.split(" .")[0] for text in texts_of(document, BlockKind.TOC_ENTRY)] == [title for title, _ in ENTRIES]
    assert shown(document)[0] == ("heading", "Table of contents")


def test_lines_of_a_contents_page_without_leaders_are_entries(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 80, "Contents", size=16, font=BOLD)
    for rank, (title, page) in enumerate(ENTRIES):
        pdf.row((72, 500), 120 + 16 * rank, [title, str(page)])
    pdf.next_page()
    pdf.paragraph(72, 80, prose(10))
    document = read(pdf.save())
    assert texts_of(document, BlockKind.TOC_ENTRY) == [f"{title} {page}" for title, page in ENTRIES]
    assert texts_of(document, BlockKind.TABLE_ROW) == []


def test_entries_are_no_headings_though_they_are_numbered(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 80, "Contents", size=16, font=BOLD)
    for rank, (title, page) in enumerate(ENTRIES):
        pdf.text(72, 120 + 16 * rank, f"{rank + 1}. {title} {'.' * 50} {page}", font=BOLD)
    pdf.next_page()
    pdf.paragraph(72, 80, prose(10))
    document = read(pdf.save())
    assert texts_of(document, BlockKind.HEADING) == ["Contents"]


def test_a_form_with_dots_before_its_boxes_has_no_entries(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, label in enumerate(["Wages", "Interest", "Dividends", "Pensions", "Other income"]):
        pdf.text(72, 100 + 16 * rank, f"{label} {'.' * 50} {rank + 1}")
    assert texts_of(read(pdf.save()), BlockKind.TOC_ENTRY) == []


def test_a_table_of_numbers_is_no_table_of_contents(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    rows = [["Sales", "900"], ["Costs", "20"], ["Taxes", "700"], ["Fees", "3"], ["Rents", "540"], ["Other", "11"]]
    for rank, cells in enumerate(rows):
        pdf.row((72, 400), 100 + 14 * rank, cells)
    assert texts_of(read(pdf.save()), BlockKind.TOC_ENTRY) == []
