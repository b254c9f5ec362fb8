// The gate's route for the request at hand: a word and its margin; opened, the calculation and what would change it.

import { h, replace } from "../shared/dom.js";
import { count, fixed, signed } from "../shared/numbers.js";

const SIGNALS = ["s", "c", "r"];
const SIGNS = { s: 1, c: -1, r: -1 };
// So many that a person who adds the terms up arrives at the margin.
const DIGITS = 3;

export function routeBadge(shell, id) {
  const { model, t } = shell;
  const panel = h(
    "div",
    { class: "sr-wb-route-panel", id: `${id}-route`, role: "dialog", "aria-label": t("route.title"), hidden: true },
  );
  const button = h("button", {
    class: "sr-wb-route",
    "aria-expanded": "false",
    "aria-controls": panel.id,
    onclick: () => open(panel.hidden),
  });
  const element = h("div", { class: "sr-wb-route-place" }, button, panel);

  function open(wanted) {
    panel.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    if (wanted) replace(panel, explanation(shell, model.get("route"), () => open(false)));
  }
  shell.follow(["route"], () => {
    const route = model.get("route");
    element.hidden = !route.route;
    if (!route.route) return;
    element.dataset.route = route.route;
    replace(
      button,
      h("i", { class: "sr-wb-route-mark", "aria-hidden": "true" }),
      h("span", {}, t(`route.${route.route}`)),
      h(
        "span",
        { class: "sr-wb-route-margin" },
        route.constraint ? t("route.constraint") : `b = ${signed(route.margin)}`,
      ),
    );
    if (!panel.hidden) open(true);
  });
  element.addEventListener("focusout", (event) => {
    if (!element.contains(event.relatedTarget) && event.relatedTarget) open(false);
  });
  return {
    element,
    close: () => {
      if (panel.hidden) return false;
      open(false);
      button.focus();
      return true;
    },
  };
}

function explanation(shell, route, close) {
  const { t } = shell;
  const show = () => {
    close();
    shell.select("gate", { focus: true });
  };
  return [
    h("h3", { class: "sr-label" }, t("route.title")),
    route.constraint ? constraintWords(t, route.constraint) : sum(t, route),
    route.flips.length ? h(
      "ul",
      { class: "sr-wb-flips" },
      route.flips.map((flip) => h("li", {}, flipWords(t, flip))),
    ) : null,
    h("p", { class: "sr-wb-quiet" }, t("route.preview", { tokens: count(route.tokens) })),
    shell.tabs.includes("gate") &&
      h("div", { class: "sr-wb-row" }, h("button", { class: "sr-button", onclick: show }, t("route.show"))),
  ];
}

const FINER = { whole_table: "scope", edit_or_execute: "action" };

// Why a document cannot be read in blocks is a sentence of its format, in English; so is what nobody has named.
function constraintWords(t, found) {
  const { name, reason, tokens = [] } = found;
  const [all, native, sparse] = tokens.map(count);
  const keys = [FINER[name] && `constraint.${name}.${found[FINER[name]]}`, `constraint.${name}`].filter(Boolean);
  const key = keys.find((one) => t(one) !== one);
  const wordless = !key || (name === "small_file" && !tokens.length);
  return [
    !wordless && h("p", {}, t(key, { tokens: all, native, sparse })),
    (wordless || name === "unsupported") && h("p", { lang: "en" }, reason),
  ];
}

function sum(t, route) {
  const rows = SIGNALS.map((name, i) => {
    const product = SIGNS[name] * route.weights[i] * route.signals[i];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, t(`signal.${name}`)),
      h("td", {}, `${fixed(route.weights[i], DIGITS)} × ${fixed(route.signals[i], DIGITS)}`),
      h("td", {}, signed(product, DIGITS)),
    );
  });
  const margin = h("td", {}, signed(route.margin, DIGITS));
  const total = h("tr", { class: "sr-wb-sum" }, h("th", { scope: "row" }, t("route.margin")), h("td", {}), margin);
  const [native, force] = [signed(route.native, DIGITS), signed(route.force, DIGITS)];
  return [
    h("table", { class: "sr-wb-sums" }, h("tbody", {}, rows, total)),
    h("p", {}, t(`route.why.${route.route}`, { native, force })),
  ];
}

const flipWords = (t, flip) =>
  t("route.flip", {
    signal: t(`signal.${flip.signal}`),
    side: t(`side.${flip.side.replace(" ", "_")}`),
    value: fixed(flip.value, DIGITS),
    route: t(`route.${flip.route}`),
  });
