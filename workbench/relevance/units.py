"""The texts that are embedded for the blocks of a document.

A block is read by one unit or several:

- running lines and blocks without letters by none;
- a table by one unit for each run of its rows, under its caption and header: its rows share that unit and are told
  apart by their words. A row that is a text has a unit of its own. Leaving numbers out is quicker, and finds less;
- a long block by windows that end where sentences end;
- the short items of a list by one unit together, with the line that leads to them;
- other short blocks that follow each other in one section by one unit together, on pages of tables: what stands around
  a table says what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..documents.columns import NONE
from ..documents.sentences import cut_points
from .surroundings import CODE, HEADING, LIST_ITEM, ROW, RUNNING, TABLE, Surroundings
from .terms import UNSPACED_RUN

if TYPE_CHECKING:
    from .context import Ints, PassageOptions, Shares

_LEADS = re.compile(r"[:：]\s*$")
_LETTER = re.compile(r"[^\W\d_]")


def word_count(text: str) -> int:
    """Return the number of words; a character of a script without spaces is one.

    Examples
    --------
    >>> word_count("净利润 was 3.5 %"), word_count("")
    (6, 0)
    """
    if text.isascii():
        return len(text.split())
    runs = UNSPACED_RUN.findall(text)
    return sum(map(len, runs)) + len(UNSPACED_RUN.sub(" ", text).split())


class Units:
    """The units of a document under construction."""

    def __init__(self, texts: Sequence[str], around: Surroundings, options: PassageOptions) -> None:
        self._blocks = texts
        self._around = around
        self._options = options
        self.texts: list[str] = []
        self._held: list[tuple[int, int, float]] = []

    def build(self) -> None:
        """Make the units, in reading order."""
        pending: list[int] = []
        words = 0
        for block, kind in enumerate(self._around.kind):
            if kind in RUNNING or self._around.table[block] != NONE:
                continue
            count = word_count(self._blocks[block])
            short = self._is_short(block, kind, count)
            if pending and not (short and self._fits(pending, block, words + count)):
                self._text_unit(pending)
                pending, words = [], 0
            if kind == TABLE:
                self._table_units(block)
            elif short:
                pending.append(block)
                words += count
            elif _LETTER.search(self._blocks[block]):
                self._windows(block, count)
        if pending:
            self._text_unit(pending)

    def columns(self) -> tuple[Ints, Ints, Shares]:
        """Return the arrays ``first``, ``unit`` and ``own`` of ``Passages``."""
        held = sorted(self._held)
        counts = np.bincount([block for block, _, _ in held], minlength=len(self._blocks)) if held else 0
        first = np.zeros(len(self._blocks) + 1, np.int32)
        first[1:] = np.cumsum(counts) if held else 0
        return first, np.array([unit for _, unit, _ in held], np.int32), np.array([s for *_, s in held], np.float32)

    def _is_short(self, block: int, kind: int, count: int) -> bool:
        if kind in (HEADING, TABLE, CODE) or not _LETTER.search(self._blocks[block]):
            return False
        if kind == LIST_ITEM or self._leads_to_a_list(block):
            return count < self._options.list_words
        return count < self._options.merge_words and self._around.table_share(block) >= self._options.table_page

    def _leads_to_a_list(self, block: int) -> bool:
        after = self._around.neighbour(block, 1)
        return (
            after is not None
            and self._around.kind[after] == LIST_ITEM
            and _LEADS.search(self._blocks[block]) is not None
        )

    def _fits(self, pending: Sequence[int], block: int, words: int) -> bool:
        around = self._around
        return around.parent[block] == around.parent[pending[0]] and words <= self._options.window_words

    def _add(self, parts: Sequence[str], blocks: Sequence[int], own: float = 1.0) -> None:
        self._held.extend((block, len(self.texts), own) for block in blocks)
        self.texts.append("\n".join(part for part in parts if part))

    def _above(self, block: int) -> str:
        headings = self._around.path(block, self._options.unit_headings)
        return " > ".join(self._blocks[heading] for heading in headings)

    def _text_unit(self, blocks: Sequence[int]) -> None:
        texts = [self._blocks[block] for block in blocks]
        self._add([self._above(blocks[0]), *texts], blocks)

    def _windows(self, block: int, count: int) -> None:
        text = self._blocks[block]
        limit = self._options.window_words
        bounds = [0, len(text)]
        if count > limit:
            # Words of a text have about one length; a limit in characters is all that cutting needs.
            bounds = [0, *cut_points(text, max(1, limit * len(text) // count)), len(text)]
        before, after = self._overlap(block)
        for start, end in pairwise(bounds):
            parts = [before if start == 0 else "", text[start:end], after if end == len(text) else ""]
            self._add([self._above(block), *parts], [block], (end - start) / len(text))

    def _overlap(self, block: int) -> tuple[str, str]:
        ratio = self._options.overlap_ratio
        if not ratio or self._around.kind[block] == HEADING:
            return "", ""
        before, after = (self._neighbour_text(block, step) for step in (-1, 1))
        return end_of(before, ratio), start_of(after, ratio)

    def _neighbour_text(self, block: int, step: int) -> str:
        found = self._around.neighbour(block, step)
        if found is None or self._around.kind[found] in (HEADING, TABLE, ROW):
            return ""
        return self._blocks[found]

    def _table_units(self, table: int) -> None:
        around = self._around
        fixed, named = self._names(table)
        room = self._options.table_words - sum(map(word_count, fixed))
        run: list[int] = []
        labels: list[str] = []
        words = 0
        for row in around.rows.get(table, ()):
            label = "" if row in named else self._blocks[row].replace("\t", " ")
            count = word_count(label)
            alone = count >= self._options.row_words
            if run and (alone or words + count > room):
                self._run_unit(fixed, labels, run)
                run, labels, words = [], [], 0
            if alone:
                self._run_unit(fixed, [label], [row])
                continue
            run.append(row)
            labels.append(label)
            words += count
        if run:
            self._run_unit(fixed, labels, run)

    def _names(self, table: int) -> tuple[list[str], set[int]]:
        """Return what every unit of a table begins with, and the header rows in it: no row as long as the rest."""
        around = self._around
        captions = around.caption(table) or around.path(table, 1)
        texts = [self._blocks[block] for block in captions]
        named = set()
        words = 0
        for row in around.header(table):
            header = self._blocks[row].replace("\t", " ")
            words += word_count(header)
            if words <= self._options.table_words // 2:
                texts.append(header)
                named.add(row)
        return texts, named

    def _run_unit(self, fixed: Sequence[str], labels: Sequence[str], rows: Sequence[int]) -> None:
        parts = [*fixed, *labels]
        if any(map(_LETTER.search, parts)):
            self._add(parts, rows)


def start_of(text: str, ratio: float) -> str:
    """Return the first part of a text, its last word whole."""
    at = int(len(text) * ratio)
    while _cuts_a_word(text, at):
        at += 1
    return text[:at].strip()


def end_of(text: str, ratio: float) -> str:
    """Return the last part of a text, its first word whole."""
    at = len(text) - int(len(text) * ratio)
    while _cuts_a_word(text, at):
        at -= 1
    return text[at:].strip()


def _cuts_a_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum() and not UNSPACED_RUN.match(text[at])
