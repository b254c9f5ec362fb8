// The whole document as one strip: a stroke where blocks are kept, as long as their margin, and a frame for what is in
// sight. A click or drag goes there.

import { barOf, isLost } from "./document_margins.js";
import { h } from "../shared/dom.js";
import { HAS_TEXT, PINNED, SKIPPED } from "../shared/reading.js";

const WIDTH = 28;
const GRAIN = 2;
const EDGE = 3;
const NEAR_LENGTH = 8;
const LEAST_WEIGHT = 40;

// Returns { element, build(), paint(), frame(first, last), dispose() }.
export function minimapOf(view) {
  const canvas = h("canvas", { class: "sr-doc-minimap-canvas" });
  const frameElement = h("div", { class: "sr-doc-frame" });
  const title = view.t("doc.minimap");
  const element = h("div", { class: "sr-doc-minimap", "aria-hidden": "true", title }, canvas, frameElement);
  let ends = new Float64Array(1);
  let colours = null;
  let framed = [0, 0];
  let height = 0;

  // A long block takes more of the strip than a short one.
  function build() {
    const { n, sizes } = view.state.document;
    ends = new Float64Array(n + 1);
    for (let i = 0; i < n; i++) ends[i + 1] = ends[i] + (sizes[i] ? LEAST_WEIGHT + Math.min(sizes[i], 4000) : 0);
    paint();
  }

  const total = () => ends[ends.length - 1] || 1;

  function paint() {
    if (!height) return;
    const scale = globalThis.devicePixelRatio || 1;
    if (canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(WIDTH * scale);
      canvas.height = Math.round(height * scale);
    }
    colours ??= coloursOf(element);
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, WIDTH, height);
    const found = strokes(view.state, ends, total(), height);
    found.forEach((stroke, k) => stroke && drawStroke(context, colours, stroke, k));
    frame(...framed);
  }

  function frame(first, last) {
    framed = [first, last];
    const top = (ends[first] / total()) * height;
    const bottom = (ends[Math.min(ends.length - 1, last + 1)] / total()) * height;
    frameElement.style.transform = `translateY(${Math.max(0, Math.min(top, height - 8))}px)`;
    frameElement.style.height = `${Math.max(8, bottom - top)}px`;
  }

  onDrag(element, (share) => view.scrollTo(blockAt(ends, share * total())));
  // Asked once a size: to ask while painting makes the browser lay the page out.
  const sizes = new ResizeObserver(() => {
    height = element.clientHeight;
    paint();
  });
  sizes.observe(element);
  const theme = new MutationObserver(() => {
    colours = null;
    paint();
  });
  theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  const dispose = () => {
    sizes.disconnect();
    theme.disconnect();
  };
  return { element, build, paint, frame, dispose };
}

// `go` gets how far down the strip, in [0, 1], somebody points.
function onDrag(element, go) {
  const point = (event) => {
    const box = element.getBoundingClientRect();
    go(Math.min(1, Math.max(0, (event.clientY - box.top) / Math.max(1, box.height))));
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    point(event);
  });
  element.addEventListener("pointermove", (event) => event.buttons === 1 && point(event));
}

function blockAt(ends, wanted) {
  let [low, high] = [0, Math.max(0, ends.length - 2)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle + 1] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

// For each grain of the strip what is strongest in it: { kind, bar, gold, lost, pinned }.
function strokes({ document, reading, near, at, spread }, ends, total, height) {
  const found = new Array(Math.ceil(height / GRAIN));
  for (let i = 0; i < document.n; i++) {
    if (!(reading.flags[i] & HAS_TEXT)) continue;
    const from = Math.floor(((ends[i] / total) * height) / GRAIN);
    const to = Math.max(from + 1, Math.floor(((ends[i + 1] / total) * height) / GRAIN));
    const isKept = reading.status[i] !== SKIPPED;
    const rank = isKept ? 2 : near[i] ? 1 : 0;
    const bar = barOf(reading.priority[i] - at, spread.reach);
    for (let k = from; k < to && k < found.length; k++) {
      const known = (found[k] ??= { rank: -1, bar: -1, near: 0, gold: 0, lost: false, pinned: false });
      const stronger = rank > known.rank || (rank === known.rank && bar > known.bar);
      if (stronger) Object.assign(known, { rank, bar, near: near[i] });
      if (reading.gold[i]) known.gold = 1;
      if (isLost(reading, i)) known.lost = true;
      if (reading.status[i] === PINNED) known.pinned = true;
    }
  }
  return found;
}

function drawStroke(context, colours, { rank, bar, near, gold, lost, pinned }, k) {
  const y = k * GRAIN;
  const room = WIDTH - 3 * EDGE;
  const half = EDGE * 2 + room / 2;
  context.fillStyle = near ? colours.near : pinned ? colours.pinned : rank === 2 ? colours.kept : colours.skipped;
  // Kept strokes go from the left edge over the middle, skipped ones end at the middle and are thinner.
  const length = Math.max(2, (bar * room) / 2);
  const under = rank === 1 ? NEAR_LENGTH : Math.max(2, (1 + bar) * NEAR_LENGTH);
  if (rank === 2) context.fillRect(EDGE * 2, y, room / 2 + length, GRAIN);
  else context.fillRect(half - under, y, under, GRAIN - 1);
  if (gold) {
    context.fillStyle = lost ? colours.lost : colours.gold;
    context.fillRect(0, y, EDGE + 1, GRAIN);
  }
}

function coloursOf(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(name).trim();
  return {
    kept: of("--sr-kept"),
    near: of("--sr-near-mark"),
    skipped: of("--sr-skipped-bar"),
    pinned: of("--sr-pinned"),
    gold: of("--sr-gold"),
    lost: of("--sr-lost"),
  };
}
