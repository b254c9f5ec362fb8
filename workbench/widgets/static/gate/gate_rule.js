// A rule of the gate: the same arithmetic as workbench/gate/margin.py, to the last bit.

export const NATIVE = 0;
export const ADVISORY = 1;
export const FORCE = 2;
export const ROUTES = ["native", "advisory", "force"];

const SUM_ERROR = 1e-9;
export const STEP = 0.001;
const DIGITS = 1e4;
const LEAST_WEIGHT = 0.0001;

// Weights as GateWeights keeps them: as they are where they sum to one up to rounding, else scaled, largest first.
export function scaled(weights) {
  const largest = Math.max(...weights);
  const total = largest <= 1 ? exactSum(weights) : exactSum(weights.map((weight) => weight / largest)) * largest;
  if (!(Math.abs(total - 1) > SUM_ERROR)) return [...weights];
  const parts = weights.map((weight) => weight / largest);
  const whole = exactSum(parts);
  return parts.map((part) => part / whole);
}

// The sum that is nearest to the true one (Shewchuk 1997), as math.fsum has it.
function exactSum(values) {
  const partials = [];
  for (let x of values) {
    let kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    partials.push(x);
  }
  return rounded(partials);
}

function rounded(partials) {
  let at = partials.length;
  if (!at) return 0;
  let high = partials[--at];
  let low = 0;
  while (at > 0) {
    const x = high;
    const y = partials[--at];
    high = x + y;
    low = y - (high - x);
    if (low) break;
  }
  // Half way between two floats the smaller partials decide.
  if (at > 0 && ((low < 0 && partials[at - 1] < 0) || (low > 0 && partials[at - 1] > 0))) {
    const twice = low * 2;
    const x = high + twice;
    if (twice === x - high) high = x;
  }
  return high;
}

// One weight moved; the others keep their ratio, and all sum to one. In four digits, so that a person can type them.
export function withWeight(weights, which, value) {
  const others = [0, 1, 2].filter((other) => other !== which);
  const before = weights[others[0]] + weights[others[1]];
  const most = 1 - 2 * LEAST_WEIGHT;
  const moved = digits(Math.min(most, Math.max(LEAST_WEIGHT, value)));
  const left = 1 - moved;
  const first = clamp(digits((weights[others[0]] / before) * left), LEAST_WEIGHT, digits(left - LEAST_WEIGHT));
  const found = [0, 0, 0];
  found[which] = moved;
  found[others[0]] = first;
  found[others[1]] = digits(left - first);
  return found;
}

// One threshold moved; native stays below force.
export function withThreshold(rule, which, value) {
  if (which === "native") return { native: value, force: rule.force > value ? rule.force : digits(value + STEP) };
  return { native: rule.native < value ? rule.native : digits(value - STEP), force: value };
}

const digits = (value) => Math.round(value * DIGITS) / DIGITS;
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

// The margin of every request, whether a constraint holds or not.
export function marginsOf(outcomes, weights, into = new Float64Array(outcomes.n)) {
  const [ws, wc, wr] = weights;
  const { s, c, r } = outcomes;
  for (let i = 0; i < into.length; i += 1) into[i] = ws * s[i] - wc * c[i] - wr * r[i];
  return into;
}

// The route of every request; native under a hard constraint.
export function routesOf(outcomes, margins, { native, force }, into = new Uint8Array(outcomes.n)) {
  const { free } = outcomes;
  for (let i = 0; i < into.length; i += 1) {
    const b = margins[i];
    into[i] = free[i] ? (b > native ? 1 : 0) + (b >= force ? 1 : 0) : NATIVE;
  }
  return into;
}

export const equalRules = (a, b) =>
  a.native === b.native && a.force === b.force && a.weights.every((weight, i) => weight === b.weights[i]);
