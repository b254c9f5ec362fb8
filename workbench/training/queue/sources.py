"""Where the questions of a queue come from: readings, questions to train on, or a workload with a reader."""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InvalidOption
from ...relevance.scores import Scale

if TYPE_CHECKING:
    from ...documents import Document
    from ...reading import Reading, SparseReader
    from ...workload import Request, Workload
    from ..question import Question

Source = Any
"""A workload or its folder, a reading, readings, or questions."""
Reads = Any
"""A SparseReader, or what returns one: it is called when something is read."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """One question on one document, which is read when somebody needs it.

    Attributes
    ----------
    document_key : str
        What the source calls the document.
    question : str
    request : str or None
    open : callable
        Returns the document.
    read : callable
        Returns the reading, of the document as it is open; with ``progress=None`` it tells how far it is to whoever
        follows, see ``documents.progress``.
    gold : callable
        Returns the ids of the blocks with gold evidence, every place of every piece; None where nothing is known.
    """

    document_key: str
    question: str
    open: Callable[[], Document] = field(repr=False)
    read: Callable[..., Reading] = field(repr=False)
    gold: Callable[[], frozenset[int] | None] = field(repr=False)
    request: str | None = None
    size: float = math.inf
    """Bytes of the document's file; a long one takes long to read. Infinite where nobody knows."""


@dataclass(frozen=True, eq=False)
class Sources:
    """Every question that a queue may ask.

    Attributes
    ----------
    asked : tuple of Asked
    name : str
        Of what they come from.
    identity : str
        Changes when the questions or their documents do.
    reads : bool
        Whether the questions can be read: items without scores need no reader.
    calibrated : callable
        Returns whether what is read has a calibrated relevance, as far as that is known before.
    """

    asked: tuple[Asked, ...]
    name: str
    identity: str
    reads: bool = True
    calibrated: Callable[[], bool] = field(default=lambda: False, repr=False)

    @cached_property
    def by_document(self) -> Mapping[str, tuple[Asked, ...]]:
        """The questions of each document, by its key, both in the order of the source."""
        found: dict[str, list[Asked]] = {}
        for one in self.asked:
            found.setdefault(one.document_key, []).append(one)
        return {key: tuple(questions) for key, questions in found.items()}

    def document(self, key: str) -> Document:
        """Return a document.

        Raises
        ------
        InvalidOption
            If no question is about one of that key.
        WorkbenchError
            If it cannot be opened.
        """
        found = self.by_document.get(key)
        if not found:
            raise InvalidOption(
                f"No question of {self.name} is about {key!r:.80}; give the source that the queue is of."
            )
        return found[0].open()


def sources_of(source: Source, reader: Reads | None = None) -> Sources:
    """Return the questions of a source.

    Parameters
    ----------
    source : Workload, path, Reading, iterable of Reading, Questions or iterable of Question
    reader : SparseReader or callable, optional
        Reads a workload or questions, or returns what does; readings have been read. Without one only items that others
        chose (mined negatives, mistakes) can be queued.

    Raises
    ------
    InvalidOption
        For anything else.
    """
    from ...reading import Reading
    from ...workload import Workload, load_workload
    from ..question import Question, Questions

    if isinstance(source, str | Path):
        source = load_workload(source)
    if isinstance(source, Workload):
        return _of_workload(source, reader)
    if isinstance(source, Reading):
        return _of_readings([source])
    if isinstance(source, Questions):
        return _of_questions([*source.questions, *source.unanswerable], reader)
    found = list(source) if isinstance(source, Iterable) else []
    if found and all(isinstance(one, Reading) for one in found):
        return _of_readings(found)
    if found and all(isinstance(one, Question) for one in found):
        return _of_questions(found, reader)
    raise InvalidOption(
        f"A queue is made of a workload, readings or questions, not of {type(source).__name__}"
        f"{' without any' if isinstance(source, Iterable) and not found else ''}; give one of those."
    )


def _of_readings(readings: list[Reading]) -> Sources:
    asked = tuple(
        Asked(
            document_key=reading.document.name,
            question=reading.question,
            open=lambda reading=reading: reading.document,  # type: ignore[misc]
            read=lambda reading=reading, **_: reading,
            gold=lambda: None,
        )
        for reading in readings
    )
    by_name = {reading.document.name: reading.document.sha256 for reading in readings}
    clash = next((r.document.name for r in readings if by_name[r.document.name] != r.document.sha256), None)
    if clash is not None:
        raise InvalidOption(
            f"Two of the readings are of different documents named {clash!r:.80}; give one name to each."
        )
    said = [f"{reading.document.sha256} {reading.question}" for reading in readings]
    known = all(reading.scores.scale is Scale.CALIBRATED for reading in readings)
    return Sources(asked, readings[0].document.name, _digest(said), calibrated=lambda: known)


def _of_questions(questions: list[Question], reader: Reads | None) -> Sources:
    asked = tuple(
        Asked(
            document_key=one.document_key,
            question=one.question,
            request=one.id,
            open=lambda one=one: one.document,  # type: ignore[misc]
            read=_reading(reader, lambda one=one: one.document, one.question, one.scope),  # type: ignore[misc]
            gold=lambda one=one: one.evidence,  # type: ignore[misc]
        )
        for one in questions
    )
    said = [f"{one.document.sha256} {one.question}" for one in questions]
    name = questions[0].set_name if questions else ""
    return Sources(asked, name or "these questions", _digest(said), reader is not None, _calibration(reader))


def _of_workload(workload: Workload, reader: Reads | None) -> Sources:
    asked = tuple(_of_request(workload, request, reader) for request in workload.requests)
    return Sources(asked, workload.name, workload.fingerprint, reader is not None, _calibration(reader))


def _of_request(workload: Workload, request: Request, reader: Reads | None) -> Asked:
    from ...workload import resolve

    def opened() -> Document:
        return workload.open(request)

    def gold() -> frozenset[int] | None:
        if not request.evidence:
            return None if request.answerable else frozenset()
        found = resolve(request, opened())
        # A piece without a place may be anywhere: nothing but what was found is known then.
        places = frozenset(block for piece in found.pieces for place in piece.places for block in place)
        return places if found.pieces else None

    return Asked(
        document_key=request.document_key,
        question=request.question,
        request=request.id,
        open=opened,
        read=_reading(reader, opened, request.question, request.scope),
        gold=gold,
        size=_size_of(workload.folder, request.document_key),
    )


def _size_of(folder: Path | None, key: str) -> float:
    path = None if folder is None else folder / key
    return math.inf if path is None or not path.is_file() else path.stat().st_size


_READS = threading.Lock()
"""One reading at a time: a model has the cores for itself, and scorers remember what they did last."""


def _reading(reader: Reads | None, opened: Callable[[], Document], question: str, scope: Any) -> Callable[..., Reading]:
    def read(progress: bool | None = False) -> Reading:
        if reader is None:
            raise InvalidOption("This queue is ordered by what a reader makes of each block; give a reader.")
        with _READS:
            return _given(reader).read(opened(), question, scope=scope, progress=progress)

    return read


def _calibration(reader: Reads | None) -> Callable[[], bool]:
    return lambda: reader is not None and _given(reader).calibration is not None


def _given(reader: Reads) -> SparseReader:
    found: SparseReader = reader() if callable(reader) else reader
    return found


def _digest(said: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()
