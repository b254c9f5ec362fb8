"""Parquet files: one table, whose header row holds the column names; rows are read in small batches.

Numbers, dates and truth values are written as Python and ISO write them ("1204.5", "2024-03-31", "true"); lists and
structures as JSON; empty values leave their cell empty. Bytes that are no UTF-8 text are left out.
"""

from __future__ import annotations

import json
from datetime import date, datetime, time
from typing import Any

from ...errors import DamagedFile, EncryptedFile, LimitExceeded
from ..draft import Draft, Span
from ..registry import Format
from ..source import ParseContext, Source
from .pacing import Pace

BATCH_ROWS = 1_000
MOST_EXPANSION = 20
"""Most text of one file, as a multiple of ``max_file_mb``: a dictionary can say one long value a million times."""

_SIGN, _ENCRYPTED_SIGN = b"PAR1", b"PARE"


def sniff(source: Source) -> float:
    """Return how sure it is that a file is Parquet, by its first four bytes."""
    return 1.0 if source.head.startswith((_SIGN, _ENCRYPTED_SIGN)) else 0.0


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a Parquet file.

    Raises
    ------
    EncryptedFile, DamagedFile
    LimitExceeded
        If it has more rows than ``max_blocks`` allows and ``partial`` is not set; nothing is read then.
    """
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    if source.head.startswith(_ENCRYPTED_SIGN):
        raise EncryptedFile(f"{source.name} is an encrypted Parquet file; write a copy without encryption.")
    try:
        with pq.ParquetFile(source.path, memory_map=True) as file:
            return _Reader(file, source.name, context).read()
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        if "encrypt" in str(error).lower():
            raise EncryptedFile(f"{source.name} has encrypted columns; write a copy without encryption.") from error
        reason = (str(error) or type(error).__name__).splitlines()[0][:120].rstrip(".")
        raise DamagedFile(f"{source.name} cannot be read as Parquet ({reason}); get a fresh copy of it.") from error


class _Reader:
    """Writes the header and the rows of one file."""

    def __init__(self, file: Any, name: str, context: ParseContext) -> None:
        self.file = file
        self.name = name
        self.context = context
        self.draft = Draft()
        self.binary: set[str] = set()
        self.most_chars = int(MOST_EXPANSION * context.options.max_file_mb * 1024 * 1024)

    def read(self) -> Draft:
        """Read as many rows as the limits allow."""
        rows = self.file.metadata.num_rows
        names = list(self.file.schema_arrow.names)
        most = self._most_rows(rows)
        self.draft.begin_page()
        if not names:
            self.draft.warn("empty", f"{self.name} has no columns; there is nothing to read in it.")
            return self.draft
        table = self.draft.begin_table(locator="rows" if not rows else f"rows 1-{rows}")
        self._row(table, names, locator="column names", is_header=True)
        self._rows(table, names, most)
        if self.binary:
            columns = ", ".join(sorted(self.binary))
            self.draft.warn("binary_values", f"Binary values of {self.name} were left out; columns: {columns:.200}.")
        return self.draft

    def _most_rows(self, rows: int) -> int:
        """Return how many rows are read; the table and its header are blocks too."""
        limit = self.context.options.max_blocks
        if rows + 2 <= limit:
            return int(rows)
        if not self.context.options.partial:
            raise LimitExceeded(
                f"{self.name} has {rows:,} rows, more than {limit:,} blocks can hold; raise max_blocks, or set "
                "partial=True to keep the first ones.",
                setting="max_blocks",
                limit=limit,
                value=rows + 2,
            )
        most = max(0, limit - 2)
        self.draft.warn("truncated", f"Only the first {most:,} of {rows:,} rows of {self.name} were read (max_blocks).")
        return most

    def _rows(self, table: int, names: list[str], most: int) -> None:
        done = 0
        if not most:
            return
        size = min(BATCH_ROWS, most)
        pace = Pace(self.draft, self.context, self.name, most)
        for batch in self.file.iter_batches(batch_size=size, use_threads=False):
            columns = [batch.column(at).to_pylist() for at in range(batch.num_columns)]
            for values in zip(*columns, strict=True):
                if done >= most or self._too_long(done, most):
                    return
                done += 1
                texts = [self._text(value, name) for value, name in zip(values, names, strict=True)]
                self._row(table, texts, locator=f"row {done}")
            if done < most and not pace.goes_on(done):
                pace.give_up(after=f"{done:,} of {most:,} rows")
                return

    def _row(self, table: int, texts: list[str], *, locator: str, is_header: bool = False) -> None:
        cells: list[Span | None] = []
        for column, text in enumerate(texts):
            self.draft.write("\t" if column else "")
            cells.append(self.draft.write(text) if text else None)
        self.draft.write("\n")
        self.draft.add_row(table, cells, is_header=is_header, locator=locator)

    def _too_long(self, done: int, most: int) -> bool:
        if self.draft.length <= self.most_chars:
            return False
        if not self.context.options.partial:
            limit = self.context.options.max_file_mb
            raise LimitExceeded(
                f"{self.name} unpacks to more than {MOST_EXPANSION} times max_file_mb ({limit:g}) of text; raise "
                "max_file_mb, or set partial=True to keep the first rows.",
                setting="max_file_mb",
                limit=limit,
                value=round(self.draft.length / 1048576, 1),
            )
        self.draft.warn("truncated", f"Only the first {done:,} of {most:,} rows of {self.name} were read.")
        return True

    def _text(self, value: Any, name: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, (bytes, bytearray)):
            text = _decoded(bytes(value))
            if text is None:
                self.binary.add(name)
            return text or ""
        if isinstance(value, (list, dict, tuple)):
            return json.dumps(value, ensure_ascii=False, default=_json_value)
        return scalar_text(value)


def scalar_text(value: Any) -> str:
    """Return what a single value says.

    Examples
    --------
    >>> scalar_text(None), scalar_text(True), scalar_text(1204.5), scalar_text(datetime(2024, 3, 31, 9, 30))
    ('', 'true', '1204.5', '2024-03-31 09:30:00')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    return str(value)


def _json_value(value: Any) -> str | None:
    return _decoded(value) if isinstance(value, bytes) else scalar_text(value)


def _decoded(value: bytes) -> str | None:
    """Return UTF-8 text, which some writers store without saying that it is text, or None."""
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


FORMAT = Format(name="parquet", suffixes=(".parquet", ".pq"), sniff=sniff, parse=parse, version=2)
