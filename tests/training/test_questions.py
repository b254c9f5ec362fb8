"""Every request is a question, is known to be unanswerable, or is left out with a reason; labels then change that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import Made
from tests.training.made_questions import asked, pages
from workbench.documents import Document
from workbench.errors import InvalidOption, TrainingRefused
from workbench.reading.feedback import Feedback
from workbench.relevance.scores import Scope
from workbench.training.labels import Label, LabelStore, take_feedback
from workbench.training.questions import Questions, questions_of, with_labels
from workbench.workload import Evidence, Request, Workload, resolve

LEASE = (
    Made(name="lease.txt", document_type="legal")
    .page()
    .heading("Lease")
    .text("Rent is due on the first day of May.", "The deposit is three months of rent.", "Pets are not allowed.")
    .page()
    .text("Rent is due on the first day of May.", "The garden is shared by all tenants.")
    .document()
)
LEASE_ZH = pages("租金应于每年五月一日支付。", "押金为三个月租金。", "不得饲养宠物。", name="租约.txt", language="zh")
RENT, DEPOSIT, PETS, RENT_AGAIN, GARDEN = 1, 2, 3, 4, 5


def request(name: str, question: str = "When is the rent due?", *quotes: str, **others: Any) -> Request:
    pieces = [Evidence(quote=quote) for quote in quotes]
    return Request(**{"id": name, "artifact": "lease.txt", "question": question, "evidence": pieces, **others})


def questions(*requests: Request, **others: Any) -> Questions:
    return questions_of(Workload.of(requests, {"lease.txt": LEASE, "租约.txt": LEASE_ZH}, name="rents"), **others)


def label(question: str, block: int, value: str, by: str = "ada", document: Document = LEASE, **others: Any) -> Label:
    return Label.of(document, question, block, value, annotator=by, **others)


WHEN = questions(request("when", "When is the rent due?", "first day of May"))


# From a workload


def test_evidence_has_all_its_places_and_the_first_of_each_is_positive() -> None:
    (one,) = WHEN
    assert one.pieces == (((RENT,), (RENT_AGAIN,)),)
    assert (one.positives, one.evidence) == ((RENT,), {RENT, RENT_AGAIN})
    assert one.labels.tolist() == [False, True, False, False, True, False]
    assert (one.id, one.document_key, one.set_name) == ("when", "lease.txt", "rents")
    assert (one.document_type, one.language, one.scope) == ("legal", "en", Scope.POINT)


def test_a_chinese_question_has_its_language_and_answer() -> None:
    (one,) = questions(request("何时", "租金何时支付？", "五月一日", artifact="租约.txt", answer="五月一日"))
    assert (one.positives, one.language, one.answers) == ((0,), "zh", ("五月一日",))


def test_the_gold_of_a_question_recalls_what_that_of_the_workload_does() -> None:
    asked_for = request("both", "When, and how much?", "first day of May", "three months of rent")
    (one,) = questions(asked_for)
    gold = resolve(asked_for, LEASE)
    for kept in np.ndindex(*(2,) * len(LEASE)):
        mask = np.array(kept, bool)
        assert one.gold.recalled(mask).tolist() == gold.recalled(mask).tolist()


def test_every_request_is_in_exactly_one_place() -> None:
    given_requests = [
        request("when", "When is the rent due?", "first day of May"),
        request("never", "Who repairs the roof?", answerable=False),
        request("then", "And in winter?", "first day of May", turns=["When is the rent due?"]),
        request("all", "Summarise the lease.", "Pets are not allowed"),
        request("copy", "Copy it.", scenario="native_fit"),
        request("bare", "What of pets?"),
        request("lost", "What of the roof?", "first day of May", "The roof leaks."),
    ]
    found = questions(*given_requests)
    assert ([one.id for one in found], [one.id for one in found.unanswerable]) == (["when"], ["never"])
    reasons = {one.id: one.reason for one in found.left_out}
    assert reasons == {
        "then": "It is a follow-up, whose words say only a part of what is asked.",
        "all": "It wants all of its document, where every block is as good as another.",
        "copy": "Its scenario is native_fit: all of its document is read anyway.",
        "bare": "It has no gold evidence.",
        "lost": (
            "A piece of its evidence stands nowhere in its document, so that blocks that hold it would be negatives."
        ),
    }
    (detail,) = (one.detail for one in found.left_out if one.id == "lost")
    assert detail == "'The roof leaks.' stands in no block of lease.txt that can hold evidence."
    assert len(found) + len(found.unanswerable) + len(found.left_out) == len(given_requests)


def test_a_document_that_cannot_be_opened_leaves_its_requests_out(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    found = questions_of(Workload.of([request("q", "What?", "May", artifact="empty.txt")], folder=tmp_path))
    (lost,) = found.left_out
    assert lost.reason == "Its document cannot be opened."
    assert "empty.txt" in lost.detail


def test_a_split_can_be_chosen() -> None:
    both = (
        request("a", "When?", "first day of May", split="test"),
        request("b", "何时？", "五月一日", artifact="租约.txt", split="dev"),
    )
    assert [one.id for one in questions(*both, split="test")] == ["a"]
    with pytest.raises(InvalidOption, match="There is no split 'tests'; choose from dev, test"):
        questions(*both, split="tests")


def test_the_frame_and_the_page_count_what_there_is() -> None:
    found = questions(request("when", "When is rent due?", "first day of May"), request("x", "Why?", answerable=False))
    frame = found.to_frame()
    assert frame.columns.tolist()[:4] == ["question", "text", "document", "set"]
    assert frame[["question", "pieces", "positives", "answerable"]].values.tolist() == [
        ["when", 1, 1, True],
        ["x", 0, 0, False],
    ]
    assert repr(found) == "Questions(1 question on 1 document, 1 unanswerable)"
    assert "1 legal" in found._repr_html_()


def test_an_unknown_question_is_refused_by_name() -> None:
    assert WHEN.question("when") is WHEN[0]
    with pytest.raises(TrainingRefused, match="There is no question 'what' among these 1; take one of their ids"):
        WHEN.question("what")


def test_evidence_of_the_same_question_in_another_request_is_unsure() -> None:
    first = request("a", "What is due?", "first day of May")
    second = request("b", "What is due", "three months of rent")
    other = request("c", "Is a dog allowed?", "Pets are not allowed")
    found = questions(first, second, other)
    assert [one.unsure for one in found] == [(DEPOSIT,), (RENT, RENT_AGAIN), ()]


# Several sets at once


def test_one_document_in_two_sets_is_one() -> None:
    other = asked(LEASE, "Pets?", PETS, document_key="other/lease.txt", set_name="other")
    joined = Questions.joined([WHEN, Questions((other,))])
    assert {one.document_key for one in joined} == {"lease.txt"}
    assert list(joined.documents) == ["lease.txt"]


def test_equal_ids_and_keys_of_different_things_get_the_name_of_their_set() -> None:
    parts = [Questions((asked(LEASE, "When?", RENT, name="1", document_key="a"),))]
    parts += [Questions((asked(LEASE_ZH, "何时？", 0, name="1", document_key="a", set_name="other"),))]
    parts += [Questions((asked(pages("Third."), "Who?", 0, name="1", document_key="a", set_name="other"),))]
    joined = Questions.joined(parts)
    assert [one.id for one in joined] == ["1", "other/1", "other/1 (2)"]
    assert [one.document_key for one in joined] == ["a", "other/a", "other/a (2)"]


# Labels


def test_a_persons_label_wins_over_gold() -> None:
    found = with_labels(WHEN, [label("When is the rent due?", RENT, "not relevant")])
    (one,) = found
    assert (one.pieces, one.positives, one.negatives) == ((((RENT_AGAIN,),),), (RENT_AGAIN,), (RENT,))
    assert found.notes == ("Labels of persons overrule the gold evidence in 1 block.",)


@pytest.mark.parametrize("value", ["unsure", "useful context"])
def test_what_is_neither_is_neither(value: str) -> None:
    (one,) = with_labels(WHEN, [label("When is the rent due?", DEPOSIT, value)])
    assert (one.unsure, one.negatives, one.positives) == ((DEPOSIT,), (), (RENT,))


def test_more_evidence_is_a_piece_and_a_copy_of_evidence_one_more_place() -> None:
    (one,) = with_labels(WHEN, [label("When is the rent due?", GARDEN, "evidence")])
    assert one.pieces == (((RENT,), (RENT_AGAIN,)), ((GARDEN,),))
    only_here = Questions((asked(LEASE, "When?", RENT, name="when"),))
    (one,) = with_labels(only_here, [label("When?", RENT_AGAIN, "evidence")])
    assert (one.pieces, one.positives) == ((((RENT,), (RENT_AGAIN,)),), (RENT,))


def test_where_persons_disagree_most_decide_and_a_draw_is_unsure() -> None:
    question = "When is the rent due?"
    two = [label(question, PETS, "hard negative", "ada"), label(question, PETS, "evidence", "bo")]
    drawn = with_labels(WHEN, two)
    assert (drawn[0].unsure, drawn[0].evidence) == ((PETS,), {RENT, RENT_AGAIN})
    assert drawn.notes == ("Persons disagree on 1 block, unsure until a label resolves it.",)
    decided = with_labels(WHEN, [*two, label(question, PETS, "not relevant", "cy")])
    assert (decided[0].negatives, decided[0].unsure, decided.notes) == ((PETS,), (), ())


def test_a_label_speaks_to_every_request_that_asks_the_same() -> None:
    both = questions(request("a", "What is due?", "first day of May"), request("b", "What is due?", "three months of"))
    found = with_labels(both, [label("What is due?", PETS, "hard negative", request="a")])
    assert [one.negatives for one in found] == [(PETS,), (PETS,)]
    agreed = with_labels(both, [label("What is due?", DEPOSIT, "evidence")])
    assert [one.unsure for one in agreed] == [(), (RENT, RENT_AGAIN)]


def test_the_latest_label_of_an_annotator_counts() -> None:
    question = "When is the rent due?"
    early = label(question, PETS, "evidence", at="2026-01-01T10:00:00+00:00")
    late = label(question, PETS, "hard negative", at="2026-01-02T10:00:00+00:00")
    assert with_labels(WHEN, [late, early])[0].negatives == (PETS,)


@pytest.mark.parametrize("source", ["feedback", "gold", "mined"])
def test_labels_of_no_person_speak_only_of_what_is_not_known(source: str) -> None:
    question = "When is the rent due?"
    given_labels = [label(question, block, "hard negative", source=source) for block in (RENT, PETS, GARDEN)]
    (one,) = with_labels(WHEN, [*given_labels, label(question, GARDEN, "evidence")])
    assert (one.negatives, one.suggested) == ((), ((PETS, source),))
    assert one.evidence == {RENT, RENT_AGAIN, GARDEN}


def test_what_is_suggested_gives_way_to_what_a_person_says() -> None:
    question = "When is the rent due?"
    suggested = with_labels(
        WHEN, [label(question, block, "hard negative", source="mined") for block in (DEPOSIT, PETS)]
    )
    assert suggested[0].suggested == ((DEPOSIT, "mined"), (PETS, "mined"))
    assert suggested.to_frame()[["negatives", "suggested"]].values.tolist() == [[0, 2]]
    (one,) = with_labels(suggested, [label(question, DEPOSIT, "unsure"), label(question, PETS, "not relevant")])
    assert (one.unsure, one.negatives, one.suggested) == ((DEPOSIT,), (PETS,), ())


def test_what_was_of_no_use_is_suggested_as_a_negative_of_its_question_alone(tmp_path: Path) -> None:
    both = questions(request("when", "When is the rent due?", "first day of May"), request("pets", "Pets?", "Pets are"))
    feedback = Feedback()
    feedback.no_use(LEASE, "When is the rent due?", [RENT, GARDEN])
    store = LabelStore(tmp_path / "labels.sqlite")
    take_feedback(store, feedback, LEASE)
    when, pets = with_labels(both, store)
    assert (when.suggested, when.evidence) == (((GARDEN, "feedback"),), {RENT, RENT_AGAIN})
    assert (pets.suggested, pets.negatives) == ((), ())


def test_a_label_with_the_request_of_another_question_is_none_of_it() -> None:
    found = with_labels(WHEN, [label("May I have a dog?", PETS, "evidence", request="when")])
    when, dog = found
    assert (when.evidence, when.id) == ({RENT, RENT_AGAIN}, "when")
    assert (dog.question, dog.evidence, dog.id) == ("May I have a dog?", {PETS}, dog.id)
    assert dog.id.startswith("labels/")


def test_a_label_finds_its_question_by_its_letters() -> None:
    found = with_labels(WHEN, [label("when is  the rent due", PETS, "hard negative", request="long ago")])
    assert [one.negatives for one in found] == [(PETS,)]


def test_one_request_of_two_new_questions_makes_two() -> None:
    some = [label("Dogs?", PETS, "evidence", request="new"), label("Yards?", GARDEN, "evidence", request="new")]
    some += [label("养狗？", 2, "evidence", document=LEASE_ZH, request="new")]
    found = with_labels(WHEN, some, documents=[LEASE_ZH])
    assert len({one.id for one in found}) == len(found) == 4
    assert [(one.question, sorted(one.evidence)) for one in found[1:]] == [
        ("Dogs?", [PETS]), ("Yards?", [GARDEN]), ("养狗？", [2]),
    ]  # fmt: skip


def test_the_same_question_spelt_otherwise_is_no_second_voice() -> None:
    early = label("When is the rent due?", PETS, "evidence", at="2026-01-01T10:00:00+00:00")
    late = label("when is the rent due", PETS, "hard negative", at="2026-01-02T10:00:00+00:00")
    found = with_labels(WHEN, [early, late])
    assert (found[0].negatives, found.notes) == ((PETS,), ())


def test_a_label_speaks_to_the_same_bytes_under_every_key() -> None:
    first = asked(LEASE, "When is the rent due?", RENT, name="a", document_key="a.txt")
    other = asked(LEASE, "When is the rent due?", RENT, name="b", document_key="b.txt")
    more = asked(LEASE, "May I have a dog?", GARDEN, name="c", document_key="b.txt")
    found = with_labels(
        Questions((first, other, more)),
        [label("When is the rent due?", PETS, "hard negative"), label("May I have a dog?", PETS, "evidence")],
    )
    assert [(one.id, one.negatives, sorted(one.evidence)) for one in found] == [
        ("a", (PETS,), [RENT]), ("b", (PETS,), [RENT]), ("c", (), [PETS, GARDEN]),
    ]  # fmt: skip


def test_a_persons_label_is_not_lost_to_a_later_one_of_the_same_name() -> None:
    question = "When is the rent due?"
    said = label(question, PETS, "evidence", at="2026-01-01T00:00:00+00:00")
    later = label(question, PETS, "hard negative", source="mined", at="2026-01-02T00:00:00+00:00")
    (one,) = with_labels(WHEN, [said, later])
    assert (PETS in one.evidence, one.suggested) == (True, ())


def test_labels_without_a_request_make_a_question_in_english_and_chinese() -> None:
    found = with_labels(
        WHEN,
        [
            label("May I have a dog?", PETS, "evidence"),
            label("May I have a dog?", GARDEN, "hard negative"),
            label("可以养狗吗？", 2, "evidence", document=LEASE_ZH),
        ],
        documents=[LEASE_ZH],
    )
    _, dog, dog_zh = found
    assert (dog.positives, dog.negatives, dog.set_name) == ((PETS,), (GARDEN,), "labels")
    assert (dog_zh.positives, dog_zh.document_key, dog_zh.language) == ((2,), "租约.txt", "zh")
    assert len(found.ids) == 3


def test_labels_that_leave_no_evidence_leave_the_question_out() -> None:
    gone = with_labels(WHEN, [label("When is the rent due?", block, "not relevant") for block in (RENT, RENT_AGAIN)])
    assert (len(gone), gone.left_out[0].id) == (0, "when")
    assert gone.left_out[0].reason == "Its labels leave it without a block of evidence."


def test_an_unanswerable_question_is_answered_by_a_label() -> None:
    hopeless = questions(request("roof", "Who repairs the roof?", answerable=False))
    assert [one.id for one in with_labels(hopeless, [label("Who repairs the roof?", GARDEN, "evidence")])] == ["roof"]
    still = with_labels(hopeless, [label("Who repairs the roof?", GARDEN, "hard negative")])
    assert (len(still), still.unanswerable[0].negatives) == (0, (GARDEN,))


def test_labels_without_a_place_are_listed_with_a_reason() -> None:
    stranger = label("Who?", 0, "evidence", document=pages("Elsewhere.", name="other.txt"))
    found = with_labels(WHEN, [stranger])
    assert [(one.id, one.reason) for one in found.left_out] == [
        (stranger.id, "The document that it was made on is not among those of the questions; give it as documents=[…].")
    ]


def test_a_label_follows_its_quote_in_a_changed_document_or_is_listed() -> None:
    before = pages("An old line.", "Pets are not allowed.", name="lease.txt")
    moved = label("When is the rent due?", 1, "hard negative", document=before)
    lost = label("When is the rent due?", 0, "hard negative", document=before)
    found = with_labels(WHEN, [moved, lost])
    assert found[0].negatives == (PETS,)
    assert [one.id for one in found.left_out] == [lost.id]
    assert found.notes == ("1 label followed the quote to another block.",)


def test_labels_come_from_a_store(tmp_path: Path) -> None:
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(label("When is the rent due?", PETS, "hard negative"))
    assert with_labels(WHEN, store)[0].negatives == (PETS,)
    store.undo("ada")
    assert with_labels(WHEN, store)[0].negatives == ()


VALUES = ["evidence", "useful context", "not relevant", "hard negative", "unsure"]
LABELS = st.lists(
    st.builds(
        lambda block, value, by, source: label("When is the rent due?", block, value, by, source=source),
        st.integers(0, 5),
        st.sampled_from(VALUES),
        st.sampled_from(["ada", "bo"]),
        st.sampled_from(["person", "feedback", "mined"]),
    ),
    max_size=12,
)


@given(LABELS)
def test_no_block_is_two_things_and_applying_labels_twice_changes_nothing(some: list[Label]) -> None:
    once = with_labels(WHEN, some)
    for one in (*once, *once.unanswerable):
        groups = [set(one.evidence), set(one.negatives), set(one.unsure)]
        assert len(set.union(*groups)) == sum(map(len, groups))
        assert set(one.positives) <= one.evidence
    twice = with_labels(once, some)
    assert [(o.pieces, o.negatives, o.unsure) for o in once] == [(o.pieces, o.negatives, o.unsure) for o in twice]
