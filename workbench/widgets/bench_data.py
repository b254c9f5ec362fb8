"""What the shell of the bench shows, as plain values that JSON can hold; ``static`` (workbench.js) draws it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents.surrogates import without_surrogates
from ..printing import printable, shortened

if TYPE_CHECKING:
    from ..gate.gate import GateDecision
    from ..workspace.bench import Bench

PROFILES_SHOWN = 20
NO_ROUTE = 255
_MARK_OF_PROFILE = b'"schema_version"'


def head_data(bench: Bench) -> dict[str, Any]:
    """Return what the head says of the document and the question at hand.

    Returns
    -------
    dict
        request (id or None), question, opening (what is asked of the document that is still being read, else ""), and
        document: name, type, language, format, pages, tokens, blocks; or None.
    """
    document = bench.document
    shown = None
    if document is not None:
        shown = {
            "name": printable(document.name),
            "type": document.document_type.value,
            "language": document.language.value,
            "format": document.format,
            "pages": len(document.pages),
            "tokens": document.tokens,
            "blocks": len(document),
        }
    request = bench.request
    return {
        "request": None if request is None else request.id,
        "question": without_surrogates(bench.question or ""),
        "opening": _opening(bench),
        "document": shown,
    }


def _opening(bench: Bench) -> str:
    """Return the question whose document is on its way."""
    state, workload = bench.state, bench.workload
    if not bench.is_reading:
        return ""
    if state.request is None or state.question or workload is None:
        return without_surrogates(state.question)
    return without_surrogates(workload.request(state.request).question)


def catalogue_data(bench: Bench) -> dict[str, Any]:
    """Return the requests of the workload by columns.

    Returns
    -------
    dict
        ids, questions, scenarios, document (index into ``documents``), and documents (artifacts, in the order of the
        requests).
    """
    workload = bench.workload
    if workload is None:
        return {}
    documents: dict[str, int] = {}
    found: dict[str, list[Any]] = {"ids": [], "questions": [], "scenarios": [], "document": []}
    for request in workload:
        key = documents.setdefault(request.document_key, len(documents))
        found["ids"].append(without_surrogates(request.id))
        found["questions"].append(shortened(without_surrogates(request.question), 300))
        found["scenarios"].append(request.scenario)
        found["document"].append(key)
    return {**found, "documents": [without_surrogates(name) for name in documents]}


def routes_data(bench: Bench) -> bytes:
    """Return the route of each request of the catalogue: uint8 codes of ``Route``, 255 where no outcome tells one."""
    workload, judged = bench.workload, bench.judged
    if workload is None or judged is None:
        return b""
    codes = dict(zip(map(str, judged.outcomes.request), judged.inside.routes.tolist(), strict=True))
    return bytes(codes.get(request.id, NO_ROUTE) for request in workload)


def route_data(decision: GateDecision | None) -> dict[str, Any]:
    """Return the gate's decision on the request at hand; empty where there is none.

    Returns
    -------
    dict
        route, margin (also where a constraint decides), weights and signals (each of s, c, r), native, force, tokens
        (of the document, as its preview has them), constraint (name, reason in English, tokens, scope, action) or None,
        and flips: signal, route, side, value.
    """
    if decision is None:
        return {}
    constraint = decision.constraint
    weights = decision.weights
    return {
        "route": decision.route.value,
        "margin": decision.free_margin,
        "weights": [weights.exposure, weights.cost, weights.risk],
        "signals": decision.signals.as_array().tolist(),
        "native": _finite(decision.thresholds.native),
        "force": _finite(decision.thresholds.force),
        "tokens": decision.preview.tokens,
        "constraint": None
        if constraint is None
        else {
            "name": constraint.name,
            "reason": without_surrogates(constraint.reason),
            "tokens": list(constraint.tokens),
            "scope": decision.intent.scope.value,
            "action": decision.intent.action.value,
        },
        "flips": [
            {"signal": flip.signal, "route": flip.route.value, "side": flip.side, "value": flip.value}
            for flip in decision.explain().flips
            if flip.possible
        ],
    }


def foot_data(bench: Bench, *, briefly: bool = False) -> dict[str, Any]:
    """Return what the foot says: workload, requests, profile, folder, operations, notes, stale,
    outcomes and curves (whether there are any that fit), and tuned (another text where rules or offsets are others).

    Parameters
    ----------
    bench : Bench
    briefly : bool
        Leave out what needs the outcomes.
    """
    workload, profile = bench.workload, bench.profile
    return {
        "workload": "" if workload is None else printable(workload.name),
        "requests": 0 if workload is None else len(workload),
        "profile": "" if profile is None else printable(profile.name),
        "folder": printable(str(bench.folder)),
        "operations": bench.operations,
        "outcomes": not briefly and bench.judged is not None,
        "stale": [] if briefly else [printable(said) for said in bench.stale],
        "notes": [printable(note) for note in bench.notes],
        "curves": bench.is_fresh("curves"),
        "tuned": f"{bench.state.tuned.book.sha256} {dict(bench.state.tuned.offsets)}",
    }


def jobs_data(bench: Bench) -> list[dict[str, Any]]:
    """Return the last job of each kind; see ``JobState``."""
    return [{**job.to_dict(), "details": ""} for job in bench.jobs]


def profiles_near(bench: Bench) -> list[dict[str, str]]:
    """Return gate profiles in the workspace, beside the workload and in the current folder: path and name of each."""
    folders = [bench.folder, *([bench.workload.folder] if bench.workload and bench.workload.folder else []), Path.cwd()]
    found: dict[Path, None] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
            if _looks_like_profile(path):
                found.setdefault(path.resolve())
    return [{"path": near(path), "name": path.name} for path in [*found][:PROFILES_SHOWN]]


def near(path: Path) -> str:
    """Return a path as it is called from the current folder, if it is below that."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)


def _looks_like_profile(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return _MARK_OF_PROFILE in stream.read(4096)
    except OSError:
        return False


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
