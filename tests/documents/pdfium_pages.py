"""What pdfium says of a page, asked in another way than the workbench asks: one character or one box at a time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from workbench.documents import Box

DEVICE_SCALE = 50
"""Pixels a point: device coordinates are whole numbers."""
LINE_END_HYPHENS = (0xFFFE, 0x02)


@contextmanager
def opened_pdf(path: Path, password: str | None = None) -> Iterator[Any]:
    """Open a PDF and close it afterwards."""
    document = pypdfium2.PdfDocument(path, password=password)
    try:
        yield document
    finally:
        document.close()


@contextmanager
def loaded_page(document: Any, number: int) -> Iterator[tuple[Any, Any] | None]:
    """Load a 1-based page and its text, or give None where pdfium cannot."""
    page = pdfium.FPDF_LoadPage(document.raw, number - 1)
    text = pdfium.FPDFText_LoadPage(page) if page else None
    try:
        yield (page, text) if text else None
    finally:
        if text:
            pdfium.FPDFText_ClosePage(text)
        if page:
            pdfium.FPDF_ClosePage(page)


def spelled(text: Any) -> str:
    """Return what the glyphs of a page spell, asked one by one; a hyphen at a line end is a "-"."""
    codes = [pdfium.FPDFText_GetUnicode(text, index) for index in range(pdfium.FPDFText_CountChars(text))]
    letters = ["-" if code in LINE_END_HYPHENS else chr(code) if code <= 0x10FFFF else "\ufffd" for code in codes]
    # Halves of a surrogate pair are characters of their own to pdfium.
    return "".join(letters).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def text_in_box(page: Any, text: Any, box: Box, size: tuple[float, float], margin: float = 0.3) -> str:
    """Return the text that pdfium finds in a box given in points of the visible page, which may be turned."""
    corners = [
        _to_page(page, size, x, y)
        for x, y in ((box.x0 - margin, box.top - margin), (box.x1 + margin, box.bottom + margin))
    ]
    left, right = sorted(corner[0] for corner in corners)
    bottom, top = sorted(corner[1] for corner in corners)
    count = pdfium.FPDFText_GetBoundedText(text, left, top, right, bottom, None, 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    pdfium.FPDFText_GetBoundedText(text, left, top, right, bottom, buffer, count)
    return bytes(buffer)[: 2 * count].decode("utf-16-le", "replace").replace("\ufffe", "")


def _to_page(page: Any, size: tuple[float, float], x: float, y: float) -> tuple[float, float]:
    across, up = ctypes.c_double(), ctypes.c_double()
    width, height = (round(side * DEVICE_SCALE) for side in size)
    pdfium.FPDF_DeviceToPage(page, 0, 0, width, height, 0, round(x * DEVICE_SCALE), round(y * DEVICE_SCALE), across, up)
    return across.value, up.value
