"""Feedback on blocks takes effect on the next reading of the document, and on nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.reading.made import CHINESE, ByHand, Made, manual, scores_of
from tests.reading.strategies import basis_of
from workbench.errors import AnchorMismatch, InvalidOption, InvalidQuestion
from workbench.reading.cuts import Threshold
from workbench.reading.feedback import Feedback, FeedbackVoice, with_feedback
from workbench.reading.near_copies import near_copies
from workbench.reading.reader import SparseReader
from workbench.reading.reading import reading_of
from workbench.structure import RuleTable

NO_RULES = RuleTable("none")
SAME = FeedbackVoice(0.1, "marked as of no use for this question")


def test_a_marked_block_is_scored_down_at_once() -> None:
    document = manual()
    reader = SparseReader(scorer=ByHand([0.9] * 10), rules=NO_RULES)
    before = reader.read(document, "What is kept?")
    reader.feedback.no_use(document, "What is kept?", [3])
    reading = reader.read(document, " what is KEPT ? ")
    assert 3 in before.kept_ids and 3 not in reading.kept_ids
    assert reading.scores.relevance[3] == pytest.approx(0.09) and reading.scores.relevance[2] == 0.9
    assert reading.scores.parts["feedback"][3] < 0 == reading.scores.parts["feedback"][2]
    found = reading.explain(3)
    assert found.feedback == "marked as of no use for this question: relevance x 0.1"
    assert ("feedback", found.feedback) in found.lines
    assert reading.notes == ("1 block is scored down, because people marked them or near-copies as of no use.",)
    assert reading.audit().to_frame()["feedback"].tolist() == [1.0] * 3 + [0.1] + [1.0] * 6


def test_the_reading_at_hand_is_decided_again_without_scoring() -> None:
    document, scorer = manual(), ByHand([0.9] * 10)
    reader = SparseReader(scorer=scorer, rules=NO_RULES)
    reading = reader.read(document, "What is kept?")
    reader.feedback.no_use(document, "What is kept?", [3])
    again = reading.with_feedback(reader.feedback)
    assert 3 in reading.kept_ids and 3 not in again.kept_ids and len(scorer.asked) == 1
    reader.feedback.withdraw(document, "What is kept?", [3, 4])
    assert again.with_feedback(reader.feedback).kept_ids == reading.kept_ids
    assert len(reader.feedback) == 0


def test_other_questions_of_the_document_are_touched_less_and_never_silenced() -> None:
    document, feedback = manual(), Feedback()
    for number in range(1, 6):
        feedback.no_use(document, f"Question {number}?", [3])
        voice = feedback.voices(document, "Another one?")[3]
        assert voice.factor == pytest.approx(max(0.2, 0.6**number))
    assert voice.words == "it, or a near-copy, was marked as of no use for 5 other questions of this document"
    assert feedback.voices(document, "Question 2?")[3] == SAME
    assert feedback.voices(manual(CHINESE), "Question 2?") == {}


def test_near_copies_are_marked_along_and_say_whose_they_are() -> None:
    english = [
        "The tenant shall give notice of any defect in writing and without delay.",
        "The  tenant shall give notice of any defect in writing, and without delay!",
        "The landlord pays for repairs of the roof and of the outer walls.",
        "The tenant shall give notice within 30 days of any defect in writing.",
        "The tenant shall give notice within 60 days of any defect in writing.",
    ]
    document = Made().text(*english).document()
    feedback = Feedback()
    feedback.no_use(document, "What?", [0, 3])
    assert feedback.voices(document, "What?") == {
        0: SAME,
        1: FeedbackVoice(0.1, "a near-copy of block 0, marked as of no use for this question"),
        3: SAME,
    }
    assert near_copies(["承租人应当在三十日内书面通知。", "承租人应当在三十日内书面通知", "承租人应付租金。"], 0) == (
        0,
        1,
    )


def test_rows_that_differ_in_a_number_are_no_copies() -> None:
    year = "Revenue of the timber division in the fiscal year"
    rows = [f"{year} 2018: 588", f"{year} 2019: 588"]
    assert near_copies(rows, 0) == (0,)
    assert near_copies(["", "", "x"], 0) == (0,)


def test_a_pin_wins_over_feedback() -> None:
    document, feedback = manual(), Feedback()
    feedback.no_use(document, "What?", [9])
    basis = basis_of(document, [0.9] * 10, pinned=(9,)).heard(feedback.voices(document, "What?"))
    assert 9 in reading_of(basis, Threshold(0.65)).kept_ids


def test_order_and_relevance_still_agree() -> None:
    scores = scores_of([0.9, 0.5, 0.2, 0.08, 0.0])
    changed = with_feedback(scores, {0: SAME, 3: FeedbackVoice(0.5, "why")})
    assert changed.relevance.tolist() == pytest.approx([0.09, 0.5, 0.2, 0.04, 0.0])
    assert changed.order.tolist() == np.argsort(-changed.relevance, kind="stable").tolist()
    assert np.allclose(sum(changed.parts.values()), changed.logits)
    assert scores.relevance[0] == 0.9 and with_feedback(scores, {}) is scores


def test_below_every_other_block_a_logit_goes_on_falling() -> None:
    changed = with_feedback(scores_of([0.5, 0.4]), {1: SAME})
    assert changed.logits[1] == pytest.approx(0.4 + np.log(0.1))


def test_marks_are_kept_in_a_file_and_a_withdrawal_is_recorded(tmp_path: Path) -> None:
    path, document = tmp_path / "feedback.jsonl", manual(CHINESE, language="zh")
    first = SparseReader(scorer=ByHand([0.9] * 10), rules=NO_RULES, feedback=path).feedback
    first.no_use(document, "保存多久？", [2, 3])
    first.withdraw(document, "保存多久？", [2])
    again = Feedback(path)
    assert again.marked(document) == (("保存多久？", 3),)
    assert again.voices(document, "保存多久？") == {3: SAME}
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(record["block_id"], record["verdict"]) for record in records] == [
        (2, "no use"),
        (3, "no use"),
        (2, "withdrawn"),
    ]
    assert repr(again) == f"Feedback(1 marks, in {str(path)!r})"


def test_a_mark_on_another_text_is_not_used(tmp_path: Path) -> None:
    path, document = tmp_path / "feedback.jsonl", manual()
    Feedback(path).no_use(document, "What?", [3])
    record = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**record, "block_id": 4}), "utf-8")
    assert Feedback(path).voices(document, "What?") == {}


def test_a_mark_begins_a_line_of_its_own_whatever_ends_the_file(tmp_path: Path) -> None:
    path, document = tmp_path / "feedback.jsonl", manual()
    Feedback(path).no_use(document, "What?", [3])
    path.write_text(path.read_text("utf-8").rstrip("\n"), "utf-8")
    Feedback(path).no_use(document, "What?", [4])
    assert Feedback(path).marked(document) == (("What?", 3), ("What?", 4))


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"verdict": "no use"}',
        '{"verdict": "perhaps"}',
        '{"document": "a", "question": "b", "block_id": Infinity, "text_sha256": "c", "verdict": "no use"}',
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "feedback.jsonl"
    Feedback(path).no_use(manual(), "What?", [3])
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(
        InvalidOption, match=r"^Line 2 of feedback\.jsonl is no feedback \(.*\); mend the line or take it"
    ):
        Feedback(path)


def test_what_cannot_be_marked_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "feedback.jsonl"
    feedback = Feedback(path)
    with pytest.raises(AnchorMismatch, match=r"^manual\.txt has no block 10"):
        feedback.no_use(manual(), "What?", [3, 10])
    with pytest.raises(InvalidQuestion, match=r"^The question is empty"):
        feedback.no_use(manual(), " ", [3])
    assert not path.exists() and len(feedback) == 0
    with pytest.raises(InvalidOption, match="give a file in a folder that exists"):
        Feedback(tmp_path / "missing" / "f.jsonl").no_use(manual(), "What?", [3])
    with pytest.raises(
        InvalidOption, match=r"^feedback is of type int; give a Feedback, or the path of its JSONL file\.$"
    ):
        SparseReader(scorer=ByHand([]), feedback=7)  # type: ignore[arg-type]


def test_near_copies_of_a_document_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def counted(texts: Sequence[str], block_id: int) -> tuple[int, ...]:
        looked.append(block_id)
        return near_copies(texts, block_id)

    monkeypatch.setattr("workbench.reading.feedback.near_copies", counted)
    document, feedback = manual(), Feedback()
    feedback.no_use(document, "What?", [3])
    for _ in range(3):
        feedback.voices(document, "What?")
    assert looked == [3]
