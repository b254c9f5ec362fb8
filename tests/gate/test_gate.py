"""The Read Gate: one decision a request, alone or among a million."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench import gate as public
from workbench.documents import open_document
from workbench.errors import FileMissing, InvalidOption, InvalidQuestion
from workbench.gate.gate import GateDecision, ReadGate
from workbench.gate.intent import Action, Intent
from workbench.gate.margin import ROUTES, GateThresholds, GateWeights, Route
from workbench.gate.signal_options import SignalOptions
from workbench.relevance.scores import Scope

from .made_previews import made
from .made_profiles import profile

WEIGHTS = GateWeights(0.5, 0.3, 0.2)
GATE = ReadGate(WEIGHTS, GateThresholds(native=0.0, force=0.2))
QUESTION = "When is the pump serviced?"
unit = st.floats(0.0, 1.0)


def test_a_gate_has_no_default_numbers() -> None:
    with pytest.raises(TypeError, match="missing 2 required positional arguments: 'weights' and 'thresholds'"):
        ReadGate()  # type: ignore[call-arg]
    with pytest.raises(InvalidOption, match=r"weights of the gate is None; give an object of GateWeights."):
        ReadGate(None, GateThresholds(0, 1))  # type: ignore[arg-type]


def test_one_place_in_a_long_document_is_read_sparsely() -> None:
    found = GATE.decide(made(), QUESTION)
    s, c, r = found.signals.as_array().tolist()
    assert found.route is Route.FORCE
    assert found.margin == 0.5 * s - 0.3 * c - 0.2 * r
    assert found.constraint is None
    assert (found.to_force, found.to_native) == (0.0, found.margin)


def test_all_of_a_long_document_is_read_natively_by_the_margin() -> None:
    found = GATE.decide(made(), QUESTION, scope="whole")
    assert found.route is Route.NATIVE
    assert found.constraint is None
    assert found.to_force == pytest.approx(0.2 - found.margin)
    assert found.to_native == 0.0


def test_between_the_thresholds_the_agent_chooses() -> None:
    margin = GATE.decide(made(), QUESTION).margin
    found = ReadGate(WEIGHTS, GateThresholds(margin - 0.1, margin + 0.1)).decide(made(), QUESTION)
    assert found.route is Route.ADVISORY
    assert (found.to_force, found.to_native) == pytest.approx((0.1, 0.1))


def test_a_margin_on_a_threshold_is_force_or_native() -> None:
    margin = GATE.decide(made(), QUESTION).margin
    on_force = ReadGate(WEIGHTS, GateThresholds(margin - 1, margin))
    on_native = ReadGate(WEIGHTS, GateThresholds(margin, margin + 1))
    assert on_force.decide(made(), QUESTION).route is Route.FORCE
    assert on_native.decide(made(), QUESTION).route is Route.NATIVE


def test_a_constraint_is_native_whatever_the_thresholds() -> None:
    always = ReadGate(WEIGHTS, GateThresholds(-math.inf, -1.0))
    found = always.decide(made(300), QUESTION)
    assert found.route is Route.NATIVE
    assert found.constraint is not None and found.constraint.name == "small_file"
    assert math.isnan(found.margin)
    assert math.isfinite(found.free_margin)
    assert (found.to_force, found.to_native) == (math.inf, 0.0)
    assert repr(found).startswith("GateDecision(native, constraint small_file, Signals(s=0.000, c=1.000")


def test_an_intent_is_taken_as_it_is_and_a_scope_wins_over_it() -> None:
    intent = Intent(QUESTION, Scope.SEVERAL, reasons=("Because.",))
    assert GATE.decide(made(), intent).intent is intent
    found = GATE.decide(made(), intent, scope="point").intent
    assert found.scope is Scope.POINT
    assert found.reasons == ("Because.", "The caller says that the scope is point.")
    with pytest.raises(InvalidOption, match=r"scope is 'page'; give one of point, several, aggregate, whole."):
        GATE.decide(made(), intent, scope="page")


@pytest.mark.parametrize(
    ("name", "question"), [("harbor-manual.md", "What triggers a backup?"), ("差旅制度.txt", "住宿标准？")]
)
def test_a_path_a_document_and_its_preview_are_decided_alike(sample_dir: Path, name: str, question: str) -> None:
    document = open_document(sample_dir / name)
    by_path = GATE.decide(sample_dir / name, question)
    by_document = GATE.decide(document, question)
    assert by_path.route is by_document.route is GATE.decide(by_document.preview, question).route is Route.NATIVE
    assert by_path.to_dict() == by_document.to_dict()


def test_what_is_no_artifact_or_no_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"The artifact is of type int; give a preview, a document or a path."):
        GATE.decide(5, QUESTION)  # type: ignore[arg-type]
    with pytest.raises(FileMissing):
        GATE.decide(tmp_path / "none.pdf", QUESTION)
    with pytest.raises(InvalidQuestion, match="The question is empty"):
        GATE.decide(made(), "  ")


@pytest.mark.parametrize(
    ("tokens", "intent"),
    [
        (900, Intent(QUESTION)),
        (6_000, Intent(QUESTION)),
        (40_000, Intent(QUESTION, Scope.SEVERAL)),
        (40_000, Intent(QUESTION, Scope.AGGREGATE)),
        (40_000, Intent("What does the compressor cost?", Scope.WHOLE)),
        (40_000, Intent("抄写第四条", action=Action.COPY)),
        (400_000, Intent("水泵多久保养一次？")),
    ],
)
def test_one_request_is_decided_as_it_is_among_many(tokens: int, intent: Intent) -> None:
    found = GATE.decide(made(tokens), intent)
    signals = np.vstack([np.random.default_rng(0).random((50, 3)), found.signals.as_array()])
    names = [""] * 50 + [found.constraint.name if found.constraint else ""]
    assert ROUTES[GATE.decide_all(signals, names)[-1]] is found.route


def test_a_million_requests_are_decided_at_once() -> None:
    signals = np.random.default_rng(0).random((1_000_000, 3))
    held = signals[:, 0] < 0.1
    codes = GATE.decide_all(signals, held)
    assert codes.dtype == np.uint8 and codes.shape == (1_000_000,)
    assert not codes[held].any()
    margins = 0.5 * signals[:, 0] - 0.3 * signals[:, 1] - 0.2 * signals[:, 2]
    assert (codes[~held] == np.where(margins >= 0.2, 2, np.where(margins <= 0.0, 0, 1))[~held]).all()


@settings(deadline=None)
@given(st.lists(st.tuples(unit, unit, unit), max_size=20), st.floats(-1, 0.9), st.floats(0.001, 1))
def test_more_exposure_and_less_cost_and_risk_never_weaken_the_route(
    rows: list[tuple[float, float, float]], native: float, gap: float
) -> None:
    gate = ReadGate(WEIGHTS, GateThresholds(native, native + gap))
    signals = np.array(rows).reshape(-1, 3)
    better = np.clip(signals + np.array([0.1, -0.1, -0.1]), 0, 1)
    assert (gate.decide_all(better) >= gate.decide_all(signals)).all()


@pytest.mark.parametrize(
    "constraints", [["", "small_file"], [False, True], np.array([None, "x"], object), np.array([math.nan, "x"], object)]
)
def test_constraints_are_names_or_yes_and_no(constraints: Any) -> None:
    best = [[1.0, 0.0, 0.0]] * 2
    assert GATE.decide_all(best, constraints).tolist() == [2, 0]
    assert GATE.decide_all(best).tolist() == [2, 2]


def test_constraints_that_do_not_fit_are_refused() -> None:
    best = [[1.0, 0.0, 0.0]] * 2
    with pytest.raises(InvalidOption, match=r"constraints of the shape \(1,\) for 2 requests; give one each."):
        GATE.decide_all(best, [""])
    with pytest.raises(InvalidOption, match=r"The constraints are of type int64; give names, or whether there is one."):
        GATE.decide_all(best, [0, 1])
    with pytest.raises(InvalidOption, match="Signal r of row 1 is nan"):
        GATE.decide_all([[0, 0, 0], [0, 0, math.nan]])


def test_a_gate_comes_back_from_its_profile_and_decides_as_before(tmp_path: Path) -> None:
    options = SignalOptions(least_tokens=500, share=0.1)
    weights = GateWeights(0.37, 0.29, 0.11)
    saved = profile(gate__weights=weights.to_dict(), gate__options=options.to_dict())
    gate = ReadGate.from_profile(saved.save(tmp_path / "gate.json"))
    assert (gate.weights, gate.options, gate.profile) == (weights, options, saved)
    assert gate.thresholds == GateThresholds(-0.1, 0.2)
    direct = ReadGate(weights, GateThresholds(-0.1, 0.2), options=options)
    for tokens in (900, 4_000, 6_000, 40_000):
        assert gate.decide(made(tokens), QUESTION).to_dict() == direct.decide(made(tokens), QUESTION).to_dict()
    assert ReadGate.from_profile(saved).weights == gate.weights


def test_a_profile_with_unknown_options_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"has no 'sharp'; the nearest is 'share'."):
        ReadGate.from_profile(profile(gate__options={"sharp": 0.2}))


def test_decisions_and_gates_show_themselves_and_interpret_nothing() -> None:
    found = GATE.decide(made(name="<img src=x>\x1b[31m.pdf"), Intent("<script>alert(1)</script> $5 to $9"))
    assert repr(GATE) == (
        "ReadGate(exposure 0.500, cost 0.300, risk 0.200; force from +0.2000, native up to +0.0000, advisory between)"
    )
    for page in (found._repr_html_(), GATE._repr_html_()):
        assert "<script" not in page and "<img" not in page and "\x1b" not in page
        assert "mathjax_ignore" in page
    assert "\x1b" not in repr(found)


def test_a_decision_is_a_row_and_plain_data() -> None:
    found = GATE.decide(made(300), "What about \ud800?")
    frame = found.to_frame()
    assert frame.shape == (1, 13)
    assert frame.loc[0, ["route", "constraint", "tokens"]].tolist() == ["native", "small_file", 300]
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (data["margin"], data["to_force"], data["constraint"]["name"]) == (None, None, "small_file")


def test_every_public_name_of_the_gate_can_be_had() -> None:
    assert {name for name in public.__all__ if getattr(public, name, None) is None} == set()
    assert dir(public) == sorted(public.__all__)
    assert public.GateDecision is GateDecision
    with pytest.raises(AttributeError, match=r"module 'workbench.gate' has no attribute 'Gate'"):
        public.Gate  # noqa: B018


def test_a_gate_loads_neither_pydantic_nor_a_model() -> None:
    statements = (
        "import sys, workbench.gate as gate; assert 'numpy' not in sys.modules; gate.ReadGate; "
        "print(sorted({'pydantic', 'pandas', 'torch', 'bm25s', 'spacy', 'quicktok', 'regex'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", statements], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
