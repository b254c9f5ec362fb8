"""From an order to a probability: maps that are fitted per kind of document, and refuse what cannot be calibrated.

A fixed cut on raw scores does not transfer from one kind of document to another, so a map knows what it was fitted on
and meets only the scores of the scorer that it was fitted for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import CalibrationRefused, StaleCalibration
from .scores import Relevance, RelevanceScores, Scale, sigmoid

Floats = npt.NDArray[np.float64]

ANY_TYPE = "*"
"""The document type of the map for types that have none of their own."""
WORDS_ALONE = "words alone, "
"""Begins the key of a map for scores that a scorer with a semantic model made by words alone, as ``WORDS_ALONE + "*"``:
without the model's voice the same logit says something else."""
LEAST_SPREAD = 1e-3
"""Standard deviation of logits, and range of fitted probabilities, under which scores say nothing."""
LEAST_POSITIVES = 5
"""Blocks with evidence, and blocks without, that a map needs at least."""
LEAST_ISOTONIC_POSITIVES, LEAST_ISOTONIC_DOCUMENTS = 200, 20
"""Blocks with evidence, and documents, from which on an isotonic map is tried at all."""
_FOLDS = 5
_LINE_SHARE = 0.1
"""Part of the line in an isotonic map that is chosen: steps tie blocks, and a cut keeps all of a tie or none."""
_GRID = 64
_FARTHEST = 25.0
"""Logit of the line from which on its probabilities differ by less than can be told."""
_LEAST_PROBABILITY = 1e-6
_NEWTON_STEPS = 100
_RIDGE = 1e-6
_LEAST_STEP = 1e-8
_LEAST_GAIN = 1e-12


class Method(StrEnum):
    """How a map is made."""

    TEMPERATURE = "temperature"
    """A line on the logit (slope 1 / T, and a bias, for evidence is rare) under the sigmoid: for few labels."""
    ISOTONIC = "isotonic"
    """The best rising steps, joined by lines: any shape, for many labels. Beyond the outermost knots it is flat."""


@dataclass(frozen=True, slots=True)
class CalibrationMap:
    """A rising map from logits to the probability that a block holds evidence.

    Attributes
    ----------
    method : Method
    logits, values : tuple of float
        For isotonic maps the knots, rising; for temperature maps ``logits`` is empty and ``values`` holds slope and
        bias: probability = sigmoid(slope * logit + bias).
    blocks, positives, questions, documents : int
        What it was fitted on.
    """

    method: Method
    logits: tuple[float, ...]
    values: tuple[float, ...]
    blocks: int
    positives: int
    questions: int = 0
    documents: int = 0

    @property
    def formula(self) -> str:
        """The map in words, for explanations."""
        if self.method is Method.TEMPERATURE:
            slope, bias = self.values
            line = f"{slope:.4g} x logit {'-' if bias < 0 else '+'} {abs(bias):.4g}"
            return f"sigmoid({line}), fitted on {self.blocks:,} blocks"
        return f"rising steps between {len(self.values):,} points, fitted on {self.blocks:,} blocks"

    def __call__(self, logits: npt.NDArray[np.floating]) -> Relevance:
        """Return the probabilities, float64 in [0, 1], of any shape."""
        x = np.asarray(logits, np.float64)
        if self.method is Method.TEMPERATURE:
            slope, bias = self.values
            return sigmoid(slope * x + bias)
        return np.interp(x, self.logits, self.values)


@dataclass(frozen=True)
class Calibration:
    """The maps of one scorer, one a document type.

    Attributes
    ----------
    scorer : str
        Fingerprint of the scorer whose logits it maps.
    maps : mapping of str to CalibrationMap
        By document type; ``ANY_TYPE`` serves the types without one. Keys that begin with ``WORDS_ALONE`` are for scores
        of words alone.
    fitted_on : str
        What the labels were: the fingerprint of a workload, or a name.
    """

    scorer: str
    maps: Mapping[str, CalibrationMap]
    fitted_on: str

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything that it says."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def map_for(self, document_type: str, *, words_alone: bool = False) -> CalibrationMap | None:
        """Return the map of a document type, the one for any type, or None."""
        prefix = WORDS_ALONE if words_alone else ""
        return self.maps.get(prefix + document_type) or self.maps.get(prefix + ANY_TYPE)

    def apply(self, scores: RelevanceScores, document_type: str) -> RelevanceScores:
        """Return the scores with calibrated relevance.

        A document type without a map leaves them uncalibrated, with a note; so do scores that the scorer made by words
        alone, where no map was fitted on such scores.

        Raises
        ------
        StaleCalibration
            If the scores come from another scorer than the one it was fitted on.
        """
        if scores.scorer != self.scorer:
            raise StaleCalibration(
                f"The calibration was fitted on the scores of {_short(self.scorer)}, but these come from "
                f"{_short(scores.scorer)}: another model or other options; calibrate again with this reader."
            )
        found = self.map_for(document_type, words_alone=scores.words_alone)
        if found is None and scores.words_alone:
            note = "The calibration is for scores of words and meaning, and these are of words alone: uncalibrated."
            return replace(scores, notes=(*scores.notes, note))
        if found is None:
            known = ", ".join(sorted(self.maps))
            note = f"No calibration for {document_type} documents (there is one for: {known}); scores are uncalibrated."
            return replace(scores, notes=(*scores.notes, note))
        return replace(
            scores,
            relevance=found(scores.logits),
            scale=Scale.CALIBRATED,
            calibration=self.fingerprint,
            formula=found.formula,
        )

    def to_json(self) -> str:
        """Return it as JSON, equal for equal calibrations."""
        maps = {name: asdict(self.maps[name]) for name in sorted(self.maps)}
        return json.dumps({"scorer": self.scorer, "fitted_on": self.fitted_on, "maps": maps}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Return the calibration of ``to_json``.

        Raises
        ------
        StaleCalibration
            If the text is no calibration of this version.
        """
        try:
            found = json.loads(text)
            maps = {name: _map_from(values) for name, values in found["maps"].items()}
            return cls(str(found["scorer"]), maps, str(found["fitted_on"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StaleCalibration(f"This is no calibration of this version ({error}); calibrate again.") from error


def fit_map(
    logits: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    method: Method | str = Method.TEMPERATURE,
    questions: int = 0,
    documents: int = 0,
) -> CalibrationMap:
    """Fit a map on labelled blocks of one kind of document.

    Temperature: maximum likelihood of a logistic line (Platt 1999; with the bias fixed at 0 it is the temperature of
    Guo et al. 2017). Isotonic: pool adjacent violators (Ayer et al. 1955).

    Parameters
    ----------
    logits : array_like of float, shape (n,)
        Scores of blocks, of any number of questions.
    labels : array_like of bool, shape (n,)
        Whether the block holds evidence.
    method : Method or its name
    questions, documents : int
        How many the blocks come from; kept with the map.

    Raises
    ------
    CalibrationRefused
        If scores are constant or not finite, if one of the labels is missing or rare, or if evidence does not
        score higher than the rest.

    Examples
    --------
    >>> fitted = fit_map(np.arange(40.0), np.arange(40) > 25)
    >>> (fitted(np.array([0.0, 25.5, 39.0])) > 0.5).tolist()
    [False, False, True]
    """
    x, y = np.asarray(logits, np.float64), np.asarray(labels, bool)
    _refuse_what_says_nothing(x, y)
    chosen = Method(method)
    if chosen is Method.TEMPERATURE:
        slope, bias = _logistic_line(x, y)
        if slope <= 0:
            raise CalibrationRefused(
                "Blocks with evidence do not score higher than the others, so no rising map fits; "
                "check the labels, or use another model."
            )
        knots, values = np.empty(0), np.array([slope, bias])
    else:
        knots, values = _rising_steps(x, y)
    fitted = CalibrationMap(
        chosen, tuple(knots.tolist()), tuple(values.tolist()), len(x), int(y.sum()), questions, documents
    )
    if np.ptp(fitted(x)) < LEAST_SPREAD:
        raise CalibrationRefused(
            f"Every block would get the probability {float(fitted(x).mean()):.3f}: the scores say nothing about the "
            "labels; add labels, or use another model."
        )
    return fitted


def fit_best_map(
    logits: npt.ArrayLike, labels: npt.ArrayLike, documents: npt.ArrayLike, *, questions: int = 0
) -> CalibrationMap:
    """Fit the map whose shape the data carries: a line, or rising steps where they do better on held-out documents.

    Steps are tried from ``LEAST_ISOTONIC_POSITIVES`` blocks with evidence in ``LEAST_ISOTONIC_DOCUMENTS`` documents
    on, and taken where their cross entropy across folds of documents is the lower one. A tenth of the line is mixed in,
    so that a block with a higher logit always has the higher probability, also beyond the logits that it was fitted on.

    Parameters
    ----------
    logits : array_like of float, shape (n,)
    labels : array_like of bool, shape (n,)
    documents : array_like of int, shape (n,)
        Rank of each block's document, from 0 without gaps.
    questions : int
        How many the blocks come from; kept with the map.

    Raises
    ------
    CalibrationRefused
        As ``fit_map`` does.
    """
    x, y, of = np.asarray(logits, np.float64), np.asarray(labels, bool), np.asarray(documents, np.int64)
    count = int(of.max()) + 1 if len(of) else 0
    line = fit_map(x, y, questions=questions, documents=count)
    if y.sum() < LEAST_ISOTONIC_POSITIVES or len(np.unique(of[y])) < LEAST_ISOTONIC_DOCUMENTS:
        return line
    losses = np.zeros(2)
    for fold in range(_FOLDS):
        out = of % _FOLDS == fold
        try:
            fitted = fit_map(x[~out], y[~out])
        except CalibrationRefused:
            return line
        for place, found in enumerate((fitted, _stepped(x[~out], y[~out], fitted))):
            p = np.clip(found(x[out]), _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
            losses[place] -= float(np.log(np.where(y[out], p, 1 - p)).sum())
    return _stepped(x, y, line) if losses[1] < losses[0] else line


def _stepped(x: Floats, y: npt.NDArray[np.bool_], line: CalibrationMap) -> CalibrationMap:
    """Return rising steps with a part of the line, at the steps' knots and at points between and beyond them."""
    knots, values = _rising_steps(x, y)
    points = np.unique(np.concatenate([knots, np.linspace(x.min(), x.max(), _GRID), _beyond(x, line)]))
    mixed = (1 - _LINE_SHARE) * np.interp(points, knots, values) + _LINE_SHARE * line(points)
    return replace(line, method=Method.ISOTONIC, logits=tuple(points.tolist()), values=tuple(mixed.tolist()))


def _beyond(x: Floats, line: CalibrationMap) -> Floats:
    """Return points on both sides of the fitted logits, to where the line is 0 or 1: a new document has others."""
    slope, bias = line.values
    low, high = (-_FARTHEST - bias) / slope, (_FARTHEST - bias) / slope
    below = np.linspace(min(low, x.min()), x.min(), _GRID)
    above = np.linspace(x.max(), max(high, x.max()), _GRID)
    return np.concatenate([below, above])


def _refuse_what_says_nothing(x: Floats, y: npt.NDArray[np.bool_]) -> None:
    if x.ndim != 1 or x.shape != y.shape:
        raise CalibrationRefused(f"Scores of shape {x.shape} and labels of shape {y.shape} do not belong together.")
    if not np.isfinite(x).all():
        raise CalibrationRefused("Some scores are not finite numbers; score the blocks again.")
    positives = int(y.sum())
    for count, what in ((positives, "with evidence"), (len(y) - positives, "without evidence")):
        if count < LEAST_POSITIVES:
            raise CalibrationRefused(
                f"There are {count} blocks {what}, and a calibration needs at least {LEAST_POSITIVES}; label more."
            )
    if x.std() < LEAST_SPREAD:
        raise CalibrationRefused(
            f"The scores of all {len(x)} blocks are (nearly) the same, {x.mean():.3f}; a map on them would call every "
            "block equally likely. Check that the model has learnt anything."
        )


def _logistic_line(x: Floats, y: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Newton's method on standardised scores; targets are smoothed as in Platt (1999), so that it always ends."""
    mean, spread = x.mean(), x.std()
    design = np.stack([(x - mean) / spread, np.ones_like(x)], axis=1)
    positives = y.sum()
    target = np.where(y, (positives + 1) / (positives + 2), 1 / (len(y) - positives + 2))
    weights = np.array([0.0, np.log((positives + 1) / (len(y) - positives + 1))])
    loss = _loss(design, target, weights)
    for _ in range(_NEWTON_STEPS):
        p = sigmoid(design @ weights)
        gradient = design.T @ (p - target) + _RIDGE * weights
        curvature = (design * (p * (1 - p))[:, None]).T @ design + _RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        # Where evidence is one block in thousands a full step overshoots, and the next one runs away.
        size = 1.0
        while size > _LEAST_STEP and _loss(design, target, weights - size * step) > loss:
            size /= 2
        weights = weights - size * step
        before, loss = loss, _loss(design, target, weights)
        if before - loss < _LEAST_GAIN * max(1.0, abs(loss)):
            break
    slope = weights[0] / spread
    return float(slope), float(weights[1] - slope * mean)


def _loss(design: Floats, target: Floats, weights: Floats) -> float:
    """Cross entropy, with the ridge that the gradient has; log(1 + exp(x)) without overflow."""
    x = design @ weights
    return float((np.logaddexp(0.0, x) - target * x).sum() + 0.5 * _RIDGE * (weights @ weights))


def _rising_steps(x: Floats, y: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Pool adjacent violators; a step's knots are its first and last score."""
    scores, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    sums = np.bincount(inverse, weights=y.astype(np.float64))
    pools: list[list[float]] = []  # sum, count, first, last
    for score, total, count in zip(scores.tolist(), sums.tolist(), counts.tolist(), strict=True):
        pools.append([total, count, score, score])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] >= pools[-1][0] * pools[-2][1]:
            total_above, count_above, _, last = pools.pop()
            pools[-1] = [pools[-1][0] + total_above, pools[-1][1] + count_above, pools[-1][2], last]
    knots = np.array([[pool[2], pool[3]] for pool in pools]).ravel()
    values = np.repeat([pool[0] / pool[1] for pool in pools], 2)
    first = np.concatenate([[True], np.diff(knots) > 0])
    return knots[first], values[first]


def _map_from(values: dict[str, Any]) -> CalibrationMap:
    parts = {**values, "method": Method(values["method"])}
    parts["logits"] = tuple(float(value) for value in values["logits"])
    parts["values"] = tuple(float(value) for value in values["values"])
    return CalibrationMap(**parts)


def _short(fingerprint: str) -> str:
    return fingerprint[:12]
