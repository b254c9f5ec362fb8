"""The Read Gate: one decision a request, before anything is read (seed "Read Less, Solve More", algorithm 2)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..documents.document import Document
from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption
from ..printing import printable, shortened
from ..relevance.scores import Scope
from .constraints import Constraint, constraint_of
from .explanation import GateExplanation, explanation_of
from .intent import Intent, intent_of
from .margin import (
    ROUTES,
    Codes,
    GateThresholds,
    GateWeights,
    Route,
    margin_of,
    routes_of,
)
from .margin_words import routes_in_words
from .preview import Preview, preview_of
from .signal_options import SignalOptions
from .signal_values import Signals, table_of
from .signals import signals

if TYPE_CHECKING:
    import pandas as pd

    from .profile import GateProfile

__all__ = ["GateDecision", "ReadGate", "Route"]

Checked = TypeVar("Checked")


@dataclass(frozen=True, kw_only=True)
class GateDecision:
    """How one request is read, and why.

    Attributes
    ----------
    route : Route
    margin : float
        b; nan under a constraint, which is not weighed.
    signals : Signals
    constraint : Constraint or None
        What makes the request native whatever its signals say.
    weights : GateWeights
    thresholds : GateThresholds
    preview : Preview
    intent : Intent
    """

    route: Route
    margin: float
    signals: Signals
    constraint: Constraint | None
    weights: GateWeights
    thresholds: GateThresholds
    preview: Preview
    intent: Intent

    @property
    def free_margin(self) -> float:
        """The margin that the signals give, also where a constraint decides."""
        return float(margin_of(self.signals.as_array()[np.newaxis], self.weights)[0])

    @property
    def to_force(self) -> float:
        """How much the margin would have to rise for force: 0 if it is, inf if no margin does it."""
        if self.route is Route.FORCE:
            return 0.0
        return math.inf if self.constraint else self.thresholds.force - self.margin

    @property
    def to_native(self) -> float:
        """How much the margin would have to fall for native: 0 if it is, inf if no margin does it."""
        return 0.0 if self.route is Route.NATIVE else self.margin - self.thresholds.native

    def explain(self) -> GateExplanation:
        """Return the decision in sentences, with what would change it."""
        return explanation_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON; what is not finite is None."""
        return {
            "artifact": without_surrogates(self.preview.name),
            "question": without_surrogates(self.intent.question),
            "scope": self.intent.scope.value,
            "action": self.intent.action.value,
            "route": self.route.value,
            "margin": _finite(self.margin),
            "signals": self.signals.to_dict(),
            "constraint": {"name": self.constraint.name, "reason": without_surrogates(self.constraint.reason)}
            if self.constraint
            else None,
            "weights": self.weights.to_dict(),
            "thresholds": {name: _finite(value) for name, value in self.thresholds.to_dict().items()},
            "to_force": _finite(self.to_force),
            "to_native": _finite(self.to_native),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row: artifact, question, scope, action, tokens, route, margin, s, c, r, constraint, distances."""
        import pandas as pd

        row = {
            "artifact": without_surrogates(self.preview.name),
            "question": without_surrogates(self.intent.question),
            "scope": self.intent.scope.value,
            "action": self.intent.action.value,
            "tokens": self.preview.tokens,
            "route": self.route.value,
            "margin": self.margin,
            "s": self.signals.s.value,
            "c": self.signals.c.value,
            "r": self.signals.r.value,
            "constraint": self.constraint.name if self.constraint else "",
            "to_force": self.to_force,
            "to_native": self.to_native,
        }
        return pd.DataFrame([row])

    def __repr__(self) -> str:
        why = f"constraint {self.constraint.name}" if self.constraint else f"margin {self.margin:+.4f}"
        return f"GateDecision({self.route.value}, {why}, {self.signals!r}, {shortened(self.preview.name, 60)!r})"

    def _repr_html_(self) -> str:
        lines = [
            ("route", self.route.value),
            ("why", self.explain().summary),
            ("question", shortened(self.intent.question, 200)),
            ("signals", f"s {self.signals.s.value:.3f}, c {self.signals.c.value:.3f}, r {self.signals.r.value:.3f}"),
        ]
        return table_of(printable(self.preview.name), tuple(lines))


class ReadGate:
    """Decides per request whether it is read sparsely, natively, or as the agent likes.

    There are no default weights or thresholds: a gate comes from a calibration, or from numbers that somebody means.

    Parameters
    ----------
    weights : GateWeights
    thresholds : GateThresholds
    options : SignalOptions, optional
        What the signals are made with; thresholds hold for the options that they were fitted with.
    profile : GateProfile, optional
        Where the numbers come from.

    Raises
    ------
    InvalidOption
        For a value of the wrong type.

    Examples
    --------
    >>> from workbench.gate.preview import Preview
    >>> gate = ReadGate(GateWeights(0.5, 0.3, 0.2), GateThresholds(native=0.0, force=0.2))
    >>> gate.decide(Preview(name="manual.pdf", tokens=40_000, preview_tokens=1_200), "When is the pump serviced?").route
    <Route.FORCE: 'force'>
    """

    def __init__(
        self,
        weights: GateWeights,
        thresholds: GateThresholds,
        *,
        options: SignalOptions | None = None,
        profile: GateProfile | None = None,
    ) -> None:
        self.weights = _checked(weights, GateWeights, "weights")
        self.thresholds = _checked(thresholds, GateThresholds, "thresholds")
        self.options = _checked(options or SignalOptions(), SignalOptions, "options")
        self.profile = profile

    @classmethod
    def from_profile(cls, profile: GateProfile | str | os.PathLike[str]) -> ReadGate:
        """Return the gate of a profile, or of the file of one.

        Raises
        ------
        FileMissing, InvalidProfile
            As ``GateProfile.load``.
        InvalidOption
            If the profile holds options of the signals that this version does not know.
        """
        if isinstance(profile, str | os.PathLike):
            from .profile import GateProfile

            profile = GateProfile.load(Path(profile))
        found = profile.gate
        return cls(
            GateWeights(found.weights.exposure, found.weights.cost, found.weights.risk),
            GateThresholds(native=found.thresholds.native, force=found.thresholds.force),
            options=SignalOptions.from_dict(found.options),
            profile=profile,
        )

    def decide(
        self,
        artifact: Preview | Document | str | os.PathLike[str],
        question: str | Intent,
        *,
        scope: Scope | str | None = None,
        prepared: bool = False,
    ) -> GateDecision:
        """Decide how one request is read: hard constraints first, then the margin.

        Parameters
        ----------
        artifact : Preview, Document or path
            What is to be read. A file, folder or archive is opened first.
        question : str or Intent
        scope : Scope or str, optional
            Wins over the scope that the question is taken to have, and over that of an intent.
        prepared : bool
            Whether the reader has read the artifact before.

        Raises
        ------
        InvalidQuestion, InvalidOption
            For a question that is none, or a value of the wrong type.
        FileMissing, UnsupportedFormat, …
            As ``open_document``, for a path.
        """
        preview = _preview_of(artifact)
        intent = _intent_of(question, scope)
        constraint = constraint_of(preview, intent, self.options)
        found = signals(preview, intent, self.options, prepared=prepared)
        rows = found.as_array()[np.newaxis]
        margin = math.nan if constraint else float(margin_of(rows, self.weights)[0])
        return GateDecision(
            route=ROUTES[int(routes_of([margin], self.thresholds)[0])],
            margin=margin,
            signals=found,
            constraint=constraint,
            weights=self.weights,
            thresholds=self.thresholds,
            preview=preview,
            intent=intent,
        )

    def decide_all(self, signals: npt.ArrayLike, constraints: Sequence[str] | npt.ArrayLike | None = None) -> Codes:
        """Return the route of each of n requests; equal to ``decide``, to the last bit.

        Parameters
        ----------
        signals : array_like, shape (n, 3)
            Columns s, c, r, each in [0, 1].
        constraints : sequence of str or bool, length n, optional
            Name of the constraint, "", None or nan for none; or whether there is one.

        Returns
        -------
        ndarray of uint8, shape (n,)
            Codes of ``ROUTES``: 0 native, 1 advisory, 2 force.

        Raises
        ------
        InvalidOption
            For signals that are no numbers in [0, 1], by row, or another number of constraints.
        """
        codes = routes_of(margin_of(signals, self.weights), self.thresholds)
        if constraints is not None:
            codes[_constrained(constraints, len(codes))] = Route.NATIVE.code
        return codes

    def __repr__(self) -> str:
        weights = ", ".join(f"{name} {value:.3f}" for name, value in self.weights.to_dict().items())
        return f"ReadGate({weights}; {routes_in_words(self.thresholds.native, self.thresholds.force)})"

    def _repr_html_(self) -> str:
        weights = ", ".join(f"{name} {value:.3f}" for name, value in self.weights.to_dict().items())
        routes = routes_in_words(self.thresholds.native, self.thresholds.force)
        return table_of("Read gate", (("weights", weights), ("routes", routes)))


def _checked(value: Checked, kind: type[Checked], name: str) -> Checked:
    if not isinstance(value, kind):
        raise InvalidOption(f"{name} of the gate is {value!r:.60}; give an object of {kind.__name__}.")
    return value


def _preview_of(artifact: Preview | Document | str | os.PathLike[str]) -> Preview:
    if isinstance(artifact, Preview):
        return artifact
    if isinstance(artifact, Document):
        return preview_of(artifact)
    if isinstance(artifact, str | os.PathLike):
        from ..documents.artifacts import open_artifact

        return preview_of(open_artifact(artifact))
    raise InvalidOption(f"The artifact is of type {type(artifact).__name__}; give a preview, a document or a path.")


def _intent_of(question: str | Intent, scope: Scope | str | None) -> Intent:
    if not isinstance(question, Intent):
        return intent_of(question, scope=scope)
    if scope is None:
        return question
    given = intent_of(question.question, scope=scope).scope
    reason = f"The caller says that the scope is {given.value}."
    return replace(question, scope=given, reasons=(*question.reasons, reason))


def _constrained(constraints: Sequence[str] | npt.ArrayLike, count: int) -> npt.NDArray[np.bool_]:
    array = np.asarray(constraints)
    if array.shape != (count,):
        raise InvalidOption(f"There are constraints of the shape {array.shape} for {count:,} requests; give one each.")
    if array.dtype == np.bool_ or not count:
        return array.astype(bool)
    if array.dtype.kind not in "UOT":
        raise InvalidOption(f"The constraints are of type {array.dtype}; give names, or whether there is one.")
    # A table that went through CSV has nan, which equals nothing, where there was no name.
    return np.asarray((array != "") & (array != None) & (array == array), bool)  # noqa: E711, PLR0124


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
