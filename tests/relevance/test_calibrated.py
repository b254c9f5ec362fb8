"""Maps from logits to probabilities rise, know what they were fitted on, and refuse what says nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import CalibrationRefused, StaleCalibration
from workbench.relevance.calibrated import (
    ANY_TYPE,
    WORDS_ALONE,
    Calibration,
    CalibrationMap,
    Method,
    fit_best_map,
    fit_map,
)
from workbench.relevance.scores import RelevanceScores, Scale, sigmoid

METHODS = list(Method)


def drawn(slope: float, bias: float, n: int = 4_000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Logits, and labels that are true with the probability sigmoid(slope * logit + bias)."""
    random = np.random.default_rng(seed)
    logits = random.normal(0, 2, n)
    return logits, random.random(n) < sigmoid(slope * logits + bias)


def scores_of(logits: np.ndarray, scorer: str = "s" * 64) -> RelevanceScores:
    logits = logits.astype(np.float32)
    return RelevanceScores(
        logits=logits,
        relevance=sigmoid(logits),
        scale=Scale.UNCALIBRATED,
        parts={"lexical": logits.copy()},
        share_read=np.ones(len(logits), np.float32),
        scorer=scorer,
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_map_finds_the_probabilities_that_labels_were_drawn_with(method: Method) -> None:
    logits, labels = drawn(0.8, -2.0)
    fitted = fit_map(logits, labels, method=method)
    at = np.linspace(-4.0, 4.0, 41)
    assert np.abs(fitted(at) - sigmoid(0.8 * at - 2.0)).mean() < 0.05
    assert (fitted.blocks, fitted.positives) == (4_000, int(labels.sum()))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-50, 50), st.booleans()), min_size=12, max_size=60),
    st.lists(st.floats(-80, 80), min_size=2, max_size=20),
    st.sampled_from(METHODS),
)
def test_a_map_never_falls_and_stays_a_probability(
    rows: list[tuple[float, bool]], at: list[float], method: Method
) -> None:
    logits, labels = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    try:
        fitted = fit_map(logits, labels, method=method)
    except CalibrationRefused:
        return
    values = fitted(np.sort(np.array(at)))
    assert (np.diff(values) >= 0).all()
    assert ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize(("rare", "far", "spread"), [(2e-3, 20, 1), (2e-3, 8, 3), (1e-3, 12, 6), (0.2, 2, 1)])
def test_the_line_is_the_likeliest_one_also_where_evidence_is_one_block_in_a_thousand(
    rare: float, far: float, spread: float
) -> None:
    random = np.random.default_rng(3)
    labels = np.arange(300_000) < 300_000 * rare
    rest = random.normal(0, 0.4, 300_000) + random.exponential(0.2, 300_000)
    logits = np.where(labels, random.normal(far, spread, 300_000), rest)
    fitted = fit_map(logits, labels)
    positives, others = labels.sum(), (~labels).sum()
    target = np.where(labels, (positives + 1) / (positives + 2), 1 / (others + 2))
    miss = fitted(logits) - target
    assert abs(miss.sum()) < 0.05
    assert abs((miss * logits).sum()) < 0.05


def test_isotonic_steps_are_the_means_of_pooled_labels() -> None:
    logits = np.arange(12.0)
    labels = np.array([0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1], bool)
    fitted = fit_map(logits, labels, method="isotonic")
    assert fitted(np.array([2.0, 4.0, 5.0, 6.0, 9.0])).tolist() == [0.0, 1 / 3, 1 / 3, 1 / 3, 1.0]


def test_labels_that_scores_separate_still_give_a_finite_map() -> None:
    fitted = fit_map(np.arange(100.0), np.arange(100) >= 50)
    slope, bias = fitted.values
    assert np.isfinite([slope, bias]).all()
    assert 0.5 < fitted(np.array([51.0]))[0] < 1.0


@pytest.mark.parametrize("method", METHODS)
def test_constant_scores_are_refused(method: Method) -> None:
    with pytest.raises(CalibrationRefused, match=r"The scores of all 40 blocks are \(nearly\) the same, 0.500"):
        fit_map(np.full(40, 0.5), np.arange(40) % 2 == 0, method=method)


@pytest.mark.parametrize(
    ("logits", "labels", "message"),
    [
        (np.arange(9.0), np.zeros(9, bool), "There are 0 blocks with evidence, and a calibration needs at least 5"),
        (np.arange(9.0), np.ones(9, bool), "There are 0 blocks without evidence"),
        (np.arange(9.0), np.ones(8, bool), r"Scores of shape \(9,\) and labels of shape \(8,\)"),
        (np.array([np.nan] * 20), np.arange(20) > 9, "Some scores are not finite"),
        (-np.arange(40.0), np.arange(40) > 19, "do not score higher than the others"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(logits: np.ndarray, labels: np.ndarray, message: str) -> None:
    with pytest.raises(CalibrationRefused, match=message):
        fit_map(logits, labels)


def test_an_isotonic_map_that_would_be_flat_is_refused() -> None:
    with pytest.raises(CalibrationRefused, match=r"Every block would get the probability 0\.500"):
        fit_map(-np.arange(40.0), np.arange(40) > 19, method="isotonic")


@pytest.fixture
def calibration() -> Calibration:
    logits, labels = drawn(1.0, -2.0)
    return Calibration("s" * 64, {"legal": fit_map(logits, labels, documents=3)}, "workload-1")


def test_calibrated_scores_say_so(calibration: Calibration) -> None:
    scores = scores_of(np.array([3.0, -1.0]))
    mapped = calibration.apply(scores, "legal")
    assert mapped.scale is Scale.CALIBRATED
    assert mapped.calibration == calibration.fingerprint
    assert mapped.relevance.tolist() == calibration.maps["legal"](scores.logits).tolist()
    assert scores.scale is Scale.UNCALIBRATED


def test_a_type_without_a_map_stays_uncalibrated_and_says_why(calibration: Calibration) -> None:
    mapped = calibration.apply(scores_of(np.array([3.0, -1.0])), "medical")
    assert mapped.scale is Scale.UNCALIBRATED
    assert mapped.notes == ("No calibration for medical documents (there is one for: legal); scores are uncalibrated.",)


def test_a_map_for_any_type_serves_the_others(calibration: Calibration) -> None:
    wide = Calibration(calibration.scorer, {ANY_TYPE: calibration.maps["legal"]}, "workload-1")
    assert wide.apply(scores_of(np.array([3.0])), "medical").scale is Scale.CALIBRATED


def test_scores_of_words_alone_have_maps_of_their_own(calibration: Calibration) -> None:
    words = replace(scores_of(np.array([3.0, -1.0])), words_alone=True)
    assert calibration.apply(words, "legal").scale is Scale.UNCALIBRATED
    own = CalibrationMap(Method.TEMPERATURE, (), (0.5, 0.0), 10, 5)
    both = Calibration(calibration.scorer, {**calibration.maps, WORDS_ALONE + ANY_TYPE: own}, "dev")
    mapped = both.apply(words, "legal")
    assert mapped.scale is Scale.CALIBRATED
    assert mapped.relevance.tolist() == own(words.logits).tolist()
    assert both.apply(scores_of(words.logits), "legal").formula == calibration.maps["legal"].formula


def test_scores_of_another_model_are_refused(calibration: Calibration) -> None:
    with pytest.raises(StaleCalibration, match="on the scores of ssssssssssss, but these come from tttttttttttt"):
        calibration.apply(scores_of(np.array([3.0]), scorer="t" * 64), "legal")


@pytest.mark.parametrize("method", METHODS)
def test_a_calibration_survives_json(method: Method) -> None:
    logits, labels = drawn(1.0, -2.0, n=300)
    before = Calibration("s" * 64, {"legal": fit_map(logits, labels, method=method)}, "workload-1")
    after = Calibration.from_json(before.to_json())
    assert after.fingerprint == before.fingerprint
    assert np.array_equal(after.maps["legal"](logits), before.maps["legal"](logits))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"maps": {"a": 3}}', '{"scorer": 1, "fitted_on": 2, "maps": []}'])
def test_what_is_no_calibration_is_refused(text: str) -> None:
    with pytest.raises(StaleCalibration, match="This is no calibration of this version"):
        Calibration.from_json(text)


def test_equal_fits_have_equal_fingerprints_and_others_do_not() -> None:
    one, other = (CalibrationMap(Method.TEMPERATURE, (), (slope, -1.0), 10, 5) for slope in (1.0, 2.0))
    assert Calibration("s", {"a": one}, "w").fingerprint == Calibration("s", {"a": one}, "w").fingerprint
    assert Calibration("s", {"a": one}, "w").fingerprint != Calibration("s", {"a": other}, "w").fingerprint


def stepped_blocks(documents: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Blocks whose chance of evidence is no logistic line: none, then a plateau, then nearly all."""
    chance = np.random.default_rng(0)
    logits = chance.uniform(-3, 3, 60 * documents)
    rate = np.where(logits < -1, 0.01, np.where(logits < 2.5, 0.3, 0.95))
    return logits, chance.random(len(logits)) < rate, np.repeat(np.arange(documents), 60)


def test_steps_are_taken_where_held_out_documents_carry_them() -> None:
    logits, labels, documents = stepped_blocks(40)
    found = fit_best_map(logits, labels, documents, questions=7)
    assert (found.method, found.questions, found.documents) == (Method.ISOTONIC, 7, 40)
    grid = np.linspace(logits.min(), logits.max(), 500)
    assert (np.diff(found(grid)) > 0).all()
    assert found(np.array([0.0]))[0] == pytest.approx(0.3, abs=0.08)


def test_a_line_stays_where_evidence_is_rare_or_a_line_fits() -> None:
    few = fit_best_map(*stepped_blocks(5))
    assert few.method is Method.TEMPERATURE
    chance = np.random.default_rng(1)
    logits = chance.normal(size=4_000)
    labels = chance.random(4_000) < 1 / (1 + np.exp(2 - logits))
    found = fit_best_map(logits, labels, np.repeat(np.arange(40), 100))
    assert found.method is Method.TEMPERATURE
    assert found == replace(fit_map(logits, labels), documents=40)


def test_rising_steps_go_on_rising_beyond_the_logits_that_they_were_fitted_on() -> None:
    drawn = np.random.default_rng(0)
    documents = np.repeat(np.arange(40), 500)
    logits = drawn.normal(size=len(documents))
    labels = drawn.random(len(documents)) < np.where(logits > 1, 0.4, 0.01)
    fitted = fit_best_map(logits, labels, documents)
    assert fitted.method is Method.ISOTONIC
    above = fitted(logits.max() + np.array([0.0, 0.5, 1.0, 2.0, 4.0]))
    below = fitted(logits.min() - np.array([0.0, 0.5, 1.0, 2.0, 4.0]))
    assert (np.diff(above) > 0).all() and (np.diff(below) < 0).all()
    assert below.min() >= 0 and above.max() <= 1
