"""Presentations (.pptx and its macro-enabled, show and template variants): a page a slide, in visual order.

The title comes first, then the shapes from top to bottom and left to right; each has its own box, in points. Text
of layouts and masters is decoration and is not read; speaker notes follow their slide as "slide 3 notes". Charts are
read as tables of their stored values, diagrams as list items.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...anchors import JOINT_NONE, JOINT_SPACE, Piece
from ...blocks import BlockKind
from ...draft import Draft, Span
from ...pages import PageStatus
from ...registry import Format
from ...source import ParseContext, Source
from ..emptiness import warn_if_nothing_read
from ..office.archive import office_sniffer
from ..office.drawing_text import paragraph_text
from ..office.graphics import add_graphic
from ..office.limits import pages_to_read, warn_of_missing
from ..office.package import POINT, OfficePackage, Relation, attribute, child, descendants, local, number
from ..pacing import Pace
from .shapes import Layouts, Places, Shape
from .tables import add_slide_table

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

SUFFIXES = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")

_FURNITURE = {
    "ftr": BlockKind.FOOTER,
    "sldNum": BlockKind.FOOTER,
    "dt": BlockKind.FOOTER,
    "hdr": BlockKind.HEADER,
}
_BULLETED = {"body", "obj", ""}
"""Placeholders whose paragraphs are list items unless they say otherwise; a slide's main one has no type."""

_WARNINGS: tuple[tuple[str, str, str], ...] = (
    ("hidden", "hidden_slides", "{name} has {count} hidden slides, which were read like the others."),
    ("comments", "comments", "{name} holds comments on {count} slides, which are not part of its text."),
    ("charts", "unread_charts", "{name} has charts without stored values on {count} slides, which were not read."),
    ("objects", "embedded_document", "{name} embeds other files on {count} slides, which were not read."),
)


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a presentation.

    Raises
    ------
    WorkbenchError
        If the file is unsafe, damaged, encrypted or older than the format, or has more slides than ``max_pages``.
    """
    places = Places()
    draft = Draft(boxes_of=places.boxes_of)
    with OfficePackage(source, context) as package:
        main = package.main_part()
        root = package.xml(main)
        relations = package.relations(main)
        ids = [_relation_id(slide) for slide in child_list(root, "sldIdLst")]
        parts = [relations[i].target for i in ids if i in relations and package.has(relations[i].target)]
        warn_of_missing(draft, source.name, len(ids), len(parts), "slides")
        total = pages_to_read(draft, context, source.name, len(parts), "slides")
        reader = _SlideReader(package, draft, places, child(root, "sldSz"))
        pace = Pace(draft, context, source.name, total)
        for rank, part in enumerate(parts[:total], start=1):
            if not pace.goes_on(rank - 1):
                pace.give_up(after=f"{rank - 1:,} of {total:,} slides")
                break
            reader.read(rank, part)
        for key, code, message in _WARNINGS:
            pages = reader.noted.get(key)
            if pages:
                draft.warn(code, message.format(name=source.name, count=len(pages)), pages)
    warn_if_nothing_read(draft, source.name)
    return draft


def child_list(root: Element, name: str) -> list[Element]:
    """Return the children of the first child with this name."""
    found = child(root, name)
    return [] if found is None else list(found)


def _relation_id(slide: Element) -> str:
    """Return the ``r:id``; ``p:sldId`` also has a plain ``id``, which is another number."""
    return next((str(value) for key, value in slide.attrib.items() if str(key).endswith("}id")), "")


class _SlideReader:
    """Writes slides, one page each."""

    def __init__(self, package: OfficePackage, draft: Draft, places: Places, size: Element | None) -> None:
        self.package = package
        self.draft = draft
        self.places = places
        self.width = number(attribute(size, "cx"), 9_144_000) / POINT
        self.height = number(attribute(size, "cy"), 6_858_000) / POINT
        self.layouts = Layouts(package)
        self.noted: dict[str, list[int]] = {}
        self.slide = 0
        self.tables = 0

    def read(self, rank: int, part: str) -> None:
        """Write one slide and its notes."""
        self.slide, self.tables = rank, 0
        root = self.package.xml(part)
        shapes = self.layouts.slide_shapes(part, root)
        page = self.draft.begin_page(label=_label(shapes, rank), width=self.width, height=self.height)
        start = self.draft.length
        relations = self.package.relations(part)
        images = 0
        for shape in shapes:
            images += sum(1 for _ in descendants(shape.element, "blip"))
            self._shape(shape, relations)
        for notes in self.package.related(part, "notesSlide"):
            self._notes(notes)
        if self.draft.length == start and images:
            self.draft.pages[page].status, self.draft.pages[page].images = PageStatus.NO_TEXT, images
        if attribute(root, "show") in ("0", "false"):
            self._note("hidden")
        if any(relation.kind == "comments" for relation in relations.values()):
            self._note("comments")

    def _note(self, key: str) -> None:
        pages = self.noted.setdefault(key, [])
        if self.slide not in pages:
            pages.append(self.slide)

    def _shape(self, shape: Shape, relations: Mapping[str, Relation]) -> None:
        if local(shape.element) == "graphicFrame":
            self._graphic(shape, relations)
            return
        body = child(shape.element, "txBody")
        if body is None:
            return
        start = self.draft.length
        paragraphs = [element for element in body if local(element) == "p"]
        if shape.is_title:
            self._title([paragraph_text(paragraph) for paragraph in paragraphs])
        else:
            for paragraph in paragraphs:
                kind, level = _kind_of(shape, child(paragraph, "pPr"))
                self._write(paragraph_text(paragraph), kind, level, f"slide {self.slide}")
        self.places.add(Span(start, self.draft.length), shape.box)

    def _title(self, texts: list[str]) -> None:
        pieces: list[Piece] = []
        for text in texts:
            if text.strip():
                span = self.draft.write(text)
                self.draft.write("\n")
                pieces.append(Piece(span.start, span.end, JOINT_SPACE if pieces else JOINT_NONE))
        if pieces:
            self.draft.add(BlockKind.HEADING, pieces, level=1, locator=f"slide {self.slide}")

    def _write(self, text: str, kind: BlockKind, level: int, locator: str) -> None:
        if text.strip():
            self.draft.add(kind, self.draft.write(text), level=level, locator=locator)
            self.draft.write("\n")

    def _graphic(self, shape: Shape, relations: Mapping[str, Relation]) -> None:
        data = child(shape.element, "graphic", "graphicData")
        start = self.draft.length
        for element in data if data is not None else ():
            name = local(element)
            if name == "tbl":
                self.tables += 1
                label = f"slide {self.slide} table {self.tables}"
                add_slide_table(self.draft, self.places, element, shape.box, label)
                return
            if name == "chart":
                self._linked("chart", attribute(element, "id"), relations)
            elif name == "relIds":
                self._linked("dm", attribute(element, "dm"), relations)
            elif name in ("oleObj", "AlternateContent", "contentPart"):
                self._note("objects")
        self.places.add(Span(start, self.draft.length), shape.box)

    def _linked(self, kind: str, relation_id: str | None, relations: Mapping[str, Relation]) -> None:
        relation = relations.get(relation_id or "")
        found = relation is not None and self.package.has(relation.target)
        place = "chart" if kind == "chart" else "diagram"
        locator = f"slide {self.slide} {place}"
        if (
            relation is None
            or not found
            or not add_graphic(self.draft, kind, self.package.xml(relation.target), locator)
        ):
            self._note("charts" if kind == "chart" else "objects")

    def _notes(self, part: str) -> None:
        tree = child(self.package.xml(part), "cSld", "spTree")
        for element in tree if tree is not None else ():
            holder = next(descendants(element, "ph"), None)
            body = child(element, "txBody")
            if body is None or (holder is not None and (attribute(holder, "type") or "body") != "body"):
                continue
            for paragraph in descendants(body, "p"):
                self._write(paragraph_text(paragraph), BlockKind.PARAGRAPH, 0, f"slide {self.slide} notes")


def _label(shapes: list[Shape], rank: int) -> str:
    """Return the slide's title on one line, or its number."""
    titles = (shape.element for shape in shapes if shape.is_title)
    texts = (paragraph_text(paragraph) for title in titles for paragraph in descendants(title, "p"))
    return " ".join(" ".join(texts).split()) or f"Slide {rank}"


def _kind_of(shape: Shape, properties: Element | None) -> tuple[BlockKind, int]:
    """Return kind and level of a paragraph: placeholders for lists have bullets unless switched off."""
    furniture = _FURNITURE.get(shape.placeholder or "")
    if furniture is not None:
        return furniture, 0
    level = max(0, min(8, number(attribute(properties, "lvl"))))
    own = {local(element) for element in properties} if properties is not None else set()
    bulleted = bool(own & {"buChar", "buAutoNum", "buBlip"})
    if not bulleted and shape.placeholder in _BULLETED:
        bulleted = "buNone" not in own and level not in shape.bare_levels
    return (BlockKind.LIST_ITEM, level + 1) if bulleted else (BlockKind.PARAGRAPH, 0)


FORMAT = Format(name="pptx", suffixes=SUFFIXES, sniff=office_sniffer("ppt/", SUFFIXES), parse=parse, version=3)
