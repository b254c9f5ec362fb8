// What the tabs of a document say before there is one.

import { h } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";

export function emptyOf(shell) {
  const { model, t } = shell;
  const ask = h("button", { class: "sr-button", onclick: () => shell.header.ask() }, keycap("/"), " ", t("empty.open"));
  const element = h("div", { class: "sr-wb-empty", hidden: true }, h("p", {}, t("empty.read")), ask);
  return {
    element,
    // Returns whether there is nothing to show.
    show: () => {
      element.hidden = Boolean(model.get("head").document);
      return !element.hidden;
    },
  };
}
