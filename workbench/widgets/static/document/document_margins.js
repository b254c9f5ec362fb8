// Where blocks stand to the cut: margins, what is near it, and how long a bar is.
//
// A block is near if its margin is at most an eighth of the distance between the median priority of the blocks over the
// cut and the median priority of as many blocks, the best ones, under it: near follows the spread around the cut.

import { HAS_TEXT, SKIPPED } from "../shared/reading.js";

const NEAR_SHARE = 1 / 8;
const FEWEST = 8;
const LEAST_REACH = 0.02;

// What stays while a cut moves: priorities of the blocks with text, falling, and the margin that fills half a bar.
export function spreadOf(reading) {
  const found = [];
  for (let i = 0; i < reading.n; i++) if (reading.flags[i] & HAS_TEXT) found.push(reading.priority[i]);
  const falling = Float64Array.from(found).sort().reverse();
  const at = (share) => falling[Math.min(falling.length - 1, Math.floor(share * falling.length))] ?? 0;
  return { falling, reach: Math.max(LEAST_REACH, (at(0.02) - at(0.5)) / 2) };
}

// What is compared with priorities; NaN without a threshold.
export function cutAt(reading) {
  if (reading.line === null || reading.line === undefined) return NaN;
  const moved = reading.cut.kind === "threshold" && reading.scale === "calibrated";
  return reading.line + (moved ? reading.offset : 0);
}

// The greatest distance from the cut that is near it; -1 without a threshold.
export function nearBand({ falling }, at) {
  if (Number.isNaN(at) || !falling.length) return -1;
  const over = countOver(falling, at);
  const size = Math.max(over, FEWEST);
  const high = over ? falling[over >> 1] : at;
  const low = falling[Math.min(falling.length - 1, over + (size >> 1))];
  return Math.max(0, NEAR_SHARE * (high - Math.min(low, at)));
}

// 1 for each block that is near the cut.
export function nearBlocks(reading, at, band) {
  const near = new Uint8Array(reading.n);
  if (band < 0) return near;
  for (let i = 0; i < reading.n; i++) {
    near[i] = reading.flags[i] & HAS_TEXT && Math.abs(reading.priority[i] - at) <= band ? 1 : 0;
  }
  return near;
}

// A margin as a part of a bar's half, in (-1, 1).
export const barOf = (margin, reach) => (Number.isFinite(margin) ? margin / (Math.abs(margin) + reach) : 0);

export const isLost = (reading, i) => reading.gold[i] === 1 && reading.status[i] === SKIPPED;

function countOver(falling, at) {
  let [low, high] = [0, falling.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (falling[middle] >= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
