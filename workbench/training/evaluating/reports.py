"""An evaluation in words: a table for a terminal, and one for a notebook."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...documents.surrogates import without_surrogates
from ...printing import counted, shortened

if TYPE_CHECKING:
    from .evaluation import Evaluation

_COLUMNS = (
    ("average_precision", "AP"),
    ("recall_5", "R@5"),
    ("recall_10", "R@10"),
    ("recall_20", "R@20"),
    ("tokens_95", "T95"),
    ("tokens_99", "T99"),
)
_OF_READER = (
    ("recall", "recall"),
    ("dropped", "dropped"),
    ("accuracy", "right"),
    ("tokens_kept", "kept"),
)
_LEGEND = (
    "In percent. AP: average precision. R@p: evidence recalled with p % of the tokens kept. T95, T99: tokens that must "
    "be kept for 95 and 99 % of the evidence. In brackets: 95 % intervals over documents."
)
_LEGEND_READER = (
    "recall: evidence that is kept at the cut. dropped: blocks without evidence that are skipped. right: blocks that "
    "are kept or skipped as they should be. kept: tokens. error: distance of probability and share of evidence, points."
)
_NAME = 26


def report_of(found: Evaluation) -> str:
    """Return the report."""
    frame = found.to_frame()
    cut, error = bool(frame["recall"].notna().any()), bool(frame["calibration_error"].notna().any())
    about = f"{counted(len(found.questions), 'question')} on {counted(found.documents, 'document')}"
    parts = [f"{about}; recalled are {found.things.value}."]
    for (by, group), rows in frame.groupby(["by", "group"], sort=False):
        first = rows.iloc[0]
        sized = f"{counted(int(first['questions']), 'question')}, {counted(int(first['documents']), 'document')}"
        parts += ["", f"{'ALL' if by == group else f'{by} {group}'}: {sized}"]
        parts += _table([row for _, row in rows.iterrows()], cut, error)
    parts += ["", *_wrapped(_LEGEND), *(_wrapped(_LEGEND_READER) if cut or error else ()), *found.notes]
    return "\n".join(parts)


def _table(rows: list[Any], cut: bool, error: bool) -> Iterator[str]:
    columns = [*_COLUMNS, *(_OF_READER if cut else ())]
    yield " " * _NAME + "".join(f"{title:>8}" for _, title in columns) + ("   error" if error else "")
    for row in rows:
        cells = "".join(f"{_number(row[name]):>8}" for name, _ in columns)
        cells += f"{_number(row['calibration_error']):>8}" if error else ""
        needed = "".join(
            f"  {title} [{row[f'{name}_low']:.1f}, {row[f'{name}_high']:.1f}]"
            for name, title in _COLUMNS[4:5]
            if not math.isnan(row[f"{name}_low"])
        )
        yield f"{shortened(str(row['scorer']), _NAME - 2):<{_NAME}}{cells}{needed}"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1f}"


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, 100)


def html_of(found: Evaluation) -> str:
    """Return the report for a notebook."""
    return f"<pre class='mathjax_ignore tex2jax_ignore'>{html.escape(without_surrogates(report_of(found)))}</pre>"
