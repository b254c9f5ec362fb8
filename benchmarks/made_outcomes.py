"""Outcomes of requests that nobody asked: drawn from what the gate expects of an exchange, with what it cannot know.

Documents have sizes of a log-normal law, a share of their tokens in tables, and a habit of their own. Signals are the
gate's, for a document, a scope and the terms of a question. What then happens is drawn: how much the reader keeps, how
many rounds it takes, and which pieces of the evidence it misses. So signals tell something of the outcome, not all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from workbench.gate import Exchange, Intent, Preview, SignalOptions, constraint_of
from workbench.gate.signals import signals
from workbench.relevance.scores import Scope

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SCOPES = tuple(Scope)
CHANCES = (0.55, 0.2, 0.15, 0.1)
"""How often a request has each scope."""
QUESTION = "What was the amount that the lessee agreed to pay for the second year of the term?"
QUESTION_TOKENS = 18
_SCENARIOS = ("long_document_qa", "pdf_report_qa", "structured_analysis", "native_fit")
_MOST_DOCUMENTS = 5_000


def made_outcomes(requests: int, seed: int = 0, *, documents: int | None = None) -> pd.DataFrame:
    """Return a table of outcomes as ``calibrate`` takes it.

    Parameters
    ----------
    requests : int
    seed : int
        Equal seeds give equal tables.
    documents : int, optional
        One for 12 requests, at most 5,000, if not given.
    """
    import pandas as pd

    random = np.random.default_rng(seed)
    count = documents or max(2, min(_MOST_DOCUMENTS, requests // 12))
    options = SignalOptions()
    size: Floats = np.clip(np.round(np.exp(random.normal(np.log(9_000), 1.1, count))), 200, 250_000)
    tabular = np.where(random.random(count) < 0.2, random.uniform(0.9, 1.0, count), random.beta(1, 6, count))
    habit = random.normal(0, 0.5, count)
    document = random.integers(0, count, requests)
    scope = random.choice(len(SCOPES), requests, p=CHANCES)
    known = _signals_of(size, tabular, options)
    s, c, r, constraint = (column[document, scope] for column in known)
    u = (1 - first_share(size, options))[document]
    terms = random.integers(3, 13, requests)
    missing = random.binomial(terms, 0.08) / terms
    r = 1 - (1 - r) * (1 - options.missing_terms * missing * u)
    native, sparse, rounds, full = _exchanges(random, size[document], habit[document], scope, options)
    omitted = np.where(full, 0.0, np.maximum(0, 1 - (1 - u) * options.exchange.growth ** (rounds - 1.0)))
    loss = _losses(random, scope, omitted, missing, habit[document], options)
    return pd.DataFrame(
        {
            "request": [f"r{place:07d}" for place in range(requests)],
            "document": np.array([f"d{place:05d}" for place in range(count)], object)[document],
            "s": s.astype(np.float64),
            "c": c.astype(np.float64),
            "r": np.clip(r.astype(np.float64), 0, 1),
            "constraint": constraint,
            "tokens_native": native,
            "tokens_sparse": sparse,
            "quality_native": 1.0,
            "quality_sparse": 1.0 - loss,
            "scenario": np.array(_SCENARIOS, object)[scope],
            "artifact_bytes": 4 * size[document],
        }
    )


def first_share(size: Floats, options: SignalOptions) -> Floats:
    """Return what share of documents the first reading is expected to keep."""
    return np.minimum(1.0, np.maximum(options.share, options.least_tokens / size))


def _signals_of(size: Floats, tabular: Floats, options: SignalOptions) -> tuple[npt.NDArray[np.object_], ...]:
    """Return s, c, r and the constraint of each document and scope, for questions without a missing term."""
    table = np.empty((4, len(size), len(SCOPES)), object)
    for place, (tokens, share) in enumerate(zip(size.tolist(), tabular.tolist(), strict=True)):
        preview = Preview(
            name="made",
            tokens=int(tokens),
            preview_tokens=int(min(600, 80 + tokens / 40)),
            table_share=share,
            is_table=share >= 0.9,
            pages=1,
        )
        for code, scope in enumerate(SCOPES):
            intent = Intent(QUESTION, scope=scope)
            found = signals(preview, intent, options)
            # Without a vocabulary every term is missing; the caller draws which are.
            safe = np.prod([1 - term.value for term in found.r.terms if term.name != "missing terms"])
            held = constraint_of(preview, intent, options)
            table[:, place, code] = found.s.value, found.c.value, 1 - float(safe), held.name if held else ""
    return tuple(table)


def _exchanges(
    random: np.random.Generator, size: Floats, habit: Floats, scope: Ints, options: SignalOptions
) -> tuple[Floats, Floats, Ints, npt.NDArray[np.bool_]]:
    """Draw how exchanges go: tokens native and sparse, rounds, and whether all was sent after all."""
    exchange, n = options.exchange, len(size)
    again = np.array([options.unclosed.of(one) for one in SCOPES])[scope]
    again = 1 / (1 + np.exp(-(np.log(again / (1 - again)) + habit + random.normal(0, 0.5, n))))
    unclosed = random.random((exchange.max_rounds, n)) < again
    rounds = np.minimum(1 + np.cumprod(unclosed, axis=0).sum(axis=0), exchange.max_rounds)
    full = unclosed.all(axis=0)
    first = np.clip(first_share(size, options) * np.exp(random.normal(0, 0.3, n)), 0, 1)
    preview = np.minimum(600, 80 + size / 40)
    sparse = np.zeros(n)
    for count in range(1, exchange.max_rounds + 1):
        kept = [np.minimum(1, first * exchange.growth**done) * size for done in range(count)]
        news = [kept[0], *(after - before for before, after in pairwise(kept))]
        seen = [preview, *((1 + options.anchors) * new for new in news)]
        ends = (rounds == count) & ~full
        sparse[ends] = _tokens_of(exchange, seen)[ends]
        sparse[full] = _tokens_of(exchange, [*seen, size])[full]
    native = _tokens_of(exchange, [size])
    return np.round(native), np.round(sparse), rounds, full


def _tokens_of(exchange: Exchange, observations: Sequence[Floats]) -> Floats:
    """Return what exchanges of one shape cost; the sum is linear, so that arrays go through it as numbers do."""
    return np.asarray(exchange.tokens(QUESTION_TOKENS, cast("Sequence[float]", observations)))


def _losses(
    random: np.random.Generator, scope: Ints, omitted: Floats, missing: Floats, habit: Floats, options: SignalOptions
) -> Floats:
    """Draw the share of the evidence that is missed, piece by piece."""
    n = len(scope)
    miss = np.array([options.missed.of(one) for one in SCOPES])[scope] + options.missing_terms * missing
    miss = np.clip(miss * omitted * np.exp(habit + random.normal(0, 0.4, n)), 0, 1)
    pieces = np.where(scope == 0, 1, 2 + random.poisson(1.5, n))
    return np.asarray(random.binomial(pieces, miss) / pieces)
