"""Lines of a page: words in their order, cells at wide gaps, raised marks, text of other directions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.pdf.page.extraction import PageRange, read_range
from workbench.documents.formats.pdf.page.pdfium import open_pdf
from workbench.documents.formats.pdf.structure.text_lines import TextLine, pdf_text
from workbench.documents.source import Source

from ..pdf_files import BOLD, ITALIC, REGULAR, PdfFile, prose, read, shown, texts_of, width_of


def range_of(path: Path) -> PageRange:
    """Read all pages of a file."""
    source = Source(path)
    with open_pdf(source, None) as document:
        return read_range(document, source, 0, len(document))


def lines_of(path: Path) -> list[TextLine]:
    return pdf_text([range_of(path)]).lines


def test_words_are_ordered_by_place_not_by_drawing(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 130, "Second line of text.")
    pdf.text(72 + width_of("First line "), 100, "of text.")
    pdf.text(72, 100, "First line")
    assert [line.text for line in lines_of(pdf.save())] == ["First line of text.", "Second line of text."]


def test_a_wide_gap_begins_a_cell_and_a_word_space_does_not(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "Net sales")
    pdf.text(300, 100, "1,234")
    (line,) = lines_of(pdf.save())
    assert [piece.column for piece in line.pieces] == [0, 1]
    assert (line.text, line.cell_edges[1][0]) == ("Net sales 1,234", 300)


def test_a_raised_mark_stays_in_its_line(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "The issuer pays the fee")
    x = 72 + width_of("The issuer pays the fee")
    pdf.text(x, 96.5, "12", size=6)
    pdf.text(x + 9, 100, "in full.")
    pdf.text(72, 112, "A second line follows it.")
    assert len(lines_of(pdf.save())) == 2


def test_a_line_has_the_size_and_style_of_most_of_its_letters(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "Mostly bold", size=14, font=BOLD)
    pdf.text(72 + width_of("Mostly bold ", 14, BOLD), 100, "x", size=9)
    pdf.text(72, 140, "Slanted words", font=ITALIC)
    pdf.text(72, 180, "Upright words")
    first, second, third = lines_of(pdf.save())
    assert (first.size, first.bold, first.italic, first.font) == (14, True, False, "")
    assert (second.bold, second.italic, second.font) == (False, True, ITALIC)
    assert (third.bold, third.italic, third.font) == (False, False, REGULAR)


def test_a_rule_right_below_a_line_underlines_it_and_one_far_below_does_not(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for y, below in ((100, 2), (140, 20)):
        pdf.text(72, y, "Underlined words here")
        pdf.rule(72, y + below, 72 + width_of("Underlined words here"), y + below)
    assert [line.underlined for line in lines_of(pdf.save())] == [True, False]


def test_text_that_runs_upwards_in_the_margin_is_no_part_of_the_prose(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(100, 100, prose(8))
    pdf.canvas.saveState()
    pdf.canvas.translate(40, 500)
    pdf.canvas.rotate(90)
    pdf.canvas.drawString(0, 0, "Archive copy of the trustee")
    pdf.canvas.restoreState()
    document = read(pdf.save())
    assert " ".join(text for text in document.texts if "Archive" not in text) == prose(8)
    assert [text for text in document.texts if "Archive" in text] == ["Archive copy of the trustee"]


def test_a_page_printed_sideways_is_read_as_text(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.canvas.translate(100, 100)
    pdf.canvas.rotate(90)
    pdf.canvas.translate(0, -pdf.size[1])
    pdf.paragraph(0, 100, prose(6), width=500)
    document = read(pdf.save())
    assert (" ".join(document.texts), texts_of(document, BlockKind.HEADER)) == (prose(6), [])


def test_two_lines_that_overlap_a_little_are_two(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.lines(72, 100, ["A narrow setting of lines", "has them close together"], step=7)
    assert [line.text for line in lines_of(pdf.save())] == ["A narrow setting of lines", "has them close together"]


def test_ranges_read_apart_join_to_the_same_lines(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(4):
        pdf.text(72, 60, f"Chapter {number}", size=16, font=BOLD)
        pdf.paragraph(72, 100, prose(3, number))
        pdf.next_page()
    path = pdf.save()
    source = Source(path)
    with open_pdf(source, None) as document:
        parts = [read_range(document, source, first, first + 2) for first in (0, 2)]
    apart, whole = pdf_text(parts), pdf_text([range_of(path)])
    assert [(x.page, x.text, x.pieces) for x in apart.lines] == [(x.page, x.text, x.pieces) for x in whole.lines]
    assert (apart.page_texts, apart.page_sizes) == (whole.page_texts, whole.page_sizes)


def test_a_packed_range_is_equal_to_the_range(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(3))
    found = range_of(pdf.save())
    again = PageRange.unpack(found.pack())
    assert again.pack() == found.pack()
    assert (again.text, again.fonts) == (found.text, found.fonts)


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(5)))
def test_lines_come_from_top_to_bottom_in_whatever_order_they_are_drawn(
    tmp_path_factory: pytest.TempPathFactory, order: list[int]
) -> None:
    pdf = PdfFile(tmp_path_factory.mktemp("lines") / "a.pdf")
    for rank in order:
        pdf.text(72, 100 + 30 * rank, f"This is the line with number {rank}.")
    texts = [text for _, text in shown(read(pdf.save()))]
    assert "".join(character for text in texts for character in text if character.isdigit()) == "01234"
