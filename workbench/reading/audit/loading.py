"""An audit from a file: layout, columns, types, seal and inputs are checked before any of it is shown."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from ...errors import FileMissing, InvalidAudit
from .columns import FACTS, LAYOUT, NULLABLE, column_names, kind_of, rows_of
from .csv_file import read_csv
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
    facts = _checked_facts(read.facts)
    columns = column_names(facts["parts"])
    if read.columns is not None:
        _check_columns(read.columns, columns)
    cells = {name: _checked_cells(name, read.cells[name] if read.columns is not None else ()) for name in columns}
    ids = list(cells["block_id"])
    if len(ids) != facts["blocks"] or ids != list(range(len(ids))):
        raise Broken(f"its rows are not the blocks 0 to {facts['blocks'] - 1}, each once and in order")
    audit = Audit(MappingProxyType(facts), columns, rows_of(cells, columns), read.signature)
    if not isinstance(read.seal, str) or not same(audit.seal, read.seal):
        raise Broken(
            f"it was changed after it was sealed (its content has the seal {audit.seal[:12]}, and it carries "
            f"{read.seal!r:.14})"
        )
    _check_signature(audit, key)
    return audit


def _checked_facts(facts: Any) -> dict[str, Any]:
    if not isinstance(facts, dict) or "layout" not in facts:
        raise Broken("its facts name no layout")
    if facts["layout"] != LAYOUT:
        raise Broken(f"it has the layout {facts['layout']!r:.20}, and this version of workbench reads layout {LAYOUT}")
    for name, types in FACTS.items():
        if name not in facts:
            raise Broken(f"the fact {name!r} is missing")
        if type(facts[name]) not in types:
            raise Broken(f"the fact {name!r} is {facts[name]!r:.60}")
    if not _is_text(json.dumps(facts, ensure_ascii=False)):
        raise Broken("its facts hold half a character")
    unknown = sorted(facts.keys() - FACTS.keys())
    if unknown:
        raise Broken(f"it has an unknown fact {unknown[0]!r:.60}")
    for name in ("parts", "features", "notes", "profile_departures"):
        if not all(isinstance(entry, str) for entry in facts[name]):
            raise Broken(f"the fact {name!r} is no list of texts")
    return facts


def _check_columns(found: Sequence[str], due: Sequence[str]) -> None:
    missing, unknown = sorted(set(due) - set(found)), sorted(set(found) - set(due))
    if missing:
        raise Broken(f"it has no column {', '.join(map(repr, missing[:3])):.120}")
    if unknown:
        raise Broken(f"it has the unknown column {', '.join(map(repr, unknown[:3])):.120}")
    if len(found) != len(due):
        raise Broken("two of its columns have one name")


def _checked_cells(name: str, values: Sequence[Any]) -> Sequence[Any]:
    kind, nullable = kind_of(name), name in NULLABLE
    # A whole number is a number, as other programs write it; True is none.
    allowed = {kind, *([type(None)] if nullable else []), *([int] if kind is float else [])}
    if not set(map(type, values)) <= allowed:
        _refuse_first(name, values, lambda value: type(value) in allowed)
    if kind is str and not _is_text("".join(value for value in values if value is not None)):
        _refuse_first(name, values, lambda value: value is None or _is_text(value))
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


def _is_text(text: str) -> bool:
    """Whether it holds no half of a character: no other format could hold that."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_first(name: str, values: Sequence[Any], fine: Callable[[Any], bool]) -> NoReturn:
    block = next(block for block, value in enumerate(values) if not fine(value))
    raise Broken(f"block {block} has {values[block]!r:.60} as {name}")


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
