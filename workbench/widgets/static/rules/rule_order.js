// The head of the table, its groups, and the order in which rows are shown; that of the table is never changed here.

import { h, replace, write } from "../shared/dom.js";

const WIDTHS = {
  move: "16px",
  on: "32px",
  name: "minmax(140px, 2.2fr)",
  match: "minmax(130px, 1.5fr)",
  weight: "84px",
  pin: "24px",
  here: "52px",
  workload: "68px",
  off: "68px",
  recall: "76px",
  tokens: "76px",
  acts: "48px",
};
const GAP = 8;
const HERE = new Set(["here", "off"]);
const WORKLOAD = new Set(["workload", "recall", "tokens"]);
const SORTS = {
  name: (row) => row.name,
  weight: (row) => -row.weight,
  here: (row) => -(row.touched ?? -1),
  workload: (row, view) => -(view.effects[row.name]?.touched ?? -1),
  off: (row, view) => -Math.abs(view.here.get(row.name)?.[1] ?? 0),
  recall: (row, view) => view.effects[row.name]?.recall[0] ?? Infinity,
  tokens: (row, view) => -(view.effects[row.name]?.tokens[0] ?? -Infinity),
};

export function visibleColumns(view) {
  const here = Boolean(view.facts?.document);
  // What nobody has measured yet takes no room.
  const workload = !["absent", "ready"].includes(view.measuring.state) || Object.keys(view.effects).length > 0;
  return Object.keys(WIDTHS).filter((name) => (here || !HERE.has(name)) && (workload || !WORKLOAD.has(name)));
}

export function columnsOf(view) {
  const visible = visibleColumns(view);
  view.root.classList.toggle("sr-rules-grouped", !view.sort);
  view.root.classList.toggle("sr-without-here", !visible.includes("here"));
  view.root.classList.toggle("sr-without-workload", !visible.includes("workload"));
  const least = visible.reduce((sum, name) => sum + GAP + Number(WIDTHS[name].match(/\d+/)[0]), GAP);
  view.root.style.setProperty("--sr-rule-least", `${least}px`);
  return visible.map((name) => WIDTHS[name]).join(" ");
}

// Rows that the filter lets through: sorted, if somebody asked for it, else in the order of the table.
export function sortedRows(rows, view) {
  const shown = rows.filter((row) => view.matches(row));
  if (!view.sort) return shown;
  const key = SORTS[view.sort.column];
  const keyed = shown.map((row, at) => [key(row, view), at, row]);
  keyed.sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j));
  return keyed.map(([, , row]) => row);
}

export function ruleHead(view) {
  const { t } = view;
  const groups = new Map();
  const cells = Object.keys(WIDTHS).map((name) => {
    const sortable = SORTS[name] !== undefined;
    const label = name === "move" || name === "acts" ? "" : t(`rules.column.${name}`);
    const figure = HERE.has(name) || WORKLOAD.has(name);
    const title = figure ? t(`rules.help.${name}`) : null;
    const sort = { type: "button", class: "sr-rule-sort", title, onclick: () => turn(name) };
    const content = sortable ? h("button", sort, label) : h("span", {}, label);
    const kind = figure ? "sr-rule-cell sr-rule-figure" : "sr-rule-cell";
    return h("div", { class: kind, role: "columnheader", "aria-sort": "none", dataset: { head: name } }, content);
  });
  const element = h("div", { class: "sr-rule-row sr-rule-header", role: "row" }, cells);
  function turn(column) {
    view.sort = view.sort?.column === column ? null : { column };
    view.arrange();
    view.toolbar.show();
  }
  function show() {
    for (const cell of cells) {
      const sorted = view.sort?.column === cell.dataset.head;
      const falling = cell.dataset.head !== "name" && cell.dataset.head !== "recall";
      cell.setAttribute("aria-sort", sorted ? (falling ? "descending" : "ascending") : "none");
    }
  }
  // The line above the rules of one table.
  function group(source, rows) {
    if (!groups.has(source)) groups.set(source, groupLine(view, source));
    const line = groups.get(source);
    line.show(rows);
    return line.element;
  }
  return { element, show, group };
}

function groupLine(view, source) {
  const { t } = view;
  const title = h("span", { class: "sr-rule-group-title" });
  const said = h("span", { class: "sr-rule-group-count" });
  const mark = h("span", { class: "sr-rule-fold", "aria-hidden": "true" });
  const button = h("button", { type: "button", class: "sr-rule-group-button", onclick: fold }, mark, title, said);
  const element = h("div", { class: "sr-rule-group", role: "row" }, h("div", { role: "gridcell" }, button));
  function fold() {
    if (!view.folded.delete(source)) view.folded.add(source);
    view.arrange();
  }
  return {
    element,
    show(rows) {
      const folded = view.folded.has(source);
      button.setAttribute("aria-expanded", String(!folded));
      write(mark, folded ? "▸" : "▾");
      const table = source || view.facts.name;
      write(title, source ? t("rules.group.from", { table }) : t("rules.group.own", { table }));
      replace(said, countsOf(t, rows));
    },
  };
}

export function countsOf(t, rows) {
  const off = rows.filter((row) => !row.enabled).length;
  const pins = rows.filter((row) => row.enabled && row.pin).length;
  return [
    t("rules.count", { count: rows.length }),
    pins ? t("rules.count.pins", { count: pins }) : "",
    off ? t("rules.count.off", { count: off }) : "",
  ].filter(Boolean).join(" · ");
}
