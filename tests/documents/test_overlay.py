"""The picture of a page with its blocks: as large as the page, with a legend, coloured where a block stands."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pptx
import pytest
from PIL import Image
from pptx.util import Pt

from workbench.documents import Document, open_collection, open_document
from workbench.documents.anchors import Box
from workbench.documents.blocks import BlockKind
from workbench.documents.opening import file_sha256
from workbench.documents.options import ReadOptions
from workbench.documents.overlay import MOST_PIXELS, MOST_SIDE, SCALE, draw_overlay, page_overlay
from workbench.errors import (
    AnchorMismatch,
    DamagedFile,
    EncryptedFile,
    FileMissing,
    LimitExceeded,
    UnsupportedFormat,
    WorkbenchError,
)

from .formats.pdf.pdf_files import BOLD, PdfFile, changed, prose

Colour = tuple[int, ...]


def two_pages(path: Path, *, password: str | None = None) -> Path:
    pdf = PdfFile(path, (400, 300), password=password)
    pdf.text(60, 60, "Terms of the notes", size=18, font=BOLD)
    pdf.paragraph(60, 100, prose(3), width=280)
    pdf.next_page()
    pdf.grid((60, 160, 300), (60, 90, 120, 150), [["Class", "Value"], ["Land", "1,100"], ["Plant", "900"]])
    return pdf.save()


def drawn(document: Document, page: int, out: Path, *, password: str | None = None) -> Image.Image:
    draw_overlay(document, page, out, password=password)
    with Image.open(out) as image:
        assert image.format == "PNG"
        return image.convert("RGB")


def colours_in(image: Image.Image, left: float, top: float, right: float, bottom: float) -> set[Colour]:
    part = image.crop((int(left), int(top), int(right), int(bottom)))
    return {colour for _, colour in part.getcolors(maxcolors=1 << 20) or [] if isinstance(colour, tuple)}


def bright(colours: set[Colour]) -> set[Colour]:
    """Return the colours that are neither grey nor pale."""
    return {colour for colour in colours if max(colour) - min(colour) > 90}


def test_the_picture_holds_the_page_and_below_it_a_legend(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    image = drawn(document, 1, tmp_path / "out.png")
    assert image.width >= 400 * SCALE
    assert image.height > 300 * SCALE
    legend = colours_in(image, 0, 300 * SCALE + 1, image.width, image.height)
    outlines = colours_in(image, 0, 0, image.width, 300 * SCALE)
    # Every colour of the legend outlines a block of the page.
    assert len(bright(legend)) >= 2
    assert {colour for colour in bright(legend) if colour in outlines}


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_block_is_coloured_at_its_box(tmp_path: Path, rotation: int) -> None:
    path = changed(two_pages(tmp_path / "a.pdf"), crop=(30, 20, 390, 290), rotation=rotation)
    document = open_document(path, isolate=False)
    image = drawn(document, 1, tmp_path / "out.png")
    page = document.pages[0]
    left = image.width - page.width * SCALE
    assert left >= 0
    found = []
    for block in document.blocks[:2]:
        box = block.anchor.box
        assert isinstance(box, Box)
        edge = colours_in(
            image, left + SCALE * box.x0 + 10, SCALE * box.top - 6, left + SCALE * box.x1 - 10, SCALE * box.top + 2
        )
        assert bright(edge), f"no outline at the top of {block}"
        line = min(block.anchor.boxes, key=lambda found: found.x0)
        x, middle = left + SCALE * line.x0, SCALE * (line.top + line.bottom) / 2
        assert bright(colours_in(image, x - 6, middle, x + 2, middle + 3)), f"no outline at the left of {block}"
        assert not bright(colours_in(image, x - 6, SCALE * box.bottom + 8, x + 2, SCALE * box.bottom + 9))
        found.append(bright(edge))
    first, second = document.blocks[:2]
    assert (found[0] != found[1]) is (first.kind is not second.kind)
    # Nothing is drawn where no block stands.
    lowest = max(box.bottom for block in document.blocks if block.page == 1 for box in block.anchor.boxes)
    if lowest < page.height - 20:
        below = (left, SCALE * (lowest + 6), left + SCALE * page.width, SCALE * page.height - 1)
        assert colours_in(image, *below) == {(255, 255, 255)}


def test_only_kinds_of_the_page_are_in_the_legend(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    legends = [
        bright(colours_in(image, 0, 300 * SCALE + 1, image.width, image.height))
        for image in (drawn(document, 1, tmp_path / "1.png"), drawn(document, 2, tmp_path / "2.png"))
    ]
    assert {block.kind for block in document.blocks if block.page == 2} == {BlockKind.TABLE, BlockKind.TABLE_ROW}
    assert legends[0]
    assert legends[1]
    assert not legends[0] & legends[1]


def test_a_very_large_page_is_drawn_smaller(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (6_000, 4_000))
    pdf.text(300, 300, "A plan", size=80)
    image = drawn(open_document(pdf.save(), isolate=False), 1, tmp_path / "out.png")
    assert image.width * image.height < 20_000_000


@pytest.mark.parametrize("size", [(200, 10_000_000), (10_000_000, 200), (1, 14_400), (9_000, 9_000)])
def test_the_size_that_a_page_claims_does_not_decide_how_large_its_picture_is(
    tmp_path: Path, size: tuple[float, float]
) -> None:
    path = changed(two_pages(tmp_path / "a.pdf"), media=(0, 0, *size))
    picture = page_overlay(open_document(path, isolate=False), 1)
    legend = 20 * 40
    assert picture.width <= MOST_SIDE
    assert picture.height <= MOST_SIDE + legend
    assert picture.width * (picture.height - legend) <= MOST_PIXELS * 1.01


def test_a_page_is_drawn_by_a_worker_and_within_its_limits(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(LimitExceeded) as caught:
        page_overlay(document, 1, options=ReadOptions(max_seconds=1e-6))
    assert str(caught.value).startswith("a.pdf took longer than 1e-06 s to read; raise max_seconds")


def test_an_encrypted_file_is_drawn_with_its_password(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf", password="geheim")
    document = open_document(path, isolate=False, password="geheim")
    assert drawn(document, 1, tmp_path / "out.png", password="geheim").width >= 800


@pytest.mark.parametrize(
    ("password", "problem"),
    [(None, "is encrypted and needs a password"), ("other", "does not open with this password")],
)
def test_without_its_password_an_encrypted_file_is_not_drawn(
    tmp_path: Path, password: str | None, problem: str
) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf", password="geheim"), isolate=False, password="geheim")
    with pytest.raises(EncryptedFile) as caught:
        page_overlay(document, 1, password=password)
    assert str(caught.value) == f"a.pdf {problem}; give it as password=… (or --password)."


def test_what_pdfium_cannot_open_is_told_as_damaged(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf")
    document = open_document(path, isolate=False)
    path.write_bytes(b"%PDF-1.4 and nothing else")
    document.sha256 = file_sha256(path)
    with pytest.raises(DamagedFile, match=r"^a\.pdf is damaged or no PDF"):
        page_overlay(document, 1)


def test_a_file_that_has_changed_is_not_drawn_under_the_blocks_of_the_old_one(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf")
    document = open_document(path, isolate=False)
    path.write_bytes(path.read_bytes() + b"\n%changed\n")
    with pytest.raises(AnchorMismatch) as caught:
        page_overlay(document, 1)
    assert str(caught.value) == "a.pdf has changed since it was opened; open it again to draw its pages."


def test_a_picture_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(WorkbenchError) as caught:
        draw_overlay(document, 1, tmp_path / "nowhere" / "out.png")
    assert str(caught.value) == (
        f"The picture cannot be written to {tmp_path / 'nowhere' / 'out.png'} (No such file or directory); give a "
        "file in a folder that exists and has room."
    )


def test_a_pdf_inside_an_archive_says_what_to_do_to_see_it(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf")
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, "in/a.pdf")
    with open_collection(tmp_path / "a.zip") as collection, pytest.raises(FileMissing) as caught:
        page_overlay(collection.open("in/a.pdf"), 1)
    assert str(caught.value) == (
        "in/a.pdf was opened inside an archive, where its pages cannot be drawn; unpack it and open the file."
    )


def test_slides_are_drawn_on_white(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(Pt(100), Pt(100), Pt(200), Pt(50)).text_frame.text = "Sales rose"
    deck.save(str(tmp_path / "a.pptx"))
    document = open_document(tmp_path / "a.pptx", isolate=False)
    image = drawn(document, 1, tmp_path / "out.png")
    assert image.height > document.pages[0].height * SCALE
    assert bright(colours_in(image, 0, 0, image.width, document.pages[0].height * SCALE))


@pytest.mark.parametrize("page", [0, 3, -1])
def test_a_page_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path, page: int) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(AnchorMismatch) as caught:
        draw_overlay(document, page, tmp_path / "out.png")
    assert str(caught.value) == f"a.pdf has no page {page}; its pages are 1 to 2."
    assert not (tmp_path / "out.png").exists()


def test_a_format_without_pages_to_draw_on_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Terms\n\nInterest is due.\n")
    document = open_document(tmp_path / "a.md", isolate=False)
    with pytest.raises(UnsupportedFormat) as caught:
        draw_overlay(document, 1, tmp_path / "out.png")
    assert str(caught.value) == "a.md has no pages to draw on (markdown); choose a PDF or slides."


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf")
    document = open_document(path, isolate=False)
    path.unlink()
    with pytest.raises(FileMissing) as caught:
        draw_overlay(document, 1, tmp_path / "out.png")
    assert str(caught.value) == "The file of a.pdf is not there to be drawn; open it from a folder on disk."
