"""What the page view tells the browser of pages: their sizes, pictures and boxes, and why one cannot be drawn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.documents.formats.pdf.pdf_files import PdfFile, prose
from tests.documents.test_overlay import two_pages
from tests.documents.test_page_images import deck
from workbench.documents import ReadOptions, open_document
from workbench.documents.page_boxes import PageBoxes
from workbench.documents.page_images import WIDTH_PIXELS
from workbench.errors import InvalidOption
from workbench.reading import Reading, SparseReader
from workbench.widgets import page_view
from workbench.widgets.page_view import PageView


def read(path: Path, question: str = "Who pays interest, and when?", password: str | None = None) -> Reading:
    document = open_document(path, isolate=False, password=password)
    return SparseReader(scorer=None).read(document, question, progress=False)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return two_pages(tmp_path / "a.pdf")


def many_pages(path: Path, count: int) -> Path:
    pdf = PdfFile(path, (400, 300))
    for number in range(count):
        pdf.paragraph(60, 60, prose(2, number), width=280)
        pdf.next_page()
    return pdf.save()


def test_the_browser_gets_sizes_and_places_and_no_text(pdf: Path) -> None:
    reading = read(pdf)
    view = PageView(reading)
    assert np.frombuffer(view.sizes, "<f4").reshape(-1, 2).tolist() == [[400, 300], [400, 300]]
    np.testing.assert_array_equal(np.frombuffer(view.tops, "<f4"), PageBoxes(reading.document).tops)
    assert (view.text, view.offsets, view.labels, view.selected) == (b"", b"", [], -1)


def test_a_page_comes_with_its_picture_and_boxes(pdf: Path) -> None:
    reading = read(pdf)
    value, (picture, blocks, boxes) = PageView(reading).answer_page(1, 500)
    assert value == {"state": "drawn", "reason": "", "media_type": "image/png", "texts": []}
    assert json.loads(json.dumps(value)) == value
    assert picture.startswith(b"\x89PNG")
    expected_blocks, expected_boxes = PageBoxes(reading.document).on(1)
    np.testing.assert_array_equal(np.frombuffer(blocks, "<i4"), expected_blocks)
    np.testing.assert_array_equal(np.frombuffer(boxes, "<f4").reshape(-1, 4), expected_boxes)


def test_a_page_that_cannot_be_drawn_says_why_and_shows_its_boxes(pdf: Path) -> None:
    view = PageView(read(pdf))
    pdf.unlink()
    value, (picture, blocks, _) = view.answer_page(1, 500)
    assert value["state"] == "failed"
    assert value["reason"] == "The file of a.pdf is not there to be drawn; open it from a folder on disk."
    assert picture == b""
    assert len(blocks) > 0
    assert view.fault == ""


def test_an_encrypted_file_is_drawn_with_the_password_of_the_options(tmp_path: Path) -> None:
    path = two_pages(tmp_path / "a.pdf", password="geheim")
    reading = read(path, password="geheim")
    without, _ = PageView(reading).answer_page(1, 300)
    assert without["reason"].startswith("a.pdf is encrypted and needs a password")
    given, _ = PageView(reading, options=ReadOptions(password="geheim")).answer_page(1, 300)
    assert given["state"] == "drawn"


def test_a_slide_is_white_and_comes_with_its_texts(tmp_path: Path) -> None:
    view = PageView(read(deck(tmp_path / "a.pptx")))
    value, (picture, blocks, _) = view.answer_page(1, 500)
    assert (value["state"], value["texts"], picture) == ("white", ["Sales rose"], b"")
    assert len(blocks) == 4


def test_a_page_that_is_not_there_is_told(pdf: Path) -> None:
    value, (picture, blocks, boxes) = PageView(read(pdf)).answer_page(9, 500)
    assert (value["state"], picture, blocks, boxes) == ("failed", b"", b"", b"")
    assert value["reason"] == "a.pdf has no page 9; its pages are 1 to 2."


def test_another_document_has_other_pages_and_no_block_at_hand(pdf: Path, tmp_path: Path) -> None:
    view = PageView(read(pdf))
    view.select(1)
    assert view.selected == 1
    view.reading = read(pdf, "What is the value of plant?")
    assert view.selected == -1
    view.select(2)
    same = view.reading
    view.show(same.with_threshold(0.1) if same.scores.scale.value == "calibrated" else same)
    assert view.selected == 2
    view.reading = read(many_pages(tmp_path / "b.pdf", 3))
    assert len(view.sizes) == 3 * 2 * 4
    assert view.selected == -1


@pytest.mark.parametrize("block", [-1, 1_000, True, 1.5, "first"])
def test_a_block_that_the_document_does_not_have_is_refused(pdf: Path, block: object) -> None:
    view = PageView(read(pdf))
    count = len(view.reading)
    with pytest.raises(InvalidOption) as caught:
        view.select(block)  # type: ignore[arg-type]
    assert str(caught.value) == f"a.pdf has no block {block!r}; its blocks are 0 to {count - 1}."


def test_labels_are_sent_where_they_say_more_than_the_number() -> None:
    class Page:
        def __init__(self, number: int, label: str) -> None:
            self.number, self.label = number, label

    class Named:
        def __init__(self, *labels: str) -> None:
            self.pages = [Page(number, label) for number, label in enumerate(labels, 1)]

    assert page_view._labels(Named("1", "Slide 2", "")) == []  # type: ignore[arg-type]
    assert page_view._labels(Named("iv", "2", "A-1\x1b\u202e")) == ["iv", "", "A-1\ufffd\ufffd"]  # type: ignore[arg-type]


def test_an_exported_page_has_pictures_of_the_first_page_and_of_those_with_something_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_view, "MOST_SAVED", 2)
    reading = read(many_pages(tmp_path / "a.pdf", 5))
    kept = sorted({int(page) + 1 for page in reading.document.columns.home_page[reading.status > 0]} - {1})
    saved = list(PageView(reading).answers_alone())
    assert [(name, values) for name, values, _, _ in saved] == [
        ("page", {"page": page, "width": WIDTH_PIXELS}) for page in range(1, 6)
    ]
    states = {values["page"]: value["state"] for _, values, value, _ in saved}
    expected = {1, *([*kept, 2][:1])}
    assert states == {page: "drawn" if page in expected else "not_saved" for page in range(1, 6)}
    assert all(len(buffers[1]) > 0 for *_, buffers in saved)
