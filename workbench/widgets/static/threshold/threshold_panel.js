// Cut, offset and budget of a reading. A move is decided and painted here; what is settled on goes to the kernel, whose
// answer replaces the picture.

import { actions } from "../shared/actions.js";
import { bus } from "../shared/bus.js";
import { i32 } from "../shared/bytes.js";
import { Decider, evidenceOf, offsetOf, recalledBy } from "./decide.js";
import { h, replace, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { keyboard } from "../shared/keys.js";
import { count, percent } from "../shared/numbers.js";
import { afterPaint, eachFrame } from "../shared/painting.js";
import { pythonOf } from "../shared/python.js";
import { documentOf, readingOf } from "../shared/reading.js";
import { callOf } from "./threshold_panel_calls.js";
import { budgetField, cutControls, offsetSlider } from "./threshold_panel_controls.js";
import { tilesOf } from "./threshold_panel_figures.js";
import { words } from "../shared/words.js";

const SCORES = ["priority", "ties", "tokens", "flags", "links"];
// A held arrow key moves many times a second; the kernel is told where it came to rest.
const REST_MS = 200;

// `compact` leaves out the Python call, where something around the panel shows it.
export function render({ model, el, compact = false }) {
  const panel = new ThresholdPanel(model, compact);
  el.append(panel.root);
  panel.adopt();
  return () => panel.dispose();
}

class ThresholdPanel {
  constructor(model, compact) {
    this.model = model;
    this.t = words(model);
    this.bus = bus(model.get("channel"));
    this.paints = 0;
    this.unanswered = 0;
    this.moving = false;
    this.waiting = new Map();
    this.overheads = { asked: null, found: {} };
    this.frame = eachFrame(() => this.paint());
    this.build(compact);
    const renewed = () => this.renewed();
    const redrawn = () => this.draw();
    model.on("change:sequence", renewed);
    model.on("change:curve_data", redrawn);
    model.on("change:curves_fresh", redrawn);
    model.on("change:curves_offered", redrawn);
    this.ends = [
      () => model.off("change:sequence", renewed),
      () => model.off("change:curve_data", redrawn),
      () => model.off("change:curves_fresh", redrawn),
      () => model.off("change:curves_offered", redrawn),
      this.bus.on("cut", (said, from) => from !== this && this.followed(said)),
      this.fault.dispose,
      this.keys.dispose,
      () => this.cut.dispose(),
      () => this.sizes.disconnect(),
    ];
    this.isSeen = true;
    this.sizes = new ResizeObserver(() => this.seen(this.root.offsetParent !== null));
    this.sizes.observe(this.root);
    this.read();
  }

  build(compact) {
    const t = this.t;
    const move = (change, kind, values) => this.moved(change, kind, values);
    this.fault = faultOf(this.model);
    this.cut = cutControls(t, { move, settle: () => this.settleSoon(), toggle: (kind) => this.toggle(kind) });
    this.tiles = tilesOf(t, () => actions(this.model).ask("measure"));
    this.offset = offsetSlider(t, { move, settle: () => this.settleSoon() });
    this.budget = budgetField(t, { move, settle: () => this.settle() });
    this.python = compact ? null : pythonOf(t);
    this.said = h("div", { class: "sr-hidden", role: "status" });
    this.note = h("p", { class: "sr-threshold-note" });
    this.root = h(
      "div",
      {
        class: "sr sr-threshold-panel",
        dataset: { widget: "threshold_panel" },
        role: "group",
        "aria-label": t("panel.cut"),
      },
      this.fault.element,
      h(
        "div",
        { class: "sr-threshold-columns" },
        h("div", { class: "sr-threshold-main" }, this.cut.element, this.note),
        h(
          "div",
          { class: "sr-threshold-side" },
          this.tiles.element,
          this.offset.element,
          this.budget.element,
          this.python?.element,
        ),
      ),
      this.said,
    );
    this.keys = keyboard(
      this.root,
      [
        { keys: ["+", "="], words: t("panel.keys.lower"), run: () => this.cut.step(this.now.cut, -1) },
        { keys: ["-"], words: t("panel.keys.raise"), run: () => this.cut.step(this.now.cut, 1) },
        { keys: ["x"], words: t("panel.keys.switch"), run: () => this.toggle() },
        { keys: ["b"], words: t("panel.keys.budget"), run: () => this.budget.focus() },
      ],
      t,
    );
  }

  // Takes over what the model holds; blocks are sorted anew only if their numbers are others.
  read() {
    const keys = SCORES.map((name) => this.model.get(name));
    this.reading = readingOf(this.model);
    const same = this.decider && keys.every((value, rank) => value === this.sorted[rank]);
    if (same) this.decider.reading = this.reading;
    else this.decider = new Decider(this.reading);
    this.sorted = keys;
    this.pages = documentOf(this.model).pages;
    this.evidence = evidenceOf(i32(this.model.get("evidence")));
    this.cut.scores(this.reading, { same });
  }

  get confirmed() {
    const { cut, budget, offset } = this.reading;
    return { cut, budget, offset };
  }

  // Whether the recall over the workload is that of the rules and offsets as they are now.
  get fresh() {
    return this.model.get("curves_fresh") !== false;
  }

  get focused() {
    return this.reading.bound === "focus";
  }

  renewed() {
    this.read();
    const same = this.now && JSON.stringify(this.confirmed) === JSON.stringify(this.now);
    if (!this.moving && (!this.unanswered || same)) this.adopt(true);
    else this.frame();
  }

  // Shows what the kernel has decided.
  adopt(tell = false) {
    const { reading } = this;
    this.late = false;
    this.now = this.confirmed;
    this.isAdopted = true;
    const kept = reading.status.reduce((sum, code) => sum + (code > 0), 0);
    const recalled = recalledBy(this.evidence, reading.status, reading.tokens);
    const { status, line, cut } = reading;
    this.picture = { status, line, cut, tokensKept: reading.figures.tokens_kept, kept, recalled, sure: true };
    this.draw();
    const told = this.bus.last("decision")?.status;
    const known = told?.length === status.length && told.every((code, block) => code === status[block]);
    if (tell && !known) this.tell(true);
    const skipped = percent(1 - this.picture.tokensKept / Math.max(1, this.decider.total));
    write(this.said, this.t("panel.settled", { kept: count(kept), tokens: count(this.picture.tokensKept), skipped }));
  }

  // A change by a person: painted in the next frame, and sent when it is settled.
  moved(change, kind, values) {
    this.now = { ...this.now, ...change };
    this.isAdopted = false;
    this.moving = true;
    this.done = { kind, values };
    this.waiting.set(kind, values);
    this.frame();
  }

  // Threshold to share and back: the other kind of cut that keeps about the same.
  toggle(kind = this.now.cut.kind === "threshold" ? "share" : "threshold") {
    if (this.focused || kind === this.now.cut.kind) return;
    const share = kind === "share";
    const value = share ? this.shareOf() : Math.min(1, Number((this.picture.line ?? 1).toFixed(4)));
    const cut = share
      ? { kind, value, min_tokens: this.model.get("min_tokens") }
      : { kind, value, scale: this.reading.scale };
    this.moved({ cut }, "set_cut", { kind, value });
    this.settle();
  }

  shareOf() {
    const spent = this.decider.spentAt(this.picture.line);
    return Math.min(1, Math.max(0.01, Math.round((100 * spent) / Math.max(1, this.decider.total)) / 100));
  }

  // Another panel of the channel has moved; while nobody can see this one, it only remembers.
  followed({ cut, budget, offset, refused }) {
    if (refused) return this.adopt();
    this.now = { cut, budget, offset: offset ?? this.now.offset };
    this.late = !this.isSeen;
    if (this.late) return;
    this.decide();
    this.draw();
  }

  seen(isSeen) {
    this.isSeen = isSeen;
    if (!isSeen || !this.late) return;
    this.late = false;
    this.decide();
    this.draw();
  }

  paint() {
    // The kernel was quicker than the frame, and knows better.
    if (this.isAdopted) return;
    this.decide();
    this.draw();
    this.bus.emit("cut", { ...this.now }, this);
    this.tell();
  }

  decide() {
    if (this.focused) return;
    const { cut, budget, offset } = this.now;
    const overhead = budget === null ? null : this.overheadOf(cut.kind);
    const evidence = this.evidence;
    const found = this.decider.decide(cut, { budget, overhead, pages: this.pages, offset, evidence });
    this.picture = { ...found, sure: budget === null };
  }

  // What a budget spends besides blocks, as far as it is known: the kernel counts it for these scores when asked.
  overheadOf(kind) {
    if (this.overheads.asked !== this.decider) void this.askOverheads(this.decider);
    return this.overheads.found[kind] ?? null;
  }

  async askOverheads(decider) {
    this.overheads.asked = decider;
    const { value } = await actions(this.model).ask("overheads");
    if (!value || this.overheads.asked !== decider) return;
    this.overheads.found = value;
    // At once: by the next frame the kernel may have decided, and that must stay.
    if (!this.picture.sure) this.paint();
  }

  // Others of the channel paint what was decided here.
  tell(settled = false) {
    const { status, line, tokensKept } = this.picture;
    const { cut, offset } = this.now;
    this.bus.emit("decision", { status, line, tokensKept, cut, offset, settled }, this);
  }

  draw() {
    const { reading, now, picture, focused } = this;
    const offset = offsetOf(reading, now.cut, now.offset);
    this.cut.show({ reading, now, picture, offset, focused });
    const { total } = this.decider;
    const curves = this.model.get("curve_data");
    this.tiles.show({ picture, now, total, pieces: this.evidence.pieces, curves, fresh: this.fresh, reading });
    this.tiles.offer(this.model.get("curves_offered") === true && !this.model.alone);
    const type = this.model.get("facts").document_type;
    this.offset.show({ now, reading, type, others: this.model.get("type_offsets"), focused });
    this.budget.show({ now, reading, sure: picture.sure || !this.moving, focused });
    write(this.note, this.noteOf());
    this.python?.show(callOf(this.done, now, reading));
    this.paints += 1;
    const paints = this.paints;
    afterPaint(() => (this.root.dataset.painted = String(paints)));
  }

  noteOf() {
    const { t, reading, now } = this;
    if (this.focused) return t("panel.focus.note");
    if (!this.picture.kept) return t("panel.nothing");
    const least = now.cut.min_tokens;
    if (now.cut.kind === "share" && least) {
      const words = { tokens: count(least), total: count(this.decider.total) };
      return t(this.decider.total <= least ? "panel.share.whole" : "panel.share.least", words);
    }
    return t(`panel.${reading.scale}.note`);
  }

  settleSoon() {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.settle(), REST_MS);
    // Whatever else is said in the meantime, an undo before all, is said of what was moved.
    this.settled ??= actions(this.model).due(() => void this.settle());
  }

  // Sends where a person has come to rest, and waits for the kernel's word.
  async settle() {
    clearTimeout(this.rest);
    this.settled?.();
    this.settled = null;
    this.moving = false;
    const settled = [...this.waiting];
    this.waiting.clear();
    if (this.model.alone || !settled.length) return;
    const before = this.model.get("sequence");
    this.unanswered += settled.length;
    const answers = await Promise.all(settled.map(([kind, values]) => actions(this.model).act(kind, values)));
    this.unanswered -= settled.length;
    if (this.ended || this.moving || this.unanswered) return;
    // An answer may come before the numbers that it announces; they are adopted when they come.
    const refused = answers.some((answer) => answer.error);
    if (refused || this.model.get("sequence") !== before) this.adopt(true);
    if (refused) this.bus.emit("cut", { ...this.now, refused }, this);
  }

  dispose() {
    if (this.settled) void this.settle();
    this.ended = true;
    for (const end of this.ends) end();
    replace(this.root);
    this.root.remove();
  }
}
