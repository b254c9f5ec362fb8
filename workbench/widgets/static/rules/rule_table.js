// The rules of a table: one row a rule, edited at the cell, in the order of the table.

import { actions } from "../shared/actions.js";
import { bus } from "../shared/bus.js";
import { h, quiet, replace, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { afterPaint } from "../shared/painting.js";
import { pythonOf } from "../shared/python.js";
import { conditionText } from "./rule_conditions.js";
import { draftPanel } from "./rule_draft.js";
import { dragging } from "./rule_drag.js";
import { hereEffects } from "./rule_here.js";
import { ruleKeys } from "./rule_keys.js";
import { columnsOf, ruleHead, sortedRows } from "./rule_order.js";
import { measuringOf } from "./rule_figures.js";
import { PendingValues } from "./rule_pending.js";
import { ruleRow } from "./rule_row.js";
import { savePanel } from "./rule_save.js";
import { ruleToolbar } from "./rule_toolbar.js";
import { words } from "../shared/words.js";

const CHECK_AFTER = 150;
const HEAD = 70;
const COMMITTED = new Set(["enabled", "pin"]);

export function render({ model, el }) {
  const view = new RuleTableView(model, words(model));
  el.append(view.root);
  view.paint();
  return () => view.dispose();
}

class RuleTableView {
  constructor(model, t) {
    Object.assign(this, { model, t, options: model.get("options"), readonly: model.alone === true });
    this.channel = bus(model.get("channel"));
    this.rows = [];
    this.known = new Map();
    this.folded = new Set();
    this.renamed = new Map();
    this.sort = null;
    this.filter = "";
    this.at = { name: "", column: "name" };
    this.painted = 0;
    this.panel = null;
    this.here = new Map();
    this.waiting = false;
    this.fault = faultOf(model);
    this.pending = new PendingValues(this);
    this.toolbar = ruleToolbar(this);
    this.head = ruleHead(this);
    this.grid = h("div", { class: "sr-rule-grid", role: "grid", "aria-label": "" }, this.head.element);
    this.note = h("p", { class: "sr-rule-said sr-rule-told", role: "status", "aria-live": "polite" });
    this.place = h("div", { class: "sr-rule-panel" });
    this.python = pythonOf(t);
    this.scroll = h("div", { class: "sr-rule-scroll" }, this.grid);
    this.root = h(
      "div",
      { class: "sr sr-rule-table", dataset: { widget: "rule_table" } },
      this.toolbar.element, this.fault.element, this.note, this.place, this.scroll, this.python.element,
    );
    const height = model.get("height");
    if (height) this.root.style.setProperty("--sr-rule-height", `${height}px`);
    this.effects = model.get("effects");
    this.measuring = measuringOf(model);
    this.effectsHere = hereEffects(this);
    this.keys = ruleKeys(this);
    this.listen();
  }

  listen() {
    const { model } = this;
    this.listeners = {
      "change:sequence": () => this.paint(),
      "change:effects": () => this.refigure(),
      "change:measuring": () => this.refigure(),
      "change:effects_fresh": () => this.refigure(),
      "change:selected": () => this.mark(model.get("selected")),
      "change:call": () => this.showCall(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) model.on(name, listener);
    this.silence = this.channel.on("rule", ({ name }, from) => from !== this && this.mark(name, true));
    this.grid.addEventListener("focusin", (event) => this.entered(event));
  }

  // --- Painting ---

  paint() {
    const { model, t } = this;
    this.rows = model.get("rows");
    this.facts = model.get("facts");
    this.byName = new Map(this.rows.map((row) => [row.name, row]));
    this.grid.setAttribute("aria-label", t("rules.title", { name: this.facts.name }));
    for (const name of [...this.known.keys()]) if (!this.byName.has(name)) this.known.delete(name);
    const focused = this.grid.contains(document.activeElement) ? { ...this.at } : null;
    this.pending.renewed();
    for (const row of this.rows) this.rowView(row.name).update(this.pending.over(row));
    this.arrange();
    this.toolbar.show();
    this.effectsHere.renew();
    this.refigure();
    this.mark(model.get("selected"));
    const lost = focused && !this.grid.contains(document.activeElement);
    if (lost && this.byName.has(focused.name)) this.focusAt(focused.name, focused.column);
    this.showCall();
    this.painted += 1;
    afterPaint(() => (this.root.dataset.painted = String(this.painted)));
  }

  // Puts the rows in the order that is asked for, and moves only those that stand elsewhere.
  arrange() {
    const shown = sortedRows(this.rows, this);
    const wanted = [this.head.element];
    // A table with rules of its own alone has its name above already.
    let group = this.rows.some((row) => row.source) ? null : "";
    for (const row of shown) {
      if (!this.sort && row.source !== group) {
        group = row.source;
        wanted.push(this.head.group(group, shown.filter((one) => one.source === group)));
      }
      if (this.sort || !this.folded.has(row.source) || this.filter) wanted.push(this.rowView(row.name).element);
    }
    if (!shown.length && this.filter) {
      wanted.push(h("p", { class: "sr-rule-none" }, this.t("rules.filter.none", { text: this.filter })));
    }
    const staying = new Set(wanted);
    for (const element of [...this.grid.children]) if (!staying.has(element)) element.remove();
    wanted.forEach((element, at) => {
      if (this.grid.children[at] !== element) this.grid.insertBefore(element, this.grid.children[at] ?? null);
    });
    this.grid.setAttribute("aria-rowcount", String(wanted.length));
    this.shown = wanted.filter((element) => element.dataset.rule !== undefined).map((element) => element.dataset.rule);
    this.root.style.setProperty("--sr-rule-columns", columnsOf(this));
    this.head.show();
    this.rove();
  }

  rowView(name) {
    if (!this.known.has(name)) this.known.set(name, ruleRow(this, name));
    return this.known.get(name);
  }

  refigure() {
    this.effects = this.model.get("effects");
    this.measuring = measuringOf(this.model);
    for (const row of this.known.values()) row.refigure();
    this.toolbar.showMeasuring();
    this.root.style.setProperty("--sr-rule-columns", columnsOf(this));
  }

  tell(text) {
    write(this.note, text);
  }

  showCall() {
    const call = this.model.get("call");
    this.python.element.hidden = !call;
    this.python.show(call);
  }

  // --- Focus and selection, both by name ---

  rove() {
    const name = this.shown.includes(this.at.name) ? this.at.name : (this.shown[0] ?? "");
    for (const element of this.grid.querySelectorAll('[data-column][tabindex="0"]')) element.tabIndex = -1;
    const found = this.targetAt(name, this.at.column) ?? this.targetAt(name, "name");
    if (found) found.tabIndex = 0;
  }

  targets(name) {
    const all = this.known.get(name)?.element.querySelectorAll("[data-column]") ?? [];
    return [...all].filter((element) => !element.closest(".sr-rule-open") && element.offsetParent !== null);
  }

  targetAt(name, column) {
    return this.known.get(name)?.element.querySelector(`[data-column="${column}"]`) ?? null;
  }

  entered(event) {
    const row = event.target.closest("[data-rule]");
    const column = event.target.closest("[data-column]")?.dataset.column;
    if (!row) return;
    const name = row.dataset.rule;
    if (column) {
      this.at = { name, column };
      quiet(event.target);
      this.rove();
    }
    if (name !== this.model.get("selected")) this.select(name);
  }

  focusAt(name, column) {
    const found = this.targetAt(name, column);
    if (!found) return;
    this.at = { name, column };
    this.rove();
    found.focus({ preventScroll: true });
    this.reveal(this.known.get(name).element);
    found.scrollIntoView({ block: "nearest" });
  }

  // Scrolls the table so that a row stands below its head; the page around it stays where it is.
  reveal(element) {
    const [box, own] = [this.scroll.getBoundingClientRect(), element.getBoundingClientRect()];
    const top = box.top + HEAD;
    if (own.top < top) this.scroll.scrollTop -= top - own.top;
    else if (own.bottom > box.bottom) this.scroll.scrollTop += Math.min(own.bottom - box.bottom, own.top - top);
  }

  select(name) {
    this.model.set("selected", name);
    this.model.save_changes();
    this.mark(name);
    this.channel.emit("rule", { name }, this);
  }

  mark(name, reveal = false) {
    for (const [known, row] of this.known) row.element.setAttribute("aria-selected", String(known === name));
    const chosen = this.known.get(name);
    if (reveal && chosen?.element.isConnected) {
      this.at = { name, column: this.at.column };
      this.rove();
      this.reveal(chosen.element);
    }
  }

  rowNamed(name) {
    return this.pending.over(this.byName.get(name)) ?? null;
  }

  // A row that was given another name since.
  nameOf(name) {
    return this.byName.has(name) ? name : (this.renamed.get(name) ?? name);
  }

  // --- Edits ---

  ask(name, values) {
    return actions(this.model).ask(name, values);
  }

  act(kind, values) {
    return this.readonly ? Promise.resolve({}) : actions(this.model).act(kind, values);
  }

  // Returns a function that asks what the loader says to the newest edit, once somebody has stopped writing.
  checker(show) {
    let timer = null;
    let newest = 0;
    return (edit) => {
      clearTimeout(timer);
      const number = (newest += 1);
      timer = setTimeout(async () => {
        if (this.readonly) return;
        const { value, error } = await this.ask("check", { edit });
        if (number === newest) show(error ? { problem: { field: "", item: null, message: error } } : value);
      }, CHECK_AFTER);
    };
  }

  // Does an edit if the loader has nothing against it; resolves to the problem, or null.
  async apply(edit, { sure = false } = {}) {
    if (!sure) {
      const { value, error } = await this.ask("check", { edit });
      const problem = error ? { field: "", item: null, message: error } : value.problem;
      if (problem) return problem;
    }
    const { error } = await this.act("edit_rules", { table: this.facts.key, edit });
    return error ? { field: edit.field ?? "", item: null, message: error } : null;
  }

  async commit(name, field, value) {
    const [least, greatest] = this.options.weights;
    const sure = COMMITTED.has(field) || (field === "weight" && value >= least && value <= greatest);
    if (field === "name") this.renamed.set(name, value);
    return this.apply({ do: "set", rule: name, field, value }, { sure });
  }

  async set(name, field, value) {
    if (!this.readonly) await this.pending.set(name, field, value);
  }

  // Takes the last edit back, or does it again, where there is one: an edit on its way is one.
  turnBack(kind) {
    if (this.facts[kind] || (kind === "undo" && (this.pending.any || actions(this.model).changing))) {
      void this.act(kind, {});
    }
  }

  async changeRow(name, edit) {
    if (this.readonly) return false;
    const problem = await this.apply({ ...edit, rule: name });
    this.known.get(name)?.wrong(problem);
    return !problem;
  }

  async duplicate(name) {
    const before = new Set(this.rows.map((row) => row.name));
    if (!(await this.changeRow(name, { do: "duplicate" }))) return;
    const copy = this.rows.find((row) => !before.has(row.name));
    if (copy) this.focusAt(copy.name, "name");
  }

  async remove(name) {
    const at = this.shown.indexOf(name);
    const next = this.shown[at + 1] ?? this.shown[at - 1];
    if (!(await this.changeRow(name, { do: "remove" }))) return;
    this.tell(this.t("rules.removed", { rule: name }));
    if (next) this.focusAt(next, "name");
  }

  whyNotMoved(name) {
    const row = this.byName.get(name);
    if (this.sort) return this.t("rules.sorted.move");
    if (this.filter) return this.t("rules.filtered.move");
    return row.source ? this.t("rules.inherited.move", { table: row.source }) : "";
  }

  move(name, before) {
    return this.changeRow(name, { do: "move", before }).then(() => this.focusAt(name, this.at.column));
  }

  // Moves a rule by one place: -1 up, 1 down.
  step(name, direction) {
    const why = this.whyNotMoved(name);
    if (why) return this.tell(why);
    this.tell("");
    const own = this.rows.filter((row) => !row.source).map((row) => row.name);
    const at = own.indexOf(name);
    const to = at + direction;
    if (to < 0 || to >= own.length) return undefined;
    return this.move(name, direction < 0 ? own[to] : (own[to + 1] ?? null));
  }

  drag(event, name) {
    const why = this.readonly ? "" : this.whyNotMoved(name);
    this.tell(why);
    if (why || this.readonly) return;
    const own = this.rows.filter((row) => !row.source).map((row) => row.name);
    const rows = () => own.map((known) => [known, this.known.get(known).element]);
    dragging({ grid: this.grid, rows, name, event, drop: (before) => this.move(name, before) });
  }

  // --- What is not a row ---

  add() {
    if (this.readonly) return;
    const base = this.t("rules.draft.name");
    let name = base;
    for (let number = 2; this.byName.has(name); number += 1) name = `${base}-${number}`;
    this.open(draftPanel(this, { name, close: () => this.shut() }));
  }

  save() {
    if (this.readonly) return;
    const saved = (path) => this.tell(this.t("rules.save.done", { path }));
    this.open(savePanel(this, { path: this.facts.path, close: () => this.shut(), saved }));
  }

  open(panel) {
    this.tell("");
    this.panel?.dispose?.();
    this.panel = panel;
    replace(this.place, panel.element);
    panel.focus();
  }

  shut() {
    this.panel?.dispose?.();
    this.panel = null;
    replace(this.place);
    const found = this.targetAt(this.at.name || (this.shown[0] ?? ""), "name");
    found?.focus({ preventScroll: true });
  }

  matches(row) {
    if (!this.filter) return true;
    const text = `${row.name} ${row.reason} ${conditionText(row.match)}`.toLowerCase();
    return this.filter.toLowerCase().split(/\s+/).every((part) => text.includes(part));
  }

  dispose() {
    for (const [name, listener] of Object.entries(this.listeners)) this.model.off(name, listener);
    this.silence();
    this.keys.dispose();
    this.fault.dispose();
    this.effectsHere.dispose();
    this.panel?.dispose?.();
  }
}
