// Where the keys lead: pure functions of what is shown.

import { isRow } from "./document_state.js";
import { HAS_TEXT, SKIPPED } from "../shared/reading.js";

// The next row (a block or a folded run) in a direction, or where it was.
export function nextRow(state, from, step) {
  const inRun = from >= 0 ? state.folded[from] : -1;
  for (let i = from + step; i >= 0 && i < state.document.n; i += step) {
    const run = state.folded[i];
    if (run !== -1 && run === inRun) continue;
    if (run !== -1) return run;
    if (isRow(state, i)) return i;
  }
  return from;
}

// The next block that is kept (or skipped), whatever is folded; it goes on at the other end.
export function nextOf(state, from, step, kept) {
  const { n } = state.document;
  for (let k = 1, i = from; k <= n; k++) {
    i = (i + step + n) % n;
    const isKept = state.reading.status[i] !== SKIPPED;
    if (state.reading.flags[i] & HAS_TEXT && isKept === kept) return i;
  }
  return -1;
}

// The blocks by their distance from the cut, nearest first; the one behind `from` in that order.
export function nearestNext(state, from) {
  if (Number.isNaN(state.at)) return -1;
  const distance = (i) => Math.abs(state.reading.priority[i] - state.at);
  let best = -1;
  let nearest = -1;
  for (let i = 0; i < state.document.n; i++) {
    if (!(state.reading.flags[i] & HAS_TEXT)) continue;
    if (nearest < 0 || distance(i) < distance(nearest)) nearest = i;
    if (from < 0 || i === from || !behind(distance, i, from)) continue;
    if (best < 0 || behind(distance, best, i)) best = i;
  }
  return best >= 0 ? best : nearest;
}

const behind = (distance, i, other) => distance(i) > distance(other) || (distance(i) === distance(other) && i > other);

export function firstRow(state) {
  return nextRow(state, -1, 1);
}

export function lastRow(state) {
  for (let i = state.document.n - 1; i >= 0; i--) {
    if (state.folded[i] !== -1) return state.folded[i];
    if (isRow(state, i)) return i;
  }
  return -1;
}
