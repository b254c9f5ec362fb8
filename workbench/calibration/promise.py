"""A promise for thresholds: weights are chosen on one half of the documents, and the other half carries the promise.

From the fitted thresholds a family goes to "all native": both thresholds rise together, so a request that is forced
becomes advisory and then native and never turns back. So the loss of every document falls along the family, which is
what conformal risk control needs; and the family hangs on the first half alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..printing import counted
from .folds import halves_of
from .outcomes import Floats, Outcomes
from .risk import RiskControl, crc_threshold, documents_needed
from .rules import ALL_NATIVE, Rule, fitted, rule_of
from .search import SearchOptions
from .thresholds import HIGHEST

MOST_LEVELS = 400
"""Members of a family; more would only place the thresholds more finely."""
_TABLE = 20_000_000


@dataclass(frozen=True, slots=True)
class Promise:
    """What is promised for a new document, or that nothing is.

    Attributes
    ----------
    alpha : float or None
        Bound on the expected loss of a new document (the mean over its requests); None if no promise was asked for.
    control : RiskControl or None
    fit_documents, promise_documents : int
        On which the rule was fitted, and on which the promise rests; without a promise, those it could rest on.
    reachable : float
        The smallest alpha that could be promised with so many documents, at no loss.
    level : int
        How far along the family the thresholds stand, of ``levels``: 0 is as fitted, the last is all native.
    levels : int
    """

    alpha: float | None
    control: RiskControl | None
    fit_documents: int
    promise_documents: int
    reachable: float
    level: int = 0
    levels: int = 1

    @property
    def kept(self) -> bool:
        """Whether the thresholds carry a promise."""
        return self.control is not None and self.control.index is not None

    def __str__(self) -> str:
        if self.alpha is None or self.control is None:
            needs = counted(documents_needed(0.05) or 0, "document")
            return (
                "Nothing is promised beyond the out-of-sample figures. With half of these documents set aside "
                f"({self.promise_documents:,}), the smallest alpha within reach is {self.reachable:.3f}; alpha = 0.05 "
                f"needs {needs} set aside, at no loss."
            )
        at_end = " All requests are native: no other thresholds carry it." if self.level == self.levels - 1 else ""
        moved = "" if self.level == 0 else " The thresholds were raised for it."
        return (
            f"The expected quality loss on a new document of this kind is at most {self.alpha:g} (conformal risk "
            f"control on {counted(self.promise_documents, 'document')} that the rule was not fitted on; "
            f"mean loss there {self.control.mean_loss:.4f}).{at_end or moved}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it in words and numbers."""
        control = self.control
        return {
            "text": str(self),
            "alpha": self.alpha,
            "kept": self.kept,
            "fit_documents": self.fit_documents,
            "promise_documents": self.promise_documents,
            "reachable": control.reachable if control else self.reachable,
            "documents_needed": control.documents_needed if control else None,
            "mean_loss": control.mean_loss if control else None,
            "level": self.level,
            "levels": self.levels,
        }


def fitted_with_promise(
    outcomes: Outcomes, tolerance: float, alpha: float | None, *, seed: int, options: SearchOptions
) -> tuple[Rule, Promise]:
    """Return a rule, with a promise if one is asked for.

    Where alpha is out of reach the rule is all native, and the promise says that it is not kept.
    """
    halves = halves_of(outcomes.document.names, seed)
    aside = int(halves.sum())
    best = 1 / (aside + 1)
    if alpha is None:
        rule, _ = fitted(outcomes, tolerance, seed=seed, options=options)
        return rule, Promise(None, None, outcomes.documents, aside, best)
    in_half = halves[outcomes.document.codes] == 0
    if not in_half.any():
        control = crc_threshold(np.zeros((aside, 1)), alpha)
        rule, _ = fitted(outcomes, tolerance, seed=seed, options=options)
        all_native = rule_of(rule.weights, *ALL_NATIVE)
        return all_native, Promise(alpha, RiskControl(None, *_of(control)), 0, aside, best)
    first, second = outcomes.rows(in_half), outcomes.rows(~in_half)
    rule, _ = fitted(first, tolerance, seed=seed, options=options)
    family = family_of(rule, first, min(MOST_LEVELS, max(2, _TABLE // aside)))
    control = crc_threshold(losses_along(family, rule, second), alpha)
    level = control.index if control.index is not None else len(family) - 1
    chosen = rule_of(rule.weights, float(family[level, 0]), float(family[level, 1]))
    return chosen, Promise(alpha, control, first.documents, aside, best, level, len(family))


def family_of(rule: Rule, outcomes: Outcomes, levels: int) -> Floats:
    """Return pairs of thresholds from a rule's own to all native, rising; shape (levels, 2).

    They stand between the margins of the outcomes that the rule was fitted on.
    """
    native, force = rule.thresholds.native, rule.thresholds.force
    b = rule.margins(outcomes)[outcomes.free]
    at = np.unique(np.concatenate([[0.0], b[b >= force] - force, b[b > native] - native]))
    between = (at[:-1] + at[1:]) / 2
    if len(between) > levels - 2:
        between = between[np.unique(np.linspace(0, len(between) - 1, max(levels - 2, 1)).astype(int))]
    shifts = np.concatenate([[0.0], between[between > 0]])
    pairs = np.column_stack([native + shifts, force + shifts])
    pairs = pairs[pairs[:, 0] < HIGHEST]
    # A threshold for force above every margin means never, however far above it lies.
    pairs[:, 1] = np.minimum(pairs[:, 1], HIGHEST)
    return np.vstack([pairs, ALL_NATIVE])


def losses_along(family: Floats, rule: Rule, outcomes: Outcomes) -> Floats:
    """Return the mean loss of each document under each member of a family, shape (documents, levels)."""
    free = outcomes.free
    b, loss, chance = rule.margins(outcomes)[free], outcomes.loss[free], outcomes.chance[free]
    document = outcomes.document.codes
    size = np.bincount(document, minlength=outcomes.documents)
    weight = loss / size[document[free]]
    levels = len(family)
    forced = np.searchsorted(family[:, 1], b, side="right")
    advised = np.searchsorted(family[:, 0], b, side="left")
    # What a request loses stops part by part: add it where it begins to be missing, and add up along the family.
    table = np.zeros(outcomes.documents * (levels + 1))
    for stop, part in ((forced, weight * (1 - chance)), (advised, weight * chance)):
        table += np.bincount(document[free] * (levels + 1) + stop, weights=part, minlength=len(table))
    stops = table.reshape(outcomes.documents, levels + 1)
    after = np.cumsum(stops[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(np.clip(after[:, 1:], 0.0, 1.0))


def _of(control: RiskControl) -> tuple[float, float, int, int | None, float]:
    return control.alpha, control.reachable, control.documents, control.documents_needed, control.mean_loss
