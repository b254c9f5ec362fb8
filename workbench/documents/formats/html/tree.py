"""A tree from HTML however broken, and what is decided about it before the first block is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...blocks import BlockKind

_NOT_SHOWN = ("script", "style", "template", "noscript")
_HOSTILE_TAG = re.compile(
    r"<(/?)(?!(?:p|br|h[1-6]|script|style|template|noscript|title)\b)[a-zA-Z!?][^<>]*>", re.IGNORECASE
)
_ANY_TAG = re.compile(r"<[/a-zA-Z!?][^<>]*>")
_UNSEEN = re.compile(r"<(script|style|template|noscript|title)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)

_FURNITURE = {"header": BlockKind.HEADER, "nav": BlockKind.HEADER, "footer": BlockKind.FOOTER}
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class TableShape:
    """What a table holds, found before its rows are written."""

    rows: int = 0
    widest: int = 0
    headers: int = 0
    nested: bool = False
    headings: bool = False
    presentation: bool = False

    @property
    def is_layout(self) -> bool:
        """Whether it only arranges the page: then its cells are read as parts of the page."""
        if self.nested or self.presentation or self.headings:
            return True
        return self.widest < 2 and not self.headers


def parse_tree(text: str) -> tuple[Any, bool]:
    """Return the root element, or None for nothing, and whether tags had to be dropped because of their depth."""
    from lxml import etree

    text = text.replace("\0", "\ufffd")
    for attempt, flat in enumerate((text, None, None)):
        shown = flat if flat is not None else _flattened(text, attempt)
        if not shown.strip():
            return None, False
        parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True, remove_pis=False)
        try:
            root = etree.fromstring(shown.encode("utf-8", errors="replace"), parser)
        except etree.XMLSyntaxError:
            root = None
        if root is None or not any("depth" in entry.message.lower() for entry in parser.error_log):
            return root, attempt > 0
    return root, True


def _flattened(text: str, attempt: int) -> str:
    """Drop the tags of a text that is nested too deeply: first most of them, then all."""
    if attempt == 1:
        return _HOSTILE_TAG.sub("<br>", text)
    visible = _UNSEEN.sub(" ", text)
    return "<pre>" + _ANY_TAG.sub("\n", visible).replace("<", "&lt;") + "</pre>"


def is_hidden(element: Any) -> bool:
    """Say whether an element and all inside it are never shown."""
    tag = element.tag
    if tag in _NOT_SHOWN or tag in ("head", "datalist", "object", "iframe", "audio", "video", "canvas"):
        return True
    if element.get("hidden") is not None:
        return True
    if tag == "input" and (element.get("type") or "").lower() == "hidden":
        return True
    style = element.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


def table_shapes(root: Any) -> dict[Any, TableShape]:
    """Look at every table once, however they are nested."""
    from lxml import etree

    shapes: dict[Any, TableShape] = {}
    open_tables: list[TableShape] = []
    cells: list[int] = []
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=("table", "tr", "td", "th", *HEADINGS)):
        tag = element.tag
        if tag == "table" and event == "start":
            if open_tables:
                open_tables[-1].nested = True
            shape = shapes[element] = TableShape()
            shape.presentation = (element.get("role") or "").lower() in ("presentation", "none")
            open_tables.append(shape)
            cells.append(0)
        elif tag == "table":
            open_tables.pop()
            cells.pop()
        elif event == "start" and open_tables:
            shape = open_tables[-1]
            if tag == "tr":
                shape.rows += 1
                cells[-1] = 0
            elif tag in HEADINGS:
                shape.headings = True
            else:
                shape.headers += tag == "th"
                cells[-1] += 1
                shape.widest = max(shape.widest, cells[-1])
    return shapes


def furniture_elements(root: Any) -> dict[Any, BlockKind]:
    """Return the header, footer and nav elements that stand right in the body (or its only wrapper)."""
    body = root.find("body") if root.tag == "html" else root
    if body is None:
        return {}
    found: dict[Any, BlockKind] = {}
    children = [child for child in body if isinstance(child.tag, str)]
    wrappers = [child for child in children if child.tag in ("div", "main") and not is_hidden(child)]
    if len(wrappers) == 1 and len(children) == 1:
        children = [child for child in wrappers[0] if isinstance(child.tag, str)]
    roles = {"navigation": "nav", "banner": "header", "contentinfo": "footer"}
    for child in children:
        kind = roles.get((child.get("role") or "").lower(), child.tag)
        if kind in _FURNITURE:
            found[child] = _FURNITURE[kind]
    return found
