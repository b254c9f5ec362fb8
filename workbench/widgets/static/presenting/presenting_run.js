// The one quiet line that a skipped run leaves when it is faded; it opens in its place.

import { h } from "../shared/dom.js";
import { count } from "../shared/numbers.js";

export function runElement({ t }, run, isOpen) {
  const values = { blocks: count(run.blocks), tokens: count(run.tokens) };
  const gold = run.gold > 0 && h("strong", { class: "sr-pr-run-gold" }, t("present.run.gold", { count: run.gold }));
  return h(
    "button",
    {
      class: "sr-pr-run",
      // Thousands of lines are no stops of the Tab key: Enter opens the one at hand.
      tabindex: "-1",
      "aria-expanded": String(isOpen),
      dataset: { run: String(run.first) },
    },
    h("span", {}, t(run.blocks === 1 ? "present.run.one" : "present.run", values)),
    gold,
  );
}
