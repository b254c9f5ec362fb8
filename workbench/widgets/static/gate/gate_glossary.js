// What the words of the gate mean, folded away: nobody has to leave the page for a definition.

import { h } from "../shared/dom.js";

const TERMS = ["margin", "signals", "routes", "thresholds", "constraint", "quality", "oracle", "regret"];

export function glossaryOf(t) {
  const rows = TERMS.map((term) => [h("dt", {}, t(`term.${term}`)), h("dd", {}, t(`term.${term}.means`))]);
  return h(
    "details",
    { class: "sr-gate-glossary" },
    h("summary", { tabindex: "0", class: "sr-label" }, t("glossary")),
    h("dl", {}, rows),
  );
}
