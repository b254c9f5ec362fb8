"""What a worker process is asked to do for pictures: draw a page of a PDF, or many."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import DamagedFile
from ..source import ParseContext, Source

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

JPEG_QUALITY = 80
FINE_PIXELS = 400_000
"""Pictures of fewer pixels are drawn at twice their size and made smaller: letters of a few pixels stay even."""


def page(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Return the pixels of one page, three bytes each, row by row from the top.

    Arguments are path, name, page (1-based) and size (width and height in pixels, which bound what is drawn
    whatever the page says of itself).

    Raises
    ------
    EncryptedFile, DamagedFile
        If the file cannot be opened, or the page cannot be drawn.
    """
    return bytes(_drawn(arguments, context).tobytes())


def picture(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Return one page as an image file: grey PNG where it has no colours, else JPEG; arguments as those of ``page``.

    Raises
    ------
    EncryptedFile, DamagedFile
        If the file cannot be opened, or the page cannot be drawn.
    """
    image = _drawn(arguments, context)
    out = io.BytesIO()
    if _is_grey(image):
        image.convert("L").save(out, format="PNG")
    else:
        image.save(out, format="JPEG", quality=JPEG_QUALITY)
    return out.getvalue()


def pictures(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Return small pictures of many pages, as ``unpacked`` reads them; a page that cannot be drawn costs only itself.

    Arguments are path, name, and pages: for each its 1-based number, and the width and height of its picture in pixels.

    Raises
    ------
    EncryptedFile, DamagedFile
        If the file cannot be opened.
    """
    from ..formats.pdf.page.pdfium import open_pdf
    from ..page_palettes import picture_bytes

    source = Source(Path(arguments["path"]), arguments["name"])
    wanted = arguments["pages"]
    answers: list[tuple[bytes, str]] = []
    with open_pdf(source, context.options.password) as document:
        for number, width, height in wanted:
            twice = 2 if width * height < FINE_PIXELS else 1
            try:
                image = _page_of(document, source.name, number, (twice * width, twice * height))
                answers.append((picture_bytes(image.reduce(twice)), ""))
            except DamagedFile as error:
                answers.append((b"", str(error)))
            context.report(len(answers), len(wanted))
    return _packed(answers)


def _packed(answers: Sequence[tuple[bytes, str]]) -> bytes:
    head = json.dumps([[len(data), reason] for data, reason in answers]).encode("ascii")
    return b"".join([len(head).to_bytes(8, "little"), head, *(data for data, _ in answers)])


def unpacked(data: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield the file of each picture that ``pictures`` was asked for, or b"" and the reason why there is none."""
    at = 8 + int.from_bytes(data[:8], "little")
    for length, reason in json.loads(data[8:at]):
        yield data[at : at + length], reason
        at += length


def _drawn(arguments: dict[str, Any], context: ParseContext) -> Image:
    from ..formats.pdf.page.pdfium import open_pdf

    source = Source(Path(arguments["path"]), arguments["name"])
    with open_pdf(source, context.options.password) as document:
        return _page_of(document, source.name, arguments["page"], arguments["size"])


def _page_of(document: PdfDocument, name: str, number: int, size: Sequence[int]) -> Image:
    import pypdfium2

    width, height = size
    try:
        shown = document[number - 1]
        page_width, page_height = shown.get_size()
        if not (0 < page_width < math.inf and 0 < page_height < math.inf):
            raise DamagedFile(f"Page {number} of {name} has no size; it cannot be drawn.")
        scale = min(width / page_width, height / page_height)
        image: Image = shown.render(scale=scale, rev_byteorder=True).to_pil()
    except pypdfium2.PdfiumError as error:
        raise DamagedFile(f"Page {number} of {name} is damaged and cannot be drawn ({error}).") from error
    exact = image if image.size == (width, height) else image.resize((width, height))
    return exact.convert("RGB")


def _is_grey(image: Image) -> bool:
    import numpy as np

    pixels = np.asarray(image)
    return bool((pixels == pixels[..., :1]).all())
