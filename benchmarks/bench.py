"""How quick the bench is in a browser: from a move to the painted page, in a real JupyterLab in a real Chromium.

Run it with ``python -m benchmarks.bench``; ``--quick`` takes five moves of each kind and leaves the filing out. It needs the
extra ``test`` and Chromium. Documents are made from bundled texts, scores are those of words alone, for no time of a model
is in any figure; outcomes are the bundled ones, drawn 5,000 times.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.bench_documents import write_workload
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
        At most so many milliseconds, or bytes.
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
        cells = [self.action, f"{self.aim:,.0f} {self.unit}", f"{self.median:,.1f} {self.unit}", f"{self.p95:,.1f}"]
        return f"| {' | '.join([*cells, str(self.count), 'yes' if self.met else 'no'])} |"


def row(action: str, aim: float, times: Times) -> Row:
    """Return the line of a number of moves."""
    return Row(action, aim, times.median, times.p95, len(times.values))


SETUP = """
import time
import workbench as wb
from pathlib import Path
from workbench.widgets import GateView, Workbench
from workbench.workload import load_workload
from benchmarks.bench_documents import many_outcomes
"""
SHOW = """
bench = Workbench(load_workload({workload!r}), reader=wb.SparseReader(scorer=None), folder={folder!r})
bench.open("{size}")
bench
"""
GATE = "gate = GateView(many_outcomes({requests}))\ngate"
FIRST = """
bench = Workbench(load_workload({workload!r}), folder={folder!r})
bench
"""

READY = "() => document.querySelector('.sr-document-view[data-painted] .sr-doc-said')?.textContent"
SAID = ".sr-workbench .sr-doc-said"

# The name of the selected block stands in the view as an attribute that readers of screens are told.
KEYS = """async ({ count, key, acknowledged }) => {
  const clock = window.benchClock;
  const view = clock.shown('.sr-document-view');
  const target = view.querySelector('.sr-doc-scroll') ?? view.querySelector('[tabindex="0"]') ?? view;
  target.focus();
  const queue = () => Object.keys(localStorage).filter(name => name.startsWith('sparseread:'))
    .reduce((sum, name) => sum + JSON.parse(localStorage.getItem(name)).length, 0);
  const times = [];
  for (let place = 0; place < count; place++) {
    await clock.rest(60 + (place * 7) % 17);
    const before = view.dataset.painted;
    const start = performance.now();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    if (acknowledged) {
      if (queue() === 0) throw new Error('the key did nothing that is written down');
      while (queue() > 0) await clock.turn();
      times.push(performance.now() - start);
    } else {
      await clock.until(() => view.dataset.painted !== before);
      times.push(performance.now() - start);
    }
  }
  return times;
}"""

EDITS = """async ({ values, rule }) => {
  const clock = window.benchClock;
  const said = () => [...document.querySelectorAll('.sr-document-view')].map(view => view.dataset.painted).join();
  const times = [];
  for (const [place, value] of values.entries()) {
    await clock.rest(150 + (place * 7) % 17);
    const input = clock.shown(rule);
    input.focus();
    const before = said();
    const start = performance.now();
    clock.put(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await clock.until(() => said() !== before);
    times.push(performance.now() - start);
  }
  return times;
}"""
