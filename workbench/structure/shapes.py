"""Features of a block's shape and place: its kind, its page, what stands at its front, what its cells hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..documents.anchors import JOINT_CELL, JOINTS
from ..documents.blocks import BlockKind
from .facts import DocumentFacts
from .keywords import Bools, words

if TYPE_CHECKING:
    from ..documents import Document

Finder: TypeAlias = "Callable[[Document, DocumentFacts], Bools]"
"""Finds one feature of every block: bool, shape (n,)."""

EDGE = 0.1
"""Share of a page's height that is its top, or its bottom."""

_CELL_END = JOINTS[JOINT_CELL]
_LETTERS = re.compile(r"[^\W\d_]+")
_UNITS = frozenset(
    words(
        "x, k, m, mm, bn, b, bps, pp, pts, us, usd, rmb, cny, eur, gbp, hk, hkd, jpy, nt, pct, percent, million, "
        "billion, thousand, 元, 千元, 万元, 百万元, 亿元, 万, 亿, 千, 百万, 倍, 美元, 人民币, 港元, 个, 人, 股, 次, "
        "天, 日, 月, 年, 小时, 分钟, 秒"
    )
)
_NOTHING = frozenset(("na", "nm", "nil", "none", "n", "无", "不适用", "暂无"))
_LIST_MARKER = re.compile(
    r"(?:[•·●○▪▫■□◦‣⁃∙➢➤✓✔*–—-]\s|[•●▪■◦‣➢➤✓✔]|\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,5})[.)]\s|"
    r"[（(](?:\d{1,3}|[a-z]|[ivxlc]{1,5}|[零〇一二三四五六七八九十百]{1,4})[）)]|"
    r"[一二三四五六七八九十百]{1,4}[、.．]|\d{1,3}(?:[、．）]|[.)](?=[\u4e00-\u9fff]))|[①-⑳㈠-㈩⑴-⒇])",
    re.IGNORECASE,
)
_CLAUSE_NUMBER = re.compile(
    r"(?:(?:section|clause|article|paragraph|rule|item|part|chapter|§{1,2})\s{0,3}(?:\d{1,3}[a-z]?|[ivxlc]{1,6})\b|"
    r"\d{1,3}(?:\.\d{1,3}){1,5}[.)]?(?:\s|(?=[\u4e00-\u9fff]))|"
    r"第\s?[零〇一二三四五六七八九十百千\d]{1,6}\s?[条款章节项编部])",
    re.IGNORECASE,
)


def of_kind(*kinds: BlockKind) -> Finder:
    """Return what finds the blocks of some kinds."""
    return lambda _, facts: facts.kinds(*kinds)


def of_level(level: int) -> Finder:
    """Return what finds the headings of a level."""

    def find(document: Document, facts: DocumentFacts) -> Bools:
        found: Bools = document.columns.level == level
        return found & facts.kinds(BlockKind.HEADING)

    return find


def table_header(document: Document, facts: DocumentFacts) -> Bools:
    """Find the rows that name the columns of a table."""
    found: Bools = document.columns.is_header == 1
    return found & facts.kinds(BlockKind.TABLE_ROW)


def numeric_row(document: Document, facts: DocumentFacts) -> Bools:
    """Find the rows of which at least half of the filled cells are numbers, header rows left out."""
    found: Bools = document.columns.is_header == 0
    found &= facts.kinds(BlockKind.TABLE_ROW)
    for row in np.flatnonzero(found).tolist():
        found[row] = _is_numeric(facts.block_texts[row])
    return found


def _is_numeric(row: str) -> bool:
    numbers = filled = 0
    for cell in row.split(_CELL_END):
        letters = "".join(_LETTERS.findall(cell)).lower()
        number = any(char.isdigit() for char in cell)
        if letters in _NOTHING or not (letters or number):
            continue
        filled += 1
        numbers += number and (not letters or letters in _UNITS)
    return numbers > 0 and 2 * numbers >= filled


def list_marker(_: Document, facts: DocumentFacts) -> Bools:
    """Find list items and what begins like one: "•", "(a)", "1.", "一、", "（二）", "③"."""
    return facts.kinds(BlockKind.LIST_ITEM) | _beginning(_LIST_MARKER, facts.block_texts)


def clause_number(_: Document, facts: DocumentFacts) -> Bools:
    """Find what begins with the number of a clause: "4.2", "Section 7", "第三条"."""
    return _beginning(_CLAUSE_NUMBER, facts.block_texts)


def _beginning(pattern: re.Pattern[str], texts: tuple[str, ...]) -> Bools:
    match = pattern.match
    return np.fromiter((match(text) is not None for text in texts), np.bool_, len(texts))


def first_page(document: Document, _: DocumentFacts) -> Bools:
    """Find the blocks of the first page with text; there is none where the document has one page only."""
    return _of_page(document, last=False)


def last_page(document: Document, _: DocumentFacts) -> Bools:
    """Find the blocks of the last page with text; there is none where the document has one page only."""
    return _of_page(document, last=True)


def _of_page(document: Document, *, last: bool) -> Bools:
    pages = document.columns.home_page
    if not len(pages) or pages.min() == pages.max():
        return np.zeros(len(pages), np.bool_)
    found: Bools = pages == (pages.max() if last else pages.min())
    return found


def page_top(document: Document, _: DocumentFacts) -> Bools:
    """Find what stands in the upper tenth of its page; nothing without page geometry."""
    found: Bools = _places(document)[:, 1] <= EDGE
    return found


def page_bottom(document: Document, _: DocumentFacts) -> Bools:
    """Find what stands in the lower tenth of its page; nothing without page geometry."""
    found: Bools = _places(document)[:, 0] >= 1 - EDGE
    return found


def _places(document: Document) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Top and bottom of each block's first piece as shares of the page's height; nan where unknown."""
    columns = document.columns
    places = np.full((len(columns), 2), np.nan)
    if len(columns.box):
        first = columns.first_piece[:-1]
        drawn = np.flatnonzero(first < columns.first_piece[1:])
        heights = np.array([page.height for page in document.pages], np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            places[drawn] = columns.box[first[drawn]][:, [1, 3]] / heights[columns.home_page[drawn], None]
    return places
