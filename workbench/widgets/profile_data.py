"""What a gate profile says, and what two of them say otherwise, as keys and numbers: the browser has the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..gate.margin_words import routes_case
from ..gate.profile.parts import ThresholdCut
from ..printing import printable

if TYPE_CHECKING:
    from ..gate.profile.diff import ProfileDiff
    from ..gate.profile.profile import GateProfile
    from ..structure.rule_books import TableChange


def profile_lines(profile: GateProfile) -> list[dict[str, Any]]:
    """Return what a profile says, a line each.

    Returns
    -------
    list of dict
        line: "margin" with weights (of s, c, r); "routes" with case, native and force (see ``routes_case``);
        "tolerance" with value, if there is one; "blocks" with kind ("threshold" with value and floor, or "share" with
        share and min_tokens) and offsets (by document type); "model" with encoder ("" for words alone) and tokenizer;
        "workload" with name and splits [{name, requests, documents}].
    """
    weights, at, tolerance = profile.gate.weights, profile.gate.thresholds, profile.gate.quality_tolerance
    case, native, force = routes_case(at.native, at.force)
    encoder = profile.models.encoder
    splits = [
        {"name": name, "requests": split.requests, "documents": split.documents}
        for name, split in profile.workload.splits.items()
    ]
    return [
        {"line": "margin", "weights": [weights.exposure, weights.cost, weights.risk]},
        {"line": "routes", "case": case, "native": native, "force": force},
        *([] if tolerance is None else [{"line": "tolerance", "value": tolerance}]),
        {"line": "blocks", **_cut(profile), "offsets": dict(sorted(profile.block.offsets.items()))},
        {
            "line": "model",
            "encoder": "" if encoder is None else printable(encoder.name),
            "tokenizer": printable(profile.models.tokenizer),
        },
        {"line": "workload", "name": printable(profile.workload.name), "splits": splits},
    ]


def _cut(profile: GateProfile) -> dict[str, Any]:
    cut = profile.block.cut
    if isinstance(cut, ThresholdCut):
        return {"kind": "threshold", "value": cut.value, "floor": cut.recall_floor}
    return {"kind": "share", "share": cut.share, "min_tokens": cut.min_tokens}


def difference_data(diff: ProfileDiff) -> list[dict[str, Any]]:
    """Return what two profiles say otherwise, but for their figures.

    Returns
    -------
    list of dict
        field (its path), words (in English, for a field that nobody has named), before and after (as text; None where
        one has not got it), table (of rules: kind, what, and rules [{name, what, before, after}]; else None), decides.
    """
    texts = diff.to_frame()
    return [
        {
            "field": found.field,
            "words": printable(found.words),
            "before": None if found.before is None else before,
            "after": None if found.after is None else after,
            "table": None if found.table is None else _table(found.table),
            "decides": found.decides,
        }
        for found, before, after in zip(diff.differences, texts["before"], texts["after"], strict=True)
        # Figures of both rules stand beside each other in a table of their own, on the same outcomes.
        if not found.field.startswith("figures.")
    ]


def _table(change: TableChange) -> dict[str, Any]:
    rules = [
        {"name": printable(rule.name), "what": rule.what, "before": rule.before, "after": rule.after}
        for rule in change.rules
    ]
    return {"kind": change.kind, "what": change.what, "rules": rules}
