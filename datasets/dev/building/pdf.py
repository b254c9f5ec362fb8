"""PDFs with the layout that reports, manuals and papers have."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Preformatted,
    Spacer,
    TableStyle,
)
from reportlab.platypus import PageBreak as NewPage
from reportlab.platypus import Table as Grid
from reportlab.platypus.tableofcontents import TableOfContents

from . import nodes as n
from .pdf_styles import RULE, SHADE, Faces, faces, styles

SIDE, TOP, BOTTOM, GUTTER = 62.0, 76.0, 66.0, 20.0
SMALL_SIDE = 44.0
"""Side margin of a page of size A5."""
NOTES = 62.0
"""Points kept free for footnotes on the pages of a document that has any."""


class NoteMark(Flowable):  # type: ignore[misc]
    """Takes no room, and hands a footnote to the page that it comes to stand on."""

    def __init__(self, label: str, text: str) -> None:
        super().__init__()
        self.label, self.text = label, text

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return 0, 0

    def draw(self) -> None:
        self.canv.page_notes = [*getattr(self.canv, "page_notes", []), (self.label, self.text)]


class Report(BaseDocTemplate):  # type: ignore[misc]
    """A document with running lines, footnotes and a table of contents."""

    def __init__(self, out: io.BytesIO, source: n.Source) -> None:
        meta = source.meta
        small = str(meta.get("page", "a4")).lower() == "a5"
        self.wide, self.high = A5 if small else A4
        self.side = SMALL_SIDE if small else SIDE
        super().__init__(
            out, pagesize=(self.wide, self.high), title=source.title, author=str(meta.get("author", "")), invariant=1,
            lang="zh-CN" if source.chinese else "en-GB",
        )  # fmt: skip
        self.columns = int(meta.get("columns", 1))
        self.header = str(meta.get("running_header", source.title))
        self.footer = str(meta.get("running_footer", ""))
        self.face: Faces = faces(source.chinese)
        self.sheet = styles(source.chinese, self.columns == 2)
        self.entries = 0
        low = BOTTOM + (NOTES if source.notes else 0)
        self.low, self.tall = low, self.high - TOP - low
        templates = [PageTemplate("body", self._frames(self.tall), onPageEnd=self.running)]
        if meta.get("cover"):
            cover = Frame(self.side, BOTTOM, self.room, self.high * 0.62)
            templates.insert(0, PageTemplate("cover", [cover]))
        elif self.columns == 2:
            front = 128.0
            top = Frame(self.side, self.high - TOP - front, self.room, front, 0, 0, 0, 0)
            below = self._frames(self.tall - front)
            templates.insert(0, PageTemplate("front", [top, *below], onPageEnd=self.running))
        self.addPageTemplates(templates)

    def _frames(self, height: float) -> list[Frame]:
        lefts = [self.side + rank * (self.column + GUTTER) for rank in range(self.columns)]
        return [Frame(left, self.low, self.column, height, 0, 0, 0, 0) for left in lefts]

    @property
    def room(self) -> float:
        """Width of the text in points."""
        return float(self.wide - 2 * self.side)

    @property
    def column(self) -> float:
        """Width of a column in points."""
        return (self.room - GUTTER * (self.columns - 1)) / self.columns

    def beforeDocument(self) -> None:  # noqa: N802
        self.entries = 0

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802
        level = getattr(flowable, "level", 0)
        if not level:
            return
        self.entries += 1
        key = f"h{self.entries}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(flowable.plain, key, flowable.rank, closed=flowable.rank > 0)
        if level <= 2:
            self.notify("TOCEntry", (level - 1, escape(flowable.plain), self.page, key))

    def running(self, canvas: Canvas, _doc: BaseDocTemplate) -> None:
        """Draw header, footer, page number and the footnotes of the page."""
        canvas.saveState()
        canvas.setFont(self.face.text, 8.5)
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        left, right, line = self.side, self.wide - self.side, self.high - 51
        canvas.drawString(left, line + 5, self.header)
        canvas.drawRightString(right, line + 5, str(canvas.getPageNumber()))
        canvas.line(left, line, right, line)
        if self.footer:
            canvas.drawString(left, 36, self.footer)
        self._draw_notes(canvas)
        canvas.restoreState()

    def _draw_notes(self, canvas: Canvas) -> None:
        notes = getattr(canvas, "page_notes", [])
        canvas.page_notes = []
        if not notes:
            return
        drawn = [Paragraph(f"<super>{label}</super> {text}", self.sheet["note"]) for label, text in notes]
        heights = [paragraph.wrap(self.room, self.high)[1] for paragraph in drawn]
        at = BOTTOM - 14 + sum(heights)
        canvas.line(self.side, at + 3, self.side + 110, at + 3)
        for paragraph, height in zip(drawn, heights, strict=True):
            at -= height
            paragraph.drawOn(canvas, self.side, at)


def pdf_of(source: n.Source) -> bytes:
    """Return the source as a PDF."""
    out = io.BytesIO()
    report = Report(out, source)
    story = [*_opening(source, report), *_story(source, report)]
    report.multiBuild(story)
    return out.getvalue()


def _opening(source: n.Source, report: Report) -> Iterator[Flowable]:
    sheet, meta = report.sheet, source.meta
    by = [str(meta[key]) for key in ("subtitle", "author", "date") if meta.get(key)]
    lines = [Paragraph(escape(source.title), sheet["cover"]), *(Paragraph(escape(said), sheet["by"]) for said in by)]
    if meta.get("cover"):
        yield NextPageTemplate("body")
        yield from lines
        yield NewPage()
    elif report.columns == 2:
        yield NextPageTemplate("body")
        yield from lines
        yield FrameBreak()
    elif meta.get("contents"):
        yield from lines
    if meta.get("contents"):
        heading = Paragraph("目录" if source.chinese else "Contents", sheet["h1"])
        yield heading
        contents = TableOfContents(dotsMinLevel=0)
        contents.levelStyles = [
            ParagraphStyle(f"toc{level}", parent=sheet["item"], leftIndent=14 * level, alignment=0)
            for level in range(2)
        ]
        yield contents
        yield NewPage()


def _story(source: n.Source, report: Report) -> Iterator[Flowable]:
    sheet, captions, open_levels = report.sheet, source.captions(), list[int]()
    for rank, node in enumerate(source.nodes):
        match node:
            case n.Heading(level, runs):
                if level == 1 and rank and source.meta.get("chapter_pages"):
                    yield NewPage()
                shown = Paragraph(markup(runs, report.face), sheet[f"h{min(level, 4)}"])
                open_levels = [above for above in open_levels if above < level]
                shown.level, shown.plain, shown.rank = level, n.plain(runs), len(open_levels)
                open_levels.append(level)
                yield shown
            case n.Paragraph(runs):
                yield Paragraph(markup(runs, report.face), sheet["text"])
                yield from _notes(runs, source, report)
            case n.Item(depth, number, runs):
                left = 16.0 * (depth + 1)
                style = ParagraphStyle("item", parent=sheet["item"], leftIndent=left, bulletIndent=left - 13)
                yield Paragraph(markup(runs, report.face), style, bulletText=f"{number}." if number else "•")
                yield from _notes(runs, source, report)
            case n.Code(text):
                yield Preformatted(text, sheet["code"], maxLineLength=88 if report.columns == 1 else 46)
                yield Spacer(0, 4)
            case n.PageBreak():
                yield NewPage()
            case n.Table():
                if rank in captions:
                    yield Paragraph(escape(captions[rank]), sheet["caption"])
                yield table_of(node, report)
                for row in (node.header, *node.rows):
                    for cell in row:
                        yield from _notes(cell, source, report)
                yield Spacer(0, 9)


def _notes(runs: n.Runs, source: n.Source, report: Report) -> Iterator[Flowable]:
    for run in runs:
        if run.note:
            yield NoteMark(run.note, markup(source.notes[run.note], report.face))


def markup(runs: n.Runs, face: Faces) -> str:
    """Return runs in reportlab's inline markup."""
    said: list[str] = []
    for run in runs:
        text = escape(run.text).replace("\n", "<br/>")
        if run.note:
            text = f"<super>{text}</super>"
        if run.code:
            text = f'<font name="{face.mono}">{text}</font>'
        elif run.bold:
            text = f'<font name="{face.bold}">{text}</font>'
        elif run.italic:
            text = f'<font name="{face.italic}">{text}</font>'
        said.append(text)
    return "".join(said)


def table_of(node: n.Table, report: Report) -> Grid:
    """Return a ruled table whose columns are as wide as their texts ask for."""
    head, cell = report.sheet["head"], report.sheet["cell"]
    numeric = [_is_numeric(node, at) for at in range(len(node.header))]
    right_head = ParagraphStyle("head right", parent=head, alignment=2)
    right = ParagraphStyle("cell right", parent=cell, alignment=2)
    rows = [[_in_cell(runs, report, right_head if numeric[at] else head) for at, runs in enumerate(node.header)]]
    rows += [[_in_cell(runs, report, right if numeric[at] else cell) for at, runs in enumerate(r)] for r in node.rows]
    grid = Grid(rows, colWidths=_widths(node, report), repeatRows=1)
    style: list[tuple[Any, ...]] = [
        ("BACKGROUND", (0, 0), (-1, 0), SHADE), ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("GRID", (0, 0), (-1, -1), 0.35, RULE),
        ("LEFTPADDING", (0, 0), (-1, -1), 3.5), ("RIGHTPADDING", (0, 0), (-1, -1), 3.5),
        ("TOPPADDING", (0, 0), (-1, -1), 1.8), ("BOTTOMPADDING", (0, 0), (-1, -1), 2.6),
    ]  # fmt: skip
    grid.setStyle(TableStyle(style))
    return grid


def _in_cell(runs: n.Runs, report: Report, style: ParagraphStyle) -> Paragraph:
    return Paragraph(markup(runs, report.face), style)


def _is_numeric(node: n.Table, at: int) -> bool:
    texts = [n.plain(row[at]).strip() for row in node.rows]
    said = [text for text in texts if text not in ("", "-", "–")]
    return bool(said) and all(text[:1] in "-–+(0123456789" and sum(map(str.isalpha, text)) <= 1 for text in said)


def _widths(node: n.Table, report: Report) -> list[float]:
    head, cell = report.sheet["head"], report.sheet["cell"]
    least, wish = [], []
    for at in range(len(node.header)):
        texts = [(n.plain(node.header[at]), head), *((n.plain(row[at]), cell) for row in node.rows)]
        words = [stringWidth(word, style.fontName, style.fontSize) for text, style in texts for word in text.split()]
        lines = [stringWidth(text, style.fontName, style.fontSize) for text, style in texts]
        longest = max(words, default=10.0) + 8.5
        least.append(min(longest, 60.0) if report.face.text == report.face.mono else longest)
        wish.append(max(max(lines, default=10.0) + 8.5, least[-1]))
    room = report.column
    if sum(wish) <= room:
        return [width + (room - sum(wish)) * 0.3 / len(wish) for width in wish]
    if sum(least) >= room:
        return [width * room / sum(least) for width in least]
    spare = room - sum(least)
    more = [(high - low) ** 0.6 for low, high in zip(least, wish, strict=True)]
    return [low + spare * extra / sum(more) for low, extra in zip(least, more, strict=True)]
