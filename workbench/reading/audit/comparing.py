"""In what two audits differ, a sentence for each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...printing import shortened
from .columns import cells_of
from .table import Audit

MOST_CHARS = 60
"""Of a value that is shown in a sentence."""


def differences(left: Audit, right: Audit) -> tuple[str, ...]:
    """Return each fact and each value in which two audits differ; see ``Audit.differences``."""
    ours, others = cells_of(left.columns, left.rows), cells_of(right.columns, right.rows)
    if len(left) != len(right):
        return (*different_facts(left.facts, right.facts), f"here are {len(left):,} blocks, there are {len(right):,}")
    return (
        *different_facts(left.facts, right.facts),
        *(f"the column {name!r} is only here" for name in left.columns if name not in others),
        *(f"the column {name!r} is only there" for name in right.columns if name not in ours),
        *different_cells(ours, {name: values for name, values in others.items() if name in ours}),
    )


def different_facts(ours: Mapping[str, Any], others: Mapping[str, Any], *, words: str = "there") -> Iterator[str]:
    """Give a sentence for each fact of the others that is another one here."""
    for name, other in others.items():
        if ours.get(name) != other:
            yield f"{name}: here {_shown(ours.get(name))}, {words} {_shown(other)}"


def different_cells(
    ours: Mapping[str, Sequence[Any]], others: Mapping[str, Sequence[Any]], *, words: str = "there"
) -> Iterator[str]:
    """Give a sentence for each value of the others that is another one here, block after block."""
    columns = {name: values for name, values in others.items() if list(ours[name]) != list(values)}
    for block in range(len(next(iter(columns.values()), ()))):
        for name, values in columns.items():
            if ours[name][block] != values[block]:
                yield f"block {block}, {name}: here {_shown(ours[name][block])}, {words} {_shown(values[block])}"


def _shown(value: Any) -> str:
    return repr(shortened(value, MOST_CHARS)) if isinstance(value, str) else shortened(repr(value), MOST_CHARS)
