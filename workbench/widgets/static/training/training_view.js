// A training while it runs: what will be trained, how far it is, how well it does, and what came of it.

import { actions } from "../shared/actions.js";
import { h, replace, write } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { keyboard } from "../shared/keys.js";
import { count } from "../shared/numbers.js";
import { afterPaint, eachFrame } from "../shared/painting.js";
import { words } from "../shared/words.js";
import { curvesOf } from "./training_curves.js";
import { figuresOf } from "./training_figures.js";
import { mistakesOf } from "./training_mistakes.js";
import { planOf } from "./training_plan.js";
import { duration } from "./training_times.js";

const RUNNING = new Set(["running", "cancelling"]);
const MARKS = { waiting: "○", running: "◐", done: "●", skipped: "–" };

export function render({ model, el }) {
  const view = new TrainingView(model);
  el.append(view.element);
  view.start();
  return () => view.dispose();
}

class TrainingView {
  constructor(model) {
    Object.assign(this, { model, t: words(model), painted: 0, ends: [] });
    this.fault = faultOf(model);
    this.parts = {
      plan: planOf(this),
      curves: curvesOf(this),
      figures: figuresOf(this),
      mistakes: mistakesOf(this),
    };
    this.element = this.layout();
    this.keys = keyboard(this.element, this.bindings(), this.t);
  }

  layout() {
    const { t, model, parts } = this;
    this.said = h("p", { class: "sr-train-said", role: "status" });
    this.note = h("p", { class: "sr-train-note", hidden: true });
    this.bar = h("i", {});
    this.track = h(
      "div",
      { class: "sr-train-bar", role: "progressbar", "aria-label": t("train.progress"), "aria-valuemin": "0" },
      this.bar,
    );
    this.go = h("button", { class: "sr-primary", onclick: () => this.begin() });
    this.stop = h("button", { class: "sr-button", onclick: () => this.cancel() }, t("train.cancel"));
    this.phases = h("ol", { class: "sr-train-phases", "aria-label": t("train.phases") });
    const height = model.get("height");
    return h(
      "section",
      {
        class: "sr sr-training-view",
        "aria-label": t("train.title"),
        dataset: { widget: "training_view" },
        style: height ? { height: `${height}px`, overflow: "auto" } : {},
      },
      this.fault.element,
      h(
        "header",
        { class: "sr-train-head" },
        h("div", { class: "sr-train-state" }, h("h2", { class: "sr-train-title" }, t("train.title")), this.said),
        !model.alone && h("div", { class: "sr-train-buttons" }, this.stop, this.go),
      ),
      this.track,
      this.phases,
      this.note,
      h("div", { class: "sr-train-columns" }, parts.plan.element, parts.curves.element),
      parts.figures.element,
      parts.mistakes.element,
    );
  }

  bindings() {
    return [
      { keys: ["Escape"], words: this.t("train.key.close"), run: () => this.parts.mistakes.close() },
      { keys: ["j", "ArrowDown"], words: this.t("train.key.next"), run: () => this.parts.mistakes.step(1) },
      { keys: ["k", "ArrowUp"], words: this.t("train.key.previous"), run: () => this.parts.mistakes.step(-1) },
      { keys: ["Enter"], words: this.t("train.key.open"), run: (event) => this.parts.mistakes.enter(event) },
    ];
  }

  start() {
    const state = eachFrame(() => this.paint());
    this.listen("change:run", state);
    this.listen("change:curves", () => this.parts.curves.paint());
    this.listen("change:plan", () => this.parts.plan.paint());
    this.listen("change:result", () => this.shown());
    for (const part of Object.values(this.parts)) part.paint();
    this.paint();
    // What will be trained is known when the model is loaded: that takes seconds, and nobody waits for it.
    if (!this.model.alone && !this.model.get("plan").models) void actions(this.model).ask("plan");
  }

  listen(event, listener) {
    this.model.on(event, listener);
    this.ends.push(() => this.model.off(event, listener));
  }

  shown() {
    this.parts.figures.paint();
    this.parts.mistakes.paint();
    this.mark();
  }

  begin() {
    this.go.disabled = true;
    void actions(this.model).act("start");
  }

  cancel() {
    this.stop.disabled = true;
    void actions(this.model).act("cancel");
  }

  paint() {
    const { model, t } = this;
    const run = model.get("run");
    const running = RUNNING.has(run.status);
    if (running && this.element.dataset.status !== run.status) this.parts.plan.fold();
    this.element.dataset.status = run.status;
    write(this.said, this.sentence(run));
    write(this.note, run.note ?? "");
    this.note.hidden = !run.note;
    this.note.lang = "en";
    this.track.hidden = !running;
    this.bar.style.width = run.of ? `${(100 * run.step) / run.of}%` : "0";
    this.bar.classList.toggle("sr-train-unknown", running && !run.of);
    this.track.setAttribute("aria-valuemax", String(run.of || 1));
    this.track.setAttribute("aria-valuenow", String(run.of ? run.step : 0));
    write(this.go, t(run.status === "ready" ? "train.start" : "train.again"));
    this.go.hidden = running;
    this.go.disabled = false;
    this.stop.hidden = !running;
    this.stop.disabled = run.status === "cancelling";
    replace(this.phases, (run.phases ?? []).map((phase) => this.phase(phase)));
    this.mark();
  }

  sentence(run) {
    const { t } = this;
    if (!RUNNING.has(run.status)) return t(`train.${run.status}`, { time: duration(t, run.elapsed ?? 0) });
    const phase = t(`train.phase.${run.phase}`);
    const where = run.of ? t("train.step", { step: count(run.step), of: count(run.of) }) : "";
    const left = run.left == null ? "" : t("train.left", { time: duration(t, run.left) });
    const stopping = run.status === "cancelling" ? t("train.cancelling") : "";
    return [phase, where, left, run.computation, stopping].filter(Boolean).join(" · ");
  }

  phase({ phase, status, seconds }) {
    const { t } = this;
    const time = seconds == null ? "" : duration(t, seconds);
    return h(
      "li",
      { dataset: { status }, "aria-current": status === "running" ? "step" : null },
      h("span", { "aria-hidden": "true" }, MARKS[status]),
      h("span", {}, t(`train.phase.${phase}`)),
      h("span", { class: "sr-hidden" }, t(`train.is.${status}`)),
      time && h("span", { class: "sr-train-time" }, time),
    );
  }

  mark() {
    this.painted += 1;
    const painted = String(this.painted);
    afterPaint(() => (this.element.dataset.painted = painted));
  }

  dispose() {
    for (const end of this.ends) end();
    for (const part of [this.fault, this.keys, ...Object.values(this.parts)]) part.dispose?.();
    this.element.remove();
  }
}
