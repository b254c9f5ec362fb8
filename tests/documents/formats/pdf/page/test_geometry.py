"""Boxes are points from the top left corner of the page as a reader sees it, whatever its boxes and rotation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.anchors import Box
from workbench.documents.document import Document
from workbench.documents.formats.pdf.page.geometry import PageGeometry, turn_upright

from ..pdf_files import PdfFile, block_with, changed, read

SIDES = st.tuples(
    st.floats(-500, 500, width=32),
    st.floats(-500, 500, width=32),
    st.floats(1, 900, width=32),
    st.floats(1, 900, width=32),
)


def ink_within(path: Path, box: Box) -> float:
    """Return the share of the page's ink that lies in a box, as pdfium renders it."""
    pdf = pypdfium2.PdfDocument(path)
    image = pdf[box.page - 1].render(scale=4).to_pil().convert("L")
    pdf.close()
    ink = np.asarray(image) < 128
    x0, top, x1, bottom = (round(4 * value) for value in box[1:])
    return float(ink[top : bottom + 1, x0 : x1 + 1].sum() / ink.sum())


def one_word(path: Path, size: tuple[float, float] = (400, 300)) -> Path:
    """Write a page with one word, drawn at (120, 90) from the left and top."""
    pdf = PdfFile(path, size)
    pdf.text(120, 90, "Landmark", size=12)
    return pdf.save()


def box_of(document: Document) -> Box:
    box = block_with(document, "Landmark").anchor.box
    assert box is not None
    return box


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize(
    "boxes",
    [
        {},
        {"media": (-100, -200, 400, 300)},
        {"media": (50, 40, 400, 290)},
        {"crop": (100, 150, 350, 280)},
        {"media": (-30, -20, 500, 400), "crop": (90, 100, 390, 290)},
        {"crop": (60, 100, 9_000, 9_000)},
    ],
    ids=["plain", "shifted", "inner", "cropped", "shifted and cropped", "crop beyond media"],
)
def test_the_box_lies_where_a_viewer_shows_the_word(
    tmp_path: Path, boxes: dict[str, tuple[float, float, float, float]], rotation: int
) -> None:
    path = changed(one_word(tmp_path / "a.pdf"), rotation=rotation, **boxes)
    document = read(path)
    assert ink_within(path, box_of(document)) == 1.0
    pdf = pypdfium2.PdfDocument(path)
    assert (document.pages[0].width, document.pages[0].height) == pytest.approx(pdf[0].get_size())
    pdf.close()


def test_the_box_of_a_cropped_page_counts_from_the_crop_box(tmp_path: Path) -> None:
    plain = one_word(tmp_path / "a.pdf")
    whole, part = box_of(read(plain)), box_of(read(changed(plain, crop=(100, 150, 350, 280))))
    assert part[1:] == pytest.approx((whole.x0 - 100, whole.top - 20, whole.x1 - 100, whole.bottom - 20), abs=0.01)


def test_text_beyond_the_crop_box_is_no_block_but_a_listed_exclusion(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (400, 300))
    pdf.text(120, 90, "Landmark", size=12)
    pdf.text(20, 20, "Cropmark", size=12)
    document = read(changed(pdf.save(), crop=(100, 150, 350, 280)))
    assert document.texts == ("Landmark",)
    assert "Cropmark" in document.excluded("outside the visible page")


@given(SIDES, st.integers(0, 3), st.data())
def test_boxes_within_the_visible_rectangle_stay_on_the_page(
    sides: tuple[float, float, float, float], rotation: int, data: st.DataObject
) -> None:
    left, bottom, width, height = sides
    page = PageGeometry(left, bottom, left + width, bottom + height, rotation)
    shares = sorted(data.draw(st.lists(st.floats(0, 1), min_size=2, max_size=2)))
    levels = sorted(data.draw(st.lists(st.floats(0, 1), min_size=2, max_size=2)))
    box = np.array(
        [
            [
                left + shares[0] * width,
                bottom + levels[0] * height,
                left + shares[1] * width,
                bottom + levels[1] * height,
            ]
        ],
        np.float32,
    )
    ((x0, top, x1, low),) = page.to_visible(box).tolist()
    assert -0.01 <= x0 <= x1 + 0.01 <= page.width + 0.02
    assert -0.01 <= top <= low + 0.01 <= page.height + 0.02
    area, turned = (box[0, 2] - box[0, 0]) * (box[0, 3] - box[0, 1]), (x1 - x0) * (low - top)
    assert turned == pytest.approx(area, abs=0.5)


@given(st.integers(0, 3), st.floats(0, 300, width=32), st.floats(0, 200, width=32))
def test_four_quarter_turns_lead_back(turns: int, x: float, y: float) -> None:
    box = np.array([[x, y, x + 40, y + 10]], np.float32)
    once = turn_upright(box, turns, 400, 300)
    size = (400, 300) if turns % 2 == 0 else (300, 400)
    back = turn_upright(once, (4 - turns) % 4, *size)
    assert np.allclose(back, box, atol=0.01)
