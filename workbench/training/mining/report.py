"""How many candidates each way found, how many each filter dropped, and which option moves that."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ...documents.surrogates import without_surrogates
from ...printing import counted

if TYPE_CHECKING:
    import pandas as pd

ANY_WAY = "any way"


class Fate(StrEnum):
    """What became of a candidate; the first that holds, in this order."""

    NO_CONTENT = "empty or running"
    EVIDENCE = "evidence"
    COPY = "near-copy of evidence"
    LABELLED = "labelled a negative"
    UNSURE = "unsure"
    CONTEXT = "names or heads evidence"
    ANSWER = "holds the answer"
    TOO_HIGH = "scores too high"
    REPEATED = "says what another negative says"
    BEYOND = "beyond the limit"
    TAKEN = "taken"


OPTIONS: Mapping[Fate, str] = {
    Fate.LABELLED: "taken as such",
    Fate.UNSURE: "a label decides",
    Fate.ANSWER: "answers; else a person",
    Fate.TOO_HIGH: "margin; else a person",
    Fate.BEYOND: "per_positive",
}
"""What moves a filter; the others are always on."""


@dataclass(frozen=True, eq=False)
class MiningReport:
    """Counts of blocks: a block counts once for each question that it is a candidate of.

    Attributes
    ----------
    blocks : mapping of (str, Fate) to int
        For each way, and for ``ANY_WAY``: what one way has found and another one as well counts once there.
    ways : tuple of str
    questions : int
        That were mined.
    queued : int
        Blocks that are left to a person, of those with the fate "holds the answer" or "scores too high".
    elsewhere : int
        Blocks of other documents that are known not to answer a question; they are no candidates.
    """

    blocks: Mapping[tuple[str, Fate], int]
    ways: tuple[str, ...]
    questions: int
    queued: int
    elsewhere: int = 0

    def count(self, way: str, fate: Fate | None = None) -> int:
        """Return the blocks of a way and a fate; of all fates, the candidates of the way."""
        chosen = tuple(Fate) if fate is None else (fate,)
        return sum(self.blocks.get((way, one), 0) for one in chosen)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a way and fate, in the order of the filters.

        Returns
        -------
        DataFrame
            Columns way (the last is "any way"), fate ("candidates" first, then each filter, then "taken"), blocks,
            share (of the way's candidates, 0 to 1; nan without any), option (that moves it).
        """
        import pandas as pd

        rows = []
        for way in (*self.ways, ANY_WAY):
            total = self.count(way)
            rows.append((way, "candidates", total, 1.0 if total else float("nan"), "share"))
            for fate in Fate:
                found = self.count(way, fate)
                rows.append((way, fate.value, found, found / total if total else float("nan"), OPTIONS.get(fate, "")))
        return pd.DataFrame(rows, columns=["way", "fate", "blocks", "share", "option"])

    def __str__(self) -> str:
        head, *body = self._table()
        widths = [max(len(row[at]) for row in (head, *body)) for at in range(len(head))]
        lines = [f"Hard negatives of {counted(self.questions, 'question')} (numbers of blocks)"]
        for row in (head, *body):
            cells = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
            lines.append("  ".join([row[0].ljust(widths[0]), *cells, row[-1]]).rstrip())
        return "\n".join([*lines, self._left_to_a_person()])

    def __repr__(self) -> str:
        taken = self.count(ANY_WAY, Fate.TAKEN)
        return f"MiningReport({taken:,} of {counted(self.count(ANY_WAY), 'candidate block')} taken)"

    def _table(self) -> list[list[str]]:
        ways = (*self.ways, ANY_WAY)
        rows = [["", *ways, "option"], ["candidates", *(f"{self.count(way):,}" for way in ways), "share"]]
        for fate in Fate:
            counts = [self.count(way, fate) for way in ways]
            if any(counts) or fate is Fate.TAKEN:
                rows.append([fate.value, *(f"{found:,}" for found in counts), OPTIONS.get(fate, "")])
        return rows

    def _left_to_a_person(self) -> str:
        doubtful = self.count(ANY_WAY, Fate.ANSWER) + self.count(ANY_WAY, Fate.TOO_HIGH)
        said = f"Left to a person: {self.queued:,} of {counted(doubtful, 'doubtful block')}; borderline moves that."
        if self.elsewhere:
            said += f" From documents that do not answer: {counted(self.elsewhere, 'block')}; unanswered moves that."
        return said

    def _repr_html_(self) -> str:
        head, *body = self._table()
        style = "text-align:{};font-variant-numeric:tabular-nums"
        lines = [_row("th", head, style)] + [_row("td", row, style) for row in body]
        caption = f"Hard negatives of {counted(self.questions, 'question')} (numbers of blocks)"
        return without_surrogates(
            f"<table class='mathjax_ignore tex2jax_ignore'><caption style='text-align:left'><b>{caption}</b></caption>"
            f"{''.join(lines)}</table><p>{html.escape(self._left_to_a_person())}</p>"
        )


def _row(tag: str, cells: list[str], style: str) -> str:
    last = len(cells) - 1
    made = [
        f"<{tag} style='{style.format('left' if at in (0, last) else 'right')}'>{html.escape(cell)}</{tag}>"
        for at, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(made)}</tr>"
