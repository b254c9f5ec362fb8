// The block in the middle of its surroundings. Its first line is always at the same height, whatever stands above it.

import { visible } from "../document/document_block.js";
import { tablesOf } from "../document/document_tables.js";
import { h, replace } from "../shared/dom.js";
import { languageOf } from "../shared/words.js";
import { counting, pieces, toggled, trimmed } from "./annotator_spans.js";

const HEIGHT_OF_BLOCK = 0.34;
const LEAST_ABOVE = 56;

// What is shown stands where it belongs only after `settle`, for which the page must be laid out: once, at the end.
// onSpans(spans) hears of every change that a person makes; spans are code points.
export function textOf(t, onSpans) {
  const column = h("div", { class: "sr-an-column" });
  const names = { role: "document", tabindex: "-1", "aria-label": t("an.text") };
  const element = h("div", { class: "sr-an-text", ...names }, column);
  const view = { t, element, column, card: null, spans: [], hand: -1, onSpans };
  element.addEventListener("mouseup", () => setTimeout(() => selected(view)));
  element.addEventListener("click", (event) => clicked(view, event));
  const observer = new ResizeObserver(() => settle(view));
  observer.observe(element);
  return {
    element,
    show: (card, spans) => show(view, card, spans),
    clear: () => clear(view),
    setSpans: (spans) => setSpans(view, spans),
    step: (by) => step(view, by),
    mark: () => mark(view),
    scroll: (by) => element.scrollBy({ top: by * element.clientHeight }),
    settle: () => settle(view),
    dispose: () => observer.disconnect(),
  };
}

function show(view, card, spans) {
  view.card = card;
  view.hand = -1;
  view.tables = tablesIn(card.blocks);
  const shown = card.blocks[card.here];
  view.text = shown.text;
  view.count = counting(shown.text);
  view.spans = unitsOf(view, spans);
  view.parts = unitsOf(view, card.parts);
  replace(view.column, card.blocks.map((block, rank) => blockElement(view, block, rank)));
  drawHere(view);
}

function clear(view) {
  view.card = null;
  view.column.replaceChildren();
}

const unitsOf = ({ count }, ranges) => ranges.map(([start, end]) => [count.units(start), count.units(end)]);
const pointsOf = ({ count }, ranges) => ranges.map(([start, end]) => [count.start(start), count.end(end)]);

function blockElement(view, block, rank) {
  const here = rank === view.card.here;
  const body = h("div", { class: "sr-an-body", dir: "auto", lang: languageOf(block.text) });
  const data = { kind: block.kind, ...(block.level ? { level: String(Math.min(3, block.level)) } : {}) };
  if (block.header) data.header = "true";
  const said = here ? { "aria-label": view.t("an.block"), role: "group" } : {};
  const element = h("div", { class: here ? "sr-an-block sr-an-here" : "sr-an-block", dataset: data, ...said }, body);
  if (here) {
    view.here = body;
    view.hereElement = element;
  } else if (block.columns) {
    fillRow(view, body, rank, (text) => visible(text));
  } else {
    const text = visible(block.text);
    body.textContent = block.cut === "start" ? `… ${text}` : block.cut === "end" ? `${text} …` : text;
  }
  return element;
}

// The text of the block at hand, in fragments that know where they begin, so that a selection leads back to it.
function drawHere(view) {
  const { card, here } = view;
  const block = card.blocks[card.here];
  if (!block.columns) return replace(here, fragments(view, 0, view.text.length));
  let at = 0;
  fillRow(view, here, card.here, (text) => {
    const found = fragments(view, at, at + text.length);
    at += text.length + 1;
    return found;
  });
}

function fragments(view, start, end) {
  return pieces(start, end, view.spans, view.parts[view.hand]).map(([from, to, inside, hand]) => {
    const name = [inside && "sr-an-span", hand && "sr-an-hand"].filter(Boolean).join(" ");
    const text = visible(view.text.slice(from, to));
    return h(inside ? "mark" : "span", { class: name, dataset: { start: String(from) } }, text);
  });
}

function fillRow(view, body, rank, content) {
  const { tables, row } = view.tables.get(rank);
  const { template, numbers } = tables.columns(row);
  body.classList.add("sr-an-cells");
  body.style.gridTemplateColumns = template;
  const cells = tables.cells(row).map(({ text, column }) => {
    const name = numbers.has(column) ? "sr-an-cell sr-an-number" : "sr-an-cell";
    return h("span", { class: name, style: { gridColumn: String(column + 1) } }, content(text));
  });
  replace(body, cells);
}

// rank of a row -> the tables of what is shown, and its place in them: those want a table before its rows.
function tablesIn(blocks) {
  const byTable = new Map();
  blocks.forEach((block, rank) => {
    if (!block.columns) return;
    if (!byTable.has(block.table)) byTable.set(block.table, []);
    byTable.get(block.table).push(rank);
  });
  const found = new Map();
  for (const ranks of byTable.values()) {
    const rows = [null, ...ranks.map((rank) => blocks[rank])];
    const links = { tables: rows.map((row) => (row ? 0 : -1)) };
    const state = { document: { n: rows.length, cells: (i) => rows[i].columns }, reading: { links } };
    const tables = tablesOf(state, (i) => rows[i].text);
    ranks.forEach((rank, place) => found.set(rank, { tables, row: place + 1 }));
  }
  return found;
}

function settle(view) {
  const { element, column, hereElement, card } = view;
  if (!card || !element.clientHeight) return;
  const height = element.clientHeight;
  // A block that does not fit below moves up, but never so far that nothing is left of what stands before it.
  const room = height - hereElement.offsetHeight - 24;
  const top = Math.round(Math.max(LEAST_ABOVE, Math.min(HEIGHT_OF_BLOCK * height, room)));
  // Room that stays as it is costs the browser no second layout of all that is shown.
  if (view.room !== `${top} ${height}`) {
    view.room = `${top} ${height}`;
    column.style.paddingTop = `${top}px`;
    column.style.paddingBottom = `${height}px`;
  }
  element.scrollTop = hereElement.offsetTop - top;
}

function setSpans(view, spans) {
  if (!view.card) return;
  view.spans = unitsOf(view, spans);
  drawHere(view);
}

function changed(view, spans) {
  view.spans = spans;
  drawHere(view);
  view.onSpans(pointsOf(view, spans));
}

function selected(view) {
  const selection = getSelection();
  if (!view.card || !selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0).cloneRange();
  if (!range.intersectsNode(view.here)) return;
  const whole = document.createRange();
  whole.selectNodeContents(view.here);
  const before = range.compareBoundaryPoints(Range.START_TO_START, whole);
  const behind = range.compareBoundaryPoints(Range.END_TO_END, whole);
  const start = before < 0 ? 0 : unitAt(view, range.startContainer, range.startOffset);
  const end = behind > 0 ? view.text.length : unitAt(view, range.endContainer, range.endOffset);
  const found = trimmed(view.text, [start, end]);
  selection.removeAllRanges();
  if (found) changed(view, toggled(view.spans, found));
}

// Where a place in the page stands in the text of the block, in UTF-16 units.
function unitAt(view, node, offset) {
  if (node.nodeType === Node.TEXT_NODE) {
    const fragment = node.parentElement.closest("[data-start]");
    return fragment ? Number(fragment.dataset.start) + offset : 0;
  }
  const next = [...view.here.querySelectorAll("[data-start]")].find((fragment) => {
    const place = document.createRange();
    place.setStart(node, offset);
    return place.comparePoint(fragment, 0) >= 0;
  });
  return next ? Number(next.dataset.start) : view.text.length;
}

// A click on a mark takes it away; the end of a selection is no click.
function clicked(view, event) {
  if (!getSelection().isCollapsed) return;
  const fragment = event.target.closest?.("mark[data-start]");
  if (!fragment || !view.here?.contains(fragment)) return;
  const at = Number(fragment.dataset.start);
  changed(view, view.spans.filter(([start, end]) => at < start || at >= end));
}

function step(view, by) {
  if (!view.card || !view.parts.length) return;
  const last = view.parts.length - 1;
  view.hand = view.hand < 0 ? (by > 0 ? 0 : last) : Math.min(last, Math.max(0, view.hand + by));
  drawHere(view);
  view.here.querySelector(".sr-an-hand")?.scrollIntoView({ block: "nearest" });
}

function mark(view) {
  if (!view.card || !view.parts.length) return;
  if (view.hand < 0) view.hand = 0;
  changed(view, toggled(view.spans, view.parts[view.hand]));
}
