"""Documents to look at in a view, and what is seen of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from playwright.sync_api import Page

from tests.reading.made import ByHand, Made, manual
from workbench.documents import Document
from workbench.reading import Reading, SparseReader
from workbench.relevance.scores import Scale
from workbench.structure import RuleTable

RELEVANCE = (0.1, 0.2, 0.93, 0.63, 0.1, 0.05, 0.6, 0.04, 0.03, 0.0)
NO_RULES = RuleTable("none", ())

# What stands on the lines of the text now: blocks by id, folds by their first block.
LINES = """() => [...document.querySelectorAll('.sr-doc-scroll [data-block], .sr-doc-scroll [data-fold]')]
  .filter(line => !line.hidden)
  .map(line => line.dataset.fold !== undefined ? `fold ${line.dataset.fold}` : line.dataset.block)"""
CLASSES = """block => document.querySelector(`[data-block='${block}']`)?.className
  .split(' ').map(name => name.replace('sr-doc-', ''))"""
TOP = """block => document.querySelector(`[data-block='${block}']`).getBoundingClientRect().top
  - document.querySelector('.sr-doc-scroll').getBoundingClientRect().top"""
DECIDE = """({ line, channel }) => {
  const model = globalThis.sparsereadModels['0'];
  const bytes = model.get('priority');
  const priority = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const status = Uint8Array.from(priority, value => value >= line ? 1 : 0);
  globalThis.sparsereadChannels.get(channel).emit('decision', { status, line, tokensKept: 0, cut: model.get('cut') });
}"""


def read(
    document: Document,
    relevance: Sequence[float],
    *,
    threshold: float | None = 0.62,
    scale: Scale = Scale.CALIBRATED,
    rules: RuleTable = NO_RULES,
) -> Reading:
    return SparseReader(scorer=ByHand(relevance, scale), threshold=threshold, rules=rules).read(
        document, "What starts it?"
    )


def plant() -> Reading:
    return read(manual(), RELEVANCE)


def long_document(count: int) -> Reading:
    made = Made("long.txt")
    for number in range(count):
        if number % 40 == 0:
            made.heading(f"Part {number // 40}", 1 + (number // 40) % 2)
        else:
            made.text(f"Sentence number {number} of this long text. " * (1 + number % 7))
    relevance = np.random.default_rng(5).beta(0.6, 3, count)
    return read(made.document(), relevance.tolist(), threshold=0.45)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def to_text(page: Page) -> None:
    page.locator(".sr-doc-scroll").focus()


def lines(page: Page) -> list[str]:
    found: list[str] = page.evaluate(LINES)
    return found


def in_sight(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => { const box = document.querySelector('.sr-doc-scroll').getBoundingClientRect();
        return [...document.querySelectorAll('.sr-doc-scroll [role=option]')].filter(line => {
          const at = line.getBoundingClientRect(); return at.height && at.bottom > box.top && at.top < box.bottom })
        .map(line => line.dataset.block ?? line.dataset.fold) }"""
    )
    return found
