// A calculation with as many decimals as make it right when a person does it again.

import { fixed, signed } from "../shared/numbers.js";

const [FEWEST, MOST] = [2, 9];
const SMALL = 0.1;

const rounded = (value, digits) => Number(value.toFixed(digits));
const same = (a, b, digits) => a.toFixed(digits) === b.toFixed(digits) || Math.abs(a - b) < 1e-12;

// relevance x weight = priority, priority - cut = margin; the last line is absent without a cut. Returns
// { factors, priority, line, margin } as texts.
export function sumOf({ relevance, weight, priority, threshold, offset }) {
  const hasCut = Number.isFinite(threshold);
  const cut = hasCut ? threshold + offset : NaN;
  let digits = Math.min(priority, hasCut ? Math.abs(cut) : priority) < SMALL ? FEWEST + 1 : FEWEST;
  while (digits < MOST && !checks(relevance, weight, priority, cut, digits)) digits += 1;
  const moved = hasCut && offset !== 0;
  return {
    factors: `${fixed(relevance, digits + 1)} × ${short(weight)}`,
    priority: fixed(priority, digits),
    line: hasCut ? fixed(cut, digits) : "",
    // The offset is a line of its own, so that the cut can be checked too.
    moved: moved ? `${fixed(threshold, digits)} ${offset < 0 ? "\u2212" : "+"} ${fixed(Math.abs(offset), digits)}` : "",
    margin: hasCut ? signed(priority - cut, digits) : "",
  };
}

function checks(relevance, weight, priority, cut, digits) {
  if (!same(rounded(relevance, digits + 1) * rounded(weight, 4), priority, digits)) return false;
  if (Number.isNaN(cut)) return true;
  const margin = priority - cut;
  if (margin !== 0 && rounded(margin, digits) === 0) return false;
  return same(rounded(priority, digits) - rounded(cut, digits), margin, digits);
}

// A number without zeros at its end, at least one decimal.
export function short(value) {
  const text = fixed(value, 4).replace(/0+$/, "");
  return text.endsWith(".") ? `${text}0` : text;
}

// Parts that add up: [{ name, shown }], and their sum.
export function partsOf(parts, sum) {
  let digits = FEWEST;
  const adds = () => same(parts.reduce((all, part) => all + rounded(part.value, digits), 0), sum, digits);
  while (digits < 5 && !adds()) digits += 1;
  return { parts: parts.map(({ name, value }) => ({ name, shown: signed(value, digits) })), sum: fixed(sum, digits) };
}
