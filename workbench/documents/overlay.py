"""A picture of one page with the boxes of its blocks over it, coloured by kind: to see what a parser saw."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import WorkbenchError
from .anchors import Box
from .blocks import BlockKind
from .document import Document
from .options import ReadOptions
from .page_boxes import parts_on
from .page_images import MOST_PIXELS, MOST_SIDE, drawable_page, drawn, is_drawn_from_file, with_password

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    Font = FreeTypeFont | ImageFont

SCALE = 2.0
"""Pixels for each point."""
_LEGEND_ROW, _MARGIN, _GUTTER = 34, 12, 56  # pixels
# Okabe and Ito's palette (2008), which stays apart for colour-blind readers; running lines are grey.
_COLOURS: dict[BlockKind, tuple[int, int, int]] = {
    BlockKind.HEADING: (213, 94, 0),
    BlockKind.PARAGRAPH: (0, 114, 178),
    BlockKind.LIST_ITEM: (86, 180, 233),
    BlockKind.TABLE: (0, 90, 60),
    BlockKind.TABLE_ROW: (0, 158, 115),
    BlockKind.CODE: (90, 60, 160),
    BlockKind.CAPTION: (204, 121, 167),
    BlockKind.FOOTNOTE: (150, 110, 20),
    BlockKind.HEADER: (120, 120, 120),
    BlockKind.FOOTER: (120, 120, 120),
    BlockKind.REFERENCE: (140, 86, 75),
    BlockKind.TOC_ENTRY: (188, 160, 0),
    BlockKind.FORM_FIELD: (230, 60, 120),
}


def draw_overlay(
    document: Document, page: int, out: Path, *, password: str | None = None, options: ReadOptions | None = None
) -> None:
    """Write the picture of ``page_overlay`` to a PNG file ``out``.

    Raises
    ------
    WorkbenchError
        What ``page_overlay`` raises, and if the file cannot be written.
    """
    picture = page_overlay(document, page, password=password, options=options)
    try:
        picture.save(out, format="PNG")
    except OSError as error:
        reason = error.strerror or str(error)
        raise WorkbenchError(
            f"The picture cannot be written to {out} ({reason}); give a file in a folder that exists and has room."
        ) from error


def page_overlay(
    document: Document, page: int, *, password: str | None = None, options: ReadOptions | None = None
) -> Image:
    """Draw one page with its blocks outlined and numbered in reading order.

    Parameters
    ----------
    document : Document
        One with a page geometry: a PDF, or slides (which are drawn on white).
    page : int
        1-based.
    password : str, optional
        Of an encrypted PDF.
    options : ReadOptions, optional
        Limits on time and memory while a PDF's page is drawn.

    Returns
    -------
    PIL.Image.Image
        RGB, at most ``SCALE`` pixels a point, with room for the numbers on the left and a legend below.

    Raises
    ------
    AnchorMismatch
        If the document has no such page, or its file is another one by now.
    UnsupportedFormat
        If its format has no page geometry.
    FileMissing
        If the PDF is not there any more, or was opened inside an archive.
    EncryptedFile, DamagedFile
        If the PDF cannot be opened to be drawn.
    LimitExceeded
        If drawing takes longer than ``max_seconds`` or more than ``max_memory_mb``.
    ParserFailed
        If the renderer crashed; this process is not affected.
    """
    place = drawable_page(document, page)
    scale = _scale(place.width, place.height)
    size = max(1, round(place.width * scale)), max(1, round(place.height * scale))
    if is_drawn_from_file(document, page):
        image = _rendered(document, page, size, with_password(options, password))
    else:
        image = _blank(size)
    image = _with_gutter(image)
    _draw_blocks(image, document, page, scale)
    return _with_legend(image, document, page)


def _scale(width: float, height: float) -> float:
    """Return pixels for each point, so that the page with its gutter, without its legend, is below the largest."""
    gutter = _GUTTER * height
    # The positive root of (width * scale + gutter) * height * scale = MOST_PIXELS.
    by_area = 2 * MOST_PIXELS / (gutter + math.sqrt(gutter * gutter + 4 * width * height * MOST_PIXELS))
    return min(SCALE, by_area, (MOST_SIDE - _GUTTER) / width, MOST_SIDE / height)


def _blank(size: tuple[int, int]) -> Image:
    from PIL import Image as Images

    return Images.new("RGB", size, "white")


def _rendered(document: Document, page: int, size: tuple[int, int], options: ReadOptions) -> Image:
    from PIL import Image as Images

    return Images.frombytes("RGB", size, drawn(document, page, "page", size, options))


def _with_gutter(image: Image) -> Image:
    """Room left of the page for the numbers of its first column."""
    from PIL import Image as Images

    wider = Images.new("RGB", (image.width + _GUTTER, image.height), "white")
    wider.paste(image, (_GUTTER, 0))
    return wider


def _draw_blocks(image: Image, document: Document, page: int, scale: float) -> None:
    from PIL import Image as Images
    from PIL import ImageDraw

    tint = Images.new("RGBA", image.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(tint)
    font = _font(15)
    for block in document.blocks:
        colour = _COLOURS[block.kind]
        is_table = block.kind is BlockKind.TABLE
        for rank, box in enumerate(parts_on(block.anchor.boxes, page)):
            rectangle = _pixels(box, scale, pad=4 if is_table else 2)
            draw.rectangle(rectangle, outline=(*colour, 255), fill=(*colour, 0 if is_table else 30), width=2)
            if rank == 0 and not is_table:
                _number(draw, str(block.block_id), rectangle, colour, font)
    image.paste(Images.alpha_composite(image.convert("RGBA"), tint).convert("RGB"))


def _pixels(box: Box, scale: float, *, pad: int) -> tuple[float, float, float, float]:
    x0, top, x1, bottom = (value * scale for value in box[1:])
    return x0 - pad + _GUTTER, top - pad, max(x1, x0 + 1) + pad + _GUTTER, max(bottom, top + 1) + pad


def _number(
    draw: ImageDraw,
    text: str,
    rectangle: tuple[float, float, float, float],
    colour: tuple[int, int, int],
    font: Font,
) -> None:
    """Write a block's number to the left of its box."""
    width, height = draw.textbbox((0, 0), text, font=font)[2:]
    x, y = rectangle[0] - width - 6, max(0.0, rectangle[1])
    draw.rectangle((x, y, x + width + 5, y + height + 3), fill=(*colour, 235))
    draw.text((x + 3, y), text, fill=(255, 255, 255, 255), font=font)


def _with_legend(image: Image, document: Document, page: int) -> Image:
    from PIL import Image as Images
    from PIL import ImageDraw

    kinds = [kind for kind in BlockKind if any(b.kind is kind and page in b.anchor.pages for b in document.blocks)]
    font = _font(20)
    places: list[tuple[BlockKind, int, int]] = []
    x, row = _MARGIN, 0
    measure = ImageDraw.Draw(image)
    for kind in kinds:
        width = 40 + round(measure.textlength(kind.value.replace("_", " "), font=font))
        if x + width > image.width and x > _MARGIN:
            x, row = _MARGIN, row + 1
        places.append((kind, x, row))
        x += width + 14
    height = (row + 1) * _LEGEND_ROW + _MARGIN
    whole = Images.new("RGB", (image.width, image.height + height), "white")
    whole.paste(image, (0, 0))
    draw = ImageDraw.Draw(whole)
    draw.line((0, image.height, image.width, image.height), fill=(170, 170, 170))
    for kind, left, rank in places:
        y = image.height + _MARGIN // 2 + rank * _LEGEND_ROW + 4
        draw.rectangle((left, y + 2, left + 22, y + 22), fill=_COLOURS[kind])
        draw.text((left + 30, y), kind.value.replace("_", " "), fill=(40, 40, 40), font=font)
    return whole


def _font(size: int) -> Font:
    from PIL import ImageFont

    return ImageFont.load_default(size)
