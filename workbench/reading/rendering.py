"""The kept text: what a model would see. It is derived from a list of slices of blocks, and every slice is verbatim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..documents.blocks import FURNITURE, KIND_CODE
from ..documents.columns import NONE
from .decision import Decision

if TYPE_CHECKING:
    from ..documents import Document

GAP = "…"
"""Stands where blocks, or sentences of a block in focus, were skipped."""
BREAK = "\n\n"

_FURNITURE = [KIND_CODE[kind] for kind in FURNITURE]


class KeptPiece(NamedTuple):
    """A slice of a block's text that is in the kept text: ``document.texts[block_id][start:end]``."""

    block_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rendering:
    """The kept text and what it is made of.

    Attributes
    ----------
    text : str
    pieces : tuple of KeptPiece
        In the order of the text, which is the order of the document.
    offsets : tuple of int
        Where each piece begins in ``text``, in code points.
    """

    text: str
    pieces: tuple[KeptPiece, ...] = ()
    offsets: tuple[int, ...] = ()


class Run(NamedTuple):
    """Kept blocks of one page without another block between them; ``gap``: whether something was skipped before."""

    page: int
    blocks: list[int]
    gap: bool


def render(document: Document, decision: Decision, head: str = "") -> Rendering:
    """Render the kept blocks in reading order.

    Parameters
    ----------
    document : Document
    decision : Decision
    head : str
        What stands above them: the coverage line, and what else must be known first.
    """
    parts = [head]
    at = len(head)
    pieces: list[KeptPiece] = []
    offsets: list[int] = []
    for run in runs_of(document, decision):
        parts.append(f"{BREAK}{f'{GAP}{chr(10)}' if run.gap else ''}{anchor_of(run)}\n")
        at += len(parts[-1])
        for joint, piece in _pieces(document, decision, run.blocks):
            text = document.texts[piece.block_id][piece.start : piece.end]
            pieces.append(piece)
            offsets.append(at + len(joint))
            parts += (joint, text)
            at += len(joint) + len(text)
    return Rendering("".join(parts), tuple(pieces), tuple(offsets))


def anchor_of(run: Run) -> str:
    """Return where a run stands.

    Examples
    --------
    >>> anchor_of(Run(12, [345, 346, 347], gap=True)), anchor_of(Run(3, [9], gap=False))
    ('[p12 #345-347]', '[p3 #9]')
    """
    first, last = run.blocks[0], run.blocks[-1]
    return f"[p{run.page} #{first}-{last}]" if last > first else f"[p{run.page} #{first}]"


def runs_of(document: Document, decision: Decision) -> Iterator[Run]:
    """Divide the kept blocks that have text into runs."""
    columns = document.columns
    text = columns.first_piece[1:] > columns.first_piece[:-1]
    shown = np.flatnonzero(decision.kept & text)
    if not shown.size:
        return
    # Skipped blocks up to each block: all with text, and those of them that are no running lines.
    left_out = np.cumsum(text & ~decision.kept)
    missed = np.cumsum(text & ~decision.kept & ~np.isin(columns.kind, _FURNITURE))
    page = columns.home_page[shown]
    new = (np.diff(left_out[shown]) > 0) | (np.diff(page) != 0)
    gaps = np.diff(missed[shown]) > 0
    starts = np.concatenate([[0], np.flatnonzero(new) + 1])
    for low, high in zip(starts.tolist(), [*starts[1:].tolist(), len(shown)], strict=True):
        yield Run(int(page[low]) + 1, shown[low:high].tolist(), bool(low and gaps[low - 1]))


def _pieces(document: Document, decision: Decision, blocks: list[int]) -> Iterator[tuple[str, KeptPiece]]:
    """Give each piece of a run with what stands before it: rows of a table are a line each, others are apart."""
    before = NONE
    for rank, block in enumerate(blocks):
        table = int(document.columns.table[block])
        joint = "" if not rank else "\n" if table != NONE and table == before else BREAK
        before = table
        text = document.texts[block]
        ranges = decision.focus.get(block) if decision.focus else None
        if ranges is None:
            yield joint, KeptPiece(block, 0, len(text))
            continue
        last = 0
        for number, (start, end) in enumerate(ranges):
            if number:
                between = text[last:start]
                joint = f" {GAP} " if between.strip() else " " if between else ""
            yield joint, KeptPiece(block, start, end)
            last = end
