"""Text in drawings of Office files: shapes, charts and diagrams (SmartArt)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .package import alternative, child, descendants, local, number

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_POINTS = 5_000
"""Most points of a series that are read: a count in the file may promise any number."""


def paragraph_text(paragraph: Element) -> str:
    """Return the text of one ``a:p``: its runs, fields and line breaks, in order."""
    parts: list[str] = []
    for element in paragraph:
        name = local(element)
        if name in ("r", "fld"):
            text = child(element, "t")
            parts.append(text.text or "" if text is not None else "")
        elif name == "br":
            parts.append("\n")
        elif name == "m":
            parts.extend(text.text or "" for text in descendants(element, "t"))
        elif name == "AlternateContent":
            branch = alternative(element)
            if branch is not None:
                parts.append(paragraph_text(branch))
    return "".join(parts)


def diagram_texts(data: Element) -> list[str]:
    """Return the texts of a diagram's points, in the order of its data model."""
    texts = []
    for point in descendants(data, "pt"):
        body = child(point, "t")
        if body is not None:
            texts += [paragraph_text(paragraph) for paragraph in descendants(body, "p")]
    return [text for text in texts if text.strip()]


def chart_title(chart: Element) -> str:
    """Return the title of a chart, or ""."""
    title = child(chart, "chart", "title")
    if title is None:
        return ""
    return "\n".join(paragraph_text(paragraph) for paragraph in descendants(title, "p"))


def chart_rows(chart: Element) -> list[list[str]]:
    """Return a chart's stored values: a header row of series names, then one row a category.

    Charts whose series have different categories (scatter plots) give their categories in the order first met.
    """
    series = list(descendants(chart, "ser"))
    names: list[str] = []
    rows: dict[tuple[str, int], list[str]] = {}
    for rank, one in enumerate(series):
        names.append(" ".join(_points(child(one, "tx")).values()))
        categories = _points(_first_child(one, "cat", "xVal"))
        values = _points(_first_child(one, "val", "yVal"))
        met: Counter[str] = Counter()
        for at, value in values.items():
            category = categories.get(at, str(at + 1))
            row = rows.setdefault((category, met[category]), [category])
            met[category] += 1
            row += [""] * (rank + 1 - len(row))
            row.append(value)
    if not rows:
        return []
    width = len(series) + 1
    return [["", *names], *(row + [""] * (width - len(row)) for row in rows.values())]


def _first_child(element: Element, *names: str) -> Element | None:
    return next((found for name in names if (found := child(element, name)) is not None), None)


def _points(element: Element | None) -> dict[int, str]:
    """Return cached points by index; of categories on several levels, the innermost one."""
    if element is None:
        return {}
    level = next(descendants(element, "lvl"), element)
    found: dict[int, str] = {}
    for point in descendants(level, "pt"):
        value = child(point, "v")
        if value is not None and value.text and len(found) < MOST_POINTS:
            found[number(point.get("idx"), len(found))] = value.text
    return found
