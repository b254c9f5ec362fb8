"""Choosing among readers, judged with the choice included."""

from __future__ import annotations

import pytest

from tests.calibration.made import table, workload
from workbench.calibration.choosing import choose
from workbench.errors import InvalidOutcomes


def test_the_candidate_that_saves_most_within_the_tolerance_is_chosen() -> None:
    good = workload(seed=1)
    dear = good.assign(tokens_sparse=good["tokens_sparse"] * 1.5)
    lossy = good.assign(tokens_sparse=good["tokens_sparse"] * 0.5, quality_sparse=0.4)
    choice = choose({"dear": dear, "good": good, "lossy": lossy}, quality_tolerance=0.02)
    assert choice.name == "good"
    assert choice.chosen_in_folds == ("good",) * 5
    frame = choice.to_frame().set_index("candidate")
    assert frame["chosen"].tolist() == [False, True, False]
    assert frame.loc["lossy", "token_reduction"] < frame.loc["good", "token_reduction"]


def test_the_headline_is_out_of_sample_and_names_how() -> None:
    choice = choose({"one": workload(seed=2)}, quality_tolerance=0.02)
    figure = choice.headline[0]
    assert (figure.name, figure.split) == ("token reduction", "out of sample")
    assert figure.basis == "5 folds by document, the reader chosen anew in each"
    assert figure.low is not None and figure.high is not None and figure.low < figure.level < figure.high


def test_a_candidate_that_shines_on_some_documents_is_judged_on_the_others() -> None:
    """Each candidate is best on half of the documents: what the choice gains in sample is not gained elsewhere."""
    base = workload(requests=600, documents=60, seed=3)
    names = sorted(base["document"].unique())
    lucky = base["document"].isin(names[::2])
    one = base.assign(tokens_sparse=base["tokens_sparse"].where(lucky, base["tokens_native"]))
    two = base.assign(tokens_sparse=base["tokens_sparse"].where(~lucky, base["tokens_native"]))
    choice = choose({"one": one, "two": two}, quality_tolerance=0.02)
    best = max(figures[0].level for figures in choice.candidates.values())
    assert choice.headline[0].level <= best + 0.02


def test_the_choice_does_not_depend_on_what_the_rows_are_labelled_with() -> None:
    outcomes = workload(seed=4)
    odd = outcomes.set_index(outcomes.index * 7 + 3)
    assert (
        choose({"a": odd}, quality_tolerance=0.02).headline == choose({"a": outcomes}, quality_tolerance=0.02).headline
    )


def test_one_document_has_a_choice_and_no_headline() -> None:
    rows = table([[0.9, 0.1, 0.1], [0.8, 0.1, 0.1]], [9000, 9000], [900, 900], [0, 0], documents=["a", "a"])
    choice = choose({"only": rows}, quality_tolerance=0.0)
    assert (choice.name, choice.headline, choice.chosen_in_folds) == ("only", (), ())


def test_candidates_about_other_requests_are_refused() -> None:
    with pytest.raises(
        InvalidOutcomes, match=r"^The candidates are about different requests; replay the same workload"
    ):
        choose({"a": workload(seed=1), "b": workload(requests=10, seed=1)}, quality_tolerance=0.1)
    with pytest.raises(InvalidOutcomes, match=r"^There are no outcomes to choose from"):
        choose({}, quality_tolerance=0.1)


def test_requests_without_found_evidence_decide_nothing() -> None:
    good = workload(seed=1)
    lost = good.assign(evidence=1, evidence_unresolved=[int(row % 4 == 0) for row in range(len(good))])
    lost = lost.assign(quality_kind="evidence recall")
    known = good[lost["evidence_unresolved"] == 0]
    assert choose({"one": lost}, quality_tolerance=0.02) == choose({"one": known}, quality_tolerance=0.02)


def test_a_candidate_that_saves_a_little_more_by_luck_does_not_replace_the_first() -> None:
    base = workload(seed=5)
    names = sorted(base["document"].unique())
    lucky = base["document"].isin(names[:2])
    other = base.assign(tokens_sparse=base["tokens_sparse"].where(~lucky, base["tokens_sparse"] * 0.8))
    assert choose({"first": base, "lucky": other}, quality_tolerance=0.02).name == "first"
    clear = base.assign(tokens_sparse=base["tokens_sparse"] * 0.7)
    assert choose({"first": base, "clear": clear}, quality_tolerance=0.02).name == "clear"
