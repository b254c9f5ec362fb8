// Tune: the rule table with the document under it, and the cut at its side, all three moved by one another.

import { render as renderDocument } from "../document/document_view.js";
import { h } from "../shared/dom.js";
import { render as renderRules } from "../rules/rule_table.js";
import { render as renderThreshold } from "../threshold/threshold_panel.js";
import { emptyOf } from "./workbench_empty.js";

export function tuneTab(shell) {
  const rules = shell.place("rules", renderRules);
  const threshold = shell.place("threshold", renderThreshold);
  const document = shell.place("document", renderDocument, { extras: { compact: true } });
  const empty = emptyOf(shell);
  const work = h("div", { class: "sr-wb-tune-work" }, rules.element, document.element);
  const side = h("aside", { class: "sr-wb-side", "aria-label": shell.t("cut") }, threshold.element);
  const element = h("div", { class: "sr-wb-tune" }, empty.element, work, side);
  const show = () => {
    const nothing = empty.show();
    work.hidden = side.hidden = nothing;
    if (nothing || element.hidden) return;
    for (const place of [rules, threshold, document]) void place.show();
  };
  shell.follow(["head"], show);
  return { element, show };
}
