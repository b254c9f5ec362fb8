"""What a source says, before any format: headings, paragraphs, list items, tables, code and page breaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style; ``note`` names the footnote whose mark stands here."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    note: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 4."""

    level: int
    runs: Runs


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of prose."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list; ``depth`` counts from 0, ``number`` is 0 in a list without numbers."""

    depth: int
    number: int
    runs: Runs


@dataclass(frozen=True, slots=True)
class Table:
    """A table; all rows are as long as the header."""

    caption: str
    header: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Text that is set as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class PageBreak:
    """What follows begins on a new page."""


Node = Heading | Paragraph | Item | Table | Code | PageBreak


@dataclass(frozen=True, slots=True)
class Source:
    """A source file: what its front matter says, its text with tables filled in, and the text as nodes."""

    meta: dict[str, Any]
    body: str
    nodes: tuple[Node, ...] = ()
    notes: dict[str, Runs] = field(default_factory=dict)

    @property
    def chinese(self) -> bool:
        """Whether the document is in Chinese."""
        return str(self.meta.get("language", "en")).startswith("zh")

    @property
    def title(self) -> str:
        """Title of the document."""
        return str(self.meta.get("title", ""))

    def captions(self) -> dict[int, str]:
        """Return the caption of each table by the rank of its node, numbered where it does not number itself."""
        word = "表" if self.chinese else "Table "
        tables = [(rank, node) for rank, node in enumerate(self.nodes) if isinstance(node, Table) and node.caption]
        return {
            rank: node.caption if node.caption.startswith(word) else f"{word}{number}: {node.caption}"
            for number, (rank, node) in enumerate(tables, start=1)
        }


def plain(runs: Runs) -> str:
    """Return the text of runs without their styles and without footnote marks."""
    return "".join(run.text for run in runs if not run.note)
