// What a profile of the bench says as it is now: its rule in words, the figures behind it, and its notes.

import { figureCell, figureName, table } from "./compare_tab_tables.js";
import { h } from "../shared/dom.js";
import { withMinus } from "./minus.js";

export const section = (title, ...content) => h(
  "section",
  { class: "sr-wb-section" },
  h("h3", { class: "sr-label" }, title),
  content,
);

export function linesOf({ t }, { lines }) {
  const shown = lines.map(([key, text]) => [h("dt", {}, t(`export.line.${key}`)), h("dd", {}, withMinus(text))]);
  return h("dl", { class: "sr-wb-lines" }, shown);
}

export function figuresOf({ t }, { figures }) {
  const rows = figures.map((figure) => h(
    "tr",
    {},
    h("th", { scope: "row" }, figureName(t, figure.name)),
    figureCell(t, figure),
  ));
  return table([t("compare.figure"), t("export.value")], rows, [1]);
}
