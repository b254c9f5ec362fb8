"""c, the protocol cost: what the sparse path costs besides the kept text, as a share of reading it all.

The seed (section 4.3) names the signal and gives no formula. The argument here:

An exchange costs the tokens that go into the model over all of its calls (``Exchange.tokens``, by which the replay
counts as well). A sparse exchange observes the preview, then what is new in the kept text of each round, and the
whole artifact where it falls back; a native one observes the artifact at once. For every way that the exchange may
end (``endings``):

    c = (E[tokens of the sparse exchange] - E[tokens of the artifact that are shown] - what a native exchange carries
         besides the artifact) / T  +  the reader's own cost

clipped to [0, 1]. So s - c, where nothing is clipped, *is* the saving that is expected, as a share of the
artifact's tokens, less what the reader itself costs: 1 means that the artifact costs nothing, 0 that both paths
cost the same. What does not grow with the artifact (prompts, calls, preview) is divided by T, and what is sent
again is a share that falls with T or stays, so c falls with the size of the artifact; every further round adds
calls and sends again what was observed, so c rises with the expected rounds.

A round that has kept everything would end the exchange; that is not counted, for then s is nearly 0 anyway, and c
would jump where an artifact is one token too long. Nor is the limit of a native context: c is a share of reading
*all*.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from itertools import pairwise

from ..documents.tokens import count_tokens
from ..relevance.scores import Scope
from .endings import Ending, endings_of
from .exchange import Exchange
from .preview import Preview
from .signal_options import SignalOptions
from .signal_values import Signal, SignalTerm


@dataclass(frozen=True, slots=True)
class _Parts:
    """What an end costs besides the artifact's tokens that it shows, in tokens."""

    protocol: float
    preview: float
    again: float
    anchors: float


def cost_of(preview: Preview, question: str, scope: Scope, options: SignalOptions, *, prepared: bool = False) -> Signal:
    """Return c with its terms.

    Parameters
    ----------
    preview : Preview
    question : str
    scope : Scope
    options : SignalOptions
    prepared : bool
        Whether the reader has read the artifact before, so that its own work is done.
    """
    question_tokens = int(count_tokens([question])[0])
    shares = options.kept_shares(preview.tokens)
    sums = [0.0, 0.0, 0.0, 0.0]
    for end in endings_of(options, scope):
        parts = _parts_of(end, preview, question_tokens, shares, options)
        sums = [total + end.chance * part for total, part in zip(sums, astuple(parts), strict=True)]
    whole = max(1, preview.tokens)
    protocol, shown, again, anchors = (total / whole for total in sums)
    reader = 0.0 if prepared else options.reader_cost
    terms = (
        SignalTerm(
            "protocol",
            protocol,
            f"{options.expected_rounds(scope):.2f} rounds are expected: prompts, question and calls of tools cost "
            f"{sums[0]:,.0f} tokens more than for a native read.",
        ),
        SignalTerm(
            "preview",
            shown,
            f"The preview has {preview.preview_tokens:,} tokens and costs {sums[1]:,.0f} over all calls.",
        ),
        SignalTerm("sent again", again, f"{sums[2]:,.0f} tokens of the artifact are sent more than once."),
        SignalTerm("anchors", anchors, f"{sums[3]:,.0f} tokens say where the kept text stands in the original."),
        SignalTerm(
            "reader",
            reader,
            "The artifact is prepared already."
            if prepared
            else f"The reader's own work costs {options.reader_cost:g} of a token for each token.",
        ),
    )
    return Signal(min(1.0, max(0.0, sum(term.value for term in terms))), terms)


def least_tokens_of_sparse(preview: Preview, question: str, options: SignalOptions) -> tuple[float, float]:
    """Return what the cheapest sparse exchange costs (one round that is enough), and what reading it all costs."""
    question_tokens = int(count_tokens([question])[0])
    kept = options.kept_shares(preview.tokens)[0] * preview.tokens * (1.0 + options.anchors)
    exchange = options.exchange
    sparse = exchange.tokens(question_tokens, [preview.preview_tokens, kept])
    return sparse, exchange.tokens(question_tokens, [preview.tokens])


def _parts_of(
    end: Ending, preview: Preview, question_tokens: int, shares: tuple[float, ...], options: SignalOptions
) -> _Parts:
    """Divide the tokens of an end; ``Exchange.tokens`` is linear in what is observed, so the parts add up to them."""
    exchange: Exchange = options.exchange
    tokens = preview.tokens
    kept = [share * tokens for share in shares[: end.rounds]]
    news = [kept[0], *(after - before for before, after in pairwise(kept))]
    last = [float(tokens)] if end.falls_back else []
    calls = 1 + len(news) + len(last)
    empty = exchange.tokens(question_tokens, [0.0] * calls)
    read = exchange.tokens(question_tokens, [0.0, *news, *([0.0] * len(last))]) - empty
    full = exchange.tokens(question_tokens, [0.0] * (calls - 1) + last) - empty if last else 0.0
    return _Parts(
        protocol=empty - exchange.tokens(question_tokens, [0.0]),
        preview=exchange.tokens(question_tokens, [preview.preview_tokens, *([0.0] * (calls - 1))]) - empty,
        again=read + full - (float(tokens) if end.falls_back else kept[-1]),
        anchors=options.anchors * read,
    )
