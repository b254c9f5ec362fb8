"""A session: one user's dialogue on a document, and what is remembered of it between two questions."""

from __future__ import annotations

import hashlib
import logging
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from ..errors import SessionDenied
from .followup_options import FollowUpOptions

if TYPE_CHECKING:
    from ..documents import Document
    from ..relevance.scores import RelevanceScores
    from .decision import Focus
    from .stores import SessionStore

QUESTIONS = 3
"""Questions, vectors and readings that are remembered."""
LOCK_SECONDS = 30.0
"""Seconds after which the lock of a process that died ends."""
MOST_ID_CHARS = 128

Vectors = npt.NDArray[np.float32]

_log = logging.getLogger("workbench")


@dataclass(frozen=True, eq=False)
class Remembered:
    """What gives a reading again without scoring anything.

    Attributes
    ----------
    key : str
        Hash of document, question and everything else that decided it.
    scores : RelevanceScores or None
        None where they were too large to be kept.
    focus : mapping or None
        None for a reading of the whole document.
    notes : tuple of str
        What the session had to say of it.
    """

    key: str
    scores: RelevanceScores | None = None
    focus: Focus | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class SessionState:
    """What is known of a dialogue; every turn makes a new one.

    Attributes
    ----------
    user, session_id : str
        Whose it is: compared on every access.
    document, blocks : str
        SHA-256 of the document that the anchors belong to, and ``blocks_key`` of how it is cut into blocks.
    anchor_blocks : tuple of int
        Ids of the blocks that the readings of this topic have kept, in the order of the document.
    focus_spans : mapping of int to tuple of (int, int)
        Block id -> ranges of its text that the last follow-up kept; empty after a reading of the whole document.
    question_vectors : ndarray of float32, shape (k, d)
        Of the last questions of this topic, k at most 3, each of length 1; (0, 0) without a semantic model.
    questions : tuple of str
        Their texts.
    scorer : str
        Fingerprint of the scorer that the vectors come from.
    first_tokens, first_rendered : int
        Tokens that the topic's first reading kept, of its blocks alone and as rendered.
    turn : int
        Questions asked so far, from 1.
    remembered : tuple of Remembered
        Readings of this topic, the last one at the end.
    """

    user: str
    session_id: str
    document: str
    blocks: str = ""
    anchor_blocks: tuple[int, ...] = ()
    focus_spans: Focus = field(default_factory=dict)
    question_vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    questions: tuple[str, ...] = ()
    scorer: str = ""
    first_tokens: int = 0
    first_rendered: int = 0
    turn: int = 1
    remembered: tuple[Remembered, ...] = ()

    def __post_init__(self) -> None:
        self.question_vectors.flags.writeable = False
        object.__setattr__(self, "focus_spans", MappingProxyType(dict(self.focus_spans)))

    def reading(self, key: str) -> Remembered | None:
        """Return what is remembered under a key."""
        return next((found for found in reversed(self.remembered) if found.key == key), None)

    def __repr__(self) -> str:
        return (
            f"SessionState(turn {self.turn}, {len(self.anchor_blocks)} anchor blocks, "
            f"{len(self.focus_spans)} in focus, document {self.document[:12]})"
        )


class Stored(NamedTuple):
    """A state as it was loaded; ``value`` is what the store had, None for nothing."""

    state: SessionState | None
    value: bytes | None


class Session:
    """One dialogue of one user.

    Parameters
    ----------
    user, session_id : str
        1 to 128 characters, without control characters and without white space around them. Together they are the
        session's identity: nobody else's state is ever read, whatever characters the two hold.
    store : SessionStore, optional
        Where the state is kept; by default in memory, for this object alone. See ``open_store``.
    options : FollowUpOptions, optional

    Raises
    ------
    SessionDenied
        If the user or the session id is no name.

    Examples
    --------
    >>> Session("ana", "2024:1").key
    'sparse:session:ana:2024%3A1'
    """

    def __init__(
        self,
        user: str,
        session_id: str,
        store: SessionStore | None = None,
        *,
        options: FollowUpOptions | None = None,
    ) -> None:
        self.user = _checked_id("user", user)
        self.session_id = _checked_id("session id", session_id)
        if store is None:
            from .stores.memory import MemoryStore

            store = MemoryStore()
        self.store = store
        self.options = options or FollowUpOptions()

    @property
    def key(self) -> str:
        """The key of the state; what separates its parts is encoded in them, so that no two identities share one."""
        return f"sparse:session:{self._identity}"

    @property
    def _lock_key(self) -> str:
        return f"sparse:lock:{self._identity}"

    @property
    def _identity(self) -> str:
        return f"{quote(self.user, safe='')}:{quote(self.session_id, safe='')}"

    @property
    def state(self) -> SessionState | None:
        """The state, or None where nothing is remembered.

        Raises
        ------
        SessionDenied
            If what is stored belongs to somebody else.
        SessionStoreFailed
            If the store cannot be reached.
        """
        return self.load().state

    def load(self) -> Stored:
        """Return the state and the value that it was read from; a value that cannot be read counts as no state."""
        from .session_values import UnreadableState, decode

        value = self.store.load(self.key)
        if value is None:
            return Stored(None, None)
        try:
            state = decode(value)
        except UnreadableState as error:
            _log.warning("the state of a session was dropped (%s); its topic starts afresh", error)
            return Stored(None, value)
        self._check_owner(state)
        return Stored(state, value)

    def save(self, state: SessionState, *, replacing: bytes | None) -> bool:
        """Store a state in place of the value that it was made from; return False if that has changed meanwhile."""
        from .session_values import encode

        self._check_owner(state)
        value = encode(state)
        if value is None:
            _log.warning("the state of a session is too large to be kept; its topic starts afresh")
            self.store.drop(self.key)
            return False
        return self.store.save(self.key, value, replacing=replacing)

    def forget(self) -> None:
        """Forget everything: the next question is the first one."""
        self.store.drop(self.key)

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Try to lock the session, and give whether it was free; nobody waits here."""
        owner = secrets.token_hex(16)
        mine = self.store.acquire(self._lock_key, owner, LOCK_SECONDS)
        try:
            yield mine
        finally:
            if mine:
                self.store.release(self._lock_key, owner)

    def _check_owner(self, state: SessionState) -> None:
        if (state.user, state.session_id) != (self.user, self.session_id):
            raise SessionDenied(
                f"What is stored for session {self.session_id!r} of user {self.user!r} belongs to somebody else, so it "
                "was not read; forget it, or use another store."
            )

    def __repr__(self) -> str:
        return f"Session({self.user!r}, {self.session_id!r}, {self.store!r})"


def blocks_key(document: Document) -> str:
    """Return the hash of how a document is cut into blocks: the same bytes may be cut in several ways."""
    columns = document.columns
    found = hashlib.sha256()
    for array in (columns.kind, columns.first_piece, columns.start, columns.end):
        found.update(array.tobytes())
    return found.hexdigest()


def _checked_id(what: str, value: str) -> str:
    if not isinstance(value, str):
        raise SessionDenied(
            f"The {what} is of type {type(value).__name__}; give a text of 1 to {MOST_ID_CHARS} characters."
        )
    if not 1 <= len(value) <= MOST_ID_CHARS:
        raise SessionDenied(f"The {what} has {len(value):,} characters; give 1 to {MOST_ID_CHARS}.")
    if value != value.strip() or any(unicodedata.category(char) in _NO_NAME for char in value):
        raise SessionDenied(
            f"The {what} {value!r:.60} has control characters, or white space around it; leave them out."
        )
    return value


_NO_NAME = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
