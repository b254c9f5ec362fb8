"""How a document is read: limits and knobs, checked on creation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..errors import InvalidOption


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
        Largest file, in MiB.
    max_pages : int
        Most pages, sheets or slides.
    max_seconds : float
        Longest time for one document, in seconds.
    max_memory_mb : float
        Most memory of a worker process, in MiB (enforced where the system can: Linux and macOS).
    max_blocks : int
        Most blocks of one document.
    partial : bool
        At a limit, return what was read so far with a warning instead of an error.
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
        For a value outside its range.
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
        if self.max_block_chars < 64:
            raise InvalidOption(f"max_block_chars is {self.max_block_chars}; give at least 64.")
        for name in ("max_file_mb", "max_pages", "max_seconds", "max_memory_mb", "max_blocks"):
            value = getattr(self, name)
            if not value > 0:
                raise InvalidOption(f"{name} is {value}; give a number above 0.")
        if not 0 <= self.workers <= 64:
            raise InvalidOption(f"workers is {self.workers}; give 0 (automatic) to 64.")

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
