"""pdfplumber's own reading of a page: the fallback where pdfium's text is garbage or its file is refused."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .....errors import DamagedFile, EncryptedFile
from ....source import Source
from .fonts import FontReader
from .words import PageWords

_LINE_STEP = 0.5  # of the word's height: a word that stands lower begins a new line


@contextmanager
def open_native(source: Source, password: str | None) -> Iterator[Any]:
    """Open a PDF with pdfplumber.

    Raises
    ------
    DamagedFile, EncryptedFile
    """
    import pdfplumber

    # pdfminer warns about every odd operator of every page.
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    try:
        document = pdfplumber.open(source.path, password=password or "")
        pages = len(document.pages)
    except Exception as error:
        if "password" in repr(error).lower():
            raise EncryptedFile(f"{source.name} is encrypted and needs a password; give it as password=….") from error
        raise _refused(source, error) from error
    try:
        if not pages:
            raise _refused(source, "it has no pages")
        yield document
    finally:
        document.close()


def _refused(source: Source, why: object) -> DamagedFile:
    return DamagedFile(f"{source.name} is damaged or no PDF ({why}); open it in a viewer and save it again.")


def native_words(document: Any, index: int, fonts: FontReader) -> tuple[PageWords, tuple[float, float]]:
    """Read the words of page ``index`` (0-based) of a pdfplumber document, and the page's size in points.

    Boxes are moved from pdfplumber's frame (the media box) to the visible page's top left corner.
    """
    page = document.pages[index]
    left, top = float(page.cropbox[0]), float(page.cropbox[1])
    width, height = float(page.cropbox[2]) - left, float(page.cropbox[3]) - top
    # Fake bold draws each letter twice.
    found = page.dedupe_chars().extract_words(use_text_flow=True, extra_attrs=["fontname", "size"])
    page.close()
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    before: dict[str, Any] | None = None
    for word in found:
        if before is not None:
            step = _LINE_STEP * (before["bottom"] - before["top"])
            parts.append("\n" if abs(word["top"] - before["top"]) > step else " ")
            at += 1
        starts.append(at)
        parts.append(word["text"])
        at += len(word["text"])
        before = word
    count = len(found)
    start = np.array(starts, np.int32)
    words = PageWords(
        text="".join(parts),
        start=start,
        end=start + np.array([len(word["text"]) for word in found], np.int32),
        box=np.array(
            [[w["x0"] - left, w["top"] - top, w["x1"] - left, w["bottom"] - top] for w in found], np.float32
        ).reshape(-1, 4),
        size=np.array([word["size"] for word in found], np.float32),
        font=np.array([fonts.named(word["fontname"]) for word in found], np.int16),
        direction=np.zeros(count, np.uint8),
        glued=np.zeros(count, bool),
        hyphen=np.zeros(count, bool),
        twice=np.zeros((0, 2), np.int32),
    )
    return words, (width, height)
