"""Whether a hyphen at a line end belongs to the word."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.formats.pdf.structure.hyphens import Vocabulary

from ..pdf_files import PdfFile, prose, read

WORDS = ["the mortgage of the house", "a long-term view", "the long way to a term", "self", "made"]


@pytest.mark.parametrize(
    ("line", "following", "joins"),
    [
        ("a first mort-", "gage on it", True),
        ("a long-", "term view", False),
        ("a self-", "made man", False),
        ("the Anglo-", "American bank", False),
        ("the com\u00ad", "mittee met", True),
        ("in 1999-", "2001 it", False),
        ("no hyphen", "here", False),
        ("", "", False),
    ],
)
def test_the_words_of_the_document_decide(line: str, following: str, joins: bool) -> None:
    assert Vocabulary(WORDS).joins(line, following) is joins


def test_a_word_that_stands_nowhere_else_is_joined() -> None:
    assert Vocabulary([]).joins("the subordi-", "nated notes")


def test_half_words_at_line_ends_are_no_evidence() -> None:
    assert Vocabulary(["a first mort-", "gage is here"]).joins("another mort-", "gage on it")


def test_a_parted_word_is_whole_in_the_block_and_its_hyphen_is_listed(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.lines(72, 100, ["The notes are secured by a first mort-", "gage on all of the buildings, as is said."])
    document = read(pdf.save())
    assert document.texts == ("The notes are secured by a first mortgage on all of the buildings, as is said.",)
    assert document.excluded("hyphen at a line end") == "-"
    assert "mort-" in document.text_layer


def test_a_compound_keeps_its_hyphen(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 60, "A long-term loan is one of ten years.")
    pdf.lines(72, 100, ["The notes are secured by a first and long-", "term loan on all of the buildings."])
    assert "The notes are secured by a first and long-term loan on all" in " ".join(read(pdf.save()).texts)


def test_a_word_parted_by_the_end_of_the_page_is_whole(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(20))
    pdf.text(72, 700, "At the end of the page stand the notes that are secured by a mort-")
    pdf.next_page()
    pdf.paragraph(72, 80, "gage on the buildings. " + prose(10))
    document = read(pdf.save())
    assert "secured by a mortgage on the buildings." in document.reading_text()
