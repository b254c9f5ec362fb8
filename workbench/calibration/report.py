"""A calibration as text for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

from ..gate.margin_words import routes_in_words
from ..printing import counted, printable
from .figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure, shown
from .result import CalibrationResult, margin_text

WIDTH = 80
_MOST_LABELS = 20
_LEAST_LABEL = 8


def report_of(result: CalibrationResult) -> str:
    """Return the report: the rule, its figures, comparisons, frontier, reliability, flips, promise."""
    where = OUT_OF_SAMPLE if result.outside is not None else IN_SAMPLE
    parts = [_rule(result), _figures(result), _against(result, where)]
    present = [column for column in ("scenario", "document_type") if column in result.outcomes.groups]
    parts += [_groups(result, column, where) for column in present]
    parts += [_frontier(result), _reliability(result, where), _flips(result), _said(result)]
    return "\n\n".join(parts) + "\n"


def _rule(result: CalibrationResult) -> str:
    at, size = result.thresholds, result.outcomes
    lines = [
        f"Calibration on {counted(len(size), 'request')} about {counted(size.documents, 'document')}",
        f"  margin     {margin_text(result.weights)}",
        f"  routes     {routes_in_words(at.native, at.force)}",
        f"  tolerance  mean quality loss of at most {result.quality_tolerance:g}",
    ]
    return "\n".join([*lines, *_wrapped(f"Note: {note}" for note in result.notes)])


def _figures(result: CalibrationResult) -> str:
    columns = [found for found in (result.out_of_sample, result.test, result.in_sample) if found]
    heads = [f"{found[0].split}{' (test)' if found is result.test else ''}" for found in columns]
    rows = [[place.name, *(found[number].text() for found in columns)] for number, place in enumerate(result.in_sample)]
    widths = [18] + [max(_widest(row[at] for row in rows), len(heads[at - 1])) for at in range(1, len(columns) + 1)]
    legend = [f"  {head}: {found[0].basis}" for head, found in zip(heads, columns, strict=True)]
    if sum(widths) + 2 * len(widths) > WIDTH:
        tables = [
            _table("", ["", head], [[row[0], row[at]] for row in rows], [18, 40])
            for at, head in enumerate(heads, start=1)
        ]
        body = "\n".join(tables)
    else:
        body = _table("", ["", *heads], rows, widths)
    title = "Figures with 95 % intervals over documents (regret: tokens a request)"
    legend += _wrapped(["Intervals are for other documents under this very rule, not for a rule fitted anew."])
    return "\n".join([title, body, *legend])


def _against(result: CalibrationResult, where: str) -> str:
    rows = []
    own = result.out_of_sample or result.in_sample
    for name, figures in (("this gate", own), *result.baselines.items()):
        rows.append([name, _figure(figures, "token reduction"), _figure(figures, "quality loss")])
    title = (
        f"Against other rules (gate {where}; the oracle, in sample, may lose as\n"
        "much; the others are not fitted, so out of sample)"
    )
    return _table(title, ["", "token reduction", "quality loss"], rows, [26, 25, 24])


def _groups(result: CalibrationResult, column: str, where: str) -> str:
    found = result.grouped(column)
    rows = [
        [
            label or "(none)",
            f"{figures[0].requests:,}",
            _figure(figures, "token reduction"),
            _figure(figures, "quality loss"),
        ]
        for label, figures in found[:_MOST_LABELS]
    ]
    title = f"By {column.replace('_', ' ')}, {where}"
    table = _table(title, ["", "requests", "token reduction", "quality loss"], rows, [18, 9, 24, 23])
    rest = len(found) - len(rows)
    return table if rest <= 0 else f"{table}\n  and {rest:,} more: result.by({column!r})"


def _frontier(result: CalibrationResult) -> str:
    title = "What more tolerance buys (token reduction and quality loss)"
    rows = []
    for point in result.frontier:
        row = [f"{point.tolerance:g}", shown(point.saving, "share"), shown(point.loss, "quality")]
        if result.outside is not None:
            row += [
                _between(point.saving_out, point.saving_low, point.saving_high, "share"),
                _between(point.loss_out, point.loss_low, point.loss_high, "quality"),
            ]
        rows.append(row)
    heads = ["tolerance", "in sample", "loss"]
    if result.outside is not None:
        heads += ["out of sample", "loss"]
    return _table(title, heads, rows, [9, 9, 7, 24, 23])


def _reliability(result: CalibrationResult, where: str) -> str:
    title = f"Tenths of the margin, and what the sparse path really does there, {where}"
    rows = [
        [
            f"{found.decile}",
            f"{found.margin:+.3f}",
            f"{found.requests:,}",
            _roughly(found.saving, found.saving_low, found.saving_high),
            _between(found.loss, found.loss_low, found.loss_high, "quality"),
        ]
        for found in result.reliability
    ]
    found = _table(title, ["tenth", "margin", "requests", "saves", "loses"], rows, [5, 7, 9, 24, 24])
    if len(result.fold_rules) > 1:
        said = ["Tenths are those of each fold's own weights, so margins of two folds do not compare."]
        found = "\n".join([found, *_wrapped(said)])
    return found


def _flips(result: CalibrationResult) -> str:
    rows = [
        [flip.weight, f"{flip.change:+.0%}", f"{len(flip.requests):,}", shown(flip.share, "share")]
        for flip in result.flips.flips
    ]
    title = f"Requests that change route when a weight changes, {IN_SAMPLE}"
    return _table(title, ["weight", "by", "requests", "share"], rows, [10, 5, 10, 8])


def _said(result: CalibrationResult) -> str:
    return "\n".join(_wrapped([f"Promise: {result.promise}"]))


def _figure(figures: Sequence[Figure], name: str) -> str:
    return next(figure.text() for figure in figures if figure.name == name)


def _roughly(level: float | None, low: float | None, high: float | None) -> str:
    """A share in whole percents: a tenth of the requests tells no more."""
    if level is None:
        return ""
    ends = "" if low is None or high is None else f" [{100 * low:.0f} %, {100 * high:.0f} %]"
    return f"{100 * level:.0f} %{ends}"


def _between(level: float | None, low: float | None, high: float | None, unit: str) -> str:
    if level is None:
        return ""
    if low is None or high is None:
        return shown(level, unit)
    return f"{shown(level, unit)} [{shown(low, unit)}, {shown(high, unit)}]"


def _wrapped(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(printable(text), WIDTH, subsequent_indent="  ")]


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]) -> str:
    """A table whose columns are as wide as they must be, and no wider than they may; the first column is cut."""
    used = [
        min(_widest([head, *(row[at] for row in rows)]), widths[at] if at == 0 else WIDTH)
        for at, head in enumerate(heads)
    ]
    over = sum(used) + 2 * len(used) - WIDTH
    used[0] = max(used[0] - max(over, 0), min(used[0], _LEAST_LABEL))
    lines = title.split("\n") if title else []
    for row in (heads, *rows):
        line = "  " + "  ".join(_fitted(cell, width) for cell, width in zip(row, used, strict=True)).rstrip()
        lines += [line] if _cells(line) <= WIDTH else textwrap.wrap(line, WIDTH, subsequent_indent="    ")
    return "\n".join(lines)


def _widest(texts: Iterable[str]) -> int:
    return max((_cells(text) for text in texts), default=0)


def _cells(text: str) -> int:
    """Cells of a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _fitted(text: str, width: int) -> str:
    line = printable(text)
    if _cells(line) > width:
        while line and _cells(line) > width - 1:
            line = line[:-1]
        line += "…"
    return line + " " * (width - _cells(line))
