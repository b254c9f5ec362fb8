// The keys of the annotator, in the order in which they are listed.

import { LETTERS } from "../shared/label_shapes.js";

export function bindingsOf(view) {
  const { t, model } = view;
  const once = (run) => (event) => event.repeat || run();
  const values = model.get("values").map((value, rank) => ({
    keys: [String(rank + 1), LETTERS[value]],
    words: t(`an.value.${value}`),
    run: once(() => view.press(value)),
  }));
  return [
    ...values,
    { keys: ["s"], words: t("an.key.skip"), run: once(() => view.skip()) },
    { keys: ["b"], words: t("an.key.back"), run: () => view.back() },
    { keys: ["z"], words: t("an.key.undo"), run: once(() => view.take("undo_label")) },
    { keys: ["Z"], words: t("an.key.redo"), run: once(() => view.take("redo_label")) },
    { keys: ["m"], words: t("an.key.note"), run: () => view.side.note.focus() },
    { keys: ["o"], words: t("an.key.order"), run: () => view.head.order.focus() },
    { keys: ["ArrowLeft", "ArrowRight"], words: t("an.key.sentence"), run: (event) => view.step(event) },
    { keys: ["x"], words: t("an.key.mark"), run: () => view.text.mark() },
    { keys: ["ArrowUp", "ArrowDown"], words: t("an.key.scroll"), run: (event) => view.scroll(event) },
    { keys: ["a"], words: t("an.key.agreement"), run: () => view.compare() },
    { keys: ["Escape"], words: t("an.key.leave"), anywhere: true, run: () => view.leave() },
  ];
}
