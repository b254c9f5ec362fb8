"""An audit from a file: layout, columns, types, seal and inputs are checked before any of it is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from ...errors import FileMissing, InvalidAudit
from .columns import NULLABLE, column_names, kind_of, rows_of
from .csv_file import read_csv
from .facts import check_columns, checked_facts, is_text, told
from .files import checked_suffix
from .json_file import read_json
from .parquet_file import read_parquet
from .read import MAX_BYTES, Broken, Read
from .sealing import same, signature_of
from .table import Audit

_READERS: Mapping[str, Callable[[bytes], Read]] = {".csv": read_csv, ".json": read_json, ".parquet": read_parquet}


def load_audit(path: str | Path, *, key: bytes | None = None) -> Audit:
    """Read an audit that ``Audit.save`` wrote, or the output of ``workbench read --json`` or ``--csv``.

    Nothing in it is evaluated, and no model or file that it names is opened.

    Parameters
    ----------
    path : str or pathlib.Path
        Ends in .csv, .json or .parquet.
    key : bytes, optional
        The key that it was signed with; without one the seal is checked and a signature is not.

    Raises
    ------
    FileMissing
        If there is no such file.
    InvalidOption
        For another suffix, or a key that is none.
    InvalidAudit
        If it is no audit or a part of one, is of another layout, was changed after it was sealed, or was not signed
        with the key; the message names what is wrong.

    Examples
    --------
    >>> import tempfile
    >>> from workbench import SparseReader, open_document
    >>> from workbench.resources import datasets_dir
    >>> document = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    >>> audit = SparseReader(scorer=None).read(document, "What triggers a backup?").audit()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = load_audit(audit.save(f"{folder}/backup.parquet"))
    >>> again == audit, again.check()
    (True, ())
    """
    file = Path(path).expanduser()
    read = _READERS[checked_suffix(file)]
    if not file.is_file():
        raise FileMissing(f"There is no audit at {file}; write one with reading.audit().save(path).")
    try:
        audit = _checked(read(_bytes_of(file)), key)
    except Broken as error:
        raise InvalidAudit(
            f"{file.name} is no audit that can be used: {error}; take the file as it was saved."
        ) from error
    from .inputs import basis_of, cut_of

    basis_of(audit)
    cut_of(audit)
    return audit


def _bytes_of(file: Path) -> bytes:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise Broken(f"it has more than {MAX_BYTES >> 20:,} MB")
        return file.read_bytes()
    except OSError as error:
        raise Broken(f"it cannot be read ({error.strerror or error})") from error


def _checked(read: Read, key: bytes | None) -> Audit:
    facts = checked_facts(read.facts)
    columns = column_names(facts["parts"])
    if read.columns is not None:
        check_columns(read.columns, columns)
    cells = {name: _checked_cells(name, read.cells[name] if read.columns is not None else ()) for name in columns}
    ids = list(cells["block_id"])
    if len(ids) != facts["blocks"] or ids != list(range(len(ids))):
        raise Broken(f"its rows are not the blocks 0 to {facts['blocks'] - 1}, each once and in order")
    audit = Audit(MappingProxyType(facts), columns, rows_of(cells, columns), read.signature)
    if not isinstance(read.seal, str) or not same(audit.seal, read.seal):
        raise Broken(
            f"it was changed after it was sealed (its content has the seal {audit.seal[:12]}, and it carries "
            f"{told(read.seal, 14)})"
        )
    _check_signature(audit, key)
    return audit


def _checked_cells(name: str, values: Sequence[Any]) -> Sequence[Any]:
    kind, nullable = kind_of(name), name in NULLABLE
    # A whole number is a number, as other programs write it; True is none.
    allowed = {kind, *([type(None)] if nullable else []), *([int] if kind is float else [])}
    if not set(map(type, values)) <= allowed:
        _refuse_first(name, values, lambda value: type(value) in allowed)
    if kind is str and not is_text("".join(value for value in values if value is not None)):
        _refuse_first(name, values, lambda value: value is None or is_text(value))
    if kind is not float:
        return values
    if not all(value is None or _is_finite(value) for value in values):
        _refuse_first(name, values, lambda value: value is None or _is_finite(value))
    return [None if value is None else float(value) for value in values]


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False


def _refuse_first(name: str, values: Sequence[Any], fine: Callable[[Any], bool]) -> NoReturn:
    block = next(block for block, value in enumerate(values) if not fine(value))
    raise Broken(f"block {block} has {told(values[block])} as {name}")


def _check_signature(audit: Audit, key: bytes | None) -> None:
    if audit.signature is not None and not isinstance(audit.signature, str):
        raise Broken("its signature is no text")
    if key is None:
        return
    due = signature_of(audit.seal, key)
    if audit.signature is None:
        raise Broken("it carries no signature, and a key was given to check one")
    if not same(audit.signature, due):
        raise Broken("it was not signed with this key")
