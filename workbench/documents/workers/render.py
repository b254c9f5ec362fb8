"""What a worker process is asked to do for a picture: draw a page of a PDF."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import DamagedFile
from ..source import ParseContext, Source

if TYPE_CHECKING:
    from PIL.Image import Image

JPEG_QUALITY = 80


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


def _drawn(arguments: dict[str, Any], context: ParseContext) -> Image:
    import pypdfium2

    from ..formats.pdf.page.pdfium import open_pdf

    source = Source(Path(arguments["path"]), arguments["name"])
    number, (width, height) = arguments["page"], arguments["size"]
    with open_pdf(source, context.options.password) as document:
        try:
            shown = document[number - 1]
            page_width, page_height = shown.get_size()
            if not (0 < page_width < math.inf and 0 < page_height < math.inf):
                raise DamagedFile(f"Page {number} of {source.name} has no size; it cannot be drawn.")
            scale = min(width / page_width, height / page_height)
            image: Image = shown.render(scale=scale, rev_byteorder=True).to_pil()
        except pypdfium2.PdfiumError as error:
            raise DamagedFile(f"Page {number} of {source.name} is damaged and cannot be drawn ({error}).") from error
        exact = image if image.size == (width, height) else image.resize((width, height))
        return exact.convert("RGB")


def _is_grey(image: Image) -> bool:
    import numpy as np

    pixels = np.asarray(image)
    return bool((pixels == pixels[..., :1]).all())
