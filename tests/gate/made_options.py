"""Any options of the signals."""

from __future__ import annotations

from hypothesis import strategies as st

from workbench.gate.exchange import Exchange
from workbench.gate.signal_options import ByScope, SignalOptions

shares = st.floats(0.0, 1.0)


def by_scope(values: list[float]) -> ByScope:
    return ByScope(*sorted(values))


some_by_scope = st.lists(shares, min_size=4, max_size=4).map(by_scope)
exchanges = st.builds(
    Exchange,
    prompt_tokens=st.integers(0, 5_000),
    call_tokens=st.integers(0, 500),
    resent_share=shares,
    max_rounds=st.integers(1, 6),
    growth=st.floats(1.1, 5.0),
    context_tokens=st.one_of(st.none(), st.integers(1, 200_000)),
)
some_options = st.builds(
    SignalOptions,
    exchange=exchanges,
    least_tokens=st.integers(0, 10_000),
    share=st.floats(0.01, 1.0),
    anchors=st.floats(0.0, 1.0),
    unclosed=some_by_scope,
    missed=some_by_scope,
    missing_terms=shares,
    reader_cost=st.floats(0.0, 0.1),
)
