"""What a calibration is fitted on: a checked table of outcomes, as arrays.

Only nine columns are needed, so that a table from anywhere will do: request, document, s, c, r, tokens_native,
tokens_sparse, quality_native and quality_sparse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOutcomes
from ..printing import counted, shortened

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

REQUIRED = (
    "request",
    "document",
    "s",
    "c",
    "r",
    "tokens_native",
    "tokens_sparse",
    "quality_native",
    "quality_sparse",
)
GROUPS = ("scenario", "document_type", "language", "format", "scope", "action", "turn", "constraint", "label")
"""Columns by which figures can be told apart, where a table has them."""
ADVISORY_SPARSE = 0.5
"""How likely an advisory request takes the sparse path, where a table does not say."""
SPLITS = ("dev", "test")
_UNIT = (0.0, 1.0)
_COUNT = (0.0, 1e15)
"""Of tokens and bytes: sums of more would not be exact."""
_RANGES = {
    "s": _UNIT,
    "c": _UNIT,
    "r": _UNIT,
    "tokens_native": _COUNT,
    "tokens_sparse": _COUNT,
    "quality_native": _UNIT,
    "quality_sparse": _UNIT,
    "advisory_sparse": _UNIT,
    "artifact_bytes": _COUNT,
}
_NAMED = 5
_RECALL = "evidence recall"
"""What a replay calls a quality that is the share of the evidence that was seen."""


@dataclass(frozen=True, eq=False)
class Group:
    """A column of labels: the code of every request, and what each code stands for."""

    codes: Codes
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What every request costs and yields on both paths, in the order of the table.

    Attributes
    ----------
    request : array of str, shape (n,)
    document : Group
        Codes count documents in the order of their names, so that the order of the rows plays no part.
    signals : array of float64, shape (n, 3)
        Exposure, cost and risk, each in [0, 1].
    tokens_native, tokens_sparse : array of float64, shape (n,)
    quality_native, quality_sparse : array of float64, shape (n,)
        In [0, 1].
    free : array of bool, shape (n,)
        False under a hard constraint: such a request is native whatever the margin.
    chance : array of float64, shape (n,)
        Probability that an advisory request takes the sparse path.
    artifact_bytes : array of float64, shape (n,), or None
    split : Group or None
    groups : mapping of str to Group
        The columns of ``GROUPS`` that the table has.
    source : mapping
        What the table says about itself (``frame.attrs``).
    """

    request: npt.NDArray[np.object_]
    document: Group
    signals: Floats
    tokens_native: Floats
    tokens_sparse: Floats
    quality_native: Floats
    quality_sparse: Floats
    free: Mask
    chance: Floats
    artifact_bytes: Floats | None = None
    split: Group | None = None
    groups: Mapping[str, Group] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.request)

    def __repr__(self) -> str:
        held = int((~self.free).sum())
        return (
            f"Outcomes({counted(len(self), 'request')}, {counted(self.documents, 'document')}, {held:,} under a hard "
            f"constraint)"
        )

    @property
    def documents(self) -> int:
        """How many documents the requests are about."""
        return len(self.document.names)

    @cached_property
    def gain(self) -> Floats:
        """Tokens that the sparse path saves; negative where it costs more."""
        return self.tokens_native - self.tokens_sparse

    @cached_property
    def loss(self) -> Floats:
        """Quality that the sparse path loses, in [0, 1]; a gain elsewhere buys no loss."""
        return np.maximum(self.quality_native - self.quality_sparse, 0.0)

    def rows(self, chosen: Mask) -> Outcomes:
        """Return the outcomes of some requests, with codes of documents counted anew."""
        return Outcomes(
            request=self.request[chosen],
            document=_part(self.document, chosen),
            signals=self.signals[chosen],
            tokens_native=self.tokens_native[chosen],
            tokens_sparse=self.tokens_sparse[chosen],
            quality_native=self.quality_native[chosen],
            quality_sparse=self.quality_sparse[chosen],
            free=self.free[chosen],
            chance=self.chance[chosen],
            artifact_bytes=None if self.artifact_bytes is None else self.artifact_bytes[chosen],
            split=None if self.split is None else _part(self.split, chosen),
            groups={name: _part(group, chosen) for name, group in self.groups.items()},
            source=self.source,
        )


def checked_outcomes(frame: pd.DataFrame) -> Outcomes:
    """Return a table of outcomes as arrays, or refuse it by row.

    Parameters
    ----------
    frame : DataFrame
        One row a request. Needed: the columns of ``REQUIRED``; signals and qualities in [0, 1], tokens at least 0.
        Used where present: constraint ("" if none), advisory_sparse (probability, else 0.5), artifact_bytes, split
        ("dev", "test" or empty for dev) and the columns of ``GROUPS``.

    Raises
    ------
    InvalidOutcomes
        If there are no rows, a column is missing, a request stands twice, a document is in two splits, or a value
        is no number of its range; the rows are named.
    """
    _refuse_no_table(frame)
    missing = [name for name in REQUIRED if name not in frame.columns]
    if missing:
        raise InvalidOutcomes(
            f"The table of outcomes has no column {', '.join(missing)}; it needs {', '.join(REQUIRED)}."
        )
    if len(frame) == 0:
        raise InvalidOutcomes("The table of outcomes has no rows; replay a workload with at least one request.")
    request = _texts(frame, "request")
    _refuse(frame["request"].isna().to_numpy() | (request == ""), request, "request", "is empty", "give each an id")
    twice = frame["request"].duplicated(keep=False).to_numpy()
    _refuse(twice, request, "request", "stands more than once", "keep one row a request")
    document = _group(frame, "document", sort=True)
    empty = np.flatnonzero(np.array(document.names, object) == "")
    _refuse(np.isin(document.codes, empty), request, "document", "is empty", "name the document of each")
    values = {name: _numbers(frame, name, request) for name in _RANGES if name in frame.columns}
    groups = {name: _group(frame, name) for name in GROUPS if name in frame.columns}
    return Outcomes(
        request=request,
        document=document,
        signals=np.column_stack([values["s"], values["c"], values["r"]]),
        tokens_native=values["tokens_native"],
        tokens_sparse=values["tokens_sparse"],
        quality_native=values["quality_native"],
        quality_sparse=values["quality_sparse"],
        free=_free(groups.get("constraint"), len(frame)),
        chance=values.get("advisory_sparse", np.full(len(frame), ADVISORY_SPARSE)),
        artifact_bytes=values.get("artifact_bytes"),
        split=_split(frame, document, request),
        groups=groups,
        source={str(key): value for key, value in frame.attrs.items()},
    )


def unjudged(frame: pd.DataFrame) -> Mask:
    """Return which rows name evidence of which none was found, so that nothing says what the sparse path loses there.

    A replay gives them the best quality on both paths, and a fit would take that for proof. Where a model's answers
    were graded, the grade counts.

    Raises
    ------
    InvalidOutcomes
        If there is nothing else.
    """
    import pandas as pd

    _refuse_no_table(frame)
    if not {"evidence", "evidence_unresolved", "quality_kind"} <= set(frame.columns):
        return np.zeros(len(frame), bool)
    named, lost = (pd.to_numeric(frame[name], errors="coerce") for name in ("evidence", "evidence_unresolved"))
    found = ((named > 0) & (lost >= named) & (frame["quality_kind"] == _RECALL)).to_numpy(bool)
    if len(found) and found.all():
        raise InvalidOutcomes(
            f"None of the evidence of the {counted(len(found), 'request')} was found in its document, so nothing says "
            "what sparse reading loses; mend the quotes of the workload, which resolve_all lists with the reasons."
        )
    return found


def _refuse_no_table(frame: Any) -> None:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InvalidOutcomes(
            f"The outcomes are of type {type(frame).__name__}; give a DataFrame, such as load_outcomes reads."
        )
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise InvalidOutcomes(
            f"The table of outcomes has two columns {shortened(str(twice[0]), 40)}; take one of them out."
        )


def _texts(frame: pd.DataFrame, name: str) -> npt.NDArray[np.object_]:
    return np.asarray(frame[name].astype(object).where(frame[name].notna(), "").astype(str), dtype=object)


def _group(frame: pd.DataFrame, name: str, *, sort: bool = False) -> Group:
    import pandas as pd

    column = frame[name]
    try:
        codes, values = pd.factorize(column, sort=False, use_na_sentinel=True)
    except TypeError:
        raise InvalidOutcomes(
            f"Column {name} of the outcomes holds lists or other values that are no label; give texts or numbers."
        ) from None
    texts = ["" if pd.isna(value) else str(value) for value in values]
    if (codes < 0).any():
        codes = np.where(codes < 0, len(texts), codes)
        texts.append("")
    names = sorted(set(texts)) if sort else list(dict.fromkeys(texts))
    at = {text: place for place, text in enumerate(names)}
    return Group(np.array([at[text] for text in texts], np.int64)[codes], tuple(names))


def _part(group: Group, chosen: Mask) -> Group:
    used, codes = np.unique(group.codes[chosen], return_inverse=True)
    return Group(codes.astype(np.int64), tuple(group.names[code] for code in used))


def _numbers(frame: pd.DataFrame, name: str, request: npt.NDArray[np.object_]) -> Floats:
    import pandas as pd

    values = pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    _refuse(~np.isfinite(values), request, name, "is no finite number", "replay those requests or leave them out")
    low, high = _RANGES[name]
    span = f"from {low:g} to {high:g}"
    _refuse((values < low) | (values > high), request, name, f"is no number {span}", "correct those rows")
    return values


def _free(constraint: Group | None, rows: int) -> Mask:
    if constraint is None:
        return np.ones(rows, bool)
    return np.array([name == "" for name in constraint.names], bool)[constraint.codes]


def _split(frame: pd.DataFrame, document: Group, request: npt.NDArray[np.object_]) -> Group | None:
    if "split" not in frame.columns:
        return None
    found = _group(frame, "split")
    known = np.array([name in ("", *SPLITS) for name in found.names], bool)
    _refuse(~known[found.codes], request, "split", "is neither dev nor test", "use one of the two, or leave it empty")
    test = np.array([name == "test" for name in found.names], bool)[found.codes]
    tests = np.bincount(document.codes, weights=test, minlength=len(document.names))
    both = (tests > 0) & (tests < np.bincount(document.codes, minlength=len(document.names)))
    _refuse(
        both[document.codes],
        request,
        "document",
        "is in both splits",
        "put all requests of a document into one split, or figures on test are not out of sample",
    )
    return Group(test.astype(np.int64), SPLITS)


def _refuse(bad: Mask, request: npt.NDArray[np.object_], column: str, what: str, remedy: str) -> None:
    rows = np.flatnonzero(bad)
    if len(rows) == 0:
        return
    named = "; ".join(f"row {row + 1:,}, request {shortened(str(request[row]), 40)!r}" for row in rows[:_NAMED])
    more = f"; and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    raise InvalidOutcomes(
        f"Column {column} {what} in {counted(len(rows), 'row')} of the outcomes ({named}{more}); {remedy}."
    )
