"""What the tabs Compare and Export show, as plain values: a comparison, and a profile before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..documents.surrogates import without_surrogates
from ..errors import WorkbenchError
from ..printing import printable, shortened
from .bench_data import near
from .gate_notes import note_data
from .profile_data import difference_data, profile_lines

if TYPE_CHECKING:
    from ..gate.profile.parts import FigurePart
    from ..workspace.bench import Bench
    from ..workspace.comparing import Comparison

BLOCKS_SHOWN = 200
ROUTES_SHOWN = 500
_TEXT_CHARS = 140
PROFILE_NAME = "gate.json"


def comparison_data(bench: Bench) -> dict[str, Any]:
    """Return the comparison of the bench (after) with a profile (before); empty without one.

    Returns
    -------
    dict
        path, before (name of the profile), decides_alike; differences (see ``difference_data``); figures: name,
        before and after, each level, low, high, unit, split; routes: id, question, document, before, after, and
        routes_changed; requests (that have outcomes); blocks: block, page, text, before, after, and blocks_changed;
        kept_before and kept_after (tokens); document (name, or ""); notes.
    """
    found: Comparison | None = bench.comparison
    if found is None:
        return {}
    return {
        "path": str(found.path),
        "before": printable(found.profile.name),
        "decides_alike": found.diff.decides_alike,
        "differences": difference_data(found.diff),
        "figures": _figures(found),
        "routes": _routes(found, bench),
        "routes_changed": len(found.routes),
        "requests": 0 if bench.outcomes is None else len(bench.outcomes),
        "blocks": _blocks(found, bench),
        "blocks_changed": len(found.blocks),
        "kept_before": found.kept_there,
        "kept_after": found.kept_here,
        "document": "" if bench.document is None or found.status_there is None else printable(bench.document.name),
        "notes": [printable(note) for note in found.notes],
    }


def _figures(found: Comparison) -> list[dict[str, Any]]:
    return [
        {"name": here.name, "before": there.to_dict(), "after": here.to_dict()}
        for here, there in zip(found.here, found.there, strict=True)
    ]


def _routes(found: Comparison, bench: Bench) -> list[dict[str, Any]]:
    questions = {} if bench.workload is None else {request.id: request.question for request in bench.workload}
    rows = found.routes.head(ROUTES_SHOWN)
    return [
        {
            "id": str(row.request),
            "question": shortened(without_surrogates(questions.get(str(row.request), str(row.request))), _TEXT_CHARS),
            "document": printable(str(row.document)),
            "before": row.route_there,
            "after": row.route_here,
        }
        for row in rows.itertuples(index=False)
    ]


def _blocks(found: Comparison, bench: Bench) -> list[dict[str, Any]]:
    document = bench.document
    if document is None:
        return []
    pages = document.columns.home_page
    return [
        {
            "block": change.block,
            "page": int(pages[change.block]) + 1,
            "text": shortened(without_surrogates(document.texts[change.block]), _TEXT_CHARS),
            "before": change.there.name.lower(),
            "after": change.here.name.lower(),
        }
        for change in found.blocks[:BLOCKS_SHOWN]
    ]


def export_data(bench: Bench) -> dict[str, Any]:
    """Return what a profile of the bench would say, before it is written.

    Returns
    -------
    dict
        name, by, path (what to propose), problems (sentences: why it cannot be written yet), can_replay, lines (see
        ``profile_lines``), figures, and notes (see ``note_data``).
    """
    workload = bench.workload
    problems = [printable(said) for said in bench.stale]
    profile = None
    try:
        profile = bench.profile_now()
    except WorkbenchError as error:
        problems.append(printable(str(error)))
    return {
        "name": "" if workload is None else printable(workload.name),
        "by": "",
        "path": bench.state.exported or near(bench.folder / PROFILE_NAME),
        "problems": list(dict.fromkeys(problems)),
        "can_replay": bool(bench.stale) and workload is not None,
        "lines": [] if profile is None else profile_lines(profile),
        "figures": [] if profile is None else [_figure(figure) for figure in profile.figures],
        "notes": [] if profile is None else [note_data(printable(note)) for note in profile.notes],
    }


def _figure(figure: FigurePart) -> dict[str, Any]:
    return {
        "name": f"{figure.name} ({figure.unit})" if figure.unit.startswith("tokens") else figure.name,
        "level": figure.value,
        "low": figure.low,
        "high": figure.high,
        "unit": figure.unit,
        "split": figure.sample,
    }
