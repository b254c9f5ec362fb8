// The gate of a workload: points, sliders, totals. The picture moves without the kernel, which confirms what it says.

import { actions } from "../shared/actions.js";
import { bus } from "../shared/bus.js";
import { h, replace, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { controlsOf } from "./gate_controls.js";
import { filesOf } from "./gate_files.js";
import { glossaryOf } from "./gate_glossary.js";
import { confusionOf, figuresOf, promiseOf, rivalsOf, tilesOf } from "./gate_panels.js";
import { requestOf } from "./gate_request.js";
import { Scatter } from "./gate_scatter.js";
import { legendOf } from "./gate_legend.js";
import { ROUTES } from "./gate_rule.js";
import { Settling } from "./gate_settling.js";
import { groupName, routeMark } from "./gate_shapes.js";
import { GateState } from "./gate_state.js";
import { keyboard } from "../shared/keys.js";
import { count, percent, signed } from "../shared/numbers.js";
import { afterPaint, eachFrame } from "../shared/painting.js";
import { pythonOf } from "../shared/python.js";
import { words } from "../shared/words.js";

// `slots.below`: an element under the picture, a table of requests; `slots.show(tab)`: shows a tab of the bench.
export function render({ model, el, slots = {} }) {
  const view = new GateView(model, slots);
  el.append(view.root);
  view.start();
  return () => view.dispose();
}

class GateView {
  constructor(model, slots) {
    this.model = model;
    this.slots = slots;
    this.t = words(model);
    this.bus = bus(model.get("channel"));
    this.state = new GateState(model);
    this.state.selected = this.state.outcomes.placeOf.get(model.get("selected")) ?? -1;
    this.painted = 0;
    this.settling = new Settling(model, this.state, {
      values: (kind) => this.values(kind),
      adopt: () => this.adopt(),
    });
    this.moving = eachFrame(() => this.paint(true));
    this.parts();
    this.root = this.layout();
  }

  parts() {
    const { model, t } = this;
    const act = (kind, values) => actions(model).act(kind, values);
    this.tiles = tilesOf(t);
    this.scatter = new Scatter(model, t, {
      select: (place) => this.select(place),
      hover: (place) => this.hover(place),
    });
    this.legend = legendOf(t, (hidden) => this.hide(hidden));
    this.controls = controlsOf(t, {
      move: (change) => this.move(() => this.state.move(change)),
      tolerance: (value) => this.move(() => this.state.moveTolerance(value)),
      done: (kind) => this.done(kind),
    });
    this.rivals = rivalsOf(t);
    this.confusion = confusionOf(t);
    this.promise = promiseOf(t);
    this.request = requestOf(t, {
      open: (place) => this.open(place),
      explain: async (name) => (model.alone ? null : (await actions(model).ask("explain", { request: name })).value),
    });
    this.files = filesOf(model, t, { act, elsewhere: (tab) => this.elsewhere(tab) });
    this.python = pythonOf(t);
    this.fault = faultOf(model);
    this.basis = h("p", { class: "sr-gate-basis", role: "status" });
    this.notes = h("ul", { class: "sr-gate-notes" });
  }

  layout() {
    const { t } = this;
    const main = h(
      "div",
      { class: "sr-gate-main" },
      this.tiles.element,
      this.basis,
      this.notes,
      h("figure", { class: "sr-gate-figure" }, this.legend.element, this.scatter.views.element, this.scatter.element),
      this.request.element,
      this.slots.below && h("div", { class: "sr-gate-below" }, this.slots.below),
    );
    const side = h(
      "aside",
      { class: "sr-gate-side", "aria-label": t("gate.controls") },
      this.controls.element,
      this.files.element,
      this.rivals.element,
      this.confusion.element,
      this.promise.element,
      glossaryOf(t),
      this.python.element,
    );
    const height = this.model.get("height");
    const style = height ? { height: `${height}px`, overflow: "auto" } : {};
    const data = { widget: "gate_view" };
    return h(
      "div",
      { class: "sr sr-gate-view", dataset: data, style, role: "region", "aria-label": t("gate.title") },
      this.fault.element,
      h("div", { class: "sr-gate-columns" }, main, side),
      h("p", { class: "sr-gate-keys" }, ["j", "k"].map(key), ` ${t("keys.walk")}`, key("r"), ` ${t("keys.regret")}`,
        key("Enter"), ` ${t("keys.open")}`, key("0"), ` ${t("keys.whole")}`, key("?"), ` ${t("keys")}`),
    );
  }

  start() {
    const { model, t } = this;
    this.keys = keyboard(this.root, [
      { keys: ["j"], words: t("keys.next"), run: () => this.walk(1) },
      { keys: ["k"], words: t("keys.previous"), run: () => this.walk(-1) },
      { keys: ["r"], words: t("keys.regret"), run: () => this.regret() },
      { keys: ["Enter"], words: t("keys.open"), run: (event) => this.enter(event) },
      { keys: ["0"], words: t("keys.whole"), run: () => this.scatter.whole() },
      { keys: ["Escape"], words: t("keys.escape"), run: () => this.select(-1) },
    ], t);
    this.listeners = {
      "change:sequence": () => this.adopt(),
      "change:outcomes_sequence": () => this.load(),
      "change:job": () => this.files.show(),
      "change:said": () => this.files.show(),
      "change:selected": () => this.selectByName(model.get("selected")),
    };
    for (const [event, listener] of Object.entries(this.listeners)) model.on(event, listener);
    this.leave = [
      this.bus.on("request", ({ id }, from) => from !== this && this.selectByName(id)),
      this.bus.on("shown", ({ hidden }, from) => from !== this && this.hideQuietly(hidden)),
    ];
    this.files.show();
    this.legend.show(this.state);
    this.paint(false);
  }

  // One step of a slider: the numbers at once, the picture with the next frame.
  move(change) {
    this.settling.moved();
    change();
    this.moving();
  }

  paint(moving) {
    const { state, model } = this;
    const figures = figuresOf(model, state);
    this.tiles.show(figures, state);
    this.controls.show(state);
    this.scatter.show(state, moving);
    this.say(figures);
    this.bus.emit("gate", this.message(), this);
    if (moving) this.slowly();
    else this.rest(figures);
    const number = (this.painted += 1);
    afterPaint(() => (this.root.dataset.painted = String(number)));
  }

  // What nobody can read while a slider moves waits until it stands.
  slowly() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(figuresOf(this.model, this.state)), 60);
  }

  rest(figures) {
    clearTimeout(this.resting);
    const { state, model, t } = this;
    this.rivals.show(figures, model.get("rivals"), model.get("test_figures"));
    this.confusion.show(figures);
    this.promise.show(model.get("promise"));
    this.request.show(state);
    this.legend.count(state);
    this.python.show(this.call());
    replace(this.notes, model.get("notes").map((note) => noteOf(t, note)));
    this.notes.hidden = !this.notes.childElementCount;
    const [native, advisory, force] = state.totals.routed.map(count);
    const summary = { count: count(state.outcomes.n), native, advisory, force };
    this.scatter.element.setAttribute("aria-label", t("picture", summary));
  }

  message() {
    const { rule, routes, margins, tolerance, allowed } = this.state;
    return { ...rule, tolerance, allowed, routes, margins };
  }

  say({ split, basis }) {
    const { t, state, model } = this;
    const documents = state.outcomes.documentNames.length;
    const values = { requests: count(state.outcomes.n), documents: count(documents) };
    const where = !state.confirmed ? "basis.moving" : model.get("by_hand") ? "basis.by_hand" : `basis.${split}`;
    const intervals = documents > 1 ? t("basis.intervals", values) : t("basis.no_intervals");
    this.basis.dataset.confirmed = String(state.confirmed);
    const sentence = t(where, { ...values, basis: basisText(t, basis) });
    write(this.basis, state.outcomes.n ? `${sentence} ${intervals}` : t("empty"));
  }

  // The slider stands: the kernel judges the rule, and its figures take the place of ours.
  done(kind) {
    this.last = kind;
    this.settling.done(kind);
  }

  values(kind) {
    const { rule, tolerance } = this.state;
    const [exposure, cost, risk] = rule.weights;
    const known = {
      set_weights: { exposure, cost, risk },
      set_gate: { native: rule.native, force: rule.force },
      set_tolerance: { value: tolerance },
    };
    return known[kind];
  }

  // The Python call that gives what is shown.
  call() {
    const { rule, tolerance } = this.state;
    const [exposure, cost, risk] = rule.weights;
    if (this.model.get("workspace")) {
      if (this.last === "set_gate") return `bench.set_gate(native=${rule.native}, force=${rule.force})`;
      if (this.last === "set_tolerance") return `bench.set_tolerance(${tolerance})`;
      if (this.last) return `bench.set_weights(exposure=${exposure}, cost=${cost}, risk=${risk})`;
      return "bench.calibrate()";
    }
    if (this.state.confirmed && !this.model.get("by_hand")) {
      return `calibrate(\n    outcomes,\n    quality_tolerance=${tolerance},\n)`;
    }
    return [
      "judged(",
      "    outcomes,",
      `    GateWeights(${exposure}, ${cost}, ${risk}),`,
      `    GateThresholds(${rule.native}, ${rule.force}),`,
      `    tolerance=${tolerance},`,
      ")",
    ].join("\n");
  }

  // The kernel has judged a rule: ours, or another one that somebody set elsewhere.
  adopt() {
    if (this.settling.busy) this.state.compute();
    else this.state.adopt();
    this.paint(false);
  }

  load() {
    const name = this.state.outcomes.names[this.state.selected];
    this.state.load();
    this.state.selected = this.state.outcomes.placeOf.get(name) ?? -1;
    this.request.forget();
    this.controls.forget();
    this.scatter.view = null;
    this.legend.show(this.state);
  }

  select(place) {
    const { state } = this;
    if (place === state.selected) return;
    state.selected = place;
    const name = place >= 0 ? state.outcomes.names[place] : "";
    this.request.show(state);
    this.scatter.mark();
    this.bus.emit("request", { id: name }, this);
    this.keep(name);
  }

  keep(name) {
    if (this.model.get("selected") === name) return;
    this.model.set("selected", name);
    this.model.save_changes();
  }

  selectByName(name) {
    const place = this.state.outcomes.placeOf.get(name) ?? -1;
    if (place === this.state.selected) return;
    this.state.selected = place;
    this.request.show(this.state);
    this.scatter.mark();
    this.keep(place >= 0 ? name : "");
  }

  // The next point by margin, among those that are shown.
  walk(step) {
    const { state } = this;
    const order = this.order((i) => state.margins[i]);
    if (!order.length) return;
    const at = order.indexOf(state.selected);
    this.select(order[at < 0 ? 0 : Math.min(order.length - 1, Math.max(0, at + step))]);
  }

  // The largest regret, then the next one.
  regret() {
    const { state } = this;
    const order = this.order((i) => -state.regret(i)).filter((i) => state.regret(i) > 0);
    if (order.length) this.select(order[(order.indexOf(state.selected) + 1) % order.length]);
  }

  order(by) {
    const places = [...this.state.visible.keys()].filter((i) => this.state.visible[i]);
    return places.sort((a, b) => by(a) - by(b) || a - b);
  }

  enter(event) {
    if (event.target !== this.root || this.state.selected < 0) return false;
    this.open(this.state.selected);
    return true;
  }

  open(place) {
    actions(this.model).act("open", { request: this.state.outcomes.names[place] });
  }

  hide(hidden) {
    this.hideQuietly(hidden);
    this.bus.emit("shown", { hidden }, this);
  }

  hideQuietly(hidden) {
    const { state } = this;
    const { groups, groupNames, n } = state.outcomes;
    for (let i = 0; i < n; i += 1) state.visible[i] = hidden.includes(groupNames[groups[i]]) ? 0 : 1;
    this.legend.mark(hidden);
    this.scatter.show(state, false);
  }

  hover(place) {
    const { state, t } = this;
    const { outcomes } = state;
    const group = groupName(t, outcomes.groupNames[outcomes.groups[place]] ?? "");
    const gain = outcomes.gain[place];
    const [native, loss] = [outcomes.native[place], outcomes.loss[place]];
    const said = gain >= 0 ? "tip.saves" : "tip.costs";
    return h(
      "div",
      {},
      h("b", { dir: "auto" }, outcomes.questionOf(place) || outcomes.names[place]),
      h("span", {}, `${outcomes.documentNames[outcomes.documents[place]]} · ${group}`),
      h("span", {}, routeMark(t, ROUTES[state.routes[place]]), ` b ${signed(state.margins[place], 3)} · `,
        t(said, { share: native > 0 ? percent(Math.abs(gain) / native, 0) : "–" })),
      loss > 0 && h("span", { class: "sr-gate-wrong" }, t("tip.loses", { loss: percent(loss, 0) })),
      !outcomes.free[place] && h("span", {}, t(`constraint.${outcomes.constraintNames[outcomes.constraints[place]]}`)),
    );
  }

  elsewhere(tab) {
    if (!this.slots.show) return false;
    this.slots.show(tab);
    return true;
  }

  dispose() {
    this.settling.dispose();
    clearTimeout(this.resting);
    for (const [event, listener] of Object.entries(this.listeners)) this.model.off(event, listener);
    for (const leave of this.leave) leave();
    this.keys.dispose();
    this.fault.dispose();
    this.scatter.dispose();
    this.root.remove();
  }
}

const key = (name) => h("kbd", { class: "sr-key" }, name);

// How documents were held out.
const basisText = (t, basis) => (basis.code ? t(`basis.${basis.code}`, basis) : basis.text);

// What there are no words for is a sentence of the calibration, in English.
const noteOf = (t, note) =>
  note.code ? h("li", {}, t(`note.${note.code}`, note)) : h("li", { lang: "en" }, note.text);
