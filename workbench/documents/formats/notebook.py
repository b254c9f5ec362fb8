"""Jupyter notebooks: Markdown cells as Markdown, code cells and text outputs as code.

The text layer is what the cells say, in order; a block's locator is "cell 4", "cell 4 output", counted from 1.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ...errors import DamagedFile
from ..blocks import BlockKind
from ..draft import Draft, Span
from ..registry import Format
from ..source import ParseContext, Source
from .code.cuts import cut_code
from .decoding import decoded_file, head_text
from .html.blocks import add_html
from .lines import without_escapes
from .markdown.blocks import MarkdownReader
from .pacing import Pace

_CELLS = re.compile(r'"(?:cells|worksheets)"\s*:\s*\[')
_MARKS = re.compile(r'"(?:nbformat|cell_type)"\s*:')


def sniff(source: Source) -> float:
    """A JSON object with cells; the format's own mark may stand at the far end of the file."""
    text = head_text(source)
    if text is None or not text.lstrip().startswith("{"):
        return 0.0
    if _CELLS.search(text) and _MARKS.search(text):
        return 0.98
    if _MARKS.search(text) and '"nbformat_minor"' in text:
        return 0.97
    return 0.3 if source.suffix == ".ipynb" else 0.0


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a notebook; no cell is run.

    Raises
    ------
    DamagedFile
        If the file is not a notebook.
    LimitExceeded
        If it takes longer than ``max_seconds`` and ``partial`` is not set.
    """
    draft = Draft()
    cells = _cells(source, decoded_file(source, draft))
    draft.begin_page()
    reader = _CellReader(draft, context)
    pace = Pace(draft, context, source.name, len(cells))
    for number, cell in enumerate(cells, start=1):
        if not pace.goes_on(number - 1):
            pace.give_up(after=f"{number - 1:,} of {len(cells):,} cells")
            break
        reader.add_cell(cell, number)
    if reader.images:
        is_one = reader.images == 1
        draft.warn(
            "images",
            f"{source.name} has {reader.images:,} image{'' if is_one else 's'} in its cells, which "
            f"{'has' if is_one else 'have'} no text to read.",
        )
    if not draft.blocks:
        draft.warn("empty", f"{source.name} has no cell with text; there is nothing to read in it.")
    return draft


def _cells(source: Source, text: str) -> list[dict[str, Any]]:
    try:
        book = json.loads(text)
    except json.JSONDecodeError as error:
        raise DamagedFile(
            f"{source.name} is not a valid notebook: in line {error.lineno}, column {error.colno} {error.msg}; save it "
            "again from Jupyter, or rename it to .txt to read it as text."
        ) from error
    except RecursionError as error:
        raise DamagedFile(f"{source.name} is not a valid notebook: its JSON is nested too deeply.") from error
    found = book.get("cells") if isinstance(book, dict) else None
    if found is None and isinstance(book, dict) and isinstance(book.get("worksheets"), list):
        # Notebooks of format 3 keep their cells in worksheets.
        sheets = [sheet for sheet in book["worksheets"] if isinstance(sheet, dict)]
        found = [cell for sheet in sheets for cell in sheet.get("cells") or []]
    if not isinstance(found, list):
        raise DamagedFile(
            f"{source.name} is not a notebook: it has no list of cells; give it the suffix .json to read it as JSON."
        )
    bad = next((number for number, cell in enumerate(found, start=1) if not isinstance(cell, dict)), 0)
    if bad:
        raise DamagedFile(
            f"{source.name} is not a valid notebook: cell {bad} of its list is {json.dumps(found[bad - 1]):.40}, not "
            "an object; remove it, or give the file the suffix .json to read it as JSON."
        )
    return found


class _CellReader:
    """Writes one cell after another."""

    def __init__(self, draft: Draft, context: ParseContext) -> None:
        self.images = 0
        self._draft = draft
        self._context = context
        self._max_code = 4 * context.options.max_block_chars

    def add_cell(self, cell: dict[str, Any], number: int) -> None:
        place = f"cell {number}"
        kind = cell.get("cell_type")
        text = _joined(cell.get("source", cell.get("input")))
        attachments = cell.get("attachments")
        self.images += len(attachments) if isinstance(attachments, dict) else 0
        if kind == "markdown":
            self._add_markdown(text, place)
        elif kind == "heading":
            self._add_heading(text, cell.get("level"), place)
        else:
            self._add_code(text, place)
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            if isinstance(output, dict):
                self._add_output(output, f"{place} output")

    def _add_markdown(self, text: str, place: str) -> None:
        if text.strip():
            span = self._draft.write(text + "\n")
            MarkdownReader(self._draft, text, base=span.start, locator=place, max_code_chars=self._max_code).read_all()

    def _add_heading(self, text: str, level: Any, place: str) -> None:
        span = self._draft.write(text + "\n")
        shown = level if isinstance(level, int) and 1 <= level <= 6 else 1
        self._draft.add(BlockKind.HEADING, span, level=shown, locator=place)

    def _add_code(self, text: str, place: str) -> None:
        span = self._draft.write(text + "\n")
        for part in cut_code(text, Span(0, len(text)), self._max_code):
            self._draft.add(BlockKind.CODE, Span(span.start + part.start, span.start + part.end), locator=place)

    def _add_output(self, output: dict[str, Any], place: str) -> None:
        kind = output.get("output_type")
        if kind in ("pyerr", "error"):
            lines = output.get("traceback")
            shown = "\n".join(map(str, lines)) if isinstance(lines, list) and lines else ""
            self._add_code(without_escapes(shown or f"{output.get('ename', '')}: {output.get('evalue', '')}"), place)
            return
        if "text" in output:
            self._add_code(without_escapes(_joined(output["text"])), place)
        # Format 3 keeps the data of an output beside its type.
        data = output.get("data", output if kind in ("pyout", "display_data") else None)
        if isinstance(data, dict):
            self._add_data(data, place)

    def _add_data(self, data: dict[str, Any], place: str) -> None:
        self.images += any(key.startswith("image/") or key in ("png", "jpeg", "svg") for key in data)
        for key in ("text/markdown", "text/plain", "text/html", "text/latex"):
            text = _joined(data.get(key))
            if not text.strip():
                continue
            if key == "text/markdown":
                self._add_markdown(text, place)
            elif key == "text/html":
                add_html(self._draft, text, self._context, locator_prefix=place)
            else:
                self._add_code(without_escapes(text), place)
            return


def _joined(source: Any) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


FORMAT = Format(name="notebook", suffixes=(".ipynb",), sniff=sniff, parse=parse, version=2)
