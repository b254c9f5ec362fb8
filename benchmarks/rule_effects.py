"""Whether the blocks that a rule speaks about hold more evidence than their relevance lets expect.

A weight multiplies a block's relevance. So the question is not whether evidence is frequent in the blocks that a rule
touches (the score may know that already), but whether it is more frequent there than the score says. For each set a
logistic curve turns the score and the length of a block into a probability: a long block holds evidence more often, and
costs more. The sum over the touched blocks is the evidence *expected* there, to be compared with what is *found*. Pure
functions over arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.evidence_sets import Case
from workbench.relevance.scores import uncalibrated

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SPREAD = 0.7
"""Standard deviation of the logarithms of weights that is believed in before anything was measured."""
LEAST_FOUND = 0.5
"""Added to what is found and what is expected, so that no ratio is infinite."""
RESAMPLES = 1_000
_STEPS = 100
_LEAST_STEP = 1e-8
_STEEP = 30.0


def priorities(scores: npt.ArrayLike, weights: npt.ArrayLike) -> Floats:
    """Return relevance x structure weight, with the relevance of an uncalibrated score."""
    priority: Floats = uncalibrated(np.asarray(scores, np.float64)) * np.asarray(weights, np.float64)
    return priority


def evidence_of(case: Case) -> Floats:
    """Return the evidence in each block, shape (blocks,): a piece is 1, spread over its places and their blocks."""
    found = np.zeros(len(case.document))
    for first, others in zip(case.gold, case.also, strict=True):
        places = (first, *others)
        for place in places:
            found[list(place)] += 1.0 / (len(places) * len(place))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What the measurement needs of one question; arrays of shape (blocks,).

    Attributes
    ----------
    set_name, document_key : str
    tokens : ndarray of float64
        Of each block.
    evidence : ndarray of float64
        ``evidence_of`` the question.
    expected : ndarray of float64
        Evidence in the block, as its score and length have it.
    """

    set_name: str
    document_key: str
    tokens: Floats
    evidence: Floats
    expected: Floats


def questions_of(cases: Sequence[Case], scores: Sequence[Floats]) -> list[Question]:
    """Return the questions of one set, with the curve that fits them best.

    Parameters
    ----------
    cases : sequence of Case
        Answerable ones of one set.
    scores : sequence of ndarray of float64, shape (blocks,)
        One a case.
    """
    if not cases:
        return []
    evidence = [evidence_of(case) for case in cases]
    tokens = [case.document.columns.tokens.astype(np.float64) for case in cases]
    rows = [np.stack([score, np.log1p(length)], axis=1) for score, length in zip(scores, tokens, strict=True)]
    expected_of = fitted(np.concatenate(rows), np.minimum(np.concatenate(evidence), 1.0))
    return [
        Question(case.set_name, case.document_key, length, held, expected_of(row))
        for case, length, held, row in zip(cases, tokens, evidence, rows, strict=True)
    ]


def fitted(inputs: Floats, targets: Floats) -> Callable[[Floats], Floats]:
    """Return the logistic curve of greatest likelihood.

    Parameters
    ----------
    inputs : ndarray of float64, shape (rows, inputs)
    targets : ndarray of float64, shape (rows,)
        Shares in [0, 1].

    Returns
    -------
    callable
        From inputs to probabilities.

    Examples
    --------
    >>> curve = fitted(np.array([[-1.0], [-1.0], [1.0], [1.0]]), np.array([0.0, 0.5, 0.5, 1.0]))
    >>> curve(np.array([[-1.0], [0.0], [1.0]])).round(2).tolist()
    [0.25, 0.5, 0.75]
    """
    design = _with_ones(inputs)
    mean = float(np.clip(targets.mean(), 1e-6, 1 - 1e-6))
    curve = np.zeros(design.shape[1])
    curve[0] = np.log(mean / (1 - mean))
    likelihood = _likelihood(design @ curve, targets)
    for _ in range(_STEPS):
        p = _sigmoid(design @ curve)
        hessian = (design * (p * (1 - p))[:, None]).T @ design + 1e-9 * np.eye(len(curve))
        step = np.linalg.solve(hessian, design.T @ (targets - p))
        # Where scores part evidence sharply, a whole step can lead away from the best curve.
        while (next_one := _likelihood(design @ (curve + step), targets)) < likelihood and np.abs(
            step
        ).max() > _LEAST_STEP:
            step = step / 2.0
        curve, likelihood = curve + step, next_one
        if np.abs(step).max() <= _LEAST_STEP:
            break
    return lambda rows: _sigmoid(_with_ones(rows) @ curve)


def _likelihood(logits: Floats, targets: Floats) -> float:
    return float((targets * logits - np.logaddexp(0.0, logits)).sum())


def _with_ones(inputs: Floats) -> Floats:
    return np.concatenate([np.ones((len(inputs), 1)), inputs], axis=1)


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """What is in the blocks that a rule touches.

    Attributes
    ----------
    blocks, gold_blocks : int
        Blocks touched, each once a document; those among them that are evidence for any question.
    documents, all_documents : int
        Those in which a block is touched, and all.
    questions : int
    share_of_tokens, share_of_evidence : float
        0 to 1, means over questions.
    found, expected : float
        Pieces of evidence in the touched blocks, and what score and length let expect there; every document counts the
        same, whatever the number of its questions.
    ratio, low, high : float
        How much more is found than expected, in the touched blocks against the others, with a 95 % interval.
    supported : float
        The weight that this supports: the ratio, drawn to 1 by its uncertainty.
    """

    blocks: int = 0
    gold_blocks: int = 0
    documents: int = 0
    all_documents: int = 0
    questions: int = 0
    share_of_tokens: float = 0.0
    share_of_evidence: float = 0.0
    found: float = 0.0
    expected: float = 0.0
    ratio: float = 1.0
    low: float = float("nan")
    high: float = float("nan")
    supported: float = 1.0

    @property
    def lift(self) -> float:
        """Share of the evidence over share of the tokens; nan where no token is touched."""
        return self.share_of_evidence / self.share_of_tokens if self.share_of_tokens else float("nan")


def figures_of(questions: Sequence[Question], touched: Sequence[Bools]) -> RuleFigures:
    """Return what is in the touched blocks.

    Parameters
    ----------
    questions : sequence of Question
    touched : sequence of ndarray of bool, shape (blocks,)
        One a question.
    """
    rows: dict[tuple[str, str], Floats] = {}
    blocks: dict[tuple[str, str], tuple[Bools, Bools]] = {}
    token_share = evidence_share = 0.0
    for question, inside in zip(questions, touched, strict=True):
        key = (question.set_name, question.document_key)
        token_share += float(question.tokens[inside].sum() / max(question.tokens.sum(), 1.0))
        evidence_share += float(question.evidence[inside].sum() / question.evidence.sum())
        rows[key] = rows.get(key, np.zeros(4)) + _sums(question, inside)
        _, gold = blocks.setdefault(key, (inside, np.zeros(len(inside), np.bool_)))
        gold |= question.evidence > 0
    count = sum(int(inside.sum()) for inside, _ in blocks.values())
    if not count:
        return RuleFigures(all_documents=len(blocks), questions=len(questions))
    found = _balanced(np.array([rows[key] for key in sorted(rows)]))
    sums = found.sum(axis=0)
    ratio, low, high, supported = _ratio_of(found)
    return RuleFigures(
        blocks=count,
        gold_blocks=sum(int((inside & gold).sum()) for inside, gold in blocks.values()),
        documents=sum(bool(inside.any()) for inside, _ in blocks.values()),
        all_documents=len(blocks),
        questions=len(questions),
        share_of_tokens=token_share / len(questions),
        share_of_evidence=evidence_share / len(questions),
        found=float(sums[0]),
        expected=float(sums[1]),
        ratio=ratio,
        low=low,
        high=high,
        supported=supported,
    )


def _balanced(rows: Floats) -> Floats:
    """Scale the rows so that every document has the same evidence, and all together as much as before."""
    evidence = rows[:, 0] + rows[:, 2]
    held = rows[evidence > 0]
    scaled: Floats = held * (evidence.sum() / len(held) / evidence[evidence > 0])[:, None]
    return scaled


def supported_weight(ratio: float, error: float) -> float:
    """Return the weight that a ratio supports: its logarithm is drawn to 0 by the square of its standard error.

    Examples
    --------
    >>> [round(supported_weight(4.0, error), 2) for error in (0.0, 0.7, 2.0)]
    [4.0, 2.0, 1.16]
    """
    return float(np.exp(np.log(ratio) * SPREAD**2 / (SPREAD**2 + error**2)))


def _sums(question: Question, inside: Bools) -> Floats:
    """Found and expected in the touched blocks with tokens, found and expected in the others."""
    real = question.tokens > 0
    parts = [
        values[where & real].sum() for where in (inside, ~inside) for values in (question.evidence, question.expected)
    ]
    return np.array(parts)


def _ratio_of(table: Floats) -> tuple[float, float, float, float]:
    """Ratio with its interval, and the weight that it supports; rows are documents, columns those of ``_sums``.

    The interval is the wider one of two: of a count as small as what was found, and of documents as unlike as these.
    """
    sums = table.sum(axis=0)
    value = float(_log_ratio(sums[None, :])[0])
    draws = np.random.default_rng(0).multinomial(len(table), np.full(len(table), 1 / len(table)), size=RESAMPLES)
    logs = _log_ratio(draws @ table)
    count = float(sums[0])
    scale = float(np.exp(value)) / (count + LEAST_FOUND)
    low, high = counted(count)
    drawn_low, drawn_high = np.exp(np.percentile(logs, [2.5, 97.5])).tolist()
    error = max(float(logs.std()), float(np.sqrt(1.0 / (count + LEAST_FOUND))))
    ratio = float(np.exp(value))
    return ratio, min(low * scale, drawn_low), max(high * scale, drawn_high), supported_weight(ratio, error)


def counted(count: float) -> tuple[float, float]:
    """Return the 95 % interval of what a count is the count of, by Byar's approximation to the exact one.

    Examples
    --------
    >>> [round(bound, 1) for count in (0, 10) for bound in counted(count)]
    [0.0, 3.7, 4.8, 18.4]
    """

    def bound(of: float, sign: float) -> float:
        return of * max(0.0, 1.0 - 1.0 / (9.0 * of) + sign * 1.96 / (3.0 * math.sqrt(of))) ** 3

    return (bound(count, -1.0) if count > 0 else 0.0), bound(count + 1.0, 1.0)


def _log_ratio(sums: Floats) -> Floats:
    found_in, expected_in, found_out, expected_out = (sums + LEAST_FOUND).T
    logs: Floats = np.log(found_in / expected_in) - np.log(found_out / expected_out)
    return logs


def _sigmoid(x: Floats) -> Floats:
    p: Floats = 1.0 / (1.0 + np.exp(-np.clip(x, -_STEEP, _STEEP)))
    return p
