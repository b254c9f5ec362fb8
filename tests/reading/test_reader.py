"""The reader: what is asked of it, what it says of the scale, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.reading.made import CHINESE, ByHand, Made, SharedWords, manual, scores_of
from workbench.documents import Document
from workbench.errors import InvalidOption, InvalidQuestion, InvalidRules, ScaleMismatch, StaleCalibration
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.reader import SparseReader
from workbench.reading.reading import reading_of
from workbench.relevance.calibrated import Calibration, fit_map
from workbench.relevance.scores import RelevanceScores, Scale, Scope
from workbench.structure import Match, Rule, RuleTable

NO_RULES = RuleTable("none")
RISING = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def reader_of(relevance: list[float], scale: Scale = Scale.CALIBRATED, **options: Any) -> SparseReader:
    return SparseReader(scorer=ByHand(relevance, scale), **({"rules": NO_RULES} | options))


def test_calibrated_scores_are_cut_at_the_seeds_threshold_unless_another_is_named() -> None:
    document = manual()
    assert reader_of(RISING).read(document, "What?").kept_ids == (7, 8, 9)
    reading = reader_of(RISING).read(document, "What?")
    assert (reading.threshold, reading.offset, reading.bound, reading.notes) == (0.65, 0.0, "threshold", ())
    assert reader_of(RISING, threshold=0.85).read(document, "What?").kept_ids == (9,)
    assert reader_of(RISING).read(document, "What?", threshold=0.75).kept_ids == (8, 9)


def test_uncalibrated_scores_are_cut_by_a_share_of_the_tokens_and_the_reading_says_so() -> None:
    document = manual()
    reading = reader_of(RISING, Scale.UNCALIBRATED, token_share=0.1, min_tokens=5).read(document, "What?")
    assert reading.kept_ids == (9,) and reading.bound == "token share" and reading.threshold == 0.9
    assert reading.notes == (
        "The scores are uncalibrated, so the cut is a share of the tokens: the best 10 % of the tokens, at least 5.",
    )
    assert reader_of(RISING, Scale.UNCALIBRATED).read(document, "What?", token_share=0.1).cut == TokenShare(0.1, 3_000)


def test_a_small_document_is_kept_whole_and_the_reading_says_so() -> None:
    reading = reader_of(RISING, Scale.UNCALIBRATED).read(manual(), "What?")
    assert len(reading.kept_ids) == 9 and reading.context_ids == (0,) and reading.saving.share_skipped == 0
    assert reading.notes[1] == (
        "The document has 67 tokens, not more than the 3,000 that are kept in any case, so all of it is kept."
    )
    assert str(reading.saving).startswith("67 of 67 tokens kept, nothing skipped; ")


def test_a_threshold_on_uncalibrated_scores_must_be_meant() -> None:
    document, reader = manual(), reader_of(RISING, Scale.UNCALIBRATED)
    with pytest.raises(ScaleMismatch, match="say that you mean it with Threshold"):
        reader.read(document, "What?", threshold=0.65)
    with pytest.raises(ScaleMismatch, match=r"The threshold 0\.65 is meant for calibrated relevance"):
        reader_of(RISING, Scale.UNCALIBRATED, threshold=0.65).read(document, "What?")
    meant = Threshold(0.65, scale=Scale.UNCALIBRATED)
    reading = reader.read(document, "What?", threshold=meant)
    assert reading.kept_ids == (7, 8, 9)
    assert reading.notes == (
        "The threshold 0.65 on uncalibrated scores is a position in this reading only: it means nothing on another "
        "document.",
    )
    assert reader.read(document, "What?").with_threshold(meant).kept_ids == (7, 8, 9)
    with pytest.raises(ScaleMismatch):
        reading.with_threshold(0.65)
    assert reader_of(RISING, Scale.UNCALIBRATED, threshold=meant).read(document, "What?").kept_ids == (7, 8, 9)


def test_the_offset_of_the_documents_type_moves_the_threshold() -> None:
    document = manual(document_type="legal")
    reader = reader_of(RISING, offsets={"legal": 0.06, "medical": -0.08})
    reading = reader.read(document, "What?")
    assert (reading.threshold, reading.offset, reading.kept_ids) == (0.65, 0.06, (8, 9))
    assert reading.with_threshold(0.55).kept_ids == (7, 8, 9)
    assert reader.read(manual(document_type="medical"), "What?").kept_ids == (6, 7, 8, 9)
    uncalibrated = reader_of(RISING, Scale.UNCALIBRATED, offsets={"legal": 0.06}).read(document, "What?")
    assert uncalibrated.offset == 0.0


def test_a_calibration_makes_the_scores_probabilities() -> None:
    logits = np.linspace(0, 1, 40)
    calibration = Calibration("by hand", {"legal": fit_map(logits, logits > 0.55)}, "a workload")
    reader = reader_of(RISING, Scale.UNCALIBRATED, calibration=calibration, threshold=0.5)
    legal = reader.read(manual(document_type="legal"), "What?")
    assert legal.scores.scale is Scale.CALIBRATED and legal.kept_ids == (6, 7, 8, 9)
    assert legal.audit().facts["calibration"] == calibration.fingerprint
    other = reader.read(manual(), "What?")
    assert other.bound == "token share"
    assert other.notes[2:] == (
        "The threshold 0.5 needs calibrated relevance, which this type of document has not got.",
        "No calibration for technical documents (there is one for: legal); scores are uncalibrated.",
    )
    stale = SparseReader(scorer=SharedWords(), rules=NO_RULES, calibration=calibration)
    with pytest.raises(StaleCalibration, match="calibrate again with this reader"):
        stale.read(manual(), "What?")


def test_another_cut_budget_or_table_never_scores_again() -> None:
    scorer = ByHand(RISING)
    table = RuleTable(
        "test", (Rule("water", Match(keywords=("water",)), 0.5), Rule("alarms", Match(keywords=("alarm",)), 2.0))
    )
    reading = SparseReader(scorer=scorer, rules=NO_RULES).read(manual(), "What?")
    assert reading.with_threshold(0.85).kept_ids == (9,)
    assert reading.with_token_share(TokenShare(0.01, 0)).kept_ids == (9,)
    assert reading.with_token_share(1.0).with_threshold(0.0).with_budget(60).bound == "budget"
    weighed = reading.with_rules(table)
    assert weighed.kept_ids == (5, 6, 7, 8) and weighed.priority[9] == 0.45
    assert weighed.with_rules(NO_RULES).kept_ids == reading.kept_ids
    assert weighed.with_rules(table.with_weight("water", 1.0)).kept_ids == (5, 6, 7, 8, 9)
    assert len(scorer.asked) == 1
    assert reading.kept_ids == (7, 8, 9)


def test_the_table_of_the_documents_type_is_the_default() -> None:
    reading = SparseReader(scorer=SharedWords()).read(manual(document_type="legal"), "Who answers an alarm?")
    assert reading.structure.table == "legal"
    assert repr(SparseReader(scorer=SharedWords(), rules="default")).startswith(
        "SparseReader(scorer: SharedWords, rules: 'default', "
    )
    with pytest.raises(InvalidRules):
        SparseReader(scorer=SharedWords(), rules="no-such-table")
    with pytest.raises(InvalidOption, match=r"^rules is of type int; give a RuleTable, a RuleBook, or"):
        SparseReader(scorer=SharedWords(), rules=3)  # type: ignore[arg-type]


def test_preparing_does_what_a_document_needs_once() -> None:
    scorer = ByHand(RISING)
    SparseReader(scorer=scorer, rules=NO_RULES).prepare(manual())
    assert scorer.prepared == ["manual.txt"] and scorer.asked == []


def test_the_scope_reaches_the_scorer() -> None:
    scorer = ByHand(RISING)
    reader = SparseReader(scorer=scorer, rules=NO_RULES)
    assert reader.read(manual(), "What?", scope="aggregate").scope is Scope.AGGREGATE
    reader.read(manual(), "What?")
    assert scorer.asked == [("What?", Scope.AGGREGATE), ("What?", None)]
    with pytest.raises(InvalidOption, match=r"^scope is 'all'; choose from point, several, aggregate, whole\.$"):
        reader.read(manual(), "What?", scope="all")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("", "The question is empty; ask what you want to know of the document."),
        (" \n\t", "The question is empty; ask what you want to know of the document."),
        (None, "The question is of type NoneType; ask it as text."),
        (
            "问" * 10_001,
            "The question has 10,001 characters and may have 10,000; shorten it, or open the text as a document.",
        ),
    ],
)
def test_what_is_no_question_is_refused_before_any_work(question: Any, told: str) -> None:
    scorer = ByHand(RISING)
    with pytest.raises(InvalidQuestion) as caught:
        SparseReader(scorer=scorer, rules=NO_RULES).read(manual(), question)
    assert str(caught.value) == told and scorer.asked == []


def test_a_reading_needs_a_document() -> None:
    with pytest.raises(InvalidOption) as caught:
        reader_of(RISING).read("manual.txt", "What?")  # type: ignore[arg-type]
    assert str(caught.value) == "A reading needs a Document, not str; open a file with open_document first."


def test_options_are_checked_before_any_work() -> None:
    scorer = ByHand(RISING)
    reader = SparseReader(scorer=scorer, rules=NO_RULES)
    for options in ({"threshold": 2}, {"budget_tokens": 0}, {"threshold": 0.5, "token_share": 0.5}, {"scope": "x"}):
        with pytest.raises(InvalidOption):
            reader.read(manual(), "What?", **options)
    assert scorer.asked == []
    with pytest.raises(InvalidOption, match="token_share is 0"):
        reader_of(RISING, token_share=0)


@pytest.mark.parametrize(
    ("relevance", "told"),
    [
        (
            [0.5] * 9,
            "The scorer gave logits of shape (9,) for the 10 blocks of manual.txt; it must give one for each block.",
        ),
        (
            [0.5] * 9 + [1.5],
            "The scorer gave block 9 of manual.txt the relevance 1.5; it must be a number from 0 to 1.",
        ),
        (
            [float("nan")] + [0.5] * 9,
            "The scorer gave block 0 of manual.txt the relevance nan; it must be a number from 0 to 1.",
        ),
    ],
)
def test_a_scorer_that_errs_is_told_so(relevance: list[float], told: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        reader_of(relevance).read(manual(), "What?")
    assert str(caught.value) == told


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_logit_that_is_no_number_is_refused(value: float) -> None:
    scorer = ByHand([0.5] * 10)
    scores = replace(scores_of([0.5] * 10), logits=np.array([0.5, value, *[0.5] * 8], np.float32))
    with pytest.raises(InvalidOption) as caught:
        SparseReader(scorer=scorer, rules=NO_RULES).basis(manual(), "What?", scores=scores)
    assert (
        str(caught.value) == f"The scorer gave block 1 of manual.txt the logit {value:g}; it must be a finite number."
    )


def test_what_is_present_is_told_where_the_scorer_finds_nothing() -> None:
    scores = replace(scores_of([0.8] * 10, Scale.UNCALIBRATED), presence=0.214, nothing_relevant=True)
    reader = SparseReader(scorer=ByHand([0.8] * 10), rules=NO_RULES)
    reading = reading_of(reader.basis(manual(), "What?", scores=scores), TokenShare())
    sentence = "Nothing relevant: the scorer sees no evidence in any block; the presence of evidence is 0.21."
    assert reading.kept_text.splitlines()[1] == sentence and reading.notes[0] == sentence
    facts = reading.audit().facts
    assert facts["presence"] == 0.214 and facts["nothing_relevant"] is True


class NothingHere(SharedWords):
    """Says itself when no block speaks to the question."""

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        scores = super().score(document, question, scope=scope, progress=progress)
        object.__setattr__(scores, "nothing_relevant", bool(scores.relevance.max() == 0))
        return scores


@pytest.mark.parametrize(
    ("document", "question"),
    [(manual(), "Which penguin swims?"), (manual(CHINESE, language="zh"), "企鹅游得多快？")],
)
def test_a_scorer_may_say_that_nothing_is_relevant(document: Document, question: str) -> None:
    reader = SparseReader(scorer=NothingHere(), rules=NO_RULES)
    reading = reader.read(document, question)
    assert reading.is_empty and reading.threshold is None and np.isnan(reading.margin).all()
    sentence = "Nothing relevant: the scorer sees no evidence in any block; the best relevance is 0.00 (uncalibrated)."
    assert reading.kept_text.splitlines()[1] == sentence and reading.notes[0] == sentence
    assert set(reading.to_frame()["reason"]) == {"the scorer sees no evidence in any block"}
    assert dict(reading.explain(2).lines)["otherwise"] == "a rule that pins it would keep it"
    assert reading.audit().to_frame()["threshold"].isna().all()
    assert not reader.read(
        document, "When does a backup start?" if document.language.value == "en" else "备份"
    ).is_empty


def test_notes_of_the_scorer_are_notes_of_the_reading() -> None:
    scorer = ByHand(RISING, notes=("The model reads English only.",))
    assert SparseReader(scorer=scorer, rules=NO_RULES).read(manual(), "What?").notes == (
        "The model reads English only.",
    )


def test_a_document_without_blocks_gives_an_explicit_empty_reading() -> None:
    reading = reader_of([]).read(Made().page().document(), "What?", budget_tokens=500)
    assert reading.is_empty and reading.bound == "threshold" and reading.notes == ("The document has no text.",)


def test_the_reader_says_what_it_is() -> None:
    assert repr(reader_of(RISING)) == "SparseReader(scorer: ByHand, rules: 'none', tokenizer: o200k_base)"
    assert repr(SparseReader()) == "SparseReader(scorer: automatic, rules: by document type, tokenizer: o200k_base)"
    assert repr(SparseReader(scorer=None)).startswith("SparseReader(scorer: structure first, ")


def test_what_is_no_scorer_is_refused() -> None:
    with pytest.raises(InvalidOption) as caught:
        SparseReader(scorer="minilm")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "scorer is of type str, which has no fingerprint, prepare, question_vector, score; give an object with the "
        "methods of Scorer, or None for words and rules alone."
    )


def test_a_share_is_not_filled_up_with_blocks_of_relevance_0() -> None:
    reader = reader_of([0.0] * 5 + [0.4] + [0.0] * 4, Scale.UNCALIBRATED)
    reading = reader.read(manual(), "What?")
    assert reading.kept_ids == (5,) and reading.context_ids == (0, 4)
    assert reading.explain(6).reason == "relevance 0: the scorer sees no evidence in it"
    assert [flip.words for flip in reading.explain(6).flips] == [
        "any relevance above 0 would keep it",
        "no token share would keep it, for its relevance is 0",
    ]
    assert reading.explain(5).flips[0].words == "only a relevance of 0 would skip it"
    nothing = reader_of([0.0] * 10, Scale.UNCALIBRATED).read(manual(), "What?")
    assert nothing.is_empty and nothing.kept_text.splitlines()[1].startswith("Nothing relevant: the scorer sees no")
