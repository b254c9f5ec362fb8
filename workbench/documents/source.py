"""What a format module is given: the bytes of one artifact, its limits, and a way to report progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ..errors import LimitExceeded
from .options import ReadOptions

Report = Callable[[int, int], None]

HEAD_BYTES = 8_192
"""How much of a file is looked at to recognise its format."""


class Source:
    """The bytes of one artifact.

    Parameters
    ----------
    path : pathlib.Path
        A readable file.
    name : str, optional
        What to call it in messages and by which suffix to recognise it; the path's name by default.
    """

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.name = name or path.name

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, with its dot, or ""."""
        return Path(self.name).suffix.lower()

    @cached_property
    def head(self) -> bytes:
        """The first ``HEAD_BYTES`` bytes."""
        with self.path.open("rb") as stream:
            return stream.read(HEAD_BYTES)

    @cached_property
    def data(self) -> bytes:
        """All bytes."""
        return self.path.read_bytes()


def _no_report(done: int, total: int) -> None:
    del done, total


@dataclass(slots=True)
class ParseContext:
    """Limits and progress of one parse.

    Attributes
    ----------
    options : ReadOptions
    report : callable
        ``report(done, total)`` in pages, rows or bytes; cheap enough to call once a page.
    """

    options: ReadOptions
    report: Report = _no_report
    started: float = field(default_factory=time.monotonic)

    def check_time(self, name: str) -> None:
        """Raise when the document has taken longer than ``max_seconds``; call once a page or a thousand rows.

        Raises
        ------
        LimitExceeded
        """
        if self.out_of_time:
            raise LimitExceeded(
                f"{name} took longer than {self.options.max_seconds:g} s to read; raise max_seconds, or set "
                "partial=True to keep what was read so far.",
                setting="max_seconds",
                limit=self.options.max_seconds,
                value=round(time.monotonic() - self.started, 1),
            )

    @property
    def out_of_time(self) -> bool:
        """Whether ``max_seconds`` have passed; for a parser that can stop early when ``partial`` is set."""
        return time.monotonic() - self.started > self.options.max_seconds
