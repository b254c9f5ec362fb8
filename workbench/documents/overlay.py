"""A picture of one page with the boxes of its blocks over it, coloured by kind: to see what a parser saw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import AnchorMismatch, FileMissing, UnsupportedFormat, WorkbenchError
from .anchors import Box, union_box
from .blocks import BlockKind
from .document import Document
from .opening import file_sha256
from .options import ReadOptions
from .workers.sandbox import run_job

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    Font = FreeTypeFont | ImageFont

SCALE = 2.0
"""Pixels for each point."""
MOST_PIXELS = 12_000_000
MOST_SIDE = 8_000
"""Largest picture of a page, with its gutter and without its legend, whatever size the file claims for the page."""
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
    if not 1 <= page <= len(document.pages):
        raise AnchorMismatch(f"{document.name} has no page {page}; its pages are 1 to {len(document.pages)}.")
    place = document.pages[page - 1]
    if not (0 < place.width < math.inf and 0 < place.height < math.inf):
        raise UnsupportedFormat(f"{document.name} has no pages to draw on ({document.format}); choose a PDF or slides.")
    scale = _scale(place.width, place.height)
    size = max(1, round(place.width * scale)), max(1, round(place.height * scale))
    if document.format == "pdf":
        options = options or ReadOptions()
        image = _rendered(document, page, size, replace(options, password=password or options.password))
    else:
        image = _blank(size)
    image = _with_gutter(image)
    _draw_blocks(image, document, page, scale)
    return _with_legend(image, document, page)


def _scale(width: float, height: float) -> float:
    """Return pixels for each point, so that the page and its gutter stay below the largest picture."""
    gutter = _GUTTER * height
    # The positive root of (width * scale + gutter) * height * scale = MOST_PIXELS.
    by_area = 2 * MOST_PIXELS / (gutter + math.sqrt(gutter * gutter + 4 * width * height * MOST_PIXELS))
    return min(SCALE, by_area, (MOST_SIDE - _GUTTER) / width, MOST_SIDE / height)


def _blank(size: tuple[int, int]) -> Image:
    from PIL import Image as Images

    return Images.new("RGB", size, "white")


def _rendered(document: Document, page: int, size: tuple[int, int], options: ReadOptions) -> Image:
    """Let a worker process draw the page: a renderer may hang, crash or devour memory as a parser may."""
    from PIL import Image as Images

    file = document.path
    if file is None:
        raise FileMissing(
            f"{document.name} was opened inside an archive, where its pages cannot be drawn; unpack it and open the "
            "file."
        )
    if not file.is_file():
        raise FileMissing(f"The file of {document.name} is not there to be drawn; open it from a folder on disk.")
    if file_sha256(file) != document.sha256:
        raise AnchorMismatch(f"{document.name} has changed since it was opened; open it again to draw its pages.")
    job = {"path": str(file), "name": document.name, "page": page, "size": size}
    pixels = run_job("workbench.documents.workers.render:page", job, options=options, name=document.name)
    return Images.frombytes("RGB", size, pixels)


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
        for rank, box in enumerate(_parts(block.anchor.boxes, page)):
            rectangle = _pixels(box, scale, pad=4 if is_table else 2)
            draw.rectangle(rectangle, outline=(*colour, 255), fill=(*colour, 0 if is_table else 30), width=2)
            if rank == 0 and not is_table:
                _number(draw, str(block.block_id), rectangle, colour, font)
    image.paste(Images.alpha_composite(image.convert("RGBA"), tint).convert("RGB"))


def _parts(boxes: Sequence[Box], page: int) -> list[Box]:
    """One rectangle for each column that a block stands in: its lines as long as each is below the one before."""
    groups: list[list[Box]] = []
    for box in boxes:
        if box.page != page:
            continue
        last = groups[-1][-1] if groups else None
        if last is not None and box.top >= last.top - 0.5 * (last.bottom - last.top):
            groups[-1].append(box)
        else:
            groups.append([box])
    return [found for group in groups if (found := union_box(group)) is not None]


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
