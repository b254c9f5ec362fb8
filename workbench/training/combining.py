"""The weights of a combination, fitted on questions with evidence: how much must be read before it is found.

What is made small is the share of a document's tokens that rank above the evidence, smoothed so that it has a slope:
that is what a reader pays. A softmax over blocks, which asks only that evidence be likely, weighs long blocks up, for
they hold evidence more often, and reads more (``docs/benchmarks.md``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..calibration.folds import folds_of
from ..documents.progress import showing
from ..errors import InvalidOption, TrainingRefused
from ..printing import counted
from ..relevance.block_features import FEATURES, asked_features
from ..relevance.combination import SECOND_STAGE, Combination
from ..relevance.recurring import RECURRING
from ..relevance.second_stage import StageScale
from .minimising import least
from .smooth_share import SmoothShare, stacked

if TYPE_CHECKING:
    import pandas as pd

    from ..relevance.hybrid import HybridScorer
    from .question import Question

Floats = npt.NDArray[np.float64]

FOLDS = 5
RIDGES = (0.003, 0.01, 0.03, 0.1)
"""How strongly weights are held where the fusion has them; the best across folds is taken."""
MANY_DOCUMENTS = 8
"""Documents from which a ridge is chosen; fewer say too little, and the strongest is taken."""
FIRST_STAGE = ("semantic", "question_parts", "lexical", "neighbours", "page_tables", "own_words", RECURRING)
LEVELS = tuple(step / 20 for step in range(21))
LEVEL_RECALLS = (0.95, 0.98)
"""The level is chosen where one threshold a set keeps least at these recalls, on the mean."""
_LEAST_DOCUMENTS = 2


@dataclass(frozen=True, eq=False)
class HeardQuestion:
    """What the voices say of the n blocks of a question's document, as columns.

    Attributes
    ----------
    question : Question
    columns : ndarray of float32, shape (n, k)
        In the order of ``names_of(heard)``: parts of the first stage, features, and the second stage on both scales.
    looked : bool
        Whether there was a second stage.
    """

    question: Question
    columns: npt.NDArray[np.float32]
    looked: bool


@dataclass(frozen=True, eq=False)
class CombinationFit:
    """A fitted combination, and what it is worth on documents that it was not fitted on.

    Attributes
    ----------
    combination : Combination
    ridge : float
        Chosen across folds.
    read_before, read_after : float
        Share of the tokens above the evidence (0-1), mean over sets: with the weights of the fusion, and, across folds,
        with fitted ones.
    questions, documents : int
        What it was fitted on.
    notes : tuple of str
    """

    combination: Combination
    ridge: float
    read_before: float
    read_after: float
    questions: int
    documents: int
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return one row a weight: kind ("part", "feature", "level"), name, weight."""
        import pandas as pd

        found = self.combination
        rows = [("part", name, weight) for name, weight in found.weights.items()]
        rows += [("feature", name, weight) for name, weight in found.features.items()]
        return pd.DataFrame([*rows, ("level", "level", found.level)], columns=["kind", "name", "weight"])

    def __repr__(self) -> str:
        return (
            f"CombinationFit({100 * self.read_before:.1f} % of the tokens read before the evidence, "
            f"{100 * self.read_after:.1f} % with fitted weights, on {counted(self.documents, 'document')})"
        )


def fit_combination(
    questions: Iterable[Question],
    scorer: HybridScorer,
    *,
    folds: int = FOLDS,
    ridge: float | None = None,
    seed: int = 0,
    progress: bool | None = None,
) -> Combination:
    """Return the weights with which evidence is found soonest; see ``combination_fit``."""
    heard = hear(questions, scorer, progress=progress)
    return combination_fit(heard, folds=folds, ridge=ridge, seed=seed).combination


def hear(questions: Iterable[Question], scorer: HybridScorer, *, progress: bool | None = None) -> list[HeardQuestion]:
    """Return what a scorer's voices say of each question that has evidence.

    The questions must be on documents that the second stage was not trained on: on others it is surer than it will be.
    Questions whose scores are of words alone are left out, for no combination weighs them.

    Parameters
    ----------
    questions : iterable of Question
    scorer : HybridScorer
        A combination that it has makes no difference.
    progress : bool, optional
        Whether progress is shown; None where somebody looks.
    """
    wanted = [one for one in questions if one.pieces]
    found = []
    with showing("Scoring for the combination", progress) as report:
        for rank, question in enumerate(wanted):
            report(rank, len(wanted))
            heard = scorer.heard(question.document, question.question, scope=question.scope, progress=False)
            if heard.words_alone or (scorer.second_stage is not None and heard.look is None):
                continue
            count = len(question.document)
            zeros = np.zeros(count, np.float32)
            features = asked_features(question.question, heard.features)
            columns = [heard.parts.get(name, zeros) for name in FIRST_STAGE]
            columns += [features[name] for name in FEATURES]
            if heard.look is not None:
                columns += [heard.look.part(count, 1.0, scale) for scale in StageScale]
            found.append(HeardQuestion(question, np.column_stack(columns).astype(np.float32), heard.look is not None))
    return found


def combination_fit(
    heard: Sequence[HeardQuestion], *, folds: int = FOLDS, ridge: float | None = None, seed: int = 0
) -> CombinationFit:
    """Fit the weights of parts, features and second stage, and the level.

    Every set counts alike, and so does every question of a set. The ridge, and the scale of the second stage, are
    those that read least on documents that were held out.

    Parameters
    ----------
    heard : sequence of HeardQuestion
        All with a second stage, or all without.
    folds : int
        Groups of documents; as many as documents where there are fewer.
    ridge : float, optional
        How strongly weights are held where the fusion has them; by default chosen across folds, or the strongest of
        ``RIDGES`` where there are fewer than ``MANY_DOCUMENTS``.
    seed : int
        Of the folds.

    Raises
    ------
    TrainingRefused
        If there are questions on fewer than two documents.
    InvalidOption
        For fewer than two folds, a ridge that is no positive number, or questions of which some have a second stage.
    """
    _check(heard, folds, ridge)
    documents = sorted({one.question.document_key for one in heard})
    fold_of = dict(zip(documents, folds_of(documents, folds, seed).tolist(), strict=True))
    group = np.array([fold_of[one.question.document_key] for one in heard])
    problem = _Problem(heard)
    scales = tuple(StageScale) if heard[0].looked else (StageScale.STANDARDISED,)
    ridges = (ridge,) if ridge is not None else RIDGES if len(documents) >= MANY_DOCUMENTS else RIDGES[-1:]
    tried = [(scale, strength, problem.across(group, scale, strength)) for scale in scales for strength in ridges]
    # The first of equal ones: the order of the scales, then of the ridges.
    scale, strength, across = min(tried, key=lambda one: one[2].read)
    weights = problem.fitted(scale, strength)
    before = problem.read(problem.start)
    level = level_of(heard, across.scores)
    made = problem.combination(weights, scale, level)
    notes = []
    if across.read >= before:
        made = replace(_plain(heard[0].looked), level=level_of(heard, problem.plain_scores))
        notes.append(
            "Fitted weights read no less on documents that were held out, so the parts count as the fusion counts them."
        )
    return CombinationFit(made, strength, before, across.read, len(heard), len(documents), tuple(notes))


@dataclass(frozen=True, eq=False)
class _Across:
    """What was held out: the share that is read, and the logits of each question."""

    read: float
    scores: list[Floats]


class _Problem:
    """The weights to find; a column that nothing differs in stays as it is."""

    def __init__(self, heard: Sequence[HeardQuestion]) -> None:
        self._heard = heard
        names: list[str] = [*FIRST_STAGE, *FEATURES]
        self.start = np.array([1.0] * len(FIRST_STAGE) + [0.0] * len(FEATURES))
        if heard[0].looked:
            names += [f"{SECOND_STAGE} {scale.value}" for scale in StageScale]
            self.start = np.append(self.start, [1.0, 0.0])
        self.names = tuple(names)
        self._all = stacked(heard)
        self._share = SmoothShare(self._all, _importance(heard))

    def across(self, group: npt.NDArray[np.int64], scale: StageScale, ridge: float) -> _Across:
        """Fit without each group and look at it."""
        scores: list[Floats] = [np.empty(0)] * len(self._heard)
        read = np.zeros(len(self._heard))
        for fold in range(int(group.max()) + 1):
            weights = self._fit([one for one, at in zip(self._heard, group, strict=True) if at != fold], scale, ridge)
            for rank in np.flatnonzero(group == fold).tolist():
                scores[rank] = self._heard[rank].columns @ weights
            read += np.where(group == fold, self._share.of_questions(weights), 0.0)
        return _Across(float(_importance(self._heard) @ read), scores)

    def fitted(self, scale: StageScale, ridge: float) -> Floats:
        """Return the weights from all questions."""
        return self._fit(self._heard, scale, ridge)

    def read(self, weights: Floats) -> float:
        """Return the share that is read with some weights."""
        return float(_importance(self._heard) @ self._share.of_questions(weights))

    @property
    def plain_scores(self) -> list[Floats]:
        """The logits of each question with the weights of the fusion."""
        return [one.columns @ self.start for one in self._heard]

    def _fit(self, heard: Sequence[HeardQuestion], scale: StageScale, ridge: float) -> Floats:
        share = SmoothShare(stacked(heard), _importance(heard))
        spread = share.stacked.spread
        start = self._start(scale)
        free = (spread > 0) & ~self._unused(scale)

        def loss(values: Floats) -> tuple[float, Floats]:
            weights = np.where(free, values, start)
            value, slope = share.value(weights)
            held = np.where(free, (weights - start) * spread, 0.0)
            return value + ridge * float(held @ held), np.where(free, slope + 2 * ridge * held * spread, 0.0)

        lowest = np.array([0.0 if weight_name(name) else -np.inf for name in self.names])
        return np.where(free, least(loss, start, lowest), start)

    def _start(self, scale: StageScale) -> Floats:
        start = self.start.copy()
        if self._heard[0].looked:
            start[-2:] = [1.0, 0.0] if scale is StageScale.STANDARDISED else [0.0, 1.0]
        return start

    def _unused(self, scale: StageScale) -> npt.NDArray[np.bool_]:
        return np.array([name.startswith(SECOND_STAGE) and not name.endswith(scale.value) for name in self.names])

    def combination(self, weights: Floats, scale: StageScale, level: float) -> Combination:
        """Return weights as a combination."""
        by_name = dict(zip(self.names, weights.tolist(), strict=True))
        # A voice that was silent here has no weight, so that a scorer without it can use the combination.
        silent = not self._all.columns[:, FIRST_STAGE.index(RECURRING)].any()
        parts = {name: by_name[name] for name in FIRST_STAGE if name != RECURRING or not silent}
        if self._heard[0].looked:
            parts[SECOND_STAGE] = by_name[f"{SECOND_STAGE} {scale.value}"]
        features = {name: by_name[name] for name in FEATURES if by_name[name]}
        return Combination(weights=parts, features=features, stage_scale=scale, level=level)


def weight_name(name: str) -> bool:
    """Return whether a column has a weight from 0 on; a feature may count against a block."""
    return name in FIRST_STAGE or name.startswith(SECOND_STAGE)


def level_of(heard: Sequence[HeardQuestion], scores: Sequence[Floats]) -> float:
    """Return the level with which one threshold a set keeps least of what holds no evidence.

    Parameters
    ----------
    heard : sequence of HeardQuestion
    scores : sequence of ndarray of float64, shape (n,)
        Logits of each question, best of documents that were held out.

    Returns
    -------
    float
        One of ``LEVELS``; the smallest of equal ones.
    """
    by_set: dict[str, list[tuple[Floats, Floats, float]]] = {}
    for one, logits in zip(heard, scores, strict=True):
        question = one.question
        needed = [max(float(logits[block]) for place in piece for block in place) for piece in question.pieces]
        other = logits[~question.labels & has_text(question)]
        by_set.setdefault(question.set_name, []).append((np.array(needed), other, float(logits.max())))
    kept = [np.mean([_kept(members, level) for members in by_set.values()]) for level in LEVELS]
    return LEVELS[int(np.argmin(np.round(kept, 9)))]


def _kept(members: Sequence[tuple[Floats, Floats, float]], level: float) -> float:
    """Return the mean share of blocks without evidence that one threshold keeps at each recall."""
    needed = np.sort(np.concatenate([found - level * best for found, _, best in members]))
    others = np.sort(np.concatenate([found - level * best for _, found, best in members]))
    shares = []
    for recall in LEVEL_RECALLS:
        at = needed[int(np.floor((1 - recall) * len(needed) + 1e-9))]
        shares.append(1 - np.searchsorted(others, at) / max(1, len(others)))
    return float(np.mean(shares))


def has_text(question: Question) -> npt.NDArray[np.bool_]:
    """Return which blocks of a question's document have text, shape (n,)."""
    return np.array([bool(text.strip()) for text in question.document.texts], bool)


def _importance(heard: Sequence[HeardQuestion]) -> Floats:
    """Return what each question counts: sets alike, and questions of a set alike; they add up to 1."""
    names = [one.question.set_name for one in heard]
    sets, codes, counts = np.unique(names, return_inverse=True, return_counts=True)
    found: Floats = 1.0 / (len(sets) * counts[codes])
    return found


def _plain(looked: bool) -> Combination:
    return Combination(weights={SECOND_STAGE: 1.0} if looked else {})


def _check(heard: Sequence[HeardQuestion], folds: int, ridge: float | None) -> None:
    documents = {one.question.document_key for one in heard}
    if len(documents) < _LEAST_DOCUMENTS:
        raise TrainingRefused(
            f"A combination needs questions with evidence on at least {_LEAST_DOCUMENTS} documents, and these are on "
            f"{counted(len(documents), 'document')}; add questions on others, or do without a combination."
        )
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise InvalidOption(f"folds is {folds!r:.40}; give a whole number from 2 on.")
    if ridge is not None and not (isinstance(ridge, int | float) and 0 < ridge < np.inf):
        raise InvalidOption(f"ridge is {ridge!r:.40}; give a number above 0.")
    if len({one.looked for one in heard}) > 1:
        raise InvalidOption("Some of these questions have a second stage and some have none; hear all of them alike.")


__all__ = ["CombinationFit", "HeardQuestion", "combination_fit", "fit_combination", "hear", "level_of"]
