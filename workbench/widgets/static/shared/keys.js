// Keys of a view, and the sheet that lists them.

import { h, quiet } from "./dom.js";

const WRITES = new Set(["INPUT", "TEXTAREA", "SELECT"]);
const KNOWN = new WeakMap();

// The bindings of a view, for a sheet of what is around it; none for what has no keys of its own.
export const bindingsAt = (view) => KNOWN.get(view) ?? [];

// keyboard(view, [{ keys: ["j", "ArrowDown"], words: "next block", run: next }], t)
//
// A binding with `anywhere: true` also runs while somebody types in a field of the view. "?" shows the sheet: with
// `groups` also those of the views inside, [{ title, bindings }], which then leave "?" to this one. Returns
// { dispose, sheet() }.
export function keyboard(view, bindings, t, { groups = null } = {}) {
  if (!view.hasAttribute("tabindex")) view.setAttribute("tabindex", "0");
  quiet(view);
  KNOWN.set(view, bindings);
  if (groups) view.dataset.sheet = "whole";
  let open = null;
  const close = () => {
    open?.remove();
    open = null;
    view.focus({ preventScroll: true });
  };
  const sheet = () => {
    if (open) return close();
    open = sheetOf(groups?.() ?? [{ bindings }], t, close);
    view.append(open);
    open.querySelector("button").focus();
  };
  const listener = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (open && event.key === "Escape") return stop(event, close);
    const typing = WRITES.has(event.target.tagName) && !["range", "checkbox"].includes(event.target.type);
    if (event.key === "?" && !typing && !view.parentElement?.closest("[data-sheet]")) return stop(event, sheet);
    const found = bindings.find((binding) => binding.keys.includes(event.key) && (!typing || binding.anywhere));
    if (found && found.run(event) !== false) stop(event, () => {});
  };
  view.addEventListener("keydown", listener);
  return { sheet, dispose: () => view.removeEventListener("keydown", listener) };
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
  return h("div", { class: several, role: "dialog", "aria-label": t("keys.title") }, head, groups.map(groupOf));
}

function groupOf({ title, bindings }) {
  const rows = bindings
    .filter((binding) => binding.words)
    .map(({ keys, words }) => h("div", { class: "sr-keys-row" }, h("dt", {}, keys.map(keycap)), h("dd", {}, words)));
  return h("section", { class: "sr-keys-group" }, title && h("h3", { class: "sr-label" }, title), h("dl", {}, rows));
}

const SHOWN = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space" };

export const keycap = (key) => h("kbd", { class: "sr-key" }, SHOWN[key] ?? key);
