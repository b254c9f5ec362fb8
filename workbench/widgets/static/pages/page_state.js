// What one view of the pages knows: where pages and blocks are, the reading as painted now, and the block at hand.

import { f32 } from "../shared/bytes.js";
import { barOf, cutAt, isLost, nearBand, nearBlocks, spreadOf } from "../document/document_margins.js";
import { HAS_TEXT, SKIPPED, documentOf, marginOf, readingOf } from "../shared/reading.js";

const STATUS = ["skipped", "kept", "pinned", "context"];

// Longest side of a page in PDF, in points: what claims more is shown as if it had this.
const MOST_SIDE = 14400;

export function stateOf(model) {
  const document = documentOf(model);
  const sizes = f32(model.get("sizes"));
  const labels = model.get("labels");
  const pages = [];
  for (let i = 0; 2 * i < sizes.length; i++) pages.push(pageOf(i + 1, sizes[2 * i], sizes[2 * i + 1], labels[i] ?? ""));
  const state = { document, pages, tops: f32(model.get("tops")), selected: model.get("selected") };
  takeReading(state, readingOf(model));
  return state;
}

function pageOf(number, width, height, label) {
  return { number, width, height, label, across: Math.min(width, MOST_SIDE), down: Math.min(height, MOST_SIDE) };
}

export function takeReading(state, reading) {
  state.reading = reading;
  state.spread = spreadOf(reading);
  takeDecision(state, {});
}

// `decision` is what a moving slider makes of the cut, as far as it differs from what the kernel has confirmed.
export function takeDecision(state, decision) {
  for (const name of ["status", "line", "cut", "offset"]) {
    if (decision[name] !== undefined) state.reading[name] = decision[name];
  }
  state.at = cutAt(state.reading);
  state.near = nearBlocks(state.reading, state.at, nearBand(state.spread, state.at));
}

// The width that most pages have, in points: what is fitted.
export function usualWidth(state) {
  const widths = state.pages.filter((page) => page.width > 0).map((page) => page.across);
  widths.sort((a, b) => a - b);
  return widths[widths.length >> 1] ?? 0;
}

export const hasGeometry = (state) => state.pages.some((page) => page.width > 0);

export const statusOf = (state, block) => STATUS[state.reading.status[block]] ?? "skipped";

// Names of classes: the status, then what else is to be seen of a block.
export function marksOf(state, block) {
  if (!(state.reading.flags[block] & HAS_TEXT)) return ["bare"];
  const marks = [statusOf(state, block)];
  if (state.near[block]) marks.push("near");
  if (state.reading.gold[block]) marks.push(isLost(state.reading, block) ? "lost" : "gold");
  return marks;
}

// How far a block is over the cut, in sixteenths of a whole bar; 0 for one under it.
export function strengthOf(state, block) {
  const margin = state.reading.priority[block] - state.at;
  return Math.max(0, Math.round(16 * barOf(margin, state.spread.reach)));
}

export const marginOn = (state, block) => marginOf(state.reading, block);

// The next block with a place on a page, in a direction; -1 if there is none.
export function nextBlock(state, from, step, keptOnly) {
  const { n } = state.document;
  for (let i = from < 0 && step < 0 ? n - 1 : from + step; i >= 0 && i < n; i += step) {
    const stands = !Number.isNaN(state.tops[i]) && state.reading.flags[i] & HAS_TEXT;
    if (stands && (!keptOnly || state.reading.status[i] !== SKIPPED)) return i;
  }
  return -1;
}
