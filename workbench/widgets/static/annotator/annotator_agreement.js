// How far the annotators agree, and the blocks on which they do not.

import { h, replace } from "../shared/dom.js";
import { shapeOf } from "../shared/label_shapes.js";
import { count, fixed, percent } from "../shared/numbers.js";

const MOST_PAIRS = 4;

export function agreementOf(t, onVisit) {
  const element = h("section", { class: "sr-an-agreement", hidden: true, "aria-label": t("an.agreement") });
  const show = (found, visited) => {
    const pairs = found.pairs.slice(0, MOST_PAIRS);
    replace(
      element,
      h("h3", { class: "sr-label" }, t("an.agreement")),
      pairs.length ? pairs.map((pair) => pairOf(t, pair)) : h("p", { class: "sr-an-quiet" }, t("an.shared.none")),
      pairs.length > 0 && h("h3", { class: "sr-label" }, openOf(t, found.open)),
      h("ul", { class: "sr-an-open" }, found.disagreements.map((one) => h("li", {}, oneOf(t, one, visited, onVisit)))),
    );
  };
  return { element, show };
}

const openOf = (t, open) => (open ? t("an.open", { count: count(open) }) : t("an.open.none"));

function pairOf(t, { first, second, kappa, low, high, items, documents, observed }) {
  const figure = kappa === null ? t("an.kappa.none") : t("an.kappa", { kappa: fixed(kappa) });
  const between = low === null ? t("an.nointerval") : t("an.between", { low: fixed(low), high: fixed(high) });
  const on = { items: count(items), documents: count(documents), observed: percent(observed, 0) };
  return h(
    "div",
    { class: "sr-an-pair" },
    h("bdi", { class: "sr-an-names" }, t("an.pair", { first, second })),
    h("div", {}, h("strong", {}, figure), " ", h("span", {}, between)),
    h("p", { class: "sr-an-quiet" }, t("an.on", on)),
  );
}

function oneOf(t, one, visited, onVisit) {
  const [first, value] = one.first;
  const [second, other] = one.second;
  const said = { first, second, value: t(`an.value.${value}`), other: t(`an.value.${other}`) };
  const values = { name: one.name, page: count(one.page), ...said };
  const here = visited !== null && one.key.every((part, rank) => part === visited[rank]);
  return h(
    "button",
    { class: "sr-an-one", onclick: () => onVisit(one), "aria-current": here ? "true" : false },
    h("span", { class: "sr-an-quote", dir: "auto" }, one.quote),
    h("small", { class: "sr-an-quiet" }, shapeOf(t, value), shapeOf(t, other), " ", t("an.disagreement", values)),
  );
}
