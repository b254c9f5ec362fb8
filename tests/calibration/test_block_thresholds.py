"""A threshold for a recall floor, from a table of scores, with its promise."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.calibration.block_fits import Evidence, Kept, control
from workbench.calibration.block_thresholds import BlockThreshold, fit_threshold
from workbench.calibration.risk import crc_threshold
from workbench.calibration.score_tables import checked_scores
from workbench.calibration.type_offsets import LARGEST_OFFSET
from workbench.errors import CalibrationRefused, InvalidOption, Unreachable

COLUMNS = ["question", "document", "block", "score", "label"]


def table(rows: list[tuple[object, ...]], columns: list[str] | None = None) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=columns or COLUMNS)


def drawn(documents: int, seed: int, *, shift: float = 0.0, kind: str = "general") -> pd.DataFrame:
    """Documents with three questions of ten blocks, two of them evidence; how easy they are differs by document."""
    chance = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        ease = chance.normal(1.5, 0.7) + shift
        for question in range(3):
            for block in range(10):
                score = 1 / (1 + np.exp(-chance.normal(ease if block < 2 else -1.0)))
                rows.append((f"q{question}", f"{kind}-{seed}-{document}", block, score, block < 2, kind, 100))
    return table(rows, [*COLUMNS, "document_type", "tokens"])


def mean_recall(scores: pd.DataFrame, threshold: float) -> float:
    """By hand: the mean over documents of the mean over questions of the share of labelled blocks kept."""
    labelled = scores[scores["label"]]
    kept = (labelled["score"] >= threshold).groupby([labelled["document"], labelled["question"]]).mean()
    return float(kept.groupby(level=0).mean().mean())


def test_the_threshold_is_the_highest_that_meets_the_floor() -> None:
    scores = drawn(30, seed=1)
    fitted = fit_threshold(scores, recall=0.9)
    assert not fitted.promised or mean_recall(scores, fitted.threshold) >= 0.9
    higher = sorted(score for score in scores.loc[scores["label"], "score"] if score > fitted.threshold)[0]
    n = 30
    assert (n * (1 - mean_recall(scores, higher)) + 1) / (n + 1) > 0.1
    assert fitted.in_sample.value == pytest.approx(mean_recall(scores, fitted.threshold))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 6), st.booleans()), min_size=2, max_size=30
    ),
    st.sampled_from([0.2, 0.5, 0.7]),
)
def test_the_promise_is_that_of_conformal_risk_control_over_all_thresholds(
    rows: list[tuple[int, int, int, bool]], alpha: float
) -> None:
    numbered = [
        (f"q{question}", f"d{document}", rank, float(score), label)
        for rank, (document, question, score, label) in enumerate(rows)
    ]
    if not any(row[4] for row in numbered):
        return
    scores = checked_scores(table(numbered))
    evidence = Evidence.of(scores)
    found, risk = control(evidence, alpha)
    # The family of the paper: thresholds from the highest to the lowest, one row of losses a document.
    thresholds = sorted({row[3] for row in numbered if row[4]}, reverse=True)
    frame = table(numbered)
    documents = sorted({row[1] for row in numbered if row[4]})
    losses = [
        [1 - mean_recall(frame[frame["document"] == document], threshold) for threshold in thresholds]
        for document in documents
    ]
    oracle = crc_threshold(losses, alpha)
    assert found == (None if oracle.index is None else thresholds[oracle.index])
    assert risk.reachable == pytest.approx(oracle.reachable)
    assert risk.documents_needed == oracle.documents_needed


def test_on_new_documents_the_floor_holds_on_average() -> None:
    recalls = []
    for seed in range(120):
        fitted = fit_threshold(drawn(24, seed=1000 + seed), recall=0.9, folds=2, resamples=10)
        assert fitted.promised
        recalls.append(mean_recall(drawn(24, seed=9000 + seed), fitted.threshold))
    assert np.mean(recalls) >= 0.9 - 2 * np.std(recalls) / np.sqrt(len(recalls))
    assert np.mean(recalls) < 0.94


def test_with_few_documents_nothing_is_promised_and_the_report_says_what_it_would_take() -> None:
    fitted = fit_threshold(drawn(8, seed=3), recall=0.95)
    assert not fitted.promised
    assert fitted.risk.documents_needed == 19
    assert fitted.risk.reachable == pytest.approx(1 / 9)
    report = " ".join(fitted.report().split())
    assert (
        "NO PROMISE with 8 documents the best floor that can be promised is 88.9 %; it would take 19 documents"
        in report
    )
    assert fitted.in_sample.value >= 0.95


def test_figures_out_of_sample_say_where_the_folds_are_too_few_for_the_promise() -> None:
    few, many = fit_threshold(drawn(20, seed=3), recall=0.95), fit_threshold(drawn(40, seed=3), recall=0.95)
    assert few.promised and many.promised
    assert few.notes[0].startswith("Out of sample the documents of the other folds are too few for the promise")
    assert not any("too few for the promise" in note for note in many.notes)


def test_a_floor_out_of_reach_names_the_best_that_is_reachable() -> None:
    scores = table([("q", "d", block, float(block), block == 2) for block in range(4)])
    never = pd.DataFrame({"question": ["q", "q"], "document": ["d", "d"], "piece": [0, 1], "score": [2.0, -np.inf]})
    with pytest.raises(Unreachable) as caught:
        fit_threshold(scores, recall=0.9, evidence=never)
    assert str(caught.value) == (
        "No threshold recalls 0.9 of the evidence: 1 piece of 2 is recalled at none, so 0.5 is the best reachable; "
        "lower the floor, or look at what has no score."
    )


def test_blocks_with_the_score_of_the_threshold_are_all_kept_and_counted() -> None:
    scores = table(
        [("q", f"d{d}", block, 1.0 if block < 3 else 0.0, block == 0) for d in range(30) for block in range(6)]
    )
    fitted = fit_threshold(scores, recall=0.9)
    assert fitted.threshold == 1.0
    assert fitted.tied_blocks == 90
    assert fitted.kept_in_sample.value == pytest.approx(0.5)
    assert "ties           90 blocks score exactly the threshold, and all are kept" in fitted.report()


def test_pinned_blocks_are_kept_whatever_they_score() -> None:
    rows = [("q", f"d{d}", block, 0.1 * block, block == 0, block == 0) for d in range(25) for block in range(6)]
    fitted = fit_threshold(table(rows, [*COLUMNS, "pinned"]), recall=0.9)
    assert fitted.in_sample.value == 1.0
    assert fitted.threshold == pytest.approx(0.5)


def two_types() -> pd.DataFrame:
    return pd.concat([drawn(20, seed=1, kind="legal"), drawn(20, seed=2, shift=1.5, kind="technical")])


def test_document_types_get_offsets_within_the_limit_where_scores_are_probabilities() -> None:
    fitted = fit_threshold(two_types(), recall=0.98)
    assert not fitted.promised
    assert set(fitted.offsets) == {"legal", "technical"}
    assert -LARGEST_OFFSET <= fitted.offsets["legal"] < 0 < fitted.offsets["technical"] <= LARGEST_OFFSET
    spread = fitted.by_type[["recall", "recall_with_offset"]].std(ddof=0)
    assert spread["recall_with_offset"] < spread["recall"]
    assert "91.3 +- 0.5 %, accuracy across types." in fitted.report()


def test_under_a_promise_an_offset_may_only_keep_more() -> None:
    fitted = fit_threshold(two_types(), recall=0.9)
    assert fitted.promised
    assert fitted.offsets["technical"] == 0
    assert fitted.offsets["legal"] <= 0


def test_scores_on_another_scale_have_no_offsets() -> None:
    scores = two_types()
    scores["score"] = 10 * scores["score"] - 4
    fitted = fit_threshold(scores, recall=0.9)
    assert fitted.offsets == {}
    assert "The scores are no probabilities, so document types have no offsets." in fitted.notes


def test_the_threshold_does_not_depend_on_the_order_of_the_rows() -> None:
    scores = drawn(12, seed=5)
    shuffled = scores.sample(frac=1.0, random_state=1)
    assert fit_threshold(shuffled, recall=0.8).report() == fit_threshold(scores, recall=0.8).report()


def test_one_document_has_no_figures_out_of_sample() -> None:
    fitted = fit_threshold(drawn(1, seed=5), recall=0.5)
    assert np.isnan(fitted.out_of_sample.value)
    assert "recall         not known out of sample" in fitted.report()


def test_questions_without_evidence_count_in_tokens_alone() -> None:
    scores = drawn(20, seed=6)
    silent = scores[scores["document"] == scores["document"].iloc[0]].assign(document="silent", label=False)
    with_silent = fit_threshold(pd.concat([scores, silent]), recall=0.9)
    assert with_silent.threshold == fit_threshold(scores, recall=0.9).threshold
    assert with_silent.counts.questions_without_evidence == 3
    assert with_silent.counts.documents == 21


def test_constant_scores_and_missing_labels_are_refused() -> None:
    constant = table([("q", "d", block, 0.5, block == 0) for block in range(4)])
    with pytest.raises(
        CalibrationRefused, match=r"^All 4 blocks have the score 0\.5: a threshold would keep all or none"
    ):
        fit_threshold(constant)
    with pytest.raises(CalibrationRefused, match=r"^No block is labelled as evidence"):
        fit_threshold(constant.assign(label=False))
    with pytest.raises(InvalidOption, match=r"^recall is 1; give a number between 0 and 1\.$"):
        fit_threshold(drawn(3, seed=1), recall=1)


def test_the_report_fits_a_terminal_and_is_inert_in_a_notebook() -> None:
    fitted: BlockThreshold = fit_threshold(drawn(20, seed=7).assign(document_type="<b>legal"), recall=0.9)
    assert max(map(len, fitted.report().splitlines())) <= 80
    assert "<b>" not in fitted._repr_html_()
    assert repr(fitted).startswith("BlockThreshold(0.")
    assert list(fitted.to_frame().columns) == ["recall", "threshold", "kept_share", "precision"]


def test_what_a_threshold_keeps_falls_as_it_rises() -> None:
    kept = Kept.of(checked_scores(drawn(10, seed=8)))
    shares = kept.share(np.linspace(0, 1, 50))
    assert (np.diff(shares) <= 0).all()
    assert shares[0] == 1.0
