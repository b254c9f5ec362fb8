"""Labels as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...documents.surrogates import without_surrogates
from .label import FIELDS, Label

if TYPE_CHECKING:
    import pandas as pd

SCORES = ("relevance", "logit", "priority", "weight", "margin", "threshold")
"""The scores that a reading shows; each has a column of its own."""
_PLAIN = tuple(name for name in FIELDS if name not in ("scores", "spans"))


def frame_of(labels: Iterable[Label]) -> pd.DataFrame:
    """Return labels as a table.

    Returns
    -------
    DataFrame
        A row a label, in their order. The columns are the fields of ``Label``; of the scores those in ``SCORES``,
        float64, nan where it was not shown; ``spans`` as tuples of (start, end) and ``span_texts`` as what they say.
    """
    import pandas as pd

    rows = list(labels)
    columns: dict[str, object] = {}
    for name in _PLAIN:
        values = [getattr(label, name) for label in rows]
        columns[name] = [without_surrogates(str(value)) if isinstance(value, str) else value for value in values]
    for name in SCORES:
        columns[name] = pd.array([label.scores.get(name, float("nan")) for label in rows], dtype="float64")
    columns["spans"] = [label.spans for label in rows]
    columns["span_texts"] = [tuple(map(without_surrogates, label.span_texts)) for label in rows]
    return pd.DataFrame(columns)
