"""Rows of tables without rules: lines with cells, numbers in them, and other rows near."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.pdf.structure.rows import RowCell, cells_of

from ..page.test_lines import lines_of
from ..pdf_files import PdfFile, prose, read, rows_of, shown, texts_of, width_of, wrapped

COLUMNS = (72, 300, 400)
BODY = [["Net sales", "1,234", "1,100"], ["Cost of goods", "(900)", "(850)"], ["Gross profit", "334", "250"]]


def cell(text: str) -> RowCell:
    return RowCell(text, 0, 10, 0, 1)


@pytest.mark.parametrize(
    "text", ["1,234", "(900)", "$ 1,234.5", "12.5%", "-3", "—", "n/a", "0.5 %", "€ 12", "1 234", "(0.3)%", "3.2x"]
)
def test_what_stands_for_one_number_is_numeric(text: str) -> None:
    assert cell(text).numeric


@pytest.mark.parametrize("text", ["Net sales", "B7", "A1", "A 1", "C-4", "see 12", "12 and 13 June", "Q", ""])
def test_words_are_not_numeric(text: str) -> None:
    assert not cell(text).numeric


@pytest.mark.parametrize("text", ["2023", "FY 2023", "Q4", "2023年"])
def test_years_and_quarters_name_a_column(text: str) -> None:
    assert cell(text).yearlike


def test_a_number_of_four_digits_that_is_no_year_names_none() -> None:
    assert not cell("1,999").yearlike
    assert not cell("3023").yearlike


def test_a_currency_sign_and_a_closing_mark_belong_to_their_number(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for x, text in ((72, "Net sales"), (300, "$"), (330, "1,234"), (400, "(12"), (440, "%)")):
        pdf.text(x, 100, text)
    (line,) = lines_of(pdf.save())
    assert [found.text for found in cells_of(line)] == ["Net sales", "$ 1,234", "(12%)"]


def test_lines_of_a_label_and_numbers_are_rows(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(4)) + 20
    for rank, cells in enumerate(BODY):
        pdf.row(COLUMNS, y + 14 * rank, cells)
    pdf.paragraph(72, y + 70, prose(4, 3))
    document = read(pdf.save())
    assert rows_of(document) == BODY
    assert len(texts_of(document, BlockKind.TABLE)) == 1


def test_prose_is_no_table_though_it_names_numbers(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    text = "In 2023 sales rose by 12 % to 1,234 million, and 56 of 78 shops were open in 2022 and 2021. "
    pdf.paragraph(72, 100, text * 6)
    assert {block.kind for block in read(pdf.save()).blocks} == {BlockKind.PARAGRAPH}


def test_justified_prose_with_wide_gaps_is_no_table(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, line in enumerate(wrapped(prose(10), 300)[:-1]):
        words = line.split()
        gap = (330 - sum(map(width_of, words))) / max(1, len(words) - 1)
        x = 72.0
        for word in words:
            pdf.text(x, 100 + 12 * rank, word)
            x += width_of(word) + gap
    assert {block.kind for block in read(pdf.save()).blocks} == {BlockKind.PARAGRAPH}


def test_a_numbered_list_with_a_gap_behind_its_numbers_is_no_table(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, text in enumerate(["The issuer pays.", "The trustee informs.", "The holder agrees."]):
        pdf.row((72, 108), 100 + 16 * rank, [f"{rank + 1}.", text])
    document = read(pdf.save())
    assert shown(document) == [
        ("list_item", "1. The issuer pays."),
        ("list_item", "2. The trustee informs."),
        ("list_item", "3. The holder agrees."),
    ]


def test_a_label_between_two_rows_belongs_to_the_table(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate([*BODY, ["Fixed assets", "", ""], *BODY]):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    document = read(pdf.save())
    assert rows_of(document) == [*BODY, ["Fixed assets"], *BODY]
    assert len(texts_of(document, BlockKind.TABLE)) == 1
