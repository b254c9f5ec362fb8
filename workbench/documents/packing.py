"""A document as bytes and back: what the cache stores and what workers send; nothing in it is ever executed.

The container is NumPy's ``.npz`` without pickle, a ZIP of plain arrays, and behind it a checksum of the whole, so
that no changed byte goes unnoticed.
"""

from __future__ import annotations

import io
import json
import threading
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .columns import BlockColumns
from .document import Document
from .exclusions import Exclusions
from .pages import DocumentWarning, Page, PageStatus, Verdict

LAYOUT_VERSION = 3
"""Raised whenever the stored layout, or what the core does with a draft, changes; part of the cache key."""

_META = "meta"
_TEXT = "text"
_EXCLUSION_ARRAYS = ("start", "end", "code")
_CHECKSUM_BYTES = 4
_parsing = threading.Lock()


class DamagedPack(ValueError):
    """The bytes are not what ``pack_arrays`` wrote; cache and workers handle it, an analyst never sees it."""


def pack_arrays(arrays: Mapping[str, npt.NDArray[Any]], meta: Mapping[str, Any]) -> bytes:
    """Pack named arrays and a JSON value.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Any shape and any dtype but object; "meta" is no allowed name.
    meta : mapping
        What JSON can hold; lone surrogates in strings survive.

    Examples
    --------
    >>> arrays, meta = unpack_arrays(pack_arrays({"x": np.arange(3)}, {"page": 7}))
    >>> arrays["x"].tolist(), meta
    ([0, 1, 2], {'page': 7})
    """
    if _META in arrays:
        raise ValueError(f"{_META!r} is the name of the header, not of an array")
    header = np.frombuffer(json.dumps(meta).encode("ascii"), np.uint8)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, array in {_META: header, **arrays}.items():
            # A fixed date: equal documents give equal bytes.
            member = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            with archive.open(member, "w", force_zip64=True) as target:
                np.lib.format.write_array(target, np.ascontiguousarray(array), allow_pickle=False)
    data = stream.getvalue()
    return data + zlib.crc32(data).to_bytes(_CHECKSUM_BYTES, "big")


def unpack_arrays(data: bytes) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the JSON value.

    Raises
    ------
    DamagedPack
        If a byte is missing or changed.
    """
    body = memoryview(data)[:-_CHECKSUM_BYTES]
    if len(data) <= _CHECKSUM_BYTES or zlib.crc32(body).to_bytes(_CHECKSUM_BYTES, "big") != data[-_CHECKSUM_BYTES:]:
        raise DamagedPack("the checksum differs")
    try:
        # Python 3.11 now and then fails to parse an array's header in two threads at once (SystemError).
        with _parsing, np.load(io.BytesIO(body), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta = json.loads(arrays.pop(_META).tobytes())
    except Exception as error:  # zipfile and NumPy raise a dozen kinds for what is no .npz
        raise DamagedPack(f"{type(error).__name__}: {error}") from error
    return arrays, meta


def pack_text(text: str) -> npt.NDArray[np.uint8]:
    """Return a text as an array of bytes; lone surrogates survive."""
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def unpack_text(data: npt.NDArray[np.uint8]) -> str:
    """Return the text of ``pack_text``."""
    return data.tobytes().decode("utf-8", "surrogatepass")


def pack_document(document: Document) -> bytes:
    """Return a document as bytes; its path is not part of it."""
    arrays = {name: getattr(document.columns, name) for name in BlockColumns.names()}
    arrays[_TEXT] = pack_text(document.text_layer)
    for name in _EXCLUSION_ARRAYS:
        arrays[f"exclusion_{name}"] = getattr(document.exclusions, name)
    meta = {
        "sha256": document.sha256,
        "name": document.name,
        "format": document.format,
        "tokenizer": document.tokenizer,
        "line_based": document.line_based,
        "pages": [
            [p.number, p.label, p.status.value, p.width, p.height, p.images, p.start_char, p.end_char]
            for p in document.pages
        ],
        "exclusion_reasons": list(document.exclusions.reasons),
        "warnings": [[w.code, w.message, list(w.pages)] for w in document.warnings],
        "document_type": _verdict_values(document.document_type),
        "language": _verdict_values(document.language),
        "locators": list(document.locators),
    }
    return pack_arrays(arrays, meta)


def unpack_document(data: bytes, *, path: Path | None = None) -> Document:
    """Return the document of ``pack_document``; its columns are equal, dtype for dtype.

    Raises
    ------
    DamagedPack
        If the bytes are damaged, or of another layout.
    """
    arrays, meta = unpack_arrays(data)
    try:
        text = unpack_text(arrays.pop(_TEXT))
        excluded = [arrays.pop(f"exclusion_{name}") for name in _EXCLUSION_ARRAYS]
        return Document(
            sha256=meta["sha256"],
            name=meta["name"],
            path=path,
            format=meta["format"],
            text_layer=text,
            columns=BlockColumns(**arrays),
            pages=[Page(row[0], row[1], PageStatus(row[2]), *row[3:]) for row in meta["pages"]],
            exclusions=Exclusions(excluded[0], excluded[1], excluded[2], meta["exclusion_reasons"]),
            warnings=[DocumentWarning(code, message, tuple(pages)) for code, message, pages in meta["warnings"]],
            document_type=_verdict(meta["document_type"]),
            language=_verdict(meta["language"]),
            tokenizer=meta["tokenizer"],
            locators=meta["locators"],
            line_based=meta["line_based"],
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DamagedPack(f"{type(error).__name__}: {error}") from error


def _verdict_values(verdict: Verdict) -> list[Any]:
    return [verdict.value, verdict.score, list(verdict.reasons)]


def _verdict(values: list[Any]) -> Verdict:
    value, score, reasons = values
    return Verdict(value, score, tuple(reasons))
