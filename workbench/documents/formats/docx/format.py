"""Word documents (.docx and its macro-enabled and template variants), read from their XML in document order.

The text layer is the visible text: headers, then the body, then notes and footers. Deleted text and comments are not
read, inserted text is. A Word file does not say where its pages end, so it is one page; places are given as
"paragraph 12" (the twelfth of the body, tables not counted, empty ones counted) and "table 2 row 3". A table with one
cell only frames its text and is read as such; a table inside a cell follows the outer one. List numbers and note marks
are computed by the program that shows the file and are no text.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...anchors import JOINT_NONE, JOINT_SPACE, Piece
from ...blocks import BlockKind
from ...draft import Draft
from ...pages import PageStatus
from ...registry import Format
from ...source import ParseContext, Source
from ..emptiness import warn_if_nothing_read
from ..office.archive import office_sniffer
from ..office.graphics import add_graphic
from ..office.package import OfficePackage, alternative, child, local
from ..pacing import Pace
from .parts import Furniture, warn_of_counts
from .styles import Role, Styles
from .tables import CellText, TableText, read_table
from .text import ParagraphText, is_control, read_paragraph

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

SUFFIXES = (".docx", ".docm", ".dotx", ".dotm")

LONGEST_HEADING = 300
"""A longer paragraph in a heading style is a numbered clause, which is text."""
LONGEST_LABEL = 80
"""Most characters around a form control in a paragraph that is a form field."""

_TRANSPARENT = {"ins", "moveTo", "customXml", "smartTag", "sdtContent"}
_DELETED = {"del", "moveFrom"}


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a Word document.

    Raises
    ------
    WorkbenchError
        If the file is unsafe, damaged, encrypted or older than the format.
    """
    draft = Draft()
    with OfficePackage(source, context) as package:
        main = package.main_part()
        styles_part = next(iter(package.related(main, "styles")), None)
        styles = Styles(package.xml(styles_part) if styles_part else None)
        draft.begin_page()
        reader = _Reader(package, main, draft, context, styles)
        reader.read()
    warn_if_nothing_read(draft, source.name)
    return draft


class _Reader:
    """Walks the body and writes what it finds; ``place`` is "" in the body, else the locator of all it holds."""

    def __init__(self, package: OfficePackage, main: str, draft: Draft, context: ParseContext, styles: Styles) -> None:
        self.package = package
        self.main = main
        self.draft = draft
        self.pace = Pace(draft, context, package.name)
        self.styles = styles
        self.relations = package.relations(main)
        self.counts: Counter[str] = Counter()
        self.paragraphs = 0
        self.tables = 0
        self.boxes = 0
        self.code_end = -1
        """Where the code block that is still open ends; -1 when none is."""

    def read(self) -> None:
        body = child(self.package.xml(self.main), "body")
        furniture = Furniture(self.package, self.relations, self.styles, body)
        furniture.add_headers(self.draft)
        if body is not None:
            self.walk(body, "")
        for kind in ("footnote", "endnote"):
            furniture.add_notes(self.draft, self.main, kind)
        furniture.add_footers(self.draft)
        self.counts["comments"] = furniture.comments(self.main)
        warn_of_counts(self.draft, self.package.name, self.counts)
        page = self.draft.pages[0]
        if self.counts["images"] and not any(block.pieces for block in self.draft.blocks):
            page.status, page.images = PageStatus.NO_TEXT, self.counts["images"]

    def walk(self, container: Element, place: str, *, in_control: bool = False) -> None:
        for element in container:
            if self._stop():
                return
            name = local(element)
            if name == "p":
                self._paragraph(element, place, in_control)
            elif name == "tbl":
                self._table(element, place)
            elif name == "sdt":
                content = child(element, "sdtContent")
                if content is not None:
                    self.walk(content, place, in_control=in_control or is_control(element))
            elif name in _TRANSPARENT:
                self.counts["inserted"] += name in ("ins", "moveTo")
                self.walk(element, place, in_control=in_control)
            elif name in _DELETED:
                self.counts["deleted"] += 1
            elif name == "AlternateContent":
                branch = alternative(element)
                if branch is not None:
                    self.walk(branch, place, in_control=in_control)
            elif name == "altChunk":
                self.counts["chunks"] += 1

    def _stop(self) -> bool:
        if self.pace.goes_on(self.paragraphs):
            return False
        self.pace.give_up(after=f"{self.paragraphs:,} paragraphs")
        return True

    def _paragraph(self, element: Element, place: str, in_control: bool) -> None:
        if not place:
            self.paragraphs += 1
        locator = place or f"paragraph {self.paragraphs}"
        found = read_paragraph(element, self.styles)
        role = self._role(element, found, in_control)
        if role.kind is BlockKind.CODE:
            self._code_line(found.text, locator)
        elif found.text.strip():
            self.draft.add(role.kind, self.draft.write(found.text), level=role.level, locator=locator)
            self.draft.write("\n")
        self._anchored(found, locator)

    def _role(self, element: Element, found: ParagraphText, in_control: bool) -> Role:
        role = self.styles.role(child(element, "pPr"))
        if role.kind is BlockKind.HEADING and len(found.text) > LONGEST_HEADING:
            role = Role(BlockKind.PARAGRAPH)
        around = len(found.text.strip()) - found.control_chars
        filled_in = in_control or (found.has_control and around <= LONGEST_LABEL)
        if filled_in and role.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            return Role(BlockKind.FORM_FIELD)
        return role

    def _code_line(self, text: str, locator: str) -> None:
        """Each line of code is a paragraph of its own; lines that follow one another are one block."""
        draft = self.draft
        span = draft.write(text)
        draft.write("\n")
        if self.code_end == span.start and draft.blocks and draft.blocks[-1].kind is BlockKind.CODE:
            block = draft.blocks[-1]
            block.pieces = [Piece(block.pieces[0].start_char, span.end)]
        else:
            draft.add(BlockKind.CODE, span, locator=locator)
        self.code_end = draft.length

    def _anchored(self, found: ParagraphText, locator: str) -> None:
        """Write what a paragraph holds beside its line of text."""
        for text, reason in found.unseen:
            self.draft.exclude(self.draft.write(text), reason)
            self.draft.write("\n")
            self.counts["hidden"] += reason == "hidden text"
        self.counts["images"] += found.images
        self.counts["deleted"] += found.deleted
        self.counts["inserted"] += found.inserted
        for box in found.boxes:
            self.boxes += 1
            self.walk(box, f"text box {self.boxes}")
        for kind, relation_id in found.graphics:
            relation = self.relations.get(relation_id)
            if relation is None or not self.package.has(relation.target):
                continue
            place = "chart" if kind == "chart" else "diagram"
            add_graphic(self.draft, kind, self.package.xml(relation.target), f"{place} after {locator}")

    def _table(self, element: Element, place: str) -> None:
        table = read_table(element, self.styles)
        lone = table.lone_cell
        if lone is not None:
            self.walk(lone, place)
            return
        self.tables += 1
        label = f"{place}, table {self.tables}" if place else f"table {self.tables}"
        index = self.draft.begin_table(locator=label)
        nested: list[Element] = []
        for rank, row in enumerate(table.rows):
            if self._stop():
                return
            cells: list[list[Piece] | None] = [None] * table.width
            for cell in row:
                cells[cell.column] = self._cell(cell)
                nested += cell.tables
            self.draft.add_row(index, cells, is_header=rank < table.headers, locator=f"{label} row {rank + 1}")
            self.draft.write("\n")
        self._after_table(table, label, nested)

    def _cell(self, cell: CellText) -> list[Piece] | None:
        if cell.column and not cell.covered:
            self.draft.write("\t")
        pieces: list[Piece] = []
        for found in cell.paragraphs:
            span = self.draft.write(found.text)
            if found.text.strip() and cell.covered:
                self.draft.exclude(span, "hidden behind a merged cell")
            elif found.text.strip():
                pieces.append(Piece(span.start, span.end, JOINT_SPACE if pieces else JOINT_NONE))
            self.draft.write("\n" if len(cell.paragraphs) > 1 else "")
        return pieces or None

    def _after_table(self, table: TableText, label: str, nested: list[Element]) -> None:
        for row in table.rows:
            for cell in row:
                for found in cell.paragraphs:
                    self._anchored(found, label)
        self.counts["deleted"] += table.deleted
        for element in nested:
            self._table(element, "")


FORMAT = Format(name="docx", suffixes=SUFFIXES, sniff=office_sniffer("word/", SUFFIXES), parse=parse, version=3)
