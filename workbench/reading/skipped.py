"""What a reading skipped, by section."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from ..documents.blocks import KIND_CODE, BlockKind
from ..documents.columns import NONE
from ..documents.surrogates import without_surrogates
from ..printing import counted, printable, shortened
from .basis import Basis
from .decision import Decision
from .selection import ranked

if TYPE_CHECKING:
    import pandas as pd

NO_SECTION = "(no section)"
RUNNING_LINES = "(running headers and footers)"
SHOWN = 12
"""Sections in a repr."""


@dataclass(frozen=True, slots=True)
class SkippedSection:
    """The skipped blocks under one heading, that heading among them if it was skipped as well.

    Attributes
    ----------
    titles : tuple of str
        The headings, outermost first; a name in brackets for what stands under none.
    block_ids : tuple of int
        In the order of the document.
    tokens : int
    best_relevance, best_priority : float
        The highest among them.
    pages : tuple of int
        First and last page, 1-based.
    """

    titles: tuple[str, ...]
    block_ids: tuple[int, ...]
    tokens: int
    best_relevance: float
    best_priority: float
    pages: tuple[int, int]

    @property
    def title(self) -> str:
        """The titles in one line."""
        return " > ".join(self.titles)

    def __str__(self) -> str:
        first, last = self.pages
        where = f"p{first}-{last}" if last > first else f"p{first}"
        blocks, tokens = counted(len(self.block_ids), "block"), counted(self.tokens, "token")
        return f"{shortened(self.title, 60)} ({where}): {blocks}, {tokens}, best priority {self.best_priority:.2f}"


class Skipped(Sequence[SkippedSection]):
    """The skipped blocks of a reading, by section, in the order of the document.

    Parameters
    ----------
    sections : sequence of SkippedSection
    order : sequence of int
        Ids of all skipped blocks from the highest to the lowest priority.
    """

    def __init__(self, sections: Sequence[SkippedSection], order: Sequence[int]) -> None:
        self._sections = tuple(sections)
        self._order = tuple(order)

    @property
    def block_ids(self) -> tuple[int, ...]:
        """Ids of all skipped blocks, in the order of the document."""
        return tuple(sorted(self._order))

    @property
    def tokens(self) -> int:
        """Tokens of all skipped blocks."""
        return sum(section.tokens for section in self._sections)

    def top(self, count: int = 5) -> tuple[int, ...]:
        """Return the ids of the skipped blocks of the highest priority: what a looser cut would keep first."""
        return self._order[: max(0, count)]

    @overload
    def __getitem__(self, index: int) -> SkippedSection: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[SkippedSection, ...]: ...

    def __getitem__(self, index: int | slice) -> SkippedSection | tuple[SkippedSection, ...]:
        return self._sections[index]

    def __len__(self) -> int:
        return len(self._sections)

    def __iter__(self) -> Iterator[SkippedSection]:
        return iter(self._sections)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a section, in the order of the document.

        Returns
        -------
        DataFrame
            Columns section (titles joined by " > "), blocks, tokens, best_relevance (0-1), best_priority, first_page,
            last_page (1-based), block_ids (tuple).
        """
        import pandas as pd

        names = [
            "section",
            "blocks",
            "tokens",
            "best_relevance",
            "best_priority",
            "first_page",
            "last_page",
            "block_ids",
        ]
        rows = [
            (
                without_surrogates(section.title),
                len(section.block_ids),
                section.tokens,
                section.best_relevance,
                section.best_priority,
                *section.pages,
                section.block_ids,
            )
            for section in self
        ]
        return pd.DataFrame(rows, columns=pd.Index(names))

    def __repr__(self) -> str:
        blocks, sections = counted(len(self._order), "block"), counted(len(self), "section")
        head = f"Skipped({blocks} in {sections}, {counted(self.tokens, 'token')})"
        lines = [f"  {section}" for section in self[:SHOWN]]
        more = [f"  … and {counted(len(self) - SHOWN, 'more section')}"] if len(self) > SHOWN else []
        return "\n".join([head, *lines, *more])

    def _repr_html_(self) -> str:
        cells = [
            (
                printable(s.title),
                f"{s.pages[0]}-{s.pages[1]}",
                len(s.block_ids),
                f"{s.tokens:,}",
                f"{s.best_priority:.2f}",
            )
            for s in self
        ]
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
            for row in cells
        )
        heads = "".join(f"<th>{name}</th>" for name in ("section", "pages", "blocks", "tokens", "best priority"))
        return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'><tr>{heads}</tr>{body}</table>")


def skipped_of(basis: Basis, decision: Decision) -> Skipped:
    """Group the skipped blocks of a decision."""
    columns = basis.document.columns
    order = ranked(basis.priority, basis.ties)
    order = order[~decision.kept[order]]
    # A heading belongs to the section that it opens.
    ids = np.arange(len(columns))
    home = np.where(columns.kind == KIND_CODE[BlockKind.HEADING], ids, columns.parent)
    home = np.where(basis.running_line, NONE - 1, home)
    groups: dict[int, list[int]] = {}
    for block in np.sort(order).tolist():
        groups.setdefault(int(home[block]), []).append(block)
    return Skipped([_section(basis, decision, heading, blocks) for heading, blocks in groups.items()], order.tolist())


def _section(basis: Basis, decision: Decision, heading: int, blocks: list[int]) -> SkippedSection:
    document = basis.document
    pages = document.columns.home_page[blocks]
    return SkippedSection(
        titles=_titles(basis, heading),
        block_ids=tuple(blocks),
        tokens=int(decision.tokens[blocks].sum()),
        best_relevance=float(basis.scores.relevance[blocks].max()),
        best_priority=float(basis.priority[blocks].max()),
        pages=(int(pages.min()) + 1, int(pages.max()) + 1),
    )


def _titles(basis: Basis, heading: int) -> tuple[str, ...]:
    if heading < 0:
        return (NO_SECTION if heading == NONE else RUNNING_LINES,)
    document = basis.document
    return tuple(document.texts[above] for above in (*document.section_of(heading), heading))
