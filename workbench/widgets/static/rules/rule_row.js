// One row of the table: made once, and then changed where its rule has.

import { h, replace, write } from "../shared/dom.js";
import { edit, isEdited, stepped, weightOf, weightText } from "./rule_cell.js";
import { conditionChips, conditionsEditor } from "./rule_conditions.js";
import { offFigure, touchedFigure, workloadFigures } from "./rule_figures.js";
import { rowParts, tagsOf } from "./rule_parts.js";
import { languageOf } from "../shared/words.js";

export const ruleRow = (view, name) => new RuleRow(view, name);

class RuleRow {
  constructor(view, name) {
    Object.assign(this, { view, name, row: null, said: "", opened: null });
    const hooks = { row: () => this.row, start: (column) => this.start(column), toggle: () => this.toggle() };
    this.parts = rowParts(view, name, hooks);
    this.element = this.parts.element;
  }

  update(row) {
    const { t } = this.view;
    const { on, pin, title, reason, weight, tags, match } = this.parts;
    this.row = row;
    this.element.classList.toggle("sr-rule-disabled", !row.enabled);
    this.element.classList.toggle("sr-rule-own", !row.source);
    on.setAttribute("aria-checked", String(row.enabled));
    pin.setAttribute("aria-pressed", String(row.pin));
    if (!isEdited(title)) write(title, row.name);
    if (!isEdited(reason)) write(reason, row.reason || t("rules.reason.none"));
    reason.title = row.reason;
    reason.lang = row.reason ? languageOf(row.reason) : this.view.model.get("language");
    if (!isEdited(weight)) this.showWeight();
    replace(tags, tagsOf(t, row));
    const said = JSON.stringify(row.match);
    if (said !== this.said) replace(match, conditionChips(t, row.match));
    this.said = said;
    this.refigure();
  }

  refigure() {
    const { view, row, name } = this;
    const { figures } = this.parts;
    figures.here.show(touchedFigure(view.t, row));
    figures.off.show(offFigure(view.t, row, view.here.get(name), view.waiting));
    const said = workloadFigures(view.t, row, view.effects[name], view.measuring);
    for (const column of ["workload", "recall", "tokens"]) figures[column].show(said[column]);
  }

  showWeight() {
    const { number, bar, weight } = this.parts;
    const text = weightText(this.row.weight);
    write(number, text);
    bar.show(this.row.weight, this.view.options.weights);
    replace(weight, number, bar.element);
    weight.setAttribute("aria-label", `${this.view.t("rules.weight", { rule: this.name })}: ${text}`);
  }

  // Shows what the loader says at the cell of a field; null takes it away.
  wrong(found, column = "") {
    for (const marked of this.element.querySelectorAll(".sr-wrong-cell")) marked.classList.remove("sr-wrong-cell");
    replace(this.parts.problem, found && h("p", { class: "sr-rule-error" }, found.message));
    if (found && column) this.element.querySelector(`[data-column="${column}"]`)?.classList.add("sr-wrong-cell");
  }

  start(column) {
    const { view, name, row } = this;
    if (column === "match") return this.toggle();
    const place = { name: this.parts.title, reason: this.parts.reason, weight: this.parts.weight }[column];
    if (view.readonly || !place || isEdited(place)) return undefined;
    const number = column === "weight";
    const bounds = view.options.weights;
    return edit({
      place,
      value: number ? weightText(row.weight) : row[column],
      label: view.t(`rules.${column}`, { rule: name }),
      multiline: column === "reason",
      step: number ? (text, direction, big) => stepped(text, direction, big, bounds) : null,
      commit: (text) => view.commit(name, column, number ? weightOf(text) : text.trim()),
      wrong: (found) => this.wrong(found, column),
      done: (byKey) => this.written(column, byKey),
    });
  }

  written(column, byKey) {
    const now = this.view.nameOf(this.name);
    // A row that was renamed is another row by now, and this one is on no page.
    if (now === this.name) this.update(this.view.rowNamed(now) ?? this.row);
    if (byKey) this.view.focusAt(now, column);
  }

  toggle() {
    if (this.opened) return this.close();
    this.opened = conditionsPanel(this.view, this.name, this.row, () => this.close());
    this.element.append(this.opened.element);
    this.parts.match.setAttribute("aria-expanded", "true");
    this.opened.focus();
    return this.view.reveal(this.element);
  }

  close() {
    this.opened?.element.remove();
    this.opened = null;
    this.parts.match.setAttribute("aria-expanded", "false");
    this.view.focusAt(this.name, "match");
  }
}

function conditionsPanel(view, name, row, close) {
  const { t } = view;
  const said = h("p", { class: "sr-rule-said", "aria-live": "polite" });
  const other = h("p", { class: "sr-rule-error", role: "alert" });
  const apply = h("button", { type: "button", class: "sr-primary", onclick: save }, t("rules.apply"));
  const cancel = h("button", { type: "button", class: "sr-button", onclick: close }, t("rules.cancel"));
  const editor = conditionsEditor({ t, options: view.options, match: row.match, changed });
  const element = h(
    "div",
    { class: "sr-rule-open", role: "group", "aria-label": t("rules.conditions", { rule: name }), onkeydown: pressed },
    editor.element,
    h("div", { class: "sr-rule-open-foot" }, said, other, cancel, view.readonly ? null : apply),
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
    return undefined;
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
