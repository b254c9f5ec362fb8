// Where a priority stands between left and right. Evidence is rare, so calibrated probabilities crowd near 0: on the
// cube root of the value 0.01 and 0.65 can both be aimed at.

export const STOPS = 400;

export const placeOf = (value) => Math.cbrt(Math.min(1, Math.max(0, value)));
export const stopOf = (value) => Math.round(STOPS * placeOf(value));

// The value of a place, rounded to what can be told apart there.
export function valueAt(place) {
  const value = Math.min(1, Math.max(0, place)) ** 3;
  return Number(value.toFixed(digitsOf(value)));
}

export const digitsOf = (value) => (value < 0.01 ? 4 : value < 0.2 ? 3 : 2);

// A value as short as it can be read back.
export const short = (value) => String(Number(value.toFixed(4)));

export const TICKS = [0, 0.01, 0.1, 0.3, 0.65, 1];
