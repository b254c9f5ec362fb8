"""The three gate signals of one request: known before the artifact is read, each in [0, 1].

How each is made is argued in ``exposure`` (s), ``cost`` (c) and ``risk`` (r).
"""

from __future__ import annotations

from .cost import cost_of
from .exposure import exposure_of
from .intent import Intent
from .preview import Preview
from .risk import risk_of
from .signal_options import SignalOptions
from .signal_values import SIGNAL_NAMES, Signal, Signals, SignalTerm

__all__ = ["SIGNAL_NAMES", "Signal", "SignalTerm", "Signals", "signals"]


def signals(
    preview: Preview, intent: Intent, options: SignalOptions | None = None, *, prepared: bool = False
) -> Signals:
    """Return the gate signals of a request.

    Parameters
    ----------
    preview : Preview
    intent : Intent
    options : SignalOptions, optional
        What is expected of reader and agent; those of a profile, or the defaults.
    prepared : bool
        Whether the reader has read the artifact before, so that only the exchange costs anything.

    Returns
    -------
    Signals
        Equal input gives equal signals.

    Examples
    --------
    >>> from workbench.gate.intent import Intent
    >>> from workbench.gate.preview import Preview
    >>> small, large = (Preview(name="a", tokens=size, preview_tokens=500) for size in (6_000, 60_000))
    >>> asked = Intent("When is the pump serviced?")
    >>> signals(small, asked).s.value < signals(large, asked).s.value
    True
    """
    chosen = options or SignalOptions()
    return Signals(
        s=exposure_of(preview, intent.scope, chosen),
        c=cost_of(preview, intent.question, intent.scope, chosen, prepared=prepared),
        r=risk_of(preview, intent, chosen),
    )
