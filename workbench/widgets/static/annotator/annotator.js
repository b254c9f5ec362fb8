// A question, a block in its surroundings, and one key for what it is. The next item stands there before the kernel has
// answered: what was pressed is kept in this browser until it has.

import { actions } from "../shared/actions.js";
import { h, replace, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { keyboard, keycap } from "../shared/keys.js";
import { afterPaint } from "../shared/painting.js";
import { words } from "../shared/words.js";
import { agreementOf } from "./annotator_agreement.js";
import { endsOf } from "./annotator_ends.js";
import { footOf } from "./annotator_foot.js";
import { headOf } from "./annotator_head.js";
import { bindingsOf } from "./annotator_keys.js";
import { askForNews } from "./annotator_news.js";
import { sideOf } from "./annotator_side.js";
import { Pace, WalkState } from "./annotator_state.js";
import { textOf } from "./annotator_text.js";

const AHEAD = 3;
// Nobody has read a block so soon: a key within this time belongs to the item before, and was pressed twice.
const SETTLE = 120;
const WITH_SPANS = new Set(["evidence", "useful context"]);

export function render({ model, el }) {
  const view = new Annotator(model);
  el.append(view.root);
  view.start();
  return () => view.dispose();
}

class Annotator {
  constructor(model) {
    this.model = model;
    this.t = words(model);
    this.actions = actions(model);
    this.state = new WalkState(model);
    this.pace = new Pace();
    this.cards = new Map();
    this.asked = new Set();
    this.visit = null;
    this.painted = 0;
    this.ready = false;
    this.ends = [];
    this.layout();
  }

  layout() {
    const { model, t } = this;
    this.fault = faultOf(model);
    this.head = headOf(model, t, {
      onOrder: (name) => this.reorder(name),
      onBlind: (on) => this.actions.act("blind", { on }),
      onSheet: () => this.keys.sheet(),
      onStop: () => this.stop(),
      ends: this.ends,
    });
    this.text = textOf(t, (spans) => this.spanned(spans));
    this.side = sideOf(t, { onNote: (note) => this.noted(note), onClear: () => this.cleared() });
    this.agreement = agreementOf(t, (one) => this.go(one));
    this.end = endsOf(t, {
      onAgain: () => this.said("again"),
      onMore: () => this.said("order", { name: model.get("order"), again: true }),
    });
    this.foot = footOf(t, model.get("values"), {
      onValue: (value) => this.press(value),
      onSkip: () => this.skip(),
      onBack: () => this.back(),
      onUndo: () => this.take("undo_label"),
      onRedo: () => this.take("redo_label"),
    });
    this.notice = h("div", { class: "sr-an-notice", role: "status", hidden: true });
    const opens = { "aria-expanded": "false", onclick: () => this.compare() };
    this.panel = h("button", { class: "sr-button sr-an-panel", ...opens }, t("an.agreement"), " ", keycap("a"));
    const side = h("aside", { class: "sr-an-side" }, this.side.element, this.agreement.element, this.panel);
    const middle = h("div", { class: "sr-an-middle" }, this.text.element, this.end.element);
    this.root = h(
      "div",
      { class: "sr sr-annotator", role: "application", "aria-label": t("an.title"), dataset: { widget: "annotator" } },
      this.head.element,
      h("div", { class: "sr-an-notices" }, this.fault.element, this.notice),
      middle,
      side,
      this.foot.element,
    );
    if (model.get("height")) this.root.style.height = `${model.get("height")}px`;
  }

  start() {
    const { model, root } = this;
    this.keys = keyboard(root, bindingsOf(this), this.t);
    this.listeners = {
      "change:sequence": () => this.adopt(),
      "change:queue_sequence": () => this.renew(),
      "change:blind": () => this.show(),
      "change:building": () => this.tell(),
    };
    for (const [event, listener] of Object.entries(this.listeners)) model.on(event, listener);
    root.addEventListener("click", (event) => this.clicked(event));
    this.ends.push(this.actions.watch(() => this.heard()));
    if (!model.alone) this.ends.push(askForNews(root, () => this.news()));
    this.renew();
  }

  // A button that is gone or off after its click would take the keys with it.
  clicked({ target }) {
    if (target.closest(".sr-an-foot button, .sr-an-end button, .sr-an-side button")) this.focus();
  }

  focus() {
    this.root.focus({ preventScroll: true });
  }

  get card() {
    return this.visit ?? this.cards.get(this.state.at) ?? null;
  }

  // Another queue: what is known of its items is what came with it.
  renew() {
    this.cards = new Map(Object.entries(this.model.get("cards")).map(([at, card]) => [Number(at), card]));
    this.asked = new Set();
    this.visit = null;
    this.state.adopt();
    this.show();
  }

  // What the kernel says counts once it has heard everything; before, what was pressed does.
  adopt() {
    if (this.actions.pending) return;
    const before = this.state.at;
    const label = JSON.stringify(this.state.label());
    this.state.adopt();
    if (this.state.at !== before || JSON.stringify(this.state.label()) !== label) this.show();
    else this.tell();
  }

  heard() {
    this.adopt();
    this.notify();
  }

  // What was pressed is heard first: news would be older.
  async news() {
    if (this.actions.connected && !this.actions.pending) await this.actions.ask("news");
  }

  // What must be known of the item, or of the kernel.
  notify() {
    const lost = !this.model.alone && !this.actions.connected;
    const said = lost ? this.t("an.lost", { count: this.actions.pending }) : this.remark();
    this.notice.hidden = !said;
    write(this.notice, said);
  }

  remark() {
    const { card, t } = this;
    if (!card) return "";
    if (this.visit) return t("an.settling");
    return card.problem ?? (card.gone ? t("an.gone") : card.changed ? t("an.changed") : "");
  }

  // The item at hand, from the start: nothing of the one before stays.
  show() {
    const { card, state } = this;
    this.ready = false;
    this.root.dataset.ready = "false";
    if (!card && !state.done) this.fetch(state.at);
    const label = this.visit ? null : state.label();
    this.draft = { spans: label?.spans ?? [], note: label?.note ?? "" };
    this.head.show(card, this.visit ? null : state);
    if (card?.blocks) this.text.show(card, this.draft.spans);
    else this.text.clear();
    this.tell();
    for (let at = state.at - 1; at <= state.at + AHEAD; at++) this.fetch(at);
    this.drawn();
  }

  // What differs without another item: counts, figures, the label of this one.
  tell() {
    const { state, model, card } = this;
    const label = this.visit ? null : state.label();
    const hidden = model.get("blind") && !label && !this.visit;
    this.head.follow();
    this.head.progress(state, this.pace, model.get("building"));
    this.side.show(card, { label, skipped: state.skipped.has(state.at), hidden, draft: this.draft });
    this.side.marked(this.draft.spans, card);
    this.foot.show({ value: label?.value, off: !card?.blocks || model.alone === true, quiet: model.alone === true });
    this.end.show(this.visit ? { done: false } : state, model);
    this.text.element.hidden = !this.visit && state.done;
    this.panel.hidden = model.alone === true || (model.get("others") === 0 && this.agreement.element.hidden);
    this.notify();
  }

  drawn() {
    const number = (this.painted += 1);
    this.text.settle();
    afterPaint(() => {
      if (number !== this.painted) return;
      this.root.dataset.painted = String(number);
      this.root.dataset.at = String(this.state.at);
      clearTimeout(this.settling);
      this.settling = setTimeout(() => {
        this.ready = this.card !== null || this.state.done;
        this.root.dataset.ready = String(this.ready);
      }, SETTLE);
    });
  }

  async fetch(at) {
    if (at < 0 || at >= this.state.total || this.cards.has(at) || this.asked.has(at)) return;
    this.asked.add(at);
    const { cards } = this;
    const { value } = await this.actions.ask("card", { at });
    this.asked.delete(at);
    if (!value || cards !== this.cards) return;
    cards.set(at, value);
    if (at === this.state.at && !this.visit) this.show();
  }

  // Whether a key counts: the item has been seen, and somebody will hear what is said of it.
  get open() {
    return this.ready && !this.model.alone && this.actions.alive;
  }

  press(value) {
    const { card } = this;
    if (!this.open || !card?.blocks) return;
    const spans = WITH_SPANS.has(value) ? this.draft.spans : [];
    const note = this.side.note.value.trim();
    const values = { item: card.key, value, spans, note };
    this.pace.tick();
    this.foot.said(value, this.pace.count);
    if (this.visit) return this.settle(values);
    values.then = this.state.take({ value, spans, note });
    this.goOn("label", values);
  }

  // A label that settles a disagreement; the place in the queue stays.
  async settle(values) {
    this.visit = null;
    const answer = this.actions.act("label", { ...values, resolves: true, then: this.state.at });
    this.show();
    await answer;
    this.refresh();
  }

  skip() {
    const { state } = this;
    if (!this.ready || this.visit || state.done) return;
    const at = state.at;
    const then = state.skip();
    if (this.model.alone) this.show();
    else this.goOn("skip", { at, then });
  }

  back() {
    if (this.visit) return this.leave();
    if (!this.ready || this.state.at === 0) return;
    this.state.at -= 1;
    if (this.model.alone) this.show();
    else this.goOn("go", { at: this.state.at });
  }

  // The next item stands at once; if the kernel refuses, its word counts again.
  async goOn(kind, values) {
    const answer = this.actions.act(kind, values);
    this.show();
    const { error } = await answer;
    if (error && !this.actions.pending) {
      this.state.adopt();
      this.show();
    }
  }

  take(kind) {
    if (!this.open) return;
    this.visit = null;
    this.foot.said("", 0);
    this.said(kind);
  }

  async said(kind, values = {}) {
    this.ready = false;
    this.root.dataset.ready = "false";
    await this.actions.act(kind, values);
    this.state.adopt();
    this.show();
  }

  async reorder(name) {
    this.focus();
    await this.said("order", { name });
  }

  async stop() {
    this.focus();
    await this.said("stop");
  }

  spanned(spans) {
    this.draft = { ...this.draft, spans };
    this.side.marked(spans, this.card);
    this.relabel();
  }

  cleared() {
    this.text.setSpans([]);
    this.spanned([]);
  }

  noted(note) {
    this.draft = { ...this.draft, note };
    this.relabel();
  }

  // A block that is labelled already is labelled anew with what was changed of it.
  relabel() {
    const label = this.visit ? null : this.state.label();
    if (!label || !this.open) return;
    const spans = WITH_SPANS.has(label.value) ? this.draft.spans : [];
    const { value } = label;
    const changed = { value, spans, note: this.draft.note.trim() };
    if (JSON.stringify(changed) === JSON.stringify({ value, spans: label.spans, note: label.note })) return;
    this.state.labelled.set(this.state.at, changed);
    this.actions.act("label", { item: this.card.key, ...changed, then: this.state.at });
  }

  step(event) {
    if (event.target.tagName === "SELECT") return false;
    this.text.step(event.key === "ArrowRight" ? 1 : -1);
    return true;
  }

  scroll(event) {
    if (event.target.tagName === "SELECT") return false;
    this.text.scroll(event.key === "ArrowDown" ? 0.3 : -0.3);
    return true;
  }

  async compare() {
    const { element } = this.agreement;
    if (this.model.alone) return;
    element.hidden = !element.hidden;
    this.panel.setAttribute("aria-expanded", String(!element.hidden));
    this.panel.parentElement.dataset.comparing = String(!element.hidden);
    if (!element.hidden) await this.refresh();
    this.tell();
  }

  async refresh() {
    if (this.agreement.element.hidden) return;
    const { value } = await this.actions.ask("agreement");
    if (value) this.agreement.show(value, this.visit?.key ?? null);
  }

  async go({ key }) {
    const [document, question, block] = key;
    const { value } = await this.actions.ask("visit", { document, question, block });
    if (!value) {
      this.notice.hidden = false;
      return write(this.notice, this.t("an.elsewhere"));
    }
    this.visit = value;
    this.show();
    await this.refresh();
  }

  leave() {
    if (this.root.contains(document.activeElement) && document.activeElement !== this.root) {
      this.focus();
      return true;
    }
    if (!this.visit) return false;
    this.visit = null;
    this.show();
    this.refresh();
    return true;
  }

  dispose() {
    for (const [event, listener] of Object.entries(this.listeners)) this.model.off(event, listener);
    for (const end of this.ends) end();
    clearTimeout(this.settling);
    this.keys.dispose();
    this.text.dispose();
    this.fault.dispose();
    replace(this.root);
  }
}
