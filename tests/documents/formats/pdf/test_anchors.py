"""Every anchor leads back to the same text in the original, and no text is lost, whatever the layout."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.documents.blocks import BlockKind

from .pdf_files import BOLD, CHINESE, ITALIC, MONO, REGULAR, PdfFile, changed, prose, read

TEXTS = ("Net sales rose", "mort-", "gage", "1,234", "(900)", "• item", "Total", "See note 4.", "2023", "Page 3", "x")
CHINESE_TEXTS = ("公司的收入增长", "第一节", "（一）", "2023年")

MARK = st.tuples(
    st.integers(0, 1),
    st.integers(10, 560),
    st.integers(15, 780),
    st.sampled_from([5, 8, 10, 10, 10, 16, 24]),
    st.sampled_from([REGULAR, BOLD, ITALIC, MONO]),
    st.sampled_from(TEXTS),
)


def text_layer_by_pdfium(path: Path) -> str:
    """Read the text of all pages by pypdfium2's own interface."""
    pdf = pypdfium2.PdfDocument(path)
    parts = []
    for page in pdf:
        text = page.get_textpage()
        parts.append(text.get_text_range().replace("\ufffe", "-") + "\f")
        text.close()
        page.close()
    pdf.close()
    return "".join(parts)


def assert_anchors_lead_back(path: Path, **options: int) -> None:
    """Read a file, then look every block up in a text layer that somebody else has read."""
    document = read(path, **options)
    layer = text_layer_by_pdfium(path)
    assert document.text_layer == layer
    for block in document.blocks:
        assert block.anchor.read(layer) == block.text
        assert all(document.page_of(piece.start_char) in block.anchor.pages for piece in block.anchor.pieces)
        for box in block.anchor.boxes:
            page = document.pages[box.page - 1]
            assert box.page in block.anchor.pages
            assert box.x0 <= box.x1
            assert box.top <= box.bottom
            assert -page.width < box.x0 < page.width + 1
            assert -page.height < box.top < page.height + 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MARK, max_size=40), st.lists(st.tuples(st.integers(20, 500), st.integers(20, 700)), max_size=8))
def test_anchors_lead_back_on_random_pages(
    tmp_path: Path,
    marks: list[tuple[int, int, int, int, str, str]],
    rules: list[tuple[int, int]],
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for page in (0, 1):
        for number, x, y, size, font, text in marks:
            if number == page:
                pdf.text(x, y, text, size=size, font=font)
        for x, y in rules:
            pdf.rule(x, y, x + 90, y)
            pdf.rule(x, y, x, y + 60)
        pdf.next_page()
    assert_anchors_lead_back(pdf.save())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20), st.sampled_from(TEXTS + CHINESE_TEXTS)), max_size=60),
    st.integers(0, 3),
    st.sampled_from([64, 512]),
)
def test_anchors_lead_back_on_random_tables_of_turned_pages(
    tmp_path: Path, cells: list[tuple[int, int, str]], turns: int, limit: int
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 60, prose(2))
    for column, row, text in cells:
        pdf.text(72 + 130 * column, 100 + 14 * row, text, font=CHINESE if text in CHINESE_TEXTS else REGULAR)
    pdf.paragraph(72, 500, prose(6))
    assert_anchors_lead_back(changed(pdf.save(), rotation=90 * turns), max_block_chars=limit)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(100, 460), st.integers(0, 20)), min_size=1, max_size=8))
def test_running_text_is_read_whole_and_in_order(tmp_path: Path, parts: list[tuple[int, int, int]]) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 60.0
    for sentences, width, gap in parts:
        if y > 560:
            pdf.next_page()
            y = 60.0
        y = pdf.paragraph(72, y, prose(sentences), width=max(width, 100 + 40 * sentences)) + gap
    path = pdf.save()
    assert_anchors_lead_back(path)
    assert " ".join(read(path).texts) == " ".join(prose(sentences) for sentences, _, _ in parts)


def test_anchors_lead_back_through_hyphens_columns_and_page_ends(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(3):
        pdf.text(72, 40, "A book of terms", size=8)
        pdf.paragraph(72, 80, "gage on the buildings. " + prose(9, number), width=220)
        pdf.lines(72, 400, ["All notes are secured by a first mort-", "gage on the buildings."])
        pdf.paragraph(320, 80, prose(9, number + 2) + " At the end stands a mort-", width=220)
        pdf.grid((72, 240, 440), (500, 520, 540, 560), [["Class", "Value"], ["Land", "1,100"], ["Plant", "900"]])
        pdf.next_page()
    assert_anchors_lead_back(pdf.save())


def test_a_text_of_another_version_does_not_fit_the_anchors(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(3))
    first = read(pdf.save()).blocks[0]
    pdf = PdfFile(tmp_path / "b.pdf")
    pdf.paragraph(72, 80, "Beta. " + prose(3))
    assert first.kind is BlockKind.PARAGRAPH
    assert first.anchor.read(text_layer_by_pdfium(pdf.save())) != first.text


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_boxes_of_a_block_stand_below_each_other_as_its_lines_do(tmp_path: Path, turns: int) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(5))
    (block,) = read(changed(pdf.save(), rotation=90 * turns), max_block_chars=2_000).blocks
    places = [(box.top, -box.x1, -box.bottom, box.x0)[turns] for box in block.anchor.boxes]
    assert places == sorted(places)
    assert len(set(places)) == len(places) == 3
