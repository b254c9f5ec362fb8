// One document as it is presented: where the presenter stands in it, and what the counters say there.

import { stateOf, takeDecision, takeReading } from "../document/document_state.js";
import { tablesOf } from "../document/document_tables.js";
import { actions } from "../shared/actions.js";
import { bus } from "../shared/bus.js";
import { h, write } from "../shared/dom.js";
import { count } from "../shared/numbers.js";
import { afterPaint } from "../shared/painting.js";
import { readingOf, SKIPPED } from "../shared/reading.js";
import { words } from "../shared/words.js";
import { passagesOf, runsOf, sumsOf } from "./presenting_sums.js";
import { PresentingText } from "./presenting_text.js";

const SAID_MS = 700;

// `shell` is the bench's, `model` that of its document; `shown()` is called whenever the counters say something else.
export class PresentingView {
  constructor(shell, model, { faded, shown }) {
    Object.assign(this, { shell, model, shown, moving: false, hand: false, stop: 0, painted: 0 });
    Object.assign(this, { rendered: null, ends: [], timer: 0 });
    const known = { ...model.get("words"), ...shell.model.get("words") };
    this.t = words({ get: () => known });
    this.said = h("div", { class: "sr-hidden", role: "status", "aria-live": "polite" });
    this.take();
    this.content = new PresentingText(this);
    this.content.faded = faded;
    this.content.element.dataset.faded = String(faded);
    this.content.build();
    this.content.onresize = () => this.lookAt({ still: true });
    this.element = h("div", { class: "sr-pr-view" }, this.content.element, this.said);
    this.byHand();
    this.listen("change:document_sequence", () => this.otherDocument());
    this.listen("change:sequence", () => this.otherReading());
    const decided = (decision) => this.otherDecision(decision);
    this.ends.push(bus(model.get("channel")).on("decision", decided));
  }

  // Once it is in the page.
  start() {
    this.go(0, { still: true });
    void this.ask();
  }

  listen(event, listener) {
    this.model.on(event, listener);
    this.ends.push(() => this.model.off(event, listener));
  }

  take() {
    this.state = stateOf(this.model);
    this.text = this.state.document.text;
    this.tables = tablesOf(this.state, this.text, { room: Infinity });
    this.count();
  }

  count() {
    this.passages = passagesOf(this.state);
    this.runs = runsOf(this.state);
    this.sums = sumsOf(this.state);
  }

  otherDocument() {
    this.rendered = null;
    this.moving = this.state.moving = false;
    this.take();
    this.content.build();
    this.start();
  }

  otherReading() {
    if (this.model.get("kinds").byteLength !== this.state.document.n) return;
    this.moving = this.state.moving = false;
    const asked = this.state.reading.question;
    takeReading(this.state, readingOf(this.model));
    this.rendered = null;
    if (asked !== this.state.reading.question) this.stop = 0;
    this.repaint();
    void this.ask();
  }

  // A cut moves: what it keeps is known before the kernel is asked.
  otherDecision(decision) {
    if (decision.status?.length !== this.state.document.n) return;
    this.moving = this.state.moving = decision.settled !== true;
    takeDecision(this.state, decision);
    this.repaint();
  }

  // The presenter stays at the block where he stood.
  repaint() {
    this.hand = false;
    const block = this.blockAt(this.stop);
    const atStart = this.stop === 0;
    const atEnd = this.stop > this.passages.length;
    this.content.keep(block ?? 0, () => {
      this.count();
      this.content.paint();
    });
    const found = this.passages.findIndex(({ last }) => last > (block ?? 0));
    const stop = found < 0 ? this.passages.length + 1 : found + 1;
    this.stand(atStart ? 0 : atEnd ? this.passages.length + 1 : stop);
  }

  // What the model sees besides blocks only the kernel can count.
  async ask() {
    const sequence = this.model.get("sequence");
    const { value } = await actions(this.shell.model).ask("rendered");
    if (this.ended || !value || sequence !== this.model.get("sequence")) return;
    this.rendered = value;
    this.tell();
  }

  // The first block of a stop: 0 is the beginning, behind the last passage is the end.
  blockAt(stop) {
    if (stop > this.passages.length) return null;
    return stop === 0 ? 0 : this.passages[stop - 1].first;
  }

  step(by) {
    this.go(this.stop + by);
  }

  go(stop, { still = false } = {}) {
    this.hand = false;
    this.stand(stop);
    this.lookAt({ still });
  }

  // The next passage with evidence that was kept; it goes on at the beginning.
  evidence() {
    const { gold, status } = this.state.reading;
    const isKept = (block) => status[block] !== SKIPPED;
    const hasGold = ({ first, last }) => gold.subarray(first, last).some((one, k) => one === 1 && isKept(first + k));
    const found = this.passages.flatMap((passage, rank) => (hasGold(passage) ? [rank + 1] : []));
    if (found.length) this.go(found.find((stop) => stop > this.stop) ?? found[0]);
  }

  lookAt(how) {
    if (this.stop === 0) this.content.element.scrollTo({ top: 0, behavior: "instant" });
    else this.content.bring(this.passages[this.stop - 1] ?? null, how);
  }

  stand(stop) {
    this.stop = Math.min(this.passages.length + 1, Math.max(0, stop));
    this.content.point(this.passages[this.stop - 1] ?? null);
    this.tell();
  }

  toggle(first) {
    const run = this.runs.find((one) => one.first === first);
    this.hand = false;
    if (run) this.content.open(run, this.content.opened[first] !== 1);
  }

  // The run that a key means: the last one before what is looked at, else the next one.
  toggleHere() {
    const block = this.blockAt(this.stop) ?? this.state.document.n;
    const before = this.runs.filter(({ first }) => first < block).at(-1);
    const run = before ?? this.runs[0];
    if (run && this.content.faded) this.toggle(run.first);
  }

  fade(isFaded) {
    this.hand = false;
    this.content.fade(isFaded, this.blockAt(this.stop) ?? this.state.document.n - 1);
    this.tell();
  }

  // Whoever scrolls with a wheel or a finger reads on: the counters follow.
  byHand() {
    const { element } = this.content;
    for (const name of ["wheel", "touchmove", "pointerdown"]) {
      element.addEventListener(name, () => (this.hand = true), { passive: true });
    }
    element.addEventListener("scroll", () => this.hand && this.follow(), { passive: true });
  }

  follow() {
    const { element, lowest } = this.content;
    if (element.scrollTop >= lowest) return this.stand(this.passages.length + 1);
    const block = element.scrollTop < 2 ? null : this.content.blockInSight();
    if (block === null) return this.stand(0);
    const found = this.passages.filter(({ first }) => first <= block).length;
    if (found !== this.stop) this.stand(found);
    return undefined;
  }

  // What the counters say here.
  get now() {
    const { passages, sums, stop, rendered } = this;
    const at = stop === 0 ? 0 : stop > passages.length ? this.state.document.n : passages[stop - 1].last;
    const { cut, budget, bound, scale } = this.state.reading;
    const sure = rendered !== null && rendered.kept === Math.round(sums.kept);
    return {
      read: sums.read[at],
      passed: sums.passed[at],
      kept: sums.kept,
      total: sums.total,
      seen: sure ? rendered.rendered : sums.kept,
      sure,
      stop,
      stops: passages.length,
      isWhole: sums.total > 0 && sums.kept === sums.total,
      isShort: cut.kind === "share" && sums.total <= cut.min_tokens,
      cut,
      canCut: bound !== "focus",
      isBudgeted: budget !== null,
      isUncalibrated: scale !== "calibrated",
    };
  }

  tell() {
    const { now } = this;
    this.shown();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => write(this.said, this.wordsOf(now)), SAID_MS);
    const painted = String((this.painted += 1));
    afterPaint(() => (this.element.dataset.painted = painted));
  }

  wordsOf({ read, passed, total, stop, stops }) {
    const tokens = { read: count(read), total: count(total), skipped: count(passed - read) };
    const values = { number: stop, count: count(stops), ...tokens };
    if (stop === 0) return this.t("present.said.start", values);
    return this.t(stop > stops ? "present.said.end" : "present.said", values);
  }

  dispose() {
    this.ended = true;
    clearTimeout(this.timer);
    for (const end of this.ends) end();
    this.content.dispose();
    this.element.remove();
  }
}
