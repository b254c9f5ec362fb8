"""The requests of a workload as a table: what each is, what both paths cost and yield, and where the gate sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..calibration.outcomes import checked_outcomes
from ..calibration.result import CalibrationResult
from ..calibration.rules import Rule
from ..gate.margin import ROUTES, Route

if TYPE_CHECKING:
    import pandas as pd

    from ..workload import Workload

SIGNALS = ("s", "c", "r")
_TAKEN = ("document_type", "language", "constraint", "tokens_native", "tokens_sparse", "quality_native",
          "quality_sparse", "fell_back", "evidence_unresolved")  # fmt: skip
"""Columns of the outcomes, beside the signals, that come along."""
_NATIVE, _ADVISORY, _FORCE = (Route.NATIVE.value, Route.ADVISORY.value, Route.FORCE.value)


def requests_table(
    workload: Workload, outcomes: pd.DataFrame | None, rule: Rule, judged: CalibrationResult | None
) -> pd.DataFrame:
    """Return one row a request, in the order of the workload.

    Returns
    -------
    DataFrame
        The columns of ``Workload.to_frame``, then those of the outcomes: document_type, language, s, c, r, constraint,
        tokens and qualities of both paths, fell_back, evidence_unresolved; margin, route; saved (tokens) and loss
        (quality) as the gate routes it; route_of_oracle and regret (tokens); wrong_route and lost_evidence (bool).
        What the outcomes do not say is missing: nan, "" or False.
    """
    import pandas as pd

    frame = workload.to_frame()
    frame["document"] = [request.document_key for request in workload]
    if outcomes is None or not len(outcomes):
        return _joined(frame, pd.DataFrame({"id": []}))
    checked = checked_outcomes(outcomes)
    margins = rule.margins(checked)
    routes = rule.routes(checked, margins)
    share = np.where(routes == Route.FORCE.code, 1.0, np.where(routes == Route.ADVISORY.code, checked.chance, 0.0))
    found: dict[str, Any] = {"id": checked.request.astype(str)}
    found |= {name: checked.signals[:, column] for column, name in enumerate(SIGNALS)}
    found |= {name: outcomes[name].to_numpy() for name in _TAKEN if name in outcomes.columns}
    found |= {
        "margin": np.where(checked.free, margins, np.nan),
        "route": np.array([route.value for route in ROUTES], object)[routes],
        "saved": share * checked.gain,
        "loss": share * checked.loss,
    }
    return _joined(frame, _with_oracle(pd.DataFrame(found), judged))


def _with_oracle(found: pd.DataFrame, judged: CalibrationResult | None) -> pd.DataFrame:
    """Add what the oracle does, for the requests that are judged."""
    if judged is None:
        return found
    saved_by_oracle = dict(zip(judged.outcomes.request.astype(str), judged.oracle.tolist(), strict=True))
    oracle = found["id"].map(saved_by_oracle).astype("float64")
    found["route_of_oracle"] = np.where(oracle.isna(), "", np.where(oracle > 0, _FORCE, _NATIVE))
    found["regret"] = oracle - found["saved"]
    return found


def _joined(frame: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Join by id, so that rows of another workload play no part; every column is there in any case."""
    table = frame.merge(found, on="id", how="left", validate="one_to_one")
    for name in ("margin", "saved", "loss", "regret", *SIGNALS):
        table[name] = table[name].astype("float64") if name in table else np.nan
    for name in ("route", "route_of_oracle", "constraint", "document_type", "language"):
        table[name] = table[name].fillna("").astype(str) if name in table else ""
    forced_wrongly = (table["route"] == _FORCE) & (table["route_of_oracle"] == _NATIVE)
    missed = (table["route"] == _NATIVE) & (table["route_of_oracle"] == _FORCE)
    table["wrong_route"] = forced_wrongly | missed
    table["lost_evidence"] = table["loss"] > 0
    return table
