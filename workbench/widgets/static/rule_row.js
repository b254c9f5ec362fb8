// One row of the table: made once, and then changed where its rule has.

import { h, replace, s, write } from "./dom.js";
import { edit, isEdited, stepped, weightBar, weightOf, weightText } from "./rule_cell.js";
import { conditionChips, conditionsEditor } from "./rule_conditions.js";
import { figureCell, offFigure, touchedFigure, workloadFigures } from "./rule_figures.js";

export function ruleRow(view, name) {
  const { t } = view;
  const state = { row: null, match: "", opened: null };
  const target = (column, className, more = {}) =>
    h("div", { class: `sr-rule-cell ${className}`, role: "gridcell", tabindex: "-1", dataset: { column }, ...more });
  const button = (column, className, label, run, ...children) =>
    h("button", { type: "button", class: className, tabindex: "-1", dataset: { column }, "aria-label": label, title: label, onclick: run }, children);
  const cell = (className, ...children) => h("div", { class: `sr-rule-cell ${className}`, role: "gridcell" }, children);

  const handle = button("move", "sr-rule-handle", t("rules.move", { rule: name }), () => {}, grip());
  handle.addEventListener("pointerdown", (event) => view.drag(event, name));
  const on = button("on", "sr-switch", t("rules.switch", { rule: name }), () => view.set(name, "enabled", !state.row.enabled));
  on.setAttribute("role", "switch");
  const title = h("div", { class: "sr-rule-name", tabindex: "-1", dataset: { column: "name" }, ondblclick: () => start("name") });
  const tags = h("span", { class: "sr-rule-tags" });
  const reason = h("div", { class: "sr-rule-reason", tabindex: "-1", dataset: { column: "reason" }, ondblclick: () => start("reason") });
  const match = target("match", "sr-rule-match", { "aria-label": t("rules.conditions", { rule: name }), onclick: () => toggle() });
  const bar = weightBar();
  const number = h("span", { class: "sr-weight-number" });
  const weight = target("weight", "sr-rule-weight", { onclick: () => start("weight") });
  const shown = [number, bar.element];
  const pin = button("pin", "sr-pin", t("rules.pin", { rule: name }), () => view.set(name, "pin", !state.row.pin), pinMark());
  const figures = Object.fromEntries(
    ["here", "workload", "off", "recall", "tokens"].map((column) => [column, figureCell(column, t(`rules.help.${column}`))]),
  );
  const copy = button("duplicate", "sr-plain sr-rule-act", t("rules.duplicate", { rule: name }), () => view.duplicate(name), copyMark());
  const remove = button("delete", "sr-plain sr-rule-act", t("rules.delete", { rule: name }), () => view.remove(name), "×");
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
    Object.values(figures).map((figure) => figure.element),
    cell("sr-rule-acts", copy, remove),
    problem,
  );

  function update(row) {
    state.row = row;
    element.classList.toggle("sr-rule-disabled", !row.enabled);
    element.classList.toggle("sr-rule-own", !row.source);
    on.setAttribute("aria-checked", String(row.enabled));
    pin.setAttribute("aria-pressed", String(row.pin));
    if (!isEdited(title)) write(title, row.name);
    if (!isEdited(reason)) write(reason, row.reason || t("rules.reason.none"));
    reason.title = row.reason;
    if (!isEdited(weight)) showWeight();
    replace(tags, tagsOf(t, row));
    const said = JSON.stringify(row.match);
    if (said !== state.match) replace(match, conditionChips(t, row.match));
    state.match = said;
    refigure();
  }
  function refigure() {
    const row = state.row;
    figures.here.show(touchedFigure(t, row));
    figures.off.show(offFigure(t, row, view.here.get(name), view.waiting));
    const said = workloadFigures(t, row, view.effects[name], view.measuring);
    for (const column of ["workload", "recall", "tokens"]) figures[column].show(said[column]);
  }
  function showWeight() {
    write(number, weightText(state.row.weight));
    bar.show(state.row.weight, view.options.weights);
    replace(weight, shown);
    weight.setAttribute("aria-label", `${t("rules.weight", { rule: name })}: ${weightText(state.row.weight)}`);
  }
  // Shows what the loader says at the cell of a field; null takes it away.
  function wrong(found, column = "") {
    for (const marked of element.querySelectorAll(".sr-wrong-cell")) marked.classList.remove("sr-wrong-cell");
    replace(problem, found && h("p", { class: "sr-rule-error" }, found.message));
    if (found && column) element.querySelector(`[data-column="${column}"]`)?.classList.add("sr-wrong-cell");
  }
  function start(column) {
    if (view.readonly) return;
    if (column === "match") return toggle();
    const [place, value] = { name: [title, state.row.name], reason: [reason, state.row.reason], weight: [weight, weightText(state.row.weight)] }[column] ?? [];
    if (!place || isEdited(place)) return;
    const bounds = view.options.weights;
    edit({
      place,
      value,
      label: t(`rules.${column}`, { rule: name }),
      multiline: column === "reason",
      step: column === "weight" ? (text, direction, big) => stepped(text, direction, big, bounds) : null,
      commit: (text) => view.commit(name, column, column === "weight" ? weightOf(text) : text.trim()),
      wrong: (found) => wrong(found, column),
      done(byKey) {
        const now = view.nameOf(name);
        update(view.rowNamed(now) ?? state.row);
        if (byKey) view.focusAt(now, column);
      },
    });
  }
  function toggle() {
    if (state.opened) return close();
    state.opened = conditionsPanel(view, name, state.row, close);
    element.append(state.opened.element);
    match.setAttribute("aria-expanded", "true");
    state.opened.focus();
    view.reveal(element);
  }
  function close() {
    state.opened?.element.remove();
    state.opened = null;
    match.setAttribute("aria-expanded", "false");
    view.focusAt(name, "match");
  }
  return { element, update, refigure, start, wrong, toggle, row: () => state.row };
}

function tagsOf(t, row) {
  const tags = [];
  if (row.source) tags.push(h("span", { class: "sr-rule-tag" }, t("rules.from", { table: row.source })));
  if (row.edited) tags.push(h("span", { class: "sr-rule-tag sr-rule-tag-changed" }, t("rules.edited")));
  const fields = Object.keys(row.differs);
  if (fields.length) {
    const what = fields.filter((field) => field !== "match" && field !== "reason").map((field) => `${field} ${row.differs[field]}`).join(", ");
    const title = what ? t("rules.changed.says", { table: row.source, what }) : null;
    tags.push(h("span", { class: "sr-rule-tag sr-rule-tag-changed", title }, t("rules.changed")));
  }
  return tags;
}

function conditionsPanel(view, name, row, close) {
  const { t } = view;
  const said = h("p", { class: "sr-rule-said", "aria-live": "polite" });
  const other = h("p", { class: "sr-rule-error", role: "alert" });
  const apply = h("button", { type: "button", class: "sr-primary", onclick: save }, t("rules.apply"));
  const editor = conditionsEditor({ t, options: view.options, match: row.match, changed });
  const element = h(
    "div",
    { class: "sr-rule-open", role: "group", "aria-label": t("rules.conditions", { rule: name }), onkeydown: pressed },
    editor.element,
    h(
      "div",
      { class: "sr-rule-open-foot" },
      said,
      other,
      h("button", { type: "button", class: "sr-button", onclick: close }, t("rules.cancel")),
      view.readonly ? null : apply,
    ),
  );
  const check = view.checker((answer) => {
    const placed = editor.mark(answer.problem);
    replace(other, answer.problem && !placed ? answer.problem.message : "");
    write(said, touchText(t, answer));
    apply.disabled = Boolean(answer.problem);
  });
  function changed() {
    check({ do: "set", rule: name, field: "match", value: editor.value() });
  }
  async function save() {
    const problem = await view.commit(name, "match", editor.value());
    if (!problem) return close();
    if (!editor.mark(problem)) replace(other, problem.message);
  }
  function pressed(event) {
    event.stopPropagation();
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
  }
  changed();
  return { element, focus: editor.focus };
}

export function touchText(t, answer) {
  if (answer.slow) return t("rules.slow", { pattern: answer.slow });
  return answer.touched === null || answer.touched === undefined ? "" : t("rules.touches", { count: answer.touched });
}

function grip() {
  const dots = [0, 1, 2].flatMap((line) => [0, 1].map((column) => s("circle", { cx: 3 + 5 * column, cy: 3 + 5 * line, r: 1.2 })));
  return s("svg", { viewBox: "0 0 11 16", width: 11, height: 16, "aria-hidden": "true" }, dots);
}

function copyMark() {
  const sheet = (x, y) => s("rect", { x, y, width: 8, height: 9, rx: 1.5 });
  return s("svg", { class: "sr-rule-mark", viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" }, sheet(1.5, 1.5), sheet(4.5, 3.5));
}

function pinMark() {
  return s(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", { d: "M5 2h6M6 2v5L4 9.5h8L10 7V2M8 9.5V14", "stroke-linejoin": "round", "stroke-linecap": "round" }),
  );
}
