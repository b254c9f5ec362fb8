"""The pages of a document as they look, with what the reading makes of every block drawn over them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from ..documents.options import ReadOptions
from ..documents.page_boxes import PageBoxes
from ..documents.page_images import WIDTH_PIXELS, is_drawn_from_file, page_image
from ..errors import WorkbenchError
from ..printing import shortened
from .reading_traits import SelectingWidget

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading

MOST_SECONDS = 20.0
"""How long the drawing of one page may hold up those behind it."""
MOST_SAVED = 24
"""Pictures that an exported page holds."""
_MOST_LETTERS = 40

Answer = tuple[dict[str, Any], list[bytes]]

# One page at a time, beside the kernel's own thread: whoever scrolls on does not ask for what has been passed.
_DRAWING = ThreadPoolExecutor(1, thread_name_prefix="workbench pages")


class PageView(SelectingWidget):
    """The pages of a reading's document: pictures that load as they come near, and a box around every block.

    Parameters
    ----------
    reading : Reading
    gold : iterable of int, optional
        Blocks that hold gold evidence, where it is known.
    language : str
        "en" or "zh".
    options : ReadOptions, optional
        Password of the file, and limits for drawing a page.

    Examples
    --------
    >>> view = PageView(reading)  # doctest: +SKIP
    >>> view.select(12)  # doctest: +SKIP
    """

    script: ClassVar[str] = "page_view"
    sections: ClassVar[tuple[str, ...]] = ("page_view",)
    with_text = False

    sizes = traitlets.Bytes().tag(sync=True)
    """Width and height of each page in points (float32, shape (pages, 2)); 0 for one without geometry."""
    tops = traitlets.Bytes().tag(sync=True)
    """Where each block begins on its page, in points from the top (float32, shape (blocks,)); nan if not known."""
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """What the document calls its pages, "" where that is the number alone; empty if it is everywhere."""

    def __init__(
        self,
        reading: Reading,
        *,
        gold: Iterable[int] = (),
        language: str = "en",
        options: ReadOptions | None = None,
        **traits: Any,
    ) -> None:
        options = options or ReadOptions()
        self._options = replace(options, max_seconds=min(options.max_seconds, MOST_SECONDS))
        super().__init__(reading, gold=gold, language=language, **traits)

    def answer_page(self, page: int, width: int) -> Answer:
        """Return the picture of a page and the boxes on it.

        Parameters
        ----------
        page : int
            1-based.
        width : int
            Of the picture, in pixels.

        Returns
        -------
        value : dict
            state ("drawn", "white" for a slide, "failed"), reason (a sentence why it cannot be drawn, or ""),
            media_type, and texts (of the boxes, where the picture does not show them).
        buffers : list of bytes
            The picture, the ids of the blocks (int32, shape (k,)), and their boxes in points (float32, shape (k, 4)).
        """
        document = self.reading.document
        value: dict[str, Any] = {"state": "drawn", "reason": "", "media_type": "", "texts": []}
        picture = b""
        blocks, boxes = self._boxes.on(page)
        try:
            if is_drawn_from_file(document, page):
                image = page_image(document, page, width_pixels=width, options=self._options)
                picture, value["media_type"] = image.data, image.media_type
            else:
                value |= {"state": "white", "texts": [document.texts[block] for block in blocks.tolist()]}
        except WorkbenchError as error:
            value |= {"state": "failed", "reason": str(error)}
        return value, [picture, blocks.astype("<i4").tobytes(), boxes.astype("<f4").tobytes()]

    def answers_alone(self) -> Iterator[tuple[str, dict[str, Any], dict[str, Any], list[bytes]]]:
        """Give what an exported page knows of each page: its boxes, and for ``MOST_SAVED`` of them the picture."""
        with_picture = self._saved_pages()
        for page, (width, _) in enumerate(self._boxes.sizes.tolist(), start=1):
            if width == 0:
                continue
            if page in with_picture or not is_drawn_from_file(self.reading.document, page):
                value, buffers = self.answer_page(page, WIDTH_PIXELS)
            else:
                blocks, boxes = self._boxes.on(page)
                value = {"state": "not_saved", "reason": "", "media_type": "", "texts": []}
                buffers = [b"", blocks.astype("<i4").tobytes(), boxes.astype("<f4").tobytes()]
            yield "page", {"page": page, "width": WIDTH_PIXELS}, value, buffers

    def _saved_pages(self) -> set[int]:
        """The first page, then those on which something is kept, then others from the beginning."""
        kept = self.reading.document.columns.home_page[self.reading.status > 0] + 1
        count = len(self.reading.document.pages)
        order = dict.fromkeys([1, *np.unique(kept).tolist(), *range(1, count + 1)])
        return set(list(order)[:MOST_SAVED])

    def _asked(self, content: dict[str, Any], buffers: list[memoryview]) -> None:
        if content.get("name") == "page":
            _DRAWING.submit(super()._asked, content, buffers)
        else:
            super()._asked(content, buffers)

    def _data(self, reading: Reading, *, text: bool) -> dict[str, Any]:
        found = super()._data(reading, text=text)
        if text:
            self._boxes = PageBoxes(reading.document)
            found |= {
                "sizes": self._boxes.sizes.astype("<f4").tobytes(),
                "tops": self._boxes.tops.astype("<f4").tobytes(),
                "labels": _labels(reading.document),
            }
        return found


def _labels(document: Document) -> Sequence[str]:
    """Return what pages are called, where that is not just their number."""
    shown = [
        "" if re.fullmatch(rf"\D{{0,12}}{page.number}", page.label) else shortened(page.label, _MOST_LETTERS)
        for page in document.pages
    ]
    return shown if any(shown) else []
