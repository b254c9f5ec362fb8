// What a presenter walks through, and what has been read and skipped on the way: pure functions of a reading.

import { hasText, kindOf } from "../document/document_state.js";
import { CONTEXT, SKIPPED } from "../shared/reading.js";

// Of UTF-8: what is longer is walked through in more than one step.
const LONGEST_BYTES = 500;

// Kept blocks that follow each other, as far as they are looked at together: [{ first, last }], `last` exclusive. What
// is only context is passed on the way to what it belongs to.
export function passagesOf(state) {
  const { document, reading } = state;
  const found = [];
  let open = null;
  for (let i = 0; i < document.n; i += 1) {
    if (!hasText(state, i)) continue;
    if (reading.status[i] === SKIPPED) {
      open = null;
      continue;
    }
    const isHeading = kindOf(document, i) === "heading";
    if (!open || open.bytes > LONGEST_BYTES || (isHeading && open.said)) {
      open = { first: i, last: i, bytes: 0, said: false, own: false };
      found.push(open);
    }
    open.last = i + 1;
    open.bytes += document.sizes[i];
    open.said ||= !isHeading;
    open.own ||= reading.status[i] !== CONTEXT;
  }
  return found.filter(({ own }) => own).map(({ first, last }) => ({ first, last }));
}

// Skipped blocks that follow each other: [{ first, last, blocks, tokens, gold }].
export function runsOf(state) {
  const { document, reading } = state;
  const found = [];
  let open = null;
  for (let i = 0; i < document.n; i += 1) {
    if (!hasText(state, i)) continue;
    if (reading.status[i] !== SKIPPED) {
      open = null;
      continue;
    }
    if (!open) found.push((open = { first: i, last: i, blocks: 0, tokens: 0, gold: 0 }));
    open.last = i + 1;
    open.blocks += 1;
    open.tokens += reading.tokens[i];
    open.gold += reading.gold[i] === 1 ? 1 : 0;
  }
  return found;
}

// Tokens read and gone by before each block: { read, passed } with n + 1 entries, and { kept, total }.
//
// A follow-up keeps sentences of a block and not all of it: the kernel's sum is spread over the blocks then. While a
// cut moves, its sum is that of another cut.
export function sumsOf(state) {
  const { reading } = state;
  const read = new Float64Array(reading.n + 1);
  const passed = new Float64Array(reading.n + 1);
  for (let i = 0; i < reading.n; i += 1) {
    read[i + 1] = read[i] + (reading.status[i] === SKIPPED ? 0 : reading.tokens[i]);
    passed[i + 1] = passed[i] + reading.tokens[i];
  }
  const whole = read[reading.n];
  const kept = reading.bound === "focus" && !state.moving ? reading.figures.tokens_kept : whole;
  if (whole > 0 && kept !== whole) for (let i = 0; i <= reading.n; i += 1) read[i] *= kept / whole;
  return { read, passed, kept, total: passed[reading.n] };
}
