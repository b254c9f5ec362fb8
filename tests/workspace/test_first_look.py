"""The request that a bench opens with: one that shows what sparse reading is for, and the same after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable

import pandas as pd
import pytest

from workbench.calibration.rules import Rule
from workbench.gate.margin import GateThresholds, GateWeights
from workbench.resources import datasets_dir
from workbench.workload import Workload, load_workload
from workbench.workspace import Bench
from workbench.workspace.beginning import first_request

from .made import house_in, words_alone

Benches = Callable[..., Bench]
RULE = Rule(GateWeights(1.0, 1.0, 1.0), GateThresholds(native=0.05, force=0.25))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return house_in(tmp_path_factory.mktemp("house"))


def outcomes_of(workload: Workload, **changed: dict[str, object]) -> pd.DataFrame:
    """Return outcomes in which every request is forced, and the first read sees everything, but for what is changed."""
    rows = []
    for request in workload:
        row = {"request": request.id, "document": request.document_key, "scenario": "long_document_qa", "s": 0.9,
               "c": 0.0, "r": 0.0, "constraint": "", "tokens_native": 9_000.0, "tokens_sparse": 900.0,
               "quality_native": 1.0, "quality_sparse": 1.0, "rounds": 1, "fell_back": False}  # fmt: skip
        rows.append(row | changed.get(request.id, {}))
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    "why_not",
    [{"s": 0.6}, {"constraint": "small_file"}, {"quality_sparse": 0.5}, {"rounds": 2}, {"fell_back": True}],
    ids=["advisory", "constrained", "evidence lost", "found by a later read", "read as a whole"],
)
def test_it_is_the_first_that_is_forced_and_read_well(house: Workload, why_not: dict[str, object]) -> None:
    assert first_request(house, outcomes_of(house), RULE) == "rent"
    assert first_request(house, outcomes_of(house, rent=why_not), RULE) == "key"
    english = dict.fromkeys(("rent", "key", "spare"), why_not)
    assert first_request(house, outcomes_of(house, **english), RULE) == "租金"


def test_a_request_without_evidence_shows_nothing_and_then_it_is_the_first(house: Workload) -> None:
    lost: dict[str, dict[str, object]] = {request.id: {"quality_sparse": 0.0} for request in house if request.evidence}
    assert [request.id for request in house if request.id not in lost] == ["pets"]
    assert first_request(house, outcomes_of(house, **lost), RULE) == "rent"


def test_without_outcomes_or_with_such_as_cannot_be_used_it_is_the_first(house: Workload) -> None:
    assert first_request(None, None, RULE) is None
    assert first_request(house, None, RULE) == "rent"
    assert first_request(house, outcomes_of(house).drop(columns="s"), RULE) == "rent"
    assert first_request(house, outcomes_of(house).iloc[:0], RULE) == "rent"
    others = outcomes_of(house).assign(request=[f"other-{row}" for row in range(len(house.requests))])
    assert first_request(house, others, RULE) == "rent"


def test_where_nothing_is_forced_it_is_the_first(benches: Benches, house: Workload) -> None:
    bench = benches(house, outcomes=outcomes_of(house, rent={"quality_sparse": 0.0}))
    assert bench.request is not None
    assert bench.request.id == "rent"


def test_the_bundled_workload_opens_where_all_evidence_is_kept_and_the_gate_forces(benches: Benches) -> None:
    dev = load_workload(datasets_dir() / "dev")
    bench = benches(dev, reader=words_alone())
    assert bench.state.request == "claim-file-03" != dev.requests[0].id
    assert bench.decision is not None
    assert bench.decision.route.value == "force"
    assert bench.operations == 0


def test_a_restart_opens_the_same_even_where_outcomes_have_come_since(benches: Benches) -> None:
    dev = load_workload(datasets_dir() / "dev")
    nothing_forced = outcomes_of(dev).assign(s=0.0)
    bench = benches(dev, reader=words_alone(), outcomes=nothing_forced)
    first = dev.requests[0].id
    assert bench.state.request == first
    bench.set_budget(700)
    bench.close()
    again = benches(dev, reader=words_alone())
    assert (again.state.request, again.budget) == (first, 700)


@pytest.mark.parametrize("said", [["rent"], 3, "gone", None], ids=str)
def test_a_journal_that_names_no_request_of_the_workload_keeps_nothing_from_opening(
    benches: Benches, house: Workload, said: object
) -> None:
    bench = benches(house)
    bench.set_budget(700)
    bench.close()
    path = bench.folder / "journal.jsonl"
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    for line in lines:
        if "began" in line:
            line["began"]["request"] = said
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
    again = benches(house)
    assert (again.state.request, again.budget) == ("rent", 700)
    assert again.request is not None
