"""Labels in a SQLite file that is only ever added to, which several notebooks may share.

What ``add`` was given is on the disk when it returns. A connection lives for one call, or for as long as ``linger``
says behind the last one: no thread, process or notebook keeps the file, and one that was removed or replaced meanwhile
is noticed.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InvalidLabels, LabelStoreFailed, WorkbenchError
from ...printing import counted
from .events import EventKind, LabelEvent, LabelsInForce
from .frame import frame_of
from .holding import Holder
from .label import Label
from .values import LabelSource, LabelValue, source_of, value_of

if TYPE_CHECKING:
    import pandas as pd

WAIT_SECONDS = 10.0
"""How long a call waits for another notebook to finish writing."""
LINGER_SECONDS = 1.0
"""How long the file stays open behind a label for the next one, where a person labels."""

_INSERT = "INSERT INTO events (id, kind, annotator, at, about, body) VALUES (?, ?, ?, ?, ?, ?)"
_SINCE = "SELECT number, id, kind, annotator, at, about, body FROM events WHERE number > ? ORDER BY number"


class LabelStore:
    """Labels that survive the kernel, with everything that was ever said.

    Parameters
    ----------
    path : str or pathlib.Path
        A SQLite file; made with its folder if it is not there. Not on a network drive: SQLite's locks do not hold
        there.
    wait_seconds : float
        How long a call waits while another process writes.

    Raises
    ------
    LabelStoreFailed
        If the file cannot be made or read, is none of these stores, or was written by a newer version.

    Examples
    --------
    >>> import tempfile
    >>> store = LabelStore(Path(tempfile.mkdtemp()) / "labels.sqlite")
    >>> store.labels(), store.version
    ((), 0)
    """

    def __init__(self, path: str | Path, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.path = Path(path).expanduser()
        self.wait_seconds = wait_seconds
        self._holder = Holder(self.path, wait_seconds)
        self._lock = self._holder.lock
        self._identity = ""
        self._state = LabelsInForce()
        self._refreshed()

    def add(self, *labels: Label) -> None:
        """Write labels down; they are on the disk when this returns. Ids that are known already are left out.

        A label that is added later wins over an earlier one of the same document, question, block and annotator,
        whatever its time; the earlier one stays in ``history``.

        Raises
        ------
        LabelStoreFailed
            If they cannot be written; none of them is in the store then.
        """
        with self._writing() as (connection, state):
            for label in labels:
                if not state.knows(label.id):
                    event = LabelEvent(0, label.id, EventKind.LABEL, label.annotator, _now(), label)
                    self._write(connection, state, event)

    def undo(self, annotator: str, *, operation: str | None = None) -> Label | None:
        """Take back the latest action of an annotator that is not taken back yet.

        What was there before, an earlier label of the same block perhaps, is in force again.

        Parameters
        ----------
        annotator : str
        operation : str, optional
            Identity of this undo: one that arrives twice is done once.

        Returns
        -------
        Label or None
            The label that was set, or withdrawn, by what was taken back; None if there was nothing.
        """
        return self._step(annotator, operation, EventKind.UNDO, lambda state: state.to_undo(annotator))

    def redo(self, annotator: str, *, operation: str | None = None) -> Label | None:
        """Do again what an annotator took back last; nothing after another action of the annotator.

        Parameters and result are those of ``undo``.
        """
        return self._step(annotator, operation, EventKind.REDO, lambda state: state.to_redo(annotator))

    def withdraw(self, label_id: str, *, annotator: str | None = None, operation: str | None = None) -> Label | None:
        """Leave a block without a label of its annotator; an action, so it can be undone.

        Parameters
        ----------
        label_id : str
        annotator : str, optional
            Who withdraws it; the label's own annotator by default.
        operation : str, optional
            Identity of this withdrawal: one that arrives twice is done once.

        Returns
        -------
        Label or None
            The label that is no longer in force; None if it was not in force.

        Raises
        ------
        InvalidLabels
            If the store has no such label.
        """
        with self._writing() as (connection, state):
            if operation is not None and (known := state.event(operation)) is not None:
                return state.label_of(known)
            event = state.event(label_id)
            label = event.label if event is not None else None
            if label is None:
                raise InvalidLabels(f"{self.path.name} has no label {label_id[:60]!r}; give the id of one that it has.")
            if state.of_key(label.key) is not label:
                return None
            who = annotator or label.annotator
            made = LabelEvent(0, operation or str(uuid.uuid4()), EventKind.WITHDRAW, who, _now(), None, label_id)
            self._write(connection, state, made)
            return label

    def labels(
        self,
        *,
        document: str | None = None,
        question: str | None = None,
        annotator: str | None = None,
        source: LabelSource | str | None = None,
        value: LabelValue | str | None = None,
    ) -> tuple[Label, ...]:
        """Return the labels in force: the latest of each document, question, block and annotator.

        In the order in which they were first set. ``document`` is the SHA-256 of its bytes.

        Raises
        ------
        InvalidLabels
            For a source or value that no label has; the message lists them.
        """
        wanted_source = None if source is None else source_of(source)
        wanted_value = None if value is None else value_of(value)
        asked = None if question is None else question.strip()
        with self._lock:
            found = tuple(self._refreshed().in_force())
        return tuple(
            label
            for label in found
            if (document is None or label.document == document)
            and (asked is None or label.question == asked)
            and (annotator is None or label.annotator == annotator)
            and (wanted_source is None or label.source is wanted_source)
            and (wanted_value is None or label.value is wanted_value)
        )

    def history(self) -> tuple[LabelEvent, ...]:
        """Return everything that happened, in order: labels, withdrawals, undoing and redoing."""
        with self._lock:
            return tuple(self._refreshed().events)

    @property
    def version(self) -> int:
        """How many events there are; it grows with each, whoever writes."""
        with self._lock:
            return self._refreshed().number

    def changed_since(self, version: int) -> bool:
        """Whether something happened after a version, here or in another notebook."""
        return self.version != version

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who has labels in force, by name."""
        return tuple(sorted({label.annotator for label in self.labels()}))

    def can_undo(self, annotator: str) -> bool:
        """Whether there is something that the annotator can take back."""
        with self._lock:
            return self._refreshed().to_undo(annotator) is not None

    def can_redo(self, annotator: str) -> bool:
        """Whether there is something that the annotator can do again."""
        with self._lock:
            return self._refreshed().to_redo(annotator) is not None

    def linger(self, seconds: float = LINGER_SECONDS) -> None:
        """Keep the file open for some time behind each label: for whoever sets one after the other.

        Copy the file, or put another one in its place, only after ``rest`` or that time: until then a part of it lies
        in the log beside it.

        Parameters
        ----------
        seconds : float
            0 closes it at the end of each call, as in the beginning.
        """
        with self._lock:
            self._holder.linger_seconds = seconds
            if not seconds:
                self._holder.rest()

    def rest(self) -> None:
        """Close the file now: it is complete, with nothing beside it, until the next label."""
        self._holder.rest()

    def to_frame(self) -> pd.DataFrame:
        """Return the labels in force as a table, one a row; columns are the fields of ``Label``, scores apart."""
        return frame_of(self.labels())

    def __len__(self) -> int:
        return len(self.labels())

    def __repr__(self) -> str:
        # As last seen: what is shown in a notebook must not fail because the file cannot be read.
        with self._lock:
            count = sum(1 for _ in self._state.in_force())
        return f"LabelStore({str(self.path)!r}, {counted(count, 'label')})"

    def _step(
        self,
        annotator: str,
        operation: str | None,
        kind: EventKind,
        chosen: Callable[[LabelsInForce], LabelEvent | None],
    ) -> Label | None:
        with self._writing() as (connection, state):
            if operation is not None and (known := state.event(operation)) is not None:
                return state.label_of(known)
            event = chosen(state)
            if event is None:
                return None
            made = LabelEvent(0, operation or str(uuid.uuid4()), kind, annotator, _now(), None, event.id)
            self._write(connection, state, made)
            return state.label_of(event)

    def _write(self, connection: sqlite3.Connection, state: LabelsInForce, event: LabelEvent) -> None:
        body = None if event.label is None else _packed(event.label)
        row = (event.id, event.kind.value, event.annotator, event.at, event.about, body)
        number = connection.execute(_INSERT, row).lastrowid
        state.take(replace(event, number=number or 0))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[tuple[sqlite3.Connection, LabelsInForce]]:
        """One transaction: what others wrote is known, nobody writes meanwhile, all of it is written or none."""
        with self._lock:
            try:
                with self._holder.connected(writing=True) as connection:
                    self._catch_up(connection)
                    yield connection, self._state
            except BaseException:
                # What was taken may not have been written; the file tells what was.
                self._identity, self._state = "", LabelsInForce()
                raise

    def _refreshed(self) -> LabelsInForce:
        with self._holder.connected() as connection:
            self._catch_up(connection)
        return self._state

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        (identity,) = connection.execute("SELECT value FROM facts WHERE name = 'identity'").fetchone()
        (last,) = connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()
        if identity != self._identity or last < self._state.number:
            self._identity, self._state = identity, LabelsInForce()
        if last > self._state.number:
            for row in connection.execute(_SINCE, (self._state.number,)):
                self._state.take(self._event(row))

    def _event(self, row: tuple[int, str, str, str, str, str, bytes | None]) -> LabelEvent:
        number, name, kind, annotator, at, about, body = row
        try:
            label = None if body is None else _unpacked(body)
            return LabelEvent(number, name, EventKind(kind), annotator, at, label, about)
        except (ValueError, KeyError, TypeError, AttributeError, WorkbenchError) as error:
            raise LabelStoreFailed(
                f"Row {number:,} of {self.path} is no label ({error!s:.120}); put back a copy of the file, or give "
                "another one."
            ) from error


def _packed(label: Label) -> bytes:
    # Not escaped: two lone surrogates in a row, escaped and read again, would become one character.
    return json.dumps(label.to_dict(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _unpacked(body: bytes) -> Label:
    if not isinstance(body, bytes):
        raise ValueError("its body is of another type")
    return Label.from_checked(json.loads(body.decode("utf-8", "surrogatepass")))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
