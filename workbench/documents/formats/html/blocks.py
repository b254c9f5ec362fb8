"""Walks over an HTML tree, without recursion, and writes what a reader sees as blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...blocks import BlockKind
from ...draft import Draft, Span
from ...source import ParseContext
from ..code.cuts import cut_code
from ..lines import divided
from ..pacing import Pace
from .forms import CHECK_MARKS, control_text, has_control, is_control, is_inline_control
from .tables import TableWriter
from .tree import HEADINGS, furniture_elements, is_hidden, parse_tree, table_shapes

_SPACE = re.compile(r"[ \t\n\r\f]+")
_BLANKS_AROUND_BREAK = re.compile(r" ?(?:\v ?)+")
_BLOCK_TAGS = HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "colgroup", "dd", "desc", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr",
    "html", "label", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "plaintext",
    "pre", "section", "summary", "table", "tbody", "td", "text", "tfoot", "th", "thead", "tr", "ul", "xmp",
}  # fmt: skip
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})
_KINDS = {
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
    "li": BlockKind.LIST_ITEM,
    "dt": BlockKind.LIST_ITEM,
    "dd": BlockKind.LIST_ITEM,
    "label": BlockKind.FORM_FIELD,
}
_FEWEST_ALT_WORDS = 3
LONGEST_BLOCK = 65_536


@dataclass(slots=True)
class _Frame:
    """An open block element: the kind and level of the text right inside it."""

    tag: str
    kind: BlockKind
    level: int = 0
    line: int = 0
    preformatted: bool = False
    furniture: BlockKind | None = None


def add_html(
    draft: Draft,
    text: str,
    context: ParseContext,
    *,
    name: str = "The HTML text",
    locator_prefix: str = "",
    with_title: bool = False,
) -> None:
    """Append the blocks of an HTML text to a draft.

    Parameters
    ----------
    draft : Draft
        Text and blocks are added to its current page.
    text : str
        A whole page or a fragment, sound or not.
    context : ParseContext
    name : str
        The file's name, for messages.
    locator_prefix : str
        Stands before the line in the locators of the blocks ("body").
    with_title : bool
        Whether the page's title heads a page without a heading of the first level.
    """
    root, flattened = parse_tree(text)
    if flattened:
        draft.warn("nesting", f"{name} nests its elements too deeply; its text was read without most of its structure.")
    if root is None:
        return
    walker = HtmlWalker(draft, root, context, locator_prefix)
    if with_title:
        walker.add_title()
    walker.walk(Pace(draft, context, name, text.count("\n") + 1))


class HtmlWalker:
    """Writes the blocks of one tree; made by ``add_html``."""

    def __init__(self, draft: Draft, root: Any, context: ParseContext, locator_prefix: str) -> None:
        self._draft = draft
        self._root = root
        self._max_code = 4 * context.options.max_block_chars
        self._prefix = locator_prefix
        self._shapes = table_shapes(root)
        self._furniture = furniture_elements(root)
        self._frames = [_Frame("", BlockKind.PARAGRAPH)]
        self._lists = 0
        self._buffer: list[str] = []
        self._alts: list[str] = []
        self._tables: list[TableWriter] = []
        self._label = ""
        self._label_line = 0

    def add_title(self) -> None:
        """The page's title heads a page that has no heading of the first level."""
        if next(self._root.iter("h1"), None) is not None:
            return
        title = self._root.find(".//head/title")
        if title is not None and title.text:
            self._write(BlockKind.HEADING, _collapsed(title.text), 1, title.sourceline or 0)

    def walk(self, pace: Pace) -> None:
        """Visit every element once."""
        from lxml import etree

        walk = etree.iterwalk(self._root, events=("start", "end", "comment", "pi"))
        for event, element in walk:
            if event == "start":
                if is_hidden(element) or self._start(element):
                    walk.skip_subtree()
                if not pace.goes_on(element.sourceline or 0):
                    pace.give_up()
                    break
                continue
            if event == "end" and not is_hidden(element):
                self._end(element)
            if element.tail and element is not self._root:
                self._buffer.append(element.tail)
        self._flush()
        self._emit_label()
        if self._tables:
            self._tables[-1].end_row()

    # Elements --------------------------------------------------------------------------------------------

    def _start(self, element: Any) -> bool:
        """Open an element and say whether what is inside it has been dealt with."""
        tag = element.tag
        if is_control(element):
            self._add_control(element)
            return True
        if tag == "br":
            self._buffer.append("\v")
        elif tag == "img":
            self._alts.append(_collapsed(element.get("alt") or ""))
        elif tag in _BLOCK_TAGS:
            self._open_block(element, tag)
        if element.text:
            self._buffer.append(element.text)
        return False

    def _open_block(self, element: Any, tag: str) -> None:
        line = element.sourceline or 0
        table = self._tables[-1] if self._tables else None
        if table is not None and table.in_cell:
            # All blocks of one cell are one text.
            self._buffer.append("\v")
            self._frames.append(_Frame(tag, BlockKind.PARAGRAPH, line=line))
            return
        # A check mark that stands before its label is a part of the label.
        if tag != "label" or "".join(self._buffer).strip() not in CHECK_MARKS:
            self._flush()
        if tag == "table" and not self._shapes[element].is_layout:
            table = TableWriter(self._draft, self._place(line), self._place)
            self._tables.append(table)
        self._frames.append(self._frame(element, tag, line))
        if tag == "tr" and table is not None:
            table.begin_row(is_head=_parent_tag(element) == "thead", line=line)
        elif tag in ("td", "th") and table is not None:
            table.begin_cell(element)

    def _frame(self, element: Any, tag: str, line: int) -> _Frame:
        above = self._frames[-1]
        frame = _Frame(tag, above.kind, above.level, line, above.preformatted, above.furniture)
        frame.furniture = self._furniture.get(element, above.furniture)
        if tag in HEADINGS:
            frame.kind, frame.level = BlockKind.HEADING, int(tag[1])
        elif tag in _PREFORMATTED:
            frame.kind, frame.level, frame.preformatted = BlockKind.CODE, 0, True
        elif tag in _KINDS:
            frame.kind = _KINDS[tag]
            frame.level = min(255, max(1, self._lists) + (tag == "dd")) if frame.kind is BlockKind.LIST_ITEM else 0
        elif tag in _LISTS or tag in ("table", "blockquote", "form"):
            frame.kind, frame.level = BlockKind.PARAGRAPH, 0
        self._lists += tag in _LISTS
        return frame

    def _end(self, element: Any) -> None:
        tag = element.tag
        if tag not in _BLOCK_TAGS or is_control(element):
            return
        table = self._tables[-1] if self._tables else None
        if table is not None and table.in_cell:
            if tag in ("td", "th"):
                table.end_cell(self._take_text() or " ".join(filter(None, self._take_alts())))
            else:
                self._buffer.append("\v")
            self._frames.pop()
            return
        if tag == "label" and not has_control(element):
            # The field of this label may stand after it: then both are one block.
            self._emit_label()
            self._label = self._take_text()
            self._label_line = self._frames[-1].line
            if self._label.startswith(CHECK_MARKS):
                self._emit_label()
        else:
            self._flush()
        if table is not None and tag == "tr":
            table.end_row()
        elif table is not None and tag == "table" and not self._shapes[element].is_layout:
            table.end_row()
            self._tables.pop()
        self._lists -= tag in _LISTS
        self._frames.pop()

    def _add_control(self, element: Any) -> None:
        value = _collapsed(control_text(element))
        in_cell = bool(self._tables) and self._tables[-1].in_cell
        if in_cell or is_inline_control(element) or self._frames[-1].tag == "label":
            self._buffer.append(f" {value} ")
            return
        if not self._label or "".join(self._buffer).strip():
            self._flush()
        label = self._label or _collapsed(element.get("aria-label") or element.get("placeholder") or "")
        self._label = ""
        self._write(BlockKind.FORM_FIELD, f"{label} {value}".strip(), 0, element.sourceline or 0)

    # Text ------------------------------------------------------------------------------------------------

    def _take_text(self) -> str:
        text = "".join(self._buffer)
        self._buffer.clear()
        return _collapsed(text)

    def _take_alts(self) -> list[str]:
        alts, self._alts = self._alts, []
        return alts

    def _flush(self) -> None:
        """Write what was gathered since the last block began or ended."""
        frame = self._frames[-1]
        if frame.preformatted and self._buffer:
            text = "".join(self._buffer).replace("\v", "\n")
            self._buffer.clear()
            self._write_code(text, frame.line)
        elif self._buffer:
            text = self._take_text()
            kind = frame.kind
            # The title of a page often stands in its header.
            if frame.furniture is not None and not (
                kind is BlockKind.HEADING and frame.furniture is BlockKind.HEADER and frame.level == 1
            ):
                kind = frame.furniture
            level = frame.level if kind in (BlockKind.HEADING, BlockKind.LIST_ITEM) else 0
            self._write(kind, text, level, frame.line)
        for alt in self._take_alts():
            if len(alt.split()) >= _FEWEST_ALT_WORDS:
                self._write(BlockKind.CAPTION, alt, 0, frame.line)

    def _write(self, kind: BlockKind, text: str, level: int, line: int) -> None:
        if not text:
            return
        self._before_block()
        span = self._draft.write(text + "\n")
        for part in divided(text, Span(0, len(text)), LONGEST_BLOCK):
            at = Span(span.start + part.start, span.start + part.end)
            self._draft.add(kind, at, level=level, locator=self._place(line))

    def _write_code(self, text: str, line: int) -> None:
        if not text.strip():
            return
        self._before_block()
        span = self._draft.write(text + "\n")
        for part in cut_code(text, Span(0, len(text)), self._max_code):
            at = Span(span.start + part.start, span.start + part.end)
            self._draft.add(BlockKind.CODE, at, locator=self._place(line))

    def _before_block(self) -> None:
        self._emit_label()
        if self._tables:
            self._tables[-1].end_row()

    def _emit_label(self) -> None:
        """A label whose field did not follow is a block of its own."""
        label, self._label = self._label, ""
        self._write(BlockKind.FORM_FIELD, label, 0, self._label_line)

    def _place(self, line: int) -> str:
        return f"{self._prefix} line {line}".strip() if line else self._prefix


def _collapsed(text: str) -> str:
    """White space as it is displayed: one space, or a line feed at a forced break."""
    # Python counts the vertical tab, which marks forced breaks here, as white space: it is replaced last.
    text = _SPACE.sub(" ", text)
    return _BLANKS_AROUND_BREAK.sub("\n", text).strip()


def _parent_tag(element: Any) -> str:
    parent = element.getparent()
    return str(parent.tag) if parent is not None else ""
