// Sliders for weights, thresholds and tolerance, each with a field for the exact number.

import { h } from "../shared/dom.js";
import { STEP, withThreshold, withWeight } from "./gate_rule.js";

const WEIGHTS = ["ws", "wc", "wr"];

// `tell`: { move(change), tolerance(value), done(kind) }. Returns { element, show(state) }.
export function controlsOf(t, tell) {
  let state = null;
  // While one weight moves the others keep the ratio that they had when it began, so that the way back is the same.
  let base = null;
  const weigh = (which) => (value) => {
    if (base?.which !== which) base = { which, weights: state.rule.weights };
    tell.move({ weights: withWeight(base.weights, which, value) });
  };
  const weights = WEIGHTS.map((name, which) =>
    slider(t(`weight.${name}`), name, { min: 0, max: 1, step: STEP, digits: 4 }, {
      input: weigh(which),
      change: () => tell.done("set_weights"),
    }),
  );
  const threshold = (which) => (value) => {
    base = null;
    tell.move(withThreshold(state.rule, which, value));
  };
  const thresholds = ["native", "force"].map((which) =>
    slider(t(`threshold.${which}`), which === "native" ? "θn" : "θf", { min: -1, max: 1, step: STEP, digits: 4 }, {
      input: threshold(which),
      change: () => tell.done("set_gate"),
    }),
  );
  const tolerance = slider(t("tolerance"), "", { min: 0, max: 0.2, most: 1, step: STEP, digits: 4 }, {
    input: (value) => tell.tolerance(value),
    change: () => tell.done("set_tolerance"),
  });
  const element = h(
    "div",
    { class: "sr-gate-controls" },
    section(t("weights"), weights),
    section(t("thresholds"), [...thresholds, tolerance]),
  );
  const show = (next) => {
    state = next;
    weights.forEach((control, which) => control.show(state.rule.weights[which]));
    thresholds[0].show(state.rule.native);
    thresholds[1].show(state.rule.force);
    tolerance.show(state.tolerance);
  };
  return { element, show, forget: () => (base = null) };
}

const section = (title, controls) =>
  h("section", {}, h("h3", { class: "sr-label" }, title), controls.map((control) => control.element));

// A field for text, so that it can show a true minus; both kinds of minus are read.
const shown = (text) => text.replace("-", "\u2212");
const numberIn = (text) => (text.trim() ? Number(text.trim().replace(/^[\u2212\u2013]/, "-")) : NaN);

function slider(label, sign, { min, max, most = max, step, digits }, { input, change }) {
  // A slider that was moved and moved back says no "change".
  const hands = { oninput: moved, onchange: change, onpointerup: change };
  const range = h("input", { type: "range", min, max, step, "aria-label": label, ...hands });
  const field = h("input", {
    type: "text",
    inputmode: "decimal",
    class: "sr-gate-number",
    autocomplete: "off",
    "aria-label": label,
    onchange: typed,
  });
  function moved() {
    input(Number(range.value));
  }
  function typed() {
    const value = numberIn(field.value);
    if (Number.isNaN(value) || !(value >= min && value <= most)) {
      field.setAttribute("aria-invalid", "true");
      return;
    }
    input(value);
    change();
  }
  const show = (value) => {
    const text = String(Number(value.toFixed(digits)));
    // A field that somebody types in, and a slider in somebody's hand, are not written over.
    if (Number(range.value) !== value) range.value = text;
    const isTyped = field.getRootNode().activeElement === field && numberIn(field.value) === Number(text);
    if (!isTyped) field.value = shown(text);
    field.removeAttribute("aria-invalid");
    range.setAttribute("aria-valuetext", shown(text));
  };
  const name = h("span", { class: "sr-gate-name" }, sign && h("i", {}, sign), ` ${label}`);
  return { element: h("label", { class: "sr-gate-slider" }, name, range, field), show };
}
