"""Bookmarks and printed page labels."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.pdf.outline import OutlineEntry, read_outline, read_page_labels

from .pdf_files import BOLD, PdfFile, prose, raw_pdf, read, texts_of


def with_bookmarks(path: Path) -> Path:
    """Write two pages with nested bookmarks."""
    pdf = PdfFile(path)
    for page, titles in enumerate([[("Terms", 0), ("Interest", 1)], [("Rights", 0)]]):
        y = 80.0
        for title, level in titles:
            pdf.canvas.bookmarkPage(title)
            pdf.canvas.addOutlineEntry(title, title, level)
            pdf.text(72, y, title, size=12, font=BOLD)
            y = pdf.paragraph(72, y + 20, prose(5, page)) + 24
        pdf.next_page()
    return pdf.save()


def with_labels(path: Path, pages: int, labels: str) -> Path:
    kids = " ".join(f"{3 + n} 0 R" for n in range(pages))
    leaf = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>"
    catalog = f"<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [{labels}] >> >>"
    return raw_pdf(path, [catalog, f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>", *[leaf] * pages])


def test_bookmarks_have_title_depth_and_page(tmp_path: Path) -> None:
    pdf = pypdfium2.PdfDocument(with_bookmarks(tmp_path / "a.pdf"))
    assert read_outline(pdf) == [
        OutlineEntry("Terms", 1, 0),
        OutlineEntry("Interest", 2, 0),
        OutlineEntry("Rights", 1, 1),
    ]
    pdf.close()


def test_headings_that_are_bookmarked_have_the_depth_of_their_bookmark(tmp_path: Path) -> None:
    document = read(with_bookmarks(tmp_path / "a.pdf"))
    levels = {block.text: block.level for block in document.blocks if block.level}
    assert set(levels) == {"Terms", "Interest", "Rights"}
    assert levels["Terms"] == levels["Rights"] == levels["Interest"] - 1


def test_a_bookmark_that_names_no_line_makes_no_heading(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.canvas.bookmarkPage("x")
    pdf.canvas.addOutlineEntry("Something that stands nowhere", "x", 0)
    pdf.paragraph(72, 80, prose(5))
    assert {block.kind.value for block in read(pdf.save()).blocks} == {"paragraph"}


def test_a_document_without_bookmarks_has_none(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 80, "Nothing")
    opened = pypdfium2.PdfDocument(pdf.save())
    assert (read_outline(opened), read_page_labels(opened, 1)) == ([], [""])
    opened.close()


def test_pages_carry_the_labels_that_are_printed_on_them(tmp_path: Path) -> None:
    labels = "0 << /S /r >> 2 << /S /D /St 1 >> 4 << /S /D /P (A-) >>"
    path = with_labels(tmp_path / "a.pdf", 5, labels)
    assert [page.label for page in read(path).pages] == ["i", "ii", "1", "2", "A-1"]


def test_a_damaged_outline_does_not_cost_the_document(tmp_path: Path) -> None:
    path = with_bookmarks(tmp_path / "a.pdf")
    path.write_bytes(path.read_bytes().replace(b"/Outlines", b"/Outlinez").replace(b"/Title", b"/Tatle"))
    assert len(texts_of(read(path))) == 0
    assert len(read(path).blocks) == 6


def with_entries(path: Path, *entries: tuple[str, int]) -> Path:
    """Write a page with bookmarks (title, depth from 0) that all lead to it."""
    pdf = PdfFile(path)
    pdf.text(72, 80, "Terms")
    for title, depth in entries:
        pdf.canvas.bookmarkPage(title)
        pdf.canvas.addOutlineEntry(title, title, depth)
    return pdf.save()


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([("Annual report", 0), ("Terms", 1), ("Interest", 2), ("Rights", 1)], ["Terms 1", "Interest 2", "Rights 1"]),
        (
            [("Annual report", 0), ("Terms", 0), ("Interest", 1), ("Rights", 0)],
            ["Annual report 1", "Terms 1", "Interest 2", "Rights 1"],
        ),
        ([("Terms", 0), ("Interest", 1)], ["Terms 1", "Interest 2"]),
    ],
    ids=["one root", "several roots", "a chapter with its part"],
)
def test_a_single_entry_that_holds_all_others_names_the_file_and_is_left_out(
    tmp_path: Path, entries: list[tuple[str, int]], found: list[str]
) -> None:
    pdf = pypdfium2.PdfDocument(with_entries(tmp_path / "a.pdf", *entries))
    assert [f"{entry.title} {entry.level}" for entry in read_outline(pdf)] == found
    pdf.close()


def test_a_line_that_the_outline_lists_is_a_heading_though_it_is_set_like_the_text(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 80.0
    for title in ("Terms of the notes", "Rights of the holders"):
        pdf.canvas.bookmarkPage(title)
        pdf.canvas.addOutlineEntry(title, title, 0)
        pdf.text(72, y, title)
        y = pdf.paragraph(72, y + 24, prose(5)) + 24
    pdf.text(72, y, "Duties of the trustee")
    pdf.paragraph(72, y + 24, prose(5))
    found = texts_of(read(pdf.save()), BlockKind.HEADING)
    assert found == ["Terms of the notes", "Rights of the holders"]
