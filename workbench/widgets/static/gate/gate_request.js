// The selected request: its signals as a sum that a person can check, what both paths cost, and what would flip it.

import { h, replace } from "../shared/dom.js";
import { flipsOf } from "./gate_flips.js";
import { ROUTES } from "./gate_rule.js";
import { glyph, groupName, routeMark } from "./gate_shapes.js";
import { count, fixed, percent, signed } from "../shared/numbers.js";

const SIGNALS = ["s", "c", "r"];
const SIGNS = [1, -1, -1];

// `tell`: { open(place), explain(name) -> Promise of data or null }. Returns { element, show(state) }.
export function requestOf(t, tell) {
  const body = h("div", { class: "sr-gate-request-body" });
  const element = h("section", { class: "sr-gate-request", "aria-live": "polite" }, body);
  const known = new Map();
  let shown = "";
  const show = (state) => {
    const place = state.selected;
    if (place < 0) {
      shown = "";
      return replace(body, h("p", { class: "sr-gate-hint" }, t(state.outcomes.n ? "request.none" : "request.empty")));
    }
    const name = state.outcomes.names[place];
    shown = name;
    if (!known.has(name)) {
      known.set(name, null);
      tell.explain(name).then((data) => {
        known.set(name, data);
        if (data && shown === name) show(state);
      });
    }
    return replace(body, head(t, state, place, tell), sum(t, state, place), paths(t, state, place),
      flips(t, state, place, known.get(name)));
  };
  return { element, show, forget: () => known.clear() };
}

function head(t, { outcomes }, place, tell) {
  const question = outcomes.questionOf(place) || outcomes.names[place];
  const group = outcomes.groups[place];
  return h(
    "div",
    { class: "sr-gate-request-head" },
    h("p", { class: "sr-gate-question", dir: "auto" }, question),
    h(
      "p",
      { class: "sr-gate-small" },
      glyph(group),
      ` ${groupName(t, outcomes.groupNames[group] ?? "")} · ${outcomes.documentNames[outcomes.documents[place]]}`,
    ),
    h("button", { class: "sr-button", onclick: () => tell.open(place) }, t("request.open")),
  );
}

function sum(t, state, place) {
  const values = state.signals(place);
  const { weights } = state.rule;
  const rows = SIGNALS.map((signal, at) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("i", {}, signal), ` ${t(`signal.${signal}`)}`),
      h("td", {}, fixed(values[at], 3)),
      h("td", {}, `× ${fixed(weights[at], 3)}`),
      h("td", {}, signed(SIGNS[at] * weights[at] * values[at], 3)),
    ),
  );
  const free = state.outcomes.free[place];
  const margin = h(
    "tr",
    { class: "sr-gate-own" },
    h("th", { scope: "row" }, h("i", {}, "b"), ` ${t("signal.b")}`),
    h("td", { colspan: "2" }, free ? "" : t("request.not_weighed")),
    h("td", {}, signed(state.margins[place], 3)),
  );
  return h("table", { class: "sr-gate-table" }, h("tbody", {}, rows, margin));
}

function paths(t, state, place) {
  const { outcomes } = state;
  const [native, sparse] = [outcomes.native[place], outcomes.sparse[place]];
  const lost = outcomes.loss[place];
  const oracle = state.oracle[place] > 0 ? "force" : "native";
  const facts = [
    [t("request.route"), routeMark(t, ROUTES[state.routes[place]])],
    [t("request.oracle"), [routeMark(t, oracle), state.wrong(place) && h("b", { class: "sr-gate-wrong" }, " ≠")]],
    [t("request.native"), t("tokens", { count: count(native) })],
    [t("request.sparse"), t("tokens", { count: count(sparse) })],
    [t("request.loses"), lost > 0 ? h("b", { class: "sr-gate-wrong" }, percent(lost, 0)) : t("request.nothing")],
    [t("request.regret"), t("tokens", { count: count(state.regret(place)) })],
  ];
  return h("dl", { class: "sr-gate-facts" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function flips(t, state, place, data) {
  const { outcomes, rule } = state;
  const free = outcomes.free[place];
  const said = free
    ? flipsOf(state.signals(place), rule, free).filter(({ value }) => value !== null)
    : [];
  const sentence = (flip) =>
    t(`flip.${flip.side}`, {
      route: t(`route.${flip.route}`),
      signal: t(`signal.${flip.signal}`),
      letter: flip.signal,
      value: flip.shown,
      now: flip.now,
    });
  const constraint = outcomes.constraintNames[outcomes.constraints[place]] ?? "";
  const why = free ? null : data?.constraint?.reason ?? "";
  return h(
    "div",
    { class: "sr-gate-flips" },
    h("h3", { class: "sr-label" }, t("flips")),
    !free && h("p", {}, t("request.held", { constraint: t(`constraint.${constraint}`) })),
    !free && why && data?.signals?.s?.terms?.length > 0 && h("p", { class: "sr-gate-small", lang: "en" }, why),
    free && (said.length ? h("ul", {}, said.map((flip) => h("li", {}, sentence(flip)))) : h("p", {}, t("flips.none"))),
    termsOf(t, data),
  );
}

// The terms of the signals, where the kernel has read the document's preview.
function termsOf(t, data) {
  const all = SIGNALS.flatMap((letter) => (data?.signals?.[letter]?.terms ?? []).map((term) => ({ letter, ...term })));
  if (!all.length) return null;
  const row = ({ letter, name, value, reason }) =>
    h("li", {}, h("i", {}, letter), ` ${name} ${signed(value, 3)}: `, h("span", { lang: "en" }, reason));
  return h("details", {}, h("summary", { tabindex: "0" }, t("request.terms")), h("ul", {}, all.map(row)));
}
