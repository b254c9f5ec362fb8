"""decide.js against the reading: the picture that moves with a slider must be what the kernel then confirms."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from tests.reading.made import ByHand, Made
from tests.reading.strategies import Case, basis_of, cases
from workbench.reading.basis import Basis
from workbench.reading.cuts import Cut, Threshold, TokenShare
from workbench.reading.deciding import overhead_of, passing_of
from workbench.reading.reader import SparseReader
from workbench.reading.reading import Reading, reading_of
from workbench.reading.selection import ranked, statuses, take
from workbench.relevance.scores import Scale
from workbench.widgets.reading_data import cut_data, document_data, mask_data, score_data
from workbench.widgets.scripts import script_of
from workbench.widgets.threshold_panel import evidence_data
from workbench.workload.gold import Gold, GoldPiece, Way
from workbench.workload.requests import Evidence

pytestmark = pytest.mark.browser

DECIDE = """cases => {
  const { reading, decide, bytes } = globalThis.sparsereadParts;
  const viewOf = text => new DataView(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);
  return cases.map(({ state, cut, options }) => {
    const values = Object.fromEntries(Object.entries(state).map(
      ([name, value]) => [name, value && value.bytes !== undefined ? viewOf(value.bytes) : value]));
    const model = { get: name => values[name] };
    const given = { ...options, pages: reading.documentOf(model).pages };
    if (options.evidence) given.evidence = decide.evidenceOf(bytes.i32(viewOf(options.evidence)));
    const found = decide.decide(reading.readingOf(model), cut, given);
    return { ...found, status: [...found.status], taken: [...found.taken] };
  });
}"""

SPEED = """([state, kind]) => {
  const { reading, decide } = globalThis.sparsereadParts;
  const viewOf = text => new DataView(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);
  const values = Object.fromEntries(Object.entries(state).map(
    ([name, value]) => [name, value && value.bytes !== undefined ? viewOf(value.bytes) : value]));
  const read = reading.readingOf({ get: name => values[name] });
  const sorts = [];
  const sort = Uint32Array.prototype.sort;
  Uint32Array.prototype.sort = function (...values) { sorts.push(1); return sort.apply(this, values); };
  for (let move = 0; move < 50; move += 1) {
    decide.decide(read, { kind, value: move / 50, min_tokens: 0 });
  }
  Uint32Array.prototype.sort = sort;
  return sorts.length;
}"""


@dataclass(frozen=True)
class Asked:
    """One question to both sides."""

    basis: Basis
    cut: Cut
    budget: int | None
    gold: Gold


@pytest.fixture(scope="module")
def parts(browser: Browser) -> Page:
    """A page without Jupyter in which decide.js can be called."""
    page = browser.new_page()
    script = script_of("decide").rpartition("export default")[0]
    page.add_script_tag(
        content=f"{script}globalThis.sparsereadParts = {{ decide: $$decide, reading: $$reading, bytes: $$bytes }};",
        type="module",
    )
    page.wait_for_function("globalThis.sparsereadParts !== undefined")
    return page


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    """A document with numbers, a cut that its scale allows, perhaps a budget, and some evidence."""
    case: Case = draw(cases())
    offset = draw(st.sampled_from([0.0, 0.03, -0.08, 0.08]))
    basis = case.basis(offset=offset)
    values = st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0]) | st.floats(0, 1)
    if draw(st.booleans()):
        cut: Cut = Threshold(draw(values), case.scale)
    else:
        cut = TokenShare(max(1e-6, draw(values)), draw(st.sampled_from([0, 0, 20, 3000])))
    return Asked(basis, cut, draw(st.none() | st.integers(1, 500)), draw(gold_of(len(case.document), basis)))


@st.composite
def gold_of(draw: st.DrawFn, count: int, basis: Basis) -> Gold:
    """Up to four pieces of evidence, each with up to three places of up to three blocks."""
    if not count:
        return Gold("r", (), (), basis.document.columns.tokens)
    block = st.integers(0, count - 1)
    place = st.lists(block, min_size=1, max_size=3, unique=True).map(lambda blocks: tuple(sorted(blocks)))
    places = draw(st.lists(st.lists(place, min_size=1, max_size=3, unique=True), max_size=4))
    pieces = tuple(GoldPiece(Evidence(quote="x"), Way.EXACT, tuple(found)) for found in places)
    return Gold("r", pieces, (), basis.document.columns.tokens)


@cache
def drawn(count: int = 600) -> list[Asked]:
    """Cases of hypothesis, all of which are asked in one call of the page."""
    found: list[Asked] = []

    @seed(20261130)
    @settings(
        max_examples=count,
        deadline=None,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(questions())
    def collect(asked: Asked) -> None:
        found.append(asked)

    collect()
    return found


def state_of(basis: Basis, cut: Cut) -> dict[str, Any]:
    """What a widget of the reading holds for the browser."""
    reading = reading_of(basis, cut)
    state = {
        **document_data(reading.document),
        **score_data(reading),
        "cut": cut_data(cut),
        "text": b"",
        "offsets": b"",
    }
    state |= {"gold": mask_data((), len(reading)), "facts": {}}
    return {
        name: {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
        for name, value in state.items()
    }


def message(asked: Asked) -> dict[str, Any]:
    """One case as the page takes it."""
    overhead = overhead_of(asked.basis, asked.cut)
    options = {
        "budget": asked.budget,
        "overhead": {"fixed": overhead.fixed, "run": overhead.run, "block": overhead.block},
        "evidence": base64.b64encode(evidence_data(asked.gold)).decode() if len(asked.gold) else None,
    }
    return {"state": state_of(asked.basis, asked.cut), "cut": cut_data(asked.cut), "options": options}


def decided(page: Page, asked: list[Asked]) -> list[dict[str, Any]]:
    """What decide.js makes of the cases."""
    found: list[dict[str, Any]] = page.evaluate(DECIDE, json.loads(json.dumps([message(one) for one in asked])))
    return found


def taken(asked: Asked) -> list[int]:
    """The blocks that the counts of single blocks leave room for, in the order in which they are taken."""
    basis = asked.basis
    order = ranked(basis.priority, basis.ties)
    pinned = basis.structure.pinned
    passing = passing_of(basis, asked.cut).order
    wanted = [*order[pinned[order]].tolist(), *passing[~pinned[passing]].tolist()]
    if asked.budget is None:
        return wanted
    return take(
        wanted,
        asked.budget,
        tokens=basis.tokens,
        pages=basis.document.columns.home_page,
        has_text=basis.has_text,
        links=basis.links,
        overhead=overhead_of(basis, asked.cut),
    ).order


def test_every_status_is_that_of_the_reading(parts: Page) -> None:
    asked = [Asked(one.basis, one.cut, None, one.gold) for one in drawn()]
    for one, found in zip(asked, decided(parts, asked), strict=True):
        reading = reading_of(one.basis, one.cut)
        assert found["status"] == reading.status.tolist(), (one.cut, one.basis.priority)
        assert found["line"] == reading.threshold
        assert found["tokensKept"] == reading.saving.tokens_kept
        assert found["kept"] == int(reading.decision.kept.sum())
        if len(one.gold):
            assert found["recalled"] == int(one.gold.recalled(reading.decision.kept, one.basis.tokens).sum())


def test_under_a_budget_the_kernel_at_most_drops_the_last_blocks_taken(parts: Page) -> None:
    asked = [one for one in drawn() if one.budget is not None]
    assert len(asked) > 100
    equal = 0
    for one, found in zip(asked, decided(parts, asked), strict=True):
        order = taken(one)
        assert found["taken"] == order
        chosen = np.array(order, np.intp)
        pinned = chosen[one.basis.structure.pinned[chosen]]
        expected = statuses(len(one.basis.document), chosen, pinned, one.basis.links.of_all(chosen))
        assert found["status"] == expected.tolist()
        reading = reading_of(one.basis, one.cut, one.budget)
        assert set(reading.kept_ids) == set(order[: len(reading.kept_ids)])
        equal += found["status"] == reading.status.tolist()
    assert equal > 0.9 * len(asked)


def edge_cases() -> dict[str, Asked]:
    """What a drawn case may miss."""
    table = Made().page().heading("A").table(["name", "value"], ["x", "1"], ["y", "2"]).text("end").document()
    scan = Made().page().document()
    ties = Made().page().text(*["the same words"] * 6).document()
    chinese = Made(language="zh").page().heading("备份").text("当负载低于20%时，系统开始备份。").document()
    gold = Gold("r", (), (), table.columns.tokens)
    rows = [0.1] * len(table)
    rows[4] = 0.9
    return {
        "a row brings its table, header row and heading": Asked(basis_of(table, rows), Threshold(0.5), None, gold),
        "a document without text": Asked(basis_of(scan, [0.0] * len(scan)), Threshold(0.0), None, gold),
        "ties under a share": Asked(
            basis_of(ties, [0.5] * 6, scale=Scale.UNCALIBRATED), TokenShare(0.4, 0), None, gold
        ),
        "nothing above zero": Asked(
            basis_of(ties, [0.0] * 6, scale=Scale.UNCALIBRATED), TokenShare(0.4, 0), None, gold
        ),
        "an offset at the line": Asked(basis_of(ties, [0.58] * 6, offset=0.08), Threshold(0.5), None, gold),
        "Chinese": Asked(basis_of(chinese, [0.1, 0.8]), Threshold(0.5), None, gold),
        "all pinned, no room": Asked(basis_of(ties, [0.5] * 6, pinned=range(6)), Threshold(0.9), 1, gold),
    }


@pytest.mark.parametrize("name", list(edge_cases()))
def test_edge_cases_are_decided_as_in_the_reading(name: str, parts: Page) -> None:
    asked = edge_cases()[name]
    reading = reading_of(asked.basis, asked.cut, asked.budget)
    assert decided(parts, [asked])[0]["status"] == reading.status.tolist()


def test_a_scorer_that_finds_nothing_leaves_a_share_empty(parts: Page) -> None:
    document = Made().page().text("one", "two").document()
    reading: Reading = SparseReader(scorer=ByHand([0.3, 0.2], Scale.UNCALIBRATED)).read(document, "What?")
    state = state_of(reading.basis, TokenShare()) | {"nothing_relevant": True}
    asked = [{"state": state, "cut": cut_data(TokenShare()), "options": {"budget": None}}]
    found = parts.evaluate(DECIDE, asked)[0]
    assert (found["status"], found["line"], found["tokensKept"]) == ([0, 0], None, 0)


@pytest.mark.parametrize("kind", ["threshold", "share"])
def test_blocks_are_sorted_once_and_not_when_a_slider_moves(kind: str, parts: Page) -> None:
    document = Made().page().text(*[f"line {number}" for number in range(300)]).document()
    rising = np.linspace(0, 1, 300).tolist()
    state = state_of(basis_of(document, rising, scale=Scale.UNCALIBRATED), TokenShare())
    assert parts.evaluate(SPEED, [state, kind]) == 1
