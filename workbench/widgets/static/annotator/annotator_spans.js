// Ranges of a text: a browser counts UTF-16 units, a label counts code points.

const SURROGATE = /[\ud800-\udfff]/;

// Returns { units(point), start(unit), end(unit) }: a range that begins or ends inside a character takes all of it.
export function counting(text) {
  if (!SURROGATE.test(text)) return { units: (at) => at, start: (at) => at, end: (at) => at };
  const units = [0];
  for (const character of text) units.push(units.at(-1) + character.length);
  const below = (unit) => {
    let [low, high] = [0, units.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (units[middle] <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    units: (point) => units[Math.min(point, units.length - 1)],
    start: below,
    end: (unit) => (units[below(unit)] === unit ? below(unit) : below(unit) + 1),
  };
}

// Spans [start, end] in rising order, those that overlap or touch as one.
export function joined(spans) {
  const found = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

// Without white space at its ends; null if nothing is left.
export function trimmed(text, [start, end]) {
  const whole = text.slice(start, end);
  const left = whole.length - whole.trimStart().length;
  const size = whole.trim().length;
  return size ? [start + left, start + left + size] : null;
}

// Takes a range out of the spans if they hold all of it, else adds it.
export function toggled(spans, [start, end]) {
  if (!spans.some(([from, to]) => from <= start && end <= to)) return joined([...spans, [start, end]]);
  const rest = spans.flatMap(([from, to]) =>
    to <= start || end <= from ? [[from, to]] : [[from, Math.max(from, start)], [Math.min(to, end), to]],
  );
  return rest.filter(([from, to]) => from < to);
}

// The pieces of a text from `start` on, each [start, end, inside a span, inside the range at hand].
export function pieces(start, end, spans, hand) {
  const edges = new Set([start, end]);
  for (const edge of (hand ? [...spans, hand] : spans).flat()) if (edge > start && edge < end) edges.add(edge);
  const ordered = [...edges].sort((a, b) => a - b);
  const within = (from, ranges) => ranges.some(([low, high]) => low <= from && from < high);
  return ordered.slice(0, -1).map((from, rank) => [
    from,
    ordered[rank + 1],
    within(from, spans),
    hand ? within(from, [hand]) : false,
  ]);
}
