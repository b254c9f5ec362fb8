// The bench: one calm page with the tabs Read, Tune, Gate, Compare, Export and Annotate around the widgets that work
// alone, too.

import { actions } from "../shared/actions.js";
import { annotateTab } from "./annotate_tab.js";
import { benchKeys, keyPlace } from "./bench_keys.js";
import { bus } from "../shared/bus.js";
import { compareTab } from "./compare_tab.js";
import { h } from "../shared/dom.js";
import { exportTab } from "./export_tab.js";
import { faultOf } from "../shared/fault.js";
import { gateTab } from "./gate_tab.js";
import { header } from "./header.js";
import { afterPaint } from "../shared/painting.js";
import { presenterOf } from "../presenting/presenting.js";
import { readTab } from "./read_tab.js";
import { statusBar } from "./status_bar.js";
import { tuneTab } from "./tune_tab.js";
import { words } from "../shared/words.js";
import { noticeOf } from "./workbench_notice.js";
import { placeOf } from "./workbench_children.js";

const PAGE_OF_VOILA = "rendered_cells";
const TABS = {
  read: readTab,
  tune: tuneTab,
  gate: gateTab,
  compare: compareTab,
  export: exportTab,
  annotate: annotateTab,
};

export function render({ model, el }) {
  const shell = new Shell(model, el);
  return () => shell.dispose();
}

// Without a kernel there is what was there when the page was saved.
function tabsOf(model) {
  const { rules, gate, annotate } = model.get("children");
  const compared = Boolean(model.get("compared").path);
  const made = { tune: Boolean(rules), gate: Boolean(gate), annotate: Boolean(annotate) };
  const there = { read: true, compare: compared, export: false, ...made };
  return Object.keys(TABS).filter((tab) => !model.alone || there[tab]);
}

class Shell {
  constructor(model, el) {
    this.model = model;
    this.t = words(model);
    this.bus = bus(model.get("channel"));
    this.root = h("div", { class: "sr sr-workbench", dataset: { widget: "workbench" }, lang: model.get("language") });
    this.endings = [];
    this.panels = new Map();
    this.tabs = tabsOf(model);
    this.root.dataset.alone = String(model.alone === true);
    this.tab = this.tabs.includes(model.get("tab")) ? model.get("tab") : this.tabs[0];
    this.paints = 0;
    this.build();
    el.append(this.root);
    this.listen();
    this.sized();
    this.select(this.tab, { tell: false });
    this.presenter.turn();
    if (!model.get("head").document || !["read", "tune"].includes(this.tab)) this.rest();
  }

  act(kind, values) {
    return this.model.alone ? Promise.resolve({}) : actions(this.model).act(kind, values);
  }

  // The same once more: what was said of the last try is over.
  again(kind, values) {
    if (this.model.get("fault")) void this.act("close_fault");
    return this.act(kind, values);
  }

  ends(then) {
    this.endings.push(then);
  }

  // A child's place; see placeOf.
  place(name, render, options) {
    return placeOf(this, name, render, options);
  }

  // Calls `work` now and whenever one of these traits changes.
  follow(names, work) {
    for (const name of names) {
      this.model.on(`change:${name}`, work);
      this.ends(() => this.model.off(`change:${name}`, work));
    }
    work();
  }

  build() {
    this.presenter = presenterOf(this);
    this.header = header(this);
    this.status = statusBar(this);
    this.main = h("main", { class: "sr-wb-main" });
    const fault = faultOf(this.model);
    this.ends(fault.dispose);
    this.root.append(this.header.element, noticeOf(this).element, fault.element, this.main, this.status.element);
  }

  listen() {
    const keys = benchKeys(this);
    this.sheet = keys.sheet;
    this.ends(keys.dispose);
    const shown = () => this.select(this.model.get("tab"), { tell: false });
    this.model.on("change:tab", shown);
    this.ends(() => this.model.off("change:tab", shown));
  }

  step(kind) {
    const moved = kind === "undo" && actions(this.model).changing;
    if (moved || this.model.get("history")[kind]) void this.act(kind);
  }

  // Opens a request, and shows it in the Read tab.
  open(id) {
    this.select("read", { tell: false });
    this.enter();
    return this.act("open", { request: id, show: "read" });
  }

  select(tab, { tell = true, focus = false } = {}) {
    if (!this.tabs.includes(tab)) return;
    const changed = tab !== this.tab;
    // What had the focus goes out of sight, and would take the keys with it.
    const leaves = changed && this.main.contains(this.focused);
    this.tab = tab;
    if (!this.panels.has(tab)) this.panels.set(tab, this.panel(tab));
    for (const [name, panel] of this.panels) panel.element.hidden = name !== tab;
    this.header.select(tab);
    this.status.select(tab);
    this.panels.get(tab).show?.();
    if (focus || leaves) this.enter();
    if (changed && tell) void this.act("show", { tab });
    this.painted();
  }

  get focused() {
    return this.root.getRootNode().activeElement;
  }

  // The view in sight hears the keys from now on; until it is drawn, its panel waits for it.
  enter() {
    const { element } = this.panels.get(this.tab);
    (keyPlace(element, this.tab) ?? element).focus({ preventScroll: true });
  }

  // The window is given back: where what had the keys before has gone, they are those of the tab in sight.
  left() {
    if (!this.root.contains(this.focused)) this.enter();
  }

  panel(tab) {
    const panel = TABS[tab](this);
    panel.element.classList.add("sr-wb-panel");
    Object.assign(panel.element, { id: `${this.header.id}-${tab}-panel`, tabIndex: -1 });
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", `${this.header.id}-${tab}`);
    panel.element.setAttribute("data-lm-suppress-shortcuts", "true");
    this.main.append(panel.element);
    return panel;
  }

  mounted(name) {
    if (name === "document" || name === "gate") this.rest();
    if (this.focused === this.panels.get(this.tab)?.element) this.enter();
    this.root.dataset.children = [...new Set([
      ...(this.root.dataset.children ?? "").split(" "),
      name,
    ])].join(" ").trim();
    this.painted();
  }

  // What the first look at a document must not wait for.
  rest() {
    if (this.asked) return;
    this.asked = true;
    afterPaint(() => setTimeout(() => void actions(this.model).ask("rest"), 0));
  }

  painted() {
    afterPaint(() => {
      this.root.dataset.painted = String(++this.paints);
    });
  }

  // In a notebook the bench leaves room for the cells around it; as a page of its own it has the whole window.
  sized() {
    const height = this.model.get("height");
    if (height > 0) this.root.style.height = `${height}px`;
    else if (document.getElementById(PAGE_OF_VOILA)) this.root.dataset.whole = "true";
  }

  dispose() {
    for (const end of this.endings.splice(0)) end();
    this.root.remove();
  }
}
