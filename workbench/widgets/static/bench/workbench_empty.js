// What the tabs of a document say before there is one.

import { h } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";

export function emptyOf(shell) {
  const { model, t } = shell;
  const ask = h("button", { class: "sr-button", onclick: () => shell.header.ask() }, keycap("/"), " ", t("empty.open"));
  const call = h("code", { class: "sr-wb-empty-call" }, 'bench.ask("…?", "report.pdf")');
  const file = h("p", {}, t("empty.file"), " ", call);
  const element = h("div", { class: "sr-wb-empty", hidden: true }, h("p", {}, t("empty.read")), ask, file);
  return {
    element,
    // Returns whether there is nothing to show.
    show: () => {
      element.hidden = Boolean(model.get("head").document);
      // Without a workload there is nothing to choose from, and nothing yet to ask about.
      ask.hidden = !model.get("foot").workload;
      return !element.hidden;
    },
  };
}
