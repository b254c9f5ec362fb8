"""The table of requests as a widget: filters, and the same rule as the gate's."""

from __future__ import annotations

import pytest

from tests.calibration.made import workload
from workbench.calibration import Rule, calibrate
from workbench.errors import InvalidOption
from workbench.gate.margin import GateThresholds, GateWeights
from workbench.widgets.gate_view import GateView
from workbench.widgets.workload_table import ORDERS, WorkloadTable

RULE = Rule(GateWeights(0.4, 0.3, 0.3), GateThresholds(native=0.0, force=0.2))


def test_it_holds_what_the_gate_holds() -> None:
    outcomes = workload(40, 5)
    gate, requests = GateView(outcomes, RULE), WorkloadTable(outcomes, RULE)
    for name in ("signals", "native_tokens", "names", "groups", "group_names", "weights", "native", "allowed"):
        assert getattr(gate, name) == getattr(requests, name)


def test_filters_are_kept() -> None:
    found = WorkloadTable(workload(40, 5), RULE)
    found.act("filter", text="合同", route="force", wrong=True, order="regret", falling=True)
    assert found.filters == {
        "text": "合同",
        "route": "force",
        "group": "",
        "wrong": True,
        "lost": False,
        "order": "regret",
        "falling": True,
    }
    found.act("filter")
    assert not any(found.filters.values())


def test_unknown_filters_are_refused_with_those_that_are_known() -> None:
    found = WorkloadTable(workload(40, 5), RULE)
    with pytest.raises(InvalidOption, match=r"route is 'forced'; choose from native, advisory, force, or give none\."):
        found.act("filter", route="forced")
    with pytest.raises(InvalidOption, match=r"order is 'size'; choose from request, group, route, b, s, c, r, tokens"):
        found.act("filter", order="size")
    assert found.filters == {}
    assert ORDERS[0] == ""


def test_a_request_is_opened_by_its_id() -> None:
    found = WorkloadTable(workload(40, 5), RULE)
    told: list[str] = []
    found.on_open(told.append)
    found.act("open", request="r00007")
    assert told == ["r00007"]
    with pytest.raises(InvalidOption, match="There is no request 'r99'"):
        found.act("open", request="r99")


def test_another_calibration_sends_the_requests_again_only_where_they_differ() -> None:
    first = calibrate(workload(60, 6), draws=50)
    found = WorkloadTable(first)
    found.result = first
    assert (found.sequence, found.outcomes_sequence) == (1, 0)
    found.result = calibrate(workload(30, 6), draws=50)
    assert (found.sequence, found.outcomes_sequence) == (2, 1)
    assert len(found.free) == 30


def test_without_outcomes_there_are_no_rows() -> None:
    found = WorkloadTable(None, language="zh")
    assert (found.free, found.filters) == (b"", {})
    assert found.words["table.empty"].startswith("还没有结果")
