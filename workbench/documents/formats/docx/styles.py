"""What a paragraph of a Word document is, by its style and its own properties."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ...blocks import BlockKind
from ..office.package import attribute, child, descendants, is_on, local, number

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

BODY_TEXT_LEVEL = 9
"""Outline level that means "not a heading" (ISO/IEC 29500-1, 17.3.1.20)."""

_LONGEST_NAME = 100

# Word stores built-in names in English whatever its own language; other writers store what they show.
_HEADING = re.compile(
    r"(?:heading|标题|標題|überschrift|titre|título|titolo|見出し|제목|заголовок|kop|rubrik|nagłówek|overskrift|"
    r"otsikko|nadpis|başlık|cabeçalho|encabezado)\s*([1-9])",
)
_TITLE = {"title", "标题", "標題", "titel", "titre", "título", "titolo", "表題", "제목", "название"}
_TOC_ENTRY = re.compile(r"(?:toc|目录|目錄|目次|verzeichnis|inhaltsverzeichnis|table of figures|图表目录)\s*\d*")
_TOC_HEADING = {"toc heading", "contents heading", "toc 标题", "目录标题"}
_CAPTION = re.compile(r"(?:caption|题注|題注|図表番号|beschriftung|légende|leyenda|epígrafe|didascalia|캡션)(?:\W.*)?")
_CODE = re.compile(
    r"(?:.*\b)?(?:source code|code block|code|verbatim|listing|preformatted(?: text)?|html preformatted|macro text)"
    r"(?:\b.*)?|.*代码.*|.*程式碼.*"
)
_REFERENCE = {"bibliography", "bibliography text", "literaturverzeichnis", "书目", "参考文献", "bibliographie"}
_LIST = re.compile(r"list (?:bullet|number|continue)(?: (\d))?|列表(?:项目符号|编号)?\s*(\d)?")


class Role(NamedTuple):
    """The kind and level of block that a paragraph becomes."""

    kind: BlockKind
    level: int = 0


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    based_on: str
    outline: int | None
    list_level: int | None
    hidden: bool


class Styles:
    """The paragraph and character styles of a document.

    Parameters
    ----------
    root : Element or None
        The parsed styles part; None where the document has none.
    """

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._default = ""
        for element in root if root is not None else ():
            if local(element) != "style":
                continue
            style_id = attribute(element, "styleId") or ""
            self._styles[style_id] = _style(element)
            if attribute(element, "type") == "paragraph" and attribute(element, "default") in ("1", "true", "on"):
                self._default = style_id

    def role(self, properties: Element | None) -> Role:
        """Return what a paragraph with these ``w:pPr`` is."""
        own_list = _list_level(properties)
        chain = self._chain(attribute(child(properties, "pStyle"), "val") or self._default)
        outline = child(properties, "outlineLvl")
        named = _named_role(chain)
        if named is not None and named.kind is not BlockKind.HEADING:
            return named
        level = number(attribute(outline, "val"), BODY_TEXT_LEVEL) if outline is not None else None
        if level is None:
            level = next((style.outline for style in chain if style.outline is not None), None)
        if level is not None and level < BODY_TEXT_LEVEL:
            return Role(BlockKind.HEADING, min(level + 1, 6))
        if named is not None and (level is None or _is_toc_heading(chain)):
            return named
        return _list_role(chain, own_list)

    def hides(self, style_id: str | None) -> bool:
        """Whether a character style hides its text."""
        return bool(style_id) and any(style.hidden for style in self._chain(style_id or ""))

    def _chain(self, style_id: str) -> list[_Style]:
        chain: list[_Style] = []
        seen: set[str] = set()
        while style_id in self._styles and style_id not in seen:
            seen.add(style_id)
            chain.append(self._styles[style_id])
            style_id = chain[-1].based_on
        return chain


def _style(element: Element) -> _Style:
    properties = child(element, "pPr")
    outline = child(properties, "outlineLvl")
    return _Style(
        name=(attribute(child(element, "name"), "val") or "").strip().lower()[:_LONGEST_NAME],
        based_on=attribute(child(element, "basedOn"), "val") or "",
        outline=None if outline is None else number(attribute(outline, "val"), BODY_TEXT_LEVEL),
        list_level=_list_level(properties),
        hidden=is_on(child(element, "rPr", "vanish")),
    )


def _list_level(properties: Element | None) -> int | None:
    """Return the list level of ``w:numPr`` (0-based), -1 where numbering is switched off, None where unsaid."""
    numbering = child(properties, "numPr")
    if numbering is None:
        return None
    num_id = child(numbering, "numId")
    if num_id is not None and number(attribute(num_id, "val")) == 0:
        return -1
    return max(0, min(8, number(attribute(child(numbering, "ilvl"), "val"))))


def _is_toc_heading(chain: list[_Style]) -> bool:
    return bool(chain) and chain[0].name in _TOC_HEADING


def _named_role(chain: list[_Style]) -> Role | None:
    """Return the role that the nearest telling name in the chain gives."""
    return next((role for style in chain if (role := _role_of_name(style.name)) is not None), None)


def _role_of_name(name: str) -> Role | None:
    heading = _HEADING.fullmatch(name)
    if heading or name in _TITLE or name in _TOC_HEADING:
        return Role(BlockKind.HEADING, min(int(heading.group(1)), 6) if heading else 1)
    if name in _REFERENCE:
        return Role(BlockKind.REFERENCE)
    patterns = ((_TOC_ENTRY, BlockKind.TOC_ENTRY), (_CAPTION, BlockKind.CAPTION), (_CODE, BlockKind.CODE))
    return next((Role(kind) for pattern, kind in patterns if pattern.fullmatch(name)), None)


def _list_role(chain: list[_Style], own: int | None) -> Role:
    level = own
    if level is None:
        level = next((style.list_level for style in chain if style.list_level is not None), None)
    if level == -1:
        return Role(BlockKind.PARAGRAPH)
    named = next((match for style in chain if (match := _LIST.fullmatch(style.name))), None)
    if level is None and named is None:
        return Role(BlockKind.PARAGRAPH)
    by_name = int(named.group(1) or named.group(2) or 1) if named else 1
    return Role(BlockKind.LIST_ITEM, max(by_name, (level or 0) + 1))


def is_bold(container: Element) -> bool:
    """Whether every run with text in a cell is set bold by its own properties."""
    runs = [run for run in descendants(container, "r") if any(text.text for text in descendants(run, "t"))]
    return bool(runs) and all(is_on(child(run, "rPr", "b")) for run in runs)
