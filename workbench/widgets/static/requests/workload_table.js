// The requests of a workload as rows: filtered, sorted, walked through one by one. Only rows in sight are in the page.

import { actions } from "../shared/actions.js";
import { bus } from "../shared/bus.js";
import { h, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { GateState } from "../gate/gate_state.js";
import { keyboard } from "../shared/keys.js";
import { count } from "../shared/numbers.js";
import { afterPaint, eachFrame } from "../shared/painting.js";
import { words } from "../shared/words.js";
import { filtersOf, NO_FILTERS } from "./workload_filters.js";
import { chosen } from "./workload_order.js";
import { COLUMNS, rowOf, ROW_HEIGHT } from "./workload_rows.js";

const REST = 150;
const SAVE = 400;
const HEIGHT = 420;

export function render({ model, el }) {
  const table = new WorkloadTable(model);
  el.append(table.root);
  table.start();
  return () => table.dispose();
}

class WorkloadTable {
  constructor(model) {
    this.model = model;
    this.t = words(model);
    this.bus = bus(model.get("channel"));
    this.state = new GateState(model);
    this.filters = { ...NO_FILTERS, ...model.get("filters") };
    this.hidden = [];
    this.places = [];
    this.rows = [];
    this.painted = 0;
    this.selected = this.state.outcomes.placeOf.get(model.get("selected")) ?? -1;
    this.draw = eachFrame(() => this.paint());
    this.layout();
  }

  layout() {
    const { t, model } = this;
    this.fault = faultOf(model);
    this.filterBar = filtersOf(t, (filters) => this.filter(filters));
    this.heads = COLUMNS.map((column) => this.head(column));
    this.headRow = h("div", { class: "sr-table-row sr-table-head", role: "row" }, this.heads);
    this.space = h("div", { class: "sr-table-space" });
    this.body = h("div", { class: "sr-table-body", role: "rowgroup", onscroll: () => this.draw() }, this.space);
    this.body.style.height = `${model.get("height") || HEIGHT}px`;
    this.nothing = h("p", { class: "sr-table-nothing", hidden: true });
    this.grid = h(
      "div",
      { class: "sr-table-grid", role: "grid", "aria-label": t("table.title"), "aria-colcount": COLUMNS.length },
      this.headRow,
      this.body,
    );
    this.root = h(
      "div",
      { class: "sr sr-workload-table", dataset: { widget: "workload_table" } },
      this.fault.element,
      this.filterBar.element,
      this.grid,
      this.nothing,
    );
    this.grid.addEventListener("click", (event) => this.clicked(event));
    this.grid.addEventListener("dblclick", () => this.open());
  }

  head({ name, numeric }) {
    const press = () => this.sort(name);
    const title = this.t(`table.${name}`);
    const cell = h("div", { role: "columnheader", class: numeric && "sr-table-number", dataset: { column: name } });
    if (name === "flip") cell.append(title);
    else cell.append(h("button", { class: "sr-table-sort", onclick: press, title: this.t("table.sort") }, title));
    return cell;
  }

  start() {
    const { model, t } = this;
    this.keys = keyboard(this.root, [
      { keys: ["j", "ArrowDown"], words: t("table.next"), run: () => this.walk(1) },
      { keys: ["k", "ArrowUp"], words: t("table.previous"), run: () => this.walk(-1) },
      { keys: ["r"], words: t("table.largest"), run: () => this.regret() },
      { keys: ["Enter"], words: t("table.open"), run: (event) => event.target === this.root && this.open() },
      { keys: ["f"], words: t("table.find"), run: () => this.filterBar.focus() },
      { keys: ["Escape"], words: t("table.reset"), anywhere: true, run: () => this.escape() },
    ], t);
    this.listeners = {
      "change:sequence": () => this.adopt(),
      "change:outcomes_sequence": () => this.load(),
      "change:selected": () => this.choose(model.get("selected")),
      "change:filters": () => this.refilter(model.get("filters")),
    };
    for (const [event, listener] of Object.entries(this.listeners)) model.on(event, listener);
    this.leave = [
      this.bus.on("gate", (message, from) => from !== this && this.moved(message)),
      this.bus.on("request", ({ id }, from) => from !== this && this.choose(id)),
      this.bus.on("shown", ({ hidden }) => this.hide(hidden)),
    ];
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.body);
    this.filterBar.show(this.filters, this.state.outcomes);
    this.select();
    this.paint();
    this.reveal();
  }

  resized() {
    // The heads stand over their columns whatever a scroll bar takes.
    this.headRow.style.paddingRight = `${8 + this.body.offsetWidth - this.body.clientWidth}px`;
    this.draw();
  }

  // A slider moves in the gate: numbers in sight change at once, the order when it stands.
  moved({ weights, native, force, tolerance }) {
    this.state.tolerance = tolerance;
    this.state.move({ weights, native, force });
    this.draw();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.ordered(), REST);
  }

  adopt() {
    this.state.adopt();
    this.ordered();
  }

  load() {
    this.state.load();
    this.selected = this.state.outcomes.placeOf.get(this.model.get("selected")) ?? -1;
    this.hidden = [];
    this.filterBar.show(this.filters, this.state.outcomes);
    this.ordered();
  }

  hide(hidden) {
    this.hidden = hidden;
    this.ordered();
  }

  ordered() {
    this.select();
    this.draw();
  }

  // The places that the filters leave, in their order.
  select() {
    this.places = chosen(this.state, this.filters, this.hidden);
    const { n } = this.state.outcomes;
    this.space.style.height = `${this.places.length * ROW_HEIGHT}px`;
    this.grid.setAttribute("aria-rowcount", String(this.places.length + 1));
    this.filterBar.tell(this.t("table.count", { shown: count(this.places.length), count: count(n) }));
    this.nothing.hidden = this.places.length > 0;
    write(this.nothing, this.t(n ? "table.nothing" : "table.empty"));
    const { order, falling } = this.filters;
    for (const head of this.heads) {
      const sorted = head.dataset.column === order;
      head.setAttribute("aria-sort", sorted ? (falling ? "descending" : "ascending") : "none");
    }
  }

  paint() {
    const first = Math.max(0, Math.floor(this.body.scrollTop / ROW_HEIGHT) - 2);
    const many = Math.min(this.places.length - first, Math.ceil(this.body.clientHeight / ROW_HEIGHT) + 5);
    while (this.rows.length < many) {
      const row = rowOf(this.t, this.rows.length);
      this.rows.push(row);
      this.space.append(row.element);
    }
    this.rows.forEach((row, at) => {
      const rank = first + at;
      row.element.hidden = at >= many;
      if (at < many) row.show(this.state, this.places[rank], rank, this.places[rank] === this.selected);
    });
    const active = this.rows.find((row) => !row.element.hidden && row.place === this.selected);
    if (active) this.root.setAttribute("aria-activedescendant", active.element.id);
    else this.root.removeAttribute("aria-activedescendant");
    const number = (this.painted += 1);
    afterPaint(() => (this.root.dataset.painted = String(number)));
  }

  filter(filters) {
    this.filters = { ...this.filters, ...filters };
    this.body.scrollTop = 0;
    this.ordered();
    this.remember();
  }

  refilter(filters) {
    const wanted = { ...NO_FILTERS, ...filters };
    if (JSON.stringify(wanted) === JSON.stringify(this.filters)) return;
    this.filters = wanted;
    this.filterBar.show(wanted, this.state.outcomes);
    this.ordered();
  }

  // What is filtered is kept by the kernel, once nobody types.
  remember() {
    clearTimeout(this.saving);
    if (this.model.alone) return;
    this.saving = setTimeout(() => actions(this.model).act("filter", this.filters), SAVE);
  }

  sort(name) {
    const { order, falling } = this.filters;
    // Falling first, then rising, then the order of the table.
    if (order !== name) this.filter({ order: name, falling: true });
    else if (falling) this.filter({ falling: false });
    else this.filter({ order: "", falling: false });
  }

  escape() {
    this.filters = { ...NO_FILTERS };
    this.filterBar.show(this.filters, this.state.outcomes);
    this.filter({});
    this.root.focus({ preventScroll: true });
  }

  clicked(event) {
    const row = this.rows.find(({ element }) => element.contains(event.target));
    if (!row) return;
    this.pick(row.place);
    this.root.focus({ preventScroll: true });
  }

  walk(step) {
    if (!this.places.length) return;
    const at = this.places.indexOf(this.selected);
    const next = at < 0 ? 0 : Math.min(this.places.length - 1, Math.max(0, at + step));
    this.pick(this.places[next]);
    this.reveal();
  }

  // The largest regret among the rows, then the next one.
  regret() {
    const { state } = this;
    const order = this.places.filter((i) => state.regret(i) > 0);
    order.sort((a, b) => state.regret(b) - state.regret(a) || a - b);
    if (!order.length) return;
    this.pick(order[(order.indexOf(this.selected) + 1) % order.length]);
    this.reveal();
  }

  pick(place) {
    if (place === this.selected) return;
    this.selected = place;
    const id = this.state.outcomes.names[place];
    this.bus.emit("request", { id }, this);
    this.keep(id);
    this.draw();
  }

  keep(id) {
    if (this.model.get("selected") === id) return;
    this.model.set("selected", id);
    this.model.save_changes();
  }

  choose(id) {
    const place = this.state.outcomes.placeOf.get(id) ?? -1;
    if (place === this.selected) return;
    this.selected = place;
    this.keep(place >= 0 ? id : "");
    this.reveal();
    this.draw();
  }

  reveal() {
    const rank = this.places.indexOf(this.selected);
    if (rank < 0) return;
    const { scrollTop, clientHeight } = this.body;
    const top = rank * ROW_HEIGHT;
    if (top < scrollTop) this.body.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.body.scrollTop = top + ROW_HEIGHT - clientHeight;
  }

  open() {
    if (this.selected >= 0) actions(this.model).act("open", { request: this.state.outcomes.names[this.selected] });
  }

  dispose() {
    clearTimeout(this.resting);
    clearTimeout(this.saving);
    for (const [event, listener] of Object.entries(this.listeners)) this.model.off(event, listener);
    for (const leave of this.leave) leave();
    this.observer.disconnect();
    this.keys.dispose();
    this.fault.dispose();
    this.root.remove();
  }
}
