"""Whether it pays to read sparsely: preview, intent, signals, margin, route.

Names are loaded when first used: pydantic waits until a profile is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .constraints import CONSTRAINTS, Constraint, constraint_of
    from .exchange import Exchange
    from .explanation import GateExplanation, GateFlip
    from .gate import GateDecision, ReadGate
    from .intent import Action, Intent, intent_of
    from .margin import ROUTES, GateThresholds, GateWeights, Route, margin_of, routes_of
    from .preview import Preview, preview_of
    from .profile import GateProfile
    from .profile.diff import ProfileDiff
    from .signal_options import ByScope, SignalOptions
    from .signal_values import Signal, Signals, SignalTerm

_HOME = {
    "Action": "intent",
    "ByScope": "signal_options",
    "CONSTRAINTS": "constraints",
    "Constraint": "constraints",
    "Exchange": "exchange",
    "GateDecision": "gate",
    "GateExplanation": "explanation",
    "GateFlip": "explanation",
    "GateProfile": "profile",
    "GateThresholds": "margin",
    "GateWeights": "margin",
    "Intent": "intent",
    "Preview": "preview",
    "ProfileDiff": "profile.diff",
    "ROUTES": "margin",
    "ReadGate": "gate",
    "Route": "margin",
    "Signal": "signal_values",
    "SignalOptions": "signal_options",
    "SignalTerm": "signal_values",
    "Signals": "signal_values",
    "constraint_of": "constraints",
    "intent_of": "intent",
    "margin_of": "margin",
    "preview_of": "preview",
    "routes_of": "margin",
}

__all__ = [
    "CONSTRAINTS",
    "ROUTES",
    "Action",
    "ByScope",
    "Constraint",
    "Exchange",
    "GateDecision",
    "GateExplanation",
    "GateFlip",
    "GateProfile",
    "GateThresholds",
    "GateWeights",
    "Intent",
    "Preview",
    "ProfileDiff",
    "ReadGate",
    "Route",
    "Signal",
    "SignalOptions",
    "SignalTerm",
    "Signals",
    "constraint_of",
    "intent_of",
    "margin_of",
    "preview_of",
    "routes_of",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
