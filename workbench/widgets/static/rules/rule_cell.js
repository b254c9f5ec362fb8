// One cell that is written in: what was typed stays there until it is valid or given up.

import { h, replace } from "../shared/dom.js";

// edit({ place, value, label, multiline, step, commit, wrong, done }) turns a cell into a field.
//
// commit(text) resolves to the problem that the loader has with it, or null; wrong(message) shows it at the cell.
// done(moved) is called once the field is gone.
export function edit({ place, value, label, multiline = false, step = null, commit, wrong, done }) {
  const field = h(multiline ? "textarea" : "input", {
    class: "sr-cell-field",
    "aria-label": label,
    value,
    onkeydown: pressed,
    onblur: () => finish(false),
    ...(multiline ? { rows: 3 } : { type: "text", inputmode: step ? "decimal" : null, spellcheck: "false" }),
  });
  let last = value;
  let open = true;
  let running = null;
  replace(place, field);
  place.dataset.editing = "true";
  field.focus({ preventScroll: true });
  field.select();

  function pressed(event) {
    if (event.isComposing) return;
    event.stopPropagation();
    if (event.key === "Escape") close(true);
    else if (event.key === "Enter" && !(multiline && event.shiftKey)) finish(true);
    else if (step && (event.key === "ArrowUp" || event.key === "ArrowDown")) nudge(event);
    else return;
    event.preventDefault();
  }
  async function nudge(event) {
    const next = step(field.value, event.key === "ArrowUp" ? 1 : -1, event.shiftKey);
    if (next === null) return;
    field.value = next;
    await apply();
  }
  // Edits of one cell follow each other: the last that was typed is the last that is applied.
  function apply() {
    const text = field.value;
    running = (running ?? Promise.resolve()).then(async () => {
      if (text === last) return true;
      const problem = await commit(text);
      field.setAttribute("aria-invalid", String(Boolean(problem)));
      wrong(problem);
      if (!problem) last = text;
      return !problem;
    });
    return running;
  }
  async function finish(byKey) {
    if (!open) return;
    if (await apply()) close(byKey);
  }
  function close(byKey) {
    if (!open) return;
    open = false;
    wrong(null);
    delete place.dataset.editing;
    done(byKey);
  }
  return { close: () => close(false) };
}

export const isEdited = (place) => place.dataset.editing === "true";

// What somebody typed as a weight: a number, or the text itself where it is none.
export function weightOf(text) {
  const plain = text.trim().replace(",", ".").replace("\u2212", "-");
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : text.trim();
}

// Step of an arrow key: 0.1, with Shift 0.5; below 1 in smaller ones, so that 0.05 is reached.
export function stepped(text, direction, big, [least, greatest]) {
  const now = weightOf(text);
  if (typeof now !== "number") return null;
  const size = big ? 0.5 : 0.1;
  const next = Math.min(greatest, Math.max(least, Math.round((now + direction * size) * 100) / 100));
  return String(next);
}

// A bar that begins at weight 1: to the right a boost, to the left a damping, on a logarithmic scale.
export function weightBar() {
  const bar = h("span", { class: "sr-weight-bar" });
  const element = h("span", { class: "sr-weight-track", "aria-hidden": "true" }, bar);
  return {
    element,
    show(weight, [least, greatest]) {
      const boost = weight >= 1;
      const share = boost ? Math.log(weight) / Math.log(greatest) : Math.log(weight) / Math.log(least);
      const width = weight === 1 ? 0 : Math.max(4, 50 * Math.min(1, share));
      bar.style.width = `${width}%`;
      bar.style.left = boost ? "50%" : `${50 - width}%`;
      bar.className = boost ? "sr-weight-bar sr-weight-boost" : "sr-weight-bar";
    },
  };
}

export const weightText = (weight) => String(Math.round(weight * 1000) / 1000);

