"""An explanation says which change of one signal alone would change the route, and is right."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from workbench.gate.constraints import Constraint
from workbench.gate.explanation import GateFlip
from workbench.gate.gate import GateDecision, ReadGate
from workbench.gate.intent import Intent, intent_of
from workbench.gate.margin import ROUTES, GateThresholds, GateWeights, Route
from workbench.gate.signals import Signal, Signals

from .made_previews import made

WEIGHTS = GateWeights(0.5, 0.3, 0.2)
QUESTION = Intent("When is the pump serviced?", reasons=("No words ask for more than one place: point.",))
unit = st.floats(0.0, 1.0)
weight = st.floats(0.01, 1.0)


def decided(
    s: float, c: float, r: float, native: float = 0.0, force: float = 0.2, weights: GateWeights = WEIGHTS
) -> GateDecision:
    """A decision on chosen signals."""
    gate = ReadGate(weights, GateThresholds(native, force))
    code = gate.decide_all([[s, c, r]])[0]
    found = GateDecision(
        route=ROUTES[code],
        margin=0.0,
        signals=Signals(Signal(s), Signal(c), Signal(r)),
        constraint=None,
        weights=weights,
        thresholds=gate.thresholds,
        preview=made(),
        intent=QUESTION,
    )
    return replace(found, margin=found.free_margin)


def route_with(found: GateDecision, signal: str, value: float) -> Route:
    values = dict(zip("scr", found.signals.as_array().tolist(), strict=True)) | {signal: min(1.0, max(0.0, value))}
    gate = ReadGate(found.weights, found.thresholds)
    return ROUTES[gate.decide_all([list(values.values())])[0]]


def words_of(found: GateDecision) -> list[str]:
    return [flip.words for flip in found.explain().flips]


def test_an_advisory_request_says_what_would_make_it_force_or_native() -> None:
    found = decided(0.6, 0.32, 0.55)  # 0.3 - 0.096 - 0.11 = 0.094
    assert found.route is Route.ADVISORY
    assert words_of(found) == [
        "Force if avoidable exposure (s) were at least 0.82; it is 0.60.",
        "No protocol cost (c) from 0 to 1 would alone make it force.",
        "Force if omission risk (r) were at most 0.02; it is 0.55.",
        "Native if avoidable exposure (s) were at most 0.41; it is 0.60.",
        "Native if protocol cost (c) were at least 0.64; it is 0.32.",
        "No omission risk (r) from 0 to 1 would alone make it native.",
    ]
    assert found.explain().summary == (
        "Advisory: the margin +0.0940 lies between +0.0000 and +0.2000; the agent chooses."
    )


def test_a_forced_request_says_what_would_weaken_it() -> None:
    found = decided(0.8, 0.1, 0.1)  # 0.4 - 0.03 - 0.02 = 0.35
    assert found.explain().sentences == (
        "Force: the margin +0.3500 reaches +0.2000, so sparse reading is expected to pay.",
        "Advisory if avoidable exposure (s) were below 0.50; it is 0.80.",
        "Advisory if protocol cost (c) were above 0.60; it is 0.10.",
        "Advisory if omission risk (r) were above 0.85; it is 0.10.",
        "Native if avoidable exposure (s) were at most 0.10; it is 0.80.",
        "No protocol cost (c) from 0 to 1 would alone make it native.",
        "No omission risk (r) from 0 to 1 would alone make it native.",
    )


def test_a_native_request_says_what_would_open_the_sparse_path() -> None:
    found = decided(0.1, 0.9, 0.9)  # 0.05 - 0.27 - 0.18 = -0.4
    assert found.explain().sentences == (
        "Native: the margin -0.4000 is not above +0.0000, so reading it all is expected to pay.",
        "Advisory if avoidable exposure (s) were above 0.90; it is 0.10.",
        "No protocol cost (c) from 0 to 1 would alone make it advisory.",
        "No omission risk (r) from 0 to 1 would alone make it advisory.",
        "No avoidable exposure (s) from 0 to 1 would alone make it force.",
        "No protocol cost (c) from 0 to 1 would alone make it force.",
        "No omission risk (r) from 0 to 1 would alone make it force.",
    )


@pytest.mark.parametrize(
    ("s", "native", "force", "summary"),
    [
        (
            0.61342,
            0.29,
            0.30674,
            "Advisory: the margin +0.30671 lies between +0.29000 and +0.30674; the agent chooses.",
        ),
        (0.6134, 0.29, 0.3075, "Advisory: the margin +0.3067 lies between +0.2900 and +0.3075; the agent chooses."),
        (0.61342, 0.29, 0.306709, "Force: the margin +0.306710 reaches +0.306709, so"),
        (0.61342, 0.306713, 0.5, "Native: the margin +0.306710 is not above +0.306713, so"),
    ],
)
def test_a_margin_and_its_thresholds_never_look_alike_where_they_are_not(
    s: float, native: float, force: float, summary: str
) -> None:
    assert decided(s, 0.0, 0.0, native, force).explain().summary.startswith(summary)


@pytest.mark.parametrize(("s", "route", "other"), [(0.8, "Force", "Native"), (0.01, "Native", "Force")])
def test_a_band_too_narrow_to_speak_of_is_offered_to_nobody(s: float, route: str, other: str) -> None:
    explained = decided(s, 0.0, 0.0, 0.05321, 0.05322).explain()
    lines = dict(explained.lines)
    assert lines["thresholds"] == "force from +0.0532, native below it; there is no advisory band to speak of"
    assert explained.summary.startswith(f"{route}: ")
    assert [flip.route.value.capitalize() for flip in explained.flips] == [other] * 3
    assert "Advisory" not in str(explained) and "Advisory" not in explained._repr_html_()


def test_a_request_inside_a_narrow_band_is_told_that_band() -> None:
    explained = decided(0.10643, 0.0, 0.0, 0.05321, 0.05322).explain()
    assert explained.summary == (
        "Advisory: the margin +0.053215 lies between +0.053210 and +0.053220; the agent chooses."
    )
    assert ("thresholds", "force from +0.05322, native up to +0.05321, advisory between") in explained.lines
    assert ("distance", "0.000005 to rise to force, 0.000005 to fall to native") in explained.lines


def test_numbers_that_are_close_are_told_apart() -> None:
    found = decided(0.58, 0.0, 0.0, native=-1.0, force=0.29001)
    assert words_of(found)[0] == "Force if avoidable exposure (s) were at least 0.58002; it is 0.58000."


@settings(deadline=None)
@given(unit, unit, unit, weight, weight, weight, st.floats(-0.9, 0.8), st.floats(0.01, 0.5))
@example(1.0, 0.0, 0.0, 1.0, 1.0, 1.0, -0.5, 0.5)
@example(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.5)
def test_every_flip_is_true(
    s: float, c: float, r: float, ws: float, wc: float, wr: float, native: float, gap: float
) -> None:
    found = decided(s, c, r, native, native + gap, GateWeights(ws, wc, wr))
    flips = found.explain().flips
    assert len(flips) == 6
    for flip in flips:
        check(found, flip)


def check(found: GateDecision, flip: GateFlip) -> None:
    """Beyond the value the route is the other one (or a farther one), before it it is not."""
    now = dict(zip("scr", found.signals.as_array().tolist(), strict=True))[flip.signal]
    rises = flip.route.code > found.route.code
    if not flip.possible:
        assert math.isnan(flip.value)
        codes = [route_with(found, flip.signal, end).code for end in (0.0, 1.0)]
        assert max(codes) < flip.route.code if rises else min(codes) > flip.route.code
        return
    assert 0.0 <= flip.value <= 1.0
    way = 1e-9 if flip.side in ("at least", "above") else -1e-9
    beyond, before = (route_with(found, flip.signal, flip.value + step).code for step in (way, -2 * way))
    assert beyond >= flip.route.code if rises else beyond <= flip.route.code
    if abs(flip.value - now) > 1e-8:
        assert before < flip.route.code if rises else before > flip.route.code


def test_thresholds_without_end_offer_no_flip_to_what_is_never() -> None:
    found = decided(0.5, 0.5, 0.5, -math.inf, math.inf)
    assert found.route is Route.ADVISORY
    assert found.explain().flips == ()
    assert ("distance", "force is out of reach, native is out of reach") in found.explain().lines


def test_a_constraint_is_the_whole_explanation() -> None:
    found = replace(
        decided(0.8, 0.1, 0.1),
        route=Route.NATIVE,
        margin=math.nan,
        constraint=Constraint("exact_copy", "Word for word."),
    )
    explained = found.explain()
    assert explained.sentences == ("Native by a hard constraint, exact_copy, whatever the signals say: Word for word.",)
    assert explained.to_dict()["flips"] == []
    assert explained.to_frame().shape == (0, 7)
    assert ("margin", "+0.3500 = 0.5000 x 0.8000 - 0.3000 x 0.1000 - 0.2000 x 0.1000, not asked for") in explained.lines


@pytest.mark.parametrize("question", ["When is the pump serviced?", "水泵多久保养一次？"])
def test_an_explanation_holds_the_whole_calculation(question: str) -> None:
    gate = ReadGate(WEIGHTS, GateThresholds(0.0, 0.2))
    explained = gate.decide(made(), intent_of(question)).explain()
    text = str(explained)
    for words in (
        "manual.pdf: force",
        question,
        "scope point, to read",
        "first reading",
        "sent again",
        "missing terms",
    ):
        assert words in text
    assert "force from +0.2000, native up to +0.0000, advisory between" in text
    assert "force already, " in text and " to fall to native" in text
    assert repr(explained).startswith("GateExplanation(force, 'Force: the margin +0.")
    assert json.loads(json.dumps(explained.to_dict(), allow_nan=False))["route"] == "force"


def test_an_explanation_interprets_nothing() -> None:
    nasty = Intent("<script>alert(1)</script>\x1b[31m \ud800 $5 to $9", reasons=("<b>bold</b> \x07",))
    explained = replace(decided(0.5, 0.5, 0.5), intent=nasty, preview=made(name="<img src=x>.pdf")).explain()
    page = explained._repr_html_()
    assert "<script" not in page and "<b>bold" not in page and "<img" not in page
    assert "mathjax_ignore" in page
    page.encode("utf-8")
    assert "\x1b" not in str(explained) and "\x07" not in str(explained)


def test_an_explanation_in_a_notebook_has_its_route_on_top_and_its_terms_folded() -> None:
    gate = ReadGate(WEIGHTS, GateThresholds(0.0, 0.2))
    page = gate.decide(made(), QUESTION).explain()._repr_html_()
    assert page.index("<b>Force</b>: the margin") < page.index("When is the pump serviced?")
    folded = page[page.index("<details style='margin:0.4em 0'><summary") :]
    assert "How s, c and r are made" in folded and "first reading" in folded
    assert "first reading" not in page[: -len(folded)]
    assert "<script" not in page and "http" not in page


def test_an_explanation_is_a_table_of_what_would_change_the_route() -> None:
    frame = decided(0.6, 0.32, 0.55).explain().to_frame()
    assert list(frame.columns) == ["signal", "name", "now", "route", "side", "value", "words"]
    assert frame["route"].tolist() == ["force"] * 3 + ["native"] * 3
    assert frame["value"].round(3).fillna(-1).tolist() == [0.812, -1.0, 0.02, 0.412, 0.633, -1.0]


def test_a_margin_on_a_threshold_says_so() -> None:
    found = decided(0.5, 0.5, 0.5, native=0.0, force=0.25, weights=GateWeights(0.5, 0.25, 0.25))
    assert (found.margin, found.route) == (0.0, Route.NATIVE)
    assert words_of(found)[0] == "Advisory if avoidable exposure (s) were above 0.50; it is 0.50."
