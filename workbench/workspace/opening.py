"""What is being opened: a document is read and scored beside the analyst, who goes on with the one at hand."""

from __future__ import annotations

import threading
from collections.abc import Callable

from .opened import Opened
from .state import BenchState

OPENING = ("open", "ask")
"""Operations after which another document or question is at hand."""
READING = "reading"
"""Kind of the job."""
PATIENCE_SECONDS = 0.3
"""How long an operation waits for its document before it is done without: what is remembered takes less."""

Place = tuple[str | None, str | None, str]
NOTHING: Place = (None, None, "")


def place_of(state: BenchState) -> Place:
    """Return what a state has open: request, artifact, and question."""
    return state.request, state.artifact, state.question


class Pending:
    """A document on its way; nothing here needs the lock of the bench, which whoever waits may hold.

    Parameters
    ----------
    place : Place
        What is opened.
    read : callable
        Opens it.

    Attributes
    ----------
    opened : Opened or None
        Once it is there.
    failure : BaseException or None
        Why it never will be.
    is_lost : bool
        Whether nothing comes any more.
    is_left : bool
        Whether the operation is done, and the document comes later.
    ready : threading.Event
        Set as soon as one of these is known.
    """

    def __init__(self, place: Place, read: Callable[[], Opened]) -> None:
        self.place, self._read = place, read
        self.opened: Opened | None = None
        self.failure: BaseException | None = None
        self.is_lost = self.is_left = False
        self.ready = threading.Event()

    def read(self) -> Opened:
        """Open it; on the thread of the job."""
        try:
            self.opened = self._read()
        except Exception as error:
            self.failure = error
            self.lose()
            raise
        self.ready.set()
        return self.opened

    def lose(self) -> None:
        """Say that nothing comes any more."""
        if self.opened is None:
            self.is_lost = True
        self.ready.set()
