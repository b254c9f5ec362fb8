"""Gate profiles made by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from workbench.gate.profile import GateProfile
from workbench.structure import RuleBook


def values(**changes: Any) -> dict[str, Any]:
    """The fields of a profile that cuts by a share of the tokens; ``gate__weights__risk=0.2`` changes one inside."""
    book = RuleBook.shipped()
    found: dict[str, Any] = {
        "name": "made",
        "created": datetime(2026, 11, 30, 9, 0, tzinfo=UTC),
        "created_by": "an analyst",
        "workbench": "0.1.0",
        "gate": {
            "weights": {"exposure": 0.5, "cost": 0.3, "risk": 0.2},
            "thresholds": {"native": -0.1, "force": 0.2},
            "options": {},
        },
        "block": {"cut": {"kind": "token share", "share": 0.2, "min_tokens": 3000}},
        "models": {"scorer": "5c0fe", "encoder": None, "tokenizer": "o200k_base"},
        "workload": {"name": "dev", "fingerprint": "f" * 64, "splits": {"dev": {"requests": 40, "documents": 8}}},
        "figures": [
            {
                "name": "token reduction",
                "value": 0.61,
                "low": 0.5,
                "high": 0.7,
                "level": 0.95,
                "sample": "out of sample",
            }
        ],
        "rules": {"sha256": book.sha256, "tables": book.to_dict()},
    }
    for path, value in changes.items():
        *above, last = path.split("__")
        place = found
        for key in above:
            place = place[key]
        place[last] = value
    return found


def profile(**changes: Any) -> GateProfile:
    """A profile with those fields."""
    return GateProfile.model_validate(values(**changes))
