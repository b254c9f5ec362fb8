"""Word documents with real styles, numbered pages and tables."""

from __future__ import annotations

import datetime as dt
import io
from typing import Any

from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt

from . import nodes as n
from .archives import MOMENT, settled

HAN = "宋体"


def docx_of(source: n.Source) -> bytes:
    """Return the source as a Word document."""
    document: Any = Document()
    _properties(document, source)
    _running(document, source)
    if source.title:
        document.add_heading(source.title, level=0)
    for key in ("author", "date"):
        if source.meta.get(key):
            document.add_paragraph(str(source.meta[key]))
    if source.meta.get("cover"):
        document.add_page_break()
    captions = source.captions()
    for rank, node in enumerate(source.nodes):
        _add(document, node, captions.get(rank, ""))
    if source.notes:
        document.add_heading("注释" if source.chinese else "Notes", level=1)
        for label, runs in source.notes.items():
            _fill(document.add_paragraph(f"{label} "), runs)
    out = io.BytesIO()
    document.save(out)
    return settled(out.getvalue())


def _properties(document: Any, source: n.Source) -> None:
    core = document.core_properties
    core.title, core.author = source.title, str(source.meta.get("author", ""))
    core.created = core.modified = dt.datetime(*MOMENT)
    core.last_modified_by, core.comments = core.author, ""
    core.language = "zh-CN" if source.chinese else "en-GB"
    normal = document.styles["Normal"]
    normal.font.size = Pt(10.5)
    if source.chinese:
        for style in ("Normal", "Title", *(f"Heading {level}" for level in range(1, 5))):
            fonts = document.styles[style].element.get_or_add_rPr().get_or_add_rFonts()
            fonts.set(qn("w:eastAsia"), HAN)


def _running(document: Any, source: n.Source) -> None:
    section = document.sections[0]
    section.header.paragraphs[0].text = str(source.meta.get("running_header", source.title))
    footer = section.footer.paragraphs[0]
    footer.text = str(source.meta.get("running_footer", ""))
    run = footer.add_run(" ")
    for kind, said in (("begin", ""), ("", "PAGE"), ("end", "")):
        part = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            part.set(qn("w:fldCharType"), kind)
        else:
            part.text = said
        run._r.append(part)


def _add(document: Any, node: n.Node, caption: str) -> None:
    match node:
        case n.Heading(level, runs):
            document.add_heading(n.plain(runs), level=min(level, 4))
        case n.Paragraph(runs):
            _fill(document.add_paragraph(), runs)
        case n.Item(depth, number, runs):
            style = ("List Number" if number else "List Bullet") + (" 2" if depth else "")
            _fill(document.add_paragraph(style=style), runs)
        case n.Code(text):
            run = document.add_paragraph().add_run(text)
            run.font.name, run.font.size = "Courier New", Pt(9)
        case n.PageBreak():
            document.add_page_break()
        case n.Table():
            if caption:
                document.add_paragraph(caption, style="Caption")
            _add_table(document, node)


def _add_table(document: Any, node: n.Table) -> None:
    table = document.add_table(rows=0, cols=len(node.header), style="Table Grid")
    for rank, row in enumerate((node.header, *node.rows)):
        added = table.add_row()
        for cell, runs in zip(added.cells, row, strict=True):
            _fill(cell.paragraphs[0], tuple(n.Run(run.text, run.bold or rank == 0, run.italic) for run in runs))
        if rank == 0:
            mark = OxmlElement("w:tblHeader")
            mark.set(qn("w:val"), "true")
            added._tr.get_or_add_trPr().append(mark)
    document.add_paragraph()


def _fill(paragraph: Any, runs: n.Runs) -> None:
    for run in runs:
        added = paragraph.add_run(run.text)
        added.bold, added.italic = run.bold or None, run.italic or None
        if run.note:
            added.font.superscript = True
        if run.code:
            added.font.name = "Courier New"
