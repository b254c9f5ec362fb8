// What a rule does, as two short lines a cell: the value, and what must be known of it.

import { h, write } from "../shared/dom.js";
import { count, fixed } from "../shared/numbers.js";

// figureCell(column, help) -> { element, show({ value, note, strong, old }) }
export function figureCell(column, help) {
  const value = h("span", { class: "sr-figure-value" });
  const note = h("span", { class: "sr-figure-note" });
  const element = h(
    "div",
    { class: "sr-rule-cell sr-rule-figure", role: "gridcell", tabindex: "-1", title: help, dataset: { column } },
    value,
    note,
  );
  return {
    element,
    show(said) {
      write(value, said.value ?? "");
      write(note, said.note ?? "");
      element.classList.toggle("sr-strong", Boolean(said.strong));
      element.classList.toggle("sr-old", Boolean(said.old));
    },
  };
}

// What is known of the effects over the workload; those of other rules or another cut are old.
export function measuringOf(model) {
  const found = model.get("measuring");
  return found.state === "done" && model.get("effects_fresh") === false ? { ...found, state: "stale" } : found;
}

const NOTHING = { value: "–" };

export function touchedFigure(t, row) {
  if (!row.enabled) return { value: "–", note: t("rules.off") };
  return { value: row.touched === null ? "–" : count(row.touched) };
}

export function offFigure(t, row, effect, waiting) {
  if (!row.enabled) return NOTHING;
  if (row.touched === 0) return { value: "0" };
  if (!effect) return { value: waiting ? "…" : "" };
  const [kept, tokens] = effect;
  if (!kept && !tokens) return { value: "0", old: waiting };
  const change = (value) => (value > 0 ? `+${count(value)}` : count(value));
  return {
    value: change(tokens),
    note: kept ? t("rules.blocks", { count: change(kept) }) : "",
    strong: true,
    old: waiting,
  };
}

// The three figures over the workload: { workload, recall, tokens }.
export function workloadFigures(t, row, effect, measuring) {
  const documents = (number) => t(number === 1 ? "rules.document" : "rules.documents", { count: count(number) });
  const running = measuring.state === "running";
  const old = measuring.state === "stale" || running;
  if (!row.enabled) return { workload: NOTHING, recall: NOTHING, tokens: NOTHING };
  if (!effect) {
    const empty = { value: running ? "…" : "" };
    return { workload: empty, recall: empty, tokens: empty };
  }
  return {
    workload: {
      value: count(effect.touched),
      note: effect.documents ? documents(effect.documents) : "",
      old,
    },
    recall: change(t, effect.recall, old, (value) => t("rules.points", { value })),
    tokens: change(t, effect.tokens, old, (value) => `${value} %`),
  };
}

// In percent or points with one digit; what rounds to nothing has no sign, and is nothing to be sure of.
function change(t, [value, low, high], old, show) {
  if (value === null) return NOTHING;
  const [middle, from, to] = [value, low, high].map((one) => (one === null ? null : Math.round(1000 * one) / 10 + 0));
  if (!middle && !from && !to) return { value: "0", old };
  const sure = from !== null && Boolean(middle) && (from > 0 || to < 0);
  const note = from === null ? "" : t("rules.interval", { low: tenth(from), high: tenth(to) });
  const said = middle > 0 ? `+${tenth(middle)}` : tenth(middle);
  return { value: middle ? show(said) : "0", note, strong: sure, old };
}

const tenth = (value) => (value ? fixed(value, 1) : "0");
