// What one view of a document knows: the document, the reading as it is painted now, and what is folded.

import { i32, u32 } from "../shared/bytes.js";
import { cutAt, nearBand, nearBlocks, spreadOf } from "./document_margins.js";
import { HAS_TEXT, KINDS, SKIPPED, documentOf, readingOf } from "../shared/reading.js";

const MOST_TOP_SECTIONS = 40;
const FEWEST_FOLDED = 2;

// { document, reading, spread, at, near, folded, opened }; `folded[i]` is the first block of the folded run that block
// i is in, or -1 where it is shown.
export function stateOf(model) {
  const document = documentOf(model);
  document.cells = cellsOf(model, document.n);
  document.starts = sectionStarts(document);
  document.sizes = sizesOf(model, document.n);
  const state = { document, opened: new Uint8Array(document.n) };
  takeReading(state, readingOf(model));
  return state;
}

export function takeReading(state, reading) {
  state.reading = reading;
  state.spread = spreadOf(reading);
  takeDecision(state, {});
}

// `decision` is what a moving slider makes of the cut, as far as it differs from what the kernel has confirmed.
export function takeDecision(state, decision) {
  const reading = state.reading;
  for (const name of ["status", "line", "cut", "offset"]) {
    if (decision[name] !== undefined) reading[name] = decision[name];
  }
  state.at = cutAt(reading);
  state.near = nearBlocks(reading, state.at, nearBand(state.spread, state.at));
  fold(state);
}

// A run of skipped blocks is folded if nothing in it needs to be seen; the top sections of a document part runs.
export function fold(state) {
  const { document, reading, near, opened, labelled } = state;
  const folded = new Int32Array(document.n).fill(-1);
  let first = -1;
  let texts = 0;
  const end = (last) => {
    if (first >= 0 && texts >= FEWEST_FOLDED) folded.fill(first, first, last);
    first = -1;
    texts = 0;
  };
  for (let i = 0; i < document.n; i++) {
    const seen = reading.status[i] !== SKIPPED || near[i] || reading.gold[i] || opened[i] || labelled?.[i];
    if (seen || document.starts[i]) end(i);
    if (seen) continue;
    if (first < 0) first = i;
    if (reading.flags[i] & HAS_TEXT) texts += 1;
  }
  end(document.n);
  state.folded = folded;
}

// The run of a folded block: [first, last + 1).
export function runOf(state, block) {
  const first = state.folded[block];
  let last = first;
  while (last < state.document.n && state.folded[last] === first) last += 1;
  return [first, last];
}

// The opened blocks around a block that could be folded again: [first, last + 1), empty where there are none.
export function openedAround(state, block) {
  let first = block;
  while (first > 0 && state.opened[first - 1] && !state.document.starts[first]) first -= 1;
  let last = block;
  while (last < state.document.n && state.opened[last] && (last === block || !state.document.starts[last])) last += 1;
  return [first, last];
}

export const kindOf = (document, i) => KINDS[document.kinds[i]] ?? "paragraph";

export const hasText = (state, i) => (state.reading.flags[i] & HAS_TEXT) !== 0;

// Whether a block stands on a line of its own now, or stands for a folded run.
export const isRow = (state, i) => (state.folded[i] === -1 ? hasText(state, i) : state.folded[i] === i);

// The titles above a block, nearest first, as block ids.
export function sectionsOf(document, block) {
  const found = [];
  for (let at = document.parents[block]; at >= 0 && found.length < 32; at = document.parents[at]) found.push(at);
  return found;
}

function sectionStarts(document) {
  const starts = new Uint8Array(document.n);
  const top = [];
  let level = Infinity;
  for (let i = 0; i < document.n; i++) if (document.kinds[i] === 0) level = Math.min(level, document.levels[i]);
  for (let i = 0; i < document.n; i++) if (document.kinds[i] === 0 && document.levels[i] === level) top.push(i);
  if (top.length <= MOST_TOP_SECTIONS) for (const i of top) starts[i] = 1;
  return starts;
}

function cellsOf(model, n) {
  const columns = i32(model.get("cells"));
  const counts = u32(model.get("cell_counts"));
  const first = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) first[i + 1] = first[i] + (counts[i] ?? 0);
  return (i) => columns.subarray(first[i], first[i + 1]);
}

// Bytes of each block's text: what its height is guessed from before it is drawn.
function sizesOf(model, n) {
  const offsets = u32(model.get("offsets"));
  const sizes = new Uint32Array(n);
  for (let i = 0; i < n; i++) sizes[i] = (offsets[i + 1] ?? 0) - (offsets[i] ?? 0);
  return sizes;
}
