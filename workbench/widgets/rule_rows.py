"""A rule table as plain values for a browser."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

from ..documents.blocks import BlockKind
from ..errors import InvalidRules
from ..structure import FEATURES, Rule
from ..structure import RuleTable as Table
from ..structure.checks import DOCUMENT_TYPES, GREATEST_WEIGHT, HEADING_LEVELS, LANGUAGES, LEAST_WEIGHT
from ..structure.matching import find_matching
from ..structure.rule_edits import edited, inherited_rules, set_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..calibration.block_thresholds import Estimate
    from ..documents import Document
    from ..reading import Reading
    from ..workload.rule_effects import WorkloadEffects

_COMPARED = ("weight", "pin", "enabled", "reason", "match")


def rows_of(table: Table, touched: Mapping[str, int] | None = None, saved: Table | None = None) -> list[dict[str, Any]]:
    """Return one row a rule, in the order of the table.

    Parameters
    ----------
    table : RuleTable
    touched : mapping of str to int, optional
        Blocks that each rule that is on matches in the document at hand.
    saved : RuleTable, optional
        What was saved last; rules that differ from it are edited.

    Returns
    -------
    list of dict
        name, match (as in a rule file), weight, pin, enabled, reason, seed_weight (or None), source: the extended
        table that the rule is from, or ""; differs: what that table says where this one says otherwise, by field;
        edited; and touched, or None where it is not known.
    """
    inherited = inherited_rules(table)
    before = table.rules if saved is None else saved.rules
    known = frozenset(map(_identity, before))
    return [
        {
            **_row(rule, inherited.get(rule.name), table.extends or "", touched),
            "edited": _identity(rule) not in known,
        }
        for rule in table.rules
    ]


def facts_of(table: Table, reading: Reading | None) -> dict[str, Any]:
    """Return name, description and extends of a table, name and number of blocks of the document at hand."""
    return {
        "name": table.name,
        "description": table.description,
        "extends": table.extends or "",
        "document": "" if reading is None else reading.document.name,
        "blocks": 0 if reading is None else len(reading),
    }


def _identity(rule: Rule) -> tuple[Any, ...]:
    return (rule.name, rule.match.sha256, rule.weight, rule.pin, rule.enabled, rule.reason)


def _row(rule: Rule, base: Rule | None, source: str, touched: Mapping[str, int] | None) -> dict[str, Any]:
    differs = {name: _plain(base, name) for name in _COMPARED if base and getattr(base, name) != getattr(rule, name)}
    return {
        "name": rule.name,
        "match": rule.match.to_dict(),
        "weight": rule.weight,
        "pin": rule.pin,
        "enabled": rule.enabled,
        "reason": rule.reason,
        "seed_weight": rule.seed_weight,
        "source": source if base else "",
        "differs": differs,
        "touched": None if touched is None else touched.get(rule.name),
    }


def _plain(rule: Rule, name: str) -> Any:
    return rule.match.to_dict() if name == "match" else getattr(rule, name)


@cache
def options() -> dict[str, Any]:
    """Return what can be chosen in a condition, and between which weights."""
    return {
        "features": [[name, feature.doc] for name, feature in FEATURES.items()],
        "kinds": [kind.value for kind in BlockKind],
        "levels": list(HEADING_LEVELS),
        "document_types": list(DOCUMENT_TYPES),
        "languages": list(LANGUAGES),
        "weights": [LEAST_WEIGHT, GREATEST_WEIGHT],
    }


def check_data(table: Table, edit: Mapping[str, Any], document: Document | None) -> dict[str, Any]:
    """Return what the loader says to an edit, and how many blocks of a document the rule would match.

    Returns
    -------
    dict
        problem: None, or field, item and message; touched: int or None; slow: a pattern that takes too long here.
    """
    try:
        after = edited(table, edit)
    except InvalidRules as error:
        field, item = getattr(error, "field", ""), getattr(error, "item", None)
        problem = str(getattr(error, "problem", "")) or str(error)
        message = problem[:1].upper() + problem[1:].rstrip(".") + "."
        return {"problem": {"field": field, "item": item, "message": message}, "touched": None, "slow": None}
    touched, slow = None, None
    name = _matched_anew(edit)
    if document is not None and name is not None:
        found = find_matching(document, after.rule(name).match, progress=False)
        touched, slow = int(found.found.sum()), found.out_of_time
    return {"problem": None, "touched": touched, "slow": slow}


def _matched_anew(edit: Mapping[str, Any]) -> str | None:
    """Name of the rule, after the edit, whose conditions an edit sets."""
    if edit["do"] == "add":
        return str(edit["rule"]["name"])
    fields = set_fields(edit) if edit["do"] == "set" else {}
    return str(fields.get("name", edit["rule"])) if "match" in fields else None


def measuring_data(effects: WorkloadEffects | None, *, can: bool, fresh: bool) -> dict[str, Any]:
    """Return the state of what is known of the effects; see ``RuleTable.measuring``.

    Parameters
    ----------
    effects : WorkloadEffects or None
    can : bool
        Whether they can be found out here.
    fresh : bool
        Whether they are of what is tuned now.
    """
    if effects is None:
        return {"state": "ready" if can else "absent"}
    known = {"requests": effects.requests, "documents": effects.documents, "in_sample": effects.in_sample}
    return {"state": "done" if fresh else "stale", **known, "again": can}


def effects_data(effects: WorkloadEffects) -> dict[str, Any]:
    """Return the effects over a workload by rule: touched, documents, and recall and tokens as [value, low, high]."""
    return {
        name: {
            "touched": effect.touched,
            "documents": effect.documents,
            "recall": _interval(effect.recall),
            "tokens": _interval(effect.tokens),
        }
        for name, effect in effects.rules.items()
    }


def _interval(estimate: Estimate) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 6) for value in (estimate.value, estimate.low, estimate.high)]
