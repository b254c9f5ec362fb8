// The values of a label, the key of each, and its sign, which is the same in all widgets.

import { h } from "./dom.js";

export const VALUES = [
  { value: "evidence", key: "e" },
  { value: "useful context", key: "c" },
  { value: "not relevant", key: "n" },
  { value: "hard negative", key: "h" },
  { value: "unsure", key: "u" },
];
export const LETTERS = Object.fromEntries(VALUES.map(({ value, key }) => [value, key]));

// A letter in a shape; whoever shows it has the word beside it, or in a title.
export function shapeOf(t, value) {
  return h("span", { class: "sr-shape", dataset: { value }, "aria-hidden": "true" }, t(`label.letter.${value}`));
}
