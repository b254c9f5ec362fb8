// What a person moves: the kind of cut and its value, an offset, a budget. Each tells `move` what it stands at, and
// `settle` that it came to rest.

import { h, write } from "../shared/dom.js";
import { histogram } from "./histogram.js";
import { count, fixed, percent, signed } from "../shared/numbers.js";
import { CONTEXT, HAS_TEXT, KEPT, PINNED, SKIPPED } from "../shared/reading.js";
import { placeOf, short, STOPS, stopOf, TICKS, valueAt } from "./threshold_panel_scale.js";

// Half of a slider's thumb: what it stands above is as far from the edge.
const MARGIN = 8;
const LARGEST_OFFSET = 0.08;
const KINDS = ["threshold", "share"];

const moved = (offset) => signed(offset, Math.abs(offset * 100) % 1 > 1e-6 ? 3 : 2);

export function cutControls(t, hands) {
  return new CutControls(t, hands);
}

class CutControls {
  constructor(t, { move, settle, toggle }) {
    this.t = t;
    this.move = move;
    this.settle = settle;
    this.kinds = kindChoice(t, toggle);
    this.scale = h("span", { class: "sr-threshold-scale" });
    this.picture = histogram({
      place: placeOf,
      ticks: TICKS,
      show: short,
      margin: MARGIN,
      onaim: (place, done) => this.aimed(place, done),
    });
    this.slider = h("input", { type: "range", class: "sr-threshold-slider", min: 0, step: 1 });
    this.slider.addEventListener("input", () => this.slid());
    this.slider.addEventListener("change", settle);
    this.field = h("input", { type: "number", class: "sr-threshold-field", step: "any" });
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("change", settle);
    this.sign = h("span", { class: "sr-threshold-unit", "aria-hidden": "true" });
    this.unit = h("span", { class: "sr-threshold-unit" });
    this.wrong = h("p", { class: "sr-threshold-wrong", role: "alert" });
    this.legend = legendOf(t);
    this.element = h("section", {}, this.head(), this.stage(), this.foot(), this.wrong);
  }

  head() {
    const title = h("h3", { class: "sr-label" }, this.t("panel.cut"));
    return h("div", { class: "sr-threshold-head" }, title, this.scale, this.kinds.element);
  }

  // A threshold slides on the axis of the picture, right below its bars; a share has an axis of its own.
  stage() {
    const words = [this.t("panel.histogram.axis"), h("span", {}, this.t("panel.histogram.height"))];
    const caption = h("p", { class: "sr-threshold-caption" }, words);
    const axis = h("div", { class: "sr-threshold-axis" }, this.picture.axis, caption);
    return h("div", { class: "sr-threshold-stage" }, this.picture.element, axis, this.slider);
  }

  foot() {
    const value = h("span", { class: "sr-threshold-number" }, this.sign, this.field, this.unit);
    return h("div", { class: "sr-threshold-foot" }, this.legend.element, value);
  }

  // `same`: only what was decided on them is another.
  scores(reading, { same }) {
    this.reading = reading;
    if (same) return;
    this.blocks = reading.flags.reduce((sum, flags) => sum + (flags & HAS_TEXT ? 1 : 0), 0);
    this.picture.scores(reading);
  }

  slid() {
    const stop = Number(this.slider.value);
    this.to(this.kind === "share" ? stop / 100 : valueAt(stop / STOPS));
  }

  typed() {
    const value = Number(this.field.value) / (this.kind === "share" ? 100 : 1);
    const fits = this.field.value !== "" && value <= 1 && (this.kind === "share" ? value > 0 : value >= 0);
    this.mark(!fits);
    if (fits) this.to(value);
  }

  mark(wrong) {
    this.field.setAttribute("aria-invalid", String(wrong));
    const most = this.kind === "share" ? 100 : 1;
    write(this.wrong, wrong ? this.t("panel.number.wrong", { least: this.kind === "share" ? 1 : 0, most }) : "");
  }

  aimed(place, done) {
    if (this.kind !== "threshold" || this.slider.disabled) return false;
    this.field.blur();
    this.to(Math.max(0, valueAt(place) - this.offset));
    if (done) this.settle();
    return true;
  }

  // A step to a stricter cut (1) or a looser one (-1); a larger share is looser.
  step(cut, way) {
    if (this.slider.disabled) return;
    const stop = cut.kind === "share" ? Math.round(100 * cut.value) - way : stopOf(cut.value) + way * 2;
    this.to(cut.kind === "share" ? Math.min(100, Math.max(1, stop)) / 100 : valueAt(stop / STOPS));
    this.settle();
  }

  to(value) {
    const kind = this.kind;
    const cut = kind === "share" ? { kind, value, min_tokens: this.least } : { kind, value, scale: this.reading.scale };
    this.move({ cut }, "set_cut", { kind, value });
  }

  show({ reading, now, picture, offset, focused }) {
    const { t } = this;
    const { cut } = now;
    const share = cut.kind === "share";
    this.offset = offset;
    this.least = cut.min_tokens;
    if (this.kind !== cut.kind) this.turn(cut.kind);
    this.kinds.show(cut.kind, focused);
    write(this.scale, t(`panel.${reading.scale}`));
    this.scale.title = t(`panel.${reading.scale}.note`);
    this.scale.dataset.scale = reading.scale;
    this.slider.disabled = this.field.disabled = focused;
    this.slider.value = String(share ? Math.round(100 * cut.value) : stopOf(cut.value));
    const words = { value: short(cut.value), offset: moved(offset) };
    const said = share
      ? t("panel.share.value", { value: percent(cut.value, 0) })
      : t(offset ? "panel.threshold.offset" : "panel.threshold.value", words);
    this.slider.setAttribute("aria-valuetext", said);
    if (this.field !== this.field.getRootNode().activeElement) {
      this.field.value = share ? String(Number((100 * cut.value).toFixed(2))) : short(cut.value);
      this.mark(false);
    }
    const line = picture.line === null || focused ? null : picture.line + offset;
    const label = share ? t("panel.share.line", { value: fixed(line ?? NaN, 3) }) : said;
    this.picture.line(line, label);
    this.picture.status(picture.status);
    this.picture.element.dataset.aims = String(!share && !focused);
    this.legend.show(picture.status, this.reading);
    this.picture.describe(t("panel.histogram", { blocks: count(this.blocks), kept: count(picture.kept) }));
  }

  turn(kind) {
    this.kind = kind;
    const share = kind === "share";
    this.slider.min = share ? "1" : "0";
    this.slider.max = String(share ? 100 : STOPS);
    const words = this.t(`panel.${kind}.slider`);
    this.slider.setAttribute("aria-label", words);
    this.field.setAttribute("aria-label", words);
    write(this.sign, share ? "" : "θ");
    write(this.unit, share ? "%" : "");
    this.element.dataset.cut = kind;
  }

  dispose() {
    this.picture.dispose();
  }
}

function kindChoice(t, toggle) {
  const buttons = KINDS.map((kind) =>
    h(
      "button",
      { type: "button", role: "radio", class: "sr-threshold-kind", onclick: () => toggle(kind) },
      t(`panel.${kind}`),
    ),
  );
  const element = h("div", { class: "sr-threshold-kinds", role: "radiogroup", "aria-label": t("panel.cut") }, buttons);
  element.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    const other = buttons.find((button) => button.getAttribute("aria-checked") !== "true");
    other.click();
    other.focus();
  });
  const show = (kind, disabled) =>
    buttons.forEach((button, rank) => {
      const checked = KINDS[rank] === kind;
      button.setAttribute("aria-checked", String(checked));
      button.tabIndex = checked ? 0 : -1;
      button.disabled = disabled;
    });
  return { element, show };
}

// How many blocks have each status, beside the mark that they have in the picture.
function legendOf(t) {
  const codes = [KEPT, PINNED, CONTEXT, SKIPPED];
  const names = ["kept", "pinned", "context", "skipped"];
  const numbers = codes.map(() => h("b", {}));
  const element = h(
    "ul",
    { class: "sr-threshold-legend" },
    names.map((name, rank) => {
      const mark = h("span", { class: `sr-threshold-mark sr-threshold-mark-${name}`, "aria-hidden": "true" });
      return h("li", {}, mark, numbers[rank], ` ${t(`status.${name}`)}`);
    }),
  );
  const sums = new Uint32Array(4);
  function show(status, reading) {
    sums.fill(0);
    for (let block = 0; block < status.length; block += 1) {
      if (reading.flags[block] & HAS_TEXT) sums[status[block]] += 1;
    }
    codes.forEach((code, rank) => {
      write(numbers[rank], count(sums[code]));
      element.children[rank].hidden = sums[code] === 0 && code !== KEPT && code !== SKIPPED;
    });
  }
  return { element, show };
}

export function offsetSlider(t, { move, settle }) {
  const slider = h("input", { type: "range", min: -LARGEST_OFFSET, max: LARGEST_OFFSET, step: 0.005 });
  const value = h("output", { class: "sr-threshold-number" });
  const head = h("h3", { class: "sr-label" });
  const why = h("p", { class: "sr-threshold-note" });
  const row = h("div", { class: "sr-threshold-row" }, slider, value);
  let type = "general";
  slider.addEventListener("input", () => {
    const offset = Number(Number(slider.value).toFixed(3));
    move({ offset }, "set_offset", { document_type: type, value: offset });
  });
  slider.addEventListener("change", settle);
  function show({ now, reading, type: found, others, focused }) {
    type = found;
    const named = t(`panel.type.${type}`);
    write(head, t("panel.offset", { type: named }));
    slider.setAttribute("aria-label", t("panel.offset.slider", { type: named }));
    const works = now.cut.kind === "threshold" && reading.scale === "calibrated";
    row.hidden = !works;
    slider.disabled = focused;
    slider.value = String(now.offset);
    write(value, moved(now.offset));
    slider.setAttribute("aria-valuetext", moved(now.offset));
    const rest = Object.entries(others).filter(([name, offset]) => name !== type && offset);
    const listed = rest.map(([name, offset]) => `${t(`panel.type.${name}`)} ${moved(offset)}`).join(", ");
    const reason = reading.scale === "calibrated" ? "panel.offset.share" : "panel.offset.uncalibrated";
    write(why, works ? listed && t("panel.offset.others", { offsets: listed }) : t(reason));
  }
  return { element: h("section", { class: "sr-threshold-offset" }, head, row, why), show };
}

export function budgetField(t, { move, settle }) {
  const field = h("input", {
    type: "number",
    min: 1,
    step: 1,
    class: "sr-threshold-budget-field",
    placeholder: t("panel.budget.none"),
    "aria-label": t("panel.budget.field"),
  });
  const wrong = h("p", { class: "sr-threshold-wrong", role: "alert" });
  const told = h("p", { class: "sr-threshold-note" });
  const to = (tokens) => move({ budget: tokens }, "set_budget", { tokens });
  const clear = h("button", { type: "button", class: "sr-plain", onclick: () => cleared() }, t("panel.budget.clear"));
  function cleared() {
    field.value = "";
    field.focus();
    typed();
    settle();
  }
  function typed() {
    const tokens = field.value === "" ? null : Number(field.value);
    const fits = !field.validity.badInput && (tokens === null || (Number.isInteger(tokens) && tokens >= 1));
    field.setAttribute("aria-invalid", String(!fits));
    write(wrong, fits ? "" : t("panel.budget.wrong"));
    if (fits) to(tokens);
  }
  field.addEventListener("input", typed);
  field.addEventListener("change", () => field.getAttribute("aria-invalid") !== "true" && settle());
  function show({ now, reading, sure, focused }) {
    field.disabled = focused;
    if (field !== field.getRootNode().activeElement) field.value = now.budget ?? "";
    clear.hidden = now.budget === null;
    const known = sure && now.budget !== null && reading.budget === now.budget;
    write(told, known ? t("panel.budget.rendered", { tokens: count(reading.figures.rendered_tokens) }) : "");
  }
  const unit = h("span", { class: "sr-threshold-unit" }, t("panel.budget.unit"));
  const row = h("div", { class: "sr-threshold-row" }, field, unit, clear);
  const head = h("h3", { class: "sr-label" }, t("panel.budget"));
  const element = h("section", { class: "sr-threshold-budget" }, head, row, wrong, told);
  return { element, show, focus: () => field.focus() };
}
