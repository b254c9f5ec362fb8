"""Everything that was asked and answered, a JSON object a line, only ever added to.

=========== ============================================================================================
field       what it is
=========== ============================================================================================
key         identity of the exchange: endpoint, model, messages and sampling settings
request     id of the request
purpose     native, sparse, advisory, judge native or judge sparse; "again" where a judge gave no JSON at first
model       that was asked
messages    each with its role and its content, or with the hash of its content
answer      as the model gave it; null where there is none
finish      why the answer ended
usage       tokens in and out, as the server counted, or null
seconds     of the try that was answered
tries       how many there were
cached      whether it was remembered from an earlier run
failed      why there is no answer; null where there is one
time        when it was written, UTC
=========== ============================================================================================
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ...documents.opening import as_path
from ...errors import FileMissing, InvalidOption
from .replies import Reply


class Transcript:
    """A file of exchanges; each is written once, however often it is asked for. Several threads may write.

    Parameters
    ----------
    path : str or path
        Made where it does not exist, with its folder; readable by its owner alone.
    texts : bool
        Whether the messages are kept whole; else their SHA-256.

    Raises
    ------
    InvalidOption
        If it cannot be written to.
    """

    def __init__(self, path: str | os.PathLike[str], *, texts: bool = True) -> None:
        self.path = as_path(path)
        self._texts = texts
        self._lock = threading.Lock()
        self._written: set[tuple[Any, ...]] = set()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            self._stream = os.fdopen(handle, "r+b", buffering=0)
            self._go_on()
        except OSError as error:
            raise InvalidOption(
                f"The transcript cannot be written to {self.path} ({error.strerror or error}); give a file in a folder "
                "that may be written to."
            ) from error

    def _go_on(self) -> None:
        self._stream.seek(0)
        data = self._stream.read()
        self._written = {_identity(entry) for entry in _entries(data) if entry.get("failed") is None}
        # A torn last line must not swallow the next one.
        if data and not data.endswith(b"\n"):
            self._stream.write(b"\n")

    def __enter__(self) -> Transcript:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stream.close()

    def write(
        self,
        *,
        key: str,
        request: str,
        purpose: str,
        model: str,
        messages: Sequence[Mapping[str, str]],
        reply: Reply | None,
        failed: str | None = None,
    ) -> None:
        """Add one exchange, unless it is there."""
        usage = None if reply is None or reply.usage is None else reply.usage
        entry = {
            "key": key,
            "request": request,
            "purpose": purpose,
            "model": model,
            "messages": [self._message(message) for message in messages],
            "answer": None if reply is None else reply.text,
            "finish": None if reply is None else reply.finish,
            "usage": None if usage is None else {"in": usage.tokens_in, "out": usage.tokens_out},
            "seconds": None if reply is None else round(reply.seconds, 6),
            "tries": None if reply is None else reply.tries,
            "cached": reply is not None and reply.cached,
            "failed": failed,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        line = json.dumps(entry, ensure_ascii=True).encode("ascii") + b"\n"
        with self._lock:
            if failed is None:
                if (identity := _identity(entry)) in self._written:
                    return
                self._written.add(identity)
            self._stream.write(line)

    def _message(self, message: Mapping[str, str]) -> dict[str, str]:
        if self._texts:
            return dict(message)
        digest = hashlib.sha256(message["content"].encode("utf-8", "surrogatepass")).hexdigest()
        return {"role": message["role"], "sha256": digest}


def read_transcript(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Return the exchanges of a transcript, in the order in which they were written.

    A line that was torn when a process was killed is left out.

    Raises
    ------
    FileMissing
        If there is no such file.
    """
    file = as_path(path)
    try:
        return _entries(file.read_bytes())
    except OSError as error:
        raise FileMissing(f"There is no transcript {file} that can be read; give the file that was written.") from error


def _entries(data: bytes) -> list[dict[str, Any]]:
    found = []
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line)
        except ValueError:  # torn, or empty
            continue
        if isinstance(entry, dict):
            found.append(entry)
    return found


def _identity(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return entry.get("key"), entry.get("request"), entry.get("purpose")
