"""How a document is read: limits and knobs, checked on creation."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from ..errors import InvalidOption

MOST_WORKERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Limits and knobs of ``open_document``; every field has a default that suits a filing of 200 pages.

    Parameters
    ----------
    password : str, optional
        Opens an encrypted file.
    max_block_chars : int
        Longest paragraph block in characters; longer ones are cut at sentence ends.
    max_file_mb : float
        Largest file, in MiB. ``partial`` cannot cut one that is not read without its end: PDF, Office, Parquet,
        notebook, JSON, e-mail.
    max_pages : int
        Most pages, sheets or slides.
    max_seconds : float
        Longest time for one document, in seconds.
    max_memory_mb : float
        Most memory that one document may take in a worker process, in MiB. Enforced on Linux; macOS and Windows know
        no such limit, and there a document may take what the machine has. ``partial`` saves nothing here.
    max_blocks : int
        Most blocks of one document.
    partial : bool
        At a limit, return what was read so far with a warning instead of an error; not at ``max_memory_mb``, nor
        at ``max_file_mb`` for a file that cannot be cut.
    workers : int
        Worker processes for one document; 0 takes one per core, at most 8.
    isolate : bool
        Parse in a worker process that can be killed. False parses in this process (for debugging), where
        neither a hang nor a crash of a parser can be caught.
    cache : bool
        Keep and use parsed documents in the user's cache folder.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    """

    password: str | None = None
    max_block_chars: int = 512
    max_file_mb: float = 50.0
    max_pages: int = 2_000
    max_seconds: float = 60.0
    max_memory_mb: float = 2_048.0
    max_blocks: int = 500_000
    partial: bool = False
    workers: int = 0
    isolate: bool = True
    cache: bool = True

    def __post_init__(self) -> None:
        if not (self.password is None or isinstance(self.password, str)):
            # The value is a secret that somebody gave in another form: it stays out of the message.
            raise InvalidOption(f"password is of type {type(self.password).__name__}; give a string, or None.")
        for name in ("partial", "isolate", "cache"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise InvalidOption(f"{name} is {_shown(value)}; give True or False.")
        for name, least in (("max_block_chars", 64), ("max_pages", 1), ("max_blocks", 1)):
            self._set(name, _whole(name, getattr(self, name), least))
        for name in ("max_file_mb", "max_seconds", "max_memory_mb"):
            self._set(name, _above_zero(name, getattr(self, name)))
        self._set("workers", _whole("workers", self.workers, 0, MOST_WORKERS))

    def _set(self, name: str, value: float) -> None:
        """Keep the plain number: a worker gets the options as JSON, which knows no numpy.int64."""
        object.__setattr__(self, name, value)

    @classmethod
    def from_mapping(cls, values: dict[str, Any]) -> ReadOptions:
        """Build options from a mapping, refusing names that do not exist.

        Raises
        ------
        InvalidOption
            For an unknown name, with the list of those that exist.
        """
        known = [field.name for field in fields(cls)]
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise InvalidOption(f"{', '.join(unknown)} is no option of reading; choose from {', '.join(known)}.")
        return cls(**values)

    def content_key(self) -> dict[str, Any]:
        """Return the options that change what blocks come out: they are part of a cache key."""
        return {
            "max_block_chars": self.max_block_chars,
            "max_file_mb": self.max_file_mb if self.partial else None,
            "max_pages": self.max_pages if self.partial else None,
            "max_blocks": self.max_blocks if self.partial else None,
        }


def _whole(name: str, value: object, least: int, most: float = math.inf) -> int:
    """Return a whole number within bounds, or refuse what is none; True is no number here."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
        if least <= number <= most:
            return number
    allowed = f"of at least {least}" if most == math.inf else f"from {least} (automatic) to {most}"
    raise InvalidOption(f"{name} is {_shown(value)}; give a whole number {allowed}.")


def _above_zero(name: str, value: object) -> float:
    """Return a finite number above 0, or refuse what is none."""
    if isinstance(value, Real) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):
            number = float(value)
            if 0 < number < math.inf:
                return number
    raise InvalidOption(f"{name} is {_shown(value)}; give a number above 0.")


def _shown(value: object) -> str:
    return f"{value!r:.60}"
