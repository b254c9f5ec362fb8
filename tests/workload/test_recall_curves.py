"""Curves over cuts: what each would recall and keep on a workload, as the readings themselves do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.strategies import Case, cases
from tests.workload.made_depots import depots_in
from workbench.errors import StaleCalibration
from workbench.reading import SparseReader, Threshold, TokenShare
from workbench.reading.altered import altered
from workbench.reading.basis import Basis
from workbench.reading.reading import reading_of
from workbench.relevance.scores import Scale
from workbench.workload import Gold, Workload, resolve
from workbench.workload.block_fitting import fit_blocks
from workbench.workload.entering import Places, spent_before
from workbench.workload.recall_curves import (
    SHARES,
    THRESHOLDS,
    RecallCurves,
    recall_curves,
)
from workbench.workload.replay import BlockScores, collect_block_scores
from workbench.workload.replay.block_table import RequestScores


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=6)


@pytest.fixture(scope="module")
def plain() -> SparseReader:
    return SparseReader(scorer=None, min_tokens=100)


@pytest.fixture(scope="module")
def scores(workload: Workload, plain: SparseReader) -> BlockScores:
    return collect_block_scores(workload, plain, processes=1, progress=False)


@pytest.fixture(scope="module")
def calibrated(workload: Workload, plain: SparseReader, scores: BlockScores) -> SparseReader:
    fit = fit_blocks(scores, fitted_on=workload.fingerprint)
    kind = scores.requests[0].document_type
    return altered(plain, calibration=fit.calibration, offsets={kind: 0.02})


@pytest.fixture(scope="module")
def curves(workload: Workload, calibrated: SparseReader, scores: BlockScores) -> RecallCurves:
    return recall_curves(workload, calibrated, scores=scores, cross_fit=False, progress=False)


def by_readings(workload: Workload, reader: SparseReader, cut: Threshold | TokenShare) -> tuple[float, float]:
    """Recall and tokens kept by reading every request: the slow way."""
    recalls: dict[str, list[float]] = {}
    kept = total = 0
    for request in workload.requests:
        document = workload.open(request, progress=False)
        reading = reader.read(document, request.question, progress=False).with_cut(cut)
        kept, total = kept + reading.saving.tokens_kept, total + reading.saving.tokens_total
        gold = resolve(request, document)
        if len(gold):
            recall = gold.recall(reading.decision.kept, reading.basis.tokens)
            recalls.setdefault(request.document_key, []).append(recall)
    return float(np.mean([np.mean(found) for found in recalls.values()])), kept / total


@pytest.mark.parametrize(
    "cut", [Threshold(0.02), Threshold(0.3), Threshold(1.0), TokenShare(0.05, 100), TokenShare(0.4, 100)]
)
def test_a_cut_recalls_and_keeps_what_the_readings_at_that_cut_do(
    cut: Threshold | TokenShare, workload: Workload, calibrated: SparseReader, curves: RecallCurves
) -> None:
    recall, kept = by_readings(workload, calibrated, cut)
    found = curves.recall(cut), curves.kept(cut)
    assert found[0] is not None and found[1] is not None
    assert found[0].value == pytest.approx(recall, abs=1e-12)
    assert found[1].value == pytest.approx(kept, abs=1e-12)


def request_of(basis: Basis) -> RequestScores:
    """What a workload knows of a reading's basis."""
    return RequestScores(
        request="r",
        document="d",
        document_type="general",
        split="dev",
        logits=basis.scored.logits,
        weights=np.asarray(basis.structure.weights, np.float64),
        pinned=np.asarray(basis.structure.pinned, np.bool_),
        tokens=basis.tokens,
        eligible=basis.has_text,
        gold=Gold("r", (), (), basis.document.columns.tokens),
    )


@settings(max_examples=150, deadline=None)
@given(cases(), st.floats(0, 1))
def test_a_block_is_kept_down_to_the_threshold_at_which_the_reading_drops_it(case: Case, value: float) -> None:
    basis = case.basis()
    own = np.where(basis.has_text, basis.priority, -np.inf)
    entering = Places(case.document).entering(own, np.asarray(basis.structure.pinned, np.bool_))
    assert ((entering >= value) == reading_of(basis, Threshold(value, case.scale)).decision.kept).all()


@settings(max_examples=150, deadline=None)
@given(cases(), st.floats(0.01, 1), st.sampled_from([0, 20, 3000]))
def test_a_block_is_kept_by_the_shares_by_which_the_reading_keeps_it(case: Case, share: float, least: int) -> None:
    basis = case.basis()
    spent = spent_before(request_of(basis), Places(case.document), basis.scores.relevance, basis.priority)
    cut = TokenShare(share, least)
    kept = reading_of(basis, cut).decision.kept
    assert ((spent < cut.limit(int(basis.tokens.sum()))) == kept).all()


def test_an_uncalibrated_share_keeps_what_the_readings_do(
    workload: Workload, plain: SparseReader, scores: BlockScores
) -> None:
    curves = recall_curves(workload, plain, scores=scores, progress=False)
    recall, kept = by_readings(workload, plain, TokenShare(0.1, 100))
    assert curves.share.level("recall", 0.1).value == pytest.approx(recall)
    assert curves.share.level("kept", 0.1).value == pytest.approx(kept)
    assert curves.threshold is None
    assert curves.recall(Threshold(0.3, Scale.UNCALIBRATED)) is None
    assert curves.split == "out of sample"


def test_a_stricter_cut_never_recalls_or_keeps_more(curves: RecallCurves) -> None:
    assert curves.threshold is not None
    assert (np.diff(curves.threshold.recall) <= 1e-12).all() and (np.diff(curves.threshold.kept) <= 1e-12).all()
    assert (np.diff(curves.share.recall) >= -1e-12).all() and (np.diff(curves.share.kept) >= -1e-12).all()


def test_intervals_hold_their_figures_and_come_from_documents(curves: RecallCurves) -> None:
    for curve in (curves.threshold, curves.share):
        assert curve is not None
        for name in ("recall", "kept"):
            middle, low, high = (getattr(curve, f"{name}{end}") for end in ("", "_low", "_high"))
            assert (low <= middle + 1e-9).all() and (middle <= high + 1e-9).all()
    assert curves.share.documents == 6


def test_maps_that_have_seen_their_document_are_called_in_sample(
    workload: Workload, calibrated: SparseReader, scores: BlockScores, curves: RecallCurves
) -> None:
    assert curves.split == "in sample"
    crossed = recall_curves(workload, calibrated, scores=scores, progress=False)
    assert crossed.split == "out of sample"
    assert crossed.threshold is not None and curves.threshold is not None
    assert (crossed.threshold.kept != curves.threshold.kept).any()
    other = replace(calibrated.calibration, fitted_on="another workload") if calibrated.calibration else None
    elsewhere = recall_curves(workload, altered(calibrated, calibration=other), scores=scores, progress=False)
    assert elsewhere.split == "out of sample"
    assert elsewhere.threshold is not None
    assert (elsewhere.threshold.kept == curves.threshold.kept).all()


def test_a_calibration_of_another_scorer_is_refused(
    workload: Workload, calibrated: SparseReader, scores: BlockScores
) -> None:
    assert calibrated.calibration is not None
    stale = altered(calibrated, calibration=replace(calibrated.calibration, scorer="another"))
    with pytest.raises(StaleCalibration, match="fitted on the scores of another scorer than these; score the workload"):
        recall_curves(workload, stale, scores=scores, progress=False)


def test_two_runs_are_equal_and_plain_values_hold_everything(
    workload: Workload, calibrated: SparseReader, scores: BlockScores, curves: RecallCurves
) -> None:
    again = recall_curves(workload, calibrated, scores=scores, cross_fit=False, progress=False)
    assert again.to_dict() == curves.to_dict()
    plain = curves.to_dict()
    assert plain["threshold"]["at"] == THRESHOLDS.tolist() and plain["share"]["at"] == SHARES.tolist()
    assert (plain["split"], plain["workload"]) == ("in sample", workload.name)
    assert len(curves.to_frame()) == len(THRESHOLDS) + len(SHARES)
    assert list(curves.to_frame().columns[:3]) == ["cut", "at", "recall"]


def test_a_level_between_two_cuts_lies_on_a_straight_line(curves: RecallCurves) -> None:
    share = curves.share
    middle = share.level("kept", 0.155).value
    assert middle == pytest.approx((share.kept[14] + share.kept[15]) / 2)
    assert "%" in str(share.level("kept", 0.155))
