// The Python call that does the same as what was just clicked, to read and to copy.

import { h, write } from "./dom.js";

// Returns { element, show(text) }.
export function pythonOf(t) {
  const code = h("code", { class: "sr-python-code", tabindex: "0" });
  const button = h("button", { class: "sr-plain", onclick: copy }, t("python.copy"));
  async function copy() {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // A page without the right to the clipboard can still select the text for the keys to copy it.
      getSelection().selectAllChildren(code);
      return;
    }
    write(button, t("python.copied"));
    setTimeout(() => write(button, t("python.copy")), 1500);
  }
  const head = h("div", { class: "sr-python-head" }, h("h3", { class: "sr-label" }, t("python")), button);
  return { element: h("section", { class: "sr-python" }, head, code), show: (text) => write(code, text) };
}
