// What stands in the place of the text where there is none: nothing to label, or all done.

import { h, replace } from "../shared/dom.js";
import { count } from "../shared/numbers.js";
import { buildingOf } from "./annotator_head.js";

// Returns { element, show(state, model) }: the number of skipped blocks, and the buttons that go on.
export function endsOf(t, { onAgain, onMore }) {
  const element = h("div", { class: "sr-an-end", hidden: true });
  const show = (state, model) => {
    const building = model.get("building");
    const empty = state.total === 0;
    const stopped = empty && model.get("left_out")["questions not looked at"] > 0;
    element.hidden = !state.done;
    if (!state.done) return;
    if (building.questions) return replace(element, h("p", { class: "sr-an-quiet" }, buildingOf(t, building)));
    const leftOut = Object.entries(model.get("left_out"));
    const out = leftOut.map(([why, number]) => t(`an.out.${why}`, { count: count(number) }));
    const left = out.length > 0 && h("p", { class: "sr-an-quiet" }, t("an.leftout", { said: out.join(", ") }));
    const notes = model.get("notes").map((note) => h("p", { class: "sr-an-quiet", lang: "en" }, note));
    const order = t(`an.order.${model.get("order")}`);
    replace(
      element,
      h("h2", {}, t(empty ? "an.empty" : "an.done")),
      empty ? h("p", {}, t(stopped ? "an.empty.stopped" : "an.empty.order", { order })) : h("p", {}, countsOf(t, state, model)),
      left,
      notes,
      !model.alone && buttonsOf(t, state, empty && !stopped, onAgain, onMore),
    );
  };
  return { element, show };
}

function countsOf(t, state, model) {
  const counts = new Map(model.get("values").map((value) => [value, 0]));
  for (const { value } of state.labelled.values()) counts.set(value, counts.get(value) + 1);
  const said = [...counts]
    .filter(([, number]) => number)
    .map(([value, number]) => `${count(number)} ${t(`an.value.${value}`)}`);
  if (state.skipped.size) said.push(t("an.skipped", { count: count(state.skipped.size) }));
  return t("an.done.counts", { total: count(state.total), said: said.join(", ") });
}

function buttonsOf(t, state, empty, onAgain, onMore) {
  const skipped = state.skipped.size;
  return h(
    "p",
    { class: "sr-an-buttons" },
    skipped > 0 &&
      h("button", { class: "sr-primary", onclick: onAgain }, t("an.done.skipped", { count: count(skipped) })),
    !empty && h("button", { class: "sr-button", onclick: onMore }, t("an.done.more")),
  );
}
