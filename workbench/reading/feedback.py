"""What people said of blocks: "this was no use" takes effect on the next reading of the document.

The relevance of a block is multiplied by a factor:

- ``SAME_QUESTION`` if the block, or a near-copy of it, was marked for the same question;
- else ``OTHER_QUESTION`` for each other question of this document for which it was marked, but never less than
  ``LEAST_FACTOR``: what was of no use twice may still be the answer to a third question.

Pins win all the same, and no other document is touched: it is a correction, not training.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import InvalidOption
from ..relevance.questions import checked_question
from .near_copies import near_copies, plain_letters

if TYPE_CHECKING:
    from ..documents import Document
    from ..relevance.scores import RelevanceScores

SAME_QUESTION = 0.1
OTHER_QUESTION = 0.6
LEAST_FACTOR = 0.2

NO_USE = "no use"
WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class FeedbackVoice:
    """What feedback says about one block.

    Attributes
    ----------
    factor : float
        What its relevance is multiplied by, in (0, 1).
    words : str
        Why.
    """

    factor: float
    words: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One block that was marked, for one question."""

    document: str
    question: str
    block_id: int
    text_sha256: str


class Feedback:
    """Marks on blocks, in memory and if wanted in a file that is only ever appended to.

    Parameters
    ----------
    path : str or pathlib.Path, optional
        A JSONL file, a mark or a withdrawal a line; what it holds already takes effect.

    Raises
    ------
    InvalidOption
        If the file cannot be read, or a line of it is no mark.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path).expanduser()
        self._marks: dict[Mark, None] = {}
        self._copies: WeakKeyDictionary[Document, dict[int, tuple[int, ...]]] = WeakKeyDictionary()
        if self.path is not None and self.path.exists():
            self._load(self.path)

    def no_use(self, document: Document, question: str, block_ids: Iterable[int]) -> None:
        """Mark blocks as of no use for a question; takes effect on the next reading.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        InvalidQuestion
            If the question is none.
        """
        self._add(document, question, block_ids, NO_USE)

    def withdraw(self, document: Document, question: str, block_ids: Iterable[int]) -> None:
        """Take marks back; blocks that were not marked stay as they are.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        InvalidQuestion
            If the question is none.
        """
        self._add(document, question, block_ids, WITHDRAWN)

    def marked(self, document: Document) -> tuple[tuple[str, int], ...]:
        """Return (question, block id) of what is marked in a document, in the order in which it was."""
        return tuple((mark.question, mark.block_id) for mark in self._of(document))

    def voices(self, document: Document, question: str) -> dict[int, FeedbackVoice]:
        """Return what feedback says about blocks of a document, by block id; most blocks have no voice."""
        asked = plain_letters(question)
        same: dict[int, int] = {}
        others: dict[int, dict[str, None]] = {}
        for mark in self._of(document):
            marked_for = plain_letters(mark.question)
            for block in self._near_copies(document, mark.block_id):
                if marked_for == asked:
                    # The mark on the block itself explains more than one on a copy.
                    if block not in same or block == mark.block_id:
                        same[block] = mark.block_id
                else:
                    others.setdefault(block, {})[marked_for] = None
        found = {block: _for_others(len(questions)) for block, questions in others.items()}
        found |= {block: _for_same(block, marked) for block, marked in same.items()}
        return dict(sorted(found.items()))

    def __len__(self) -> int:
        return len(self._marks)

    def __repr__(self) -> str:
        kept = f", in {str(self.path)!r}" if self.path is not None else ""
        return f"Feedback({len(self._marks)} marks{kept})"

    def _of(self, document: Document) -> list[Mark]:
        """Marks of a document whose block still has the text that was marked: it may be cut otherwise today."""
        texts = document.texts
        return [
            mark
            for mark in self._marks
            if mark.document == document.sha256
            and mark.block_id < len(texts)
            and _sha256(texts[mark.block_id]) == mark.text_sha256
        ]

    def _near_copies(self, document: Document, block_id: int) -> tuple[int, ...]:
        known = self._copies.setdefault(document, {})
        if block_id not in known:
            known[block_id] = near_copies(document.texts, block_id)
        return known[block_id]

    def _add(self, document: Document, question: str, block_ids: Iterable[int], verdict: str) -> None:
        asked = checked_question(question)
        marks = [
            Mark(document.sha256, asked, block.block_id, _sha256(block.text))
            for block in [document.block(block_id) for block_id in block_ids]
        ]
        self._write(marks, verdict)
        for mark in marks:
            self._take(mark, verdict)

    def _take(self, mark: Mark, verdict: str) -> None:
        if verdict == NO_USE:
            self._marks[mark] = None
        else:
            self._marks.pop(mark, None)

    def _write(self, marks: list[Mark], verdict: str) -> None:
        """A mark is on disk before it takes effect."""
        if self.path is None or not marks:
            return
        time = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        lines = [json.dumps(_record(mark, verdict, time), ensure_ascii=True) + "\n" for mark in marks]
        try:
            with self.path.open("ab+") as stream:
                # An editor, or a crash, may have left the last line without its end.
                if stream.seek(0, os.SEEK_END):
                    stream.seek(-1, os.SEEK_END)
                    if stream.read(1) != b"\n":
                        stream.write(b"\n")
                stream.write("".join(lines).encode("ascii"))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise InvalidOption(
                f"The feedback could not be written to {self.path} ({error.strerror}); give a file in a folder that "
                "exists and may be written to."
            ) from error

    def _load(self, path: Path) -> None:
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidOption(f"The feedback in {path} cannot be read ({error}); give another file.") from error
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                verdict = record["verdict"]
                mark = Mark(
                    str(record["document"]),
                    str(record["question"]),
                    int(record["block_id"]),
                    str(record["text_sha256"]),
                )
                if verdict not in (NO_USE, WITHDRAWN) or mark.block_id < 0:
                    raise ValueError(f"verdict {verdict!r:.40}, block {mark.block_id}")
            except (ValueError, KeyError, TypeError, OverflowError) as error:
                raise InvalidOption(
                    f"Line {number} of {path.name} is no feedback ({error!s:.80}); mend the line or take it out."
                ) from error
            self._take(mark, verdict)


def feedback_of(value: Feedback | str | Path | None) -> Feedback:
    """Return the feedback that a reader was given: one of its own, a file's, or an empty one."""
    if isinstance(value, Feedback):
        return value
    if value is None or isinstance(value, str | Path):
        return Feedback(value)
    raise InvalidOption(f"feedback is of type {type(value).__name__}; give a Feedback, or the path of its JSONL file.")


def with_feedback(scores: RelevanceScores, voices: Mapping[int, FeedbackVoice]) -> RelevanceScores:
    """Return the scores with the relevance of some blocks multiplied by a factor.

    Their logits become those that this document's other blocks of that relevance have, so that order and relevance
    still agree; the difference is the part "feedback".
    """
    if not voices:
        return scores
    blocks = np.fromiter(voices, np.intp, len(voices))
    factors = np.array([voice.factor for voice in voices.values()])
    relevance = scores.relevance.copy()
    relevance[blocks] *= factors
    order = np.lexsort((scores.logits, scores.relevance))
    known, logits = scores.relevance[order], scores.logits[order].astype(np.float64)
    found = np.interp(relevance[blocks], known, logits)
    lowest = float(known[0])
    below = relevance[blocks] < lowest
    if below.any():
        found[below] = logits[0] + np.log(relevance[blocks][below] / lowest)
    lowered = np.minimum(found, scores.logits[blocks]).astype(np.float32)
    part = np.zeros(len(scores), np.float32)
    part[blocks] = lowered - scores.logits[blocks]
    new = scores.logits.copy()
    new[blocks] = lowered
    return replace(scores, relevance=relevance, logits=new, parts={**scores.parts, "feedback": part})


def _for_same(block: int, marked: int) -> FeedbackVoice:
    what = "marked as of no use" if block == marked else f"a near-copy of block {marked}, marked as of no use"
    return FeedbackVoice(SAME_QUESTION, f"{what} for this question")


def _for_others(count: int) -> FeedbackVoice:
    factor = max(LEAST_FACTOR, math.pow(OTHER_QUESTION, count))
    questions = "another question" if count == 1 else f"{count} other questions"
    return FeedbackVoice(factor, f"it, or a near-copy, was marked as of no use for {questions} of this document")


def _record(mark: Mark, verdict: str, time: str) -> dict[str, Any]:
    return {
        "document": mark.document,
        "question": mark.question,
        "block_id": mark.block_id,
        "text_sha256": mark.text_sha256,
        "verdict": verdict,
        "time": time,
    }


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
