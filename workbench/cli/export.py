"""A document's blocks as JSON and as CSV."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..printing import spreadsheet_safe

if TYPE_CHECKING:
    from ..documents import Block, Document, Page, Verdict


def document_facts(document: Document) -> dict[str, Any]:
    """Return what is known about the document itself, as plain JSON data."""
    return {
        "name": document.name,
        "format": document.format,
        "sha256": document.sha256,
        "type": _verdict(document.document_type),
        "language": _verdict(document.language),
        "tokenizer": document.tokenizer,
        "tokens": document.tokens,
        "blocks": len(document),
        "pages": [_page(page) for page in document.pages],
        "warnings": [
            {"code": warning.code, "message": warning.message, "pages": list(warning.pages)}
            for warning in document.warnings
        ],
    }


def block_facts(block: Block) -> dict[str, Any]:
    """Return one block as plain JSON data; boxes are [page, x0, top, x1, bottom] in points."""
    anchor = block.anchor
    return {
        "block_id": block.block_id,
        "page": block.page,
        "pages": list(anchor.pages),
        "kind": block.kind.value,
        "level": block.level,
        "section": list(block.section),
        "text": block.text,
        "tokens": block.tokens,
        "start_char": anchor.start_char,
        "end_char": anchor.end_char,
        "pieces": [list(piece) for piece in anchor.pieces],
        "boxes": [[box.page, *(round(value, 2) for value in box[1:])] for box in anchor.boxes],
        "start_line": anchor.start_line,
        "end_line": anchor.end_line,
        "locator": anchor.locator,
        "table": block.table,
        "header": list(block.header),
        "is_header": block.is_header,
        "cells": [{"column": cell.column, "text": cell.text} for cell in block.cells],
        "continues": block.continues,
    }


def write_json(document: Document, chosen: Iterable[Block]) -> None:
    """Print one object: ``document`` and ``blocks``, a block a line."""
    stream = utf8_stdout()
    stream.write('{"document": ' + json.dumps(document_facts(document), ensure_ascii=False) + ', "blocks": [')
    separator = "\n"
    for block in chosen:
        stream.write(separator + json.dumps(block_facts(block), ensure_ascii=False, allow_nan=False))
        separator = ",\n"
    stream.write("\n]}\n")


def write_csv(document: Document, chosen: Sequence[Block]) -> None:
    """Print the block table; a text that a spreadsheet would take for a formula gets an apostrophe in front."""
    frame = document.to_frame()
    wanted = {block.block_id for block in chosen}
    rows = frame[frame["block_id"].isin(wanted)].astype(object)
    write_rows(list(frame.columns), rows.where(rows.notna(), None).itertuples(index=False))


def write_rows(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print rows as CSV that is safe to open in a spreadsheet; numbers stay numbers, None is an empty cell."""
    writer = csv.writer(utf8_stdout(), lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([spreadsheet_safe(cell) if isinstance(cell, str) else _rounded(cell) for cell in row])


def utf8_stdout() -> TextIO:
    """Return standard output in UTF-8, in which every text can be written whatever the terminal's encoding is."""
    stream = sys.stdout
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def _page(page: Page) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "status": page.status.value,
        "width": None if math.isnan(page.width) else page.width,
        "height": None if math.isnan(page.height) else page.height,
        "images": page.images,
        "start_char": page.start_char,
        "end_char": page.end_char,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"value": verdict.value, "score": round(verdict.score, 4), "reasons": list(verdict.reasons)}


def _rounded(cell: Any) -> Any:
    return round(cell, 2) if isinstance(cell, float) else cell
