"""A question in a session: a reading of the whole document, or only the sentences that a follow-up is about.

A follow-up is read in the *anchors*, the blocks that the readings of its topic have kept. Blocks outside them come in
where they fit the question better, and it is said: a question that was wrongly taken for a follow-up loses little.

Equal questions that are asked at once are computed once: who locks the session computes, the others wait for a short
time and read. Who has waited in vain computes too, and comes to the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from ..caching import key_of
from ..relevance.scores import RelevanceScores, Scope
from .narrowing import Narrowed, Score, anchors_in, narrowed
from .reading import Reading, reading_of
from .references import reference_in
from .sessions import QUESTIONS, Remembered, Session, SessionState, Stored, Vectors, blocks_key
from .topics import Topic, topic_of

if TYPE_CHECKING:
    from ..documents import Document
    from .decision import Focus

WAIT_SECONDS = 0.1
"""Longest wait for another computation of the same."""
_POLL_SECONDS = 0.01


class Fresh(Protocol):
    """Reads the whole document for the question; with scores that are known already, nothing is scored."""

    def __call__(self, *, scores: RelevanceScores | None = None) -> Reading:
        """Return the reading."""


Vector = npt.NDArray[np.float32]
AsVector = Callable[[str], Vector | None]


def read_with_session(
    document: Document,
    question: str,
    session: Session,
    *,
    fresh: Fresh,
    score: Score,
    vector: AsVector,
    options: str = "",
) -> Reading:
    """Read a document for a question of a dialogue.

    Parameters
    ----------
    document : Document
    question : str
        Checked already.
    session : Session
    fresh : callable
        Reads the whole document for the question.
    score : callable
        Scores the whole document for any other text: for the question before.
    vector : callable
        Returns a question as a vector of length 1, or None without a semantic model.
    options : str
        Hash of all that decides a reading besides document and question.

    Returns
    -------
    Reading
        Its notes begin with what the session made of the question, and why.

    Raises
    ------
    SessionDenied
        If what is stored for the session belongs to somebody else.
    SessionStoreFailed
        If the store cannot be reached.
    """
    turn = _Turn(document, question, session, fresh, score, vector, options)
    stored = session.load()
    found = turn.remembered(stored.state)
    if found is None:
        with session.locked() as mine:
            # Who had the lock before may have answered meanwhile.
            stored, found = turn.look_again() if mine else turn.wait()
            if found is None:
                return turn.compute(stored)
    return turn.replay(stored, found)


@dataclass(frozen=True, eq=False)
class _Turn:
    """One question of a session."""

    document: Document
    question: str
    session: Session
    fresh: Fresh
    score: Score
    vector: AsVector
    options: str

    def key(self, before: str | None) -> str:
        """Hash of all that decides the reading; what a question leans on is part of it."""
        asked = " ".join(self.question.split()).casefold()
        leans = before if reference_in(self.question) else None
        document = (self.document.sha256, blocks_key(self.document))
        return key_of(document, asked, leans, self.options, self.session.options.key())

    def remembered(self, state: SessionState | None) -> Remembered | None:
        """Return what is remembered of this very question, or None."""
        if state is None or not state.questions:
            return None
        last = state.reading(self._last_key(state))
        if last is not None and last is state.remembered[-1]:
            return last
        return state.reading(self.key(state.questions[-1]))

    def look_again(self) -> tuple[Stored, Remembered | None]:
        """Load the state once more."""
        stored = self.session.load()
        return stored, self.remembered(stored.state)

    def wait(self) -> tuple[Stored, Remembered | None]:
        """Wait for the answer of whoever has the lock."""
        until = time.monotonic() + WAIT_SECONDS
        while True:
            stored, found = self.look_again()
            if found is not None or time.monotonic() >= until:
                return stored, found
            time.sleep(_POLL_SECONDS)

    def replay(self, stored: Stored, found: Remembered) -> Reading:
        """Return a remembered reading, and make its question the last one."""
        state = stored.state
        if state is not None and found is not state.remembered[-1]:
            others = [one for one in state.remembered if one is not found]
            as_vector = self.vector(self.question) if len(state.question_vectors) else None
            asked = self._asked(replace(state, focus_spans=found.focus or {}), as_vector, state.turn + 1)
            self.session.save(replace(asked, remembered=(*others, found)), replacing=stored.value)
        again = "was not computed again" if found.scores is not None else "has too many scores to be kept with it"
        notes = (f"The session remembers this question: its reading {again}.", *found.notes)
        return _told(self.fresh(scores=found.scores), found.focus, notes)

    def compute(self, stored: Stored) -> Reading:
        """Read the whole document, or what the follow-up is about, and remember it."""
        state = stored.state
        notes: tuple[str, ...] = ()
        turn = 1 if state is None else state.turn + 1
        if state is not None and (state.document, state.blocks) != (self.document.sha256, blocks_key(self.document)):
            notes = ("Another document, or another version of it: the anchors that were read before were dropped.",)
            state = None
        reading = self.fresh()
        as_vector = self.vector(self.question) if _knows_meaning(reading.scores) else None
        topic, why = self._topic(state, reading, as_vector)
        if state is None or topic is None:
            notes = (*notes, why)
            told = _told(reading, None, notes)
            new = self._asked(self._new_topic(reading), as_vector, turn)
            focus = None
        else:
            found = narrowed(
                reading,
                state,
                score=self.score,
                semantic=as_vector is not None,
                refers=topic.reference is not None,
                options=self.session.options,
            )
            notes, focus = (*notes, why, *found.notes), found.focus
            told = _told(reading, focus, notes)
            new = self._asked(_gone_on(state, found, reading), as_vector, turn)
        remembered = Remembered(self._last_key(new), _scores_to_keep(reading), focus, notes)
        known = [one for one in new.remembered if one.key != remembered.key]
        new = replace(new, remembered=(*known, remembered)[-QUESTIONS:])
        self.session.save(new, replacing=stored.value)
        return told

    def _topic(
        self, state: SessionState | None, reading: Reading, as_vector: Vector | None
    ) -> tuple[Topic | None, str]:
        """Return what the question has to do with those before it, None for nothing, and that in words."""
        if state is None:
            return None, "First question of the session: the whole document was read."
        if not anchors_in(reading, state).any():
            return None, "The reading before kept nothing to go on from: the whole document was read."
        if reading.scope in (Scope.AGGREGATE, Scope.WHOLE):
            return None, f"The scope of the question is {reading.scope.value}: the whole document was read."
        scores = reading.scores
        topic = topic_of(
            self.question,
            as_vector,
            state,
            scorer=scores.scorer,
            language=self.document.language.value,
            best_block=int(scores.order[0]) if np.ptp(scores.logits) > 0 else None,
            options=self.session.options,
        )
        if topic.same:
            return topic, f"Follow-up, because {topic.reason}."
        return None, f"New topic, because {topic.reason}: the whole document was read."

    def _new_topic(self, reading: Reading) -> SessionState:
        return SessionState(
            user=self.session.user,
            session_id=self.session.session_id,
            document=self.document.sha256,
            blocks=blocks_key(self.document),
            anchor_blocks=reading.kept_ids,
            scorer=reading.scores.scorer,
            first_tokens=reading.saving.tokens_kept,
            first_rendered=reading.saving.rendered_tokens,
        )

    def _asked(self, state: SessionState, as_vector: Vector | None, turn: int) -> SessionState:
        """Return the state with this question as the last one."""
        questions = (*state.questions, self.question)[-QUESTIONS:]
        return replace(state, questions=questions, question_vectors=_appended(state, as_vector), turn=turn)

    def _last_key(self, state: SessionState) -> str:
        return self.key(state.questions[-2] if len(state.questions) > 1 else None)


def _gone_on(state: SessionState, found: Narrowed, reading: Reading) -> SessionState:
    """Return the state after a follow-up: what it found outside the anchors are anchors now."""
    anchors = tuple(sorted({*state.anchor_blocks, *found.outside}))
    known = state.question_vectors if state.scorer == reading.scores.scorer else np.zeros((0, 0), np.float32)
    return replace(
        state,
        anchor_blocks=anchors,
        focus_spans=found.focus,
        question_vectors=known,
        scorer=reading.scores.scorer,
    )


def _knows_meaning(scores: RelevanceScores) -> bool:
    """Whether scores come from more than words; a scorer that names its parts otherwise is taken to know more."""
    return "semantic" in scores.parts or "lexical" not in scores.parts


def _appended(state: SessionState, vector: Vector | None) -> Vectors:
    if vector is None:
        return np.zeros((0, 0), np.float32)
    row = np.asarray(vector, np.float32)[None, :]
    known = state.question_vectors
    if known.shape[1] != row.shape[1]:
        return row
    return np.concatenate([known, row])[-QUESTIONS:]


def _scores_to_keep(reading: Reading) -> RelevanceScores | None:
    """Return the scores, unless they are of a kind that would not come back from a store as they are."""
    scored = reading.basis.scored
    return scored if type(scored) is RelevanceScores else None


def _told(reading: Reading, focus: Focus | None, notes: tuple[str, ...]) -> Reading:
    """Return a reading that has a focus and says what the session made of its question."""
    basis = replace(reading.basis, remarks=(*notes, *reading.basis.remarks))
    if focus is None:
        return replace(reading, basis=basis)
    return reading_of(basis, reading.cut, reading.budget_tokens, focus)
