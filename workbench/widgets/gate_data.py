"""Outcomes and a rule of the gate as bytes and plain values for a browser.

Arrays are little endian, one entry a request in the order of the table. ``static`` (gate_outcomes.js) reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calibration.bootstrap import Bootstrap
from ..calibration.figures import Figure
from ..calibration.hand_set import confusion, is_set_by_hand
from ..calibration.outcomes import Group, Outcomes
from ..documents.surrogates import without_surrogates
from ..gate.profile.parts import FARTHEST
from .gate_notes import basis_data, note_data

if TYPE_CHECKING:
    from ..calibration import CalibrationResult
    from ..gate.gate import GateDecision

LIVE_DRAWS = 400
"""Draws of documents that a browser has: enough for an interval while a slider moves; the kernel draws more."""
LIVE_UNITS = 500
"""More documents than this are drawn in bundles in the browser."""
_SHOWN_BY = ("scenario", "document_type", "format", "language")


def outcome_data(outcomes: Outcomes | None, questions: Mapping[str, str], *, seed: int = 0) -> dict[str, Any]:
    """Return what stays while a rule is tuned.

    Parameters
    ----------
    outcomes : Outcomes or None
        None for no requests at all.
    questions : mapping of str to str
        The question of each request, as far as they are known.
    seed : int
        Of the draws; that of the result, so that the browser has the first of the kernel's draws.

    Returns
    -------
    dict
        signals (float64: all s, then all c, all r), native_tokens, sparse_tokens, loss, chance (float64), free (uint8),
        documents (uint32 codes), document_names, groups (uint8 codes by ``group_column``), group_names, constraints
        (uint8), constraint_names, names and questions (UTF-8) with their offsets (uint32, n + 1), bundles (uint32: the
        unit in which a document is drawn) and draws (uint8, shape (LIVE_DRAWS, units)).
    """
    if outcomes is None:
        return _nothing()
    column = next((name for name in _SHOWN_BY if name in outcomes.groups), "")
    shown = _few(outcomes.groups[column]) if column else _single(len(outcomes))
    held = _few(outcomes.groups["constraint"]) if "constraint" in outcomes.groups else _single(len(outcomes))
    names, name_offsets = packed(str(name) for name in outcomes.request)
    texts, text_offsets = packed(questions.get(str(name), "") for name in outcomes.request)
    return {
        "signals": np.ascontiguousarray(outcomes.signals.T, "<f8").tobytes(),
        "native_tokens": outcomes.tokens_native.astype("<f8").tobytes(),
        "sparse_tokens": outcomes.tokens_sparse.astype("<f8").tobytes(),
        "loss": outcomes.loss.astype("<f8").tobytes(),
        "chance": outcomes.chance.astype("<f8").tobytes(),
        "free": outcomes.free.astype(np.uint8).tobytes(),
        "documents": outcomes.document.codes.astype("<u4").tobytes(),
        "document_names": [without_surrogates(name) for name in outcomes.document.names],
        "group_column": column,
        "groups": shown.codes.astype(np.uint8).tobytes(),
        "group_names": [without_surrogates(name) for name in shown.names],
        "constraints": held.codes.astype(np.uint8).tobytes(),
        "constraint_names": [without_surrogates(name) for name in held.names],
        "names": names,
        "name_offsets": name_offsets,
        "questions": texts,
        "question_offsets": text_offsets,
        **draw_data(outcomes.documents, seed),
    }


def alike(before: Outcomes | None, after: Outcomes | None) -> bool:
    """Whether two tables say the same of the same requests, so that a browser that has one need not get the other."""
    if before is None or after is None or before is after:
        return before is after
    if before.document.names != after.document.names or before.groups.keys() != after.groups.keys():
        return False
    arrays = [
        (found.request, found.document.codes, found.signals, found.tokens_native, found.tokens_sparse, found.loss)
        for found in (before, after)
    ]
    more = [(found.free, found.chance) for found in (before, after)]
    labels = [[(group.names, group.codes.tobytes()) for group in found.groups.values()] for found in (before, after)]
    pairs = (*zip(*arrays, strict=True), *zip(*more, strict=True))
    return labels[0] == labels[1] and all(np.array_equal(old, new) for old, new in pairs)


def draw_data(documents: int, seed: int) -> dict[str, bytes]:
    """Return draws of documents: bundles (uint32, one a document) and draws (uint8, shape (LIVE_DRAWS, units))."""
    units = min(documents, LIVE_UNITS)
    bundles = np.arange(documents)
    if documents > units:
        bundles = np.random.default_rng(seed).permutation(documents) % units
    often = Bootstrap(units, seed, LIVE_DRAWS).sums(np.eye(units))
    return {"bundles": bundles.astype("<u4").tobytes(), "draws": np.minimum(often, 255).astype(np.uint8).tobytes()}


def rule_data(result: CalibrationResult | None) -> dict[str, Any]:
    """Return a rule with its figures.

    Returns
    -------
    dict
        weights [ws, wc, wr], native, force (margins, within ±2), tolerance, allowed (mean loss that the oracle may
        have), by_hand, figures and test_figures (see ``figure_data``), rivals [{name, figures}], counts (requests by
        route and by the oracle's: {"force": [native, force], …}), promise (see ``Promise.to_dict``), notes
        (see ``note_data``).
    """
    if result is None:
        return {
            "weights": [],
            "rivals": [],
            "figures": [],
            "test_figures": [],
            "counts": {},
            "promise": {},
            "notes": [],
        }
    at = result.thresholds
    table = confusion(result)
    losses = [policy.loss(result.outcomes) for policy in (result.inside, result.outside) if policy is not None]
    return {
        "weights": list(result.weights),
        "native": float(np.clip(at.native, -FARTHEST, FARTHEST)),
        "force": float(np.clip(at.force, -FARTHEST, FARTHEST)),
        "tolerance": result.quality_tolerance,
        "allowed": max(result.quality_tolerance, *losses),
        "by_hand": is_set_by_hand(result),
        "figures": figure_data(result.out_of_sample or result.in_sample),
        "test_figures": figure_data(result.test),
        "rivals": [{"name": name, "figures": figure_data(found)} for name, found in result.baselines.items()],
        "counts": {str(route): [int(count) for count in table.loc[route]] for route in table.index},
        "promise": result.promise.to_dict(),
        "notes": [note_data(note) for note in result.notes],
    }


def figure_data(figures: Iterable[Figure]) -> list[dict[str, Any]]:
    """Return figures as plain values: name, level, low, high, split, basis (code), unit, requests, documents."""
    return [{**figure.to_dict(), "basis": basis_data(figure.basis)} for figure in figures]


def decision_data(decision: GateDecision) -> dict[str, Any]:
    """Return a decision as plain values: those of ``GateDecision.to_dict``, why it is so, and its flips without words.

    Returns
    -------
    dict
        Also intent (sentences: why the question has this scope and action) and flips [{signal, route, value, side}].
    """
    found = decision.explain().to_dict()
    flips = [{name: flip[name] for name in ("signal", "route", "value", "side")} for flip in found["flips"]]
    reasons = [without_surrogates(reason) for reason in decision.intent.reasons]
    return {**decision.to_dict(), "intent": reasons, "flips": flips}


def decision_of(result: CalibrationResult, request: int, question: str) -> GateDecision:
    """Return the decision on a row of outcomes: its signals without their terms, for a row does not hold them."""
    from ..gate.constraints import Constraint
    from ..gate.gate import GateDecision
    from ..gate.intent import Intent, intent_of
    from ..gate.margin import ROUTES
    from ..gate.preview import Preview
    from ..gate.signal_values import Signal, Signals

    outcomes = result.outcomes
    held = outcomes.groups.get("constraint")
    name = held.names[held.codes[request]] if held is not None else ""
    free = bool(outcomes.free[request])
    signals = Signals(*(Signal(float(value)) for value in outcomes.signals[request]))
    return GateDecision(
        route=ROUTES[int(result.inside.routes[request])],
        margin=float(result.margins[request]) if free else float("nan"),
        signals=signals,
        constraint=None if free else Constraint(name, f"The outcomes name the constraint {name}."),
        weights=result.weights,
        thresholds=result.thresholds,
        preview=Preview(name=outcomes.document.names[outcomes.document.codes[request]]),
        intent=intent_of(question) if question.strip() else Intent("(question unknown)"),
    )


def packed(texts: Iterable[str]) -> tuple[bytes, bytes]:
    """Return texts as UTF-8, and where each begins (uint32, n + 1)."""
    encoded = [without_surrogates(text).encode("utf-8") for text in texts]
    offsets = np.zeros(len(encoded) + 1, "<u4")
    offsets[1:] = np.cumsum([len(text) for text in encoded], dtype="<u4") if encoded else 0
    return b"".join(encoded), offsets.tobytes()


def _few(group: Group) -> Group:
    """Labels with codes that a byte holds, in the order of how often they stand; the rarest share the last code."""
    often = np.bincount(group.codes, minlength=len(group.names))
    order = sorted(range(len(group.names)), key=lambda code: (-int(often[code]), group.names[code]))
    order = [code for code in order if often[code]]
    place = np.zeros(len(group.names), np.int64)
    place[order] = np.minimum(np.arange(len(order)), 254)
    return Group(place[group.codes], tuple(group.names[code] for code in order[:255]))


def _single(count: int) -> Group:
    return Group(np.zeros(count, np.int64), ("",))


def _nothing() -> dict[str, Any]:
    arrays = (
        "signals",
        "native_tokens",
        "sparse_tokens",
        "loss",
        "chance",
        "free",
        "documents",
        "groups",
        "constraints",
        "names",
    )
    more = ("name_offsets", "questions", "question_offsets", "bundles", "draws")
    lists = ("document_names", "group_names", "constraint_names")
    return {**dict.fromkeys((*arrays, *more), b""), **{name: [] for name in lists}, "group_column": ""}
