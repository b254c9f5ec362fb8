// Labels of blocks: which there are, the mark of each in the margin, and the keys that set them.
//
// A label is set by two keys, "l" and a letter, for the letters alone walk through the document.

import { actions } from "../shared/actions.js";
import { h } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { shapeOf, VALUES } from "../shared/label_shapes.js";

const CLEAR = new Set(["x", "Backspace", "Delete"]);
const NO_KEY = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock"]);
const NONE = [];

// Returns { element, canSet, take(), of(block), arm(), set(block, value), dispose() }; the element asks for the second
// key. `of` has the label of whoever sits here first, then the newest.
export function labelsOf(view) {
  const { model, t } = view;
  const canSet = model.get("labelling") === true && !model.alone;
  // What is on its way to the kernel, shown at once: value, or null for no label.
  const pending = new Map();
  let known = new Map();
  let armed = false;
  const element = canSet ? promptOf(t) : h("div", { hidden: true });

  function take() {
    known = grouped(model.get("labelled") ?? []);
    for (const [block, value] of pending) overlay(known, block, value, model.get("annotator"));
    view.state.labelled = marksOf(known, view.state.document.n);
  }

  // Shown at once; what the kernel has written down comes back, or what was there before.
  async function set(block, value) {
    if (!canSet || block < 0 || block >= view.state.document.n) return;
    const { sequence } = view;
    pending.set(block, value);
    view.labelsChanged();
    // What is meant, so that a kernel that has gone on to another document does not label that.
    const meant = { block, document: model.get("document_key"), question: model.get("question") };
    await actions(model).act(value === null ? "unlabel" : "label", value === null ? meant : { ...meant, value });
    if (view.sequence !== sequence || view.ended) return;
    if (pending.get(block) === value) pending.delete(block);
    view.labelsChanged();
  }

  function arm(on = true) {
    armed = on && canSet && view.selected >= 0 && view.state.folded[view.selected] === -1;
    element.hidden = !armed;
    return armed;
  }

  function pressed(event) {
    if (!armed || NO_KEY.has(event.key) || event.isComposing) return;
    const mods = event.ctrlKey || event.metaKey || event.altKey;
    const found = mods ? null : VALUES.find(({ key }, rank) => event.key === key || event.key === String(rank + 1));
    const clear = !mods && CLEAR.has(event.key);
    arm(false);
    if (!found && !clear && event.key !== "Escape" && event.key !== "l") return;
    event.preventDefault();
    event.stopPropagation();
    if (found || clear) void set(view.selected, found ? found.value : null);
  }

  const left = () => arm(false);
  return {
    element,
    canSet,
    take,
    set,
    arm,
    of: (block) => known.get(block) ?? NONE,
    // Hears keys before the view does: "e" is "evidence" now, and not the next evidence.
    listen: (root) => {
      root.addEventListener("keydown", pressed, { capture: true });
      root.addEventListener("focusout", left);
      root.addEventListener("pointerdown", left);
    },
    forget: () => {
      pending.clear();
      arm(false);
    },
  };
}

function grouped(labels) {
  const found = new Map();
  for (const label of labels) found.set(label.block, [...(found.get(label.block) ?? []), label]);
  return found;
}

function overlay(known, block, value, annotator) {
  const others = (known.get(block) ?? []).filter(({ mine }) => !mine);
  const own = { block, value, annotator, at: "", source: "person", note: "", mine: true };
  known.set(block, value === null ? others : [own, ...others]);
}

function marksOf(known, n) {
  const marks = new Uint8Array(n);
  for (const [block, labels] of known) if (block < n && labels.length) marks[block] = 1;
  return marks;
}

function promptOf(t) {
  const choice = ({ value, key }) =>
    h("span", { class: "sr-doc-label-choice" }, keycap(key), shapeOf(t, value), t(`label.value.${value}`));
  const clear = h("span", { class: "sr-doc-label-choice" }, keycap("x"), t("label.none"));
  return h(
    "div",
    { class: "sr-doc-label-prompt", role: "status", hidden: true },
    h("strong", {}, t("label.prompt")),
    VALUES.map(choice),
    clear,
    h("span", { class: "sr-doc-label-choice" }, keycap("Escape")),
  );
}

// What tells the labels of a block apart from others; "" for none.
export const saidOf = (labels) => labels.map(({ value, annotator, mine }) => `${value} ${annotator} ${mine}`).join();

// The mark of a block in the margin; null for a block without a label. Of several annotators it shows the first label,
// with a second frame where others say another thing.
export function markElement(t, labels) {
  if (!labels.length) return null;
  const [first] = labels;
  const split = labels.some(({ value }) => value !== first.value);
  const saying = ({ value, annotator }) => t("label.by", { value: t(`label.value.${value}`), annotator });
  const said = labels.map(saying);
  return h(
    "span",
    { class: split ? "sr-doc-label sr-doc-label-split" : "sr-doc-label", title: said.join("\n") },
    shapeOf(t, first.value),
    h("span", { class: "sr-hidden" }, said.join("; ")),
  );
}
