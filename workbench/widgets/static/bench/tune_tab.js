// Tune: the rule table with the document under it, and the cut at its side, all three moved by one another.

import { render as renderDocument } from "../document/document_view.js";
import { divider } from "./divider.js";
import { h } from "../shared/dom.js";
import { render as renderRules } from "../rules/rule_table.js";
import { render as renderThreshold } from "../threshold/threshold_panel.js";
import { emptyOf } from "./workbench_empty.js";

// The rules are what is worked on here; of the document a person needs what a rule has changed.
const RULES_SHARE = 0.62;

export function tuneTab(shell) {
  const rules = shell.place("rules", renderRules);
  const threshold = shell.place("threshold", renderThreshold);
  const document = shell.place("document", renderDocument, { extras: { compact: true } });
  const empty = emptyOf(shell);
  const work = h("div", { class: "sr-wb-tune-work" });
  const line = divider({
    label: shell.t("tune.divider"),
    share: RULES_SHARE,
    least: 0.24,
    most: 0.84,
    set: (share) => work.style.setProperty("--sr-wb-rules", `${(100 * share).toFixed(2)}%`),
  });
  work.append(rules.element, line, document.element);
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
