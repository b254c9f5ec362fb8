"""From the page ranges of a PDF to a draft: the stage that sees the whole document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from ....anchors import JOINT_LINE, JOINT_NONE, JOINT_SPACE, Piece
from ....blocks import BlockKind
from ....columns import NONE
from ....draft import Draft, Span
from ....pages import STATUSES, PageStatus
from ..outline import OutlineEntry
from ..page.extraction import PageRange
from .contents import mark_contents
from .furniture import mark_furniture
from .heading_levels import Heading
from .headings import find_headings
from .hyphens import HYPHENS, Vocabulary
from .letters import HAN
from .marks import CONTINUED, REFERENCES_TITLE
from .paragraphs import (
    Edges,
    Paragraph,
    begins_new,
    column_edges,
    goes_on,
    is_short_caption,
    kind_of_first,
    mark_code,
    mark_footnotes,
)
from .rows import mark_rows
from .styles import Typography, typography_of
from .tables import Table, build_table, continues, split_tables
from .text_lines import PdfText, TextLine, pdf_text

UNREADABLE_TEXT = "text of an unreadable page"
_RUNNING = (BlockKind.HEADER, BlockKind.FOOTER)
LINE_END_HYPHEN = "hyphen at a line end"
INVISIBLE = "character without ink"
_SCAN_SHARE = 0.5
_INVISIBLE_RUN = re.compile("[\0\u200b]+")

Item = Heading | Paragraph | Table


def assemble(
    ranges: Sequence[PageRange],
    outline: Sequence[OutlineEntry] = (),
    labels: Sequence[str] = (),
    *,
    check_time: Callable[[], None] = lambda: None,
) -> Draft:
    """Turn the page ranges of one PDF, in order, into a draft.

    ``check_time`` is called once a page and may raise.
    """
    pdf = pdf_text(ranges)
    draft = Draft(boxes_of=pdf.boxes_of)
    _write_pages(draft, pdf, labels)
    mark_furniture(pdf.lines, len(pdf.page_sizes))
    _mark_scans(draft, pdf)
    body = [line for line in pdf.lines if line.kind is None]
    mark_contents(body, len(pdf.page_sizes))
    typography = typography_of(body)
    for page, found in groupby(body, key=lambda line: line.page):
        check_time()
        lines = list(found)
        mark_code(lines, typography)
        mark_rows(lines, typography.pitch(typography.body_size))
        mark_footnotes(lines, pdf.rules.get(page, ()), pdf.page_sizes[page][1], typography)
    edges = column_edges(body)
    headings = find_headings(body, typography, outline, edges)
    items = _items(pdf, headings, typography, edges)
    items.sort(key=_page_and_side)
    check_time()
    _write_blocks(draft, _with_joined_sentences(items), Vocabulary(line.text for line in pdf.lines), pdf.fields)
    return draft


def _write_pages(draft: Draft, pdf: PdfText, labels: Sequence[str]) -> None:
    for number, text in enumerate(pdf.page_texts):
        width, height = pdf.page_sizes[number]
        status = STATUSES[pdf.page_status[number]]
        draft.begin_page(
            label=labels[number] if number < len(labels) else "",
            status=status,
            width=width,
            height=height,
            images=pdf.page_images[number] if status is PageStatus.NO_TEXT else 0,
        )
        span = draft.write(text)
        if status is PageStatus.UNREADABLE:
            draft.exclude(span, UNREADABLE_TEXT)
    for start, end in _runs_of_invisible("".join(pdf.page_texts)):
        draft.exclude(Span(start, end), INVISIBLE)
    for start, end, why in pdf.excluded:
        draft.exclude(Span(start, end), why)


def _mark_scans(draft: Draft, pdf: PdfText) -> None:
    """A page-sized image under nothing but a running stamp is a scan: its text layer says nothing of its content."""
    has_body = {line.page for line in pdf.lines if line.kind is None}
    for number, share in enumerate(pdf.page_image_share):
        page = draft.pages[number]
        if (
            share >= _SCAN_SHARE
            and number not in has_body
            and page.status is PageStatus.TEXT
            and number not in pdf.fields
        ):
            page.status = PageStatus.NO_TEXT
            page.images = pdf.page_images[number]


def _runs_of_invisible(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _INVISIBLE_RUN.finditer(text)]


def _items(pdf: PdfText, headings: Sequence[Heading], typography: Typography, edges: Edges) -> list[Item]:
    """Group the lines of the document, in reading order, into headings, paragraphs and tables."""
    heading_of = {id(line): heading for heading in headings for line in heading.lines}
    items: list[Item] = []
    in_references = False
    for is_row, group in groupby(
        pdf.lines, key=lambda line: (line.page, line.region, line.kind is BlockKind.TABLE_ROW)
    ):
        lines = list(group)
        if is_row[2]:
            items.extend(_tables(lines, typography))
            continue
        open_paragraph: Paragraph | None = None
        for line in lines:
            heading = heading_of.get(id(line))
            if heading is not None:
                open_paragraph = None
                if line is heading.lines[0]:
                    items.append(heading)
                    in_references = bool(REFERENCES_TITLE.fullmatch(heading.text.strip()))
                continue
            if line.kind in _RUNNING:
                # A running line, or a watermark, stands between the lines of a paragraph and parts nothing.
                items.append(Paragraph(line.kind, [line]))
                continue
            kind = kind_of_first(line, in_references=in_references)
            if open_paragraph is not None and not _parts(open_paragraph, line, kind, typography, edges):
                open_paragraph.lines.append(line)
                continue
            open_paragraph = Paragraph(kind, [line], line.level or int(kind is BlockKind.LIST_ITEM))
            items.append(open_paragraph)
    for item in items:
        if isinstance(item, Paragraph) and item.kind is BlockKind.CAPTION and not is_short_caption(item):
            item.kind = BlockKind.PARAGRAPH
    return items


def _page_and_side(item: Item) -> tuple[int, int]:
    """Running headers come first on their page and footers last, whatever column they stand over."""
    line = item.first_line if isinstance(item, Table) else item.lines[0]
    return line.page, (line.kind is BlockKind.FOOTER) - (line.kind is BlockKind.HEADER)


def _parts(paragraph: Paragraph, line: TextLine, kind: BlockKind, typography: Typography, edges: Edges) -> bool:
    if line.kind is BlockKind.TOC_ENTRY:
        return True
    if paragraph.kind is not kind and (line.kind is not None or paragraph.lines[-1].kind is not None):
        return True
    if kind is BlockKind.CAPTION and paragraph.kind is not BlockKind.CAPTION:
        return begins_new(paragraph, line, typography, edges) or line.x0 <= paragraph.lines[0].x0
    return begins_new(paragraph, line, typography, edges)


def _tables(lines: Sequence[TextLine], typography: Typography) -> list[Table]:
    pitch = typography.pitch(typography.body_size)
    return [build_table(group) for group in split_tables(lines, pitch)]


def _with_joined_sentences(items: list[Item]) -> list[Item]:
    """Join a paragraph with its continuation in the next column or overleaf; running lines stand between."""
    kept: list[Item] = []
    open_paragraph: Paragraph | None = None
    for item in items:
        if isinstance(item, Paragraph):
            if item.kind in (BlockKind.HEADER, BlockKind.FOOTER, BlockKind.FOOTNOTE, BlockKind.CAPTION):
                kept.append(item)
                continue
            if open_paragraph is not None and _elsewhere(open_paragraph, item) and goes_on(open_paragraph, item):
                open_paragraph.lines.extend(item.lines)
                continue
            open_paragraph = item
        elif isinstance(item, Heading):
            open_paragraph = None
        kept.append(item)
    return kept


def _elsewhere(first: Paragraph, second: Paragraph) -> bool:
    last, begin = first.lines[-1], second.lines[0]
    if last.page == begin.page:
        return last.region != begin.region
    return begin.page - last.page <= 2


def _write_blocks(
    draft: Draft, items: Sequence[Item], vocabulary: Vocabulary, fields: Mapping[int, list[tuple[int, int]]]
) -> None:
    last_table: tuple[Table, int] | None = None
    for item in items:
        if isinstance(item, Table):
            before = last_table
            index = draft.begin_table(
                continues=before[1] if before is not None and continues(item, before[0]) else NONE,
                page=item.first_line.page,
            )
            _write_rows(draft, item, index)
            last_table = (item, index)
            continue
        kind = BlockKind.HEADING if isinstance(item, Heading) else item.kind
        pieces = _code_pieces(item.lines) if kind is BlockKind.CODE else _joined_pieces(draft, item.lines, vocabulary)
        draft.add(kind, pieces, level=item.level, page=item.lines[0].page)
        if kind is BlockKind.CAPTION:
            if not CONTINUED.search(item.lines[0].text):
                last_table = None
        elif kind not in (*_RUNNING, BlockKind.FOOTNOTE):
            last_table = None
    # The draft puts them behind the other blocks of their page.
    for page, spans in fields.items():
        for start, end in spans:
            draft.add(BlockKind.FORM_FIELD, Span(start, end), page=page)


def _write_rows(draft: Draft, table: Table, index: int) -> None:
    for row in table.rows:
        cells: dict[int, list[Piece]] = defaultdict(list)
        for piece in row.pieces:
            cells[piece.column].append(piece)
        width = max(cells) + 1
        draft.add_row(
            index,
            [cells.get(column) for column in range(width)],
            is_header=row.is_header,
            page=row.lines[0].page,
        )


def _code_pieces(lines: Sequence[TextLine]) -> list[Piece]:
    """The pieces of code: its lines stay lines."""
    return [
        Piece(piece.start_char, piece.end_char, JOINT_SPACE if rank else JOINT_LINE)
        for line in lines
        for rank, piece in enumerate(line.pieces)
    ]


def _joined_pieces(draft: Draft, lines: Sequence[TextLine], vocabulary: Vocabulary) -> list[Piece]:
    """The pieces of running text: lines joined by a space, or by nothing within a word and between Han characters."""
    pieces: list[Piece] = []
    before = ""
    for line in lines:
        own = [
            Piece(piece[0], piece[1], JOINT_NONE if piece[2] == JOINT_NONE and rank else JOINT_SPACE)
            for rank, piece in enumerate(line.pieces)
        ]
        if pieces:
            joint, drop = _line_joint(before, line.text, vocabulary)
            own[0] = Piece(own[0][0], own[0][1], joint)
            if drop:
                end = pieces[-1].end_char
                pieces[-1] = Piece(pieces[-1][0], end - 1, pieces[-1][2])
                draft.exclude(Span(end - 1, end), LINE_END_HYPHEN)
        pieces.extend(own)
        before = line.text
    return pieces


def _line_joint(before: str, line: str, vocabulary: Vocabulary) -> tuple[int, bool]:
    """What joins two lines, and whether the hyphen between them vanishes."""
    if before.endswith(HYPHENS) and line[:1].isalnum() and before[-2:-1].isalnum():
        return JOINT_NONE, vocabulary.joins(before, line)
    if HAN.match(line[:1]) and HAN.match(before[-1:]):
        return JOINT_NONE, False
    return JOINT_SPACE, False
