"""What the browser works out itself for a document: sums with enough decimals, and what is near the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from workbench.widgets.scripts import script_of

pytestmark = pytest.mark.browser


def functions(browser: Browser, name: str, *, call: str, given: Any) -> Any:
    page = browser.new_page()
    try:
        page.add_script_tag(content=f"{script_of(name).rpartition('export default')[0]}; globalThis.part = $${name};")
        return page.evaluate(call, given)
    finally:
        page.close()


def test_a_sum_holds_when_it_is_done_again_with_the_numbers_shown(browser: Browser) -> None:
    random = np.random.default_rng(3)
    cases = [
        {"relevance": r, "weight": w, "priority": r * w, "threshold": t, "offset": o}
        for r, w, t, o in zip(
            random.beta(0.4, 3, 400).tolist(),
            random.choice([0.05, 0.5, 0.8, 1.0, 1.08, 1.3, 2.2, 5.0], 400).tolist(),
            random.random(400).tolist(),
            random.choice([0.0, 0.03, -0.08], 400).tolist(),
            strict=True,
        )
    ]
    cases.append({"relevance": 0.65, "weight": 1.0, "priority": 0.65, "threshold": 0.65, "offset": 0.0})
    shown = functions(browser, "document_sum", call="cases => cases.map(globalThis.part.sumOf)", given=cases)
    for case, sums in zip(cases, shown, strict=True):
        relevance, weight = map(float, sums["factors"].split(" × "))
        priority, line, margin = (float(sums[name].replace("\u2212", "-")) for name in ("priority", "line", "margin"))
        digits = len(sums["priority"].partition(".")[2])
        assert round(relevance * weight, digits) == pytest.approx(priority, abs=10.0**-digits * 1.01)
        assert priority - line == pytest.approx(margin, abs=1e-9)
        exact = case["priority"] - case["threshold"] - case["offset"]
        assert (margin < 0, margin == 0) == (exact < 0, abs(exact) < 1e-12)


def test_near_follows_the_spread_of_priorities_and_not_their_scale(browser: Browser) -> None:
    priority = np.random.default_rng(4).random(200)
    call = """({ values, at }) => {
      const flags = new Uint8Array(values.length).fill(1);
      const reading = { n: values.length, flags, priority: Float64Array.from(values) };
      const { spreadOf, nearBand, nearBlocks } = globalThis.part;
      return [...nearBlocks(reading, at, nearBand(spreadOf(reading), at))];
    }"""
    near = functions(browser, "document_margins", call=call, given={"values": priority.tolist(), "at": 0.7})
    scaled = functions(
        browser, "document_margins", call=call, given={"values": (priority / 64).tolist(), "at": 0.7 / 64}
    )
    assert near == scaled
    margins = np.abs(priority - 0.7)
    kept = np.sort(priority[priority >= 0.7])[::-1]
    below = np.sort(priority[priority < 0.7])[::-1]
    band = (kept[len(kept) // 2] - below[len(kept) // 2]) / 8
    assert near == (margins <= band).astype(int).tolist()
    assert 5 < sum(near) < 40
