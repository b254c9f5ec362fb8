"""The lists of a question hold its evidence and blocks that are known, or at least not feared, to hold none."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.learning.making import questions, quick
from tests.training.made_questions import HandScores, asked, pages
from workbench.errors import TrainingRefused
from workbench.training.learning import Base, find_base
from workbench.training.learning.candidates import Candidate, Pools, epoch_lists, pools_of, validation_lists
from workbench.training.learning.first_stage import FirstStage
from workbench.training.learning.losses import ranking_of
from workbench.training.learning.vector_learner import hidden_passages, unit_text
from workbench.training.mining.mined import Borderline, HardNegative, Mined, Unanswered
from workbench.training.mining.options import MiningOptions
from workbench.training.mining.report import MiningReport
from workbench.training.question import Questions

TEXTS = (
    "A backup of all data is made every night at two.",
    "The server room is locked.",
    "A BACKUP of all data is made, every night, at two!",
    "Backups are kept for thirty days.",
    "A new tape is bought in May.",
    "The canteen opens at noon.",
)


def mined(name: str, *, hard: tuple[int, ...] = (), doubtful: tuple[int, ...] = (), elsewhere: Any = ()) -> Mined:
    empty: Any = MappingProxyType({})
    return Mined(
        doubtful={name: frozenset(doubtful)},
        negatives={name: tuple(HardNegative(block, "tf-idf", 0.0, 0, 1.0, 0.5) for block in hard)},
        borderline={name: tuple(Borderline(block, "tf-idf", 0.0, 0, 1.0, 0.5) for block in doubtful)},
        unanswered={name: tuple(elsewhere)},
        copies=empty,
        report=MiningReport({}, ("tf-idf",), 1, 0),
        options=MiningOptions(),
    )


def pools(*some: Any, found: Mined | None = None) -> Pools:
    return pools_of(some, found, balance=0.5, what="training")


def test_evidence_its_copies_and_what_is_unsure_or_doubtful_are_no_negatives() -> None:
    question = asked(pages(*TEXTS), "When is a backup made?", 0, name="q", unsure=(3,))
    (pool,) = pools(question, found=mined("q", hard=(1, 2, 3), doubtful=(4,))).pools
    assert pool.positives == (0,)
    assert [one.block for one in pool.hard] == [1]
    assert pool.others.tolist() == [5]


def test_what_a_person_calls_a_negative_is_one_and_stands_first() -> None:
    question = asked(pages(*TEXTS), "When is a backup made?", 0, name="q", negatives=(2, 4))
    (pool,) = pools(question, found=mined("q", hard=(1,))).pools
    assert [one.block for one in pool.hard] == [2, 4, 1]


def test_negatives_of_other_documents_come_from_known_documents_alone() -> None:
    first, second = pages(*TEXTS, name="a.txt"), pages(*TEXTS[3:], name="b.txt")
    question, other = asked(first, "When?", 0, name="q"), asked(second, "When?", 0, name="p")
    elsewhere = [Unanswered("b.txt", "p", 1, 0.0), Unanswered("of the test.txt", "r", 1, 0.0)]
    found = pools(question, other, found=mined("q", elsewhere=elsewhere)).pools[0]
    assert found.hard == (Candidate(second, 1),)
    whole = Questions((question,), unanswerable=(asked(second, "When?", name="p"),))
    (alone,) = pools_of(whole, mined("q", elsewhere=elsewhere), balance=0.0, what="training").pools
    assert alone.hard == (Candidate(second, 1),)


def test_what_cannot_be_used_is_counted_by_reason() -> None:
    empty = asked(pages(*TEXTS, name="a.txt"), "Who?", name="none")
    alone = asked(pages(TEXTS[0], name="b.txt"), "When?", 0, name="alone")
    good = asked(pages(*TEXTS, name="c.txt"), "When?", 0, name="good")
    assert pools(empty, alone, good).left_out == (
        ("none", "without evidence"),
        ("alone", "on documents without any other block"),
    )
    with pytest.raises(TrainingRefused) as caught:
        pools(empty, alone)
    assert str(caught.value) == (
        "None of the 2 questions for training can be used (1 without evidence, 1 on documents without any other "
        "block); give questions with evidence, on documents with other blocks beside it."
    )


def test_weights_balance_sets_and_are_one_on_average() -> None:
    some = [asked(pages(*TEXTS, name=f"{i}.txt"), "When?", 0, name=str(i), set_name="ab"[i > 3]) for i in range(5)]
    weights = [pool.weight for pool in pools_of(some, None, balance=1.0, what="training").pools]
    assert np.mean(weights) == pytest.approx(1.0)
    assert sum(weights[:4]) == pytest.approx(weights[4])


@given(seed=st.integers(0, 50), epoch=st.integers(0, 5), negatives=st.integers(1, 9), share=st.floats(0, 1))
def test_a_list_is_drawn_by_seed_and_epoch_and_holds_each_block_once(
    seed: int, epoch: int, negatives: int, share: float
) -> None:
    some = pools(*questions(3)).pools
    options = quick(seed=seed, negatives=negatives, hard_share=share)
    lists = epoch_lists(some, options, epoch)
    again = epoch_lists(some, options, epoch)
    assert [one.candidates for one in lists] == [one.candidates for one in again]
    assert sorted(one.question.id for one in lists) == sorted(pool.question.id for pool in some)
    for one in lists:
        blocks = [each.block for each in one.candidates]
        assert blocks[0] == 3 and len(set(blocks)) == len(blocks) == 1 + min(negatives, 6)


def test_lists_of_validation_are_the_same_at_every_look() -> None:
    some = pools(*questions()).pools
    options = quick(validation_questions=3, validation_candidates=4)
    lists = validation_lists(some, options)
    assert len(lists) == 3 and all(len(one) == 5 and one.relevant == 1 for one in lists)
    assert [one.candidates for one in lists] == [one.candidates for one in validation_lists(some, options)]


def test_evidence_of_the_same_question_elsewhere_is_no_negative_in_a_batch() -> None:
    first, second = pages(*TEXTS, name="a.txt"), pages(*TEXTS[::-1], name="b.txt")
    some = [asked(first, "When is it?", 0, name="q"), asked(second, "when is it", 2, name="p")]
    other = asked(first, "How long?", 3, name="r", unsure=(0,))
    lists = [pool.fixed(quick(), np.random.default_rng(0)) for pool in pools(*some, other).pools]
    hidden = hidden_passages(lists)
    columns = [(one.question.id, each.block) for one in lists for each in one.candidates]
    assert not any(
        hidden[row, column]
        for row, one in enumerate(lists)
        for column, (name, _) in enumerate(columns)
        if name == one.question.id
    )
    assert hidden[0, columns.index(("p", 2))] and hidden[1, columns.index(("q", 0))]
    # The unsure block of the third question is the evidence of the first one.
    assert hidden[2, columns.index(("q", 0))]
    assert not hidden[0, columns.index(("r", 3))]


def test_what_says_the_same_as_evidence_is_no_negative_of_a_question_on_the_same_document() -> None:
    document = pages(*TEXTS)
    first = asked(document, "When is a backup made?", 0, name="q")
    copy = asked(document, "How often is all data saved?", 2, name="p")
    lists = [pool.fixed(quick(), np.random.default_rng(0)) for pool in pools(first, copy).pools]
    hidden = hidden_passages(lists)
    columns = [(one.question.id, each.block) for one in lists for each in one.candidates]
    assert hidden[0, columns.index(("p", 2))] and hidden[1, columns.index(("q", 0))]


def test_every_doubtful_block_stays_out_of_what_is_drawn_at_random() -> None:
    question = asked(pages(*TEXTS), "When is a backup made?", 0, name="q")
    (pool,) = pools(question, found=mined("q", hard=(1,), doubtful=(3, 4))).pools
    assert pool.others.tolist() == [5]
    assert pool.barred >= {0, 2, 3, 4}


def test_of_a_long_block_the_passage_with_the_words_of_the_question_is_shown() -> None:
    filler = "Nothing of interest is said in this sentence about the weather in the valley. " * 30
    document = pages(f"{filler}The retention period is seven years. {filler}", "Other.")
    question = asked(document, "How long is the retention period?", 0)
    shown = unit_text(question, Candidate(document, 0))
    assert "retention period is seven years" in shown
    assert len(shown) < len(document.texts[0])


def test_chinese_questions_are_drawn_from_as_well() -> None:
    document = pages("备份每晚两点进行。", "机房已上锁。", "磁带每年五月购买。", language="zh", name="制度.txt")
    (pool,) = pools(asked(document, "什么时候备份？", 0)).pools
    assert (pool.positives, pool.others.tolist()) == ((0,), [1, 2])


def test_questions_in_a_language_that_the_base_cannot_read_are_left_out() -> None:
    chinese = pages("备份每晚两点进行。", "机房已上锁。", language="zh", name="制度.txt")
    some = [asked(chinese, "什么时候备份？", 0, name="zh"), *questions(1)]
    base = find_base()
    assert base.languages == frozenset({"en"})
    found = pools_of(some, None, balance=0.5, what="training", base=base)
    assert found.left_out == (("zh", "in a language that the base cannot read"),)
    assert [pool.question.id for pool in found.pools] == [some[1].id]
    with pytest.raises(TrainingRefused, match=r"1 in a language that the base cannot read"):
        pools_of(some[:1], None, balance=0.5, what="training", base=base)
    other = Base("multilingual", base.folder, base.sha256)
    assert len(pools_of(some, None, balance=0.5, what="training", base=other).pools) == 2


def test_the_first_stage_is_asked_of_the_documents_that_negatives_are_from() -> None:
    first, second = pages(*TEXTS, name="a.txt"), pages(*TEXTS[1:], name="b.txt")
    some = Questions((asked(first, "When is a backup made?", 0, name="q"), asked(second, "Who?", 0, name="p")))
    found = pools_of(some, mined("q", hard=(1,), elsewhere=(Unanswered("b.txt", "p", 3, 1.0),)), balance=0.0, what="")
    (pool, _) = found.pools
    scores = HandScores(a=[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], b=[10.0, 20.0, 30.0, 40.0, 50.0])
    stage = FirstStage.of(scores, found.pools, progress=False)
    (one,) = epoch_lists([pool], quick(negatives=2, hard_share=1.0), 0)
    said = dict(zip(one.candidates, stage.logits(one).tolist(), strict=True))
    assert said == {Candidate(first, 0): 6.0, Candidate(first, 1): 5.0, Candidate(second, 3): 40.0}


@pytest.mark.parametrize(
    ("logits", "relevant", "recall", "precision"),
    [
        ([3.0, 1.0, 0.0], 1, 1.0, 1.0),
        ([0.0, 3.0, 1.0], 1, 0.0, 1 / 3),
        ([1.0, 1.0], 1, 0.0, 0.5),  # a tie counts against the model
        ([2.0, 1.0, *[0.0] * 18], 2, 1.0, 1.0),
        ([-1.0, 1.0, *[0.0] * 18], 2, 0.5, (1 + 2 / 20) / 2),
    ],
)
def test_a_ranking_is_judged_by_hand_set_logits(
    logits: list[float], relevant: int, recall: float, precision: float
) -> None:
    found = ranking_of(np.array(logits), relevant)
    assert found[1] == recall
    assert found[2] == pytest.approx(precision)
