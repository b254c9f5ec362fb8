// Find in the document: also in folded runs, which open where something is found.

import { visible } from "./document_block.js";
import { h, write } from "../shared/dom.js";
import { count } from "../shared/numbers.js";

const WAIT_MS = 60;
const MOST_MATCHES = 100000;
const HIGHLIGHTS = ["sr-found", "sr-found-now"];

// Returns { element, open(), close(), isOpen(), step(by), paint(), reset(), dispose() }.
export function findOf(view) {
  const { t } = view;
  const { element, field, said, buttons } = fieldOf(t, { step, close });
  const marks = highlights();
  let folded = null;
  let found = [];
  let now = -1;
  let timer = 0;

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, WAIT_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return close();
    if (timer) search();
    else step(event.shiftKey ? -1 : 1);
  });

  function search() {
    clearTimeout(timer);
    timer = 0;
    folded ??= Array.from({ length: view.state.document.n }, (_, i) => lowered(visible(view.text(i))));
    found = matchesIn(folded, lowered(field.value));
    const from = Math.max(0, view.selected);
    now = found.length ? Math.max(0, found.findIndex((match) => match.block >= from)) : -1;
    show();
  }

  function step(by) {
    if (!found.length) return;
    now = (now + by + found.length) % found.length;
    show();
  }

  function show() {
    buttons.hidden = !field.value;
    const key = found.length ? "doc.find.counts" : "doc.find.none";
    write(said, field.value ? t(key, { now: count(now + 1), count: count(found.length) }) : "");
    if (now >= 0) view.showFound(found[now].block);
    paint();
  }

  // Marks what is drawn; the text itself stays as it is.
  function paint() {
    marks.clear();
    if (!found.length) return;
    const size = field.value.length;
    const current = found[now];
    for (const block of view.drawnBlocks()) {
      for (let k = firstIn(found, block); k < found.length && found[k].block === block; k++) {
        const range = rangeOf(view.elementOf(block), found[k].at, size);
        if (range) marks.add(range, found[k] === current);
      }
    }
  }

  function close() {
    field.value = "";
    found = [];
    now = -1;
    show();
    view.focus();
  }
  const open = () => {
    field.focus();
    field.select();
  };
  const reset = () => {
    folded = null;
    if (field.value) search();
  };
  const dispose = () => {
    clearTimeout(timer);
    marks.clear();
  };
  return { element, open, close, isOpen: () => field.value !== "", step, paint, reset, dispose };
}

function fieldOf(t, { step, close }) {
  const field = h("input", {
    type: "search",
    class: "sr-doc-find-field",
    "aria-label": t("doc.find"),
    placeholder: t("doc.find.short"),
    spellcheck: "false",
  });
  const said = h("span", { class: "sr-doc-find-count", role: "status" });
  const button = (label, shown, run) =>
    h("button", { class: "sr-plain", onclick: run, "aria-label": label, title: label }, shown);
  const buttons = h(
    "span",
    { class: "sr-doc-find-buttons", hidden: true },
    button(t("doc.find.previous"), "↑", () => step(-1)),
    button(t("doc.find.next"), "↓", () => step(1)),
    button(t("close"), "×", () => close()),
  );
  const element = h("div", { class: "sr-doc-find", role: "search" }, field, said, buttons);
  return { element, field, said, buttons };
}

// Lower case of the same length, so that positions hold: "İ" alone grows.
function lowered(text) {
  const low = text.toLowerCase();
  return low.length === text.length ? low : Array.from(text, lowerLetter).join("");
}

function lowerLetter(letter) {
  const low = letter.toLowerCase();
  return low.length === letter.length ? low : letter;
}

function matchesIn(texts, wanted) {
  const found = [];
  if (!wanted) return found;
  for (let block = 0; block < texts.length && found.length < MOST_MATCHES; block++) {
    const text = texts[block];
    let at = text.indexOf(wanted);
    while (at >= 0) {
      found.push({ block, at });
      at = text.indexOf(wanted, at + wanted.length);
    }
  }
  return found;
}

function firstIn(found, block) {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (found[middle].block < block) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Cells of a row stand apart; in the block's text there is a tab between two of them.
function rangeOf(element, at, size) {
  const text = element?.querySelector(".sr-doc-text");
  if (!text) return null;
  const inCells = text.classList.contains("sr-doc-cells");
  const nodes = inCells ? [...text.children].map((cell) => cell.firstChild) : [text.firstChild];
  let start = at;
  for (const node of nodes) {
    const length = node?.length ?? 0;
    if (node && start < length) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, Math.min(length, start + size));
      return range;
    }
    start -= length + (inCells ? 1 : 0);
    if (start < 0) return null;
  }
  return null;
}

// Highlights belong to the page, and several views share them: each takes away only its own.
function highlights() {
  const known = globalThis.CSS?.highlights;
  const own = new Map();
  if (!known) return { add() {}, clear() {} };
  for (const name of HIGHLIGHTS) if (!known.has(name)) known.set(name, new Highlight());
  known.get(HIGHLIGHTS[1]).priority = 1;
  return {
    add(range, isNow) {
      const name = HIGHLIGHTS[isNow ? 1 : 0];
      known.get(name).add(range);
      own.set(range, name);
    },
    clear() {
      for (const [range, name] of own) known.get(name).delete(range);
      own.clear();
    },
  };
}
