"""How quick the bench is in a browser: from a move to the painted page, in a real JupyterLab in a real Chromium.

Run it with ``python -m benchmarks.bench``; ``--quick`` takes five moves of each kind and leaves the filing out. It
needs the extra ``test`` and Chromium. Documents are made from bundled texts, and scores are those of words alone: no
time of a model is in any figure. Outcomes are the bundled ones, drawn 5,000 times.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isinf
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.bench_documents import DEV, write_workload
from benchmarks.bench_page import CLOCK, Times, Wire, idle, moves
from tests.browser import jupyter

SIZES = (3_000, 10_000)
REQUESTS = 5_000
MOVES, QUICK_MOVES = 30, 5
BUSY_SECONDS = 3
FILING = Path("financebench") / "pdfs" / "3M_2018_10K.pdf"
FILING_QUESTION = "What was the capital expenditure of 2018?"
CHROMIUM = os.environ.get("SPARSEREAD_CHROMIUM") or "/usr/bin/chromium"

SLIDER = ".sr-threshold-panel input[type=range]"
TOKENS = ".sr-threshold-tile[data-tile=tokens] .sr-threshold-value"


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    action : str
    aim : float
        At most so many milliseconds, or bytes; infinite where nothing is aimed at.
    median, p95 : float
    count : int
    unit : str
    """

    action: str
    aim: float
    median: float
    p95: float
    count: int
    unit: str = "ms"

    @property
    def met(self) -> bool:
        """Whether the median is within the aim."""
        return self.median <= self.aim

    def __str__(self) -> str:
        aim = "" if isinf(self.aim) else f"{self.aim:,.0f} {self.unit}"
        tail = "" if self.count == 1 else f"{self.p95:,.1f} {self.unit}"
        met = "" if isinf(self.aim) else "yes" if self.met else "no"
        cells = [self.action, aim, f"{self.median:,.{1 if self.unit == 'ms' else 0}f} {self.unit}", tail]
        return f"| {' | '.join([*cells, str(self.count), met])} |"


def row(action: str, aim: float, times: Times) -> Row:
    """Return the line of a number of moves."""
    return Row(action, aim, times.median, times.p95, len(times.values))


SETUP = """
import shutil
from pathlib import Path
import workbench as wb
from workbench.widgets import GateView, Workbench
from workbench.workload import Workload, Request, load_workload
from benchmarks.bench_documents import many_outcomes
"""
SHOW = """
bench = Workbench(load_workload({workload!r}), reader=wb.SparseReader(scorer=None, min_tokens=0), folder={folder!r})
bench.open("{size}")
bench
"""
GATE = "gate = GateView(many_outcomes({requests}), wb.GateProfile.load({profile!r}))\ngate"
# A bench on one filing: its second run finds document and vectors on the disk, as on the next morning.
FIRST = """
filing = Workload.of([Request(id="filing", artifact={name!r}, question={question!r})], folder=Path({folder!r}))
shutil.rmtree("filing-space", ignore_errors=True)
bench = Workbench(filing, folder="filing-space")
bench.open("filing")
bench
"""

SAID = ".sr-workbench .sr-doc-said"
DRAWN = """() => (document.querySelector('.sr-workbench')?.dataset.children ?? '').includes('document')
  && document.querySelector('.sr-workbench .sr-document-view')?.dataset.painted"""
BUSY = """seconds => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  kernel.requestExecute({ code: `import time; time.sleep(${seconds})` });
}"""

# A key changes what stands beside the text, or leaves an action in the store until the kernel has written it down.
KEYS = """async ({ keys, acknowledged }) => {
  const clock = window.benchClock;
  const view = clock.shown('.sr-document-view');
  view.focus();
  const waiting = () => Object.keys(localStorage).filter(name => name.startsWith('sparseread:'))
    .some(name => localStorage.getItem(name) !== '[]');
  const times = [];
  for (const [place, key] of keys.entries()) {
    await clock.rest(90 + (place * 7) % 17);
    const before = view.dataset.painted;
    const start = performance.now();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    if (!acknowledged) await clock.until(() => view.dataset.painted !== before);
    else if (!waiting()) throw new Error('the key did nothing that is written down');
    else while (waiting()) await clock.turn();
    times.push(performance.now() - start);
  }
  return times;
}"""

# "+" on a rule's weight: to the kernel, through the journal, weighed and decided again, and back to the painted text.
EDITS = """async ({ rule, keys }) => {
  const clock = window.benchClock;
  const view = clock.shown('.sr-document-view');
  const cell = () => document.querySelector(`.sr-rule-table [data-rule="${rule}"] [data-column="weight"]`);
  const times = [];
  for (const [place, key] of keys.entries()) {
    await clock.rest(250 + (place * 7) % 17);
    cell().focus();
    const before = view.dataset.painted;
    const start = performance.now();
    cell().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await clock.until(() => view.dataset.painted !== before);
    times.push(performance.now() - start);
  }
  return times;
}"""

RUN_LAST = """async drawn => {
  const met = new Function(`return Boolean((${drawn})())`);
  document.querySelectorAll('.sr-workbench').forEach(bench => bench.remove());
  const start = performance.now();
  window.jupyterapp.commands.execute('notebook:run-cell');
  await window.benchClock.until(met, 120000);
  return performance.now() - start;
}"""


def steps(count: int) -> list[int]:
    """Return the places of a slider that is dragged, in percent."""
    return [10 + place for place in range(count)]


def jumps(count: int) -> list[int]:
    """Return the places of a slider that is clicked here and there, in percent."""
    return [8 + (place * 23) % 60 for place in range(count)]


@dataclass
class Session:
    """One page on one server, and how often each move is made."""

    page: Page
    lab: jupyter.Server
    wire: Wire
    folder: Path
    count: int
    sizes: tuple[int, ...] = SIZES
    quick: bool = False

    @property
    def rest_ms(self) -> int:
        """Until a page that was drawn has nothing more to do."""
        return 400 if self.quick else 2_000

    @property
    def busy_seconds(self) -> int:
        """How long the kernel is kept busy."""
        return 1 if self.quick else BUSY_SECONDS

    def run(self, name: str, cells: Sequence[str], drawn: str = DRAWN) -> None:
        """Run cells in a new notebook until a widget is drawn."""
        said = jupyter.run_cells(self.page, self.lab, name, [SETUP, *cells])
        # The kernel of the notebook before may still be told of widgets that it has closed.
        errors = [error for error in said if not error.startswith("No such comm")]
        if errors:
            raise SystemExit(f"error: the notebook {name} failed: {errors[0][:400]}")
        self.page.wait_for_function(drawn)
        self.page.wait_for_timeout(self.rest_ms)
        self.page.evaluate(CLOCK)

    def times(self, script: str, values: dict[str, object]) -> Times:
        """Return the times that a script takes in the page."""
        return Times(self.page.evaluate(script, values))


def slider_rows(session: Session, workload: Path) -> Iterator[Row]:
    """Yield the moves of the cut on documents of each size, the kernel free and busy, and what crosses the wire."""
    for size, aim in zip(session.sizes, (20.0, 33.0), strict=True):
        cell = SHOW.format(workload=str(workload), folder=str(session.folder / f"space-{size}"), size=size)
        session.run(f"slider-{size}", [cell])
        yield row(f"an empty frame, {size:,} blocks on the page", float("inf"), idle(session.page, session.count))
        blocks = f"{size:,} blocks"
        # Two seconds after it was drawn the bench asks for the curves of the workload, which are then there for good.
        session.wire.wait_for_silence(session.page, milliseconds=3_000)
        with session.wire.counting():
            found = moves(session.page, SLIDER, steps(session.count), SAID)
        yield row(f"cut slider to painted document, {blocks}", aim, found)
        yield Row(f"bytes for one move of the slider, {blocks}", 0, session.wire.spoken / session.count, 0, 1, "bytes")
        session.page.evaluate(BUSY, session.busy_seconds)
        busy = moves(session.page, SLIDER, steps(min(session.count, 25)), SAID)
        yield row(f"the same while the kernel is busy, {blocks}", aim, busy)
        session.page.wait_for_timeout(1_000 * session.busy_seconds)
        with session.wire.counting():
            moves(session.page, SLIDER, [77], SAID, settle=True)
            session.page.wait_for_timeout(max(1_000, session.rest_ms))
        yield Row(f"bytes for a move that is confirmed, {blocks}", 50_000, session.wire.total, 0, 1, "bytes")
        far = moves(session.page, SLIDER, jumps(session.count), SAID)
        yield row(f"cut slider, a jump of 23 % of the tokens, {blocks}", float("inf"), far)


def key_rows(session: Session) -> Iterator[Row]:
    """Yield keys in the document of the page that is open, the smaller one."""
    walks = {"keys": ["j"] * session.count, "acknowledged": False}
    yield row("key press to painted selection", 32.0, session.times(KEYS, walks))
    session.times(KEYS, {"keys": ["n"], "acknowledged": False})
    pins = {"keys": ["Enter"] * session.count, "acknowledged": True}
    yield row("key press to the acknowledged line of the journal", 100.0, session.times(KEYS, pins))


def rule_rows(session: Session) -> Iterator[Row]:
    """Yield edits of a rule's weight, on the page that is open."""
    session.page.locator(".sr-workbench").press("2")
    session.page.locator(".sr-rule-table [data-rule]").first.wait_for()
    session.page.wait_for_timeout(session.rest_ms)
    keys = ["+", "-"] * ((session.count + 1) // 2)
    edits = session.times(EDITS, {"rule": "action-verb", "keys": keys[: session.count]})
    yield row(f"weight of a rule to painted document, kernel included, {session.sizes[0]:,} blocks", 100.0, edits)


def gate_rows(session: Session) -> Iterator[Row]:
    """Yield moves of a weight of the gate."""
    cell = GATE.format(requests=REQUESTS, profile=str(DEV / "gate.json"))
    session.run("gate", [cell], "() => document.querySelector('.sr-gate-view[data-painted]')")
    session.page.wait_for_timeout(session.rest_ms)
    yield row("an empty frame, gate on the page", float("inf"), idle(session.page, session.count))
    slider = ".sr-gate-slider input[type=range]"
    least, most = session.page.evaluate(
        "selector => { const e = benchClock.shown(selector); return [Number(e.min), Number(e.max)] }", slider
    )
    values = [least + (most - least) * (0.01 + (place * 13 % 60) / 200) for place in range(session.count)]
    found = moves(session.page, slider, values, ".sr-gate-columns")
    yield row(f"gate weight to repainted points and totals, {REQUESTS:,} requests", 50.0, found)


def filing_rows(session: Session, filing: Path) -> Iterator[Row]:
    """Yield the first paint of a bench on a filing that was opened before."""
    cell = FIRST.format(name=filing.name, folder=str(filing.parent), question=FILING_QUESTION)
    session.run("filing", [cell])
    found = []
    for _ in range(max(3, session.count // 6)):
        session.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1 }")
        found.append(session.page.evaluate(RUN_LAST, DRAWN))
        session.page.wait_for_timeout(session.rest_ms)
    pages = 160
    yield row(f"first paint of a cached filing of {pages} pages after the cell runs", 1_000.0, Times(found))


def measured(session: Session, filing: Path | None) -> Iterator[Row]:
    """Yield every line of the table."""
    workload = session.folder / "made"
    write_workload(workload, session.sizes)
    yield from slider_rows(session, workload)
    cell = SHOW.format(workload=str(workload), folder=str(session.folder / "space-keys"), size=session.sizes[0])
    session.run("keys", [cell])
    yield from key_rows(session)
    yield from rule_rows(session)
    yield from gate_rows(session)
    if filing is not None:
        yield from filing_rows(session, filing)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="five moves of each kind, without the filing")
    parser.add_argument("--moves", type=int, metavar="N", help="moves of each kind [30]")
    parser.add_argument("--sizes", type=int, nargs=2, default=SIZES, metavar="N", help="blocks of the documents")
    parser.add_argument("--data", type=Path, help="folder of the evaluation data")
    parser.add_argument("--json", type=Path, help="write the figures into this file as well")
    options = parser.parse_args(arguments)
    filing = None if options.quick else filing_in(options.data)
    print("| action | at most | median | 95 % within | moves | met |\n| --- | --- | --- | --- | --- | --- |")
    found = []
    count = options.moves or (QUICK_MOVES if options.quick else MOVES)
    for one in run(count, filing, tuple(options.sizes), quick=options.quick):
        print(one, flush=True)
        found.append(one)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1), encoding="utf-8")


def filing_in(folder: Path | None) -> Path | None:
    """Return the filing of the evaluation data, or None where there is none."""
    places = [folder, os.environ.get("SPARSEREAD_DATA"), Path(__file__).resolve().parents[2] / "shared" / "data"]
    for place in filter(None, places):
        if (Path(place) / FILING).is_file():
            return Path(place) / FILING
    print("no evaluation data, so no filing", file=sys.stderr)
    return None


def run(count: int, filing: Path | None, sizes: tuple[int, ...] = SIZES, *, quick: bool = False) -> Iterator[Row]:
    """Start server and browser, and yield the lines of the table."""
    project = str(Path(__file__).resolve().parents[1])
    with tempfile.TemporaryDirectory(prefix="sparseread-") as place, sync_playwright() as playwright:
        folder = Path(place)
        (folder / "served").mkdir()
        with jupyter.running_lab(folder / "served", folder / "state", {"PYTHONPATH": project}) as lab:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(jupyter.CHROMIUM_ARGUMENTS))
            context = browser.new_context(viewport={"width": 1600, "height": 1100})
            page, wire = context.new_page(), Wire()
            wire.watch(page)
            yield from measured(Session(page, lab, wire, folder, count, sizes, quick), filing)
            context.close()
            browser.close()


if __name__ == "__main__":
    main()
