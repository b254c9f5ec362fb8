"""The call that the bench shows does what the click did."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.workspace import Jobs, Operation
from workbench.workspace.actions import Actions
from workbench.workspace.calls import call_of
from workbench.workspace.state import BenchState

from .made import beginning

SHOWN = [
    ("open", {"request": "rent"}, "bench.open('rent')"),
    ("open", {"request": "租金", "show": "tune"}, "bench.open('租金', show='tune')"),
    ("ask", {"question": "Who cleans?"}, "bench.ask('Who cleans?')"),
    ("ask", {"question": "谁？", "artifact": "住房.md"}, "bench.ask('谁？', '住房.md')"),
    ("set_cut", {"kind": "threshold", "value": 0.68}, "bench.set_threshold(0.68)"),
    ("set_cut", {"kind": "share", "value": 0.2}, "bench.set_share(0.2)"),
    ("set_offset", {"document_type": "legal", "value": -0.02}, "bench.set_offset('legal', -0.02)"),
    ("set_budget", {"tokens": None}, "bench.set_budget(None)"),
    ("set_weights", {"exposure": 0.5, "cost": 0.3, "risk": 0.2},
     "bench.set_weights(exposure=0.5, cost=0.3, risk=0.2)"),
    ("set_gate", {"native": -0.1, "force": 0.2}, "bench.set_gate(native=-0.1, force=0.2)"),
    ("set_tolerance", {"value": 0.02}, "bench.set_tolerance(0.02)"),
    ("compare", {"path": "other.json"}, "bench.compare('other.json')"),
    ("export_profile", {"path": "mine.json"}, "bench.export_profile('mine.json')"),
    ("export_profile", {"path": "mine.json", "name": "mine", "by": "ana"},
     "bench.export_profile('mine.json', name='mine', by='ana')"),
    ("save_rules", {"path": "house.yaml"}, "bench.save_rules('house.yaml')"),
    ("show", {"tab": "gate"}, "bench.show('gate')"),
    ("pin", {"block": 4}, "bench.pin(4)"),
    ("filter", {"route": "force"}, "bench.filter(route='force')"),
    ("cancel", {"job": "replay-1"}, "bench.cancel('replay-1')"),
    ("undo", {}, "bench.undo()"),
    ("redo", {}, "bench.redo()"),
    ("edit_rules", {"table": "*", "edit": {"do": "set", "rule": "titles", "field": "weight", "value": 3.0}},
     "bench.edit_rule('titles', weight=3.0)"),
    ("edit_rules", {"table": "legal", "edit": {"do": "set", "rule": "money", "field": "name", "value": "sums"}},
     "bench.edit_rule('money', name='sums', table='legal')"),
    ("edit_rules", {"table": "*", "edit": {"do": "duplicate", "rule": "titles"}}, "bench.duplicate_rule('titles')"),
    ("edit_rules", {"table": "*", "edit": {"do": "remove", "rule": "old"}}, "bench.remove_rule('old')"),
    ("edit_rules", {"table": "*", "edit": {"do": "move", "rule": "old", "before": None}},
     "bench.move_rule('old', before=None)"),
    ("edit_rules", {"table": "*", "edit": {"do": "add", "rule": {"name": "new", "match": {"kinds": ["table"]}}}},
     "bench.add_rule({'name': 'new', 'match': {'kinds': ['table']}})"),
]  # fmt: skip


class Heard(Actions):
    """A bench that only hears what it is asked to do."""

    def __init__(self) -> None:
        self.heard: list[Operation] = []
        self._state = beginning()
        self._opened = None
        self.jobs = Jobs(lambda: None)

    def take(self, operation: Operation, *, wait: bool = False) -> None:
        del wait
        self.heard.append(operation)

    @property
    def state(self) -> BenchState:
        return self._state


@pytest.mark.parametrize(("kind", "values", "shown"), SHOWN)
def test_a_call_reads_well_and_does_the_same(kind: str, values: dict[str, Any], shown: str) -> None:
    assert call_of(Operation(kind, values), table="*") == shown
    if kind == "compare":
        return
    bench = Heard()
    eval(shown, {"bench": bench})
    assert [(done.kind, done.values) for done in bench.heard] == [(kind, values)]


def test_calls_of_jobs_wait_for_nobody_to_be_read() -> None:
    assert call_of(Operation("calibrate")) == "bench.calibrate()"
    assert call_of(Operation("replay")) == "bench.replay()"
