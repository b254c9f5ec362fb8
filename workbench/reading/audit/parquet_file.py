"""An audit as Parquet: a typed column each, and the facts in the metadata of the schema."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

from .columns import NULLABLE, cells_of, column_names, kind_of
from .facts import check_columns, checked_facts
from .json_file import parsed
from .read import MAX_BYTES, Broken, Read
from .table import Audit

FACTS, SEAL, SIGNATURE = b"workbench_audit", b"workbench_audit_seal", b"workbench_audit_signature"
_PLAIN = {"PLAIN", "RLE", "BIT_PACKED"}
"""Encodings that cannot spell much with little: in these a column is no larger than it says."""
VALUE_BYTES = 8
"""What any value takes when it has been read, also one that is not there."""
BATCH_ROWS = 1 << 16


def parquet_bytes(audit: Audit) -> bytes:
    """Return an audit as the bytes of a Parquet file."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    cells = cells_of(audit.columns, audit.rows)
    schema = _schema(audit.columns).with_metadata(
        {
            FACTS: json.dumps(dict(audit.facts), ensure_ascii=False, allow_nan=False).encode(),
            SEAL: audit.seal.encode(),
            **({SIGNATURE: audit.signature.encode()} if audit.signature is not None else {}),
        }
    )
    table = pa.table([pa.array(cells[field.name], field.type) for field in schema], schema=schema)
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd", use_dictionary=False)
    return stream.getvalue()


def read_parquet(data: bytes) -> Read:
    """Return what a Parquet file holds.

    Raises
    ------
    Broken
        If it is none, has no facts, or columns of other types.
    """
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    try:
        # In this thread alone: the threads of the library outlive a short program, and end it with an error.
        with pq.ParquetFile(io.BytesIO(data), pre_buffer=False) as file:
            schema = file.schema_arrow
            told = schema.metadata or {}
            if FACTS not in told or SEAL not in told:
                raise Broken("it has no facts and no seal in its metadata")
            facts = checked_facts(parsed(told[FACTS].decode("utf-8", "replace"), "the facts in its metadata"))
            check_columns(schema.names, column_names(facts["parts"]))
            _check_types(schema)
            _check_size(file.metadata, facts["blocks"])
            table = pa.Table.from_batches(_batches(file), schema)
        seal = told[SEAL].decode("utf-8", "replace")
        signature = told[SIGNATURE].decode("utf-8", "replace") if SIGNATURE in told else None
        cells = {name: table.column(name).to_pylist() for name in schema.names}
    except UnicodeDecodeError as error:
        raise Broken("it cannot be read as Parquet (a text in it is not UTF-8)") from error
    except (pa.ArrowException, OSError, ValueError, OverflowError, RecursionError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0][:80].rstrip(".")
        raise Broken(f"it cannot be read as Parquet ({reason})") from error
    return Read(facts, tuple(schema.names), cells, seal, signature)


def _schema(columns: tuple[str, ...]) -> Any:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
    return pa.schema([pa.field(name, types[kind_of(name)], nullable=name in NULLABLE) for name in columns])


def _check_types(schema: Any) -> None:
    for field, due in zip(schema, _schema(tuple(schema.names)), strict=True):
        if field.type != due.type:
            raise Broken(f"its column {field.name!r:.60} is of type {field.type!s:.40}, and not {due.type}")


def _check_size(metadata: Any, blocks: int) -> None:
    """Refuse a small file that would fill the memory: a value takes room, though nothing may be stored for it."""
    if metadata.num_rows != blocks:
        raise Broken(f"it has {metadata.num_rows:,} rows, and its facts tell of {blocks:,} blocks")
    size = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for at in range(metadata.num_columns):
            column = group.column(at)
            size += max(column.total_uncompressed_size, VALUE_BYTES * max(column.num_values, group.num_rows))
            if not set(column.encodings) <= _PLAIN:
                raise Broken("it was written by another program than this one")
    _check_room(size)


def _batches(file: Any) -> Iterator[Any]:
    """Read some rows after the other, and stop where they are more than the file says of itself."""
    size = 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS, use_threads=False):
        size += batch.nbytes
        _check_room(size)
        yield batch


def _check_room(size: int) -> None:
    if size > MAX_BYTES:
        raise Broken(f"its columns have more than {MAX_BYTES >> 20:,} MB")
