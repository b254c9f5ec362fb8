"""A document: an artifact turned into blocks that lead back to it."""

from __future__ import annotations

import html
import itertools
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import AnchorMismatch
from .anchors import JOINTS, Anchor
from .block_views import Blocks
from .blocks import FURNITURE, KIND_CODE, Block
from .columns import NONE, BlockColumns
from .exclusions import Exclusions
from .pages import DocumentWarning, Page, PageStatus, Verdict
from .surrogates import without_surrogates

if TYPE_CHECKING:
    import pandas as pd


class Document:
    """Typed, ordered and anchored blocks of one artifact; made by ``open_document``.

    Attributes
    ----------
    sha256 : str
        Hex digest of the file's bytes: the document's identity.
    name : str
        File name, or path inside its archive.
    path : pathlib.Path or None
        Where it was opened, if it was a file.
    format : str
        Name of the format that read it ("pdf", "markdown", …).
    text_layer : str
        What the bytes spell, never normalised; every anchor is a set of slices of it.
    line_based : bool
        Whether the text layer is the decoded file itself, so that lines have numbers.
    pages : tuple of Page
    blocks : sequence of Block
        In reading order; built when first looked at.
    exclusions : sequence of Exclusion
        Ranges of the text layer in no block, with the reason. Blocks, exclusions and white space cover it.
    warnings : tuple of DocumentWarning
        What a reader must know: pages without text, unreadable pages, limits hit, a wrong suffix.
    document_type, language : Verdict
        Decided by readable rules.
    tokenizer : str
        What the token counts were made with.
    """

    def __init__(
        self,
        *,
        sha256: str,
        name: str,
        format: str,  # noqa: A002 - the field's word
        text_layer: str,
        columns: BlockColumns,
        pages: Sequence[Page],
        exclusions: Exclusions | None = None,
        warnings: Sequence[DocumentWarning] = (),
        document_type: Verdict,
        language: Verdict,
        tokenizer: str,
        locators: Sequence[str] = (),
        line_based: bool = False,
        path: Path | None = None,
    ) -> None:
        self.sha256 = sha256
        self.name = name
        self.path = path
        self.format = format
        self.text_layer = text_layer
        self.line_based = line_based
        self.columns = columns
        self.pages = tuple(pages)
        self.exclusions = exclusions if exclusions is not None else Exclusions.of(())
        self.warnings = tuple(warnings)
        self.document_type = document_type
        self.language = language
        self.tokenizer = tokenizer
        self.locators = tuple(locators)
        self.blocks: Sequence[Block] = Blocks(self)

    @property
    def tokens(self) -> int:
        """Tokens of all blocks together."""
        return int(self.columns.tokens.sum())

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every block, in order."""
        columns, layer = self.columns, self.text_layer
        first = columns.first_piece.tolist()
        start, end, joint = columns.start.tolist(), columns.end.tolist(), columns.joint.tolist()
        texts = []
        for low, high in itertools.pairwise(first):
            if high - low == 1:
                texts.append(layer[start[low] : end[low]])
            else:
                parts = [layer[start[low] : end[low]]] if high > low else []
                for piece in range(low + 1, high):
                    parts.append(JOINTS[joint[piece]])
                    parts.append(layer[start[piece] : end[piece]])
                texts.append("".join(parts))
        return tuple(texts)

    @cached_property
    def _page_starts(self) -> list[int]:
        return [page.start_char for page in self.pages]

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text_layer))]

    def page_of(self, offset: int) -> int:
        """Return the 1-based page that holds a character of the text layer."""
        return max(1, bisect_right(self._page_starts, offset))

    def block(self, block_id: int) -> Block:
        """Return one block.

        Raises
        ------
        AnchorMismatch
            If the document has no such block; the message names the valid range.
        """
        count = len(self.columns)
        if not 0 <= block_id < count:
            known = f"its blocks are 0 to {count - 1}" if count else "it has no blocks at all"
            raise AnchorMismatch(f"{self.name} has no block {block_id}; {known}.")
        return self.blocks[block_id]

    def section_of(self, block_id: int) -> tuple[int, ...]:
        """Return the ids of the headings above a block, outermost first."""
        path: list[int] = []
        parent = int(self.columns.parent[block_id])
        while parent != NONE:
            path.append(parent)
            parent = int(self.columns.parent[parent])
        return tuple(reversed(path))

    @cached_property
    def _header_rows(self) -> dict[int, tuple[int, ...]]:
        rows: dict[int, list[int]] = {}
        for row in np.flatnonzero(self.columns.is_header).tolist():
            rows.setdefault(int(self.columns.table[row]), []).append(row)
        return {table: tuple(found) for table, found in rows.items()}

    def header_of(self, table_id: int) -> tuple[int, ...]:
        """Return the header rows of a table; a continued table without its own has its predecessor's."""
        seen: set[int] = set()
        while table_id != NONE and table_id not in seen:
            found = self._header_rows.get(table_id)
            if found:
                return found
            seen.add(table_id)
            table_id = int(self.columns.continues[table_id])
        return ()

    def column_names(self, row_id: int) -> dict[int, str]:
        """Return what the header rows of a table call the columns of one of its rows.

        A header cell over several columns stands in the first of them, so a column without a cell of its own has the
        name of the nearest header cell to its left.

        Parameters
        ----------
        row_id : int
            Id of a table row.

        Returns
        -------
        dict of int to str
            For each column of the row, the cells that head it, from top to bottom, joined by
            spaces; "" where none does.
        """
        row = self.block(row_id)
        heads = [self.blocks[header].cells for header in row.header]
        names: dict[int, str] = {}
        for cell in row.cells:
            above = [
                [head for head in cells if 0 < head.column <= cell.column or head.column == cell.column]
                for cells in heads
            ]
            names[cell.column] = " ".join(found[-1].text for found in above if found)
        return names

    def rows_of(self, table_id: int) -> list[Block]:
        """Return the rows of a table, from top to bottom."""
        return [self.blocks[row] for row in np.flatnonzero(self.columns.table == table_id).tolist()]

    def text_at(self, anchor: Anchor) -> str:
        """Return the text that an anchor leads to.

        Raises
        ------
        AnchorMismatch
            If the anchor, or one of its pieces, is no range of this document's text.
        """
        length = len(self.text_layer)
        for start, end in ((anchor.start_char, anchor.end_char), *(piece[:2] for piece in anchor.pieces)):
            if not 0 <= start <= end <= length:
                raise AnchorMismatch(
                    f"The anchor has the characters {start} to {end}, but {self.name} has those from 0 to {length}; "
                    "it belongs to another document or version."
                )
        return anchor.read(self.text_layer)

    def excluded(self, reason: str | None = None) -> str:
        """Return the excluded text, of one reason or of all, one line a range."""
        found = [e for e in self.exclusions if reason is None or e.reason == reason]
        return "\n".join(self.text_layer[e.start_char : e.end_char] for e in found)

    def reading_text(self) -> str:
        """Return the text without running headers and footers, blocks separated by blank lines, rows by line feeds."""
        skipped = {KIND_CODE[kind] for kind in FURNITURE}
        parts: list[str] = []
        before = NONE
        for text, kind, table in zip(self.texts, self.columns.kind.tolist(), self.columns.table.tolist(), strict=True):
            if kind in skipped or not text:
                continue
            if parts:
                parts.append("\n" if table != NONE and table == before else "\n\n")
            parts.append(text)
            before = table
        return "".join(parts)

    def to_frame(self) -> pd.DataFrame:
        """Return the block table.

        Returns
        -------
        DataFrame
            One row a block in reading order; columns block_id, page (1-based), kind, level, section (titles
            joined by " > "), text, tokens, x0, top, x1, bottom (points on that page; nan without geometry),
            start_char, end_char (text layer), start_line, end_line (1-based, only for line-based formats),
            locator, table, continues. Lone surrogates, which no table can hold, are replacement characters here.
        """
        from .frame import block_frame

        return block_frame(self)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        counts = [_counted(len(self.pages), "page"), _counted(len(self), "block"), _counted(self.tokens, "token")]
        if self.warnings:
            counts.append(_counted(len(self.warnings), "warning"))
        return f"Document({self.name!r}, {self.format}, {', '.join(counts)})"

    def _repr_html_(self) -> str:
        counts = {status: sum(page.status is status for page in self.pages) for status in PageStatus}
        pages = ", ".join(f"{count} {status.value}" for status, count in counts.items() if count)
        rows = [
            ("format", self.format),
            ("pages", pages),
            ("blocks", f"{len(self):,}"),
            ("tokens", f"{self.tokens:,} ({self.tokenizer})"),
            ("type", f"{self.document_type.value} ({self.document_type.score:.2f})"),
            ("language", f"{self.language.value} ({self.language.score:.2f})"),
            *(("note", str(warning)) for warning in self.warnings),
        ]
        body = "".join(
            f"<tr><th style='text-align:left'>{html.escape(key)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in rows
        )
        # Without these classes a notebook turns "$5 to $9" into a formula.
        caption = f"<caption style='text-align:left'><b>{html.escape(self.name)}</b></caption>"
        # Nor can it send a lone surrogate, which a file's name may hold.
        return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'>{caption}{body}</table>")


_LINE_END = re.compile(r"\r\n|\n|\r")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
