"""Pictures of pages: how large, of what kind, and that blocks' boxes lie where the ink is."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pptx
import pytest
from PIL import Image
from pptx.util import Pt

from workbench.documents import Document, ReadOptions, join_documents, open_collection, open_document
from workbench.documents.page_boxes import PageBoxes
from workbench.documents.page_images import MOST_PIXELS, MOST_SIDE, PageImage, page_image
from workbench.errors import (
    AnchorMismatch,
    DamagedFile,
    EncryptedFile,
    FileMissing,
    InvalidOption,
    LimitExceeded,
    UnsupportedFormat,
)

from .formats.pdf.pdf_files import PdfFile, changed, prose
from .real_documents import real_document
from .test_overlay import two_pages

Grey = npt.NDArray[np.uint8]


def pixels(image: PageImage) -> Grey:
    with Image.open(io.BytesIO(image.data)) as opened:
        assert opened.size == (image.width, image.height)
        return np.array(opened.convert("L"))


def drawn(document: Document, page: int, width: int = 800) -> Grey:
    return pixels(page_image(document, page, width_pixels=width))


def places(document: Document, page: int, picture: Grey, pad: float) -> list[tuple[slice, slice]]:
    """Rows and columns of the picture behind each box of the page."""
    scale_y, scale_x = np.array(picture.shape) / (document.pages[page - 1].height, document.pages[page - 1].width)
    _, boxes = PageBoxes(document).on(page)
    return [
        (
            slice(max(0, int((top - pad) * scale_y)), int((bottom + pad) * scale_y) + 1),
            slice(max(0, int((x0 - pad) * scale_x)), int((x1 + pad) * scale_x) + 1),
        )
        for x0, top, x1, bottom in boxes.tolist()
    ]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize(
    "frames",
    [
        {},
        {"crop": (30, 20, 390, 290)},
        {"media": (-50, -80, 450, 400)},
        {"media": (10, 5, 395, 300), "crop": (25, 30, 380, 280)},
    ],
    ids=["whole", "cropped", "shifted", "shifted and cropped"],
)
def test_all_ink_of_a_page_lies_in_the_boxes_of_its_blocks(
    tmp_path: Path, rotation: int, frames: dict[str, Any]
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (400, 300))
    pdf.text(60, 60, "Terms of the notes", size=18)
    pdf.paragraph(60, 100, prose(3), width=280)
    document = open_document(changed(pdf.save(), rotation=rotation, **frames), isolate=False)
    picture = drawn(document, 1)
    found = places(document, 1, picture, pad=2.5)
    assert len(found) >= 2
    for place in found:
        assert picture[place].min() < 100, "no ink in a box"
        picture[place] = 255
    assert picture.min() > 200, "ink outside every box"


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("plumber-issue-1054-example.pdf", 1),  # turned, and a crop box far from the origin
        ("pypdf-habibi-rotated.pdf", 2),
        ("pypdf-habibi-rotated.pdf", 4),
        ("pdfjs-160F-2019.pdf", 1),  # an origin of -12, -12
        ("plumber-senate-expenditures.pdf", 1),
        ("plumber-issue-140-example.pdf", 1),
        ("pdfjs-freeculture.pdf", 30),  # crop boxes smaller than media boxes
        ("pdfjs-copy_paste_ligatures.pdf", 1),
        ("plumber-issue-336-example.pdf", 1),
    ],
)
def test_boxes_lie_on_ink_in_odd_files(data_dir: Path, name: str, page: int) -> None:
    document = real_document(data_dir, f"nasty_pdfs/{name}")
    picture = drawn(document, page, 1600)
    found = places(document, page, picture, pad=1)
    assert found
    inked = [np.ptp(picture[place]) > 60 for place in found if picture[place].size]
    assert len(inked) == len(found)
    assert np.mean(inked) > 0.9  # a form has fields with nothing in them
    ink = picture < 128
    boxed = np.zeros_like(ink)
    for place in found:
        boxed[place] = True
    assert ink[boxed].mean() > 1.04 * ink.mean()


def test_a_page_without_colours_is_a_png_and_one_with_colours_a_jpeg(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (400, 300))
    pdf.paragraph(60, 100, prose(2), width=280)
    pdf.next_page()
    pdf.canvas.setFillColorRGB(0.8, 0.1, 0.1)
    pdf.paragraph(60, 100, prose(2), width=280)
    document = open_document(pdf.save(), isolate=False)
    grey, coloured = page_image(document, 1), page_image(document, 2)
    assert (grey.media_type, grey.data[:4]) == ("image/png", b"\x89PNG")
    assert (coloured.media_type, coloured.data[:2]) == ("image/jpeg", b"\xff\xd8")
    assert repr(grey) == f"PageImage(image/png, 1200 x 900, {len(grey.data):,} bytes)"


@pytest.mark.parametrize("size", [(200, 10_000_000), (10_000_000, 200), (1, 14_400), (9_000, 9_000)])
def test_the_size_that_a_page_claims_does_not_decide_how_large_its_picture_is(
    tmp_path: Path, size: tuple[float, float]
) -> None:
    path = changed(two_pages(tmp_path / "a.pdf"), media=(0, 0, *size))
    picture = page_image(open_document(path, isolate=False), 1, width_pixels=100_000)
    assert max(picture.width, picture.height) <= MOST_SIDE
    assert picture.width * picture.height <= MOST_PIXELS * 1.01


def test_a_slide_is_a_white_page(tmp_path: Path) -> None:
    document = open_document(deck(tmp_path / "a.pptx"), isolate=False)
    image = page_image(document, 1, width_pixels=300)
    assert (image.media_type, image.width) == ("image/png", 300)
    assert pixels(image).min() == 255
    blocks, boxes = PageBoxes(document).on(1)
    assert [document.texts[block] for block in blocks] == ["Sales rose"]
    assert boxes.round().tolist() == [[100, 100, 300, 150]]


def deck(path: Path) -> Path:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(Pt(100), Pt(100), Pt(200), Pt(50)).text_frame.text = "Sales rose"
    presentation.save(str(path))
    return path


def test_pages_of_a_folder_are_drawn_from_their_files(tmp_path: Path) -> None:
    two_pages(tmp_path / "b.pdf")
    (tmp_path / "a.md").write_text("# Notes\n\nInterest is due.\n")
    deck(tmp_path / "c.pptx")
    with open_collection(tmp_path) as collection:
        joined = join_documents(list(collection), name="folder", path=tmp_path)
    alone = open_document(tmp_path / "b.pdf", isolate=False)
    assert [page.width == page.width for page in joined.pages] == [False, True, True, True]
    for page in (1, 2):
        assert page_image(joined, page + 1).data == page_image(alone, page).data
    assert pixels(page_image(joined, 4)).min() == 255
    with pytest.raises(UnsupportedFormat) as caught:
        page_image(joined, 1)
    assert str(caught.value) == "a.md has no pages to draw on (markdown); choose a PDF or slides."


def test_a_pdf_inside_an_archive_says_what_to_do_to_see_it(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "b.pdf")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "in/b.pdf")
    with open_collection(tmp_path / "a.zip") as collection:
        document = collection.open("in/b.pdf")
    joined = join_documents([document], name="a.zip", path=tmp_path / "a.zip")
    for within in (document, joined):
        with pytest.raises(FileMissing) as caught:
            page_image(within, 1)
        assert str(caught.value) == (
            "in/b.pdf was opened inside an archive, where its pages cannot be drawn; unpack it and open the file."
        )


@pytest.mark.parametrize("width", [0, -3, True, 12.5, "wide"])
def test_a_width_that_is_no_whole_number_above_0_is_refused(tmp_path: Path, width: Any) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(InvalidOption) as caught:
        page_image(document, 1, width_pixels=width)
    assert str(caught.value) == f"width_pixels is {width!r}; give a whole number above 0."


@pytest.mark.parametrize("page", [0, 3, -1])
def test_a_page_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path, page: int) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(AnchorMismatch) as caught:
        page_image(document, page)
    assert str(caught.value) == f"a.pdf has no page {page}; its pages are 1 to 2."


def test_a_file_that_has_changed_or_is_gone_is_not_drawn(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf")
    document = open_document(path, isolate=False)
    path.write_bytes(path.read_bytes() + b"\n%changed\n")
    with pytest.raises(AnchorMismatch) as changed_file:
        page_image(document, 1)
    assert str(changed_file.value) == "a.pdf has changed since it was opened; open it again to draw its pages."
    path.unlink()
    with pytest.raises(FileMissing) as caught:
        page_image(document, 1)
    assert str(caught.value) == "The file of a.pdf is not there to be drawn; open it from a folder on disk."


def test_an_encrypted_file_is_drawn_with_its_password_alone(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf", password="geheim")
    document = open_document(path, isolate=False, password="geheim")
    assert page_image(document, 1, options=ReadOptions(password="geheim")).width == 1200
    with pytest.raises(EncryptedFile, match=r"^a\.pdf is encrypted and needs a password; give it as password=…"):
        page_image(document, 1)


def test_drawing_has_limits(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(LimitExceeded, match=r"^a\.pdf took longer than 1e-06 s to read; raise max_seconds"):
        page_image(document, 1, options=ReadOptions(max_seconds=1e-6))


@pytest.mark.data
@pytest.mark.parametrize("name", ["pdfjs-boundingBox_invalid.pdf", "pdfjs-Pages-tree-refs.pdf", "pdfjs-bomb_giant.pdf"])
def test_a_page_of_an_odd_file_is_drawn_or_says_why_not(data_dir: Path, name: str) -> None:
    document = real_document(data_dir, f"nasty_pdfs/{name}")
    for page in range(1, len(document.pages) + 1):
        try:
            image = page_image(document, page, width_pixels=400)
        except (DamagedFile, UnsupportedFormat) as error:
            assert str(error).startswith((name, f"Page {page} of {name}"))
        else:
            assert pixels(image).size
