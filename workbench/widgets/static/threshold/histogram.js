// Blocks by priority, what is kept of them inked, and the cut as an upright line.
//
// Bars are laid out when scores or the width change. A move of the cut counts blocks again and writes what differs.

import { h, replace, s, write } from "../shared/dom.js";
import { CONTEXT, HAS_TEXT, KEPT, PINNED, SKIPPED } from "../shared/reading.js";

const BINS = 48;
const HEIGHT = 96;
const GAP = 1;
const STACK = [KEPT, PINNED, CONTEXT, SKIPPED];
// Status -> place in the stack.
const LAYER = [3, 0, 1, 2];
const NAMES = { [KEPT]: "kept", [PINNED]: "pinned", [CONTEXT]: "context", [SKIPPED]: "skipped" };

// histogram({ place, ticks, show, margin, onaim }) -> { element, axis, scores(reading), status(status),
// line(value, label), describe(text), dispose }. `place` maps a priority to 0…1, `margin` is left free on both sides,
// `onaim(place, done)` is called while somebody drags in the picture.
export function histogram(options) {
  return new Histogram(options);
}

let pictures = 0;

// About so wide is a label in pixels; to measure it would lay the page out anew with every move.
const widthOf = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 13 : 7), 8);

class Histogram {
  constructor({ place, ticks, show, margin, onaim }) {
    Object.assign(this, { place, margin, onaim });
    this.width = 0;
    this.bins = new Uint8Array(0);
    this.counts = STACK.map(() => new Uint32Array(BINS));
    this.name = `sr-histogram-${(pictures += 1)}`;
    this.svg = s("svg", { class: "sr-histogram-bars", height: HEIGHT, role: "img" });
    this.label = h("div", { class: "sr-histogram-label" });
    this.ticks = ticks.map((value) => h("span", { style: { left: `${100 * place(value)}%` } }, show(value)));
    const axis = h("div", { class: "sr-histogram-axis", "aria-hidden": "true" }, h("div", {}, this.ticks));
    axis.firstElementChild.style.margin = `0 ${margin}px`;
    this.axis = axis;
    this.element = h("div", { class: "sr-histogram" }, this.label, this.svg);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
    this.svg.addEventListener("pointerdown", (event) => this.aim(event));
  }

  scores(reading) {
    this.bins = Uint8Array.from(reading.priority, (value) => Math.min(BINS - 1, Math.floor(BINS * this.place(value))));
    this.shown = Uint8Array.from(reading.flags, (flags) => flags & HAS_TEXT);
    const sums = new Uint32Array(BINS);
    this.bins.forEach((bin, block) => (sums[bin] += this.shown[block]));
    this.sums = sums;
    this.highest = Math.max(1, ...sums);
    // What was decided on another document says nothing of these blocks.
    if (this.last?.length !== this.bins.length) this.last = null;
    this.build();
  }

  resize() {
    const width = this.element.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    if (this.sums) this.build();
  }

  build() {
    const width = (this.width || 320) - 2 * this.margin;
    this.step = width / BINS;
    this.bars = STACK.map((code) =>
      Array.from({ length: BINS }, (_, bin) =>
        s("rect", {
          class: `sr-histogram-${NAMES[code]}`,
          fill: code === CONTEXT || code === PINNED ? `url(#${this.name}-${NAMES[code]})` : undefined,
          x: this.margin + bin * this.step,
          width: Math.max(1, this.step - GAP),
          height: 0,
          y: HEIGHT,
        }),
      ),
    );
    this.rule = s("line", { class: "sr-histogram-line", y1: 0, y2: HEIGHT, hidden: true });
    const base = s("line", { class: "sr-histogram-base", x1: 0, x2: "100%", y1: HEIGHT - 0.5, y2: HEIGHT - 0.5 });
    replace(this.svg, this.patterns(), this.bars, base, this.rule);
    this.heights = STACK.map(() => new Float32Array(BINS).fill(-1));
    if (this.last) this.status(this.last);
    if (this.at) this.line(...this.at);
  }

  // Context and pins are told by their hatching as well as by their colour.
  patterns() {
    const hatch = (name, path) =>
      s(
        "pattern",
        { id: `${this.name}-${name}`, width: 4, height: 4, patternUnits: "userSpaceOnUse" },
        s("rect", { width: 4, height: 4, class: `sr-histogram-${name}-ground` }),
        s("path", { d: path, class: `sr-histogram-${name}-hatch` }),
      );
    return s("defs", {}, hatch("context", "M0 1H4"), hatch("pinned", "M0 4L4 0M-1 1L1 -1M3 5L5 3"));
  }

  // Draws what is kept; the height of a bar is the root of its blocks, so that a few kept ones can be seen beside many.
  status(status) {
    this.last = status;
    if (!this.bars) return;
    const { bins, shown, counts } = this;
    for (const column of counts) column.fill(0);
    for (let block = 0; block < bins.length; block += 1) {
      if (shown[block]) counts[LAYER[status[block]]][bins[block]] += 1;
    }
    for (let bin = 0; bin < BINS; bin += 1) this.bar(bin);
  }

  bar(bin) {
    const total = this.sums[bin];
    const height = total ? Math.max(2, (HEIGHT - 4) * Math.sqrt(total / this.highest)) : 0;
    let y = HEIGHT - 1;
    for (let layer = 0; layer < STACK.length; layer += 1) {
      const size = total ? (height * this.counts[layer][bin]) / total : 0;
      y -= size;
      const key = size ? y + size * 1000 : 0;
      if (this.heights[layer][bin] === Math.fround(key)) continue;
      this.heights[layer][bin] = key;
      this.bars[layer][bin].setAttribute("y", y);
      this.bars[layer][bin].setAttribute("height", size);
    }
  }

  // Draws the cut at a priority; null for none.
  line(value, label) {
    this.at = [value, label];
    if (!this.rule) return;
    this.rule.toggleAttribute("hidden", value === null);
    this.label.hidden = value === null;
    if (value === null) return;
    const inner = (this.width || 320) - 2 * this.margin;
    const x = this.margin + inner * this.place(value);
    this.rule.setAttribute("x1", x);
    this.rule.setAttribute("x2", x);
    write(this.label, label);
    const all = this.width || 320;
    const flips = x + widthOf(label) > all;
    this.label.style.left = flips ? "auto" : `${x}px`;
    this.label.style.right = flips ? `${all - x}px` : "auto";
    this.label.dataset.flips = String(flips);
  }

  describe(text) {
    this.svg.setAttribute("aria-label", text);
  }

  aim(event) {
    if (event.button !== 0 || !this.onaim) return;
    const box = this.svg.getBoundingClientRect();
    const scale = box.width / (this.width || 320);
    const at = ({ clientX }) => ((clientX - box.left) / scale - this.margin) / ((this.width || 320) - 2 * this.margin);
    if (this.onaim(at(event), false) === false) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    const move = (next) => this.onaim(at(next), false);
    const end = (next) => {
      this.svg.removeEventListener("pointermove", move);
      this.svg.removeEventListener("pointerup", end);
      this.svg.removeEventListener("pointercancel", end);
      this.onaim(at(next), true);
    };
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", end);
    this.svg.addEventListener("pointercancel", end);
  }

  dispose() {
    this.observer.disconnect();
  }
}
