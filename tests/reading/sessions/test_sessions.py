"""Whose a session is, and what is stored of it."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import scores_of
from tests.reading.sessions.conftest import Kept
from workbench.errors import SessionDenied
from workbench.reading.session_values import MOST_BYTES, SCHEMA, UnreadableState, decode, encode
from workbench.reading.sessions import Remembered, Session, SessionState
from workbench.relevance.scores import RelevanceScores, Scale


def state_of(user: str = "ana", session_id: str = "1", **others: object) -> SessionState:
    made = SessionState(
        user=user,
        session_id=session_id,
        document="d" * 64,
        blocks="b" * 64,
        anchor_blocks=(2, 7),
        focus_spans={7: ((0, 4), (9, 12))},
        question_vectors=np.array([[0.6, 0.8], [1.0, 1 / 3]], np.float32),
        questions=("What?", "那备份呢？\ud800"),
        scorer="words",
        first_tokens=300,
        first_rendered=360,
        turn=2,
        remembered=(Remembered("k1", scores_of([0.1, 1 / 3]), None, ("一",)), Remembered("k2", None, {7: ((0, 4),)})),
    )
    return replace(made, **others)  # type: ignore[arg-type]


names = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp", "Zs")), min_size=1, max_size=20)


@given(names, names, names, names)
def test_two_identities_never_share_a_key(user: str, name: str, other_user: str, other_name: str) -> None:
    keys = {Session(*identity).key for identity in ((user, name), (other_user, other_name))}
    assert len(keys) == len({(user, name), (other_user, other_name)})


def test_the_key_has_the_user_and_the_session_with_their_separators_encoded() -> None:
    assert Session("ana", "7").key == "sparse:session:ana:7"
    assert Session("a:b", "c").key == "sparse:session:a%3Ab:c"
    assert Session("a", "b:c").key == "sparse:session:a:b%3Ac"
    assert Session("a%3Ab", "c").key == "sparse:session:a%253Ab:c"
    assert Session("王", "备份").key == "sparse:session:%E7%8E%8B:%E5%A4%87%E4%BB%BD"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "has 0 characters; give 1 to 128"),
        ("x" * 129, "has 129 characters; give 1 to 128"),
        (" ana", "has control characters, or white space around it; leave them out"),
        ("ana\n", "has control characters, or white space around it"),
        ("a\x00b", "has control characters"),
        ("a\u202eb", "has control characters"),
        ("a\u2028b", "has control characters"),
        ("a\udce9", "has control characters"),
        (7, "is of type int; give a text of 1 to 128 characters"),
        (None, "is of type NoneType; give a text"),
    ],
)
def test_what_is_no_name_is_refused(name: str, words: str) -> None:
    with pytest.raises(SessionDenied, match=f"The user .*{words}"):
        Session(name, "1")
    with pytest.raises(SessionDenied, match=f"The session id .*{words}"):
        Session("ana", name)


def test_nobody_reads_or_overwrites_what_is_stored_for_somebody_else(kept: Kept) -> None:
    mine, theirs = Session("ana", "1", kept.store), Session("bo", "1", kept.store)
    assert mine.save(state_of(), replacing=None)
    assert theirs.state is None
    value = kept.store.load(mine.key)
    assert value is not None
    kept.store.save(theirs.key, value, replacing=None)
    for access in (lambda: theirs.state, theirs.load, lambda: theirs.save(state_of(), replacing=value)):
        with pytest.raises(
            SessionDenied, match="stored for session '1' of user 'bo' belongs to somebody else"
        ) as error:
            access()
        assert "ana" not in str(error.value)
    with pytest.raises(SessionDenied):
        Session("ana", "2", kept.store).save(state_of(), replacing=None)
    theirs.forget()
    assert theirs.state is None
    assert mine.state is not None


@pytest.mark.parametrize(("user", "name"), [("a:b", "c"), ("a", "b:c"), ("a%3Ab", "c"), ("王", "会话:1")])
def test_a_state_comes_back_as_it_was_from_every_store(kept: Kept, user: str, name: str) -> None:
    session = Session(user, name, kept.store)
    saved = state_of(user, name)
    assert session.save(saved, replacing=None)
    loaded = Session(user, name, kept.again()).state
    assert loaded is not None
    assert_equal(loaded, saved)
    assert repr(loaded) == "SessionState(turn 2, 2 anchor blocks, 1 in focus, document dddddddddddd)"


def assert_equal(left: SessionState, right: SessionState) -> None:
    plain = ("user", "session_id", "document", "blocks", "anchor_blocks", "questions", "scorer", "turn")
    for name in (*plain, "first_tokens", "first_rendered", "focus_spans"):
        assert getattr(left, name) == getattr(right, name)
    assert left.question_vectors.dtype == np.float32
    assert np.array_equal(left.question_vectors, right.question_vectors)
    for one, other in zip(left.remembered, right.remembered, strict=True):
        assert (one.key, one.focus, one.notes) == (other.key, other.focus, other.notes)
        assert (one.scores is None) == (other.scores is None)
        if one.scores is not None and other.scores is not None:
            for array in ("logits", "relevance", "share_read"):
                assert getattr(one.scores, array).tobytes() == getattr(other.scores, array).tobytes()
            assert {k: v.tolist() for k, v in one.scores.parts.items()} == {
                k: v.tolist() for k, v in other.scores.parts.items()
            }
            assert (one.scores.scale, one.scores.scorer, one.scores.notes, one.scores.calibration) == (
                other.scores.scale,
                other.scores.scorer,
                other.scores.notes,
                other.scores.calibration,
            )


def test_the_value_is_json_with_a_version_and_both_parts_of_the_identity() -> None:
    value = json.loads(encode(state_of()) or b"")
    assert (value["schema"], value["user"], value["session"]) == (SCHEMA, "ana", "1")
    assert encode(state_of()) == encode(state_of())


def test_a_state_is_frozen_data() -> None:
    state = state_of()
    with pytest.raises(AttributeError):
        state.turn = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        state.question_vectors[0] = 0
    with pytest.raises(TypeError):
        state.focus_spans[1] = ((0, 1),)  # type: ignore[index]


def changed(**others: object) -> bytes:
    return json.dumps({**json.loads(encode(state_of()) or b""), **others}).encode()


def with_scores(**others: object) -> bytes:
    remembered = json.loads(encode(state_of()) or b"")["remembered"]
    remembered[0]["scores"].update(others)
    return changed(remembered=remembered)


BROKEN = {
    "no JSON": b"{",
    "no text": b"\xff\xfe",
    "nothing": b"",
    "a pickle": b"\x80\x04\x95\x05",
    "a list": b"[]",
    "deep": b"[" * 100_000,
    "a newer version": changed(schema=SCHEMA + 1),
    "no version": changed(schema=None),
    "no user": changed(user=7),
    "an anchor that is no number": changed(anchors=["2"]),
    "an anchor below 0": changed(anchors=[-1, 2]),
    "anchors out of order": changed(anchors=[7, 2]),
    "a focus that is empty": changed(focus={"7": []}),
    "a focus that overlaps": changed(focus={"7": [[0, 5], [3, 9]]}),
    "a focus out of order": changed(focus={"7": [[5, 5]]}),
    "a focus on no block": changed(focus={"x": [[0, 5]]}),
    "too many questions": changed(questions=["a"] * 4),
    "vectors cut off": changed(vectors={"shape": [1, 2], "float32": "AAAA"}),
    "vectors that are no base64": changed(vectors={"shape": [1, 2], "float32": "*"}),
    "vectors too large": changed(vectors={"shape": [1, 1 << 40], "float32": ""}),
    "vectors that are no numbers": changed(vectors={"shape": [1, 1], "float32": "AADAfw=="}),
    "a turn that is true": changed(turn=True),
    "scores that are none": changed(remembered=[{"key": "k", "scores": "AAAA", "focus": None, "notes": []}]),
    "scores cut off": with_scores(arrays="eJwDAAAAAAE="),
    "scores that are no zlib": with_scores(arrays="AAAA"),
    "scores of more blocks": with_scores(blocks=3),
    "scores of too many blocks": with_scores(blocks=1 << 40),
    "scores on no scale": with_scores(scale="good"),
    "too large": changed(document="d" * MOST_BYTES),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_damaged_or_newer_value_is_dropped_with_a_log_line(
    name: str, kept: Kept, caplog: pytest.LogCaptureFixture
) -> None:
    session = Session("ana", "1", kept.store)
    kept.store.save(session.key, BROKEN[name], replacing=None)
    with pytest.raises(UnreadableState):
        decode(BROKEN[name])
    with caplog.at_level(logging.WARNING, "workbench"):
        stored = session.load()
    assert stored.state is None
    assert "the state of a session was dropped" in caplog.text
    assert "its topic starts afresh" in caplog.text
    # What replaces it is written in its place.
    assert session.save(state_of(), replacing=stored.value)
    assert session.state is not None


@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_no_bytes_at_all_are_more_than_unreadable(value: bytes) -> None:
    with pytest.raises(UnreadableState):
        decode(value)


def large(blocks: int) -> RelevanceScores:
    noise = np.random.default_rng(0).normal(size=blocks).astype(np.float32)
    return RelevanceScores(
        logits=noise,
        relevance=np.random.default_rng(1).random(blocks),
        scale=Scale.UNCALIBRATED,
        parts={"semantic": noise.copy()},
        share_read=np.ones(blocks, np.float32),
        scorer="words",
    )


def test_readings_are_left_out_of_a_value_the_oldest_first_until_it_fits() -> None:
    state = state_of(remembered=(Remembered("old", large(30_000)), Remembered("new", large(30_000))))
    value = encode(state)
    assert value is not None
    assert len(value) <= MOST_BYTES
    assert [found.scores is None for found in decode(value).remembered] == [True, False]


def test_a_state_that_is_too_large_all_the_same_is_not_kept(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    session = Session("ana", "1", kept.store)
    session.save(state_of(), replacing=None)
    assert not session.save(state_of(anchor_blocks=tuple(range(400_000))), replacing=kept.store.load(session.key))
    assert "too large to be kept" in caplog.text
    assert session.state is None


def test_a_session_keeps_its_state_for_itself_unless_a_store_is_given() -> None:
    first, second = Session("ana", "1"), Session("ana", "1")
    first.save(state_of(), replacing=None)
    assert first.state is not None
    assert second.state is None
    assert repr(first) == "Session('ana', '1', MemoryStore(1 sessions, 1800 s))"


def test_the_lock_of_a_session_is_released_also_after_a_failure(kept: Kept) -> None:
    session = Session("ana", "1", kept.store)

    def fail() -> None:
        with session.locked() as mine, session.locked() as again:
            assert (mine, again) == (True, False)
            raise RuntimeError("x")

    with pytest.raises(RuntimeError):
        fail()
    with session.locked() as mine:
        assert mine
