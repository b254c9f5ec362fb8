"""What every cut would recall and keep on a workload: curves over thresholds and over shares of the tokens.

A curve follows the reading's own rules: pins, the context that a kept block brings along, running lines that no share
is spent on. A budget is in no curve.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..calibration.bootstrap import COVERAGE, Bootstrap
from ..calibration.figures import IN_SAMPLE, OUT_OF_SAMPLE
from ..calibration.folds import folds_of
from ..documents.progress import showing
from ..errors import CalibrationRefused, StaleCalibration
from ..printing import counted, printable
from ..reading.cuts import Cut, Threshold, TokenShare
from ..relevance.scores import uncalibrated
from .entering import Places, spent_before

if TYPE_CHECKING:
    import pandas as pd

    from ..documents import Document
    from ..reading import SparseReader
    from ..relevance.calibrated import Calibration
    from .replay.block_table import BlockScores, RequestScores
    from .workload import Workload

THRESHOLDS = np.unique(np.round(np.concatenate([np.arange(0, 0.1, 0.001), np.arange(0.1, 1.0001, 0.005)]), 3))
"""Where a curve of thresholds is known: closer where evidence is rare and probabilities are small."""
SHARES = np.round(np.linspace(0.01, 1, 100), 2)
FOLDS = 5
_SEED = 0
BY_HAND = "Rules or offsets were tuned by hand on these very requests, so the curves are in sample."

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Level:
    """A share in [0, 1] with its 95 % interval over documents; None without one."""

    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        interval = "" if self.low is None or self.high is None else f" [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        return f"{100 * self.value:.1f} %{interval}"


@dataclass(frozen=True, eq=False)
class Curve:
    """Recall and tokens at k cuts of one kind.

    Attributes
    ----------
    at : ndarray of float64, shape (k,)
        Thresholds or shares, rising.
    recall, recall_low, recall_high : ndarray of float64, shape (k,)
        Evidence recall: the mean over documents of the mean over their requests; nan without evidence, and the ends of
        the interval nan for fewer than two documents.
    kept, kept_low, kept_high : ndarray of float64, shape (k,)
        Share of the tokens of all requests that is kept.
    requests, documents : int
        What stands behind the recall.
    """

    at: Floats
    recall: Floats
    recall_low: Floats
    recall_high: Floats
    kept: Floats
    kept_low: Floats
    kept_high: Floats
    requests: int
    documents: int

    def level(self, name: str, value: float) -> Level:
        """Return "recall" or "kept" at a cut, on straight lines between those that are known."""
        found = [float(np.interp(value, self.at, getattr(self, f"{name}{end}"))) for end in ("", "_low", "_high")]
        low, high = (None if np.isnan(end) else end for end in found[1:])
        return Level(found[0], low, high)


@dataclass(frozen=True, eq=False)
class RecallCurves:
    """What every cut would recall and keep on a workload.

    Attributes
    ----------
    workload : str
    threshold : Curve or None
        None where no request has calibrated scores: a threshold of others says nothing about another document.
    share : Curve
    split : str
        "out of sample" if no map of the calibration has seen the document that it is applied to, and nothing was tuned
        by hand on it, else "in sample".
    level : float
        Of the intervals.
    notes : tuple of str
        What must be known of the curves, a sentence each.
    """

    workload: str
    threshold: Curve | None
    share: Curve
    split: str
    level: float = COVERAGE
    notes: tuple[str, ...] = ()

    def recall(self, cut: Cut) -> Level | None:
        """Return the evidence recall at a cut, or None where no curve knows it."""
        return self._level("recall", cut)

    def kept(self, cut: Cut) -> Level | None:
        """Return the share of the tokens that a cut keeps, or None where no curve knows it."""
        return self._level("kept", cut)

    def _level(self, name: str, cut: Cut) -> Level | None:
        if isinstance(cut, TokenShare):
            return self.share.level(name, cut.share)
        known = self.threshold is not None and isinstance(cut, Threshold) and cut.scale.value == "calibrated"
        return self.threshold.level(name, cut.value) if known and self.threshold is not None else None

    def to_frame(self) -> pd.DataFrame:
        """Return one row a cut.

        Returns
        -------
        DataFrame
            Columns cut ("threshold" or "token share"), at, recall, recall_low, recall_high, kept, kept_low, kept_high,
            split.
        """
        import pandas as pd

        frames = []
        for kind, curve in (("threshold", self.threshold), ("token share", self.share)):
            if curve is not None:
                frames.append(pd.DataFrame({"cut": kind, **_columns(curve), "split": self.split}))
        return pd.concat(frames, ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values; what is not known is None."""
        curves = {"threshold": self.threshold, "share": self.share}
        return {
            "workload": self.workload,
            "split": self.split,
            "level": self.level,
            "notes": list(self.notes),
            **{kind: None if curve is None else _plain(curve) for kind, curve in curves.items()},
        }

    def __repr__(self) -> str:
        documents = counted(self.share.documents, "document")
        return f"RecallCurves({self.workload!r}, {counted(self.share.requests, 'request')}, {documents}, {self.split})"


def recall_curves(
    workload: Workload,
    reader: SparseReader,
    *,
    scores: BlockScores | None = None,
    cross_fit: bool = True,
    by_hand: bool = False,
    progress: bool | None = None,
) -> RecallCurves:
    """Return the curves of a reader on a workload; only a missing score has to wait for a model.

    Parameters
    ----------
    workload : Workload
    reader : SparseReader
        Its calibration, offsets and least tokens count; its own cut does not.
    scores : BlockScores, optional
        Of ``collect_block_scores`` with this reader; collected by default.
    cross_fit : bool
        Whether a calibration that was fitted on this workload is fitted again for each fold of its documents on the
        others, so that no map has seen the document that it is applied to.
    by_hand : bool
        Whether somebody who saw these requests tuned the reader's rules or offsets: nothing is out of sample then.
    progress : bool, optional
        Whether progress is shown.

    Raises
    ------
    StaleCalibration
        If the calibration was fitted on another scorer's scores.
    InvalidWorkload
        If no request could be scored.
    WorkbenchError
        If an artifact cannot be opened.
    """
    if scores is None:
        from .replay.block_table import collect_block_scores

        scores = collect_block_scores(workload, reader, progress=progress)
    calibrations, split, notes = _calibrations(scores, reader.calibration, workload.fingerprint, cross_fit)
    if by_hand:
        split, notes = IN_SAMPLE, (*notes, BY_HAND)
    tallies = {"threshold": _Tally(THRESHOLDS), "share": _Tally(SHARES)}
    with showing(f"Curves of {printable(workload.name)}", progress) as report:
        for rank, (document, requests) in enumerate(_by_document(workload, scores)):
            places = Places(document)
            report(rank * len(scores) // max(1, len(workload.documents)), len(scores))
            for one in requests:
                _tally(one, places, calibrations.get(one.document), reader, tallies)
    unmapped = tallies["share"].asked - tallies["threshold"].asked
    if reader.calibration is not None and unmapped:
        notes += (
            f"{counted(unmapped, 'request')} of {tallies['share'].asked:,} {'have' if unmapped > 1 else 'has'} no "
            "calibrated scores: the curve of thresholds is without them.",
        )
    threshold = tallies["threshold"].curve() if tallies["threshold"].asked else None
    return RecallCurves(workload.name, threshold, tallies["share"].curve(), split, COVERAGE, notes)


def _by_document(workload: Workload, scores: BlockScores) -> Iterator[tuple[Document, list[RequestScores]]]:
    groups: dict[str, list[RequestScores]] = {}
    for one in scores.requests:
        groups.setdefault(one.document, []).append(one)
    for key, requests in groups.items():
        yield workload.open(key, progress=False), requests


def _calibrations(
    scores: BlockScores, calibration: Calibration | None, fingerprint: str, cross_fit: bool
) -> tuple[Mapping[str, Calibration], str, tuple[str, ...]]:
    """Return the maps for each document, and whether they have seen it."""
    documents = sorted({one.document for one in scores.requests})
    if calibration is None:
        return {}, OUT_OF_SAMPLE, ()
    if calibration.scorer != scores.scorer:
        raise StaleCalibration(
            "The calibration was fitted on the scores of another scorer than these; score the workload with its reader."
        )
    same = dict.fromkeys(documents, calibration)
    if calibration.fitted_on != fingerprint:
        return same, OUT_OF_SAMPLE, ()
    if not cross_fit or len(documents) < 2:
        return same, IN_SAMPLE, ()
    from .block_fitting import fit_blocks

    found: dict[str, Calibration] = {}
    folds = folds_of(documents, FOLDS, _SEED)
    for fold in range(int(folds.max()) + 1):
        held = {name for name, own in zip(documents, folds.tolist(), strict=True) if own == fold}
        try:
            fitted = fit_blocks(scores, fitted_on=fingerprint, documents=set(documents) - held)
        except CalibrationRefused as error:
            return same, IN_SAMPLE, (f"The maps cannot be fitted on fewer documents: {error}",)
        found |= dict.fromkeys(held, fitted.calibration)
    return found, OUT_OF_SAMPLE, ()


def _tally(
    one: RequestScores,
    places: Places,
    calibration: Calibration | None,
    reader: SparseReader,
    tallies: Mapping[str, _Tally],
) -> None:
    line = None if calibration is None else calibration.map_for(one.document_type, words_alone=one.words_alone)
    relevance = uncalibrated(one.logits) if line is None else line(one.logits)
    priority = relevance * one.weights
    if line is not None:
        own = np.where(one.eligible, priority, -np.inf)
        offset = reader.offsets.get(one.document_type, 0.0)
        tallies["threshold"].add(one, places.entering(own, one.pinned), THRESHOLDS + offset)
    # A block is kept under a share while less than its limit is spent before it, hence the negatives and ``strict``.
    limits = np.maximum(SHARES * int(one.tokens.sum()), float(reader.share.min_tokens))
    tallies["share"].add(one, -spent_before(one, places, relevance, priority), -limits, strict=True)


class _Tally:
    """Adds requests up, document by document."""

    def __init__(self, at: Floats) -> None:
        self.at = at
        self.asked = self.judged = 0
        self.documents: dict[str, Floats] = {}

    def add(self, one: RequestScores, entering: Floats, cuts: Floats, *, strict: bool = False) -> None:
        """Add a request whose blocks are kept where ``entering`` is at least a cut, or above it if ``strict``.

        Parameters
        ----------
        one : RequestScores
        entering : ndarray of float64, shape (blocks,)
        cuts : ndarray of float64, shape (k,)
        strict : bool
        """
        side: Literal["left", "right"] = "right" if strict else "left"
        order = np.argsort(entering, kind="stable")
        tokens = np.concatenate([np.cumsum(one.tokens[order][::-1])[::-1], [0]]).astype(np.float64)
        kept = tokens[np.searchsorted(entering[order], cuts, side=side)]
        needed = np.sort(one.gold.needed(entering, one.tokens))
        recall = np.zeros(len(cuts))
        if len(needed):
            recall = (len(needed) - np.searchsorted(needed, cuts, side=side)) / len(needed)
        sums = self.documents.setdefault(one.document, np.zeros(2 * len(cuts) + 2))
        sums += np.concatenate([recall, kept, [float(bool(len(needed))), float(one.tokens.sum())]])
        self.asked += 1
        self.judged += bool(len(needed))

    def curve(self) -> Curve:
        """Return the curve with its intervals."""
        count = len(self.at)
        totals = np.stack([self.documents[name] for name in sorted(self.documents)])
        asked = totals[:, -2]
        judged = asked > 0
        recall = np.where(judged[:, None], totals[:, :count] / np.maximum(asked, 1)[:, None], 0.0)
        columns = np.column_stack([recall, totals[:, count:-2], judged.astype(np.float64), totals[:, -1]])
        bootstrap = Bootstrap(len(columns), _SEED)
        means, drawn = _ratios(columns.sum(axis=0)[None, :]), _ratios(bootstrap.sums(columns))
        ends = [bootstrap.interval(column) or (np.nan, np.nan) for column in drawn.T]
        low, high = (np.array(side, np.float64) for side in zip(*ends, strict=True))
        return Curve(
            self.at,
            means[0, :count],
            low[:count],
            high[:count],
            means[0, count:],
            low[count:],
            high[count:],
            self.judged,
            int(judged.sum()),
        )


def _ratios(sums: Floats) -> Floats:
    """Divide the recalls by the documents with evidence, and the tokens kept by all tokens; shape (draws, 2 k)."""
    count = (sums.shape[1] - 2) // 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.hstack([sums[:, :count] / sums[:, -2:-1], sums[:, count:-2] / sums[:, -1:]])


_NAMES = ("at", "recall", "recall_low", "recall_high", "kept", "kept_low", "kept_high")


def _columns(curve: Curve) -> dict[str, Floats]:
    return {name: getattr(curve, name) for name in _NAMES}


def _plain(curve: Curve) -> dict[str, Any]:
    values = {
        name: [None if np.isnan(value) else value for value in column.tolist()]
        for name, column in _columns(curve).items()
    }
    return {**values, "requests": curve.requests, "documents": curve.documents}
