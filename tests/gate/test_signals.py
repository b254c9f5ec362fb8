"""The three gate signals: what they grow and fall with, and that they add up to what an exchange costs."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.documents import open_document
from workbench.documents.tokens import count_tokens
from workbench.errors import InvalidOption
from workbench.gate.intent import Intent, intent_of
from workbench.gate.preview import preview_of
from workbench.gate.signal_options import ByScope, SignalOptions
from workbench.gate.signals import Signal, Signals, SignalTerm, signals
from workbench.reading import SparseReader
from workbench.relevance.scores import Scope

from .made_options import some_options
from .made_previews import HANDBOOK, MANUAL, made

QUESTION = "When is the pump serviced?"
SCOPES = list(Scope)
sizes = st.integers(0, 2_000_000)
scopes = st.sampled_from(SCOPES)
shares = st.floats(0.0, 1.0)


def asked(scope: Scope = Scope.POINT, question: str = QUESTION) -> Intent:
    return Intent(question, scope)


@settings(deadline=None)
@given(sizes, scopes, some_options, shares, st.integers(0, 5_000), st.integers(0, 60))
def test_every_signal_lies_between_0_and_1(
    tokens: int, scope: Scope, options: SignalOptions, table: float, preview_tokens: int, blind: int
) -> None:
    preview = made(tokens, table_share=table, preview_tokens=preview_tokens, pages=40, pages_without_text=blind)
    found = signals(preview, asked(scope), options).as_array()
    assert ((found >= 0) & (found <= 1)).all()


@settings(deadline=None)
@given(sizes, sizes, scopes, some_options)
def test_exposure_never_falls_and_cost_never_rises_with_the_size(
    one: int, other: int, scope: Scope, options: SignalOptions
) -> None:
    small, large = (signals(made(tokens), asked(scope), options) for tokens in sorted((one, other)))
    assert small.s.value <= large.s.value + 1e-12
    assert small.c.value >= large.c.value - 1e-9


@pytest.mark.parametrize("scope", SCOPES)
def test_exposure_grows_strictly_until_it_saturates_below_1(scope: Scope) -> None:
    found = [signals(made(tokens), asked(scope)).s.value for tokens in (3_001, 4_000, 8_000, 12_000, 15_000)]
    assert all(before < after for before, after in pairwise(found))
    assert signals(made(3_000), asked(scope)).s.value == 0.0
    assert signals(made(10_000_000), asked(scope)).s.value == pytest.approx(found[-1])
    assert found[-1] < 1.0


def test_exposure_of_a_point_saturates_near_what_the_share_leaves_out() -> None:
    sure = SignalOptions(unclosed=ByScope(0.0, 0.0, 0.0, 1.0))
    assert signals(made(100_000), asked(), sure).s.value == pytest.approx(0.8)
    assert signals(made(100_000), asked(Scope.WHOLE), sure).s.value == 0.0


def test_cost_falls_strictly_while_it_is_below_1() -> None:
    found = [signals(made(tokens), asked()).c.value for tokens in (6_000, 12_000, 24_000, 100_000, 1_000_000)]
    assert all(before > after for before, after in pairwise(found))


@settings(deadline=None)
@given(shares, shares, st.integers(1_000, 1_000_000), some_options)
def test_cost_rises_with_the_expected_rounds(one: float, other: float, tokens: int, options: SignalOptions) -> None:
    few, many = (replace(options, unclosed=ByScope(again, again, again, again)) for again in sorted((one, other)))
    assert few.expected_rounds(Scope.POINT) <= many.expected_rounds(Scope.POINT)
    costs = [signals(made(tokens), asked(), chosen).c.value for chosen in (few, many)]
    assert costs[0] <= costs[1] + 1e-9


def test_cost_rises_strictly_from_point_to_whole() -> None:
    found = [signals(made(40_000), asked(scope)).c.value for scope in SCOPES[:2]]
    assert found[0] < found[1] < signals(made(40_000), asked(Scope.AGGREGATE)).c.value


@settings(deadline=None)
@given(sizes, some_options, shares)
def test_risk_never_falls_from_point_to_whole(tokens: int, options: SignalOptions, table: float) -> None:
    found = [signals(made(tokens, table_share=table), asked(scope), options).r.value for scope in SCOPES]
    assert all(before <= after + 1e-12 for before, after in pairwise(found))


def test_risk_rises_strictly_from_point_to_whole_by_default() -> None:
    found = [signals(made(), asked(scope)).r.value for scope in SCOPES]
    assert all(before < after for before, after in pairwise(found))


@pytest.mark.parametrize(
    ("language", "text", "questions"),
    [
        (
            "en",
            MANUAL,
            ["When is the pump serviced?", "When is the pump calibrated?", "When is the compressor calibrated?"],
        ),
        ("zh", HANDBOOK, ["水泵多久保养一次？", "水泵多久检定？", "压缩机多久检定？"]),
    ],
)
def test_risk_rises_with_terms_that_stand_nowhere(language: str, text: str, questions: list[str]) -> None:
    preview = made(text=text, language=language)
    found = [signals(preview, asked(question=question)).r for question in questions]
    assert all(before.value < after.value for before, after in pairwise(found))
    term = found[0].terms[1]
    assert (term.name, term.value) == ("missing terms", 0.0)
    assert term.reason == "Every term of the question stands in the artifact."
    assert " % of what the question says stands nowhere in the artifact: " in found[2].terms[1].reason


@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 50), sizes, scopes)
def test_risk_never_falls_with_pages_without_text(one: int, other: int, tokens: int, scope: Scope) -> None:
    few, many = (
        signals(made(tokens, pages=50, pages_without_text=blind), asked(scope)).r.value
        for blind in sorted((one, other))
    )
    assert few <= many


def test_pages_without_text_are_a_risk_of_their_own() -> None:
    found = signals(made(pages=10, pages_without_text=4), asked()).r
    assert found.terms[3] == SignalTerm("pages without text", 0.4, "4 of 10 pages have no text.")
    assert found.value > 0.4


def test_what_is_not_left_out_is_not_missed() -> None:
    found = signals(made(2_000), asked(Scope.WHOLE, "How is the compressor calibrated?")).r
    assert found.value == 0.0


def test_a_table_is_a_risk_where_all_rows_may_be_needed() -> None:
    mixed = made(table_share=0.6)
    assert signals(mixed, asked(Scope.AGGREGATE)).r.value > signals(made(), asked(Scope.AGGREGATE)).r.value
    assert signals(mixed, asked()).r.value == signals(made(), asked()).r.value


@settings(deadline=None)
@given(st.integers(2_000, 2_000_000), scopes, some_options, st.integers(0, 2_000))
def test_exposure_and_cost_add_up_to_the_exchange_that_the_replay_counts(
    tokens: int, scope: Scope, options: SignalOptions, preview_tokens: int
) -> None:
    found = signals(made(tokens, preview_tokens=preview_tokens), asked(scope), options, prepared=True)
    asking = int(count_tokens([QUESTION])[0])
    exchange, again = options.exchange, options.unclosed.of(scope)
    kept = [share * tokens for share in options.kept_shares(tokens)]
    news = [after - before for before, after in pairwise([0.0, *kept])]
    shown = [preview_tokens, *(more * (1 + options.anchors) for more in news)]
    expected = again**exchange.max_rounds * exchange.tokens(asking, [*shown, tokens])
    for rounds in range(1, exchange.max_rounds + 1):
        expected += again ** (rounds - 1) * (1 - again) * exchange.tokens(asking, shown[: rounds + 1])
    saving = (exchange.tokens(asking, [tokens]) - expected) / tokens
    s, c = (sum(term.value for term in signal.terms) for signal in (found.s, found.c))
    assert s - c == pytest.approx(saving, abs=1e-6)
    assert found.s.value == pytest.approx(s, abs=1e-9)
    assert found.c.value == pytest.approx(min(1.0, max(0.0, c)))


def test_three_rounds_and_a_fallback_cost_more_than_reading_it_all() -> None:
    never = SignalOptions(unclosed=ByScope(1.0, 1.0, 1.0, 1.0))
    found = signals(made(20_000), asked(Scope.WHOLE), never)
    assert (found.s.value, found.c.value) == (0.0, 1.0)
    assert sum(term.value for term in found.c.terms) > 1.5


def test_a_prepared_artifact_costs_the_reader_nothing() -> None:
    fresh, prepared = (signals(made(), asked(), prepared=done) for done in (False, True))
    assert fresh.c.value - prepared.c.value == pytest.approx(0.002)
    assert prepared.c.terms[-1].reason == "The artifact is prepared already."


def test_a_preview_that_is_sent_with_every_call_is_part_of_the_cost() -> None:
    short, long = (signals(made(preview_tokens=size), asked()).c.value for size in (100, 2_000))
    assert short < long


def test_an_artifact_without_tokens_has_nothing_to_save() -> None:
    found = signals(made(0, text="", pages=0), asked())
    assert found.s.value == 0.0
    assert found.c.value == 1.0


@pytest.mark.parametrize("question", ["?", "🙂", "123", "x" * 9_000, "\ud800 \x1b[31m", "{0.__class__}"])
def test_odd_questions_have_signals(question: str) -> None:
    found = signals(made(), asked(question=question)).as_array()
    assert np.isfinite(found).all()


def test_signals_of_real_documents_are_known_before_they_are_read(sample_dir: Any) -> None:
    for name, question in (("annual-report.pdf", "What were net sales?"), ("差旅制度.txt", "住宿标准是多少？")):
        preview = preview_of(open_document(sample_dir / name))
        first, second = (signals(preview, intent_of(question)) for _ in range(2))
        assert first == second
        assert first.as_array().shape == (3,)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.1, 1.1])
def test_a_signal_outside_0_to_1_is_refused(value: float) -> None:
    with pytest.raises(InvalidOption, match=f"The value of a signal is {value!r}; give a number from 0 to 1"):
        Signal(value)


def test_signals_show_their_terms_and_interpret_nothing() -> None:
    nasty = SignalTerm("<b>x</b>", 0.5, "<script>alert(1)</script> \x1b[31m $5 to $9")
    found = Signals(Signal(0.5, (nasty,)), Signal(0.25), Signal(0.125))
    assert repr(found) == "Signals(s=0.500, c=0.250, r=0.125)"
    page = found._repr_html_()
    assert "<script>" not in page and "<b>x" not in page and "mathjax_ignore" in page
    assert "\x1b" not in page and "\x1b" not in str(found)
    assert found.to_dict()["s"]["terms"][0]["value"] == 0.5
    assert float(found.c) == 0.25


@pytest.mark.data
def test_the_saving_that_is_foreseen_is_near_the_one_that_comes(data_dir: Path, tmp_path: Path) -> None:
    articles = json.loads((data_dir / "covidqa" / "200423_covidQA.json").read_text(encoding="utf-8"))["data"]
    closed = SignalOptions(unclosed=ByScope(0.0, 0.0, 0.0, 1.0))
    exchange, reader = closed.exchange, SparseReader(scorer=None)
    for number, article in enumerate(articles[:6]):
        paragraph = article["paragraphs"][0]
        path = tmp_path / f"{number}.txt"
        path.write_text(paragraph["context"], encoding="utf-8")
        document, question = open_document(path), paragraph["qas"][0]["question"]
        preview = preview_of(document)
        asking = int(count_tokens([question])[0])
        kept = reader.read(document, question).saving.rendered_tokens
        native = exchange.tokens(asking, [document.tokens])
        saved = (native - exchange.tokens(asking, [preview.preview_tokens, kept])) / document.tokens
        found = signals(preview, Intent(question), closed, prepared=True)
        assert sum(term.value for term in found.s.terms) - sum(term.value for term in found.c.terms) == pytest.approx(
            saved, abs=0.12
        )


def test_terms_that_do_not_sum_to_the_signal_say_why() -> None:
    found = signals(made(500), intent_of("When is the zebra fed?"))
    lines = dict(found.lines)
    total = sum(term.value for term in found.c.terms)
    assert total > 1.0
    assert lines["c, protocol cost"] == f"1.000: the terms sum to {total:.3f}, cut at 1"
    assert lines["s, avoidable exposure"] == "0.000"
    assert lines["  all of it"].startswith("+1.000: ") and lines["  fallback"].startswith("+0.000: ")


def test_the_chances_of_the_risk_are_not_shown_as_a_sum() -> None:
    small, large = (dict(signals(made(tokens), intent_of("When is the zebra fed?")).lines) for tokens in (500, 60_000))
    rule = ": the chance that any of these strikes, if independent: 1 - (1 - a) (1 - b) …"
    kept = ". All of the artifact is kept at first, so nothing counts that depends on what is left out"
    assert small["r, omission risk"] == f"0.000{rule}{kept}"
    assert large["r, omission risk"].endswith(rule)
    assert large["  missing terms"][0] == "0"
