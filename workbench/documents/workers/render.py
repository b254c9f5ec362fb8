"""What a worker process is asked to do for a picture: draw a page of a PDF."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ...errors import DamagedFile
from ..source import ParseContext, Source


def page(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Return the pixels of one page, three bytes each, row by row from the top.

    Arguments are path, name, page (1-based) and size (width and height in pixels, which bound what is drawn
    whatever the page says of itself).

    Raises
    ------
    EncryptedFile, DamagedFile
        If the file cannot be opened, or the page cannot be drawn.
    """
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
            image = shown.render(scale=scale, rev_byteorder=True).to_pil()
        except pypdfium2.PdfiumError as error:
            raise DamagedFile(f"Page {number} of {source.name} is damaged and cannot be drawn ({error}).") from error
        exact = image if image.size == (width, height) else image.resize((width, height))
        return bytes(exact.convert("RGB").tobytes())
