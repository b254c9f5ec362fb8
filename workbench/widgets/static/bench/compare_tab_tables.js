// The tables of a comparison: fields, figures, requests and blocks.

import { h } from "../shared/dom.js";
import { fieldWords, valueWords } from "./profile_fields.js";
import { count, fixed, percent } from "../shared/numbers.js";

export function differenceList(shell, { differences }) {
  const { t } = shell;
  if (!differences.length) return quiet(t("compare.no_differences"));
  const rows = differences.map((found) =>
    h(
      "tr",
      { dataset: { decides: String(found.decides) } },
      h(
        "th",
        { scope: "row", colspan: found.table ? "3" : null },
        fieldWords(t, found),
        !found.decides && h("small", {}, t("compare.says")),
      ),
      !found.table && [found.before, found.after].map((value) => h("td", {}, valueWords(t, found.field, value))),
    ),
  );
  return table([t("compare.field"), t("compare.before"), t("compare.after")], rows);
}

export function figureTable(shell, { figures }) {
  const { t } = shell;
  if (!figures.length) return quiet(t("compare.no_figures"));
  const rows = figures.map((figure) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, figureName(t, figure.name)),
      figureCell(t, figure.before),
      figureCell(t, figure.after),
    ),
  );
  return table([t("compare.figure"), t("compare.before"), t("compare.after")], rows, [1, 2]);
}

// End of the name of a figure that was measured on the split "test".
const TEST = ", split test";

// A figure that there are no words for has the name that the kernel gives it.
export function figureName(t, name) {
  const key = `figure.${name.replace(TEST, "")}`;
  if (t(key) === key) return h("span", { lang: "en" }, name);
  return name.includes(TEST) ? `${t(key)} · ${t("figure.test")}` : t(key);
}

// A figure with its interval, and whether it was measured on what the rule was fitted on.
export function figureCell(t, figure) {
  if (!figure) return h("td", { class: "sr-wb-number" }, "–");
  const [low, high] = [value(figure.low, figure.unit), value(figure.high, figure.unit)];
  const range = figure.low == null ? "" : t("interval", { low, high });
  return h(
    "td",
    { class: "sr-wb-number" },
    h("strong", {}, value(figure.level, figure.unit)),
    h("small", {}, [range, splitWords(t, figure.split)].filter(Boolean).join(" · ")),
  );
}

// A number in the digits of its unit, as the figures of a profile are printed.
export function value(number, unit) {
  if (number == null) return "–";
  if (unit === "share") return percent(number);
  if (unit === "quality") return fixed(number, 4);
  return count(number);
}

const splitWords = (t, split) => t(`split.${split.replaceAll(" ", "_")}`);

export function routeTable(shell, { routes, routes_changed: changed, requests }) {
  const { t } = shell;
  if (!requests) return quiet(t("compare.unknown_routes"));
  if (!routes.length) return quiet(t("compare.no_routes", { count: count(requests) }));
  const rows = routes.map((found) => {
    const open = h("button", { class: "sr-wb-link", onclick: () => void shell.open(found.id) }, found.question);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, open, h("small", {}, found.document)),
      routeCell(t, found.before),
      routeCell(t, found.after),
    );
  });
  const found = table([t("compare.request"), t("compare.before"), t("compare.after")], rows);
  return [found, moreOf(t, changed - rows.length)];
}

const routeCell = (t, route) => h(
  "td",
  { class: "sr-wb-request-route sr-wb-short", dataset: { route } },
  t(`route.${route}`),
);

export function blockTable(shell, { blocks, blocks_changed: changed, document, ...kept }) {
  const { t } = shell;
  if (!document) return quiet(t("compare.no_document"));
  const tokens = t("compare.kept", { before: count(kept.kept_before), after: count(kept.kept_after) });
  if (!blocks.length) return [quiet(t("compare.no_blocks", { name: document })), quiet(tokens)];
  const show = (block) => () => {
    shell.select("read", { focus: true });
    shell.bus.emit("select", { block, reveal: true }, shell);
  };
  const rows = blocks.map((found) => {
    const go = h("button", { class: "sr-wb-link", onclick: show(found.block) }, found.text);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, go, h("small", {}, t("page", { page: found.page }))),
      h("td", { class: "sr-wb-short", dataset: { status: found.before } }, t(`status.${found.before}`)),
      h("td", { class: "sr-wb-short", dataset: { status: found.after } }, t(`status.${found.after}`)),
    );
  });
  const found = table([document, t("compare.before"), t("compare.after")], rows);
  return [quiet(tokens), found, moreOf(t, changed - blocks.length)];
}

const moreOf = (t, left) => left > 0 && quiet(t("compare.more", { count: count(left) }));

const quiet = (text) => h("p", { class: "sr-wb-quiet" }, text);

export function table(head, rows, numbers = []) {
  const titles = head.map((title, i) => h(
    "th",
    { scope: "col", class: numbers.includes(i) ? "sr-wb-number" : null },
    title,
  ));
  return h("table", { class: "sr-wb-table" }, h("thead", {}, h("tr", {}, titles)), h("tbody", {}, rows));
}
