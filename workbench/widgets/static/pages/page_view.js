// The pages of a document as they look, with what the reading makes of every block over them.

import { bus } from "../shared/bus.js";
import { h, replace, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { keyboard } from "../shared/keys.js";
import { barOf } from "./page_bar.js";
import { columnOf } from "./page_column.js";
import { sentenceOf } from "./page_marks.js";
import { hasGeometry, nextBlock, stateOf, takeDecision, takeReading, usualWidth } from "./page_state.js";
import { afterPaint, eachFrame } from "../shared/painting.js";
import { readingOf } from "../shared/reading.js";
import { words } from "../shared/words.js";

// Pixels of CSS for a point on paper.
const ACTUAL = 96 / 72;
const WIDEST_FIT = 980;
const LARGEST = 8;
const MARGIN = 24;
const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

export function render({ model, el }) {
  const view = new View(model);
  el.append(view.root);
  view.rebuild();
  return () => view.dispose();
}

class View {
  constructor(model) {
    this.model = model;
    this.t = words(model);
    this.channel = bus(model.get("channel"));
    this.fits = true;
    this.isSeen = false;
    this.scale = ACTUAL;
    this.painted = 0;
    this.ends = [];
    this.fault = faultOf(model);
    this.said = h("div", { class: "sr-hidden", "aria-live": "polite" });
    this.body = h("div", { class: "sr-page-body" });
    const named = { class: "sr sr-page-view", dataset: { widget: "page_view" } };
    this.root = h("div", named, this.fault.element, this.body, this.said);
    if (model.get("height")) this.root.style.height = `${model.get("height")}px`;
    this.repaint = eachFrame(() => this.paint());
    this.listen();
    this.keys = keyboard(this.root, this.bindings(), this.t);
  }

  listen() {
    const follow = (name, then) => {
      this.model.on(name, then);
      this.ends.push(() => this.model.off(name, then));
    };
    follow("change:document_sequence", () => this.rebuild());
    follow("change:sequence", () => {
      takeReading(this.state, readingOf(this.model));
      this.repaint();
    });
    follow("change:selected", () => this.take(this.model.get("selected"), true));
    this.ends.push(
      this.channel.on("decision", (decision) => {
        if (decision.status.length !== this.state.document.n) return;
        takeDecision(this.state, decision);
        this.repaint();
      }),
      this.channel.on("select", ({ block, reveal }, from) => from === this || this.take(block, reveal !== false)),
    );
    const resized = new ResizeObserver(() => this.shown(this.body.clientWidth > 0));
    resized.observe(this.body);
    this.ends.push(() => resized.disconnect());
  }

  // Behind another tab nothing has a size: what is at hand is brought in sight when the pages are seen.
  shown(isSeen) {
    if (isSeen && this.fits) this.fit();
    if (isSeen && !this.isSeen && this.column && this.state.selected >= 0) this.reveal(this.state.selected);
    this.isSeen = isSeen;
  }

  bindings() {
    const { t } = this;
    const move = (step, keptOnly) => () => this.choose(nextBlock(this.state, this.state.selected, step, keptOnly));
    const turn = (step) => () => this.goTo(this.page() + step);
    return [
      { keys: ["j"], words: t("page.key.next"), run: move(1, false) },
      { keys: ["k"], words: t("page.key.previous"), run: move(-1, false) },
      { keys: ["n"], words: t("page.key.next_kept"), run: move(1, true) },
      { keys: ["p"], words: t("page.key.previous_kept"), run: move(-1, true) },
      { keys: ["]", "ArrowRight"], words: t("page.key.page_after"), run: turn(1) },
      { keys: ["[", "ArrowLeft"], words: t("page.key.page_before"), run: turn(-1) },
      { keys: ["+", "-"], words: t("page.key.zoom"), run: (event) => this.zoomBy(event.key === "+" ? 1 : -1) },
      { keys: ["="], run: () => this.zoomBy(1) },
      { keys: ["f"], words: t("page.key.fit"), run: () => (this.fits ? this.zoomTo(1) : this.fit()) },
    ];
  }

  rebuild() {
    this.column?.dispose();
    this.state = stateOf(this.model);
    this.column = null;
    if (hasGeometry(this.state)) this.build();
    else this.sayNone(this.state.document.facts.name);
    this.mark();
  }

  sayNone(name) {
    replace(this.body, h("p", { class: "sr-page-none" }, this.t("page.no_geometry", { name })));
  }

  build() {
    const region = { tabindex: "0", role: "region", "aria-label": this.t("page.view") };
    this.scroller = h("div", { class: "sr-page-scroller", ...region });
    this.column = columnOf(this, () => this.mark());
    const shown = { count: this.state.pages.length, withGold: this.state.reading.gold.includes(1) };
    this.bar = barOf(this.t, shown, {
      goTo: (page) => this.goTo(page),
      zoomBy: (steps) => this.zoomBy(steps),
      fit: () => this.fit(),
      actual: () => this.zoomTo(1),
      keys: () => this.keys.sheet(),
    });
    this.scroller.append(this.column.element);
    this.scroller.addEventListener("scroll", eachFrame(() => this.showPlace()), { passive: true });
    this.scroller.addEventListener("click", (event) => this.clicked(event));
    replace(this.body, this.bar.element, this.scroller);
    this.fit();
    if (this.state.selected >= 0) this.reveal(this.state.selected);
  }

  clicked(event) {
    const group = event.target.closest("[data-block]");
    if (group) this.choose(Number(group.dataset.block));
  }

  // Somebody here took a block in hand: the others of the channel and the kernel hear of it.
  choose(block) {
    if (block < 0) return;
    this.take(block, true);
    this.channel.emit("select", { block, reveal: true }, this);
    this.model.set("selected", block);
    this.model.save_changes();
  }

  take(block, reveal) {
    if (!this.column || block === this.state.selected) return;
    this.state.selected = block;
    this.repaint();
    if (block < 0) return;
    write(this.said, sentenceOf(this, block));
    if (reveal) this.reveal(block);
  }

  reveal(block) {
    const sheet = this.column.sheets[this.state.document.pages[block] - 1];
    const top = this.state.tops[block];
    if (!sheet || Number.isNaN(top)) return;
    const at = sheet.element.offsetTop + (top / sheet.page.height) * sheet.page.down * this.scale;
    const { scrollTop, clientHeight } = this.scroller;
    if (at > scrollTop + MARGIN && at < scrollTop + 0.8 * clientHeight) return;
    this.scroller.scrollTop = at - clientHeight / 3;
  }

  page() {
    const middle = this.scroller.scrollTop + this.scroller.clientHeight / 3;
    let [low, high] = [0, this.column.sheets.length - 1];
    while (low < high) {
      const half = (low + high + 1) >> 1;
      if (this.column.sheets[half].element.offsetTop <= middle) low = half;
      else high = half - 1;
    }
    return low + 1;
  }

  goTo(page) {
    if (!this.column) return;
    const count = this.column.sheets.length;
    const number = Math.min(count, Math.max(1, Math.round(page) || 1));
    this.scroller.scrollTop = number === 1 ? 0 : this.column.sheets[number - 1].element.offsetTop - MARGIN / 2;
    this.showPlace();
  }

  fit() {
    if (!this.scroller) return;
    const room = this.scroller.clientWidth - 2 * MARGIN;
    this.fits = true;
    if (room > 0) this.resize(Math.min(LARGEST, Math.min(room, WIDEST_FIT) / usualWidth(this.state)));
  }

  zoomTo(zoom) {
    this.fits = false;
    this.resize(zoom * ACTUAL);
  }

  zoomBy(direction) {
    const now = this.scale / ACTUAL;
    const larger = STEPS.find((step) => step > now + 0.01);
    const smaller = STEPS.findLast((step) => step < now - 0.01);
    const further = direction > 0 ? larger : smaller;
    if (further) this.zoomTo(further);
  }

  // What is in sight stays in sight.
  resize(scale) {
    if (!this.column) return;
    const page = this.page();
    const sheet = this.column.sheets[page - 1].element;
    const place = (this.scroller.scrollTop - sheet.offsetTop) / Math.max(1, sheet.offsetHeight);
    this.scale = scale;
    this.column.element.style.setProperty("--sr-scale", String(scale));
    if (this.scroller.scrollTop > 0) this.scroller.scrollTop = sheet.offsetTop + place * sheet.offsetHeight;
    this.column.refill();
    this.showPlace();
  }

  showPlace() {
    if (!this.column) return;
    this.bar.show({ page: this.page(), zoom: this.scale / ACTUAL, fits: this.fits });
  }

  paint() {
    this.column?.paint();
    this.mark();
  }

  mark() {
    afterPaint(() => (this.root.dataset.painted = String(++this.painted)));
  }

  dispose() {
    this.column?.dispose();
    this.keys.dispose();
    this.fault.dispose();
    for (const end of this.ends) end();
    this.root.remove();
  }
}
