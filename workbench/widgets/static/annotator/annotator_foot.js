// The keys of the values, always at the same place, and what is done with an item besides.

import { h, replace } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { LETTERS, shapeOf } from "../shared/label_shapes.js";
import { count } from "../shared/numbers.js";

export function footOf(t, values, { onValue, onSkip, onBack, onUndo, onRedo }) {
  const buttons = values.map((value, rank) =>
    h(
      "button",
      {
        class: "sr-an-value",
        dataset: { value },
        title: t(`an.means.${value}`),
        "aria-keyshortcuts": `${rank + 1} ${LETTERS[value]}`,
        "aria-pressed": "false",
        onclick: () => onValue(value),
      },
      shapeOf(t, value),
      h("span", { class: "sr-an-name" }, t(`an.value.${value}`)),
      h("span", { class: "sr-an-caps", "aria-hidden": "true" }, keycap(String(rank + 1)), keycap(LETTERS[value])),
    ),
  );
  const other = (name, key, run) =>
    h("button", { class: "sr-plain", onclick: run }, keycap(key), " ", t(`an.${name}`));
  const last = h("span", { class: "sr-an-last", role: "status" });
  const others = [["skip", "s", onSkip], ["back", "b", onBack], ["undo", "z", onUndo], ["redo", "Z", onRedo]];
  const more = others.map((one) => other(...one));
  const element = h(
    "footer",
    { class: "sr-an-foot" },
    h("div", { class: "sr-an-values", role: "group", "aria-label": t("an.key.label") }, buttons),
    h("div", { class: "sr-an-more" }, last, more),
  );
  const show = ({ value, off, quiet }) => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.value === value));
      button.disabled = off;
    }
    for (const button of more) button.disabled = quiet;
  };
  const said = (value, number) => {
    const values = { value: t(`an.value.${value}`), count: count(number) };
    replace(last, value ? [shapeOf(t, value), " ", t("an.last", values)] : []);
  };
  return { element, show, said };
}
