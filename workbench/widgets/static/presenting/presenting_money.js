// What tokens cost under the prices that somebody assumes; workbench/report/prices.py reckons the same.

const MILLION = 1e6;
const MINUS = "\u2212";

// What is assumed, as a person may change it in place.
export function assumedOf(prices) {
  const { per_million: perMillion } = prices.models[prices.shown];
  return { perMillion, perDay: prices.requests_per_day, days: prices.days_per_year, currency: prices.currency };
}

// Of so many tokens in each request of a day, and of a year.
export const dayOf = (tokens, { perMillion, perDay }) => ((tokens * perMillion) / MILLION) * perDay;
export const yearOf = (tokens, assumed) => dayOf(tokens, assumed) * assumed.days;

// Fewer decimals the larger it is; below a tenth the first two digits that say something.
export function amount(value) {
  const size = Math.abs(value);
  if (size < 1e-9) return "0";
  const places = size >= 100 ? 0 : size >= 1 ? 2 : 1 - Math.floor(Math.log10(size));
  const options = { minimumFractionDigits: Math.min(2, places), maximumFractionDigits: Math.min(20, places) };
  const text = new Intl.NumberFormat("en-US", options).format(size);
  return value < 0 ? `${MINUS}${text}` : text;
}
