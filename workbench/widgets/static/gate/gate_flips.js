// Which value of one signal alone would change a request's route: the same as workbench/gate/explanation.py.

import { ADVISORY, FORCE, NATIVE, ROUTES } from "./gate_rule.js";

const SIGNALS = ["s", "c", "r"];
const SIGNS = [1, -1, -1];
const NARROW = 0.001;
const MOST_DIGITS = 9;
const NOISE = 12;

const marginOf = ([s, c, r], [ws, wc, wr]) => ws * s - wc * c - wr * r;
const routeOf = (b, { native, force }) => (b > native ? 1 : 0) + (b >= force ? 1 : 0);

// [{ signal, route, value, side, shown, now }], from the nearest other route to the farthest; `value` is null where no
// value from 0 to 1 does it. None under a constraint.
export function flipsOf(signals, rule, free) {
  if (!free) return [];
  const b = marginOf(signals, rule.weights);
  const here = routeOf(b, rule);
  const others = [NATIVE, ADVISORY, FORCE]
    .filter((route) => route !== here && (route !== ADVISORY || !(rule.force - rule.native < NARROW)))
    .sort((a, z) => Math.abs(a - here) - Math.abs(z - here) || z - a);
  return others.flatMap((route) => SIGNALS.map((signal, column) => flip(signals, rule, { b, here, route, column })));
}

// The flip that needs the smallest change of a signal; null if there is none.
export function nearestFlip(signals, rule, free) {
  const possible = flipsOf(signals, rule, free).filter((found) => found.value !== null);
  const far = (found) => Math.abs(found.value - signals[SIGNALS.indexOf(found.signal)]);
  return possible.reduce((best, found) => (best === null || far(found) < far(best) ? found : best), null);
}

function flip(signals, rule, { b, here, route, column }) {
  const rises = route > here;
  const threshold = thresholdOf(rule, route, rises);
  const up = rises === SIGNS[column] > 0;
  const found = { signal: SIGNALS[column], route: ROUTES[route], value: null, side: "" };
  const changed = [...signals];
  changed[column] = up ? 1 : 0;
  const code = routeOf(marginOf(changed, rule.weights), rule);
  if (rises ? code < route : code > route) return found;
  const now = signals[column];
  const value = Math.min(1, Math.max(0, now + (SIGNS[column] * (threshold - b)) / rule.weights[column]));
  const strict = route === ADVISORY;
  const side = up ? (strict ? "above" : "at least") : strict ? "below" : "at most";
  return { ...found, value, side, ...inWords(value, now, up) };
}

// Advisory begins beyond the threshold that the request is held by.
function thresholdOf(rule, route, rises) {
  if (route === FORCE) return rule.force;
  if (route === NATIVE) return rule.native;
  return rises ? rule.native : rule.force;
}

// Both numbers as they are read, the first rounded to the side that still flips; as many digits as tell them apart.
function inWords(value, now, up) {
  const exact = Number(value.toFixed(NOISE));
  const way = Math.abs(exact - now);
  let digits = 2;
  let shown = toSide(exact, digits, up);
  while (digits < MOST_DIGITS && Math.abs(shown - exact) * 4 > way && way > 1e-9) {
    digits += 1;
    shown = toSide(exact, digits, up);
  }
  return { shown: shown.toFixed(digits), now: now.toFixed(digits) };
}

function toSide(value, digits, up) {
  const scale = 10 ** digits;
  const near = Math.round(value * scale) / scale;
  if (Math.abs(near - value) < 1e-11) return near;
  return (up ? Math.ceil(value * scale) : Math.floor(value * scale)) / scale;
}
