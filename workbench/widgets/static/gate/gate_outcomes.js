// The requests of a workload as arrays, one entry a request.

import { f64, texts, u8, u32 } from "../shared/bytes.js";

// What stays while a rule is tuned. `order` and `ratio` are made once: what the oracle takes first does not depend on
// the rule.
export function outcomesOf(model) {
  const native = f64(model.get("native_tokens"));
  const n = native.length;
  const signals = f64(model.get("signals"));
  const sparse = f64(model.get("sparse_tokens"));
  const loss = f64(model.get("loss"));
  const documents = u32(model.get("documents"));
  const documentNames = model.get("document_names");
  const gain = Float64Array.from(native, (tokens, i) => tokens - sparse[i]);
  const nameOf = n ? texts(model.get("names"), model.get("name_offsets")) : () => "";
  const names = Array.from({ length: n }, (_, i) => nameOf(i));
  const draws = u8(model.get("draws"));
  const bundles = u32(model.get("bundles"));
  const found = {
    n,
    s: signals.subarray(0, n),
    c: signals.subarray(n, 2 * n),
    r: signals.subarray(2 * n, 3 * n),
    native,
    sparse,
    gain,
    loss,
    chance: f64(model.get("chance")),
    free: u8(model.get("free")),
    documents,
    documentNames,
    groups: u8(model.get("groups")),
    groupNames: model.get("group_names"),
    groupColumn: model.get("group_column"),
    constraints: u8(model.get("constraints")),
    constraintNames: model.get("constraint_names"),
    names,
    placeOf: new Map(names.map((name, i) => [name, i])),
    questionOf: n ? texts(model.get("questions"), model.get("question_offsets")) : () => "",
    bundles,
    units: bundles.length ? Math.max(...bundles) + 1 : 0,
    draws,
  };
  found.tokens = sum(native);
  found.costly = costlyOf(found);
  return found;
}

// Share of the tokens that the sparse path saves, in [-1, 1]: of the native tokens where it saves, of its own where it
// costs, so that saving half and costing double lie equally far from nothing.
export function savingOf(outcomes, i) {
  const most = Math.max(outcomes.native[i], outcomes.sparse[i]);
  return most > 0 ? outcomes.gain[i] / most : 0;
}

// The same on a scale that a person reads: "−50 %" of the native tokens, "×2" for a cost.
export const shareSaved = (outcomes, i) => (outcomes.native[i] > 0 ? outcomes.gain[i] / outcomes.native[i] : 0);

// Requests that save tokens and lose quality, by what they save for what they lose; ties in the order of the table.
function costlyOf({ n, gain, loss, free }) {
  const found = [];
  for (let i = 0; i < n; i += 1) if (free[i] && gain[i] > 0 && loss[i] > 0) found.push(i);
  const ratio = new Map(found.map((i) => [i, gain[i] / loss[i]]));
  return Uint32Array.from(found.sort((a, b) => ratio.get(b) - ratio.get(a) || a - b));
}

export function sum(values) {
  let total = 0;
  for (let i = 0; i < values.length; i += 1) total += values[i];
  return total;
}
