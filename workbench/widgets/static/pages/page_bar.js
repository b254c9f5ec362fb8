// The line above the pages: which page, how large, and what the boxes mean.

import { h, s, write } from "../shared/dom.js";
import { diamond } from "./page_marks.js";

const LEGEND = [
  ["kept", "status.kept"],
  ["near", "page.near"],
  ["skipped", "status.skipped"],
  ["pinned", "status.pinned"],
  ["context", "status.context"],
];
const LEGEND_OF_GOLD = [
  ["kept sr-box-gold", "page.gold"],
  ["skipped sr-box-lost", "page.lost"],
];

// Returns { element, show({ page, zoom, fits }) }; `on` has goTo(page), zoomBy(steps), fit(), actual(), keys().
export function barOf(t, { count, withGold }, on) {
  const field = h("input", {
    type: "number",
    class: "sr-page-field",
    min: "1",
    max: String(count),
    "aria-label": t("page.number"),
    onchange: () => on.goTo(Number(field.value)),
  });
  const before = button("‹", t("page.before"), () => on.goTo(Number(field.value) - 1));
  const after = button("›", t("page.after"), () => on.goTo(Number(field.value) + 1));
  const zoom = h("span", { class: "sr-page-zoom", "aria-live": "polite" });
  const fit = button(t("page.fit"), t("page.fit.title"), on.fit);
  const actual = button(t("page.actual"), t("page.actual.title"), on.actual);
  const element = h(
    "div",
    { class: "sr-page-bar", role: "toolbar", "aria-label": t("page.view") },
    h("div", { class: "sr-page-group" }, before, field, h("span", {}, t("page.of", { count })), after),
    h(
      "div",
      { class: "sr-page-group" },
      button("−", t("page.smaller"), () => on.zoomBy(-1)),
      zoom,
      button("+", t("page.larger"), () => on.zoomBy(1)),
      fit,
      actual,
    ),
    legendOf(t, withGold ? [...LEGEND, ...LEGEND_OF_GOLD] : LEGEND),
    button("?", t("keys"), on.keys),
  );
  const show = (now) => {
    if (document.activeElement !== field) field.value = String(now.page);
    before.disabled = now.page <= 1;
    after.disabled = now.page >= count;
    write(zoom, `${Math.round(100 * now.zoom)} %`);
    fit.setAttribute("aria-pressed", String(now.fits));
    actual.setAttribute("aria-pressed", String(!now.fits && Math.round(100 * now.zoom) === 100));
  };
  return { element, show };
}

function button(sign, title, onclick) {
  return h("button", { class: "sr-plain", title, "aria-label": title, onclick }, sign);
}

function legendOf(t, shown) {
  const entries = shown.map(([name, key]) => {
    const viewBox = name.includes(" ") ? "-9 0 31 14" : "0 0 22 14";
    const box = s("svg", { viewBox, height: 14, "aria-hidden": "true" }, sampleOf(name));
    return h("li", {}, box, t(key));
  });
  return h("ul", { class: "sr-page-legend", "aria-label": t("page.legend") }, entries);
}

function sampleOf(name) {
  const status = name === "near" ? "skipped sr-box-near" : name;
  const group = s(
    "g",
    { class: `sr-box sr-box-${status}` },
    s("rect", { class: "sr-box-ink", x: 8, y: 4.5, width: 11, height: 1.4 }),
    s("rect", { class: "sr-box-ink", x: 8, y: 8, width: 8, height: 1.4 }),
    s("rect", { class: "sr-box-area", x: 6, y: 2, width: 15, height: 10, rx: 2 }),
    s("path", { class: "sr-box-mark", d: diamond(-4, 7) }),
    s("rect", { class: "sr-box-bar", x: 1, y: 2, width: 2.4, height: 10, rx: 1 }),
  );
  group.style.setProperty("--sr-strength", "0.6");
  return group;
}
