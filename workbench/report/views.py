"""What templates need beside a report's contents: how much each gap left out, where kept parts stand, what is paid."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TypeVar

from ..reading.coverage import ranges_of
from .contents import KeptBlock, KeptRun, PageFacts, PageMark, ReadingContents, SkippedBlock
from .prices import PricedRow, PriceTable

T = TypeVar("T")

KEPT = ("kept", "pinned", "context")
_PAGES_APART = 0.06
_HEADINGS_APART = 0.16
_BAR_AWAY = 6
_LEFT_OUT = " … "
_LINES_APART = 14
_SAME_COLUMN = 60
_NUMBER = re.compile(r"[\s\d.,:;()$€£¥%+\u2212\u2013\u2014-]+")


@dataclass(frozen=True, slots=True)
class Gap:
    """What was skipped between two runs: how many blocks and tokens, and the first of the blocks."""

    blocks: int
    tokens: int
    first: int


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one table with the cells of each, or one block with its whole text as its only cell."""

    table: bool
    blocks: tuple[KeptBlock, ...]
    cells: tuple[tuple[str | None, ...], ...]
    """As many in each row as there are columns; None where a row has no cell."""
    numbers: frozenset[int] = frozenset()
    """Columns that hold numbers."""

    @property
    def columns(self) -> int:
        """How many columns are shown."""
        return len(self.cells[0])

    def look(self, column: int, text: str) -> str:
        """Return "number" for a number, "n" for another cell of a column that holds numbers, and "" for the rest."""
        if column not in self.numbers:
            return ""
        return "number" if _NUMBER.fullmatch(text) else "n"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run, what was skipped before it, and its blocks: rows of one table together, others alone."""

    run: KeptRun
    gap: Gap | None
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring kept blocks of one status on the strip, in tokens from the document's beginning."""

    status: str
    start: int
    tokens: int
    block: int
    page: int


@dataclass(frozen=True, slots=True)
class Strip:
    """The document as one bar: its length in tokens, what was kept, and where some of the pages begin."""

    tokens: int
    stretches: tuple[Stretch, ...]
    pages: tuple[tuple[int, float], ...]
    """Where some pages begin, from 0 to 1."""
    headings: tuple[tuple[str, float], ...]
    """Where some headings stand, for a document of one page."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page and its outlines: those of skipped and kept blocks by status, and the veil with holes for the kept."""

    facts: PageFacts
    veil: str
    outlines: tuple[tuple[str, str, str], ...]
    """Status, ids of the blocks, and a path of as many rectangles."""
    bars: tuple[tuple[str, str], ...]
    """Status, and a path of upright lines left of what was kept."""
    kept_ranges: tuple[tuple[int, int], ...]
    skipped_ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading as a template shows it.

    Attributes
    ----------
    native : bool
        Whether the gate has the document read whole: what was kept and skipped is then only what would have been.
    empty : bool
        Whether the model is shown nothing of a document that can be read: there is then no saving to speak of.
    tokens_read, blocks_skipped : int
        What is paid for, and what is not read of it; the whole and nothing where the document is read whole.
    share_saved : float
    lost : int
        Skipped blocks that hold evidence somebody marked.
    """

    said: ReadingContents
    native: bool
    empty: bool
    tokens_read: int
    blocks_skipped: int
    share_saved: float
    runs: tuple[RunView, ...]
    after: Gap | None
    strip: Strip
    statuses: tuple[str, ...]
    """Of the blocks, as far as there are any."""
    pages: tuple[PageView, ...]
    near: tuple[SkippedBlock, ...]
    lost: int
    money: tuple[PricedRow, ...]


def view_of(said: ReadingContents, prices: PriceTable) -> ReadingView:
    """Return a reading as a template shows it."""
    skipped = sorted((block for part in said.skipped for block in part.blocks), key=lambda block: block.block_id)
    native = said.decision.gate is not None and said.decision.gate.route == "native"
    saving = said.saving
    read = saving.tokens_total if native else saving.rendered
    runs, after = _runs(said.runs, skipped)
    return ReadingView(
        said=said,
        native=native,
        empty=said.document.readable and not native and not saving.blocks_kept,
        tokens_read=read,
        blocks_skipped=0 if native else saving.blocks_total - saving.blocks_kept,
        share_saved=0.0 if native else saving.share_skipped,
        runs=runs,
        after=after,
        strip=strip_of(said.runs, skipped),
        statuses=tuple(_statuses(said.runs, skipped)),
        pages=tuple(page_view(facts) for facts in said.pages),
        near=tuple(sorted((block for block in skipped if block.near), key=lambda block: -block.priority)),
        lost=sum(block.gold for block in skipped),
        money=prices.saved(saving.tokens_total, read),
    )


def _statuses(runs: Sequence[KeptRun], skipped: Sequence[SkippedBlock]) -> Iterator[str]:
    found = {block.status for run in runs for block in run.blocks}
    yield from (status for status in KEPT if status in found)
    if skipped:
        yield "skipped"


def strip_of(runs: Sequence[KeptRun], skipped: Sequence[SkippedBlock]) -> Strip:
    """Return the document as one bar, from all blocks in their order."""
    kept = [block for run in runs for block in run.blocks]
    every: list[KeptBlock | SkippedBlock] = sorted([*kept, *skipped], key=lambda block: block.block_id)
    begins = list(accumulate((block.tokens for block in every), initial=0))
    whole = max(1, begins[-1])
    stretches: list[Stretch] = []
    pages: dict[int, float] = {}
    headings: list[tuple[str, float]] = []
    for status, group in groupby(range(len(every)), key=lambda rank: _status(every[rank])):
        ranks = list(group)
        for rank in ranks:
            pages.setdefault(every[rank].page, begins[rank] / whole)
            if every[rank].kind == "heading":
                headings.append((_text(every[rank]), begins[rank] / whole))
        if status != "skipped":
            first, start = every[ranks[0]], begins[ranks[0]]
            stretches.append(Stretch(status, start, begins[ranks[-1] + 1] - start, first.block_id, first.page))
    return Strip(
        tokens=begins[-1],
        stretches=tuple(stretches),
        pages=tuple(_spaced(sorted(pages.items()), _PAGES_APART)),
        headings=tuple(_spaced(headings, _HEADINGS_APART)) if len(pages) == 1 else (),
    )


def _status(block: KeptBlock | SkippedBlock) -> str:
    return block.status if isinstance(block, KeptBlock) else "skipped"


def _text(block: KeptBlock | SkippedBlock) -> str:
    return block.pieces[0] if isinstance(block, KeptBlock) else block.text


def _spaced(places: Iterable[tuple[T, float]], apart: float) -> Iterator[tuple[T, float]]:
    """Yield as many places as have room for their labels; those at the very end have none."""
    last = -1.0
    for label, at in places:
        if at >= last + apart and at <= 1 - apart / 2:
            yield label, at
            last = at


def page_view(facts: PageFacts) -> PageView:
    """Return a page with its outlines as paths."""
    by_status: dict[str, list[PageMark]] = {}
    for mark in facts.marks:
        by_status.setdefault(mark.status, []).append(mark)
    holes = "".join(_holes([mark for status in KEPT for mark in by_status.get(status, ())]))
    return PageView(
        facts=facts,
        veil=f"M0 0h{facts.width:.0f}v{facts.height:.0f}h-{facts.width:.0f}z{holes}",
        outlines=tuple(
            (status, " ".join(str(mark.block_id) for mark in marks), "".join(_path(mark) for mark in marks))
            for status, marks in sorted(by_status.items(), key=lambda item: item[0] != "skipped")
        ),
        bars=tuple((status, "".join(_bars(by_status[status]))) for status in KEPT if status in by_status),
        kept_ranges=tuple(ranges_of(facts.kept)),
        skipped_ranges=tuple(ranges_of(facts.skipped)),
    )


def _path(mark: PageMark) -> str:
    return _rectangle(mark.x0, mark.top, mark.x1, mark.bottom)


def _rectangle(x0: float, top: float, x1: float, bottom: float) -> str:
    left, high = round(x0), round(top)
    width, height = max(1, round(x1) - left), max(1, round(bottom) - high)
    return f"M{left} {high}h{width}v{height}h-{width}z"


def _holes(marks: Sequence[PageMark]) -> Iterator[str]:
    # Where two holes lie over each other, the rule "evenodd" would draw the veil again.
    done: list[PageMark] = []
    for mark in sorted(marks, key=lambda mark: (mark.top, mark.x0)):
        over = [other.bottom for other in done if other.x0 < mark.x1 and mark.x0 < other.x1 and other.bottom > mark.top]
        top = max([mark.top, *over])
        if mark.bottom - top >= 1:
            yield _rectangle(mark.x0, top, mark.x1, mark.bottom)
            done.append(mark)


def _bars(marks: Sequence[PageMark]) -> Iterator[str]:
    for _, of_block in groupby(marks, key=lambda mark: mark.block_id):
        left = top = bottom = -math.inf
        for mark in of_block:
            # Cells of a row and lines of a paragraph have one bar; what goes on in another column has its own.
            elsewhere = mark.top < top or (mark.top >= bottom and mark.x0 > left + _SAME_COLUMN)
            if elsewhere or mark.top > bottom + _LINES_APART:
                yield from _bar(left, top, bottom)
                left, top, bottom = mark.x0, mark.top, mark.bottom
            left, bottom = min(left, mark.x0), max(bottom, mark.bottom)
        yield from _bar(left, top, bottom)


def _bar(left: float, top: float, bottom: float) -> Iterator[str]:
    if math.isfinite(left):
        yield f"M{max(0, round(left) - _BAR_AWAY)} {round(top)}v{max(1, round(bottom) - round(top))}"


def _runs(runs: Sequence[KeptRun], skipped: Sequence[SkippedBlock]) -> tuple[tuple[RunView, ...], Gap | None]:
    ids = [block.block_id for block in skipped]
    seen: list[RunView] = []
    done = 0
    for run in runs:
        upto = bisect_left(ids, run.blocks[0].block_id)
        seen.append(RunView(run, _gap(skipped[done:upto]), tuple(_grouped(run.blocks))))
        done = max(done, upto)
    return tuple(seen), _gap(skipped[done:])


def _gap(blocks: Sequence[SkippedBlock]) -> Gap | None:
    return Gap(len(blocks), sum(block.tokens for block in blocks), blocks[0].block_id) if blocks else None


def _grouped(blocks: Sequence[KeptBlock]) -> Iterator[Group]:
    for (table, _), group in groupby(blocks, key=lambda b: (b.table, -1 if b.table >= 0 else b.block_id)):
        found = tuple(group)
        texts = [_LEFT_OUT.join(block.pieces) for block in found]
        if table < 0:
            yield Group(False, found, tuple((text,) for text in texts))
            continue
        cells = _aligned([(text.split("\t"), block.columns) for text, block in zip(texts, found, strict=True)])
        yield Group(True, found, cells, _numeric(cells))


def _aligned(rows: Sequence[tuple[Sequence[str], Sequence[int]]]) -> tuple[tuple[str | None, ...], ...]:
    """Return the cells of some rows under each other; columns in which none of them has a cell are left out.

    Examples
    --------
    >>> _aligned([(["a", "b"], (0, 3)), (["c", "d"], (0, 5))])
    (('a', 'b', None), ('c', None, 'd'))
    """
    placed = [_placed(cells, columns) for cells, columns in rows]
    shown = sorted(set().union(*placed))
    return tuple(tuple(row.get(column) for column in shown) for row in placed)


def _placed(cells: Sequence[str], columns: Sequence[int]) -> dict[int, str]:
    """Return the cells of a row by their columns, or in their order where these are not known."""
    last = len(columns) - 1
    if not columns or len(cells) < len(columns) or len(set(columns)) <= last or min(columns) < 0:
        return dict(enumerate(cells))
    # More cells than columns: a cell holds a tab of its own.
    return dict(zip(columns, [*cells[:last], "\t".join(cells[last:])], strict=True))


def _numeric(cells: Sequence[Sequence[str | None]]) -> frozenset[int]:
    """Return the columns, but for the first, of which more than half of the cells are numbers."""
    found = set()
    for column in range(1, len(cells[0])):
        told = [row[column] for row in cells if row[column] is not None]
        if sum(bool(_NUMBER.fullmatch(text or "")) for text in told) * 2 > len(told):
            found.add(column)
    return frozenset(found)
