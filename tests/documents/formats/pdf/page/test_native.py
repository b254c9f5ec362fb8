"""pdfplumber's reading: for files that pdfium refuses, and pages that it spells as garbage."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.formats.pdf.page.fonts import FontReader
from workbench.documents.formats.pdf.page.native import native_words, open_native
from workbench.documents.source import Source
from workbench.errors import DamagedFile, EncryptedFile

from ..pdf_files import BOLD, PdfFile, changed, prose, read, shown, width_of

Sides = tuple[float, float, float, float]


def without_header(path: Path) -> Path:
    """Cut the header off: pdfium then refuses a file that pdfplumber reads."""
    data = path.read_bytes()
    path.write_bytes(data[data.index(b"\n") + 1 :].lstrip(b"%").replace(b"%PDF-", b"", 1))
    return path


def test_words_have_text_place_size_and_font(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 100, "Net sales", size=12, font=BOLD)
    pdf.text(72, 130, "rose")
    fonts = FontReader()
    with open_native(Source(pdf.save()), None) as document:
        words, size = native_words(document, 0, fonts)
    assert (words.text, size) == ("Net sales\nrose", (612, 792))
    assert words.size.tolist() == [12, 12, 10]
    assert [fonts.fonts[font].bold for font in words.font] == [True, True, False]
    assert words.box[2, [0, 2]].tolist() == pytest.approx([72, 72 + width_of("rose")], abs=0.1)
    assert words.box[2, 1] < 130 < words.box[2, 3]


@pytest.mark.parametrize(("media", "crop"), [(None, None), (None, (50, 100, 500, 750)), ((-100, -200, 612, 792), None)])
def test_boxes_agree_with_those_of_pdfium(tmp_path: Path, media: Sides | None, crop: Sides | None) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(200, 300, "Landmark")
    path = changed(pdf.save(), media=media, crop=crop)
    with open_native(Source(path), None) as document:
        words, _ = native_words(document, 0, FontReader())
    box = read(path).blocks[0].anchor.box
    assert box is not None
    assert words.box[0].tolist() == pytest.approx(box[1:], abs=3)


def test_a_file_that_pdfium_refuses_is_recovered_with_a_warning(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 80, "Terms of the notes", size=16, font=BOLD)
    pdf.paragraph(72, 110, prose(6))
    pdf.next_page()
    pdf.paragraph(72, 110, prose(6, 3))
    document = read(without_header(pdf.save()))
    assert shown(document) == [("heading", "Terms of the notes"), ("paragraph", prose(6)), ("paragraph", prose(6, 3))]
    (warning,) = document.warnings
    assert (warning.code, warning.pages) == ("damaged", ())
    assert warning.message == "a.pdf is damaged; its text was recovered, tables and outline were not."


@pytest.mark.parametrize("data", [b"%PDF-1.7\n", b"%PDF-1.7 nothing of a PDF follows " * 9], ids=["empty", "words"])
def test_a_file_that_nobody_can_open_is_damaged(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    with pytest.raises(
        DamagedFile, match=r"a\.pdf is damaged or no PDF \(.+\); open it in a viewer and save it again\."
    ):
        read(path)


def test_an_encrypted_file_needs_its_password(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf", password="geheim")
    pdf.text(72, 100, "Net sales")
    source = Source(pdf.save())
    with pytest.raises(EncryptedFile, match=r"a\.pdf is encrypted and needs a password"), open_native(source, None):
        pass
    with open_native(source, "geheim") as document:
        assert native_words(document, 0, FontReader())[0].text == "Net sales"
