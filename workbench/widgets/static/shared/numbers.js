// Numbers as they are read: thousands apart, a true minus sign, percents with a thin distance.

const counts = new Intl.NumberFormat("en-US");
const MINUS = "\u2212";

const minus = (text) => text.replace("-", MINUS);

export const count = (value) => minus(counts.format(Math.round(value)));
export const fixed = (value, digits = 2) => (Number.isFinite(value) ? minus(value.toFixed(digits)) : "–");
export const percent = (share, digits = 1) => (Number.isFinite(share) ? `${fixed(100 * share, digits)} %` : "–");

export function signed(value, digits = 2) {
  if (!Number.isFinite(value)) return "–";
  const text = fixed(value, digits);
  return value < 0 ? text : `+${text}`;
}

export const between = (low, high, show) => (low == null || high == null ? "" : `${show(low)} – ${show(high)}`);
