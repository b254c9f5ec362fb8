// A document as text to be read: margins beside it, outline, minimap and find around it, and the calculation behind the
// block at hand.

import { actions } from "../shared/actions.js";
import { bus } from "../shared/bus.js";
import { showAll } from "./document_block.js";
import { explanationOf } from "./document_explanation.js";
import { findOf } from "./document_find.js";
import { bindingsOf } from "./document_keys.js";
import { labelsOf } from "./document_labels.js";
import { minimapOf } from "./document_minimap.js";
import { outlineOf } from "./document_outline.js";
import { fold, openedAround, runOf, stateOf, takeDecision, takeReading } from "./document_state.js";
import { tablesOf } from "./document_tables.js";
import { DocumentText } from "./document_text.js";
import { toolbarOf } from "./document_toolbar.js";
import { h } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { keyboard, keycap } from "../shared/keys.js";
import { afterPaint } from "../shared/painting.js";
import { readingOf } from "../shared/reading.js";
import { words } from "../shared/words.js";

const OWN_HEIGHT = 680;
const HINTS = [
  ["doc.hint.block", "j", "k"],
  ["doc.hint.kept", "n", "p"],
  ["doc.hint.near", "t"],
  ["doc.hint.fold", "o"],
  ["doc.hint.find", "f"],
  ["doc.hint.label", "l"],
  ["doc.hint.hold", "Enter"],
  ["keys", "?"],
];
let views = 0;

// From a bench that has this inside: `slots.aside` stands below the explanation, `slots.pages` in turn with the text;
// `compact` leaves outline and explanation out.
export function render({ model, el, slots = null, compact = false }) {
  const view = new DocumentView(model, slots ?? (compact ? {} : null), compact);
  el.append(view.element);
  view.start();
  return () => view.dispose();
}

class DocumentView {
  constructor(model, slots, compact) {
    Object.assign(this, { model, slots, t: words(model), prefix: `sr-doc-${(views += 1)}` });
    this.compact = compact || slots?.compact === true;
    this.channel = bus(model.get("channel"));
    this.painted = 0;
    this.ends = [];
    this.takeDocument();
    this.labels = labelsOf(this);
    this.takeLabels();
    this.content = new DocumentText(this);
    this.minimap = minimapOf(this);
    this.outline = outlineOf(this);
    this.find = findOf(this);
    this.explanation = explanationOf(this);
    this.toolbar = toolbarOf(this);
    this.fault = faultOf(model);
    this.element = this.layout();
    this.keys = keyboard(this.element, bindingsOf(this), this.t);
  }

  layout() {
    const { slots, compact } = this;
    const { content, minimap, labels } = this;
    const text = h("div", { class: "sr-doc-middle" }, content.element, minimap.element, labels.element);
    this.middle = text;
    if (slots?.pages) slots.pages.hidden = true;
    const label = this.t("doc.side");
    const side = h(
      "aside",
      { class: "sr-doc-side", tabindex: "0", "aria-label": label },
      this.explanation.element,
      slots?.aside,
    );
    const centre = h("div", { class: "sr-doc-centre" }, this.toolbar.element, text, slots?.pages);
    const body = [!compact && this.outline.element, centre, !compact && side];
    const kinds = [compact && "sr-doc-compact", slots ? "sr-doc-inside" : "sr-doc-alone"].filter(Boolean);
    return h(
      "div",
      {
        class: ["sr sr-document-view", ...kinds].join(" "),
        tabindex: "-1",
        dataset: { widget: "document_view" },
        style: slots ? {} : { height: `${this.model.get("height") || OWN_HEIGHT}px` },
      },
      this.fault.element,
      h("div", { class: "sr-doc-body" }, body),
      !slots && this.footer(),
    );
  }

  footer() {
    const known = HINTS.filter(([said]) => said !== "doc.hint.label" || this.labels.canSet);
    const hints = known.map(([said, ...keys]) => h("span", {}, keys.map(keycap), this.t(said)));
    return h("div", { class: "sr-doc-hints", "aria-hidden": "true" }, hints);
  }

  start() {
    const { model } = this;
    this.content.build();
    this.listen("change:document_sequence", () => this.otherDocument());
    this.listen("change:sequence", () => this.otherReading());
    this.listen("change:selected", () => {
      const block = model.get("selected");
      if (block !== this.selected) this.choose(block, { place: "middle", tell: false, open: true });
    });
    this.listen("change:pin", () => this.heldChanged());
    this.listen("change:labelled", () => this.labelsChanged());
    this.listen("change:orphans", () => this.toolbar.paint());
    this.labels.listen(this.element);
    this.listen("change:channel", () => this.join());
    this.join();
    this.outline.build();
    this.minimap.build();
    this.repaintAround();
    if (this.selected >= 0) this.bring(this.selected, "middle");
    this.mark();
  }

  listen(event, listener) {
    this.model.on(event, listener);
    this.ends.push(() => this.model.off(event, listener));
  }

  // Hears the widgets of its channel.
  join() {
    this.leave?.();
    this.channel = bus(this.model.get("channel"));
    const ends = [
      this.channel.on("decision", (decision) => this.otherDecision(decision)),
      this.channel.on("select", ({ block, reveal }, from) => {
        if (from !== this) this.choose(block, { place: reveal === false ? null : "middle", tell: false, open: true });
      }),
    ];
    this.leave = () => ends.forEach((end) => end());
  }

  takeDocument() {
    const { model } = this;
    this.state = stateOf(model);
    this.text = this.state.document.text;
    this.tables = tablesOf(this.state, this.text);
    this.selected = model.get("selected") ?? -1;
    this.pin = model.get("pin") ?? -1;
    this.holding = 0;
    // Which document it is: what is asked of this one must not be answered of the next.
    this.sequence = model.get("document_sequence");
    this.moving = this.state.moving = false;
    if (this.selected >= 0) this.openRun(this.selected);
  }

  otherDocument() {
    this.takeDocument();
    this.labels.forget();
    this.takeLabels();
    this.explanation.forget();
    this.content.build();
    this.outline.build();
    this.minimap.build();
    this.find.reset();
    this.find.paint();
    this.repaintAround();
    if (this.selected >= 0) this.bring(this.selected, "middle");
    this.mark();
  }

  otherReading() {
    takeReading(this.state, readingOf(this.model));
    this.explanation.forget();
    this.repaint(false);
  }

  otherDecision(decision) {
    if (decision.status?.length !== this.state.document.n) return;
    takeDecision(this.state, { offset: this.channel.last("cut")?.offset, ...decision });
    this.repaint(decision.settled !== true);
  }

  takeLabels() {
    this.labels.take();
    fold(this.state);
  }

  // What was said of blocks is another thing now; what waits for its reading is shown with that.
  labelsChanged() {
    if (this.sequence !== this.model.get("document_sequence")) return;
    this.takeLabels();
    this.repaint(this.moving);
  }

  repaint(moving) {
    this.moving = this.state.moving = moving;
    if (this.content.isHidden) return this.content.paint();
    // The text last: it asks where its lines stand, and everything written before is laid out with it.
    this.outline.paint();
    this.repaintAround();
    this.content.paint();
    this.minimap.paint();
    this.mark();
  }

  repaintAround() {
    this.toolbar.paint();
    this.explanation.paint(this.moving);
  }

  mark() {
    this.painted += 1;
    const painted = String(this.painted);
    afterPaint(() => (this.element.dataset.painted = painted));
  }

  // The text has moved: what is in sight has a frame in the minimap and a place in the outline.
  moved() {
    if (!this.minimap || !this.outline) return;
    const [first, last] = this.content.sight;
    this.minimap.frame(first, last);
    this.follow();
    this.find.paint();
  }

  // The outline marks the section of the block at hand while that is in sight, else that of the first one.
  follow() {
    const [first, last] = this.content.sight;
    const isSeen = this.selected >= first && this.selected <= last;
    this.outline?.follow(isSeen ? this.selected : first);
  }

  // Takes a block in hand. `place`: where to bring it in sight, null for not at all; `open`: even out of a fold.
  choose(block, { place = null, tell = true, open = false } = {}) {
    const { n } = this.state.document;
    const next = Number.isInteger(block) && block >= 0 && block < n ? block : -1;
    const before = this.selected;
    const opened = open && next >= 0 && this.openRun(next);
    if (next === before && !opened) return place && next >= 0 ? this.bring(next, place) : undefined;
    this.selected = next;
    if (opened) this.repaintFolds();
    else for (const changed of [before, next]) this.content.touch(changed);
    this.content.point(next);
    if (next >= 0 && place) this.bring(next, place);
    this.follow();
    if (tell) {
      this.model.set("selected", next);
      this.model.save_changes();
      this.channel.emit("select", { block: next, reveal: true }, this);
    }
    this.explanation.paint(this.moving);
    this.mark();
  }

  bring(block, place) {
    this.content.reveal(block, place);
  }

  openRun(block) {
    if (this.state.folded[block] === -1) return false;
    const [first, last] = runOf(this.state, block);
    this.state.opened.fill(1, first, last);
    fold(this.state);
    return true;
  }

  repaintFolds() {
    this.content.paint();
    this.find.paint();
  }

  // Opens a folded run, or folds the opened blocks around a block again.
  toggle(block) {
    if (block < 0 || block >= this.state.document.n) return;
    if (!this.openRun(block)) {
      const [first, last] = openedAround(this.state, block);
      if (first === last) return;
      this.state.opened.fill(0, first, last);
      fold(this.state);
    }
    this.repaintFolds();
    this.choose(block, { place: "nearest" });
    this.mark();
  }

  toggleAll() {
    const isOpen = this.state.opened.some((value) => value === 1);
    this.state.opened.fill(isOpen ? 0 : 1);
    fold(this.state);
    this.repaintFolds();
    this.toolbar.paint();
    this.mark();
  }

  jump(block) {
    this.choose(block, { place: "start", open: true });
    this.focus();
  }

  scrollTo(block) {
    this.content.reveal(block, "middle");
  }

  showFound(block) {
    this.choose(block, { place: "middle", open: true });
    const element = this.elementOf(block)?.querySelector(".sr-doc-text");
    if (element) showAll(element);
  }

  // Shown at once; the kernel says the same when it has written it down, or what it holds comes back.
  async hold(block) {
    const pin = block ?? -1;
    if (this.model.alone) return this.model.set("pin", pin);
    const { sequence } = this;
    this.holding += 1;
    this.held(pin);
    await actions(this.model).act("pin", { block, sequence });
    if (this.sequence !== sequence || this.ended) return undefined;
    this.holding -= 1;
    return this.heldChanged();
  }

  heldChanged() {
    if (!this.holding) this.held(this.model.get("pin") ?? -1);
  }

  held(pin) {
    const before = this.pin;
    this.pin = pin;
    this.content.paint();
    this.explanation.paint(this.moving);
    if (before !== this.pin) this.mark();
  }

  // What the kernel knows of a block, or null: also where another document has come by now.
  async ask(block) {
    const of = this.model.alone ? {} : { sequence: this.sequence };
    const answer = await actions(this.model).ask("explain", { block, ...of });
    return answer.error ? null : answer.value;
  }

  show(pages) {
    this.middle.hidden = pages;
    this.slots.pages.hidden = !pages;
    if (!pages) this.content.look();
    if (this.selected >= 0) this.channel.emit("select", { block: this.selected, reveal: true }, this);
  }

  focus() {
    this.content.element.focus({ preventScroll: true });
  }

  elementOf(block) {
    return this.content.elementOf(block);
  }

  drawnBlocks() {
    return this.content.drawnBlocks();
  }

  dispose() {
    this.ended = true;
    this.leave();
    for (const end of this.ends) end();
    for (const part of [this.content, this.minimap, this.find, this.explanation, this.fault, this.keys]) part.dispose();
    this.element.remove();
  }
}
