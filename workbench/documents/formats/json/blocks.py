"""JSON values turned into blocks: a value that is short enough is one block, a longer one is descended into.

A block is a slice of the file, with its key. The keys of a container that was descended into lead the first block
inside it; what is left between the blocks is punctuation, excluded as "structure".
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from ...anchors import JOINT_NONE, JOINT_SPACE, Piece
from ...blocks import BlockKind
from ...draft import Draft, Span
from ..lines import divided
from ..pacing import Pace
from .scan import CLOSE, KEY, OPEN, SCALAR, STRING, scan

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DEEPEST_SHOWN = 24
_PROSE_CHARS = 20
_PROSE_SHARE = 0.5
_MOST_PIECES = 8

Step = str | int | slice
"""A step of a JSONPath: a key, an index, or a range of indices."""


@dataclass(slots=True)
class _Value:
    """A finished value, with its key, that may still become part of a larger block."""

    start: int
    end: int
    prose: int
    plain: bool
    step: Step


@dataclass(slots=True)
class _Container:
    """An open object or array; ``split`` once it is known not to be one block."""

    start: int
    is_object: bool
    lead: Span | None
    step: Step
    split: bool
    count: int = 0
    prose: int = 0
    key: Span | None = None
    waiting: list[_Value] = field(default_factory=list)

    @property
    def begin(self) -> int:
        return self.start if self.lead is None else self.lead.start


class JsonReader:
    """Adds the blocks of JSON values in a text to a draft.

    Parameters
    ----------
    draft : Draft
        Its text layer is ``text``.
    text : str
    limit : int
        Longest block that is made of several values.
    split_top : bool
        Whether the outermost object or array is always descended into.
    """

    def __init__(self, draft: Draft, text: str, *, limit: int, split_top: bool) -> None:
        self._draft = draft
        self._text = text
        self._limit = limit
        self._split_top = split_top
        self._prefix = ""
        self._stack: list[_Container] = []
        # Containers are split from the outside to the inside: the first ``_splits`` of the stack are.
        self._splits = 0
        self._leads: list[Span] = []
        self._at = 0

    def read(self, start: int, end: int, *, pace: Pace | None = None, locator: str = "") -> int:
        """Add the blocks of the one value in a range and return where reading stopped.

        Raises
        ------
        JsonError
            If the range does not hold one JSON value. Blocks may have been added before.
        """
        self._prefix = locator
        self._at = start
        self._stack.clear()
        self._leads.clear()
        self._splits = 0
        for kind, low, high in scan(self._text, start, end):
            if kind == KEY:
                self._stack[-1].key = Span(low, high)
            elif kind == OPEN:
                lead, step = self._place()
                self._stack.append(_Container(low, self._text[low] == "{", lead, step, split=False))
                if self._split_top and len(self._stack) == 1:
                    self._split_open()
            elif kind == CLOSE:
                self._close(high)
            else:
                self._scalar(kind, low, high)
            if pace is not None and not pace.goes_on(low):
                return self._at
        self._structure(end)
        return end

    def _scalar(self, kind: int, low: int, high: int) -> None:
        lead, step = self._place()
        prose = 0
        if kind == STRING and (high - low > _PROSE_CHARS or not self._text[low:high].isascii()):
            prose = high - low
        self._finish(_Value(lead.start if lead else low, high, prose, kind == SCALAR and lead is None, step))

    def _close(self, high: int) -> None:
        container = self._stack[-1]
        if not container.split and high - container.begin <= self._limit:
            self._stack.pop()
            self._finish(_Value(container.begin, high, container.prose, False, container.step))
            return
        self._split_open()
        self._emit_waiting(len(self._stack) - 1)
        if self._leads and self._leads[-1] is container.lead:
            lead = self._leads.pop()
            self._emit(_Value(lead.start, lead.end, 0, False, container.step), len(self._stack) - 1)
        self._stack.pop()
        self._splits = len(self._stack)

    def _place(self) -> tuple[Span | None, Step]:
        """The key of the value that begins now, and its step of the path."""
        if not self._stack:
            return None, ""
        parent = self._stack[-1]
        parent.count += 1
        if parent.key is None:
            return None, parent.count - 1
        return parent.key, _key_text(self._text, parent.key)

    def _finish(self, value: _Value) -> None:
        if not self._stack:
            self._emit(value, 0)
            return
        parent = self._stack[-1]
        parent.prose += value.prose
        if not parent.split:
            parent.waiting.append(value)
            if value.end - parent.begin > self._limit:
                self._split_open()
            return
        depth = len(self._stack) - 1
        # Numbers of one array go together: a block for each would drown the text.
        if not value.plain or (parent.waiting and value.end - parent.waiting[0].start > self._limit):
            self._emit_waiting(depth)
        if value.plain:
            parent.waiting.append(value)
        else:
            self._emit(value, depth + 1)

    def _split_open(self) -> None:
        """No open container is one block: emit what waits in them, outermost first."""
        if self._splits:
            self._emit_waiting(self._splits - 1)
        for depth in range(self._splits, len(self._stack)):
            container = self._stack[depth]
            container.split = True
            if container.lead is not None:
                self._leads.append(container.lead)
            self._emit_waiting(depth)
        self._splits = len(self._stack)

    def _emit_waiting(self, depth: int) -> None:
        waiting = self._stack[depth].waiting
        if not waiting:
            return
        self._stack[depth].waiting = []
        rank = 0
        while rank < len(waiting):
            first = last = waiting[rank]
            rank += 1
            while first.plain and rank < len(waiting) and waiting[rank].plain:
                if waiting[rank].end - first.start > self._limit:
                    break
                last = waiting[rank]
                rank += 1
            step: Step = first.step if last is first else slice(first.step, int(str(last.step)) + 1)
            self._emit(_Value(first.start, last.end, first.prose, first.plain, step), depth + 1)

    def _emit(self, value: _Value, depth: int) -> None:
        """Add a value as a block, led by the keys of the containers that were opened for it."""
        pieces = [Piece(lead.start, lead.end, JOINT_SPACE) for lead in self._leads]
        pieces += [
            Piece(part.start, part.end, JOINT_SPACE if part.start == value.start else JOINT_NONE)
            for part in divided(self._text, Span(value.start, value.end))
        ]
        self._leads.clear()
        for piece in pieces:
            self._structure(piece.start_char)
            self._at = piece.end_char
        is_prose = value.prose >= _PROSE_SHARE * (value.end - value.start)
        kind = BlockKind.PARAGRAPH if is_prose else BlockKind.CODE
        locator = self._locator(depth, value.step)
        for first in range(0, len(pieces), _MOST_PIECES):
            self._draft.add(kind, pieces[first : first + _MOST_PIECES], locator=locator)

    def _locator(self, depth: int, step: Step) -> str:
        if depth == 0:
            return self._prefix or "$"
        if depth <= 2 * _DEEPEST_SHOWN:
            steps = [_step(container.step) for container in self._stack[1:depth]]
        else:
            steps = [_step(container.step) for container in self._stack[1:_DEEPEST_SHOWN]]
            steps.append("…")
            steps += [_step(container.step) for container in self._stack[depth - _DEEPEST_SHOWN : depth]]
        return f"{self._prefix} ${''.join(steps)}{_step(step)}".strip()

    def _structure(self, end: int) -> None:
        if end > self._at and self._text[self._at : end].strip():
            self._draft.exclude(Span(self._at, end), "structure")
        self._at = max(self._at, end)


def _key_text(text: str, key: Span) -> str:
    raw = text[key.start + 1 : key.end - 1]
    return str(json.loads(text[key.start : key.end])) if "\\" in raw else raw


def _step(step: Step) -> str:
    if isinstance(step, slice):
        return f"[{step.start}:{step.stop}]"
    if isinstance(step, int):
        return f"[{step}]"
    if _NAME.fullmatch(step):
        return f".{step}"
    shown = step if len(step) <= 80 else step[:79] + "…"
    return "['" + shown.replace("\\", "\\\\").replace("'", "\\'") + "']"
