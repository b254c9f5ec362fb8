// Keys of a view, and the sheet that lists them.

import { h, quiet } from "./dom.js";

const WRITES = new Set(["INPUT", "TEXTAREA", "SELECT"]);

// keyboard(view, [{ keys: ["j", "ArrowDown"], words: "next block", run: next }], t)
//
// A binding with `anywhere: true` also runs while somebody types in a field of the view. "?" shows the sheet. Returns
// { dispose, sheet() }.
export function keyboard(view, bindings, t) {
  if (!view.hasAttribute("tabindex")) view.setAttribute("tabindex", "0");
  quiet(view);
  let open = null;
  const close = () => {
    open?.remove();
    open = null;
    view.focus({ preventScroll: true });
  };
  const sheet = () => {
    if (open) return close();
    open = sheetOf(bindings, t, close);
    view.append(open);
    open.querySelector("button").focus();
  };
  const listener = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (open && event.key === "Escape") return stop(event, close);
    const typing = WRITES.has(event.target.tagName) && event.target.type !== "range" && event.target.type !== "checkbox";
    if (event.key === "?" && !typing) return stop(event, sheet);
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

function sheetOf(bindings, t, close) {
  const rows = bindings
    .filter((binding) => binding.words)
    .map((binding) => h("div", { class: "sr-keys-row" }, h("dt", {}, binding.keys.map(keycap)), h("dd", {}, binding.words)));
  return h(
    "div",
    { class: "sr-keys", role: "dialog", "aria-label": t("keys.title") },
    h("div", { class: "sr-keys-head" }, h("strong", {}, t("keys.title")), h("button", { class: "sr-plain", onclick: close }, t("close"))),
    h("dl", {}, rows),
  );
}

const SHOWN = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Enter: "Enter", Escape: "Esc", " ": "Space" };

export const keycap = (key) => h("kbd", { class: "sr-key" }, SHOWN[key] ?? key);
