"""What the two paths of a request observe, and what that costs."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.made import ByHand, Made
from workbench.documents import Document
from workbench.gate.exchange import Exchange
from workbench.gate.intent import Intent
from workbench.gate.preview import preview_of
from workbench.reading import SparseReader
from workbench.relevance import HybridScorer
from workbench.relevance.scores import Scope
from workbench.workload.replay.closure import ClosureRule
from workbench.workload.replay.paths import PathTaken, native_path, sparse_path

NAMES = ("Amber", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel")
FOREST = Made().text(*(f"{name} stands in row {10 + row}, as it has for years." for row, name in enumerate(NAMES)))
DOCUMENT = FOREST.document()
EACH = DOCUMENT.columns.tokens.tolist()
PREVIEW = 7
PLAIN = Exchange(prompt_tokens=100, call_tokens=10)


def taken(
    *intents: Intent, document: Document = DOCUMENT, exchange: Exchange = PLAIN, reader: SparseReader | None = None
) -> PathTaken:
    falling = np.linspace(0.9, 0.1, len(document)).tolist()
    chosen = reader or SparseReader(scorer=ByHand(falling), threshold=0.85)
    return sparse_path(
        chosen,
        document,
        intents,
        exchange,
        preview_tokens=PREVIEW,
        tokens=document.columns.tokens.astype(np.int64),
        rule=ClosureRule(document, preview_of(document)),
    )


def asked(question: str, scope: Scope = Scope.POINT, needs: Sequence[str] = ()) -> Intent:
    return Intent(question, scope=scope, needs=tuple(needs) or (question,))


def test_a_closed_read_observes_the_preview_and_the_kept_text() -> None:
    found = taken(asked("Amber"))
    kept = SparseReader(scorer=ByHand([0.9, *[0.1] * 7]), threshold=0.85).read(DOCUMENT, "Amber")
    assert found.observations == (PREVIEW, kept.saving.rendered_tokens)
    assert (found.rounds, found.fell_back, found.before) == (1, False, 0)
    assert found.kept.tolist() == [True] + [False] * 7
    assert found.seen.tolist() == found.kept.tolist()
    assert found.reasons == (f"Round 1, {EACH[0]} tokens kept: every need was met.",)


def test_a_further_round_keeps_a_multiple_and_sends_only_what_is_new() -> None:
    found = taken(asked("Birch"))
    assert found.kept.tolist() == [True, True] + [False] * 6
    assert (found.rounds, found.fell_back) == (2, False)
    first, second = found.observations[1:]
    # The second observation has one block, as the first one has, and not two.
    assert abs(first - second) <= 3
    assert found.reasons[0] == f"Round 1, {EACH[0]} tokens kept: no kept block names 'Birch'."


def test_without_closure_the_whole_artifact_is_sent_on_top() -> None:
    found = taken(asked("Hazel"))
    assert (found.rounds, found.fell_back) == (3, True)
    assert len(found.observations) == 5
    assert found.observations[-1] == sum(EACH)
    assert found.seen.all()
    assert found.kept.tolist() == [True] * 4 + [False] * 4
    assert found.reasons[-2:] == (
        f"Round 3, {sum(EACH[:4])} tokens kept: no kept block names 'Hazel', and no round is left.",
        "The whole artifact was read after all.",
    )
    # The shape of the seed's own figure: forced onto the wrong work it costs a multiple of reading it all.
    assert found.tokens(PLAIN) > 2 * native_path(np.array(EACH), [1], PLAIN).tokens(PLAIN)


def test_one_round_is_all_where_one_is_allowed() -> None:
    found = taken(asked("Birch"), exchange=Exchange(max_rounds=1))
    assert (found.rounds, found.fell_back) == (1, True)


def test_an_empty_reading_falls_back_at_once() -> None:
    found = taken(asked("Amber"), reader=SparseReader(scorer=ByHand([0.1] * 8), threshold=0.85))
    assert (found.rounds, found.fell_back, found.kept.any()) == (1, True, False)
    assert "nothing passed the cut, so that the read is of no use" in found.reasons[0]


def test_a_round_that_adds_nothing_falls_back() -> None:
    # Blocks with a relevance of 0 are never kept by a share, so that the second round finds nothing new.
    reader = SparseReader(scorer=ByHand([0.9, *[0.0] * 7]), threshold=0.85)
    found = taken(asked("Hazel"), reader=reader)
    assert (found.rounds, found.fell_back) == (2, True)
    assert found.reasons[1] == f"Round 2, {EACH[0]} tokens kept: it added nothing."


def test_a_document_without_text_falls_back() -> None:
    empty = Made().page().document()
    found = taken(asked("Amber"), document=empty, reader=SparseReader(scorer=HybridScorer(encoder=None)))
    assert found.fell_back
    assert found.observations[-1] == 0


def test_the_whole_is_closed_only_by_everything() -> None:
    narrow = taken(asked("Summarise it.", Scope.WHOLE))
    assert narrow.fell_back
    wide = taken(asked("Summarise it.", Scope.WHOLE), reader=SparseReader(scorer=HybridScorer(encoder=None)))
    assert (wide.rounds, wide.fell_back) == (1, False)  # everything fits in the least tokens of a reading


def test_a_native_read_observes_the_document_once() -> None:
    tokens = np.array([5, 5, 5])
    found = native_path(tokens, [3], PLAIN)
    assert found.observations == (15,)
    assert found.tokens(PLAIN) == PLAIN.tokens(3, [15])
    assert found.seen.all()
    assert not found.kept.any()


def test_what_is_beyond_the_context_is_not_seen() -> None:
    capped = Exchange(context_tokens=12)
    found = native_path(np.array([5, 5, 5]), [3], capped)
    assert found.observations == (12,)
    assert found.seen.tolist() == [True, True, False]
    fallen = taken(asked("Hazel"), exchange=Exchange(context_tokens=sum(EACH[:2])))
    assert fallen.observations[-1] == sum(EACH[:2])
    assert fallen.seen.tolist() == [True] * 4 + [False] * 4  # what sparse reads have shown stays seen


TURNS = (asked("Where does Amber stand?", needs=["Amber"]), asked("And for how long?", needs=["years"]))


def test_only_the_last_turn_is_counted_and_the_earlier_ones_are_in_the_context() -> None:
    first, both = taken(TURNS[0]), taken(*TURNS)
    assert both.before == first.question_tokens + sum(PLAIN.call_tokens + found for found in first.observations)
    assert len(both.observations) == 1  # no second preview
    assert both.kept[first.kept].all()
    native = native_path(np.array(EACH), [6, 5], PLAIN)
    assert native.observations == ()
    assert native.tokens(PLAIN) == 100 + 6 + 10 + sum(EACH) + 5


def test_what_was_in_the_context_costs_what_is_sent_again() -> None:
    cached = Exchange(prompt_tokens=100, call_tokens=10, resent_share=0.1)
    native = native_path(np.array(EACH), [6, 5], cached)
    assert native.tokens(cached) == pytest.approx(5 + 0.1 * (100 + 6 + 10 + sum(EACH)))


def test_after_a_fallback_the_next_turn_needs_no_read() -> None:
    found = taken(asked("Hazel"), asked("And the Elm?", needs=["Elm"]))
    assert (found.observations, found.rounds, found.fell_back) == ((), 0, True)
    assert found.seen.all()
    assert found.reasons == ("An earlier turn fell back, so the whole artifact is in the context already.",)
    native = native_path(np.array(EACH), [1, found.question_tokens], PLAIN)
    assert found.tokens(PLAIN) > native.tokens(PLAIN)


def test_a_chinese_dialogue_is_replayed_alike() -> None:
    texts = ("住宿标准为每晚五百元。", "机票须提前三天申请。", "餐费按天发放。")
    document = Made(language="zh").text(*texts).document()
    reader = SparseReader(scorer=HybridScorer(encoder=None), token_share=0.3, min_tokens=0)
    found = taken(asked("住宿标准是多少？", needs=["住宿标准"]), document=document, reader=reader)
    assert (found.fell_back, found.kept.tolist()) == (False, [True, False, False])


@settings(deadline=None, max_examples=60)
@given(
    relevance=st.lists(st.floats(0, 1), min_size=len(NAMES), max_size=len(NAMES)),
    scope=st.sampled_from(Scope),
    need=st.sampled_from([*NAMES, "Walnut", "years"]),
    threshold=st.floats(0, 1),
    rounds=st.integers(1, 4),
)
def test_whatever_is_scored_a_path_ends_and_adds_up(
    relevance: list[float], scope: Scope, need: str, threshold: float, rounds: int
) -> None:
    exchange = Exchange(max_rounds=rounds)
    reader = SparseReader(scorer=ByHand(relevance), threshold=threshold)
    found = taken(asked(need, scope), exchange=exchange, reader=reader)
    assert 1 <= found.rounds <= rounds
    assert len(found.observations) == 1 + found.rounds + found.fell_back
    assert found.seen.all() if found.fell_back else (found.seen == found.kept).all()
    native = native_path(np.array(EACH), [found.question_tokens], exchange)
    if found.fell_back:
        assert found.observations[-1] == native.observations[0]
        assert found.tokens(exchange) > native.tokens(exchange)
    if scope is Scope.WHOLE and not found.fell_back:
        assert found.kept.all()


def test_no_path_is_told_of_the_gold() -> None:
    for path in (sparse_path, native_path):
        names = set(inspect.signature(path).parameters)
        assert not names & {"request", "gold", "evidence", "workload"}


@given(
    observations=st.lists(st.integers(0, 5_000), max_size=6),
    question=st.integers(1, 50),
    resent=st.floats(0, 1),
    before=st.integers(0, 5_000),
)
def test_tokens_are_those_of_the_exchange_less_what_is_sent_again_for_less(
    observations: list[int], question: int, resent: float, before: int
) -> None:
    exchange = Exchange(resent_share=resent)
    nothing: Any = np.zeros(0, bool)
    path = PathTaken(question, before, tuple(observations), nothing, nothing)
    plain = exchange.tokens(question + before, observations)
    if not before:
        assert path.tokens(exchange) == plain
    assert plain - exchange.prompt_tokens - before - 1e-6 <= path.tokens(exchange) <= plain
