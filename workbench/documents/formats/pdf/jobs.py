"""What a worker process is asked to do with a PDF: functions of JSON arguments that return bytes."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...source import ParseContext, Source
from .format import read_facts, read_pages


def facts(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Return page count, outline and labels as JSON."""
    found = read_facts(_source(arguments), context)
    return json.dumps(asdict(found)).encode()


def pages(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Return a packed ``PageRange``."""
    first, last = arguments["first"], arguments["last"]
    found = read_pages(_source(arguments), context, arguments["native"], first, last, done=0, total=last - first)
    return found.pack()


def _source(arguments: dict[str, Any]) -> Source:
    return Source(Path(arguments["path"]), arguments["name"])
