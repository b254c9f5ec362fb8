"""s, the avoidable exposure: the share of an artifact that the sparse path is expected not to show.

The seed (section 4.3) names the signal and gives no formula. The argument here:

Reading natively shows the agent all T tokens of the artifact. The sparse path shows the kept text of its rounds,
and all of it where it falls back. With k_t the share of the tokens that is kept after t rounds, q the chance that a
round leaves the agent without what it needs, and K rounds at most:

    s = 1 - sum over t = 1..K of q^(t-1) (1 - q) k_t - q^K

    k_t = min(1, g^(t-1) max(share, least / T))

share and least say what the reader keeps at first (0.2 and 3,000 tokens without calibration), g how many times more
each further round keeps. Every k_t falls with T until the share alone decides (T = least / share), so s grows with
the size of the artifact up to a bound below 1; it is 0 as long as the first reading keeps everything, for then
nothing can be avoided. A token that is shown twice is exposed once: what it costs to send it again is part of c.
"""

from __future__ import annotations

from ..relevance.scores import Scope
from .endings import endings_of
from .preview import Preview
from .signal_options import SignalOptions
from .signal_values import Signal, SignalTerm


def exposure_of(preview: Preview, scope: Scope, options: SignalOptions) -> Signal:
    """Return s with what takes from it: the first reading, further rounds, and the fallback."""
    shares = options.kept_shares(preview.tokens)
    ends = endings_of(options, scope)
    fallback = sum(end.chance for end in ends if end.falls_back)
    further = sum(end.chance * (shares[end.rounds - 1] - shares[0]) for end in ends if not end.falls_back)
    terms = (
        SignalTerm("all of it", 1.0, f"Reading natively shows all {preview.tokens:,} tokens."),
        SignalTerm("first reading", -shares[0], _first_reason(preview.tokens, shares[0], options)),
        SignalTerm(
            "further rounds",
            -further,
            f"{options.expected_rounds(scope):.2f} rounds are expected for a question of scope {scope.value}, each of "
            f"which keeps {options.exchange.growth:g} times as much as the one before.",
        ),
        SignalTerm(
            "fallback",
            -fallback * (1.0 - shares[0]),
            f"With a chance of {100 * fallback:.1f} % no round is enough, and all of it is shown after all.",
        ),
    )
    return Signal(min(1.0, max(0.0, sum(term.value for term in terms))), terms)


def _first_reason(tokens: int, share: float, options: SignalOptions) -> str:
    if share >= 1.0:
        return (
            f"The reader keeps all of an artifact of {tokens:,} tokens, for it keeps {options.least_tokens:,} at least."
        )
    why = f"{100 * options.share:.3g} % of an artifact"
    if share > options.share:
        why = f"at least {options.least_tokens:,} tokens"
    return f"The reader is expected to keep {share * tokens:,.0f} of {tokens:,} tokens: {why}."
