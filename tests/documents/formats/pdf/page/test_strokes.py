"""Rules and images of a page, as rectangles in points of the visible page."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader  # type: ignore[import-untyped]

from workbench.documents.formats.pdf.page.geometry import page_geometry
from workbench.documents.formats.pdf.page.pdfium import open_page
from workbench.documents.formats.pdf.page.strokes import Strokes, read_strokes
from workbench.documents.pages import PageStatus

from ..pdf_files import PdfFile, changed, prose, read


def strokes_of(path: Path) -> Strokes:
    pdf = pypdfium2.PdfDocument(path)
    with open_page(pdf, 0) as (page, _):
        found = read_strokes(page, page_geometry(page))
    pdf.close()
    return found


def draw_image(pdf: PdfFile, x: float, y: float, width: float, height: float) -> None:
    """Draw a grey image; ``y`` is its lower edge from the page's top."""
    data = BytesIO()
    Image.new("L", (4, 4), 128).save(data, "PNG")
    pdf.canvas.drawImage(ImageReader(data), x, pdf.size[1] - y, width, height)


def test_a_rule_is_a_thin_rectangle_at_its_place(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.rule(72, 100, 300, 100)
    (box,) = strokes_of(pdf.save()).box.tolist()
    assert box == pytest.approx([72, 100, 300, 100], abs=1)


def test_a_filled_thin_area_is_a_rule_and_a_shade_is_none(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.canvas.rect(72, 600, 200, 0.5, stroke=0, fill=1)
    pdf.canvas.rect(72, 400, 200, 50, stroke=0, fill=1)
    boxes = strokes_of(pdf.save()).box
    assert len(boxes) == 1
    assert boxes[0, 1] == pytest.approx(792 - 600.5, abs=0.1)


def test_rules_in_a_form_stand_where_the_form_is_drawn(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.canvas.beginForm("frame")
    pdf.canvas.line(0, 0, 100, 0)
    pdf.canvas.endForm()
    pdf.canvas.translate(50, 300)
    pdf.canvas.scale(2, 2)
    pdf.canvas.doForm("frame")
    (box,) = strokes_of(pdf.save()).box.tolist()
    assert box == pytest.approx([50, 492, 250, 492], abs=3)


def test_rules_turn_with_the_page(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.rule(72, 100, 300, 100)
    (box,) = strokes_of(changed(pdf.save(), rotation=90)).box.tolist()
    assert box == pytest.approx([692, 72, 692, 300], abs=1)


def test_rules_beyond_the_page_are_left_out(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.rule(-300, 100, -50, 100)
    assert len(strokes_of(pdf.save()).box) == 0


def test_images_are_counted_and_the_largest_has_its_share_of_the_page(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (400, 200))
    draw_image(pdf, 0, 200, 200, 200)
    draw_image(pdf, 300, 50, 20, 20)
    found = strokes_of(pdf.save())
    assert found.images == 2
    assert found.image_share == pytest.approx(0.5)


def test_a_page_with_nothing_but_an_image_is_a_scan_and_is_warned_of(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(3))
    pdf.next_page()
    draw_image(pdf, 0, 792, 612, 792)
    pdf.next_page()
    pdf.rule(72, 100, 300, 100)
    document = read(pdf.save())
    assert [page.status for page in document.pages] == [PageStatus.TEXT, PageStatus.NO_TEXT, PageStatus.BLANK]
    assert [page.images for page in document.pages] == [0, 1, 0]
    (warning,) = document.warnings
    assert (warning.code, warning.pages) == ("no_text", (2,))
    assert warning.message == "Page 2 has no text layer (images only): its content cannot be read or searched."


def test_several_scans_are_counted(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(3))
    for _ in range(2):
        pdf.next_page()
        draw_image(pdf, 0, 792, 612, 792)
    (warning,) = read(pdf.save()).warnings
    assert (warning.message, warning.pages) == (
        "2 of 3 pages have no text layer (images only): their content cannot be read or searched.",
        (2, 3),
    )


def test_a_picture_beside_text_does_not_make_a_scan(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    draw_image(pdf, 0, 792, 612, 792)
    pdf.paragraph(72, 100, prose(3))
    document = read(pdf.save())
    assert (document.pages[0].status, document.warnings) == (PageStatus.TEXT, ())


def test_scans_under_a_stamp_that_repeats_have_no_text_of_their_own(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 5):
        draw_image(pdf, 0, 792, 612, 792)
        pdf.text(72, 30, f"Case 12-345 Document 6 Page {number} of 4", size=8)
        pdf.next_page()
    document = read(pdf.save())
    assert {page.status for page in document.pages} == {PageStatus.NO_TEXT}
    assert len(document.blocks) == 4
