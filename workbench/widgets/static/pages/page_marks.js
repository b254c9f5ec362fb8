// The boxes over one page, in points of the page: one group a rectangle, whose class says what the reading makes of it.

import { h, s, write } from "../shared/dom.js";
import { fixed, signed } from "../shared/numbers.js";
import { marginOn, marksOf, statusOf, strengthOf } from "./page_state.js";

const PAD = 2;
const BAR = 2.4;
const BAR_GAP = 4;
const MARK = 4;
const LARGEST_TEXT = 28;
const SMALLEST_TEXT = 5;
const LINE = 1.2;

// Returns { element, texts, paint() }; `page` is one of `state.pages`.
export function marksOver(view, page, blocks, boxes, texts) {
  const element = s("svg", {
    class: "sr-page-marks",
    viewBox: `0 0 ${page.width} ${page.height}`,
    preserveAspectRatio: "none",
    role: "group",
  });
  const lefts = leftsOf(view.state, blocks, boxes);
  const boxOf = (rank) => boxes.subarray(4 * rank, 4 * rank + 4);
  const groups = Array.from(blocks, (block, rank) => groupOf(block, boxOf(rank), lefts[rank]));
  const frames = s("g", { class: "sr-page-frames" });
  element.append(...groups, frames);
  element.addEventListener("pointerover", (event) => describe(view, event.target));
  const paint = () => {
    for (const group of groups) paintGroup(view, group);
    frames.replaceChildren(...framesOf(view, blocks, boxes));
    element.setAttribute("aria-label", countsOf(view, page, blocks));
  };
  paint();
  return { element, texts: texts.map((text, rank) => textOver(page, boxOf(rank), text)), paint };
}

// Where the bar of each box stands: the rows of a table have theirs below each other, however empty a row begins.
function leftsOf({ reading }, blocks, boxes) {
  const lefts = new Map();
  const tables = Array.from(blocks, (block) => reading.links.tables[block]);
  tables.forEach((table, rank) => lefts.set(table, Math.min(lefts.get(table) ?? Infinity, boxes[4 * rank])));
  return tables.map((table, rank) => (table < 0 ? boxes[4 * rank] : lefts.get(table)));
}

function groupOf(block, [x0, top, x1, bottom], left) {
  const [width, height] = [Math.max(1, x1 - x0), Math.max(1, bottom - top)];
  const tall = { y: top - PAD, height: height + 2 * PAD };
  const bar = left - PAD - BAR_GAP - BAR;
  const group = s(
    "g",
    { "data-block": block },
    s("rect", { class: "sr-box-area", x: x0 - PAD, width: width + 2 * PAD, rx: 2, ...tall }),
    s("rect", { class: "sr-box-bar", x: bar, width: BAR, rx: 1, ...tall }),
    s("path", { class: "sr-box-mark", d: diamond(bar - BAR - MARK, top + Math.min(height / 2, 8)) }),
  );
  group.said = "";
  return group;
}

export const diamond = (x, y) => `M${x - MARK} ${y}L${x} ${y - MARK}L${x + MARK} ${y}L${x} ${y + MARK}Z`;

function paintGroup(view, group) {
  const block = Number(group.dataset.block);
  const marks = marksOf(view.state, block);
  const strength = strengthOf(view.state, block);
  const said = `${marks.join(" ")}|${strength}`;
  if (said === group.said) return;
  group.said = said;
  group.setAttribute("class", ["sr-box", ...marks.map((name) => `sr-box-${name}`)].join(" "));
  group.style.setProperty("--sr-strength", String(strength / 16));
}

function framesOf({ state }, blocks, boxes) {
  const found = [];
  blocks.forEach((block, rank) => {
    if (block !== state.selected) return;
    const [x0, top, x1, bottom] = boxes.subarray(4 * rank, 4 * rank + 4);
    const size = { x: x0 - 2 * PAD, y: top - 2 * PAD, width: x1 - x0 + 4 * PAD, height: bottom - top + 4 * PAD, rx: 3 };
    found.push(s("rect", { class: "sr-box-frame", ...size }));
  });
  return found;
}

function countsOf({ state, t }, page, blocks) {
  const own = new Set(Array.from(blocks).filter((block) => marksOf(state, block)[0] !== "bare"));
  const kept = [...own].filter((block) => statusOf(state, block) !== "skipped").length;
  return t("page.counts", { title: titleOf(page, t), kept, count: own.size });
}

export function titleOf(page, t) {
  return t(page.label ? "page.called" : "page.title", { page: page.number, label: page.label });
}

// "block 17, page 3: kept, margin +0.12": for the pointer that rests on a box, and for who listens.
export function sentenceOf({ state, t }, block) {
  const said = [t(`status.${statusOf(state, block)}`)];
  if (state.reading.gold[block]) said.push(t("page.gold"));
  else if (state.near[block]) said.push(t("page.near"));
  const values = { block, page: state.document.pages[block], status: said.join(", ") };
  const margin = marginOn(state, block);
  if (!Number.isFinite(margin)) return t("page.block", values);
  return t("page.block.margin", { ...values, margin: signed(margin, 2) });
}

function describe(view, target) {
  const group = target.closest?.("[data-block]");
  if (!group) return;
  if (!group.querySelector("title")) group.prepend(s("title"));
  write(group.querySelector("title"), sentenceOf(view, Number(group.dataset.block)));
}

// The text of a box on a page that has no picture of it, as large as fits.
function textOver(page, [x0, top, x1, bottom], text) {
  const [width, height] = [Math.max(1, x1 - x0), Math.max(1, bottom - top)];
  const share = (part, whole) => `${fixed((100 * part) / whole, 3)}%`;
  const style = { left: share(x0, page.width), top: share(top, page.height), width: share(width, page.width) };
  const all = { ...style, height: share(height, page.height) };
  const element = h("div", { class: "sr-page-text", dir: "auto", style: all }, text);
  element.style.setProperty("--sr-size", String(sizeFor(text, width, height)));
  return element;
}

// Latin letters are about half as wide as they are high, Chinese ones are square.
function sizeFor(text, width, height) {
  let ems = 0;
  for (const letter of text) ems += letter.codePointAt(0) < 0x2e80 ? 0.52 : 1;
  let size = LARGEST_TEXT;
  while (size > SMALLEST_TEXT && Math.ceil((ems * size) / width) * LINE * size > height) size -= 1;
  return size;
}
