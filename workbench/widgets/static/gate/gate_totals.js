// What a rule saves and loses on all requests, with intervals over documents: the same sums as
// workbench/calibration/{figures,baselines,bootstrap}.py, quick enough to be made at every step of a slider.

import { sum } from "./gate_outcomes.js";
import { ADVISORY, FORCE, NATIVE } from "./gate_rule.js";

const SLACK = 1e-12;
const LEAST_SHARE = 1e-6;
const TAIL = 0.025;

// Share of the sparse path of every request.
export function sharesOf(outcomes, routes, into = new Float64Array(outcomes.n)) {
  const { chance } = outcomes;
  for (let i = 0; i < into.length; i += 1) into[i] = routes[i] === FORCE ? 1 : routes[i] === ADVISORY ? chance[i] : 0;
  return into;
}

export function meanLoss(outcomes, shares) {
  let total = 0;
  for (let i = 0; i < outcomes.n; i += 1) total += shares[i] * outcomes.loss[i];
  return outcomes.n ? total / outcomes.n : 0;
}

// Share of the sparse path that the oracle takes, which knows every outcome, within a mean loss.
export function oracleShares(outcomes, allowed, into = new Float64Array(outcomes.n)) {
  const { n, gain, loss, free, costly } = outcomes;
  for (let i = 0; i < n; i += 1) into[i] = free[i] && gain[i] > 0 && !(loss[i] > 0) ? 1 : 0;
  const room = (allowed + SLACK) * n;
  let spent = 0;
  for (const i of costly) {
    const next = spent + loss[i];
    if (next > room) {
      const part = (room - spent) / loss[i];
      into[i] = part > LEAST_SHARE ? part : 0;
      break;
    }
    into[i] = 1;
    spent = next;
  }
  return into;
}

// A rule's state on all requests -> its totals: { reduction, loss, regret, regretShare } each { level, low, high },
// routed [native, advisory, force] (counts), and counts { force: [native, force], … } by the oracle's route.
export function totalsOf(outcomes, { routes, shares, oracle }) {
  const columns = columnsOf(outcomes, shares, oracle);
  const sums = columns.map(sum);
  const [requests, tokens, saved, lost, best] = sums;
  const drawn = outcomes.documentNames.length > 1 ? drawsOf(outcomes, columns) : null;
  const ratio = (part, whole) => figureOf(part(sums), whole(sums), drawn, part, whole);
  const found = {
    reduction: ratio((at) => at[2], (at) => at[1]),
    loss: ratio((at) => at[3], (at) => at[0]),
    regret: ratio((at) => at[4] - at[2], (at) => at[0]),
    regretShare: ratio((at) => at[4] - at[2], (at) => at[4]),
    ...countsOf(routes, oracle),
    requests,
    tokens,
    saved,
    best,
    documents: outcomes.documentNames.length,
  };
  if (drawn && lost <= 0) [found.loss.low, found.loss.high] = [0, possibleLoss(outcomes, shares)];
  return found;
}

function countsOf(routes, oracle) {
  const counts = { force: [0, 0], advisory: [0, 0], native: [0, 0] };
  const rows = [counts.native, counts.advisory, counts.force];
  for (let i = 0; i < routes.length; i += 1) rows[routes[i]][oracle[i] > 0 ? 1 : 0] += 1;
  return { counts, routed: rows.map(([native, force]) => native + force) };
}

// Forced though the oracle leaves it native, or the other way round; advisory is open to both.
export const isWrong = (route, oracle) => (route === FORCE && !(oracle > 0)) || (route === NATIVE && oracle > 0);

function columnsOf({ n, native, gain, loss }, shares, oracle) {
  const columns = [new Float64Array(n).fill(1), native, new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i += 1) {
    columns[2][i] = shares[i] * gain[i];
    columns[3][i] = shares[i] * loss[i];
    columns[4][i] = oracle[i] * gain[i];
  }
  return columns;
}

// Sums of drawn documents: an array of draws a column.
function drawsOf({ documents, bundles, units, draws }, columns) {
  const often = draws.length / units;
  return columns.map((column) => {
    const totals = new Float64Array(units);
    for (let i = 0; i < column.length; i += 1) totals[bundles[documents[i]]] += column[i];
    const found = new Float64Array(often);
    for (let draw = 0, at = 0; draw < often; draw += 1) {
      let total = 0;
      for (let unit = 0; unit < units; unit += 1, at += 1) total += draws[at] * totals[unit];
      found[draw] = total;
    }
    return found;
  });
}

function figureOf(part, whole, drawn, partOf, wholeOf) {
  const level = whole > 0 ? part / whole : 0;
  if (!drawn) return { level, low: null, high: null };
  const values = new Float64Array(drawn[0].length);
  let known = 0;
  for (let draw = 0; draw < values.length; draw += 1) {
    const at = drawn.map((column) => column[draw]);
    if (!(at[0] > 0)) continue;
    const all = wholeOf(at);
    values[known++] = all > 0 ? partOf(at) / all : 0;
  }
  const sorted = values.subarray(0, known).sort();
  return { level, low: quantile(sorted, TAIL), high: quantile(sorted, 1 - TAIL) };
}

// Between the two nearest values, as numpy has it.
function quantile(sorted, share) {
  if (!sorted.length) return null;
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

// The upper end where no loss was seen: documents that are read sparsely might lose, native ones cannot.
function possibleLoss({ n, documents, documentNames }, shares) {
  const read = new Float64Array(documentNames.length);
  for (let i = 0; i < n; i += 1) read[documents[i]] += shares[i];
  const some = read.reduce((count, share) => count + (share > 0 ? 1 : 0), 0);
  return some ? (1 - TAIL ** (1 / some)) * (sum(shares) / n) : 0;
}
