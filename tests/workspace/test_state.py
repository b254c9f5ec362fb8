"""What operations add up to, and that each can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidOption, InvalidRules, WorkbenchError
from workbench.workspace import Operation
from workbench.workspace.state import BenchState, CutChoice, after

from .made import TABLE, beginning


def done(state: BenchState, *operations: tuple[str, dict[str, Any]]) -> BenchState:
    for kind, values in operations:
        state = after(state, Operation(kind, values))
    return state


def refused(kind: str, /, **values: Any) -> str:
    state = beginning()
    with pytest.raises(WorkbenchError) as caught:
        after(state, Operation(kind, values))
    assert state == beginning()
    return str(caught.value)


def test_a_cut_an_offset_a_budget_and_a_weight_are_remembered() -> None:
    state = done(
        beginning(),
        ("set_cut", {"kind": "threshold", "value": 0.68}),
        ("set_offset", {"document_type": "legal", "value": -0.02}),
        ("set_budget", {"tokens": 2000}),
        ("edit_rules", {"table": "*", "edit": {"do": "set", "rule": "titles", "field": "weight", "value": 3}}),
    )
    tuned = state.tuned
    assert (tuned.cut, dict(tuned.offsets), tuned.budget) == (CutChoice("threshold", 0.68), {"legal": -0.02}, 2000)
    assert tuned.book.tables["*"].rule("titles").weight == 3.0
    assert TABLE.rule("titles").weight == 2.0


def test_an_edit_touches_the_table_that_it_names_and_no_other() -> None:
    edit = {"do": "set", "rule": "money", "field": "weight", "value": 4}
    state = done(beginning(), ("edit_rules", {"table": "legal", "edit": edit}))
    assert state.tuned.tables["legal"].rule("money").weight == 4.0
    assert state.tuned.tables["*"] is TABLE


def test_an_offset_of_nothing_is_none() -> None:
    state = done(
        beginning(),
        ("set_offset", {"document_type": "legal", "value": 0.05}),
        ("set_offset", {"document_type": "legal", "value": 0}),
    )
    assert dict(state.tuned.offsets) == {}


def test_weights_are_scaled_and_set_by_hand_and_a_calibration_is_said_to_be_one() -> None:
    state = done(beginning(), ("set_weights", {"exposure": 2, "cost": 1, "risk": 1}))
    assert (state.tuned.rule.weights.exposure, state.tuned.origin) == (0.5, "hand")
    state = done(state, ("set_gate", {"native": -0.1, "force": 0.2}))
    assert (state.tuned.rule.thresholds.force, state.tuned.rule.weights.exposure) == (0.2, 0.5)
    found = {"weights": {"exposure": 0.2, "cost": 0.3, "risk": 0.5}, "thresholds": {"native": 0.0, "force": 0.1}}
    state = done(state, ("calibrated", found))
    assert (state.tuned.rule.weights.to_dict(), state.tuned.origin) == (found["weights"], "calibrated")


def test_undo_and_redo_walk_through_what_was_tuned_and_leave_the_view_alone() -> None:
    state = done(
        beginning(),
        ("set_cut", {"kind": "share", "value": 0.1}),
        ("show", {"tab": "tune"}),
        ("set_cut", {"kind": "share", "value": 0.4}),
        ("undo", {}),
    )
    assert (state.tuned.cut, state.tab) == (CutChoice("share", 0.1), "tune")
    assert state.redoable is not None
    assert state.redoable.values["value"] == 0.4
    state = done(state, ("undo", {}))
    assert state.tuned.cut is None
    with pytest.raises(InvalidOption, match=r"^There is nothing to undo\.$"):
        done(state, ("undo", {}))
    state = done(state, ("redo", {}), ("redo", {}))
    assert state.tuned.cut == CutChoice("share", 0.4)
    with pytest.raises(InvalidOption, match=r"^There is nothing to do again\.$"):
        done(state, ("redo", {}))


def test_what_is_tuned_after_an_undo_takes_the_place_of_what_was_undone() -> None:
    state = done(
        beginning(),
        ("set_budget", {"tokens": 10}),
        ("undo", {}),
        ("set_budget", {"tokens": 20}),
    )
    assert state.future is None
    assert done(state, ("undo", {})).tuned.budget is None


def test_what_changes_nothing_is_no_step() -> None:
    state = done(beginning(), ("set_budget", {"tokens": 10}), ("set_budget", {"tokens": 10}), ("undo", {}))
    assert state.tuned.budget is None


def test_opening_takes_the_pin_away_and_a_question_leads_away_from_the_request() -> None:
    state = done(beginning(), ("open", {"request": "rent", "show": "tune"}), ("pin", {"block": 3}))
    assert (state.request, state.tab, state.pinned) == ("rent", "tune", 3)
    state = done(state, ("ask", {"question": "Who cleans?"}))
    assert (state.request, state.question, state.pinned) == ("rent", "Who cleans?", None)
    state = done(state, ("ask", {"question": "谁打扫？", "artifact": "住房.md"}))
    assert (state.request, state.artifact, state.question) == (None, "住房.md", "谁打扫？")
    assert done(state, ("open", {"request": "key"})).question == ""


def test_filters_add_up_and_none_takes_one_away() -> None:
    state = done(beginning(), ("filter", {"route": "force", "text": "键"}), ("filter", {"route": None}))
    assert dict(state.filters) == {"text": "键"}


def test_what_cannot_be_is_refused_in_words() -> None:
    assert refused("set_cut", kind="margin", value=0.1) == (
        "The kind of a cut is 'margin'; choose from threshold, share."
    )
    assert refused("set_cut", kind="threshold", value=1.5) == "threshold is 1.5; give a number from 0 to 1."
    assert refused("set_cut", kind="share", value=0) == "share is 0; give a number above 0 and at most 1."
    assert refused("set_cut", kind="share") == (
        "The operation set_cut takes kind, value: missing a required argument: 'value'."
    )
    assert refused("undo", far=True) == (
        "The operation undo takes no values: got an unexpected keyword argument 'far'."
    )
    assert refused("set_cuts") == "The bench knows no operation 'set_cuts'; the nearest is 'set_cut'."
    assert refused("set_budget", tokens=0) == "budget_tokens is 0; give a whole number of at least 1."
    assert refused("set_offset", document_type="legal", value=0.2) == (
        "offsets['legal'] is 0.2; give a number from -0.08 to 0.08."
    )
    assert refused("show", tab="home") == (
        "There is no tab 'home'; choose from read, tune, gate, compare, export, annotate."
    )
    assert refused("edit_rules", table="tax", edit={}) == (
        "There is no rule table for 'tax'; there are tables for *, legal."
    )
    assert refused("set_gate", native=0.3, force=0.2) == (
        "The threshold native is 0.3 and force 0.2; native must be below force."
    )
    assert refused("ask", question="What?") == (
        "Nothing is open that a question could be about; open a request, or name an artifact."
    )
    assert refused("open", request=" ") == "request is ' '; give a text."
    assert refused("pin", block=-1) == "block is -1; give the number of a block, or None."
    assert refused("calibrated", weights={"exposure": 1}, thresholds={}) == (
        "The operation calibrated needs weights (exposure, cost, risk) and thresholds (native, force)."
    )


def test_an_edit_that_the_loader_would_refuse_is_refused_and_names_the_cell() -> None:
    with pytest.raises(InvalidRules, match="titles") as caught:
        done(
            beginning(),
            ("edit_rules", {"table": "*", "edit": {"do": "set", "rule": "titles", "field": "weight", "value": 9}}),
        )
    assert getattr(caught.value, "field", None) == "weight"


TUNING = st.one_of(
    st.floats(0, 1).map(lambda value: ("set_cut", {"kind": "threshold", "value": value})),
    st.floats(0.01, 1).map(lambda value: ("set_cut", {"kind": "share", "value": value})),
    st.none().map(lambda _: ("set_budget", {"tokens": None})),
    st.integers(1, 9_000).map(lambda tokens: ("set_budget", {"tokens": tokens})),
    st.tuples(st.sampled_from(TABLE.names), st.floats(0.05, 5)).map(
        lambda pair: (
            "edit_rules",
            {"table": "*", "edit": {"do": "set", "rule": pair[0], "field": "weight", "value": pair[1]}},
        )
    ),
    st.tuples(st.sampled_from(TABLE.names), st.booleans()).map(
        lambda pair: (
            "edit_rules",
            {"table": "*", "edit": {"do": "set", "rule": pair[0], "field": "enabled", "value": pair[1]}},
        )
    ),
    st.tuples(*[st.floats(0.01, 1)] * 3).map(
        lambda three: ("set_weights", dict(zip(("exposure", "cost", "risk"), three, strict=True)))
    ),
    st.floats(-1, 0).map(lambda native: ("set_gate", {"native": native, "force": native + 0.25})),
)


@given(st.lists(TUNING, max_size=12))
def test_undoing_everything_leads_to_the_beginning_and_redoing_everything_back(
    operations: list[tuple[str, dict[str, Any]]],
) -> None:
    state = done(beginning(), *operations)
    back = state
    while back.past is not None:
        back = done(back, ("undo", {}))
    assert back.tuned == beginning().tuned
    while back.future is not None:
        back = done(back, ("redo", {}))
    assert back.tuned == state.tuned


def test_thousands_of_steps_can_be_printed_and_compared() -> None:
    state = beginning()
    for number in range(3_000):
        state = after(state, Operation("set_budget", {"tokens": 100 + number}))
    assert "Step(" not in repr(state)
    assert state == after(state, Operation("show", {"tab": "read"}))
    assert state != after(state, Operation("show", {"tab": "tune"}))
    assert "behind" not in repr(state.past)
