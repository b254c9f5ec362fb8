// Presenting: the document at hand in large type on the whole window, for people in the back row.

import { noticeOf } from "../bench/workbench_notice.js";
import { actions } from "../shared/actions.js";
import { h, replace } from "../shared/dom.js";
import { faultOf } from "../shared/fault.js";
import { keyboard, keycap } from "../shared/keys.js";
import { child } from "../shared/models.js";
import { render as renderThreshold } from "../threshold/threshold_panel.js";
import { barOf } from "./presenting_bar.js";
import { headOf } from "./presenting_head.js";
import { bindingsOf, swiping } from "./presenting_keys.js";
import { assumedOf } from "./presenting_money.js";
import { placeAmong } from "./presenting_places.js";
import { placeIn, requestAt } from "./presenting_requests.js";
import { stageOf } from "./presenting_stage.js";
import { PresentingView } from "./presenting_view.js";

export function presenterOf(shell) {
  return new Presenter(shell);
}

class Presenter {
  constructor(shell) {
    Object.assign(this, { shell, model: shell.model, t: shell.t, faded: false, view: null, opening: 0 });
    this.settings = { assumed: assumedOf(this.model.get("prices")) };
    this.among = placeAmong(this.model.get("channel"), this);
    shell.ends(() => this.dispose());
    // The shell draws itself first: what was in hand there gets the focus back.
    this.model.on("change:presenting", (this.follow = () => this.turn()));
    shell.ends(() => this.model.off("change:presenting", this.follow));
  }

  get isSeen() {
    return this.shell.root.checkVisibility();
  }

  // Begins or ends it, and says so to the kernel if there is one.
  set(isPresenting) {
    if (isPresenting) this.among.ask();
    this.model.set("presenting", isPresenting);
    try {
      this.model.save_changes();
    } catch {
      // Without a kernel it is shown all the same.
    }
    this.turn();
  }

  // `whole`: on the whole screen, where the browser lets it.
  turn({ whole = true } = {}) {
    const wanted = this.model.get("presenting") === true;
    if (wanted && !this.isOpen && this.among.isMine) this.open(whole);
    else if (!wanted && this.isOpen) this.close();
  }

  open(whole) {
    this.among.take();
    this.isOpen = true;
    if (!this.stage) this.build();
    this.shell.root.append(this.stage.element);
    this.stage.open(whole);
    this.headline();
    void this.look();
  }

  close() {
    this.isOpen = false;
    this.among.release();
    this.letGo();
    void this.stage.close().then(() => {
      if (!this.isOpen) this.stage.element.remove();
      this.shell.left();
    });
  }

  build() {
    const { shell, model, t } = this;
    const hands = this.hands();
    this.stage = stageOf(t("present.label"), () => this.set(false));
    this.head = headOf(t, hands);
    this.bar = barOf(t, this.settings, model.get("prices"), { step: hands.step, changed: () => this.tell() });
    this.place = h("div", { class: "sr-pr-place-of-text" });
    this.panel = h("div", { hidden: true });
    const fault = faultOf(model);
    shell.ends(fault.dispose);
    const above = h("div", { class: "sr-pr-above" }, noticeOf(shell).element, fault.element);
    const { inner } = this.stage;
    inner.append(this.head.element, above, this.place, this.bar.element, this.panel);
    Object.assign(inner, { lang: model.get("language") });
    this.keys = keyboard(inner, bindingsOf(t, hands, { alone: model.alone === true }), t);
    swiping(this.place, hands.step);
    const changed = () => this.isOpen && this.changed();
    shell.follow(["head", "children"], changed);
    shell.follow(["catalogue", "route"], () => this.isOpen && this.tell());
  }

  hands() {
    const withView = (work) => () => this.view && work(this.view);
    return {
      step: (by) => this.view?.step(by),
      aside: (by) => this.view?.content.aside(by),
      edge: (end) => this.view?.go(end ? this.view.passages.length + 1 : 0),
      evidence: withView((view) => view.evidence()),
      open: withView((view) => view.toggleHere()),
      fade: () => this.fade(),
      cut: (key) => this.cut(key),
      back: (kind) => this.shell.step(kind),
      request: (by) => this.request(by),
      sheet: () => this.keys.sheet(),
      screen: () => void this.stage.screen(),
      leave: () => this.set(false),
      focus: () => this.stage.inner.focus({ preventScroll: true }),
    };
  }

  fade() {
    this.faded = !this.faded;
    this.view?.fade(this.faded);
    this.headline();
  }

  request(by) {
    const id = this.model.alone ? undefined : requestAt(this.model, by);
    if (id !== undefined) void this.shell.act("open", { request: id });
  }

  // The panel of the cut is here as well, where nobody sees it: it knows how far a key moves a cut, and when to tell.
  cut(key) {
    const panel = this.panel.querySelector(".sr-threshold-panel");
    panel?.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  }

  changed() {
    this.headline();
    if (!this.view) void this.look();
  }

  // Draws the document as soon as it is there.
  async look() {
    if (this.view || !this.isOpen) return;
    const { document, opening } = this.model.get("head");
    const asked = (this.opening += 1);
    if (!document) return this.wait(opening ? "present.wait" : "present.empty");
    try {
      const model = await this.borrow("document");
      const cut = await this.borrow("threshold");
      if (asked !== this.opening || !this.isOpen || this.view) return undefined;
      if (model) this.show(model, cut);
    } catch (error) {
      replace(this.place, h("p", { class: "sr-pr-wait" }, this.t("wait.broken", { error: String(error) })));
    }
    return undefined;
  }

  show(model, cut) {
    this.view = new PresentingView(this.shell, model, { faded: this.faded, shown: () => this.tell() });
    replace(this.place, this.view.element);
    if (cut) {
      const dispose = renderThreshold({ model: cut, el: this.panel, compact: true });
      const fault = faultOf(cut);
      this.stage.inner.querySelector(".sr-pr-above").append(fault.element);
      this.view.ends.push(dispose, fault.dispose, () => fault.element.remove());
    }
    this.view.start();
  }

  // A widget inside the bench; null where it could not be made, which the fault says.
  async borrow(name) {
    if (!this.model.get("children")[name]) {
      this.wait("present.wait");
      const { error } = await actions(this.model).ask("need", { name });
      if (error) this.wait("present.failed");
    }
    return this.model.get("children")[name] ? child(this.model, name) : null;
  }

  wait(key) {
    const hasNext = key === "present.empty" && placeIn(this.model);
    const next = hasNext && h("p", {}, keycap("]"), " ", this.t("present.empty.next"));
    replace(this.place, h("div", { class: "sr-pr-wait" }, h("p", {}, this.t(key)), next));
    this.tell();
  }

  tell() {
    if (!this.isOpen) return;
    const { view, model, t } = this;
    this.bar.element.hidden = !view;
    this.headline();
    if (!view) return;
    const { now } = view;
    const native = model.get("route").route === "native";
    const notes = [
      now.stops === 0 && "present.nothing",
      native && "present.native",
      now.isWhole && (now.isShort ? "present.short" : "present.all"),
      now.isUncalibrated && "present.uncalibrated",
      now.isBudgeted && !now.sure && "present.budget",
    ];
    this.bar.show({ ...now, native }, notes.filter(Boolean).map((key) => t(key)));
  }

  headline() {
    const { model, view } = this;
    const { question, opening, document } = model.get("head");
    this.place.setAttribute("aria-busy", String(Boolean(opening)));
    this.head.show({
      question: opening || question,
      opening: Boolean(opening),
      document,
      place: placeIn(model),
      cut: view?.now.cut ?? null,
      canCut: view?.now.canCut === true,
      faded: this.faded,
    });
  }

  letGo() {
    this.view?.dispose();
    this.view = null;
    replace(this.place);
  }

  dispose() {
    if (this.stage) {
      this.isOpen = false;
      this.letGo();
      this.keys.dispose();
      this.stage.dispose();
    }
    this.among.leave();
  }
}
