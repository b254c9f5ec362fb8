"""A format of our own, registered as another package would: its lines are paragraphs, or orders to misbehave."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from workbench.documents import registry
from workbench.documents.blocks import BlockKind
from workbench.documents.draft import Draft
from workbench.documents.registry import Format
from workbench.documents.source import ParseContext, Source
from workbench.documents.workers.pool import POOL

MAGIC = b"TOY\n"


def sniff(source: Source) -> float:
    """Be sure of what begins with TOY."""
    return 1.0 if source.head.startswith(MAGIC) else 0.0


def parse(source: Source, context: ParseContext) -> Draft:
    """Make a paragraph of each line, a page of each form feed, and mischief of each line that begins with "!"."""
    draft = Draft(line_based=True)
    text = source.data.decode("utf-8", "surrogateescape")
    lines = text.splitlines(keepends=True)
    draft.begin_page()
    for number, line in enumerate(lines):
        context.report(number, len(lines))
        if line.startswith("!count"):
            _count(Path(line.split()[1]))
        elif line.startswith("!exit"):
            os._exit(9)
        elif line.startswith("!hang"):
            time.sleep(600)
        elif line.startswith("!late"):
            draft.warn("out_of_time", f"Only a part of {source.name} was read (max_seconds).")
        elif line.startswith("!warn"):
            draft.warn("odd", f"{source.name} is odd.")
        draft.add(BlockKind.PARAGRAPH, draft.write(line))
    return draft


def _count(file: Path) -> None:
    with file.open("a") as stream:
        stream.write("x")


FORMAT = Format(name="toy", suffixes=(".toy",), sniff=sniff, parse=parse, truncatable=True)


@contextmanager
def registered(folder: Path) -> Iterator[None]:
    """Install the format for this process and its workers, in a folder of the search path."""
    information = folder / "toy_format-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-format\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[workbench.documents]\ntoy = tests.documents.toy:FORMAT\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        _forget_formats()
        POOL.close()
        POOL._reset()
        yield
        POOL.close()
        POOL._reset()
    _forget_formats()


def _forget_formats() -> None:
    registry.formats.cache_clear()
    registry.plug_ins.cache_clear()
