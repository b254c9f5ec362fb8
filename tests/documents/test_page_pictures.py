"""Pictures of many pages: small, sharp, always the same, and what fails costs its own page."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from workbench.documents import Document, ReadOptions, join_documents, open_collection, open_document
from workbench.documents import page_pictures as module
from workbench.documents.page_images import MOST_PIXELS, MOST_SIDE, page_image
from workbench.documents.page_palettes import COLOURS, picture_bytes
from workbench.documents.page_pictures import JOB_PAGES, MOST_FAULTS, PagePicture, page_pictures
from workbench.documents.workers.pool import POOL
from workbench.errors import AnchorMismatch, EncryptedFile, FileMissing, InvalidOption

from .formats.pdf.pdf_files import PdfFile, changed, prose
from .real_documents import real_document
from .test_overlay import two_pages
from .test_page_images import deck

JOBS = "tests.documents.picture_jobs"
Pixels = npt.NDArray[np.uint8]


def pages_in(path: Path, count: int) -> Path:
    pdf = PdfFile(path, (400, 300))
    for page in range(count):
        if page:
            pdf.next_page()
        pdf.text(60, 60, f"Page {page + 1}", size=18)
        pdf.paragraph(60, 100, prose(3, first=page), width=280)
    return pdf.save()


def pixels(picture: PagePicture, mode: str = "RGB") -> Pixels:
    with Image.open(io.BytesIO(picture.data)) as image:
        assert image.format == "WEBP"
        assert image.size == (picture.width, picture.height)
        return np.asarray(image.convert(mode))


def all_at(document: Document, width: int) -> dict[int, int]:
    return dict.fromkeys(range(1, len(document.pages) + 1), width)


def test_every_page_has_the_width_that_was_asked_for_it(tmp_path: Path) -> None:
    document = open_document(pages_in(tmp_path / "a.pdf", 3), isolate=False)
    made = page_pictures(document, {3: 200, 1: 800})
    assert [(page, picture.width, picture.height) for page, picture in made.found.items()] == [
        (1, 800, 600), (3, 200, 150),
    ]  # fmt: skip
    assert made.missing == {}
    assert made.bytes == sum(len(picture.data) for picture in made.found.values())
    assert repr(made.found[1]) == f"PagePicture(800 x 600, {len(made.found[1].data):,} bytes)"
    assert repr(made) == f"PagePictures(2 pages, {made.bytes:,} bytes, 0 missing)"


@pytest.mark.parametrize(("width", "finer"), [(260, 4), (900, 1)])
def test_a_picture_shows_what_the_page_shows(sample_dir: Path, width: int, finer: int) -> None:
    document = open_document(sample_dir.parent / "artifacts" / "group-annual-report.pdf")
    made = page_pictures(document, all_at(document, width))
    assert len(made.found) == len(document.pages)
    for page in (1, 3, 6):
        shown = pixels(made.found[page], "L").astype(np.float64)
        exact = page_image(document, page, width_pixels=finer * width)
        with Image.open(io.BytesIO(exact.data)) as image:
            fine = image.convert("L").resize(shown.shape[::-1], Image.Resampling.BOX)
        assert np.corrcoef(shown.ravel(), np.asarray(fine, np.float64).ravel())[0, 1] > 0.95


def test_pictures_are_the_same_bytes_whatever_is_drawn_with_them(tmp_path: Path) -> None:
    document = open_document(pages_in(tmp_path / "a.pdf", JOB_PAGES + 3), isolate=False)
    together = page_pictures(document, all_at(document, 300))
    again = page_pictures(document, all_at(document, 300), options=ReadOptions(workers=1))
    alone = page_pictures(document, {JOB_PAGES + 2: 300})
    assert together.found == again.found
    assert alone.found[JOB_PAGES + 2] == together.found[JOB_PAGES + 2]


def test_paper_stays_white_and_ink_black_in_few_colours(tmp_path: Path) -> None:
    document = open_document(pages_in(tmp_path / "a.pdf", 1), isolate=False)
    shown = pixels(page_pictures(document, {1: 800}).found[1])
    colours, counts = np.unique(shown.reshape(-1, 3), axis=0, return_counts=True)
    assert len(colours) <= COLOURS[0]
    assert colours[counts.argmax()].tolist() == [255, 255, 255]
    assert colours.min() < 40


def test_a_coloured_bar_on_a_page_of_text_keeps_its_colour(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", (400, 300))
    pdf.paragraph(60, 60, prose(9), width=280)
    pdf.canvas.setFillColorRGB(0.76, 0.72, 0.55)
    pdf.canvas.rect(60, 40, 12, 30, stroke=0, fill=1)
    document = open_document(pdf.save(), isolate=False)
    shown = pixels(page_pictures(document, {1: 800}).found[1]).astype(int)
    bar = shown[480:510, 128:138].reshape(-1, 3).mean(0)
    assert np.abs(bar - [194, 184, 140]).max() < 12


def test_a_photograph_is_kept_smooth_and_small() -> None:
    rows, columns = np.mgrid[0:300, 0:400]
    waves = np.stack([120 + 90 * np.sin(rows / 37 + columns / 53 + shift) for shift in (0, 1, 2)], 2)
    grain = np.random.default_rng(3).normal(0, 6, waves.shape)
    photograph = Image.fromarray(np.clip(waves + grain, 0, 255).astype(np.uint8))
    data = picture_bytes(photograph)
    with Image.open(io.BytesIO(data)) as image:
        off = np.abs(np.asarray(image.convert("RGB"), int) - np.asarray(photograph, int))
    assert len(data) < 12_000
    assert off.mean() < 10


@pytest.mark.parametrize("colours", [1, 2, 5])
def test_a_picture_of_fewer_colours_than_are_tried_comes_out_as_it_is(colours: int) -> None:
    exact = np.linspace(0, 255, colours).astype(np.uint8)[np.indices((40, 50)).sum(0) % colours]
    image = Image.fromarray(np.stack([exact] * 3, 2))
    with Image.open(io.BytesIO(picture_bytes(image))) as shown:
        assert (np.asarray(shown.convert("RGB")) == np.asarray(image)).all()


@pytest.mark.parametrize("size", [(200, 10_000_000), (10_000_000, 200), (9_000, 9_000)])
def test_the_size_that_a_page_claims_does_not_decide_how_large_its_picture_is(
    tmp_path: Path, size: tuple[float, float]
) -> None:
    path = changed(two_pages(tmp_path / "a.pdf"), media=(0, 0, *size))
    picture = page_pictures(open_document(path, isolate=False), {1: 10_000}).found[1]
    assert max(picture.width, picture.height) <= MOST_SIDE
    assert picture.width * picture.height <= MOST_PIXELS * 1.01


def test_slides_are_white_and_texts_have_no_picture(tmp_path: Path) -> None:
    slides = page_pictures(open_document(deck(tmp_path / "a.pptx"), isolate=False), {1: 300})
    assert pixels(slides.found[1]).min() == 255
    (tmp_path / "a.md").write_text("# Notes\n\nInterest is due.\n")
    text = page_pictures(open_document(tmp_path / "a.md", isolate=False), {1: 300})
    assert (text.found, text.missing) == ({}, {})


def test_pages_of_a_folder_are_drawn_from_their_files(tmp_path: Path) -> None:
    two_pages(tmp_path / "b.pdf")
    (tmp_path / "a.md").write_text("# Notes\n\nInterest is due.\n")
    deck(tmp_path / "c.pptx")
    with open_collection(tmp_path) as collection:
        joined = join_documents(list(collection), name="folder", path=tmp_path)
    alone = page_pictures(open_document(tmp_path / "b.pdf", isolate=False), {1: 300, 2: 300})
    made = page_pictures(joined, all_at(joined, 300))
    assert sorted(made.found) == [2, 3, 4]
    assert [made.found[page] for page in (2, 3)] == [alone.found[page] for page in (1, 2)]
    assert pixels(made.found[4]).min() == 255


def test_a_pdf_inside_an_archive_says_what_to_do_to_see_it(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "b.pdf")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(path, "in/b.pdf")
    with open_collection(tmp_path / "a.zip") as collection:
        document = collection.open("in/b.pdf")
    with pytest.raises(FileMissing) as caught:
        page_pictures(document, {1: 300})
    assert str(caught.value) == (
        "in/b.pdf was opened inside an archive, where its pages cannot be drawn; unpack it and open the file."
    )


def test_a_file_that_has_changed_is_refused(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf")
    document = open_document(path, isolate=False)
    path.write_bytes(path.read_bytes() + b"\n%changed\n")
    with pytest.raises(AnchorMismatch) as caught:
        page_pictures(document, {1: 300})
    assert str(caught.value) == "a.pdf has changed since it was opened; open it again to draw its pages."


def test_an_encrypted_file_is_drawn_with_its_password_alone(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf", password="geheim")
    document = open_document(path, isolate=False, password="geheim")
    assert len(page_pictures(document, {1: 300}, options=ReadOptions(password="geheim")).found) == 1
    with pytest.raises(EncryptedFile, match=r"^a\.pdf is encrypted and needs a password; give it as password=…"):
        page_pictures(document, {1: 300})


@pytest.mark.parametrize("width", [0, -3, True, 12.5, "wide"])
def test_a_width_that_is_no_whole_number_above_0_is_refused(tmp_path: Path, width: Any) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(InvalidOption) as caught:
        page_pictures(document, {2: width})
    assert str(caught.value) == f"The width of page 2 is {width!r}; give a whole number of pixels above 0."


def test_a_page_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    with pytest.raises(AnchorMismatch) as caught:
        page_pictures(document, {1: 300, 3: 300})
    assert str(caught.value) == "a.pdf has no page 3; its pages are 1 to 2."


def test_a_damaged_page_costs_its_own_picture_alone(tmp_path: Path) -> None:
    data = pages_in(tmp_path / "whole.pdf", 3).read_bytes()
    damaged = re.sub(rb"/Kids \[ (\d+) 0 R (\d+) 0 R", rb"/Kids [ \1 0 R 9 0 R", data)
    (tmp_path / "a.pdf").write_bytes(damaged)
    document = open_document(tmp_path / "a.pdf", isolate=False)
    made = page_pictures(document, all_at(document, 300))
    assert sorted([*made.found, *made.missing]) == [1, 2, 3]
    ((page, reason),) = made.missing.items()
    assert reason == f"Page {page} of a.pdf is damaged and cannot be drawn (Failed to load page.)."


@pytest.fixture
def _renderer_that_fails(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SPARSEREAD_JOB_MODULES", JOBS)
    monkeypatch.setattr(module, "_JOB", f"{JOBS}:pictures")
    POOL.close()
    POOL._reset()
    yield
    POOL.close()
    POOL._reset()


@pytest.mark.usefixtures("_renderer_that_fails")
@pytest.mark.parametrize("page", [1, 14, 26])
def test_a_page_that_kills_the_renderer_costs_its_own_picture_alone(tmp_path: Path, page: int) -> None:
    document = open_document(pages_in(tmp_path / f"crash-{page}.pdf", 26), isolate=False)
    made = page_pictures(document, all_at(document, 120))
    assert list(made.missing) == [page]
    assert sorted(made.found) == [number for number in range(1, 27) if number != page]
    assert made.missing[page].startswith(f"Page {page} of crash-{page}.pdf could not be drawn: ")


@pytest.mark.usefixtures("_renderer_that_fails")
def test_a_page_that_holds_up_the_renderer_is_left_after_its_time(tmp_path: Path) -> None:
    document = open_document(pages_in(tmp_path / "hang-2.pdf", 4), isolate=False)
    made = page_pictures(document, all_at(document, 120), options=ReadOptions(max_seconds=1.5))
    assert sorted(made.found) == [1, 3, 4]
    assert made.missing == {2: "Page 2 of hang-2.pdf could not be drawn: it took longer than 1.5 s; raise max_seconds."}


@pytest.mark.usefixtures("_renderer_that_fails")
def test_a_file_that_fails_again_and_again_is_given_up_with_a_reason_for_each_page(tmp_path: Path) -> None:
    document = open_document(pages_in(tmp_path / "crash-0.pdf", MOST_FAULTS + 2), isolate=False)
    made = page_pictures(document, all_at(document, 120))
    assert made.found == {}
    assert list(made.missing) == list(range(1, MOST_FAULTS + 3))
    assert made.missing[MOST_FAULTS + 1] == (
        f"Page {MOST_FAULTS + 1} of crash-0.pdf was not drawn, because {MOST_FAULTS} pages before it could not be."
    )


def test_progress_is_told_in_pages_of_all_files_together(tmp_path: Path) -> None:
    pages_in(tmp_path / "a.pdf", 5)
    pages_in(tmp_path / "b.pdf", 4)
    with open_collection(tmp_path) as collection:
        joined = join_documents(list(collection), name="folder", path=tmp_path)
    told: list[tuple[int, int]] = []
    page_pictures(joined, all_at(joined, 120), report=lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {9}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (9, 9)


def test_drawing_can_be_interrupted(tmp_path: Path) -> None:
    document = open_document(pages_in(tmp_path / "a.pdf", 30), isolate=False)

    def interrupt(done: int, total: int) -> None:
        del done, total
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        page_pictures(document, all_at(document, 300), report=interrupt)
    assert len(page_pictures(document, {1: 300}).found) == 1


@pytest.mark.data
@pytest.mark.parametrize("name", ["pdfjs-boundingBox_invalid.pdf", "pdfjs-Pages-tree-refs.pdf", "pdfjs-bomb_giant.pdf"])
def test_a_page_of_an_odd_file_is_drawn_or_says_why_not(data_dir: Path, name: str) -> None:
    document = real_document(data_dir, f"nasty_pdfs/{name}")
    made = page_pictures(document, all_at(document, 240))
    for page, reason in made.missing.items():
        assert re.match(rf"Page {page} of {re.escape(name)} ", reason)
    for picture in made.found.values():
        assert pixels(picture).size


@pytest.mark.data
def test_a_filing_takes_few_bytes_a_page(data_dir: Path) -> None:
    document = real_document(data_dir, "financebench/pdfs/3M_2018_10K.pdf")
    pages = range(1, len(document.pages) + 1, 8)
    thumbnails = page_pictures(document, dict.fromkeys(pages, 300))
    legible = page_pictures(document, dict.fromkeys(pages, 960))
    assert len(thumbnails.found) == len(legible.found) == len(pages)
    assert thumbnails.bytes / len(pages) < 7_000
    assert legible.bytes / len(pages) < 45_000
