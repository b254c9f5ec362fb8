// Which requests a table shows, and in which order.

import { ROUTES } from "../gate/gate_rule.js";
import { shareSaved } from "../gate/gate_outcomes.js";

const VALUES = {
  group: (state, i) => state.outcomes.groups[i],
  route: (state, i) => state.routes[i],
  b: (state, i) => state.margins[i],
  s: (state, i) => state.outcomes.s[i],
  c: (state, i) => state.outcomes.c[i],
  r: (state, i) => state.outcomes.r[i],
  tokens: (state, i) => state.outcomes.native[i],
  saved: (state, i) => state.shares[i] * shareSaved(state.outcomes, i),
  lost: (state, i) => state.lost(i),
  regret: (state, i) => state.regret(i),
};

// Places of requests; equal ones in the order of the table.
export function chosen(state, filters, hidden) {
  const { outcomes } = state;
  const wanted = filters.text.trim().toLowerCase();
  const places = [];
  for (let i = 0; i < outcomes.n; i += 1) {
    const group = outcomes.groupNames[outcomes.groups[i]];
    if (hidden.includes(group) || (filters.group && filters.group !== group)) continue;
    if (filters.route && ROUTES[state.routes[i]] !== filters.route) continue;
    if (filters.wrong && !state.wrong(i)) continue;
    if (filters.lost && !(state.lost(i) > 0)) continue;
    if (wanted && !textOf(outcomes, i).includes(wanted)) continue;
    places.push(i);
  }
  return sorted(state, filters, places);
}

function sorted(state, { order, falling }, places) {
  if (!order) return places;
  const turn = falling ? -1 : 1;
  if (order === "request") {
    const texts = new Map(places.map((i) => [i, textOf(state.outcomes, i)]));
    const compare = (a, b) => (texts.get(a) < texts.get(b) ? -1 : texts.get(a) > texts.get(b) ? 1 : 0);
    return places.sort((a, b) => turn * compare(a, b) || a - b);
  }
  const value = VALUES[order];
  const values = new Float64Array(state.outcomes.n);
  for (const i of places) values[i] = value(state, i);
  return places.sort((a, b) => turn * (values[a] - values[b]) || a - b);
}

// What a search looks in, made when it is first looked in.
function textOf(outcomes, i) {
  outcomes.searched ??= [];
  const parts = () => [outcomes.questionOf(i), outcomes.names[i], outcomes.documentNames[outcomes.documents[i]]];
  return (outcomes.searched[i] ??= parts().join("\n").toLowerCase());
}
