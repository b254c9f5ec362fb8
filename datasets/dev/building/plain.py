"""Markdown, plain text and log files."""

from __future__ import annotations

import textwrap
import unicodedata

from . import nodes as n

WIDTH = 88


def markdown_of(source: n.Source) -> bytes:
    """Return the source's own Markdown, under its title where no heading comes first."""
    body = source.body.replace("<!-- page -->\n", "")
    return (body if body.startswith("# ") else f"# {source.title}\n\n{body}").encode()


def verbatim_of(source: n.Source) -> bytes:
    """Return the source's text as it stands."""
    return source.body.encode()


def text_of(source: n.Source) -> bytes:
    """Return the source as plain text: underlined headings, wrapped lines, tables in columns."""
    parts = [*([source.title.upper(), str(source.meta.get("date", ""))] if source.title else [])]
    captions = source.captions()
    for rank, node in enumerate(source.nodes):
        parts.append(_shown(node, captions.get(rank, "")))
    parts += [f"[{label}] {n.plain(runs)}" for label, runs in source.notes.items()]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


def _shown(node: n.Node, caption: str) -> str:
    match node:
        case n.Heading(level, runs):
            text = n.plain(runs)
            return text if level > 2 else f"{text}\n{('=' if level == 1 else '-') * width_of(text)}"
        case n.Paragraph(runs):
            return _wrapped(_said(runs), "")
        case n.Item(depth, number, runs):
            return _wrapped(_said(runs), "  " * depth + (f"{number}. " if number else "- "))
        case n.Code(text):
            return textwrap.indent(text, "    ")
        case n.Table(header=header, rows=rows):
            return "\n".join([*([caption] if caption else []), *_columns([header, *rows])])
        case _:
            return ""


def _said(runs: n.Runs) -> str:
    return "".join(f"[{run.note}]" if run.note else run.text for run in runs)


def _wrapped(text: str, first: str) -> str:
    if any(unicodedata.east_asian_width(letter) in "WF" for letter in text):
        return first + text
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)


def _columns(rows: list[tuple[n.Runs, ...]]) -> list[str]:
    texts = [[_said(cell) for cell in row] for row in rows]
    widths = [max(width_of(row[at]) for row in texts) for at in range(len(texts[0]))]
    lines = ["  ".join(cell + " " * (widths[at] - width_of(cell)) for at, cell in enumerate(row)) for row in texts]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return [line.rstrip() for line in lines]


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
