"""The whole bench in JupyterLab, worked as a person would: what the page shows is what the kernel holds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from workbench.workload import load_workload

from . import jupyter

pytestmark = pytest.mark.browser

CELLS = (
    "import workbench as wb\nfrom workbench.widgets import Workbench",
    "reader = wb.SparseReader(scorer=None, token_share=0.3, min_tokens=0)\n"
    "bench = Workbench(wb.load_workload('own'), reader=reader, folder='{space}')\n"
    "bench",
)
DRAWN = "() => (document.querySelector('.sr-workbench')?.dataset.children ?? '').includes('document')"
REQUEST = "small-documents-01"
RULE = "measured-value"
WEIGHT = f"rule_table.rule('{RULE}').weight"
TOKENS_ARE_OTHERS = """before =>
  document.querySelector('.sr-threshold-tile[data-tile=tokens] .sr-threshold-value').textContent !== before"""


@pytest.fixture
def own(lab: jupyter.Server, project_dir: Path) -> Path:
    """A workload of three bundled documents, with the bundled outcomes, where the notebooks lie."""
    dev, folder = project_dir / "datasets" / "dev", lab.folder / "own"
    if not folder.exists():
        names = ["documents/harbor-manual.md", "documents/travel-policy.txt", "documents/差旅制度.txt"]
        load_workload(dev).of_documents(names).save(folder)
        shutil.copy(dev / "outcomes.parquet", folder)
    return folder


def show(page: Page, lab: jupyter.Server, space: str) -> Path:
    """Run the cells in a new notebook and a new workspace; return the workspace's folder."""
    shutil.rmtree(lab.folder / space, ignore_errors=True)
    assert jupyter.run_cells(page, lab, space, [cell.format(space=space) for cell in CELLS]) == []
    page.wait_for_function(DRAWN)
    return lab.folder / space


def bench_value(page: Page, expression: str) -> Any:
    """What the kernel holds."""
    return jupyter.in_kernel(page, f"bench.{expression}")


def journal(space: Path) -> list[dict[str, Any]]:
    """The operations on disk; the line that says from which rules and gate they begin is none."""
    lines = (space / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [operation for operation in map(json.loads, lines) if "began" not in operation]


def drag(page: Page, selector: str, share: float) -> None:
    """Take hold of a slider's thumb and pull it to a share of its length, without letting go."""
    slider = page.locator(selector)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    least, most, value = (float(slider.evaluate(f"e => e.{name}")) for name in ("min", "max", "value"))
    at = (value - least) / (most - least)
    inner = box["width"] - 16
    page.mouse.move(box["x"] + 8 + at * inner, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 8 + share * inner, box["y"] + box["height"] / 2, steps=12)


def tokens_shown(page: Page) -> int:
    """The tile of the tokens kept."""
    text = page.locator(".sr-threshold-tile[data-tile=tokens] .sr-threshold-value").first.inner_text()
    return int(text.replace(",", ""))


def drags_the_cut(page: Page) -> None:
    """The page moves with the mouse, the kernel when it is let go."""
    before = tokens_shown(page)
    drag(page, ".sr-threshold-slider >> visible=true", 0.1)
    page.wait_for_function(TOKENS_ARE_OTHERS, arg=f"{before:,}")
    assert bench_value(page, "reading.saving.tokens_kept") == before
    moved = tokens_shown(page)
    assert moved < before
    page.mouse.up()
    expect(page.locator(".sr-wb-called")).to_contain_text("bench.set_share(")
    assert bench_value(page, "reading.saving.tokens_kept") == tokens_shown(page) == moved


def types_a_share(page: Page) -> None:
    """A number in the field is taken with Enter."""
    field = page.locator(".sr-threshold-field").first
    field.fill("50")
    field.press("Enter")
    expect(page.locator(".sr-wb-called")).to_contain_text("bench.set_share(0.5)")
    assert bench_value(page, "reading.cut.share") == 0.5
    assert tokens_shown(page) == bench_value(page, "reading.saving.tokens_kept")


def walks_to_the_evidence(page: Page) -> None:
    """A key goes to it, another lets its explanation stay."""
    page.locator(".sr-document-view:visible").press("e")
    page.keyboard.press("Enter")
    expect(page.locator(".sr-wb-called")).to_contain_text("bench.pin(")
    assert bench_value(page, "state.pinned") in bench_value(page, "gold")


def types_a_weight(page: Page) -> None:
    """What is not allowed is told at the cell and not applied; undo and redo follow."""
    page.locator(".sr-workbench").press("2")
    rule = page.locator(f".sr-rule-table [data-rule='{RULE}']")
    weight = rule.locator("[data-column=weight]")
    weight.click()
    page.locator(".sr-cell-field").fill("50")
    page.keyboard.press("Enter")
    expect(rule.locator(".sr-rule-error")).to_contain_text("outside 0.05 to 5")
    assert bench_value(page, WEIGHT) == 1.1
    page.locator(".sr-cell-field").fill("2.5")
    page.keyboard.press("Enter")
    expect(page.locator(".sr-wb-called")).to_contain_text("edit_rule")
    assert bench_value(page, WEIGHT) == 2.5
    page.locator(".sr-workbench").press("z")
    expect(weight).to_contain_text("1.1")
    assert bench_value(page, WEIGHT) == 1.1
    page.locator(".sr-workbench").press("Shift+Z")
    expect(weight).to_contain_text("2.5")
    assert bench_value(page, WEIGHT) == 2.5


def moves_the_gate(page: Page) -> None:
    """A weight of the gate by the arrow keys of its slider: the totals move, and then the kernel confirms them."""
    page.locator(".sr-workbench").press("3")
    view = page.locator(".sr-gate-view[data-painted]")
    view.wait_for()
    bench_value(page, "set_weights(0.01, 0.85, 0.14)")
    bench_value(page, "set_gate(-0.17, -0.15)")
    expect(view.locator(".sr-gate-tile").first).to_contain_text("4")
    before, told = bench_value(page, "gate_rule.weights.to_dict()"), view.locator(".sr-gate-tiles").inner_text()
    view.locator(".sr-gate-slider input[type=range]").first.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".sr-wb-called")).to_contain_text("set_weights")
    assert bench_value(page, "gate_rule.weights.to_dict()") != before
    assert view.locator(".sr-gate-tiles").inner_text() != told


def test_drag_type_keys_and_undo_change_page_kernel_and_journal_alike(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, own: Path, pictures: Path
) -> None:
    assert own.is_dir()
    page.set_viewport_size({"width": 1400, "height": 1200})
    space = show(page, lab, "worked")
    bench_value(page, f"open('{REQUEST}')")
    expect(page.locator(".sr-wb-question")).to_have_value(bench_value(page, "question"))
    for step in (drags_the_cut, types_a_share, walks_to_the_evidence, types_a_weight, moves_the_gate):
        step(page)
        page.screenshot(path=pictures / f"{step.__name__}.png")
    expect(page.locator(".sr-wb-saved")).to_have_attribute("data-state", "saved")
    kinds = [operation["kind"] for operation in journal(space)]
    assert {"open", "set_cut", "pin", "edit_rules", "undo", "redo", "set_weights", "show"} <= set(kinds)
    assert bench_value(page, "operations") == len(kinds)
    assert guard.faults == []
    assert jupyter.errors_of(page) == []


HOSTILE = (
    '<img src=x onerror="window.hacked = 1"> $x^2$ \\(y\\) <script>window.hacked = 1</script> \u202eright\u202c '
    "\U0001f600 \U0001f469\u200d\U0001f467 مرحبا &amp; %s"
)


def test_hostile_text_is_shown_in_every_tab_and_runs_in_none(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    folder = lab.folder / "hostile-files"
    folder.mkdir(exist_ok=True)
    lines = [f"# {HOSTILE}", HOSTILE, "nul \x00 here", "long " + "word " * 200_000, f"| a | {HOSTILE} |\n| --- | --- |"]
    (folder / "hostile.md").write_text("\n\n".join(lines), encoding="utf-8")
    (folder / "workload.jsonl").write_text(
        json.dumps({"id": HOSTILE[:60], "artifact": "hostile.md", "question": HOSTILE, "answerable": False}) + "\n",
        encoding="utf-8",
    )
    cells = [
        CELLS[0],
        "bench = Workbench(wb.load_workload('hostile-files'), reader=wb.SparseReader(scorer=None), folder='hostile')\n"
        "bench.open(bench.workload.requests[0].id)\n"
        "bench.edit_rule(bench.rule_table.names[0], reason=bench.question)\n"
        "bench",
    ]
    assert jupyter.run_cells(page, lab, "hostile-bench", cells) == []
    page.wait_for_function(DRAWN)
    for tab in "12345":
        page.locator(".sr-workbench").press(tab)
        page.wait_for_timeout(300)
        page.screenshot(path=pictures / f"hostile-bench-{tab}.png")
    page.locator(".sr-workbench").press("1")
    text = page.locator(".sr-document-view:visible").inner_text()
    assert "<img src=x onerror=" in text
    assert "$x^2$" in text
    assert page.evaluate("window.hacked") is None
    assert page.locator(".sr-workbench img, .sr-workbench script, .sr-workbench mjx-container").count() == 0
    assert guard.faults == []
    assert jupyter.errors_of(page) == []


# An action that has left the browser's store was acknowledged.
WATCH_STORE = """() => {
  window.seen = [];
  const put = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith('sparseread:')) {
      for (const { id } of JSON.parse(value)) if (!window.seen.includes(id)) window.seen.push(id);
    }
    return put.call(this, key, value);
  };
}"""
WAITING = """() => Object.keys(localStorage).filter(key => key.startsWith('sparseread:'))
  .flatMap(key => JSON.parse(localStorage.getItem(key)).map(operation => operation.id))"""


def test_a_kernel_killed_in_the_middle_of_edits_loses_nothing(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, own: Path
) -> None:
    assert own.is_dir()
    space = show(page, lab, "killed-edits")
    bench_value(page, f"open('{REQUEST}')")
    page.locator(".sr-workbench").press("2")
    weight = page.locator(f".sr-rule-table [data-rule='{RULE}'] [data-column=weight]")
    weight.click()
    page.keyboard.press("Escape")
    page.evaluate(WATCH_STORE)
    page.keyboard.press("+")
    page.wait_for_function(f"() => window.seen.length > 0 && ({WAITING})().length === 0")
    killer = threading.Timer(0.4, os.kill, (jupyter.in_kernel(page, "__import__('os').getpid()"), signal.SIGKILL))
    killer.start()
    for _ in range(30):
        page.keyboard.press("+")
    killer.join()
    expect(page.locator(".sr-wb-notice")).to_contain_text("disconnected", timeout=30_000)
    seen, waiting = page.evaluate("window.seen"), page.evaluate(WAITING)
    acknowledged = [name for name in seen if name not in waiting]
    on_disk = [operation["id"] for operation in journal(space)]
    assert acknowledged
    assert set(acknowledged) <= set(on_disk)

    page.get_by_role("button", name="Ok", exact=True).click()
    page.wait_for_function(jupyter.NOTEBOOK_READY)
    jupyter.run_all_cells(page)
    page.wait_for_function(DRAWN)
    page.wait_for_function(f"() => ({WAITING})().length === 0")
    ids = [operation["id"] for operation in journal(space)]
    assert len(ids) == len(set(ids))
    assert set(seen) <= set(ids)
    last = [operation for operation in journal(space) if operation["kind"] == "edit_rules"][-1]
    assert bench_value(page, WEIGHT) == last["values"]["edit"]["value"]
    expect(weight).to_contain_text(f"{last['values']['edit']['value']:g}")
    assert guard.faults == []
