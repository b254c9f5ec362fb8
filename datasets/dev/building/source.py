"""Reading a source: front matter, tables and texts from ``made.py``, and a subset of Markdown."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from ruamel.yaml import YAML

from .nodes import Code, Heading, Item, Node, PageBreak, Paragraph, Run, Runs, Source, Table, plain

VERBATIM = ("log", "raw")
"""Formats whose text is written as it stands, without being read as Markdown."""

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_PLACE = re.compile(r"\{\{\s*(table|text)\s+(\w+)\s*\}\}")
_NOTE = re.compile(r"^\[\^(\w+)\]:\s*(.+)$", re.MULTILINE)
_MARK = re.compile(r"\[\^(\w+)\]")
_CAPTION = re.compile(r"^(Table: .*)$", re.MULTILINE)
_MARKDOWN = MarkdownIt("commonmark").enable("table")


class SourceError(Exception):
    """A source says something that cannot be built."""


def read_source(path: Path, made: Path | None = None) -> Source:
    """Read one source; ``made`` is the module with its tables and texts, beside the source by default."""
    text = path.read_text(encoding="utf-8")
    front = _FRONT.match(text)
    if front is None:
        raise SourceError(f"{path} has no front matter: begin it with --- and end that with ---")
    meta: dict[str, Any] = YAML(typ="safe").load(front.group(1))
    missing = [key for key in ("file", "format") if key not in meta]
    if missing:
        raise SourceError(f"the front matter of {path} lacks {', '.join(missing)}")
    body = _filled(text[front.end() :].lstrip("\n"), made or path.with_name("made.py"), path)
    if meta["format"] in VERBATIM:
        return Source(meta, body)
    notes = {label: _inline_of(said) for label, said in _NOTE.findall(body)}
    return Source(meta, body, tuple(nodes_of(_NOTE.sub("", body))), notes)


def nodes_of(markdown: str) -> Iterator[Node]:
    """Yield what the Markdown says, in order."""
    tree = SyntaxTreeNode(_MARKDOWN.parse(_CAPTION.sub(r"\1\n", markdown)))
    caption: Paragraph | None = None
    for node in _blocks(tree.children, 0):
        if isinstance(node, Table):
            said = plain(caption.runs).removeprefix("Table: ") if caption is not None else ""
            yield Table(said, node.header, node.rows)
            caption = None
            continue
        if caption is not None:
            yield caption
        caption = node if isinstance(node, Paragraph) and plain(node.runs).startswith("Table: ") else None
        if caption is None:
            yield node
    if caption is not None:
        yield caption


def markdown_table(rows: list[list[str]]) -> str:
    """Return rows, the first of which is the header, as a Markdown table."""
    cells = [[str(cell).replace("|", r"\|").replace("\n", " ") for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)


@lru_cache(maxsize=64)
def made_by(path: Path) -> tuple[dict[str, list[list[str]]], dict[str, str]]:
    """Return the tables and texts that a ``made.py`` makes."""
    found = runpy.run_path(str(path))
    return found.get("TABLES", {}), found.get("TEXTS", {})


def _filled(body: str, made: Path, path: Path) -> str:
    def fill(match: re.Match[str]) -> str:
        kind, name = match.groups()
        tables, texts = made_by(made)
        if name not in (tables if kind == "table" else texts):
            raise SourceError(f"{path} asks for the {kind} {name}, which {made.name} does not make")
        return markdown_table(tables[name]) if kind == "table" else _filled(texts[name], made, path)

    return _PLACE.sub(fill, body)


def _blocks(nodes: list[SyntaxTreeNode], depth: int) -> Iterator[Node]:
    for node in nodes:
        match node.type:
            case "heading":
                yield Heading(int(node.tag[1]), _inline(node.children[0]))
            case "paragraph":
                yield Paragraph(_inline(node.children[0]))
            case "bullet_list" | "ordered_list":
                yield from _items(node, depth)
            case "blockquote":
                yield from _blocks(node.children, depth)
            case "fence" | "code_block":
                yield Code(node.content.rstrip("\n"))
            case "table":
                yield _table(node)
            case "html_block" if "page" in node.content:
                yield PageBreak()
            case "hr":
                pass
            case _:
                raise SourceError(f"a source holds {node.type}, which is outside the subset of Markdown")


def _items(node: SyntaxTreeNode, depth: int) -> Iterator[Node]:
    ordered = node.type == "ordered_list"
    first = int(node.attrs.get("start", 1) or 1)
    for rank, item in enumerate(node.children):
        for part in _blocks(item.children, depth + 1):
            if isinstance(part, Paragraph):
                yield Item(depth, first + rank if ordered else 0, part.runs)
            else:
                yield part


def _table(node: SyntaxTreeNode) -> Table:
    head, *bodies = node.children
    header = tuple(_cell(cell) for cell in head.children[0].children)
    rows = tuple(tuple(_cell(cell) for cell in row.children) for body in bodies for row in body.children)
    return Table("", header, rows)


def _cell(node: SyntaxTreeNode) -> Runs:
    return _inline(node.children[0]) if node.children else ()


def _inline_of(text: str) -> Runs:
    found = SyntaxTreeNode(_MARKDOWN.parse(text)).children
    return _inline(found[0].children[0]) if found else ()


def _inline(node: SyntaxTreeNode) -> Runs:
    return tuple(_runs(node.children, Run("")))


def _runs(nodes: list[SyntaxTreeNode], style: Run) -> Iterator[Run]:
    for node in nodes:
        match node.type:
            case "strong":
                yield from _runs(node.children, Run("", True, style.italic))
            case "em":
                yield from _runs(node.children, Run("", style.bold, True))
            case "link":
                yield from _runs(node.children, style)
            case "code_inline":
                yield Run(node.content, style.bold, style.italic, code=True)
            case "softbreak" | "hardbreak":
                yield Run("\n" if node.type == "hardbreak" else " ", style.bold, style.italic)
            case _:
                yield from _marked(node.content, style)


def _marked(text: str, style: Run) -> Iterator[Run]:
    for rank, part in enumerate(_MARK.split(text)):
        if rank % 2:
            yield Run(part, note=part)
        elif part:
            yield Run(part, style.bold, style.italic)
