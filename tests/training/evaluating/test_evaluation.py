"""What scorers are worth, from scores that are set by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.made_questions import HandScores, asked, pages
from workbench.errors import InvalidOption, TrainingRefused
from workbench.reading import SparseReader
from workbench.structure import RuleTable
from workbench.training.evaluating import Evaluation, Things, evaluate_classifier
from workbench.training.evaluating.ranking import average_precision, needed_for, recalled_at, shares_of
from workbench.training.question import Question

TEN = ("Ten words stand in this block and no more here.",) * 5
GOOD, BAD = [0.9, 0.5, 0.4, 0.3, 0.2], [0.2, 0.5, 0.4, 0.3, 0.9]


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    """Evidence is in the first block; in the second question also in the third."""
    some = []
    for rank, kind in enumerate(("legal", "legal", "technical")):
        document = pages(*TEN, name=f"d{rank}.txt", document_type=kind)
        pieces = (0, 2) if rank == 1 else (0,)
        some.append(asked(document, f"What is said in {rank}?", *pieces, set_name=f"set {rank % 2}"))
    return some


@pytest.fixture(scope="module")
def found(questions: list[Question]) -> Evaluation:
    scorers = {
        "bad": HandScores(d0=BAD, d1=BAD, d2=BAD),
        "good": HandScores(d0=GOOD, d1=GOOD, d2=BAD),
    }
    return evaluate_classifier(questions, scorers, progress=False)


def test_figures_are_those_of_a_count_by_hand(found: Evaluation) -> None:
    frame = found.to_frame()
    overall = frame[(frame["by"] == "all") & (frame["scorer"] == "good")].iloc[0]
    assert (overall["questions"], overall["documents"], overall["things"]) == (3, 3, 4)
    # Pieces need 20, 20, 60 and 100 percent of the tokens.
    assert overall["recall_20"] == pytest.approx(50.0)
    assert overall["tokens_95"] == pytest.approx(100.0)
    assert overall["average_precision"] == pytest.approx((100 + 100 * (1 + 2 / 3) / 2 + 20) / 3)
    assert overall["tokens_95_low"] <= overall["tokens_95"] <= overall["tokens_95_high"]
    assert math.isnan(overall["recall"])
    assert math.isnan(overall["calibration_error"]) is False  # the scores by hand say that they are calibrated


def test_figures_are_given_by_set_type_and_language_where_there_are_several(found: Evaluation) -> None:
    frame = found.to_frame()
    groups = frame[["by", "group"]].drop_duplicates().itertuples(index=False, name=None)
    assert list(groups) == [
        ("all", "all"),
        ("set", "set 0"),
        ("set", "set 1"),
        ("document type", "legal"),
        ("document type", "technical"),
    ]
    one = found.figure("good", "tokens_95", by="set", group="set 1")
    assert (one.value, math.isnan(one.low)) == (60.0, True)
    with pytest.raises(InvalidOption, match=r"^There is no figure 'f1' of 'good' for all 'all'; the scorers are bad, "):
        found.figure("good", "f1")


def test_scorers_are_compared_on_the_same_documents(found: Evaluation) -> None:
    rows = found.compared("good", "bad", recall=0.5)
    overall = rows[rows["by"] == "all"].iloc[0]
    assert (overall["scorer"], overall["against"], overall["difference"]) == (20.0, 100.0, -80.0)
    assert overall["difference_low"] <= overall["difference"] <= overall["difference_high"]


def test_mistakes_are_missed_evidence_and_what_ranks_above_it(found: Evaluation, questions: list[Question]) -> None:
    mistakes = found.mistakes_of("good")
    kept = mistakes[mistakes["kind"] == "kept"]
    assert set(kept["question"]) == {questions[2].id}
    assert kept["block"].tolist() == [4, 1, 2]
    assert mistakes[mistakes["kind"] == "missed"].empty
    assert found.mistakes.equals(mistakes)
    assert mistakes["quote"].str.startswith("Ten words").all()


def test_a_reader_has_its_cut_judged(questions: list[Question]) -> None:
    scorer = HandScores(d0=GOOD, d1=GOOD, d2=BAD)
    reader = SparseReader(scorer=scorer, rules=RuleTable("none"), threshold=0.45)
    found = evaluate_classifier(questions, {"reader": reader}, progress=False)
    overall = found.to_frame().iloc[0]
    # Two of five blocks are kept: pieces 0 and 0 are found, 2 and the last 0 are missed.
    assert overall["recall"] == pytest.approx(50.0)
    assert overall["tokens_kept"] == pytest.approx(40.0)
    assert overall["dropped"] == pytest.approx(100 * (3 + 2 + 2) / (4 + 3 + 4))
    assert overall["accuracy"] == pytest.approx(100 * (4 + 3 + 2) / 15)
    missed = found.mistakes[found.mistakes["kind"] == "missed"]
    assert missed[["question", "block"]].values.tolist() == [[questions[1].id, 2], [questions[2].id, 0]]


def test_things_to_recall_are_pieces_questions_or_halves(questions: list[Question]) -> None:
    scorer = {"good": HandScores(d0=GOOD, d1=GOOD, d2=BAD)}
    counts = {
        kind: evaluate_classifier(questions, scorer, things=kind, progress=False).to_frame().iloc[0]
        for kind in ("pieces", "questions", "halves")
    }
    assert [row["things"] for row in counts.values()] == [4, 3, 4]
    assert counts["questions"]["recall_20"] == pytest.approx(200 / 3)
    assert counts["halves"]["recall_20"] == counts["pieces"]["recall_20"]


def test_calibrated_probabilities_are_compared_with_what_is_there(found: Evaluation) -> None:
    bins = found.reliability("good")
    assert bins["blocks"].sum() == 15
    assert bins["low"].is_monotonic_increasing
    by_hand = np.abs(bins["probability"] - bins["evidence"]) @ bins["blocks"] / bins["blocks"].sum()
    assert found.figure("good", "calibration_error").value == pytest.approx(100 * by_hand)


def test_the_report_is_inert_in_a_notebook(found: Evaluation) -> None:
    said = found.report()
    assert said.startswith("3 questions on 3 documents; recalled are pieces.\n\nALL: 3 questions, 3 documents\n")
    assert "document type technical: 1 question, 1 document" in said
    assert max(map(len, said.splitlines())) <= 120
    hostile = evaluate_classifier(found.questions, {"<b>$5": HandScores(d0=GOOD, d1=GOOD, d2=BAD)}, progress=False)
    assert "<b>" not in hostile._repr_html_().replace("<pre class='mathjax_ignore tex2jax_ignore'>", "")
    assert repr(found) == "Evaluation(bad, good; 3 questions on 3 documents)"


def test_what_cannot_be_judged_is_refused(questions: list[Question]) -> None:
    with pytest.raises(InvalidOption, match=r"^There is no scorer to evaluate; give at least one by its name\.$"):
        evaluate_classifier(questions, {})
    with pytest.raises(InvalidOption, match=r"^things is 'blocks'; choose from 'pieces', 'questions', 'halves'\.$"):
        evaluate_classifier(questions, {"a": HandScores()}, things="blocks")
    nothing = asked(questions[0].document, "Is there nothing?")
    with pytest.raises(TrainingRefused, match=r"^No question has evidence in its document, so nothing can be "):
        evaluate_classifier([nothing], {"a": HandScores()})


def test_chinese_questions_are_a_group_of_their_own(questions: list[Question]) -> None:
    document = pages("备份每天进行。", "天气很好。", name="zh.txt", language="zh")
    some = [*questions, asked(document, "何时备份?", 0)]
    scorer = HandScores(d0=GOOD, d1=GOOD, d2=BAD, zh=[0.9, 0.1])
    frame = evaluate_classifier(some, {"a": scorer}, progress=False).to_frame()
    rows = frame[frame["by"] == "language"].set_index("group")
    assert rows["questions"].to_dict() == {"en": 3, "zh": 1}
    assert isinstance(frame, pd.DataFrame)


shares = st.lists(st.floats(0, 100), min_size=1, max_size=30)


@given(shares)
def test_the_share_that_is_needed_reaches_the_recall(values: list[float]) -> None:
    share, once = np.array(values), np.ones((1, len(values)))
    for recall in (0.5, 0.95, 1.0):
        needed = float(needed_for(share, recall, once)[0])
        assert recalled_at(share, needed, once)[0] >= 100 * recall - 1e-6


@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(1, 50)), min_size=1, max_size=20))
def test_shares_rise_from_the_best_block_to_all_tokens(blocks: list[tuple[float, int]]) -> None:
    scores, tokens = (np.array(values) for values in zip(*blocks, strict=True))
    found = shares_of(scores, tokens)
    assert found.max() == pytest.approx(100.0)
    assert all(
        found[one] <= found[other]
        for one in range(len(found))
        for other in range(len(found))
        if scores[one] > scores[other]
    )


def test_the_average_precision_of_no_evidence_is_unknown() -> None:
    assert math.isnan(average_precision([1.0, 2.0], np.zeros(2, bool)))
    assert Things("halves") is Things.HALVES
