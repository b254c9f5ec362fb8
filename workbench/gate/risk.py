"""r, the omission risk: the chance that what a question needs is not in the kept text.

The seed (section 4.3) names the signal and gives no formula. The argument here: an omission has several causes, and
one is enough; taken as independent, the chance that none of them strikes is the product of the chances that each
does not:

    r = 1 - (1 - scope) (1 - missing terms) (1 - table) (1 - pages without text)

With u = 1 - max(share, least / T), the share of the artifact that the first reading leaves out (0 if it keeps all:
what is not left out cannot be missed):

scope = m u
    m is the share of what is needed that is missed, by scope, rising from point to whole. For the whole
    artifact m = 1: what is left out was asked for. For one place m is small, for the reader finds it among what
    it keeps.
missing terms = w u (share of the question's terms that stand nowhere in the artifact)
    Where no word of the question stands, words cannot find the place, or there is no such place. On public sets
    of questions the share of evidence that is missed rises from 1 % where no term is missing to 20 % where half of
    them and more are.
table = (share of the tokens in table rows) u, for aggregate and whole
    A sum over a table is wrong if any row is left out.
pages without text = (pages without text) / pages
    Nothing that is kept can come from them; evidence is as likely there as on any page.

Over those sets together a reading that misses evidence has the higher r of two in 68 % of the pairs; within a single
set that may be 86 %, or a coin (``docs/benchmarks.md``, "Gate and calibration"). So its weight is fitted, not assumed.
"""

from __future__ import annotations

from ..printing import counted, shortened
from ..relevance.scores import Scope
from ..relevance.terms import question_terms
from .intent import Intent
from .preview import Preview
from .signal_options import SignalOptions
from .signal_values import Signal, SignalTerm

WIDE = (Scope.AGGREGATE, Scope.WHOLE)
"""Scopes that need all of something."""
_SHOWN_TERMS = 5
_SHOWN_CHARS = 80


def risk_of(preview: Preview, intent: Intent, options: SignalOptions) -> Signal:
    """Return r with its terms."""
    omitted = 1.0 - options.kept_shares(preview.tokens)[0]
    terms = (
        _scope_term(intent.scope, omitted, options),
        _words_term(preview, intent.question, omitted, options),
        _table_term(preview, intent.scope, omitted),
        _pages_term(preview),
    )
    safe = 1.0
    for term in terms:
        safe *= 1.0 - term.value
    return Signal(min(1.0, max(0.0, 1.0 - safe)), terms)


def _scope_term(scope: Scope, omitted: float, options: SignalOptions) -> SignalTerm:
    chance = options.missed.of(scope)
    return SignalTerm(
        "scope",
        chance * omitted,
        f"{100 * omitted:.0f} % of the artifact is left out at first, and a question of scope {scope.value} misses "
        f"{chance:g} of what it needs there.",
    )


def _words_term(preview: Preview, question: str, omitted: float, options: SignalOptions) -> SignalTerm:
    terms = question_terms(question, preview.language)
    found, missing = preview.coverage(terms)
    if missing:
        shown = ", ".join(missing[:_SHOWN_TERMS]) + (", …" if len(missing) > _SHOWN_TERMS else "")
        reason = (
            f"{100 * (1 - found):.0f} % of what the question says stands nowhere in the artifact: "
            f"{shortened(shown, _SHOWN_CHARS)}."
        )
    elif terms:
        reason = "Every term of the question stands in the artifact."
    else:
        reason = "The question has no terms to look for."
    return SignalTerm("missing terms", options.missing_terms * (1.0 - found) * omitted, reason)


def _table_term(preview: Preview, scope: Scope, omitted: float) -> SignalTerm:
    if scope not in WIDE:
        return SignalTerm("table", 0.0, f"A question of scope {scope.value} needs no whole table.")
    return SignalTerm(
        "table",
        preview.table_share * omitted,
        f"{100 * preview.table_share:.0f} % of the tokens stand in table rows, and a question of scope {scope.value} "
        "may need every row.",
    )


def _pages_term(preview: Preview) -> SignalTerm:
    blind, pages = preview.pages_without_text, max(1, preview.pages)
    reason = f"{blind:,} of {counted(preview.pages, 'page')} have no text." if blind else "Every page has text."
    return SignalTerm("pages without text", min(1.0, blind / pages), reason)
