"""Web pages with navigation, captions and footnotes."""

from __future__ import annotations

from html import escape
from itertools import groupby

from . import nodes as n


def html_of(source: n.Source) -> bytes:
    """Return the source as a web page."""
    language = "zh-CN" if source.chinese else "en"
    tops = [n.plain(node.runs) for node in source.nodes if isinstance(node, n.Heading) and node.level <= 2]
    lines = [
        "<!DOCTYPE html>", f'<html lang="{language}">', "<head>", '<meta charset="utf-8">',
        f"<title>{escape(source.title)}</title>", "</head>", "<body>",
    ]  # fmt: skip
    if source.meta.get("contents"):
        links = (f'<li><a href="#s{rank}">{escape(text)}</a></li>' for rank, text in enumerate(tops, start=1))
        lines += ["<nav><ul>", *links, "</ul></nav>"]
    lines += ["<main>", *_header(source), *_body(source)]
    if source.notes:
        notes = (f"<p><sup>{escape(label)}</sup> {_inline(runs)}</p>" for label, runs in source.notes.items())
        lines += ["<hr>", *notes]
    lines += ["</main>", f"<footer>{escape(str(source.meta.get('running_footer', '')))}</footer>", "</body>", "</html>"]
    return ("\n".join(lines) + "\n").encode()


def _header(source: n.Source) -> list[str]:
    by = [str(source.meta[key]) for key in ("author", "date") if source.meta.get(key)]
    first = next((node for node in source.nodes if isinstance(node, n.Heading)), None)
    title = [] if first is not None and n.plain(first.runs) == source.title else [f"<h1>{escape(source.title)}</h1>"]
    return [*title, *(f"<p>{escape(said)}</p>" for said in by)]


def _body(source: n.Source) -> list[str]:
    captions, lines, seen = source.captions(), list[str](), 0
    ranked = list(enumerate(source.nodes))
    for is_list, group in groupby(ranked, lambda pair: isinstance(pair[1], n.Item)):
        if is_list:
            lines += _list([node for _, node in group if isinstance(node, n.Item)])
            continue
        for rank, node in group:
            mark = ""
            if isinstance(node, n.Heading) and node.level <= 2:
                seen += 1
                mark = f' id="s{seen}"'
            lines += _block(node, mark, captions.get(rank, ""))
    return lines


def _block(node: n.Node, mark: str, caption: str) -> list[str]:
    match node:
        case n.Heading(level, runs):
            return [f"<h{level}{mark}>{_inline(runs)}</h{level}>"]
        case n.Paragraph(runs):
            return [f"<p>{_inline(runs)}</p>"]
        case n.Code(text):
            return [f"<pre><code>{escape(text)}</code></pre>"]
        case n.Table(header=header, rows=rows):
            lines = ["<table>", *([f"<caption>{escape(caption)}</caption>"] if caption else []), "<thead>"]
            lines += [_row(header, "th"), "</thead>", "<tbody>"]
            return [*lines, *(_row(row, "td") for row in rows), "</tbody>", "</table>"]
        case _:
            return []


def _list(items: list[n.Item]) -> list[str]:
    lines: list[str] = []
    open_tags: list[str] = []
    for item in items:
        tag = "ol" if item.number else "ul"
        while len(open_tags) > item.depth + 1 or (len(open_tags) == item.depth + 1 and open_tags[-1] != tag):
            lines.append(f"</{open_tags.pop()}>")
        while len(open_tags) <= item.depth:
            lines.append(f"<{tag}>")
            open_tags.append(tag)
        lines.append(f"<li>{_inline(item.runs)}</li>")
    return [*lines, *(f"</{tag}>" for tag in reversed(open_tags))]


def _row(cells: tuple[n.Runs, ...], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{_inline(runs)}</{tag}>" for runs in cells) + "</tr>"


def _inline(runs: n.Runs) -> str:
    said: list[str] = []
    for run in runs:
        text = escape(run.text, quote=False).replace("\n", "<br>")
        for tag, wanted in (("sup", bool(run.note)), ("code", run.code), ("strong", run.bold), ("em", run.italic)):
            if wanted:
                text = f"<{tag}>{text}</{tag}>"
        said.append(text)
    return "".join(said)
