"""Slides: every heading of level 1 or 2 begins one."""

from __future__ import annotations

import datetime as dt
import io
from typing import Any

from pptx import Presentation
from pptx.util import Inches, Pt

from . import nodes as n
from .archives import MOMENT, settled


def pptx_of(source: n.Source) -> bytes:
    """Return the source as slides."""
    show: Any = Presentation()
    show.core_properties.title, show.core_properties.author = source.title, str(source.meta.get("author", ""))
    show.core_properties.created = show.core_properties.modified = dt.datetime(*MOMENT)
    if source.meta.get("cover"):
        front = show.slides.add_slide(show.slide_layouts[0])
        front.shapes.title.text = source.title
        front.placeholders[1].text = "\n".join(
            str(source.meta[key]) for key in ("author", "date") if key in source.meta
        )
    slide: Any = None
    for node in source.nodes:
        if isinstance(node, n.Heading) and node.level <= 2:
            slide = show.slides.add_slide(show.slide_layouts[1])
            slide.shapes.title.text = n.plain(node.runs)
        elif isinstance(node, n.Table):
            slide = show.slides.add_slide(show.slide_layouts[5])
            slide.shapes.title.text = node.caption or source.title
            _table(slide, node)
        elif not isinstance(node, n.PageBreak):
            if slide is None or len(slide.placeholders) < 2:
                slide = show.slides.add_slide(show.slide_layouts[1])
                slide.shapes.title.text = source.title
            _line(slide.placeholders[1].text_frame, node)
    out = io.BytesIO()
    show.save(out)
    return settled(out.getvalue())


def _line(frame: Any, node: n.Heading | n.Paragraph | n.Item | n.Code) -> None:
    text = node.text if isinstance(node, n.Code) else n.plain(node.runs)
    first = frame.paragraphs[0]
    paragraph = first if not first.text and len(frame.paragraphs) == 1 else frame.add_paragraph()
    paragraph.text, paragraph.font.size = text, Pt(16)
    paragraph.level = node.depth if isinstance(node, n.Item) else 0
    if isinstance(node, n.Heading):
        paragraph.font.bold = True


def _table(slide: Any, node: n.Table) -> None:
    rows = [node.header, *node.rows]
    shape = slide.shapes.add_table(len(rows), len(node.header), Inches(0.4), Inches(1.4), Inches(9.2), Inches(0.3))
    for down, row in enumerate(rows):
        for across, runs in enumerate(row):
            shape.table.cell(down, across).text = n.plain(runs)
