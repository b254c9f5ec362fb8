"""Reads a small file with one format and shows its blocks as plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.documents.formats.conservation import assert_conserves
from workbench.documents.blocks import KINDS
from workbench.documents.draft import Draft, FinishedDraft
from workbench.documents.options import ReadOptions
from workbench.documents.registry import Format
from workbench.documents.source import ParseContext, Source


def parsed(format: Format, path: Path, content: str | bytes, **options: Any) -> Draft:  # noqa: A002
    """Write a file and parse it."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return format.parse(Source(path), ParseContext(ReadOptions(**options)))


def finished(format: Format, path: Path, content: str | bytes, **options: Any) -> FinishedDraft:  # noqa: A002
    """Write a file, parse it and check that no text is lost."""
    draft = parsed(format, path, content, **options)
    done = assert_conserves(draft, max_block_chars=options.get("max_block_chars", 512))
    if draft.line_based and isinstance(content, str):
        assert done.text_layer == content.removeprefix("\ufeff")
    return done


def shown(done: FinishedDraft) -> list[tuple[str, str]]:
    """Return (kind and level, text) of every block; the level is left out where it is 0."""
    kinds = [KINDS[code].value for code in done.columns.kind.tolist()]
    levels = done.columns.level.tolist()
    return [
        (f"{kind} {level}" if level else kind, text)
        for kind, level, text in zip(kinds, levels, done.texts, strict=True)
    ]


def sniffed(format: Format, path: Path, content: str | bytes) -> float:  # noqa: A002
    """Write a file and return how sure a format is of it."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return format.sniff(Source(path))
