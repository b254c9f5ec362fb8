"""Runs of lines between blank lines, turned into blocks of running text."""

from __future__ import annotations

from ...anchors import Piece
from ...blocks import BlockKind
from ...draft import Draft, Span
from ..lines import Line, divided, joined_lines
from .clauses import clause_starts
from .headings import TITLE_LEVEL, is_title
from .patterns import (
    ListMark,
    begins_clause,
    has_columns,
    is_bare_label,
    is_capitals,
    is_contents_entry,
    is_page_number,
    is_rule,
    list_mark,
    lone_heading_level,
    looks_like_code,
    strong_heading_level,
    underline_level,
)

_CODE_INDENT = 4
_OPENS = (":", "：", "。", "；")
"""What a line ends with above the first item of a list."""


class ProseReader:
    """Adds the blocks of one run of lines after another to a draft.

    Parameters
    ----------
    draft : Draft
    text : str
        The text that the lines are ranges of.
    base : int
        Where that text begins in the text layer.
    headings : bool
        Whether lines may be headings.

    Attributes
    ----------
    page : int
        The 0-based page of the next run.
    locator : str
        What the next run's blocks have as locator.
    keep_lines : bool
        Whether the lines of the next run stay apart; otherwise only lines of columns do.
    """

    def __init__(self, draft: Draft, text: str, *, base: int = 0, headings: bool = True) -> None:
        self.page = 0
        self.locator = ""
        self.keep_lines = False
        self._draft = draft
        self._text = text
        self._base = base
        self._headings = headings
        self._open_lists: list[tuple[int, str]] = []

    def add_run(self, run: list[Line]) -> None:
        """Add the blocks of lines that no blank line separates."""
        if not run:
            return
        if self._is_code(run):
            self._add(BlockKind.CODE, Span(run[0].start, run[-1].end))
            return
        starts = clause_starts([self._line(line) for line in run]) if self._headings else {}
        waiting: list[Line] = []
        mark: ListMark | None = None
        takes_items = False
        rank = 0
        while rank < len(run):
            line = run[rank]
            level = starts.get(rank) or self._heading_level(run, rank)
            found = list_mark(self._line(line))
            if level or self._stands_alone(line):
                if not (rank in starts and self._add_title(run[:rank])):
                    self._add_lines(waiting, mark)
                waiting, mark = [], None
                rank += self._add_single(run, rank, level)
                continue
            if found and (
                rank == 0 or takes_items or not waiting or self._line(run[rank - 1]).rstrip().endswith(_OPENS)
            ):
                self._add_lines(waiting, mark)
                waiting, mark, takes_items = [], found, True
            elif rank in starts:
                self._add_lines(waiting, mark)
                waiting, mark = [], None
            waiting.append(line)
            rank += 1
        self._add_lines(waiting, mark)

    def add_heading(self, run: list[Line], level: int) -> None:
        """Add lines as one heading."""
        spans = [Span(line.start, line.end) for line in run]
        self._add(BlockKind.HEADING, joined_lines(self._text, spans), level)

    def _add_title(self, lines: list[Line]) -> bool:
        """Add the lines from a blank line to a heading as a heading, if they are one, and say so."""
        if self.page == 0 and not self._draft.blocks and is_title(self._text, lines):
            self.add_heading(lines, TITLE_LEVEL)
            return True
        level = lone_heading_level(self._line(lines[0])) if len(lines) == 1 else 0
        if level and not strong_heading_level(self._line(lines[0])):
            self.add_heading(lines, level)
            return True
        return False

    def _line(self, line: Line) -> str:
        return self._text[line.start : line.end]

    def _is_code(self, run: list[Line]) -> bool:
        """All lines are indented, and at least half of them could stand in a program."""
        lines = [self._line(line) for line in run]
        if any(len(text) - len(text.lstrip(" ")) < _CODE_INDENT and not text.startswith("\t") for text in lines):
            return False
        return sum(looks_like_code(text) for text in lines) >= 0.5 * len(lines)

    def _heading_level(self, run: list[Line], rank: int) -> int:
        text = self._line(run[rank])
        if not self._headings or is_page_number(text):
            return 0
        if rank + 1 < len(run):
            level = underline_level(self._line(run[rank + 1]), text)
            if level:
                return level
        if len(run) == 1:
            return 0 if is_contents_entry(text) else lone_heading_level(text)
        # Further down "Section 3" may be the end of a wrapped sentence: ``clause_starts`` tells.
        return strong_heading_level(text) if rank == 0 and not is_contents_entry(text) else 0

    def _has_title_below(self, run: list[Line], rank: int) -> bool:
        """Say whether "ARTICLE I" has its title in the next line."""
        if rank + 1 == len(run) or not is_bare_label(self._line(run[rank])):
            return False
        below = self._line(run[rank + 1]).strip()
        if begins_clause(below) or self._stands_alone(run[rank + 1]) or list_mark(below) or strong_heading_level(below):
            return False
        if is_capitals(below):
            return True
        is_last = rank + 2 == len(run)
        return not is_last and begins_clause(self._line(run[rank + 2])) and is_title(self._text, [run[rank + 1]])

    def _stands_alone(self, line: Line) -> bool:
        text = self._line(line)
        return is_rule(text) or is_contents_entry(text) or is_page_number(text)

    def _add_single(self, run: list[Line], rank: int, level: int) -> int:
        """Add the block of one line, with its underline, and return how many lines were taken."""
        line = run[rank]
        text = self._line(line)
        if level:
            self._open_lists.clear()
            taken = 2 if self._has_title_below(run, rank) else 1
            self.add_heading(run[rank : rank + taken], level)
            rank += taken
            if rank < len(run) and underline_level(self._line(run[rank]), self._line(run[rank - 1])):
                self._exclude(run[rank], "markup")
                taken += 1
            return taken
        if is_rule(text):
            self._exclude(line, "rule")
        elif is_page_number(text):
            self._add(BlockKind.FOOTER, Span(line.start, line.end))
        else:
            self._add(BlockKind.TOC_ENTRY, Span(line.start, line.end))
        return 1

    def _add_lines(self, lines: list[Line], mark: ListMark | None) -> None:
        """Add the lines of one paragraph or list item."""
        if not lines:
            return
        kind, level = BlockKind.PARAGRAPH, 0
        indent = len(self._line(lines[0])) - len(self._line(lines[0]).lstrip())
        if mark is not None:
            kind, level = BlockKind.LIST_ITEM, self._depth(indent, mark.style)
        elif indent == 0:
            self._open_lists.clear()
        spans = [part for line in lines for part in divided(self._text, Span(line.start, line.end))]
        columns = sum(has_columns(self._line(line)[:400]) for line in lines)
        keep_lines = self.keep_lines or (len(lines) > 1 and columns >= 0.6 * len(lines))
        batch: list[Span] = []
        size = 0
        for span in spans:
            # The sentences of a batch are cut when the draft is finished; an endless paragraph comes in several.
            if batch and size + span.end - span.start > 65_536:
                self._add(kind, joined_lines(self._text, batch, keep_lines=keep_lines), level)
                batch, size = [], 0
            batch.append(span)
            size += span.end - span.start
        self._add(kind, joined_lines(self._text, batch, keep_lines=keep_lines), level)

    def _depth(self, indent: int, style: str) -> int:
        """An item belongs to the open list of its style and indentation; another style opens a list inside."""
        while self._open_lists and self._open_lists[-1][0] > indent:
            self._open_lists.pop()
        known = [rank for rank, (_, open_style) in enumerate(self._open_lists) if open_style == style]
        if known:
            del self._open_lists[known[-1] + 1 :]
        else:
            self._open_lists.append((indent, style))
        return min(len(self._open_lists), 255)

    def _add(self, kind: BlockKind, content: Span | list[Piece], level: int = 0) -> None:
        pieces = [Piece(content.start, content.end)] if isinstance(content, Span) else content
        moved = [p._replace(start_char=p.start_char + self._base, end_char=p.end_char + self._base) for p in pieces]
        self._draft.add(kind, moved, level=level, page=self.page, locator=self.locator)

    def _exclude(self, line: Line, reason: str) -> None:
        self._draft.exclude(Span(line.start + self._base, line.end + self._base), reason)
