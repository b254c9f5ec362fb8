// Keys of a view, and the sheet that lists them.

import { h, quiet } from "./dom.js";

const WRITES = new Set(["INPUT", "TEXTAREA", "SELECT"]);
const CLOSES = new Set(["Escape", "?"]);
const KNOWN = new WeakMap();

// The bindings of a view, for a sheet of what is around it; none for what has no keys of its own.
export const bindingsAt = (view) => KNOWN.get(view) ?? [];

// keyboard(view, [{ keys: ["j", "ArrowDown"], words: "next block", run: next }], t)
//
// A binding with `anywhere: true` also runs while somebody types in a field of the view. "?" shows the sheet: with
// `groups` also those of the views inside, [{ title, bindings }], which then leave "?" to this one. While it is shown it
// has the keys, and it goes when something else gets the focus. Returns { dispose, sheet() }.
export function keyboard(view, bindings, t, { groups = null } = {}) {
  if (!view.hasAttribute("tabindex")) view.setAttribute("tabindex", "0");
  quiet(view);
  KNOWN.set(view, bindings);
  if (groups) view.dataset.sheet = "whole";
  let open = null;
  let opener = null;
  const fold = () => {
    const gone = open;
    open = null;
    gone?.remove();
  };
  const close = () => {
    fold();
    view.focus({ preventScroll: true });
  };
  const sheet = () => {
    if (open) return close();
    opener = view.getRootNode().activeElement;
    open = sheetOf(groups?.() ?? [{ bindings }], t, close);
    view.append(open);
    open.querySelector("button").focus();
  };
  // A button that shows the sheet takes it away as well, when it is pressed.
  const isOpener = (element) => element === opener && element.tagName === "BUTTON";
  const elsewhere = ({ target }) => open && !open.contains(target) && !isOpener(target) && fold();
  const listener = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (open) return keyOfSheet(event, close);
    const typing = WRITES.has(event.target.tagName) && !["range", "checkbox"].includes(event.target.type);
    if (event.key === "?" && !typing && !view.parentElement?.closest("[data-sheet]")) return stop(event, sheet);
    const found = bindings.find((binding) => binding.keys.includes(event.key) && (!typing || binding.anywhere));
    if (found && found.run(event) !== false) stop(event, () => {});
  };
  view.addEventListener("keydown", listener);
  view.addEventListener("focusin", elsewhere);
  const dispose = () => {
    view.removeEventListener("keydown", listener);
    view.removeEventListener("focusin", elsewhere);
  };
  return { sheet, dispose };
}

// Nothing behind an open sheet moves: its own keys are those of the browser, which scroll it and press its button, and
// Tab has nowhere else to go.
function keyOfSheet(event, close) {
  if (CLOSES.has(event.key)) return stop(event, close);
  event.stopImmediatePropagation();
  if (event.key === "Tab") event.preventDefault();
  return undefined;
}

function stop(event, then) {
  event.preventDefault();
  event.stopPropagation();
  then();
}

function sheetOf(groups, t, close) {
  const head = h(
    "div",
    { class: "sr-keys-head" },
    h("strong", {}, t("keys.title")),
    h("button", { class: "sr-plain", onclick: close }, t("close")),
  );
  const several = groups.length > 1 ? "sr-keys sr-keys-whole" : "sr-keys";
  const said = { role: "dialog", "aria-modal": "true", "aria-label": t("keys.title"), tabindex: "-1" };
  return h("div", { class: several, ...said }, head, groups.map(groupOf));
}

function groupOf({ title, bindings }) {
  const rows = bindings
    .filter((binding) => binding.words)
    .map(({ keys, words }) => h("div", { class: "sr-keys-row" }, h("dt", {}, keys.map(keycap)), h("dd", {}, words)));
  return h("section", { class: "sr-keys-group" }, title && h("h3", { class: "sr-label" }, title), h("dl", {}, rows));
}

const SHOWN = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space" };

export const keycap = (key) => h("kbd", { class: "sr-key" }, SHOWN[key] ?? key);
