"""What a reading really keeps, and how much of the evidence is in it: without calibration, and with one.

A piece of evidence is recalled when any block of any of its places is kept. All figures are micro over questions, with
95 % intervals over documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.evidence_sets import Case
from benchmarks.reading_sets import Readings
from benchmarks.retrieval import Estimate, Floats, Notion, things_of
from workbench.errors import CalibrationRefused
from workbench.reading import Reading, SparseReader, Threshold
from workbench.reading.cuts import MIN_TOKENS
from workbench.reading.reading import reading_of
from workbench.relevance.calibrated import ANY_TYPE, Calibration, Method, fit_map

RECALL = 0.95
RESAMPLES = 1_000
SHORT_PIECES = 40
"""Pieces of evidence below which a threshold is not fitted for a document type: 5 % of them are less than two."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the readings of some questions kept.

    Attributes
    ----------
    recall, share : Estimate
        Percent of the pieces of evidence that are recalled, and mean percent of the tokens that is kept.
    """

    recall: Estimate
    share: Estimate

    def cells(self) -> list[str]:
        """Return both in words; "-" where there was nothing to keep."""
        return ["-" if np.isnan(found.value) else str(found) for found in (self.recall, self.share)]


def mean_of(found: Iterable[Kept]) -> Kept:
    """Return the means of what was kept of sets that have any, without intervals."""
    rows = [(kept.recall.value, kept.share.value) for kept in found if not np.isnan(kept.share.value)]
    recall, share = np.mean(rows, axis=0).tolist() if rows else (float("nan"), float("nan"))
    return Kept(Estimate(recall), Estimate(share))


def kept_of(pairs: Iterable[tuple[Case, Reading]], *, resamples: int = RESAMPLES) -> Kept:
    """Return what readings kept."""
    hits: list[tuple[tuple[str, str], float]] = []
    shares: list[tuple[tuple[str, str], float]] = []
    for case, reading in pairs:
        origin = (case.set_name, case.origin)
        hits += [(origin, float(hit)) for hit in recalled(case, reading)]
        tokens, kept = reading.decision.tokens, reading.decision.kept
        shares.append((origin, float(tokens[kept].sum() / max(1, tokens.sum()))))
    return Kept(mean_percent(hits, resamples=resamples), mean_percent(shares, resamples=resamples))


def recalled(case: Case, reading: Reading) -> list[bool]:
    """Return for each piece of evidence whether any block of any of its places is kept."""
    out = np.where(reading.decision.kept, 0.0, 1.0)
    return [value == 0.0 for value in things_of(case, out, Notion.ANY)]


def mean_percent(
    values: Sequence[tuple[tuple[str, str], float]], *, resamples: int = RESAMPLES, seed: int = 0
) -> Estimate:
    """Return the mean in percent with its 95 % bootstrap interval over the first members of the pairs.

    Examples
    --------
    >>> print(mean_percent([(("a", ""), 1.0), (("a", ""), 0.0)]))
    50.0
    """
    ranks: dict[tuple[str, str], int] = {}
    owner = np.array([ranks.setdefault(name, len(ranks)) for name, _ in values], np.int64)
    numbers = np.array([value for _, value in values], np.float64)
    if not len(numbers):
        return Estimate(float("nan"))
    mean = 100.0 * float(numbers.mean())
    if len(ranks) < 2 or resamples < 1:
        return Estimate(mean)
    sums, counts = np.bincount(owner, numbers), np.bincount(owner)
    draws = np.random.default_rng(seed).multinomial(len(ranks), np.full(len(ranks), 1 / len(ranks)), size=resamples)
    low, high = np.percentile(100.0 * (draws @ sums) / (draws @ counts), [2.5, 97.5]).tolist()
    return Estimate(mean, low, high)


def plain_rows(cases: Mapping[str, Sequence[Case]], readings: Readings) -> Iterator[str]:
    """Yield a row a set for readings without calibration: the best 20 % of the tokens, and at least 3,000."""
    yield (
        f"| set | questions | on documents of at most {MIN_TOKENS:,} tokens | evidence recalled | tokens kept "
        "| on longer documents: evidence recalled | tokens kept |"
    )
    yield "|" + " --- |" * 7
    told: list[tuple[Kept, Kept]] = []
    for name, some in cases.items():
        if not some:
            continue
        longer = [case for case in some if case.document.tokens > MIN_TOKENS]
        whole, of_longer = (kept_of((case, readings(case)) for case in part) for part in (some, longer))
        cells = [name, f"{len(some):,}", f"{len(some) - len(longer):,}", *whole.cells(), *of_longer.cells()]
        yield f"| {' | '.join(cells)} |"
        told.append((whole, of_longer))
    if told:
        cells = [cell for part in zip(*told, strict=True) for cell in mean_of(part).cells()]
        yield f"| mean of the sets |  |  | {' | '.join(cells)} |"


# With a calibration ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration, and the threshold at which it recalls the evidence that it was fitted on."""

    calibration: Calibration
    threshold: Threshold


def fitted(cases: Sequence[Case], readings: Readings, *, name: str, document_type: str = ANY_TYPE) -> Fitted:
    """Fit a map for one kind of document, and the threshold on the priority that recalls 95 % of the evidence.

    Parameters
    ----------
    cases : sequence of Case
        Questions with evidence.
    readings : Readings
    name : str
        Of what it is fitted on.
    document_type : str
        Whose map it is.

    Raises
    ------
    CalibrationRefused
        If the scores say nothing about the evidence.
    """
    labels = [_evidence(case) for case in cases]
    found = fit_map(
        np.concatenate([readings(case).scores.logits for case in cases]),
        np.concatenate(labels),
        method=Method.TEMPERATURE,
        questions=len(cases),
        documents=len({case.document.sha256 for case in cases}),
    )
    calibration = Calibration(readings.reader.scorer.fingerprint, {document_type: found}, name)
    best: list[float] = []
    for case in cases:
        priority = calibrated(case, readings, calibration).priority
        pinned = readings(case).structure.pinned
        best += [-value for value in things_of(case, -np.where(pinned, np.inf, priority), Notion.ANY)]
    return Fitted(calibration, Threshold(float(np.clip(threshold_for(np.array(best), RECALL), 0.0, 1.0))))


def threshold_for(best: Floats, recall: float) -> float:
    """Return the highest threshold that recalls a share of the pieces.

    Parameters
    ----------
    best : ndarray of float64, shape (pieces,)
        Priority of the best block of each piece.
    recall : float
        0 to 1.

    Examples
    --------
    >>> threshold_for(np.array([0.9, 0.1, 0.5, 0.7]), 0.75)
    0.5
    """
    wanted = max(1, int(np.ceil(recall * len(best) - 1e-9)))
    return float(np.sort(best)[::-1][wanted - 1])


def calibrated(case: Case, readings: Readings, calibration: Calibration, threshold: Threshold | None = None) -> Reading:
    """Return the reading of a case with a calibration, from the scores that there are."""
    reader = readings.reader
    document = case.document
    scores = calibration.apply(readings(case).scores, document.document_type.value)
    basis = reader.basis(document, case.question, scores=scores, progress=False)
    return reading_of(basis, threshold or Threshold(0.0))


def calibrated_rows(cases: Mapping[str, Sequence[Case]], readings: Readings) -> Iterator[str]:
    """Yield a row for each set and each document type: a map and a threshold fitted on one half, judged on both."""
    yield (
        "| fitted on | pieces | threshold | evidence recalled, choose | tokens kept | evidence recalled, report "
        "| tokens kept |"
    )
    yield "|" + " --- |" * 7
    every = [case for some in cases.values() for case in some]
    types = sorted({case.document.document_type.value for case in every})
    groups = {name: (ANY_TYPE, list(some)) for name, some in cases.items()}
    for kind in types:
        groups[f"type {kind}"] = (kind, [case for case in every if case.document.document_type.value == kind])
    told: list[tuple[Kept, Kept]] = []
    words = Readings(SparseReader(scorer=None))
    for group, (kind, members) in groups.items():
        # No map fits scores of words and meaning and scores of words alone.
        some = [case for case in members if not readings(case).scores.words_alone]
        name, made = (group, readings) if some else (f"{group}, words alone", words)
        halves = [[case for case in some or members if case.half == half] for half in ("choose", "report")]
        pieces = sum(len(case.gold) for case in halves[0])
        if pieces < SHORT_PIECES:
            continue
        try:
            found = fitted(halves[0], made, name=name, document_type=kind)
        except CalibrationRefused as error:
            yield f"| {name} | {pieces:,} | refused: {error} |  |  |  |  |"
            continue
        chosen, other = (kept_with(found, part, made) for part in halves)
        cells = [name, f"{pieces:,}", f"{found.threshold.value:.4f}", *chosen.cells(), *other.cells()]
        yield f"| {' | '.join(cells)} |"
        told += [(chosen, other)] if kind == ANY_TYPE else []
    if told:
        cells = [cell for part in zip(*told, strict=True) for cell in mean_of(part).cells()]
        yield f"| mean of the sets |  |  | {' | '.join(cells)} |"


def kept_with(found: Fitted, cases: Sequence[Case], readings: Readings) -> Kept:
    """Return what readings with a calibration and its threshold keep."""
    return kept_of((case, calibrated(case, readings, found.calibration, found.threshold)) for case in cases)


def _evidence(case: Case) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which blocks hold evidence, at any place, shape (blocks,)."""
    found = np.zeros(len(case.document), bool)
    for first, others in zip(case.gold, case.also, strict=True):
        for place in (first, *others):
            found[list(place)] = True
    return found
