"""Parts of a split have no document in common, each has its share of every kind, and what leaks is told."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.made_questions import asked, pages
from workbench.errors import InvalidOption, TrainingRefused
from workbench.training.question import Question, Questions
from workbench.training.splitting import PARTS, Split, copies_across, split_questions

CLAUSE = "The supplier shall keep the records of every delivery for seven years after the end of the term."
CLAUSE_ZH = "供应商应在合同终止后七年内保存每次交货的全部记录，并在买方提出书面要求后十个工作日内提供复印件以备查验。"


def many(count: int, kinds: int = 1, questions: int = 2) -> list[Question]:
    found = []
    for rank in range(count):
        kind = f"kind {rank % kinds}"
        document = pages(f"Fact {rank} of it.", f"Other {rank}.", name=f"{rank}.txt", document_type=kind)
        found += [asked(document, f"What is fact {number}?", 0) for number in range(questions)]
    return found


def test_questions_on_one_document_stay_together() -> None:
    split = split_questions(many(10))
    sizes = [len(split.part(part)) for part in PARTS]
    assert (sizes, [len(split.part(part).documents) for part in PARTS]) == ([12, 4, 4], [6, 2, 2])
    keys = [set(split.part(part).documents) for part in PARTS]
    assert len(set.union(*keys)) == sum(map(len, keys)) == 10
    assert split.part_of["0.txt"] in PARTS
    assert repr(split).startswith("Split(train: 12 questions on 6 documents; validation: 4 questions on 2 documents")


@settings(max_examples=30)
@given(
    st.integers(3, 14),
    st.integers(1, 4),
    st.floats(0.05, 0.45),
    st.floats(0.05, 0.45),
    st.integers(0, 50),
    st.randoms(use_true_random=False),
)
def test_a_split_is_disjoint_complete_and_hangs_on_seed_and_questions_alone(
    count: int, kinds: int, validation: float, test: float, seed: int, mixed: object
) -> None:
    questions = many(count, kinds, questions=1)
    split = split_questions(questions, validation=validation, test=test, seed=seed)
    by_part = {part: {one.document.sha256 for one in split.part(part)} for part in PARTS}
    assert all(by_part.values())
    assert sum(map(len, by_part.values())) == count == len(set.union(*by_part.values()))
    for part, share in zip(PARTS, (1 - validation - test, validation, test), strict=True):
        assert abs(len(by_part[part]) - share * count) <= 2
    mixed.shuffle(questions)  # type: ignore[attr-defined]
    again = split_questions(questions, validation=validation, test=test, seed=seed)
    assert {part: set(again.part(part).documents) for part in PARTS} == {
        part: set(split.part(part).documents) for part in PARTS
    }


def test_every_kind_is_in_every_part_in_its_share() -> None:
    split = split_questions(many(40, kinds=4), validation=0.25, test=0.25)
    for part, each in zip(PARTS, (5, 2.5, 2.5), strict=True):
        kinds = Counter(document.document_type.value for document in split.part(part).documents.values())
        assert len(kinds) == 4
        assert all(abs(number - each) <= 1 for number in kinds.values())
    frame = split.to_frame()
    assert (int(frame.documents.sum()), int(frame.questions.sum())) == (40, 80)


def test_another_seed_splits_otherwise() -> None:
    questions = many(20)
    assert {tuple(split_questions(questions, seed=seed).test.documents) for seed in range(5)} != {
        tuple(split_questions(questions, seed=0).test.documents)
    }


def test_equal_bytes_are_one_document_whatever_their_keys() -> None:
    twice = [asked(pages(CLAUSE), "What?", 0, document_key=key, name=key) for key in ("a", "b", "c")]
    with pytest.raises(TrainingRefused, match="3 questions on 1 document cannot be split in 3 parts"):
        split_questions(twice)
    split = split_questions([*many(6), *twice])
    assert len({split.part_of[key] for key in ("a", "b", "c")}) == 1


def test_what_cannot_be_split_is_refused_with_what_would_do() -> None:
    message = (
        r"4 questions on 2 documents cannot be split in 3 parts \(train, validation, test\), for a document belongs to "
        r"one part: 3 documents are needed; add questions on 1 more, or set validation or test to 0\."
    )
    with pytest.raises(TrainingRefused, match=message):
        split_questions(many(2))
    assert len(split_questions(many(2), test=0).validation.documents) == 1
    with pytest.raises(TrainingRefused, match="0 questions on 0 documents"):
        split_questions([])


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"test": 1.0}, "test is 1.0; give the share of the documents, from 0 to below 1"),
        ({"validation": -0.1}, "validation is -0.1"),
        ({"validation": True}, "validation is True"),
        ({"validation": 0.5, "test": 0.5}, "validation and test are 0.5 and 0.5, which leaves nothing to train on"),
    ],
)
def test_shares_outside_their_range_are_refused(shares: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        split_questions(many(5), **shares)


def test_a_split_by_hand_that_is_not_disjoint_is_refused() -> None:
    one = Questions((asked(pages(CLAUSE), "What?", 0, document_key="a"),))
    same = Questions((asked(pages(CLAUSE), "Why?", 0, document_key="b"),))
    with pytest.raises(TrainingRefused, match="Document 'b' is in 'test', and the same bytes are 'a' in 'train'"):
        Split(one, Questions(()), same)


def test_unanswerable_questions_go_with_their_document_and_alone_to_train() -> None:
    questions = Questions(
        tuple(many(5)),
        (
            *(asked(one.document, "Who?", name=f"who {one.id}") for one in many(5, questions=1)),
            asked(pages("Alone.", name="alone.txt"), "Who?", name="alone"),
        ),
    )
    split = split_questions(questions)
    assert [len(split.part(part).unanswerable) for part in PARTS] == [4, 1, 1]
    assert "alone.txt" in split.train.documents


def test_near_copies_across_the_split_are_counted_and_listed() -> None:
    def question(name: str, *texts: str) -> Questions:
        return Questions((asked(pages(*texts, name=name), "What?", 0),))

    train = question(
        "a.txt", CLAUSE, CLAUSE_ZH, "Total", "A clause of its own that stands in no other document at all."
    )
    test = question(
        "b.txt", CLAUSE_ZH.replace("，", "， "), "Total", "Words that this document alone has among all of them."
    )
    found = copies_across({"train": train, "validation": Questions(()), "test": test})
    assert found.to_frame().values.tolist() == [["test", "b.txt", 0, "train", "a.txt", 1, True]]
    pair = found.between("test", "train")
    assert (pair.blocks, pair.share, pair.evidence_share) == (2, 0.5, 1.0)
    assert str(found) == (
        "Documents of train say 1 of 2 long blocks of test as well (50.0%), 1 of 1 with evidence. "
        "1 document of test has half or more of its long blocks in common with one of train (first: 'b.txt' and "
        "'a.txt'); keep only one of each."
    )


def test_all_three_pairs_of_parts_are_compared() -> None:
    def question(name: str, *texts: str) -> Questions:
        return Questions((asked(pages(*texts, name=name), "What?", 0),))

    own = "A clause of {} that stands in no other document, however long one looks for it."
    parts = {
        "train": question("a.txt", own.format("the first"), CLAUSE_ZH),
        "validation": question("b.txt", CLAUSE, own.format("the second"), CLAUSE_ZH),
        "test": question("c.txt", CLAUSE.upper(), own.format("the third")),
    }
    found = copies_across(parts)
    assert found.to_frame().values.tolist() == [
        ["validation", "b.txt", 2, "train", "a.txt", 1, False],
        ["test", "c.txt", 0, "validation", "b.txt", 0, True],
    ]
    assert [(pair.part, pair.other, len(pair.shared), pair.twins) for pair in found.pairs] == [
        ("validation", "train", 1, ()),
        ("test", "train", 0, ()),
        ("test", "validation", 1, (("c.txt", "b.txt"),)),
    ]
    assert str(found) == (
        "Documents of train say 1 of 3 long blocks of validation as well (33.3%), 0 of 1 with evidence. "
        "Documents of train say 0 of 2 long blocks of test as well (0.0%), 0 of 1 with evidence. "
        "Documents of validation say 1 of 2 long blocks of test as well (50.0%), 1 of 1 with evidence. "
        "1 document of test has half or more of its long blocks in common with one of validation (first: 'c.txt' and "
        "'b.txt'); keep only one of each."
    )
    with pytest.raises(InvalidOption, match=r"^'train' and 'test' are no pair of parts; the pairs are"):
        found.between("train", "test")


@settings(max_examples=20)
@given(st.integers(0, 30))
def test_a_block_in_all_documents_is_told_of_every_pair(seed: int) -> None:
    split = split_questions(
        [asked(pages(CLAUSE, f"{rank}", name=f"{rank}.txt"), "What?", 0) for rank in range(6)], seed=seed
    )
    assert split.copies is not None
    told = {(one.part, one.other_part) for one in split.copies.shared}
    assert told == {("validation", "train"), ("test", "train"), ("test", "validation")}


def test_without_long_blocks_nothing_is_compared_and_that_is_said() -> None:
    copies = split_questions(many(5)).copies
    assert copies is not None
    assert str(copies) == "No two parts of the split have blocks that are long enough to be compared."
