"""The gate and the table of requests in Chromium: the same numbers as the kernel, and what a person does with them."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.calibration.made import table, workload
from workbench.calibration import Rule, calibrate
from workbench.calibration.hand_set import confusion, judged, judged_on, tuned_on, wrong_routes
from workbench.gate.margin import GateThresholds, GateWeights
from workbench.widgets.gate_data import LIVE_DRAWS, decision_of, outcome_data, rule_data
from workbench.widgets.gate_view import GateView
from workbench.widgets.scripts import script_of
from workbench.widgets.workload_table import WorkloadTable
from workbench.workspace.operations import Operation

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

RULE = Rule(GateWeights(0.4, 0.3, 0.3), GateThresholds(native=0.0, force=0.2))
HOSTILE = "<img src=x onerror=\"document.title='run'\"> $5 to $9 \u202eright to left\u202c 🙂 \x00 <b>bold</b>"

ON_EVERY_RULE = """({ state, rules }) => {
  const { GateState, flipsOf } = globalThis.sparsereadParts;
  const viewOf = text => new DataView(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);
  const values = Object.fromEntries(Object.entries(state).map(
    ([name, value]) => [name, value && value.bytes !== undefined ? viewOf(value.bytes) : value]));
  const gate = new GateState({ get: name => values[name] });
  return rules.map(({ weights, native, force, tolerance }) => {
    gate.tolerance = tolerance;
    gate.move({ weights, native, force });
    const places = [...gate.routes.keys()];
    return { weights: gate.rule.weights, margins: [...gate.margins], routes: [...gate.routes], oracle: [...gate.oracle],
      wrong: places.map(i => gate.wrong(i)), totals: gate.totals,
      flips: places.slice(0, 8).map(i => flipsOf(gate.signals(i), gate.rule, gate.outcomes.free[i])) };
  });
}"""


@pytest.fixture(scope="module")
def parts(browser: Browser) -> Page:
    """A page without Jupyter in which the arithmetic of the gate can be called."""
    page = browser.new_page()
    scripts = [script_of(name).rpartition("export default")[0] for name in ("gate_state", "gate_flips")]
    names = "GateState: $$gate_state.GateState, flipsOf"
    given = f"{scripts[0]}\nconst flipsOf = (() => {{ {scripts[1]} return $$gate_flips.flipsOf; }})();"
    page.add_script_tag(content=f"{given}\nglobalThis.sparsereadParts = {{ {names} }};", type="module")
    page.wait_for_function("globalThis.sparsereadParts !== undefined")
    return page


def rules_of(count: int) -> list[dict[str, Any]]:
    random = np.random.default_rng(5)
    found = []
    for _ in range(count):
        native = float(random.uniform(-0.6, 0.5))
        weights = [float(weight) for weight in random.uniform(0.01, random.choice([1.0, 30.0]), 3)]
        width = float(random.choice([0.0005, 0.1, 0.4]))
        found.append({"weights": weights, "native": native, "force": native + width, "tolerance": 0.02})
    return [*found, {"weights": [1, 1, 1], "native": 1.0, "force": 2.0, "tolerance": 0.0}]


def tied() -> pd.DataFrame:
    """Margins that are exactly the thresholds, and losses that the oracle takes in part."""
    random = np.random.default_rng(1)
    signals = np.round(random.random((80, 3)), 1)
    return table(
        signals,
        np.round(random.uniform(100, 3000, 80)),
        np.round(random.uniform(100, 3000, 80)),
        np.round(random.random(80), 1) * (random.random(80) < 0.4),
        documents=[f"d{place % 9}" for place in range(80)],
        advisory_sparse=np.round(random.random(80), 2),
    )


@pytest.mark.parametrize(
    "outcomes",
    [workload(300, 25, 1), tied(), workload(40, 1, 2), workload(1, 1, 3), workload(700, 600, 4)],
    ids=["many documents", "ties", "one document", "one request", "more documents than a browser draws"],
)
def test_the_browser_says_of_every_rule_what_the_kernel_says(parts: Page, outcomes: pd.DataFrame) -> None:
    kept, _ = tuned_on(outcomes)
    state = {**outcome_data(kept, {}), **rule_data(judged_on(kept, RULE.weights, RULE.thresholds, draws=20))}
    sent = {
        name: {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
        for name, value in state.items()
    }
    rules = rules_of(12)
    found = parts.evaluate(ON_EVERY_RULE, {"state": sent, "rules": rules})
    for rule, said in zip(rules, found, strict=True):
        weights = GateWeights(*rule["weights"])
        thresholds = GateThresholds(rule["native"], rule["force"])
        expected = judged_on(kept, weights, thresholds, tolerance=rule["tolerance"], draws=LIVE_DRAWS)
        assert said["weights"] == list(weights)
        assert said["margins"] == expected.margins.tolist()
        assert said["routes"] == expected.inside.routes.tolist()
        np.testing.assert_allclose(np.array(said["oracle"]) * kept.gain, expected.oracle, atol=1e-6)
        assert said["wrong"] == wrong_routes(expected).tolist()
        counts = confusion(expected)
        assert said["totals"]["counts"] == {route: counts.loc[route].tolist() for route in counts.index}
        for name, key in (
            ("token reduction", "reduction"),
            ("quality loss", "loss"),
            ("regret", "regret"),
            ("regret share", "regretShare"),
        ):
            figure, shown = expected.figure(name), said["totals"][key]
            assert shown["level"] == pytest.approx(figure.level, abs=1e-7)
            if kept.documents <= 500 and figure.low is not None:
                assert (shown["low"], shown["high"]) == pytest.approx((figure.low, figure.high), abs=1e-7)
            assert (shown["low"] is None) == (figure.low is None)
        for place, flips in enumerate(said["flips"]):
            told = decision_of(expected, place, "").explain().flips
            assert [(flip["signal"], flip["route"], flip["side"]) for flip in flips] == [
                (flip.signal, flip.route.value, flip.side) for flip in told
            ]
            for flip, truth in zip(flips, told, strict=True):
                if truth.possible:
                    assert flip["value"] == truth.value
                    assert f" {truth.side} {flip['shown']}; it is {flip['now']}." in truth.words


def test_one_weight_moves_the_others_and_the_kernel_confirms(browser: Browser, guard: jupyter.Guard) -> None:
    view = GateView(workload(200, 20), RULE, with_plotly=False)
    with bare_page(browser, view, guard=guard, live=True) as page:
        sliders = page.locator(".sr-gate-slider input[type=range]")
        sliders.nth(0).focus()
        for _ in range(10):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('.sr-gate-basis').dataset.confirmed === 'true'")
        settle(page)
        assert view.weights == [0.41, 0.295, 0.295]
        assert numbers(page) == ["0.41", "0.295", "0.295", "0", "0.2", "0.01"]
        assert "GateWeights(0.41, 0.295, 0.295)" in page.locator(".sr-python-code").inner_text()
        assert "In sample: a rule set by hand on 200 requests about" in page.locator(".sr-gate-basis").inner_text()
        field = page.locator(".sr-gate-number").nth(3)
        field.fill("0.35")
        field.press("Enter")
        settle(page)
        assert (view.native, view.force) == (0.35, 0.351)
        field.fill("7")
        field.press("Enter")
        assert field.get_attribute("aria-invalid") == "true"
        assert view.native == 0.35
        tiles = page.locator(".sr-gate-tile").all_inner_texts()
        figure = next(found for found in view.figures if found["name"] == "token reduction")
        assert tiles[0].startswith(f"{100 * figure['level']:.1f} %".replace("-", "−"))
    assert guard.faults == []


NARROW = Rule(GateWeights(0.4, 0.3, 0.3), GateThresholds(native=-0.06, force=-0.05))


def test_a_number_has_a_true_minus_and_both_kinds_are_read(browser: Browser, guard: jupyter.Guard) -> None:
    view = GateView(workload(200, 20), NARROW, with_plotly=False)
    with bare_page(browser, view, guard=guard, live=True) as page:
        field = page.locator(".sr-gate-number").nth(3)
        expect(field).to_have_value("\u22120.06")
        assert field.get_attribute("inputmode") == "decimal"
        for typed, native in (("-0.1", -0.1), ("\u22120.2", -0.2)):
            field.fill(typed)
            field.press("Enter")
            settle(page)
            assert view.native == native
        field.fill("abc")
        field.press("Enter")
        assert field.get_attribute("aria-invalid") == "true"
    assert guard.faults == []


def test_the_first_look_is_near_the_thresholds_where_most_points_lie(browser: Browser, guard: jupyter.Guard) -> None:
    outcomes = workload(200, 20)
    near = outcomes.assign(s=0.05 + 0.1 * outcomes["s"], c=0.1 * outcomes["c"], r=0.1 * outcomes["r"])
    near.loc[:4, ["s", "c", "r"]] = [[0.0, 1.0, 1.0]] * 5
    rule = Rule(GateWeights(0.4, 0.3, 0.3), GateThresholds(native=0.0, force=0.01))
    for found, chosen in ((near, "near the thresholds"), (outcomes, "all points")):
        with bare_page(browser, GateView(found, rule, with_plotly=False), guard=guard) as page:
            expect(page.locator(".sr-gate-view-button[aria-pressed=true]")).to_have_text(chosen)
    assert guard.faults == []


@pytest.mark.parametrize(("tolerance", "words", "names"), [
    (0.0, "over 0.0 %", "sr-gate-over"), (None, "allowed", "sr-gate-perhaps"), (1.0, "within 100.0 %", ""),
])  # fmt: skip
def test_lost_quality_is_over_the_tolerance_only_where_its_whole_interval_is(
    browser: Browser, guard: jupyter.Guard, tolerance: float | None, words: str, names: str
) -> None:
    outcomes = workload(200, 20)
    always = Rule(GateWeights(0.4, 0.3, 0.3), GateThresholds(native=-2.0, force=-1.9))
    loss = next(figure for figure in GateView(outcomes, always).figures if figure["name"] == "quality loss")
    assert 0 < loss["low"] < loss["level"]
    view = GateView(outcomes, always, tolerance=(loss["low"] + loss["level"]) / 2 if tolerance is None else tolerance)
    with bare_page(browser, view, guard=guard) as page:
        tile = page.locator("[data-tile=lost]")
        expect(tile).to_contain_text(words)
        assert (tile.get_attribute("class") or "").split()[1:] == names.split()
    assert guard.faults == []


HELD = """async ([slider, presses]) => {
  const range = document.querySelectorAll('.sr-gate-slider input[type=range]')[slider];
  range.focus();
  const seen = [];
  for (let n = 0; n < presses; n += 1) {
    range.stepDown();
    range.dispatchEvent(new Event('input', { bubbles: true }));
    range.dispatchEvent(new Event('change', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 33));
    seen.push(range.value);
  }
  return seen.map(Number);
}"""


def test_a_held_key_moves_a_slider_all_the_way_however_slow_the_kernel_is(
    browser: Browser, guard: jupyter.Guard
) -> None:
    view = GateView(workload(60, 8), RULE, with_plotly=False)
    taken: list[str] = []

    class Slow:
        def take(self, operation: Operation) -> None:
            time.sleep(0.1)
            view.do(operation)
            taken.append(operation.kind)

    view.controller = Slow()
    with bare_page(browser, view, guard=guard, live=True) as page:
        seen = page.evaluate(HELD, [4, 20])
        assert seen == pytest.approx([0.2 - 0.001 * press for press in range(1, 21)])
        move(page, 5, "0.05", settled=True)
        page.wait_for_function("() => document.querySelector('.sr-gate-basis').dataset.confirmed === 'true'")
        assert (view.force, view.tolerance) == (0.18, 0.05)
        assert len(taken) < 8
        assert numbers(page)[4:] == ["0.18", "0.05"]
    assert guard.faults == []


def test_the_picture_moves_without_the_kernel_in_chinese(browser: Browser, guard: jupyter.Guard) -> None:
    view = GateView(calibrate(workload(120, 12), draws=50), language="zh")
    with bare_page(browser, view, guard=guard, theme="dark") as page:
        assert (
            page.locator(".sr-gate-basis").inner_text().startswith("样本外：12 个文档上的 120 个请求（按文档分 5 折）")
        )
        before = page.locator(".sr-gate-tile").nth(3).inner_text()
        move(page, 4, "-0.9")
        page.wait_for_function(
            "before => document.querySelectorAll('.sr-gate-tile')[3].innerText !== before", arg=before
        )
        assert page.locator(".sr-gate-basis").inner_text().startswith("样本内，随滑块变化")
        assert page.locator("section:has(> .sr-gate-buttons)").is_hidden()
    assert guard.faults == []


def test_legend_keys_and_points_choose_requests(browser: Browser, guard: jupyter.Guard) -> None:
    outcomes = workload(60, 8)
    view = GateView(outcomes, RULE, with_plotly=False)
    with bare_page(browser, view, guard=guard, live=True) as page:
        page.locator("[data-widget=gate_view]").focus()
        page.keyboard.press("r")
        settle(page)
        regret = judged(outcomes, RULE.weights, RULE.thresholds).frame.set_index("request")["regret"]
        assert regret[view.selected] == pytest.approx(regret.max())
        card = page.locator(".sr-gate-request")
        assert "oracle's route" in card.inner_text()
        ring = page.locator(".sr-gate-ring").bounding_box()
        assert ring is not None
        page.keyboard.press("Escape")
        settle(page)
        assert view.selected == ""
        page.mouse.click(ring["x"] + 9, ring["y"] + 9)
        settle(page)
        assert view.selected != ""
        page.keyboard.press("Enter")
        chips = page.locator(".sr-gate-legend-groups .sr-gate-chip")
        assert chips.count() == 4
        chips.first.click()
        assert chips.first.get_attribute("aria-pressed") == "false"
        chips.first.click(modifiers=["Shift"])
        assert [chip.get_attribute("aria-pressed") for chip in chips.all()] == ["true", "false", "false", "false"]
        settle(page)
        assert view.opened == view.selected
    assert guard.faults == []


def test_calibrate_runs_from_its_button_and_a_refusal_is_shown(browser: Browser, guard: jupyter.Guard) -> None:
    view = GateView(workload(120, 12), RULE, with_plotly=False)
    with bare_page(browser, view, guard=guard, live=True) as page:
        page.get_by_role("button", name="Calibrate", exact=True).click()
        page.get_by_text("Out of sample: 120 requests on 12 documents").wait_for()
        assert view.by_hand is False
        page.get_by_role("button", name="Export profile…").click()
        page.get_by_role("button", name="Export", exact=True).click()
        fault = page.locator(".sr-fault p")
        fault.wait_for()
        assert "The outcomes do not say which reader made them" in fault.inner_text()
    assert guard.faults == []


@pytest.mark.parametrize(
    "outcomes", [None, workload(1, 1), workload(30, 1)], ids=["none", "one request", "one document"]
)
def test_little_is_shown_as_little(browser: Browser, guard: jupyter.Guard, outcomes: pd.DataFrame | None) -> None:
    with bare_page(browser, GateView(outcomes), guard=guard) as page:
        said = page.locator(".sr-gate-basis").inner_text()
        assert ("There are no outcomes yet." if outcomes is None else "One document: no interval") in said
    with bare_page(browser, WorkloadTable(outcomes), guard=guard) as page:
        rows = 0 if outcomes is None else len(outcomes)
        assert page.locator(".sr-table-count").inner_text() == f"{rows} of {rows} requests"
    assert guard.faults == []


def test_texts_of_documents_are_shown_and_never_run(browser: Browser, guard: jupyter.Guard) -> None:
    outcomes = workload(20, 4)
    outcomes["request"] = [f"{HOSTILE} {place}" for place in range(20)]
    outcomes["document"] = [f"{HOSTILE} {place % 4}" for place in range(20)]
    outcomes["scenario"] = HOSTILE
    for widget in (GateView(outcomes, RULE), WorkloadTable(outcomes, RULE)):
        with bare_page(browser, widget, guard=guard) as page:
            page.locator("[data-widget]").focus()
            page.keyboard.press("j")
            page.wait_for_timeout(200)
            assert (
                page.locator("[data-widget] img, [data-widget] b:has-text('bold'):not(.sr-table-wrong) b").count() == 0
            )
            assert page.title() != "run"
            assert "$5 to $9" in page.locator("[data-widget]").inner_text()
    assert guard.faults == []


def test_requests_are_filtered_sorted_and_walked(browser: Browser, guard: jupyter.Guard) -> None:
    outcomes = workload(5000, 300)
    view = WorkloadTable(outcomes, RULE)
    frame = judged(outcomes, RULE.weights, RULE.thresholds, draws=50).frame
    wrong = wrong_routes(judged(outcomes, RULE.weights, RULE.thresholds, draws=50))
    with bare_page(browser, view, guard=guard, live=True) as page:
        counted = page.locator(".sr-table-count")
        assert counted.inner_text() == "5,000 of 5,000 requests"
        assert page.locator(".sr-table-space .sr-table-row").count() < 40
        page.get_by_role("button", name="wrong route").click()
        assert counted.inner_text() == f"{int(wrong.sum()):,} of 5,000 requests"
        page.get_by_role("button", name="wrong route").click()
        page.get_by_label("any route").select_option("advisory")
        assert counted.inner_text() == f"{int((frame['route'] == 'advisory').sum()):,} of 5,000 requests"
        page.get_by_label("any route").select_option("")
        page.get_by_role("button", name="regret", exact=True).click()
        first = page.locator(".sr-table-space .sr-table-row").first.locator("[data-column=regret]")
        expect(first).to_have_text(f"{np.floor(frame['regret'].max() + 0.5):,.0f}")
        assert page.locator("[data-column=regret][role=columnheader]").get_attribute("aria-sort") == "descending"
        page.locator("[data-widget]").focus()
        page.keyboard.press("r")
        page.wait_for_timeout(600)
        assert frame.set_index("request")["regret"][view.selected] == frame["regret"].max()
        assert view.filters["order"] == "regret"
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        settle(page)
        assert view.opened == view.selected
        page.get_by_role("searchbox").fill("r04999")
        assert counted.inner_text() == "1 of 5,000 requests"
        page.keyboard.press("Escape")
        assert counted.inner_text() == "5,000 of 5,000 requests"
    assert guard.faults == []


def test_in_jupyterlab_routes_of_the_table_change_while_a_slider_moves(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    cells = [
        "import workbench as wb",
        "from workbench.workload.replay import load_outcomes\n"
        "from workbench.resources import datasets_dir\n"
        "folder = datasets_dir() / 'dev'\n"
        "outcomes = load_outcomes(folder / 'outcomes.parquet')",
        "from workbench.widgets import GateView, WorkloadTable, link\n"
        "profile = wb.GateProfile.load(folder / 'gate.json')\n"
        "work = wb.load_workload(folder)\n"
        "gate = GateView(outcomes, profile, workload=work)\n"
        "requests = WorkloadTable(outcomes, profile, workload=work)\n"
        "link(gate, requests)\n"
        "display(gate, requests)",
    ]
    assert jupyter.run_cells(page, lab, "gate", cells) == []
    page.wait_for_function("() => document.querySelector('.sr-gate-plotly .plot-container') !== null")
    routes = "() => [...document.querySelectorAll('.sr-table-space [data-column=route]')].map(cell => cell.innerText)"
    before = page.evaluate(routes)
    move(page, 4, "-0.99", settled=False)
    page.wait_for_function(f"before => JSON.stringify(({routes})()) !== before", arg=json_of(before))
    page.evaluate("() => document.querySelectorAll('.sr-gate-slider input')[8].dispatchEvent(new Event('change'))")
    page.wait_for_function("() => document.querySelector('.sr-gate-basis').dataset.confirmed === 'true'")
    assert jupyter.in_kernel(page, "gate.force") == -0.99
    page.locator(".sr-table-space .sr-table-row").nth(2).click()
    page.wait_for_function("() => !document.querySelector('.sr-gate-ring').hidden")
    page.wait_for_timeout(500)
    page.screenshot(path=pictures / "gate-in-jupyterlab.png")
    assert jupyter.in_kernel(page, "gate.selected == requests.selected != ''")
    assert guard.faults == []
    assert jupyter.errors_of(page) == []


def move(page: Page, slider: int, value: str, *, settled: bool = False) -> None:
    page.evaluate(
        """([slider, value, settled]) => {
          const range = document.querySelectorAll('.sr-gate-slider input[type=range]')[slider];
          range.value = value;
          range.dispatchEvent(new Event('input', { bubbles: true }));
          if (settled) range.dispatchEvent(new Event('change', { bubbles: true }));
        }""",
        [slider, value, settled],
    )


def numbers(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator(".sr-gate-number").all()]


def settle(page: Page) -> None:
    """Wait until the kernel of a page has answered what was said to it."""
    page.wait_for_timeout(300)


def json_of(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
