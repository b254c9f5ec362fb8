// The elements of one row, and what each does when it is clicked.

import { h, s } from "../shared/dom.js";
import { weightBar, weightText } from "./rule_cell.js";
import { figureCell } from "./rule_figures.js";

const FIGURES = ["here", "workload", "off", "recall", "tokens"];

// rowParts(view, name, { row(), start(column), toggle() }) -> the elements by name, and `element`, the row itself
export function rowParts(view, name, { row, start, toggle }) {
  const { t } = view;
  const label = (key) => t(key, { rule: name });
  const handle = button("move", "sr-rule-handle", label("rules.move"), null, grip());
  handle.addEventListener("pointerdown", (event) => view.drag(event, name));
  const turn = (field) => () => view.set(name, field, !row()[field]);
  const on = button("on", "sr-switch", label("rules.switch"), turn("enabled"));
  on.setAttribute("role", "switch");
  const pin = button("pin", "sr-pin", label("rules.pin"), turn("pin"), pinMark());
  const title = text("name", "sr-rule-name", { ondblclick: () => start("name") });
  const reason = text("reason", "sr-rule-reason", { ondblclick: () => start("reason") });
  const tags = h("span", { class: "sr-rule-tags" });
  const named = { role: "gridcell", "aria-label": label("rules.conditions") };
  const matched = { ...named, "aria-expanded": "false", onclick: toggle };
  const match = text("match", "sr-rule-cell sr-rule-match", matched);
  const weight = text("weight", "sr-rule-cell sr-rule-weight", { role: "gridcell", onclick: () => start("weight") });
  const number = h("span", { class: "sr-weight-number" });
  const figures = Object.fromEntries(FIGURES.map((column) => [column, figureCell(column, t(`rules.help.${column}`))]));
  const act = "sr-plain sr-rule-act";
  const copy = button("duplicate", act, label("rules.duplicate"), () => view.duplicate(name), copyMark());
  const remove = button("delete", act, label("rules.delete"), () => view.remove(name), "×");
  const problem = h("div", { class: "sr-rule-problem", role: "alert" });
  const element = h(
    "div",
    { class: "sr-rule-row", role: "row", dataset: { rule: name } },
    cell("sr-rule-move", handle),
    cell("sr-rule-on", on),
    cell("sr-rule-what", h("div", { class: "sr-rule-head-line" }, title, tags), reason),
    match,
    weight,
    cell("sr-rule-pin", pin),
    FIGURES.map((column) => figures[column].element),
    cell("sr-rule-acts", copy, remove),
    problem,
  );
  return { element, on, pin, title, reason, tags, match, weight, number, bar: weightBar(), figures, problem };
}

const cell = (className, ...children) => h("div", { class: `sr-rule-cell ${className}`, role: "gridcell" }, children);

const text = (column, className, more) => h("div", { class: className, tabindex: "-1", dataset: { column }, ...more });

function button(column, className, label, run, ...children) {
  const more = run ? { onclick: run } : {};
  const properties = { type: "button", class: className, tabindex: "-1", dataset: { column }, title: label, ...more };
  return h("button", { ...properties, "aria-label": label }, children);
}

// Where a rule is from, and what of it is not as it was.
export function tagsOf(t, row) {
  const tags = [];
  if (row.source) tags.push(h("span", { class: "sr-rule-tag sr-rule-from" }, t("rules.from", { table: row.source })));
  const changed = "sr-rule-tag sr-rule-tag-changed";
  if (row.edited) tags.push(h("span", { class: changed }, t("rules.edited")));
  const fields = Object.keys(row.differs);
  if (fields.length) {
    const { weight, pin, enabled } = row.differs;
    const what = [
      weight !== undefined && t("rules.differs.weight", { value: weightText(weight) }),
      pin !== undefined && t(`rules.differs.pin.${pin}`),
      enabled !== undefined && t(`rules.differs.enabled.${enabled}`),
    ].filter(Boolean).join(", ");
    const title = what ? t("rules.changed.says", { table: row.source, what }) : null;
    tags.push(h("span", { class: changed, title }, t("rules.changed")));
  }
  return tags;
}

function grip() {
  const places = [0, 1, 2].flatMap((line) => [0, 1].map((column) => [3 + 5 * column, 3 + 5 * line]));
  const dots = places.map(([cx, cy]) => s("circle", { cx, cy, r: 1.2 }));
  return s("svg", { viewBox: "0 0 11 16", width: 11, height: 16, "aria-hidden": "true" }, dots);
}

function copyMark() {
  const sheet = (x, y) => s("rect", { x, y, width: 8, height: 9, rx: 1.5 });
  const size = { viewBox: "0 0 14 14", width: 14, height: 14 };
  return s("svg", { class: "sr-rule-mark", ...size, "aria-hidden": "true" }, sheet(1.5, 1.5), sheet(4.5, 3.5));
}

function pinMark() {
  const path = { d: "M5 2h6M6 2v5L4 9.5h8L10 7V2M8 9.5V14", "stroke-linejoin": "round", "stroke-linecap": "round" };
  return s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", path));
}
