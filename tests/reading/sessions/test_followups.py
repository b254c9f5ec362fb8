"""Dialogues on real readings: what a follow-up keeps, where it is looked for, and what is said of it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.reading.made import manual
from tests.reading.sessions.conftest import TTL_SECONDS, Kept
from tests.reading.sessions.dialogues import SMALL, Meaning, Words, handbook, kept_of, reader_with, said, session_in
from tests.reading.strategies import documents
from workbench.documents import Document, open_document
from workbench.errors import SessionDenied
from workbench.reading import Reading, SparseReader, session_values
from workbench.reading.followup_options import FollowUpOptions
from workbench.reading.sessions import Session
from workbench.relevance.scores import Scope
from workbench.structure import Match, Rule, RuleTable

PAIRS = {
    "en": ("When does a backup begin?", "How exactly is it triggered?"),
    "zh": ("备份策略规定何时开始备份？", "那具体怎么触发？"),
}
TRIGGER = {
    "en": "It is triggered when the load has been under 20 % for ten minutes.",
    "zh": "当负载低于20%并持续十分钟时，系统触发备份。",
}


@pytest.mark.parametrize("language", PAIRS)
def test_a_follow_up_keeps_only_sentences_of_the_anchors_with_their_headings(kept: Kept, language: str) -> None:
    document, session = handbook(language), session_in(kept.store)
    reader = reader_with(Words())
    first, second = (reader.read(document, question, session=session) for question in PAIRS[language])
    assert said(first) == "First question of the session: the whole document was read."
    assert first.focus is None
    assert said(second).startswith("Follow-up, because ")
    assert TRIGGER[language] in kept_of(second)[0]
    assert set(second.kept_ids) <= set(first.kept_ids)
    assert second.context_ids == (0, 1)
    assert second.saving.tokens_kept < first.saving.tokens_kept / 2
    state = session.state
    assert state is not None
    assert dict(state.focus_spans) == dict(second.focus or {})
    assert state.anchor_blocks == first.kept_ids
    assert state.questions == PAIRS[language]
    assert state.turn == 2


@pytest.mark.parametrize("language", PAIRS)
def test_every_piece_of_a_follow_up_is_the_document_s_own_text(language: str) -> None:
    document, session = handbook(language), session_in()
    for question in PAIRS[language]:
        reading = reader_with(Words()).read(document, question, session=session)
        for piece, at in zip(reading.pieces, reading.rendering.offsets, strict=True):
            text = document.texts[piece.block_id][piece.start : piece.end]
            assert reading.kept_text[at : at + len(text)] == text


def test_what_the_last_answer_was_about_can_be_asked_for_again() -> None:
    document, session, reader = handbook(), session_in(), reader_with(Words())
    reader.read(document, "When does a backup begin?", session=session)
    reader.read(document, "What is the interval of it?", session=session)
    back = reader.read(document, "What was the interval you just mentioned?", session=session)
    assert said(back) == 'Follow-up, because it looks back with "you just mentioned".'
    assert "The interval between two backups is 6 hours." in " ".join(kept_of(back))


def test_what_the_last_answer_was_about_can_be_asked_for_again_in_chinese() -> None:
    document, session, reader = handbook("zh"), session_in(), reader_with(Words())
    reader.read(document, "备份策略规定何时开始备份？", session=session)
    back = reader.read(document, "刚才说的备份间隔是多少？", session=session)
    assert said(back) == 'Follow-up, because it looks back with "刚才".'
    assert "两次备份之间的间隔为6小时。" in "".join(kept_of(back))


def test_a_repeated_question_is_answered_without_scoring_anything(kept: Kept) -> None:
    document, scorer = handbook(), Meaning()
    readings = [
        reader_with(scorer).read(document, question, session=session_in(kept.again()))
        for question in ("When does a backup begin?", "How long is it kept?", "How  long is it KEPT?")
    ]
    first, second, third = readings
    assert scorer.asked == ["When does a backup begin?", "How long is it kept?", "When does a backup begin?"]
    assert said(third) == "The session remembers this question: its reading was not computed again."
    assert third.kept_text == second.kept_text
    assert third.basis.remarks[1:] == second.basis.remarks
    assert third.scores.logits.tobytes() == second.scores.logits.tobytes()
    assert third.priority.tobytes() == second.priority.tobytes()
    again = reader_with(scorer).read(document, "When does a backup begin?", session=session_in(kept.again()))
    assert len(scorer.asked) == 3
    assert (again.kept_text, again.focus) == (first.kept_text, None)


def test_the_question_before_is_the_one_that_was_last_repeated() -> None:
    document, session, reader = handbook(), session_in(), reader_with(Meaning())
    asked = ["When does a backup begin?", "Is there a backup key?", "When does a backup begin?", "How is it triggered?"]
    for question in asked:
        reading = reader.read(document, question, session=session)
    assert 'The question before, "When does a backup begin?", counted 0.5 times as much.' in reading.notes
    assert session.state is not None
    assert session.state.questions == ("Is there a backup key?", "When does a backup begin?", "How is it triggered?")
    assert session.state.turn == 4


def test_a_question_that_leans_on_another_one_is_not_the_same_question() -> None:
    document, session, scorer = handbook(), session_in(), Meaning()
    reader = reader_with(scorer)
    for question in (
        "What of the backup alarm?",
        "How is it handled?",
        "Who meets the backup alarm?",
        "How is it handled?",
    ):
        reading = reader.read(document, question, session=session)
    assert said(reading).startswith("Follow-up, because")
    assert said(reader.read(document, "How is it handled?", session=session)).startswith("The session remembers")


@pytest.mark.parametrize(
    "change",
    [
        lambda reader, document, session: reader.read(
            document, "When does a backup begin?", session=session, budget_tokens=150
        ),
        lambda reader, document, session: reader.read(
            document, "When does a backup begin?", session=session, token_share=0.5
        ),
        lambda reader, document, session: SparseReader(
            scorer=reader.scorer,
            rules=RuleTable("x", (Rule("door", Match(keywords=("door",)), 3.0),)),
            token_share=0.34,
            min_tokens=10,
        ).read(document, "When does a backup begin?", session=session),
        lambda reader, document, session: reader.read(
            document,
            "When does a backup begin?",
            session=Session("ana", "1", session.store, options=replace(SMALL, widen=False)),
        ),
    ],
    ids=["budget", "cut", "rules", "options"],
)
def test_the_same_question_in_other_terms_is_computed(change: object) -> None:
    document, session, scorer = handbook(), session_in(), Meaning()
    reader = reader_with(scorer)
    reader.read(document, "When does a backup begin?", session=session)
    reading: Reading = change(reader, document, session)  # type: ignore[operator]
    assert not said(reading).startswith("The session remembers")
    assert scorer.asked.count("When does a backup begin?") >= 2


def test_after_half_an_hour_the_session_starts_afresh(kept: Kept) -> None:
    document, session, reader = handbook(), session_in(kept.store), reader_with(Words())
    reader.read(document, "When does a backup begin?", session=session)
    kept.pass_time(TTL_SECONDS * 0.9)
    assert said(reader.read(document, "How is it triggered?", session=session)).startswith("Follow-up")
    kept.pass_time(TTL_SECONDS * 0.9)
    assert said(reader.read(document, "How long is it kept?", session=session)).startswith("Follow-up")
    kept.pass_time(TTL_SECONDS * 1.1)
    assert said(reader.read(document, "How long is it kept?", session=session)).startswith("First question")


def test_a_new_topic_reads_the_whole_document_and_its_blocks_are_the_anchors(kept: Kept) -> None:
    document, session, reader = handbook(), session_in(kept.store), reader_with(Meaning())
    reader.read(document, "When does a backup begin?", session=session)
    new = reader.read(document, "Who lets a visitor through the door?", session=session)
    assert said(new) == (
        "New topic, because its cosine with the question before is 0.00, under 0.15: the whole document was read."
    )
    assert new.focus is None
    state = session.state
    assert state is not None
    assert state.anchor_blocks == new.kept_ids
    assert state.questions == ("Who lets a visitor through the door?",)
    assert len(state.question_vectors) == 1
    assert not state.focus_spans


def test_without_a_model_words_decide_and_it_is_said() -> None:
    document, session, reader = handbook(), session_in(), reader_with(Words())
    reader.read(document, "When does a backup begin?", session=session)
    near = reader.read(document, "Which key encrypts each backup?", session=session)
    far = reader.read(document, "Who lets visitors in?", session=session)
    assert said(near) == (
        'Follow-up, because without a semantic model words decide, and it shares "backup" with the last questions.'
    )
    assert said(far).startswith("New topic, because without a semantic model words decide: it shares none")


def test_a_question_on_another_part_of_the_document_is_widened_and_said_so() -> None:
    document, session = handbook(), session_in()
    reader = reader_with(Meaning({"Which container do worn filters go into?": [1, 0, 0, 0, 0]}))
    first = reader.read(document, "When does a backup begin?", session=session)
    wide = reader.read(document, "Which container do worn filters go into?", session=session)
    assert said(wide) == "Follow-up, because its cosine with the question before is 1.00, not under 0.15."
    assert "Worn filters go into the grey container." in " ".join(kept_of(wide))
    outside = sorted(set(wide.kept_ids) - set(first.kept_ids))
    assert 13 in outside
    assert any(note.startswith("Widened: outside the anchors block") for note in wide.notes)
    assert session.state is not None
    assert session.state.anchor_blocks == tuple(sorted({*first.kept_ids, *outside}))


def test_without_widening_only_anchors_are_kept() -> None:
    document, session = handbook(), session_in(options=replace(SMALL, widen=False))
    reader = reader_with(Meaning({"Which container do worn filters go into?": [1, 0, 0, 0, 0]}))
    first = reader.read(document, "When does a backup begin?", session=session)
    narrow = reader.read(document, "Which container do worn filters go into?", session=session)
    assert set(narrow.kept_ids) <= set(first.kept_ids)
    assert not any(note.startswith("Widened") for note in narrow.notes)


def test_the_words_of_the_question_before_count_with_less_weight() -> None:
    document = handbook()
    for weight, note in ((0.5, True), (0.0, False)):
        session = session_in(options=replace(SMALL, previous_weight=weight))
        reader = reader_with(Words())
        reader.read(document, "Which interval do backups have?", session=session)
        why = reader.read(document, "Why?", session=session)
        assert said(why) == "Follow-up, because it names nothing of its own."
        words = 'The question before, "Which interval do backups have?", counted 0.5 times as much.'
        assert (words in why.notes) is note
        assert ("The interval between two backups is 6 hours." in " ".join(kept_of(why))) is note


def test_another_document_or_another_version_of_it_drops_the_anchors() -> None:
    session, reader = session_in(), reader_with(Words())
    reader.read(handbook(), "When does a backup begin?", session=session)
    other = reader.read(manual(), "How is it triggered?", session=session)
    assert other.basis.remarks[:2] == (
        "Another document, or another version of it: the anchors that were read before were dropped.",
        "First question of the session: the whole document was read.",
    )
    assert other.focus is None
    assert session.state is not None
    assert session.state.turn == 2
    assert session.state.questions == ("How is it triggered?",)


def test_the_same_bytes_cut_into_other_blocks_drop_the_anchors(sample_dir: Path) -> None:
    session, reader = session_in(), reader_with(Words())
    path = sample_dir / "harbor-manual.md"
    for most in (512, 100):
        document = open_document(path, progress=False, isolate=False, cache=False, max_block_chars=most)
        reading = reader.read(document, "What triggers a backup?", session=session)
    assert reading.basis.remarks[0].startswith("Another document, or another version of it")


@pytest.mark.parametrize("scope", [Scope.AGGREGATE, Scope.WHOLE])
def test_a_question_about_all_of_a_document_is_no_follow_up(scope: Scope) -> None:
    document, session, reader = handbook(), session_in(), reader_with(Words())
    reader.read(document, "When does a backup begin?", session=session)
    whole = reader.read(document, "How is it triggered?", session=session, scope=scope)
    assert said(whole) == f"The scope of the question is {scope.value}: the whole document was read."
    assert whole.focus is None


def test_a_short_first_reading_is_kept_whole() -> None:
    document, session = handbook(), session_in(options=FollowUpOptions(least_tokens=5_000))
    reader = reader_with(Words())
    first = reader.read(document, "When does a backup begin?", session=session)
    second = reader.read(document, "How is it triggered?", session=session)
    assert kept_of(second) == [document.texts[block] for block in first.kept_ids if block not in (0, 1, 6, 11, 16, 20)]
    assert f"no more than {first.saving.tokens_kept:,} tokens, so its blocks were kept whole" in " ".join(second.notes)
    assert second.saving.tokens_kept <= first.saving.tokens_kept


def test_a_budget_of_the_user_is_a_ceiling_for_follow_ups_too() -> None:
    document, session, reader = handbook(), session_in(), reader_with(Words())
    reader.read(document, "When does a backup begin?", session=session)
    for budget in (40, 90, 110):
        tight = reader.read(document, "How is it triggered?", session=session, budget_tokens=budget)
        assert tight.saving.rendered_tokens <= budget


def test_pinned_blocks_are_not_repeated_and_that_is_said() -> None:
    rules = RuleTable("pins", (Rule("money", Match(keywords=("$40",)), pin=True, reason="Money."),))
    reader = SparseReader(scorer=Words(), rules=rules, token_share=0.34, min_tokens=10)
    document, session = handbook(), session_in()
    first = reader.read(document, "When does a backup begin?", session=session)
    second = reader.read(document, "How is it triggered?", session=session)
    assert first.pinned_ids == (18,)
    assert second.pinned_ids == ()
    assert (
        "1 pinned block of the document stood in the topic's first reading; a follow-up does not repeat them."
        in second.notes
    )


def test_after_a_reading_that_kept_nothing_the_next_question_is_read_in_the_whole_document() -> None:
    document, session = handbook(), session_in()
    nothing = Meaning()
    reader = reader_with(nothing)
    empty = reader.read(document, "When does a backup begin?", session=session, budget_tokens=20)
    assert empty.kept_ids == ()
    after = reader.read(document, "How is it triggered?", session=session)
    assert said(after) == "The reading before kept nothing to go on from: the whole document was read."


def test_a_document_without_blocks_can_be_asked_about_again_and_again() -> None:
    session, reader = session_in(), reader_with(Words())
    document = manual({}, name="empty.txt")
    for question in ("What is it?", "How is it triggered?", "And now?"):
        reading = reader.read(document, question, session=session)
        assert reading.focus is None


def test_two_users_of_one_store_have_dialogues_of_their_own(kept: Kept) -> None:
    document, reader = handbook(), reader_with(Words())
    mine, theirs = Session("a:b", "c", kept.store, options=SMALL), Session("a", "b:c", kept.store, options=SMALL)
    reader.read(document, "When does a backup begin?", session=mine)
    assert said(reader.read(document, "How is it triggered?", session=theirs)).startswith("First question")
    assert said(reader.read(document, "How is it triggered?", session=mine)).startswith("Follow-up")


def test_a_state_of_somebody_else_under_this_key_is_denied(kept: Kept) -> None:
    document, reader = handbook(), reader_with(Words())
    mine, theirs = session_in(kept.store), Session("bo", "1", kept.store)
    reader.read(document, "When does a backup begin?", session=mine)
    value = kept.store.load(mine.key)
    assert value is not None
    kept.store.save(theirs.key, value, replacing=None)
    with pytest.raises(SessionDenied, match="belongs to somebody else"):
        reader.read(document, "How is it triggered?", session=theirs)


def test_scores_that_are_too_many_to_be_kept_are_computed_again(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    document, scorer, session = handbook(), Words(), session_in(kept.store)
    first = reader_with(scorer).read(document, "When does a backup begin?", session=session)
    monkeypatch.setattr(session_values, "MOST_BYTES", len(kept.store.load(session.key) or b"") - 1)
    session.forget()
    for _ in range(2):
        reading = reader_with(scorer).read(document, "When does a backup begin?", session=session)
        assert reading.kept_text == first.kept_text
    assert said(reading) == "The session remembers this question: its reading has too many scores to be kept with it."
    assert len(scorer.asked) == 3


@pytest.mark.parametrize(
    ("name", "questions", "evidence"),
    [
        (
            "harbor-manual.md",
            ("What triggers a backup?", "At what time does it say the schedule is by default?"),
            "01:30",
        ),
        ("travel-policy.txt", ("Who approves a trip?", "And abroad?"), "abroad"),
        ("差旅制度.txt", ("国内差旅由谁审批？", "那出国呢？"), "第四条 出国差旅"),
    ],
)
def test_the_bundled_documents_can_be_talked_about(
    sample_dir: Path, name: str, questions: tuple[str, str], evidence: str
) -> None:
    document = open_document(sample_dir / name, progress=False, isolate=False, cache=False)
    reader = SparseReader(scorer=None, token_share=0.4, min_tokens=100)
    session = session_in(options=FollowUpOptions(least_tokens=150))
    first, second = (reader.read(document, question, session=session) for question in questions)
    assert said(second).startswith("Follow-up, because")
    assert evidence in second.kept_text
    assert second.saving.tokens_kept <= first.saving.tokens_kept


QUESTIONS = (
    "When does a backup begin?",
    "How is it triggered?",
    "And in 2019?",
    "Who lets visitors in?",
    "备份保存多久？",
    "那具体怎么触发？",
    "ABC-123",
    "of 3.5 %",
    "3.5 % of what?",
    "Why?",
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    documents(),
    st.lists(st.sampled_from(QUESTIONS), min_size=2, max_size=5),
    st.booleans(),
    st.integers(0, 150),
    st.sampled_from([0.05, 0.15, 0.5]),
    st.sampled_from([0.2, 0.6]),
)
def test_a_follow_up_keeps_nothing_outside_the_anchors_unsaid_and_costs_no_more_than_the_first_reading(
    document: Document, questions: list[str], widen: bool, least: int, share: float, first_share: float
) -> None:
    session = session_in(options=FollowUpOptions(widen=widen, least_tokens=least, token_share=share))
    reader = SparseReader(scorer=Words(), rules=RuleTable("none", ()), token_share=first_share, min_tokens=0)
    anchors: set[int] = set()
    first = 0
    for question in questions:
        reading = reader.read(document, question, session=session)
        notes = reading.basis.remarks
        remembered = notes[0].startswith("The session remembers")
        if reading.focus is None:
            assert remembered or any(note.endswith("the whole document was read.") for note in notes)
            if not remembered:
                anchors, first = set(reading.kept_ids), reading.saving.tokens_kept
            continue
        assert reading.saving.tokens_kept <= first
        outside = set(reading.kept_ids) - anchors
        if outside and not remembered:
            assert widen
            assert any(note.startswith("Widened") for note in notes)
        for block, ranges in reading.focus.items():
            text = document.texts[block]
            for (_, end), (start, _) in itertools.pairwise(ranges):
                assert end < start
            assert all(text[start:end].strip() == text[start:end] for start, end in ranges)
        anchors |= outside


@settings(max_examples=20, deadline=None)
@given(documents(), st.lists(st.sampled_from(QUESTIONS), min_size=2, max_size=4))
def test_two_equal_dialogues_are_equal_byte_for_byte(document: Document, questions: list[str]) -> None:
    def dialogue() -> list[tuple[str, tuple[str, ...]]]:
        session, reader = session_in(), reader_with(Words())
        readings = [reader.read(document, question, session=session) for question in questions]
        return [(reading.kept_text, reading.notes) for reading in readings]

    assert dialogue() == dialogue()
