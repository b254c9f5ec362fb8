"""Frames between this process and its workers: a JSON header and a payload of bytes, each after its length."""

from __future__ import annotations

import json
import struct
from typing import Any, Protocol

MAX_HEADER = 16 << 20
MAX_PAYLOAD = 4 << 30
"""Longest parts of a frame that are believed: a crashing parser may write anything."""

_LENGTHS = struct.Struct("!IQ")


class RawStream(Protocol):
    """An unbuffered binary stream, as ``subprocess`` and ``open(..., buffering=0)`` make them."""

    def readinto(self, buffer: memoryview, /) -> int | None: ...

    def write(self, data: bytes | memoryview, /) -> int | None: ...


def write_frame(stream: RawStream, header: dict[str, Any], payload: bytes = b"") -> None:
    """Write one frame completely."""
    head = json.dumps(header).encode("ascii")
    _write_all(stream, _LENGTHS.pack(len(head), len(payload)) + head)
    if payload:
        _write_all(stream, payload)


def read_frame(stream: RawStream) -> tuple[dict[str, Any], bytes]:
    """Read one frame.

    Raises
    ------
    EOFError
        When the other side is gone.
    ValueError
        When what it says is no frame.
    """
    head_length, payload_length = _LENGTHS.unpack(_read_all(stream, _LENGTHS.size))
    if head_length > MAX_HEADER or payload_length > MAX_PAYLOAD:
        raise ValueError("this is no frame")
    header: dict[str, Any] = json.loads(_read_all(stream, head_length))
    return header, _read_all(stream, payload_length)


def _write_all(stream: RawStream, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) or 0 :]


def _read_all(stream: RawStream, length: int) -> bytes:
    buffer = bytearray(length)
    rest = memoryview(buffer)
    while rest:
        count = stream.readinto(rest)
        if not count:
            raise EOFError
        rest = rest[count:]
    return bytes(buffer)
