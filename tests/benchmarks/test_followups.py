"""How follow-ups are judged, and what their table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.dialogues import Dialogue, Outcome, dialogues, judged, kept_parts, played
from benchmarks.evidence_sets import Case
from benchmarks.followups import estimate, in_session, published, row, ways
from tests.reading.sessions.dialogues import SMALL, Meaning, Words, handbook, reader_with
from workbench.reading import SparseReader

QUESTIONS = ("When does a backup begin?", "How is it triggered?")
ANSWER = "A backup is triggered when the load has been under 20 % for ten minutes."


def a_dialogue() -> Dialogue:
    document = handbook()
    case = Case(
        set_name="made",
        case_id="1",
        document_key="handbook",
        document=document,
        question=QUESTIONS[1],
        language="en",
        gold=((2,), (22,)),
        also=((), ()),
    )
    return Dialogue(
        document, QUESTIONS, {1: case}, {1: (ANSWER,)}, {1: (frozenset({2, 3}), frozenset({22}), frozenset())}, False
    )


def test_a_whole_block_a_sentence_of_it_and_nothing_are_told_apart() -> None:
    dialogue = a_dialogue()
    reading = reader_with(Words()).read(dialogue.document, QUESTIONS[1])
    text = dialogue.document.texts[2]
    start = text.index("It is triggered")
    end = text.index(" The interval")
    narrow = judged(0, reading.with_focus({2: ((start, end),)}), dialogue, 1, 200)
    assert (narrow.kind, narrow.evidence, narrow.passages, narrow.answer) == (
        "follow-up",
        (1.0, 0.0),
        (1.0, 0.0),
        1.0,
    )
    assert narrow.of_block == pytest.approx(((end - start) / len(text), 0.0))
    cut = judged(0, reading.with_focus({2: ((start, end - 1),)}), dialogue, 1, 200)
    assert (cut.evidence, cut.answer) == ((1.0, 0.0), 0.0)
    other = judged(0, reading.with_focus({3: ((0, 4),)}), dialogue, 1, 200)
    assert (other.evidence, other.passages, other.answer) == ((0.0, 0.0), (1.0, 0.0), 0.0)
    whole = judged(0, reading, dialogue, 1, reading.saving.rendered_tokens)
    assert (whole.kind, whole.tokens) == ("whole", 1.0)
    assert kept_parts(reading)[2] == [(0, len(text))]


def test_ways_are_played_turn_by_turn_and_only_judged_turns_are_told() -> None:
    reader = reader_with(Meaning({QUESTIONS[1]: [1, 0, 0, 0, 0]}))
    for way in (in_session(SMALL), published(0.15)):
        (outcome,) = played(reader, [a_dialogue()], way)
        assert outcome.kind in ("follow-up", "widened")
        assert outcome.evidence[0] == 1.0
        assert outcome.tokens < 1.0


def test_the_table_tells_shares_with_intervals_over_dialogues() -> None:
    outcomes = [
        Outcome(0, "whole", 1.0, (1.0,), (1.0,), (), None),
        Outcome(1, "widened", 0.1, (0.0, 1.0), (0.0, 0.5), (), None),
    ]
    cells = [cell.strip() for cell in row("set", "way", outcomes).strip("|").split("|")]
    assert cells[:6] == ["set", "way", "2", "50", "50", "10.0"]
    assert cells[6].startswith("55.0 [10.0, 100.0]")
    assert cells[7] == "nan"
    assert cells[8].startswith("66.7 [")
    assert str(estimate([])) == "nan"


def test_every_way_has_a_name_of_its_own_that_says_what_it_does() -> None:
    names = list(ways())
    assert names[0] == "afresh"
    assert len(set(names)) == len(names)


@pytest.mark.data
def test_conversations_end_in_the_question_that_has_evidence(data_dir: Path) -> None:
    found = dialogues("mtrag", data_dir, "all", 1)
    assert found
    for dialogue in found:
        (turn,) = dialogue.judged
        assert turn == len(dialogue.questions) - 1 > 0
        assert dialogue.answers[turn]
        gold = {block for item in dialogue.judged[turn].gold for block in item}
        assert gold <= {block for blocks in dialogue.passages[turn] for block in blocks}
    reader = SparseReader(scorer=None)
    outcomes = list(played(reader, found, in_session(SMALL)))
    assert len(outcomes) == len(found)
