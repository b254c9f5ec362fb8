"""The state of a session as bytes and back: JSON with a version, checked as input of a stranger would be."""

from __future__ import annotations

import base64
import binascii
import itertools
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..relevance.scores import RelevanceScores, Scale
from .decision import Focus
from .sessions import QUESTIONS, Remembered, SessionState, Vectors

SCHEMA = 1
MOST_BYTES = 1 << 20
"""Size of a value: readings are left out of it, the oldest first, until it fits."""
_MOST_UNPACKED = 64 << 20
_MOST_DIMENSIONS = 8_192


class UnreadableState(ValueError):
    """The bytes are no state that this version writes; sessions handle it, a user never sees it."""


def encode(state: SessionState) -> bytes | None:
    """Return a state as JSON in ASCII, or None if it is too large even without its readings."""
    while True:
        value = json.dumps(_plain(state), separators=(",", ":"), sort_keys=True).encode("ascii")
        if len(value) <= MOST_BYTES:
            return value
        with_scores = [rank for rank, found in enumerate(state.remembered) if found.scores is not None]
        if not with_scores:
            return None
        kept = list(state.remembered)
        kept[with_scores[0]] = replace(kept[with_scores[0]], scores=None)
        state = replace(state, remembered=tuple(kept))


def decode(value: bytes) -> SessionState:
    """Return the state that bytes stand for.

    Raises
    ------
    UnreadableState
        If they are damaged, or of another version.
    """
    if len(value) > MOST_BYTES:
        raise UnreadableState(f"{len(value):,} bytes, more than {MOST_BYTES:,}")
    try:
        found = json.loads(value)
        schema = found["schema"]
        if schema != SCHEMA:
            raise UnreadableState(f"schema {schema!r:.20}, not {SCHEMA}")
        return _state(found)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, zlib.error) as error:
        if isinstance(error, UnreadableState):
            raise
        raise UnreadableState(f"{type(error).__name__}: {error!s:.100}") from error


def _plain(state: SessionState) -> dict[str, Any]:
    vectors = state.question_vectors
    return {
        "schema": SCHEMA,
        "user": state.user,
        "session": state.session_id,
        "document": state.document,
        "blocks": state.blocks,
        "anchors": list(state.anchor_blocks),
        "focus": _plain_focus(state.focus_spans),
        "vectors": {"shape": list(vectors.shape), "float32": _text(vectors.astype("<f4").tobytes())},
        "questions": list(state.questions),
        "scorer": state.scorer,
        "first_tokens": state.first_tokens,
        "first_rendered": state.first_rendered,
        "turn": state.turn,
        "remembered": [
            {
                "key": found.key,
                "scores": None if found.scores is None else _plain_scores(found.scores),
                "focus": None if found.focus is None else _plain_focus(found.focus),
                "notes": list(found.notes),
            }
            for found in state.remembered
        ],
    }


def _state(found: Mapping[str, Any]) -> SessionState:
    return SessionState(
        user=_str(found["user"]),
        session_id=_str(found["session"]),
        document=_str(found["document"]),
        blocks=_str(found["blocks"]),
        anchor_blocks=_rising(found["anchors"]),
        focus_spans=_focus(found["focus"]),
        question_vectors=_vectors(found["vectors"]),
        questions=_strings(found["questions"], QUESTIONS),
        scorer=_str(found["scorer"]),
        first_tokens=_count(found["first_tokens"]),
        first_rendered=_count(found["first_rendered"]),
        turn=_count(found["turn"]),
        remembered=tuple(_remembered(one) for one in _list(found["remembered"], QUESTIONS)),
    )


def _remembered(found: Mapping[str, Any]) -> Remembered:
    scores, focus = found["scores"], found["focus"]
    return Remembered(
        key=_str(found["key"]),
        scores=None if scores is None else _scores(scores),
        focus=None if focus is None else _focus(focus),
        notes=_strings(found["notes"], 100),
    )


def _plain_focus(focus: Focus) -> dict[str, list[list[int]]]:
    return {str(block): [list(pair) for pair in ranges] for block, ranges in sorted(focus.items())}


def _focus(found: Mapping[str, Any]) -> Focus:
    focus = {}
    for block, ranges in found.items():
        bounds = [_count(at) for pair in ranges for at in pair]
        if not bounds or bounds != sorted(bounds) or any(len(pair) != 2 or pair[0] >= pair[1] for pair in ranges):
            raise UnreadableState(f"ranges of block {block!r:.20} are out of order")
        focus[_count(int(block))] = tuple((start, end) for start, end in ranges)
    return focus


def _vectors(found: Mapping[str, Any]) -> Vectors:
    count, dimensions = (_count(size) for size in found["shape"])
    if count > QUESTIONS or dimensions > _MOST_DIMENSIONS:
        raise UnreadableState(f"question vectors of shape {found['shape']!r:.40}")
    vectors = np.frombuffer(_bytes(found["float32"]), "<f4").astype(np.float32).reshape(count, dimensions)
    if not np.isfinite(vectors).all():
        raise UnreadableState("question vectors that are not finite")
    return vectors


def _plain_scores(scores: RelevanceScores) -> dict[str, Any]:
    parts = list(scores.parts)
    single = np.stack([scores.logits, scores.share_read, *(scores.parts[name] for name in parts)]).astype("<f4")
    # No .npz: NumPy reads the head of one with a parser that fails now and then when several threads use it.
    data = single.tobytes() + scores.relevance.astype("<f8").tobytes()
    return {
        "blocks": len(scores),
        "arrays": _text(zlib.compress(data, level=1)),
        "parts": parts,
        "scale": scores.scale.value,
        "scorer": scores.scorer,
        "calibration": scores.calibration,
        "notes": list(scores.notes),
    }


def _scores(found: Mapping[str, Any]) -> RelevanceScores:
    count, parts = _count(found["blocks"]), _strings(found["parts"], 100)
    rows = 2 + len(parts)
    size = count * (4 * rows + 8)
    if size > _MOST_UNPACKED:
        raise UnreadableState(f"scores of {count:,} blocks")
    inflating = zlib.decompressobj()
    data = inflating.decompress(_bytes(found["arrays"]), size + 1)
    if len(data) != size:
        raise UnreadableState(f"scores of {len(data):,} bytes, not {size:,}")
    single = np.frombuffer(data, "<f4", count * rows).reshape(rows, count).astype(np.float32)
    calibration = found["calibration"]
    return RelevanceScores(
        logits=single[0].copy(),
        relevance=np.frombuffer(data, "<f8", count, 4 * count * rows).astype(np.float64),
        scale=Scale(found["scale"]),
        parts={name: single[2 + rank].copy() for rank, name in enumerate(parts)},
        share_read=single[1].copy(),
        scorer=_str(found["scorer"]),
        calibration=None if calibration is None else _str(calibration),
        notes=_strings(found["notes"], 1_000),
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: Any) -> bytes:
    try:
        return base64.b64decode(_str(text), validate=True)
    except binascii.Error as error:
        raise UnreadableState(str(error)) from error


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise UnreadableState(f"{value!r:.40} is no text")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 53:
        raise UnreadableState(f"{value!r:.40} is no count")
    return value


def _list(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise UnreadableState(f"{value!r:.40} is no list of at most {most}")
    return value


def _strings(value: Any, most: int) -> tuple[str, ...]:
    return tuple(_str(one) for one in _list(value, most))


def _rising(value: Any) -> tuple[int, ...]:
    ids = tuple(_count(one) for one in _list(value, 1 << 24))
    if any(left >= right for left, right in itertools.pairwise(ids)):
        raise UnreadableState("anchor blocks out of order")
    return ids
