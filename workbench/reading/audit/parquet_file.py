"""An audit as Parquet: a typed column each, and the facts in the metadata of the schema."""

from __future__ import annotations

import io
import json
from typing import Any

from .columns import NULLABLE, cells_of, kind_of
from .json_file import parsed
from .read import MAX_BYTES, Broken, Read
from .table import Audit

FACTS, SEAL, SIGNATURE = b"workbench_audit", b"workbench_audit_seal", b"workbench_audit_signature"
_PLAIN = {"PLAIN", "RLE", "BIT_PACKED"}
"""Encodings that cannot spell much with little: in these a column is no larger than it says."""


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
            _check_types(schema)
            _check_size(file.metadata)
            table = file.read(use_threads=False)
        facts = parsed(told[FACTS].decode())
        seal = told[SEAL].decode()
        signature = told[SIGNATURE].decode() if SIGNATURE in told else None
        cells = {name: table.column(name).to_pylist() for name in schema.names}
    except (pa.ArrowException, OSError, ValueError, OverflowError, RecursionError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0][:80].rstrip(".")
        raise Broken(f"it cannot be read as Parquet ({reason})") from error
    return Read(facts, tuple(schema.names), cells, seal, signature)


def _schema(columns: tuple[str, ...]) -> Any:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    types = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
    return pa.schema([pa.field(name, types[kind_of(name)], nullable=name in NULLABLE) for name in columns])


def _check_types(schema: Any) -> None:
    if len(set(schema.names)) != len(schema.names):
        raise Broken("two of its columns have one name")
    for field, due in zip(schema, _schema(tuple(schema.names)), strict=True):
        if field.type != due.type:
            raise Broken(f"its column {field.name!r:.60} is of type {field.type!s:.40}, and not {due.type}")


def _check_size(metadata: Any) -> None:
    """Refuse a small file that would fill the memory."""
    size = 0
    for group in range(metadata.num_row_groups):
        for at in range(metadata.num_columns):
            column = metadata.row_group(group).column(at)
            size += max(column.total_uncompressed_size, column.num_values // 8)
            if not set(column.encodings) <= _PLAIN:
                raise Broken("it was written by another program than this one")
    if size > MAX_BYTES:
        raise Broken(f"its columns have more than {MAX_BYTES >> 20:,} MB")
