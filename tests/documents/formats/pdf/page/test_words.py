"""The text of a page and its words: places, sizes, spaces, hyphens, doubled letters and rare characters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.pdf.page.fonts import FontReader
from workbench.documents.formats.pdf.page.geometry import page_geometry
from workbench.documents.formats.pdf.page.pdfium import open_page
from workbench.documents.formats.pdf.page.words import PageWords, read_words

from ..pdf_files import BOLD, CHINESE, REGULAR, PdfFile, pdf_that_spells, prose, read, shown, width_of


def words_of(path: Path) -> tuple[PageWords, FontReader]:
    """Read the words of the first page."""
    fonts = FontReader()
    pdf = pypdfium2.PdfDocument(path)
    with open_page(pdf, 0) as (page, text):
        words = read_words(text, page_geometry(page), fonts)
    pdf.close()
    return words, fonts


def spelt(words: PageWords) -> list[str]:
    return [words.text[start:end] for start, end in zip(words.start.tolist(), words.end.tolist(), strict=True)]


def test_a_word_has_the_box_size_and_font_with_which_it_is_drawn(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "Net sales")
    pdf.text(300, 500, "rose", size=16, font=BOLD)
    words, fonts = words_of(pdf.save())
    assert spelt(words) == ["Net", "sales", "rose"]
    assert words.size.tolist() == [10, 10, 16]
    assert [fonts.fonts[font].bold for font in words.font] == [False, False, True]
    sales, rose = words.box[1].tolist(), words.box[2].tolist()
    assert sales[0] == pytest.approx(72 + width_of("Net "), abs=0.1)
    assert sales[2] == pytest.approx(72 + width_of("Net sales"), abs=0.1)
    assert sales[1] < 100 < sales[3] < 105
    assert (rose[0], rose[2]) == pytest.approx((300, 300 + width_of("rose", 16, BOLD)), abs=0.1)
    assert rose[1] < 500 - 8 < 500 < rose[3]


def test_a_page_without_text_has_no_words(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.rule(10, 10, 90, 10)
    words, _ = words_of(pdf.save())
    assert (len(words), words.text, words.box.shape) == (0, "", (0, 4))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_turned_text_has_its_reading_direction_in_quarter_turns_clockwise(tmp_path: Path, degrees: int) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.canvas.translate(300, 400)
    pdf.canvas.rotate(-degrees)
    pdf.canvas.setFont(REGULAR, 10)
    pdf.canvas.drawString(0, 0, "Sideways")
    words, _ = words_of(pdf.save())
    assert (spelt(words), words.direction.tolist()) == (["Sideways"], [degrees // 90])
    assert words.size[0] == pytest.approx(10)
    wide, tall = (words.box[0, 2:] - words.box[0, :2]).tolist()
    assert (wide > tall) is (degrees % 180 == 0)


def test_the_size_of_scaled_text_is_the_size_that_is_seen(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.canvas.scale(2, 2)
    pdf.text(30, 500, "Large", size=7)
    words, _ = words_of(pdf.save())
    assert words.size.tolist() == pytest.approx([14])


def test_letters_that_are_placed_one_by_one_make_one_word(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    x = 72.0
    for letter in "Together apart":
        if letter != " ":
            pdf.text(x, 100, letter)
        x += width_of(letter) + 0.3
    assert shown(read(pdf.save())) == [("paragraph", "Together apart")]


def test_fake_bold_is_read_once_and_the_second_drawing_is_listed(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "Warning of loss", size=12)
    pdf.paragraph(72, 140, prose(7), width=300)
    pdf.text(72.3, 100, "Warning of loss", size=12)
    document = read(pdf.save())
    assert " ".join(document.texts) == "Warning of loss " + prose(7)
    assert document.excluded("drawn twice at the same place").split() == ["Warning", "of", "loss"]


@pytest.mark.parametrize("shift", [0.0, 0.4])
def test_a_text_that_is_drawn_again_after_others_is_read_once(tmp_path: Path, shift: float) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    end = pdf.paragraph(72, 100, prose(16))
    other = pdf.paragraph(72, end + 30, prose(5, 3))
    pdf.paragraph(72 + shift, 100, prose(16))
    pdf.paragraph(72 + shift, end + 30, prose(5, 3))
    document = read(pdf.save())
    assert other < 400
    assert " ".join(document.texts) == f"{prose(16)} {prose(5, 3)}"
    assert sorted(document.excluded("drawn twice at the same place").split()) == sorted(
        f"{prose(16)} {prose(5, 3)}".split()
    )


def test_fake_bold_letter_by_letter_is_read_once(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    x = 72.0
    for letter in "ANNOUNCED":
        for shift in (0, 0.3):
            pdf.text(x + shift, 100, letter, size=12)
        x += width_of(letter, 12)
    pdf.text(72, 130, "A bookkeeper keeps the book of success.")
    document = read(pdf.save())
    assert [text for _, text in shown(document)] == ["ANNOUNCED", "A bookkeeper keeps the book of success."]


def test_a_word_at_a_line_end_keeps_its_hyphen_in_the_text_layer(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.lines(72, 100, ["The notes are secured by a first mort-", "gage on the buildings."])
    words, _ = words_of(pdf.save())
    assert spelt(words)[-5:] == ["mort-", "gage", "on", "the", "buildings."]
    assert words.hyphen.tolist() == [word == "mort-" for word in spelt(words)]
    assert "\ufffe" not in words.text


def test_characters_beyond_the_basic_plane_are_one_code_point(tmp_path: Path) -> None:
    path = pdf_that_spells(tmp_path / "a.pdf", "a bcd\nefg", {"a": "\U0001f642", "e": "\U00020000"})
    words, _ = words_of(path)
    assert spelt(words) == ["\U0001f642", "bcd", "\U00020000fg"]


def test_a_lone_surrogate_becomes_the_replacement_character(tmp_path: Path) -> None:
    path = pdf_that_spells(tmp_path / "a.pdf", "word and word", {})
    broken = path.read_bytes().replace(b"0 beginbfchar\n\n", b"1 beginbfchar\n<61> <D83D>\n")
    path.write_bytes(broken)
    words, _ = words_of(path)
    assert words.text == "word \ufffdnd word"


def test_a_chinese_line_is_text_with_a_box_for_each_part(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.lines(72, 100, ["公司的收入在本年度增长了百分之三，", "主要来自海外市场。"], font=CHINESE, step=16)
    document = read(pdf.save())
    (block,) = document.blocks
    assert (block.kind, block.text) == (BlockKind.PARAGRAPH, "公司的收入在本年度增长了百分之三，主要来自海外市场。")
    assert [round(box.x1 - box.x0) for box in block.anchor.boxes] == [170, 90]


def test_boxes_of_words_are_finite_for_fonts_without_ascent(tmp_path: Path) -> None:
    words, _ = words_of(pdf_that_spells(tmp_path / "a.pdf", "some words\nand more", {"z": "z"}))
    assert np.isfinite(words.box).all()
    assert (words.box[:, 3] - words.box[:, 1] > 1).all()
