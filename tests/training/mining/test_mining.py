"""What is taken as a hard negative looks like evidence and is none; the rest is counted, listed or left to a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.reading.made import Made
from tests.training.made_questions import HandScores, asked, fates, pages
from workbench.documents import BlockKind, Document
from workbench.errors import InvalidOption, TrainingRefused
from workbench.relevance import HybridScorer
from workbench.relevance.second_stage import HandWritten
from workbench.training.labels import LabelStore
from workbench.training.mining import Mined, MiningOptions, mine_hard_negatives
from workbench.training.question import Piece, Question
from workbench.training.questions import Questions, questions_of, with_labels

RENT = pages(
    "Rent is due on the first of May.",  # 0: the evidence
    "Rent is due on the first of May in a leap year.",
    "Rent for the garage is due on the third of July.",
    "Rent is due on the FIRST of  May!",  # 3: says what 0 says
    "The deposit is due on the first of May.",
    "Tenants share garden and yard.",
    "Rent of the garden is due in autumn.",
    name="rent.txt",
)
ALL = MiningOptions(share=1.0, margin=0.0, ways=("tf-idf", "encoder"), borderline=20, per_positive=20)


def mine(*questions: Question, scores: dict[str, list[float]] | None = None, **options: Any) -> Mined:
    chosen = MiningOptions(**{**{n: getattr(ALL, n) for n in ALL.__slots__}, **options})
    return mine_hard_negatives(
        questions, scorer=HandScores(**(scores or {"rent": [5, 4, 3, 5, 2, 0, 6]})), options=chosen
    )


WHEN = asked(RENT, "When is the rent due?", 0, name="when")


# What is taken


def test_the_most_similar_blocks_by_words_come_first() -> None:
    mined = mine(WHEN, ways=("tf-idf",))
    assert mined.blocks("when") == (4, 1, 2)
    first = mined.negatives["when"][0]
    assert (first.way, first.positive, first.score, first.positive_score) == ("tf-idf", 0, 2.0, 5.0)
    assert 0.5 < first.similarity < 1


def test_each_way_takes_its_share_of_the_other_blocks() -> None:
    assert fates(mine(WHEN, ways=("tf-idf",), share=0.2).report) == {
        "candidates": 2,
        "near-copy of evidence": 1,
        "taken": 1,
    }
    assert mine(WHEN, ways=("encoder",), share=0.5, margin=-1).blocks("when") == (6, 1)


def test_ways_take_in_turn_what_no_other_has_taken() -> None:
    mined = mine(WHEN)
    assert [(found.block, found.way) for found in mined.negatives["when"]] == [
        (4, "tf-idf"),
        (1, "encoder"),
        (2, "tf-idf"),
    ]
    assert fates(mined.report, "encoder")["taken"] == 3


def test_a_positive_has_at_most_so_many_and_the_rest_is_counted() -> None:
    mined = mine(WHEN, per_positive=2)
    assert mined.blocks("when") == (4, 1)
    assert fates(mined.report)["beyond the limit"] == 1


def test_chinese_blocks_are_found_by_characters() -> None:
    document = pages(
        "租金应于每年五月一日支付。", "租金应于每年六月二日退还。", "不得饲养宠物。", name="租约.txt", language="zh"
    )
    mined = mine(asked(document, "租金何时支付？", 0, name="何时"), scores={"租约": [3, 2, 1]}, ways=("tf-idf",))
    assert mined.blocks("何时") == (1,)


def test_a_second_stage_gives_what_it_ranks_highest_of_what_it_looked_at() -> None:
    stage = HandWritten(lambda _, text: float(len(text)), name="length", version="1")
    scorer = HybridScorer(encoder=None, second_stage=stage)
    options = MiningOptions(ways=("classifier",), share=0.5, margin=-1.0)
    mined = mine_hard_negatives([WHEN], scorer=scorer, options=options)
    assert mined.blocks("when") == (2, 1, 4)
    assert {found.way for found in mined.negatives["when"]} == {"classifier"}


def test_without_a_second_stage_the_way_is_named_in_a_note_or_refused() -> None:
    mined = mine(WHEN, ways=("tf-idf", "classifier"))
    assert "The scorer has no second stage, so that the way 'classifier' found nothing; train one first." in mined.notes
    with pytest.raises(InvalidOption, match="The only way is 'classifier', but the scorer has no second stage"):
        mine(WHEN, ways=("classifier",))


# What is never taken


def test_no_place_of_evidence_and_no_copy_of_it_is_a_negative_and_copies_are_listed() -> None:
    mined = mine(WHEN, margin=-1)
    assert not {0, 3} & set(mined.blocks("when"))
    assert [(copy.block, copy.positive) for copy in mined.copies["when"]] == [(3, 0)]
    twice = asked(RENT, "When is the rent due?", ((0,), (4,), (3,)), name="when")
    mined = mine(twice, margin=-1)
    assert (not {0, 3, 4} & set(mined.blocks("when")), mined.copies["when"]) == (True, ())
    assert not {0, 3, 4} & {found.block for found in mined.borderline["when"]}


def test_copies_of_a_place_that_is_not_the_first_are_no_negatives() -> None:
    question = asked(RENT, "When is the rent due?", ((6,), (0,)), name="when")
    assert [(copy.block, copy.positive) for copy in mine(question).copies["when"]] == [(3, 0)]


def test_running_lines_and_blocks_without_text_are_no_negatives() -> None:
    document = (
        Made(name="rent.txt")
        .page()
        .text("Rent is due in May.")
        .text("Rent is due in June.", kind=BlockKind.HEADER)
        .table(["Rent", "May"], ["due", "June"])
        .document()
    )
    mined = mine(asked(document, "When?", 0, name="when"), scores={"rent": [9, 8, 7, 6, 5]}, margin=-1)
    assert set(mined.blocks("when")) == {3, 4}
    assert fates(mined.report)["empty or running"] == 2


def test_what_names_evidence_is_no_negative() -> None:
    document = (
        Made(name="rent.txt")
        .page()
        .heading("Rent")
        .text("Table 1: Rent", kind=BlockKind.CAPTION)
        .table(["Unit", "Rent"], ["A1", "900"], ["A2 Rent", "950"])
        .heading("Rent of others")
        .document()
    )
    mined = mine(
        asked(document, "What is the rent of A1?", 4, name="when"), scores={"rent": [9, 8, 0, 7, 9.5, 6, 5]}, margin=-1
    )
    assert set(mined.blocks("when")) == {5, 6}
    assert fates(mined.report)["names or heads evidence"] == 3


def test_labels_decide_whatever_the_scores() -> None:
    question = asked(RENT, "When?", 0, name="when", negatives=(6, 3), unsure=(1,))
    mined = mine(question)
    assert (mined.negatives["when"][0].block, mined.negatives["when"][0].way) == (6, "label")
    assert not {1, 3} & set(mined.blocks("when"))
    assert (mined.borderline["when"], [copy.block for copy in mined.copies["when"]]) == ((), [3])


@pytest.mark.parametrize("source", ["mined", "gold", "feedback"])
def test_labels_of_no_person_pass_the_filters_and_keep_their_source(source: str) -> None:
    # 0 is evidence, 1 unsure, 3 a copy of 0, 5 a copy of nothing.
    suggested = tuple((block, source) for block in (0, 1, 2, 3, 5))
    mined = mine(asked(RENT, "When?", 0, name="when", suggested=suggested, unsure=(1,)), ways=("tf-idf",), share=0.2)
    assert [(one.block, one.way) for one in mined.negatives["when"]][:2] == [(2, source), (5, source)]
    assert not {0, 1, 3} & set(mined.blocks("when"))
    assert mined.to_labels(Questions((asked(RENT, "When?", 0, name="when"),)))[0].block_id == 4


@pytest.mark.parametrize(("source", "taken"), [("mined", False), ("gold", True), ("feedback", True)])
def test_only_what_was_mined_is_held_against_the_score(source: str, taken: bool) -> None:
    mined = mine(asked(RENT, "When?", 0, name="when", suggested=((6, source),)))
    assert ((6 in mined.blocks("when")), [one.block for one in mined.borderline["when"]]) == (
        taken,
        [] if taken else [6],
    )


def test_what_a_person_labelled_comes_before_what_is_suggested_and_they_say_different_things() -> None:
    document = pages("Rent is due in May.", "Rent is due in June.", "Rent is DUE in June", "Rents.", name="rent.txt")
    question = asked(document, "When?", 0, name="when", negatives=(2,), suggested=((1, "mined"), (3, "gold")))
    mined = mine(question, scores={"rent": [9, 3, 2, 1]})
    assert [(one.block, one.way) for one in mined.negatives["when"]] == [(2, "label"), (3, "gold")]


def test_two_negatives_never_say_the_same() -> None:
    document = pages(
        "Rent is due in May.", "Rent is due in June.", "Rent is DUE in June", "Rent is due in July.", name="rent.txt"
    )
    mined = mine(asked(document, "When?", 0, name="when"), scores={"rent": [9, 3, 2, 1]}, ways=("tf-idf",))
    assert mined.blocks("when") == (1, 3)
    assert fates(mined.report)["says what another negative says"] == 1


# The margin moves with the size of the scores


@pytest.mark.parametrize("unit", [0.01, 1.0, 1000.0])
@pytest.mark.parametrize("shift", [-50.0, 0.0, 70.0])
def test_the_margin_is_a_share_of_the_range_of_scores(unit: float, shift: float) -> None:
    scores = [shift + unit * score for score in (10, 9.5, 8.9, 10, 5, 0, 10.5)]
    mined = mine(WHEN, scores={"rent": scores}, ways=("encoder",), margin=0.1)
    assert mined.blocks("when") == (2, 4)
    assert [found.block for found in mined.borderline["when"]] == [6, 1]


def test_a_negative_margin_lets_blocks_above_the_positive_in() -> None:
    assert 6 in mine(WHEN, margin=-0.2).blocks("when")
    assert 6 not in mine(WHEN, margin=0.0).blocks("when")


def test_a_piece_scores_as_its_best_place_does() -> None:
    question = asked(RENT, "When?", ((4,), (6,)), name="when")
    (first, *_) = mine(question, ways=("encoder",)).negatives["when"]
    assert (first.positive, first.positive_score, first.block) == (6, 6.0, 0)


# What is left to a person


def test_doubtful_blocks_have_their_score_and_reason_and_are_never_negatives() -> None:
    question = asked(RENT, "When is it due?", 0, name="when", answers=("third of July",))
    mined = mine(question)
    told = [(found.block, found.doubt.value, found.score, found.positive_score) for found in mined.borderline["when"]]
    assert told == [(2, "answer", 3.0, 5.0), (6, "score", 6.0, 5.0)]
    assert not {6, 2} & set(mined.blocks("when"))
    assert mine(question, answers=False).blocks("when") == (4, 1, 2)
    assert mined.report.queued == 2


def test_the_queue_is_capped_and_says_nothing_twice() -> None:
    document = pages(
        "Rent in May.", "Rent in June.", "RENT in June!", "Rent in July.", "Rent in August.", name="rent.txt"
    )
    question = asked(document, "When?", 0, name="when")
    mined = mine(question, scores={"rent": [1, 5, 4, 3, 2]}, borderline=2)
    assert [found.block for found in mined.borderline["when"]] == [1, 3]
    assert str(mined.report).endswith("Left to a person: 2 of 4 doubtful blocks; borderline moves that.")


def test_the_frame_has_all_kinds_with_texts() -> None:
    frame = mine(WHEN).to_frame(Questions((WHEN,)))
    assert frame.groupby("kind").size().to_dict() == {"borderline": 1, "hard negative": 3, "near-copy": 1}
    assert frame[frame.kind == "near-copy"].text.tolist() == [RENT.texts[3]]
    assert frame.text.tolist()[0] == RENT.texts[4]
    assert set(frame.positive_text) == {RENT.texts[0]}


def test_what_is_mined_can_be_kept_as_labels(tmp_path: Path) -> None:
    question = asked(RENT, "When is the rent due?", 0, name="when", negatives=(2,))
    store = LabelStore(tmp_path / "labels.sqlite")
    for _ in range(2):
        store.add(*mine(question).to_labels(Questions((question,))))
    told = [(one.block_id, one.value.value, one.source.value, one.reason) for one in store.labels()]
    assert sorted(told) == [(1, "hard negative", "mined", "encoder"), (4, "hard negative", "mined", "tf-idf")]
    (again,) = with_labels(Questions((WHEN,)), store)
    assert (again.negatives, again.suggested) == ((), ((1, "mined"), (4, "mined")))
    assert [(one.block, one.way) for one in mine(again).negatives["when"]][:2] == [(1, "mined"), (4, "mined")]
    # What is in the store already is no new label.
    assert [one.block_id for one in mine(again).to_labels(Questions((again,)))] == [2]


# The report


def test_every_candidate_has_one_fate_and_the_table_names_the_option() -> None:
    frame = mine(WHEN).report.to_frame()
    for _, rows in frame.groupby("way"):
        counts = dict(zip(rows.fate, rows.blocks, strict=True))
        assert counts.pop("candidates") == sum(counts.values())
    options = dict(zip(frame.fate, frame.option, strict=True))
    assert (options["candidates"], options["beyond the limit"]) == ("share", "per_positive")
    assert options["scores too high"].startswith("margin")


def test_the_report_as_text() -> None:
    assert str(mine(WHEN).report).splitlines() == [
        "Hard negatives of 1 question (numbers of blocks)",
        "                       tf-idf  encoder  any way  option",
        "candidates                  5        5        5  share",
        "near-copy of evidence       1        1        1",
        "scores too high             1        1        1  margin; else a person",
        "taken                       3        3        3",
        "Left to a person: 1 of 1 doubtful block; borderline moves that.",
    ]
    assert "<b>Hard negatives of 1 question (numbers of blocks)</b>" in mine(WHEN).report._repr_html_()


def test_shortages_count_questions_and_name_the_option() -> None:
    alone = asked(pages("Rent is due.", "Pets are not allowed.", name="pets.txt"), "When?", 0, name="alone")
    low = asked(RENT, "Which garden?", 5, name="low")
    mined = mine(
        WHEN, low, alone, scores={"rent": [5, 4, 3, 5, 2, 0, 6], "pets": [1, 1]}, ways=("tf-idf",), per_positive=8
    )
    assert mined.notes == (
        "No hard negative for 1 of 3 questions (first: 'low'), because all that looks like evidence scores as high or "
        "nearly; lower margin (now 0), or label the borderline blocks.",
        "No hard negative for 1 of 3 questions (first: 'alone'), because nothing that could be one looks like "
        "evidence; raise share (now 1).",
        "Fewer than 8 hard negatives a positive for 1 of 3 questions (first: 'when'); raise share (now 1), or lower "
        "margin (now 0).",
        "Fewer than 8 other blocks in the document of 3 of 3 questions (first: 'when'), so that per_positive cannot be "
        "reached.",
        "Equal scores of all blocks for 1 of 3 questions (first: 'alone'), so that no score tells evidence "
        "from the rest.",
    )
    assert mined.negatives["low"] == mined.negatives["alone"] == ()


# Nothing to find


def test_blocks_without_a_word_in_common_are_no_candidates() -> None:
    document = pages("Rent is due.", "Pets bark.", "Dogs run.", name="rent.txt")
    mined = mine(asked(document, "When?", 0, name="when"), scores={"rent": [0, 0, 0]}, margin=-1)
    assert (mined.negatives["when"], fates(mined.report)) == ((), {})


@pytest.mark.parametrize("text", ["…", "—"])
def test_a_document_without_words_gives_nothing(text: str) -> None:
    document = pages(text, text, name="rent.txt")
    mined = mine(asked(document, "When?", 0, name="when"), scores={"rent": [1, 0]}, ways=("tf-idf",))
    assert mined.negatives["when"] == ()


def test_without_evidence_there_is_nothing_to_mine_beside() -> None:
    with pytest.raises(
        TrainingRefused, match="None of 1 question has evidence to mine beside; label blocks as evidence"
    ):
        mine(asked(RENT, "When?"))
    with pytest.raises(TrainingRefused, match="None of 0 questions has evidence"):
        mine()


# Always


@st.composite
def cases(draw: st.DrawFn) -> tuple[Question, list[float], MiningOptions]:
    words = st.sampled_from(["rent", "due", "May", "June", "garden", "租金", "五月", "1", "…"])
    texts = draw(st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=9))
    document: Document = pages(*texts, name="rent.txt")
    block = st.integers(0, len(texts) - 1)
    place = st.lists(block, min_size=1, max_size=2, unique=True).map(lambda some: tuple(sorted(some)))
    piece = st.lists(place, min_size=1, max_size=2).map(tuple)
    pieces: list[Piece] = draw(st.lists(piece, min_size=1, max_size=2))
    evidence = {number for one in pieces for spot in one for number in spot}
    others = [number for number in range(len(texts)) if number not in evidence]
    labelled = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    half = draw(st.integers(0, len(labelled)))
    negatives, unsure = tuple(sorted(labelled[:half])), tuple(sorted(labelled[half:]))
    question = asked(document, "When?", *pieces, name="when", negatives=negatives, unsure=unsure, answers=("June",))
    scores = draw(st.lists(st.integers(-3, 3).map(float), min_size=len(texts), max_size=len(texts)))
    options = MiningOptions(
        share=draw(st.sampled_from([0.2, 1.0])),
        margin=draw(st.sampled_from([-1.0, 0.0, 0.1])),
        per_positive=draw(st.integers(1, 3)),
    )
    return question, scores, options


@settings(max_examples=60)
@given(cases())
def test_what_is_mined_is_never_evidence_and_adds_up(case: tuple[Question, list[float], MiningOptions]) -> None:
    question, scores, options = case
    mined = mine_hard_negatives([question], scorer=HandScores(rent=scores), options=options)
    taken = mined.blocks("when")
    doubtful = {found.block for found in mined.borderline["when"]}
    copies = {copy.block for copy in mined.copies["when"]}
    assert len(set(taken)) == len(taken)
    assert not set(taken) & (question.evidence | doubtful | copies | set(question.unsure))
    assert not doubtful & (question.evidence | copies | set(question.unsure) | set(question.negatives))
    assert set(question.negatives) - copies <= set(taken)
    mine_only = [found for found in mined.negatives["when"] if found.way != "label"]
    assert len(mine_only) <= options.per_positive * len(
        {b for piece in question.pieces for place in piece for b in place}
    )
    for found in mine_only:
        assert found.positive in question.evidence
        assert found.score <= found.positive_score - options.margin * (max(scores) - min(scores)) + 1e-6
    again = mine_hard_negatives([question], scorer=HandScores(rent=scores), options=options)
    assert (again.negatives, again.borderline, again.copies) == (mined.negatives, mined.borderline, mined.copies)


def test_scores_are_asked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    scorer = HandScores(rent=[5, 4, 3, 5, 2, 0, 6])
    for _ in range(2):
        mine_hard_negatives([WHEN, asked(RENT, "Why?", 1)], scorer=scorer, options=ALL)
    assert sorted(scorer.asked) == [("rent.txt", "When is the rent due?"), ("rent.txt", "Why?")]


def test_documents_of_the_bundled_workload_are_mined_in_both_languages() -> None:
    workload = wb.load_workload("datasets/dev").of_documents(
        ["artifacts/grid-courseware.html", "artifacts/安全培训课件.html"]
    )
    questions = questions_of(workload)
    mined = mine_hard_negatives(questions, scorer=HybridScorer(encoder=None))
    assert {one.language for one in questions} == {"en", "zh"}
    assert mined.report.questions == len(questions) > 20
    for one in questions:
        assert mined.negatives[one.id]
        assert not set(mined.blocks(one.id)) & one.evidence
