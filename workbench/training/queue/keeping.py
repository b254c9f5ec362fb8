"""A queue on the disk, beside the labels: whoever comes back finds the same items, at the same place."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import WorkspaceFailed
from .items import ItemKey, Order, Queue, QueueItem

_VERSION = 1
FOLDER = "queues"


@dataclass(frozen=True, slots=True)
class Place:
    """How far an annotator has come.

    Attributes
    ----------
    at : ItemKey or None
        The item at hand; None once there is none.
    skipped : frozenset of ItemKey
    """

    at: ItemKey | None = None
    skipped: frozenset[ItemKey] = frozenset()


class KeptQueue:
    """The file of a queue, and the small one of the place in it.

    Parameters
    ----------
    labels : pathlib.Path
        The file of the labels; queues lie in a folder beside it.
    *identity : str
        All that tells this queue from others: who is asked, of what, in what order.
    """

    def __init__(self, labels: Path, *identity: str) -> None:
        said = "\n".join([str(_VERSION), labels.name, *identity]).encode("utf-8", "surrogatepass")
        name = hashlib.sha256(said).hexdigest()[:24]
        folder = labels.parent / FOLDER
        self._queue, self._place = folder / f"{name}.json", folder / f"{name}.place.json"

    def queue(self) -> Queue | None:
        """Return the queue; None if there is none, or its file is damaged: it is made again then."""
        data = _read(self._queue)
        with contextlib.suppress(KeyError, TypeError, ValueError):
            if data is not None and data["version"] == _VERSION:
                items = tuple(QueueItem.from_dict(one) for one in data["items"])
                left_out = {str(why): int(number) for why, number in data["left_out"].items()}
                return Queue(items, Order(data["order"]), left_out, tuple(map(str, data["notes"])))
        return None

    def place(self) -> Place:
        """Return the place in it; its beginning if that is not known."""
        data = _read(self._place)
        with contextlib.suppress(KeyError, TypeError, ValueError):
            if data is not None:
                at = None if data["at"] is None else _key(data["at"])
                return Place(at, frozenset(map(_key, data["skipped"])))
        return Place()

    def keep(self, queue: Queue) -> None:
        """Write the queue; the place in it is forgotten.

        Raises
        ------
        WorkspaceFailed
            If it cannot be written.
        """
        with contextlib.suppress(OSError):
            self._place.unlink(missing_ok=True)
        data = {
            "version": _VERSION,
            "order": queue.order.value,
            "items": [item.to_dict() for item in queue.items],
            "left_out": dict(queue.left_out),
            "notes": list(queue.notes),
        }
        _write(self._queue, data)

    def keep_place(self, at: ItemKey | None, skipped: Iterable[ItemKey]) -> None:
        """Write the place; a kill leaves the one before, or this one.

        Nobody waits until the disk has it, as for labels: without a place the walk goes on at the first open item.

        Raises
        ------
        WorkspaceFailed
            If it cannot be written.
        """
        place = {"at": None if at is None else list(at), "skipped": sorted(map(list, skipped))}
        _write(self._place, place, durable=False)


def _key(values: Any) -> ItemKey:
    document, question, block = values
    return ItemKey(str(document), str(question), int(block))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def _write(path: Path, data: Any, *, durable: bool = True) -> None:
    """Replace a file at once: a reader, or a kill, meets the old one or the new one."""
    # Lone surrogates of a question are kept as escapes, which is what json writes for all beyond ASCII.
    body = json.dumps(data, separators=(",", ":")).encode("ascii")
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".queue-")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(body)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise WorkspaceFailed(
            f"The place in the queue cannot be written to {path.parent} ({error.strerror or error}); free some room, "
            "or give labels in a folder that can be written."
        ) from error
