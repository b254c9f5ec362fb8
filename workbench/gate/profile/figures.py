"""The figures of a gate profile as one table: a row a figure, a column for each sample."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...printing import printable

if TYPE_CHECKING:
    from .parts import FigurePart

SAMPLES = ("out of sample", "split test", "in sample")
"""The columns in their order: what counts comes first."""
_TEST = ", split test"
"""End of the name of a figure that was measured on the split "test"."""
_GAP = 3


def shown(value: float, unit: str) -> str:
    """Return a number in the digits of its unit.

    Examples
    --------
    >>> shown(0.4567, "share"), shown(0.01234, "quality"), shown(12345.6, "tokens a request"), shown(0.5, "")
    ('45.7 %', '0.0123', '12,346', '0.5')
    """
    if unit == "share":
        said = f"{100 * value:,.1f} %"
    elif unit == "quality":
        said = f"{value:.4f}"
    else:
        said = f"{value:,.0f}" if unit.startswith("tokens") else f"{value:.4g}"
    # What is rounded to nothing has no sign.
    return said if any(digit in said for digit in "123456789") else said.lstrip("-")


def with_interval(figure: FigurePart) -> str:
    """Return level and interval of a figure."""
    level = shown(figure.value, figure.unit)
    if figure.low is None or figure.high is None:
        return level
    return f"{level} [{shown(figure.low, figure.unit)}, {shown(figure.high, figure.unit)}]"


def figure_rows(figures: Sequence[FigurePart]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the header, and a row a figure: its name and its text in each sample, "" where there is none."""
    cells: dict[str, dict[str, str]] = {}
    for figure in figures:
        sample = "split test" if figure.name.endswith(_TEST) else figure.sample
        name = figure.name.removesuffix(_TEST) + (f" ({figure.unit})" if figure.unit.startswith("tokens") else "")
        cells.setdefault(name, {})[sample] = with_interval(figure)
    used = [sample for sample in SAMPLES if any(sample in texts for texts in cells.values())]
    rows = [(name, *(texts.get(sample, "") for sample in used)) for name, texts in cells.items()]
    return ("", *used), rows


def figures_text(figures: Sequence[FigurePart]) -> str:
    """Return the table as lines: names on the left, figures on the right."""
    header, rows = figure_rows(figures)
    table = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    gap = " " * _GAP
    return "\n".join(
        gap.join(
            (f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)))
        ).rstrip()
        for row in table
    )


def figures_page(figures: Sequence[FigurePart]) -> str:
    """Return the table as HTML in which nothing is interpreted."""
    header, rows = figure_rows(figures)
    lines = [_line("th", header), *(_line("td", row) for row in rows)]
    return f"<table style='margin:0.5em 0'>{''.join(lines)}</table>"


def _line(tag: str, cells: Sequence[str]) -> str:
    first, *rest = (html.escape(printable(cell)) for cell in cells)
    numbers = "".join(
        f"<{tag} style='text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums'>{cell}</{tag}>"
        for cell in rest
    )
    return f"<tr><th style='text-align:left'>{first}</th>{numbers}</tr>"
