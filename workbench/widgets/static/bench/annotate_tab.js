// Annotate: a queue of blocks of the workload to label, one key each, into the labels of this workspace.

import { render as renderAnnotator } from "../annotator/annotator.js";
import { h } from "../shared/dom.js";
import { bindingsAt } from "../shared/keys.js";

// In a bench these lead to its tabs, wherever the focus is; a label has a letter as well.
const OF_THE_BENCH = /^[1-9]$/;

export function annotateTab(shell) {
  const { model, t } = shell;
  const annotator = shell.place("annotate", renderAnnotator, { drawn: () => leaveDigits(annotator.element) });
  const empty = h("div", { class: "sr-wb-empty", hidden: true }, h("p", {}, t("empty.annotate")));
  const element = h("div", { class: "sr-wb-annotate" }, empty, annotator.element);
  const show = () => {
    const { workload } = model.get("foot");
    const nothing = !workload && !model.get("head").document;
    empty.hidden = !nothing;
    annotator.element.hidden = nothing;
    if (!nothing && !element.hidden) void annotator.show();
  };
  shell.follow(["head"], show);
  return { element, show };
}

function leaveDigits(place) {
  for (const binding of bindingsAt(place.querySelector(".sr-annotator"))) {
    binding.keys = binding.keys.filter((key) => !OF_THE_BENCH.test(key));
  }
}
