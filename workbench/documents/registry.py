"""The formats that can be read: one module or package and one entry here each, or an entry point elsewhere."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from ..errors import UnsupportedFormat
from .draft import Draft
from .source import ParseContext, Source

if TYPE_CHECKING:
    from .workers.sandbox import RunJobs

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
"""Modules and packages of ``workbench.documents.formats``; at equal certainty the earlier one reads the file."""

_log = logging.getLogger("workbench")


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
    found = {extra.name: extra for extra in plug_ins()}
    for module in BUILT_IN:
        built_in = _built_in(module)
        found.setdefault(built_in.name, built_in)
    return tuple(found.values())


def format_named(name: str) -> Format:
    """Return one format and import no module of another built-in one: a worker reads one file at a time.

    Raises
    ------
    UnsupportedFormat
        If there is no such format, with the names of those that there are.
    """
    for extra in plug_ins():
        if extra.name == name:
            return extra
    if name in BUILT_IN:
        built_in = _built_in(name)
        if built_in.name == name:
            return built_in
    for known in formats():
        if known.name == name:
            return known
    names = ", ".join(sorted(known.name for known in formats()))
    raise UnsupportedFormat(f"There is no format named {name!r:.60}; choose from {names}.")


@lru_cache(maxsize=1)
def plug_ins() -> tuple[Format, ...]:
    """Return the formats of other packages; one that does not load is logged and left out.

    Of two with one name the first counts.
    """
    found: dict[str, Format] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            # Code of others, which may raise anything.
            extra = point.load()
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
        else:
            if isinstance(extra, Format):
                found.setdefault(extra.name, extra)
                continue
            what = f"it is of type {type(extra).__name__}, not a Format"
        _log.warning("the format plug-in %s (%s) was left out: %.300s", point.name, point.value, what)
    return tuple(found.values())


def _built_in(module: str) -> Format:
    built_in: Format = import_module(f"{__package__}.formats.{module}").FORMAT
    return built_in
