"""The formats that can be read: one module a format, one entry here or one entry point in another package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from .draft import Draft
from .source import ParseContext, Source

if TYPE_CHECKING:
    from .sandbox import RunJobs

ENTRY_POINT_GROUP = "workbench.documents"

BUILT_IN: tuple[str, ...] = (
    "pdf",
    "docx",
    "pptx",
    "xlsx",
    "parquet",
    "email",
    "html",
    "notebook",
    "jsonl",
    "json",
    "delimited",
    "markdown",
    "code",
    "text",
)
"""Modules of ``workbench.documents.formats``; at equal certainty the earlier one reads the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How one format is recognised and read.

    Attributes
    ----------
    name : str
        The format's name, as it stands in ``Document.format``.
    suffixes : tuple of str
        File suffixes in lower case, with their dot.
    sniff : callable
        ``sniff(source)`` looks at ``source.head`` (and opens the file only if the head is promising) and says
        how sure it is that the content has this format, from 0 (impossible) to 1 (certain). It never raises.
    parse : callable
        ``parse(source, context)`` returns a ``Draft``. It raises a ``WorkbenchError`` for what a person can
        mend, and imports heavy libraries inside.
    version : int
        Raised whenever other blocks come out of the same bytes; part of the cache key.
    truncatable : bool
        Whether the first part of a file that is too large is itself a readable file.
    distribute : callable, optional
        ``distribute(source, context, run_jobs)`` returns the same ``Draft`` as ``parse`` but has the work done
        by several worker processes.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Source], float]
    parse: Callable[[Source, ParseContext], Draft]
    version: int = 1
    truncatable: bool = False
    distribute: Callable[[Source, ParseContext, RunJobs], Draft] | None = None


@lru_cache(maxsize=1)
def formats() -> tuple[Format, ...]:
    """Return every format, those of other packages first, so that they can replace a built-in one by name."""
    found: dict[str, Format] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        extra: Format = point.load()
        found.setdefault(extra.name, extra)
    for module in BUILT_IN:
        built_in: Format = import_module(f"{__package__}.formats.{module}").FORMAT
        found.setdefault(built_in.name, built_in)
    return tuple(found.values())
