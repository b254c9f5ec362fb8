"""Pictures of pages: drawn in a worker process, never larger than asked, whatever size a file claims for a page."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import AnchorMismatch, FileMissing, InvalidOption, UnsupportedFormat
from .document import Document
from .joining import JoinedDocument, JoinedFile, files_of
from .opening import file_sha256
from .options import ReadOptions
from .pages import Page
from .workers.sandbox import run_job

MOST_PIXELS = 12_000_000
MOST_SIDE = 8_000
"""Largest picture, in pixels."""
WIDTH_PIXELS = 1_200

_PNG_START = b"\x89PNG"


@dataclass(frozen=True, slots=True)
class PageImage:
    """The picture of a page.

    Attributes
    ----------
    data : bytes
        A whole file of an image.
    media_type : str
        "image/png" for a page without colours, else "image/jpeg".
    width, height : int
        In pixels.
    """

    data: bytes
    media_type: str
    width: int
    height: int

    def __repr__(self) -> str:
        return f"PageImage({self.media_type}, {self.width} x {self.height}, {len(self.data):,} bytes)"


def page_image(
    document: Document, page: int, *, width_pixels: int = WIDTH_PIXELS, options: ReadOptions | None = None
) -> PageImage:
    """Draw one page as it is displayed, crop box and rotation applied.

    Anchors' boxes lie on it: a point of the page is ``width / page.width`` pixels. A slide is a white page.

    Parameters
    ----------
    document : Document
        One with a page geometry: a PDF, slides, or a folder with some of these.
    page : int
        1-based.
    width_pixels : int
        Width of the picture; a page that would have more than ``MOST_PIXELS``, or a side of more than ``MOST_SIDE``,
        is drawn smaller.
    options : ReadOptions, optional
        Password, and limits on time and memory while a page is drawn.

    Raises
    ------
    InvalidOption
        If ``width_pixels`` is no whole number above 0.
    AnchorMismatch
        If the document has no such page, or its file is another one by now.
    UnsupportedFormat
        If the page has no geometry.
    FileMissing
        If the file is not there any more, or was opened inside an archive.
    EncryptedFile, DamagedFile
        If the file cannot be opened, or the page not be drawn.
    LimitExceeded
        If drawing takes longer than ``max_seconds`` or more than ``max_memory_mb``.
    ParserFailed
        If the renderer crashed; this process is not affected.
    """
    if isinstance(width_pixels, bool) or not isinstance(width_pixels, int) or width_pixels < 1:
        raise InvalidOption(f"width_pixels is {width_pixels!r:.40}; give a whole number above 0.")
    place = drawable_page(document, page)
    size = picture_size(place, width_pixels / place.width)
    if not is_drawn_from_file(document, page):
        data = _white(size)
    else:
        data = drawn(document, page, "picture", size, options or ReadOptions())
    return PageImage(data, "image/png" if data.startswith(_PNG_START) else "image/jpeg", *size)


def drawable_page(document: Document, page: int) -> Page:
    """Return a page that can be drawn on.

    Raises
    ------
    AnchorMismatch
        If the document has no such page.
    UnsupportedFormat
        If it has no geometry.
    """
    if not 1 <= page <= len(document.pages):
        raise AnchorMismatch(f"{document.name} has no page {page}; its pages are 1 to {len(document.pages)}.")
    place = document.pages[page - 1]
    if not (0 < place.width < math.inf and 0 < place.height < math.inf):
        file = _file_at(document, page)
        raise UnsupportedFormat(f"{file.name} has no pages to draw on ({file.format}); choose a PDF or slides.")
    return place


def picture_size(page: Page, scale: float) -> tuple[int, int]:
    """Return width and height in pixels for so many pixels a point, or fewer for a page that would be too large."""
    width, height = page.width, page.height
    scale = min(scale, math.sqrt(MOST_PIXELS / width / height), MOST_SIDE / width, MOST_SIDE / height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def is_drawn_from_file(document: Document, page: int) -> bool:
    """Whether a page has a picture of its own: of slides only the places of their texts are known."""
    return _file_at(document, page).format == "pdf"


def drawn(document: Document, page: int, job: str, size: tuple[int, int], options: ReadOptions) -> bytes:
    """Let a worker process draw a page: a renderer may hang, crash or devour memory as a parser may.

    Parameters
    ----------
    document : Document
    page : int
        1-based.
    job : str
        Name of a function in ``workers.render``.
    size : tuple of int
        Width and height in pixels.
    options : ReadOptions

    Raises
    ------
    WorkbenchError
        As ``page_image``.
    """
    file = _file_at(document, page)
    path = path_of(document, file)
    if file_sha256(path) != file.sha256:
        raise AnchorMismatch(f"{file.name} has changed since it was opened; open it again to draw its pages.")
    arguments = {"path": str(path), "name": file.name, "page": page - file.first_page + 1, "size": size}
    return run_job(f"workbench.documents.workers.render:{job}", arguments, options=options, name=file.name)


def with_password(options: ReadOptions | None, password: str | None) -> ReadOptions:
    """Return options with a password, if one is given."""
    options = options or ReadOptions()
    return replace(options, password=password or options.password)


def _file_at(document: Document, page: int) -> JoinedFile:
    return next(file for file in reversed(files_of(document)) if file.first_page <= page)


def path_of(document: Document, file: JoinedFile) -> Path:
    """Return where a file of a document lies.

    Raises
    ------
    FileMissing
        If it is not there any more, or was opened inside an archive.
    """
    path = document.path
    if path is not None and isinstance(document, JoinedDocument):
        path = path / file.name if path.is_dir() else None
    if path is None:
        raise FileMissing(
            f"{file.name} was opened inside an archive, where its pages cannot be drawn; unpack it and open the file."
        )
    if not path.is_file():
        raise FileMissing(f"The file of {file.name} is not there to be drawn; open it from a folder on disk.")
    return path


def _white(size: tuple[int, int]) -> bytes:
    from PIL import Image as Images

    out = io.BytesIO()
    Images.new("1", size, 1).save(out, format="PNG")
    return out.getvalue()
