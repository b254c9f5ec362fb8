"""The block threshold for a recall floor, from anybody's scores, with what can be promised of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import CalibrationRefused, InvalidOption, Unreachable
from ..printing import counted
from .block_fits import Evidence, Kept, control
from .block_reports import report_of
from .folds import folds_of
from .risk import RiskControl
from .score_tables import Floats, Mask, ScoreTable, checked_scores
from .type_offsets import TypeOffset, offset_notes, type_offsets

if TYPE_CHECKING:
    import pandas as pd

FOLDS = 10
RESAMPLES = 2_000
LEVEL = 0.95
_CURVE = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 1.0)
_SEED = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its bootstrap interval over documents; nan without one."""

    value: float
    low: float = float("nan")
    high: float = float("nan")

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "not known"
        interval = "" if np.isnan(self.low) else f" [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        return f"{100 * self.value:.1f} %{interval}"


@dataclass(frozen=True, slots=True)
class Counts:
    """What a threshold was fitted on, each with its unit in its name."""

    questions: int
    documents: int
    pieces: int
    blocks: int
    labelled_blocks: int
    questions_without_evidence: int
    pieces_never_recalled: int


@dataclass(frozen=True, eq=False)
class BlockThreshold:
    """A threshold on the scores of blocks: keep what has at least this score.

    Attributes
    ----------
    threshold : float
        The highest that meets the floor; on the scale of the scores.
    recall : float
        The floor.
    promised : bool
        Whether conformal risk control carries it: the expected recall on a new document is at least the floor. Without,
        the threshold meets the floor on the documents that it was fitted on, and no more is known.
    risk : RiskControl
        What can be promised with so many documents.
    in_sample, out_of_sample : Estimate
        Mean recall over documents; out of sample, each document is read with the threshold of the others.
    kept_in_sample, kept_out_of_sample : Estimate
        Share of the tokens that is kept.
    precision : float
        Share of the kept blocks that hold evidence, in sample.
    tied_blocks : int
        Blocks whose score is exactly the threshold; all of them are kept.
    counts : Counts
    curve : DataFrame
        recall (floor), threshold, kept_share, precision; in sample.
    by_type : DataFrame
        document_type, documents, questions, threshold, offset, recall, recall_with_offset, kept_share,
        kept_share_with_offset, wanted_offset (without the limit; nan without one), promised (whether the promise holds
        for the type by itself).
    offsets : dict of str to float
        What a type adds to the threshold, at most ±0.08; only for scores in [0, 1].
    notes : tuple of str
    """

    threshold: float
    recall: float
    promised: bool
    risk: RiskControl
    in_sample: Estimate
    out_of_sample: Estimate
    kept_in_sample: Estimate
    kept_out_of_sample: Estimate
    precision: float
    tied_blocks: int
    counts: Counts
    curve: pd.DataFrame
    by_type: pd.DataFrame
    offsets: dict[str, float]
    notes: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return the curve."""
        return self.curve

    def report(self) -> str:
        """Return everything as text of 80 columns."""
        return report_of(self)

    def __repr__(self) -> str:
        kind = "promised" if self.promised else "not promised"
        documents = counted(self.counts.documents, "document")
        return f"BlockThreshold({self.threshold:.4g}, recall floor {self.recall:g} {kind}, {documents})"

    def _repr_html_(self) -> str:
        import html

        return f"<pre class='mathjax_ignore tex2jax_ignore'>{html.escape(self.report())}</pre>"


def fit_threshold(
    scores: pd.DataFrame,
    *,
    recall: float = 0.95,
    evidence: pd.DataFrame | None = None,
    promise: bool = True,
    folds: int = FOLDS,
    resamples: int = RESAMPLES,
) -> BlockThreshold:
    """Return the highest threshold that keeps a share of the evidence.

    Parameters
    ----------
    scores : DataFrame
        One row a block and question: question, document, block, score (any scale, higher is better), label; optional
        document_type, tokens, pinned.
    recall : float
        The floor, in (0, 1): the expected share of a document's evidence that is kept.
    evidence : DataFrame, optional
        One row a piece of evidence: question, document, piece, score (the highest threshold that recalls it). By
        default each labelled block is a piece.
    promise : bool
        Whether the floor is to hold in expectation on a new document, where there are documents enough to promise
        that; else it holds on these documents.
    folds : int
        Groups of documents for the figures out of sample; as many as documents where there are fewer.
    resamples : int
        Of documents, for the intervals.

    Raises
    ------
    InvalidOutcomes
        If the table has a mistake; the rows are named.
    InvalidOption
        For a floor outside (0, 1).
    CalibrationRefused
        If nothing is labelled, or all scores are the same.
    Unreachable
        If no threshold keeps enough of the evidence; the message names the best reachable recall.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [(f"q{d}", f"d{d}", b, 10 - b + d / 100, b == 2) for d in range(40) for b in range(10)]
    >>> fitted = fit_threshold(pd.DataFrame(rows, columns=["question", "document", "block", "score", "label"]))
    >>> fitted.promised, round(fitted.threshold, 2), fitted.risk.documents
    (True, 8.01, 40)
    """
    table = checked_scores(scores, evidence)
    return fit_table(table, recall=recall, promise=promise, folds=folds, resamples=resamples)


def fit_table(
    table: ScoreTable, *, recall: float = 0.95, promise: bool = True, folds: int = FOLDS, resamples: int = RESAMPLES
) -> BlockThreshold:
    """Return the threshold for scores that are arrays already; see ``fit_threshold``."""
    _refuse_what_says_nothing(table)
    cut = cut_of(table, recall, promise=promise)
    every = Kept.of(table)
    held, kept_out, lost, fewer = _out_of_sample(table, recall, promise, folds)
    by_type, notes = _by_type(table, cut, recall)
    if cut.promised and fewer:
        notes.insert(
            0,
            "Out of sample the documents of the other folds are too few for the promise, so recall and tokens there "
            "are those of thresholds that only meet the floor: the promised one is lower and keeps more.",
        )
    if lost:
        notes.insert(0, f"{counted(lost, 'document')} could not be judged out of sample: the others reach no floor.")
    found = cut.threshold
    return BlockThreshold(
        threshold=found,
        recall=recall,
        promised=cut.promised,
        risk=cut.risk,
        in_sample=estimate_of(_recalls(table, np.full(len(table.documents), found)), resamples),
        out_of_sample=estimate_of(held, resamples),
        kept_in_sample=Estimate(float(every.share(found))),
        kept_out_of_sample=Estimate(kept_out),
        precision=float(every.precision(found)),
        tied_blocks=int((table.score == found).sum()),
        counts=_counts(table),
        curve=_curve(table, every),
        by_type=by_type,
        offsets=dict(cut.offsets),
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class BlockCut:
    """A threshold, whether it is promised, and what document types add to it."""

    threshold: float
    promised: bool
    risk: RiskControl
    types: Mapping[str, TypeOffset]

    @property
    def offsets(self) -> dict[str, float]:
        """What each type with documents enough adds to the threshold."""
        return {name: one.offset for name, one in self.types.items() if not np.isnan(one.wanted)}


def cut_of(table: ScoreTable, recall: float, *, promise: bool = True) -> BlockCut:
    """Return the highest threshold for a floor: the promised one, else the one that meets it on these documents.

    Without ``promise`` it is the latter, however many documents there are.

    A document type with enough documents moves it towards the threshold that the type needs by itself, by at most
    ±0.08 (``type_offsets``).

    Raises
    ------
    InvalidOption
        For a floor outside (0, 1).
    Unreachable
        If no threshold keeps enough.
    """
    if not 0 < recall < 1:
        raise InvalidOption(f"recall is {recall!r:.40}; give a number between 0 and 1.")
    evidence = Evidence.of(table)
    promised_at, risk = control(evidence, 1 - recall)
    promised = promise and promised_at is not None
    found = promised_at if promised else evidence.highest(1 - recall)
    if found is None:
        raise Unreachable(_unreachable(table, recall))
    found = min(found, float(table.score.max()))
    return BlockCut(found, promised, risk, type_offsets(table, found, recall, promised=promised))


def _fit(evidence: Evidence, recall: float, promise: bool) -> float | None:
    """Return the promised threshold, or where that is out of reach the one that meets the floor on these documents."""
    found, _ = control(evidence, 1 - recall) if promise else (None, None)
    return evidence.highest(1 - recall) if found is None else found


def _refuse_what_says_nothing(table: ScoreTable) -> None:
    if not table.needed.size:
        raise CalibrationRefused("No block is labelled as evidence, so there is nothing to recall; label some.")
    if np.ptp(table.score) == 0:
        raise CalibrationRefused(
            f"All {counted(len(table.score), 'block')} have the score {table.score[0]:g}: a threshold would keep all "
            "or none; check what gave the scores."
        )


def _unreachable(table: ScoreTable, recall: float) -> str:
    never = Evidence.of(table).never
    lost = int(np.isneginf(table.needed).sum())
    return (
        f"No threshold recalls {recall:g} of the evidence: {counted(lost, 'piece')} of {len(table.needed):,} "
        f"{'is' if lost == 1 else 'are'} recalled at none, so {1 - never:.4g} is the best reachable; "
        "lower the floor, or look at what has no score."
    )


def _recalls(table: ScoreTable, thresholds: Floats) -> Floats:
    """Return the recall of each document that has evidence, at its own threshold; nan where that is nan."""
    at = thresholds[table.document[table.piece_question]]
    hit = (table.needed >= at).astype(np.float64)
    pieces = np.bincount(table.piece_question, minlength=len(table.questions))
    asked = np.flatnonzero(pieces)
    of_question = np.bincount(table.piece_question, weights=hit, minlength=len(table.questions))[asked] / pieces[asked]
    questions = np.bincount(table.document[asked], minlength=len(table.documents))
    sums = np.bincount(table.document[asked], weights=of_question, minlength=len(table.documents))
    some = questions > 0
    found: Floats = np.where(np.isnan(thresholds[some]), np.nan, sums[some] / questions[some])
    return found


def _out_of_sample(table: ScoreTable, recall: float, promise: bool, folds: int) -> tuple[Floats, float, int, bool]:
    """Read each document with the threshold of the documents in other folds; say whether some carry no promise."""
    count = len(table.documents)
    thresholds = np.full(count, np.nan)
    if count < 2:
        return np.empty(0), float("nan"), 0, False
    fewer = False
    fold_of = folds_of(table.documents, max(2, folds), _SEED)
    for fold in range(int(fold_of.max()) + 1):
        rest = fold_of[table.document] != fold
        evidence = Evidence.of(table, rest)
        found = _fit(evidence, recall, promise)
        fewer |= promise and control(evidence, 1 - recall)[0] is None
        if found is not None:
            thresholds[fold_of == fold] = found
    recalls = _recalls(table, thresholds)
    at = thresholds[table.document[table.row_question]]
    judged = ~np.isnan(at)
    kept = (table.score >= at) | table.pinned
    total = int(table.tokens[judged].sum())
    share = float(table.tokens[judged & kept].sum() / total) if total else float("nan")
    return recalls[~np.isnan(recalls)], share, int(np.isnan(recalls).sum()), fewer


def estimate_of(values: Floats, resamples: int = RESAMPLES) -> Estimate:
    """Return the mean over documents with its bootstrap interval; nan where there are none."""
    if not len(values):
        return Estimate(float("nan"))
    if len(values) < 2:
        return Estimate(float(values.mean()))
    draws = np.random.default_rng(_SEED).integers(0, len(values), (resamples, len(values)))
    means = values[draws].mean(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(values.mean()), float(low), float(high))


def _by_type(table: ScoreTable, cut: BlockCut, recall: float) -> tuple[pd.DataFrame, list[str]]:
    """Say of each type what it needs by itself, and what it gets without and with its offset."""
    import pandas as pd

    rows = []
    for rank, name in enumerate(table.types):
        chosen: Mask = table.document_type == rank
        evidence, kept = Evidence.of(table, chosen), Kept.of(table, chosen)
        own = evidence.highest(1 - recall) if evidence.documents else None
        of_type = cut.types.get(name)
        offset = of_type.offset if of_type is not None else 0.0
        places = (cut.threshold, cut.threshold + offset)
        recalled = [1 - float(evidence.missed(at)) if evidence.documents else np.nan for at in places]
        shares = [float(kept.share(at)) for at in places]
        needs = np.nan if own is None else own
        wanted = of_type.wanted if of_type is not None else np.nan
        alone = cut.promised and (len(table.types) == 1 or (of_type is not None and of_type.promised))
        rows.append((name, evidence.documents, int(chosen.sum()), needs, offset, *recalled, *shares, wanted, alone))
    names = ["document_type", "documents", "questions", "threshold", "offset", "recall", "recall_with_offset"]
    frame = pd.DataFrame(rows, columns=[*names, "kept_share", "kept_share_with_offset", "wanted_offset", "promised"])
    notes = offset_notes(cut.types, recall, promised=cut.promised)
    if not table.are_probabilities:
        notes.append("The scores are no probabilities, so document types have no offsets.")
    return frame, notes


def _curve(table: ScoreTable, kept: Kept) -> pd.DataFrame:
    import pandas as pd

    evidence = Evidence.of(table)
    rows = []
    for floor in _CURVE:
        found = evidence.highest(1 - floor)
        if found is not None:
            rows.append((floor, found, float(kept.share(found)), float(kept.precision(found))))
    return pd.DataFrame(rows, columns=["recall", "threshold", "kept_share", "precision"])


def _counts(table: ScoreTable) -> Counts:
    return Counts(
        questions=len(table.questions),
        documents=len(table.documents),
        pieces=len(table.needed),
        blocks=len(table.score),
        labelled_blocks=int(table.label.sum()),
        questions_without_evidence=table.without_evidence,
        pieces_never_recalled=int(np.isneginf(table.needed).sum()),
    )
