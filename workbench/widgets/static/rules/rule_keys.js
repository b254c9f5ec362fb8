// Keys of the table. Letters speak only in a row: in a field and in an open panel they are letters.

import { keyboard } from "../shared/keys.js";
import { stepped, weightText } from "./rule_cell.js";

export function ruleKeys(view) {
  const { t } = view;
  const inRow = (run) => (event) => {
    const row = event.target.closest?.("[data-rule]");
    if (!row || event.target.closest(".sr-rule-open, [data-editing]")) return false;
    return run(row.dataset.rule, event);
  };
  const outside = (run) => (event) => (event.target.closest?.(".sr-rule-open, .sr-rule-panel") ? false : run());
  const next = (by) => inRow((name) => {
    const to = view.shown[view.shown.indexOf(name) + by];
    if (to) view.focusAt(to, view.at.column);
  });
  const beside = (by) => inRow((name) => {
    const targets = view.targets(name);
    const at = targets.findIndex((element) => element.dataset.column === view.at.column);
    const to = targets[Math.min(targets.length - 1, Math.max(0, at + by))];
    if (to) view.focusAt(name, to.dataset.column);
  });
  const nudge = (direction) => inRow((name) => {
    const now = view.rowNamed(name).weight;
    const text = stepped(weightText(now), direction, false, view.options.weights);
    if (Number(text) !== now) view.set(name, "weight", Number(text));
  });
  const turn = (field) => inRow((name) => void view.set(name, field, !view.rowNamed(name)[field]));
  // A button has its own Enter.
  const open = inRow((name, event) => {
    if (event.target.tagName === "BUTTON") return false;
    view.rowView(name).start(view.at.column);
    return true;
  });
  const either = (key, run) => (event) => run(event.key === key ? 1 : -1)(event);
  const bindings = [
    { keys: ["ArrowDown", "ArrowUp"], words: t("rules.keys.row"), run: either("ArrowDown", next) },
    { keys: ["j"], run: next(1) },
    { keys: ["k"], run: next(-1) },
    { keys: ["ArrowRight", "ArrowLeft"], words: t("rules.keys.cell"), run: either("ArrowRight", beside) },
    { keys: ["Enter", "F2"], words: t("rules.keys.edit"), run: open },
    { keys: ["e"], words: t("rules.keys.conditions"), run: inRow((name) => view.rowView(name).toggle()) },
    { keys: ["o"], words: t("rules.keys.on"), run: turn("enabled") },
    { keys: ["p"], words: t("rules.keys.pin"), run: turn("pin") },
    { keys: ["+", "-"], words: t("rules.keys.step"), run: either("+", nudge) },
    { keys: ["="], run: nudge(1) },
    { keys: ["a"], words: t("rules.keys.add"), run: outside(() => view.add()) },
    { keys: ["d"], words: t("rules.keys.duplicate"), run: inRow((name) => void view.duplicate(name)) },
    { keys: ["Delete"], words: t("rules.keys.delete"), run: inRow((name) => void view.remove(name)) },
    { keys: ["Alt ↑", "Alt ↓"], words: t("rules.keys.move"), run: () => false },
    { keys: ["z"], words: t("rules.keys.undo"), run: outside(() => view.turnBack("undo")) },
    { keys: ["Z"], words: t("rules.keys.redo"), run: outside(() => view.turnBack("redo")) },
  ];
  const alive = view.readonly ? bindings.filter((binding) => /^(Arrow|j|k|e|Enter)/.test(binding.keys[0])) : bindings;
  const keys = keyboard(view.root, alive, t);
  const moves = (event) => {
    const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || event.ctrlKey || event.metaKey || !direction) return;
    if (inRow((name) => void view.step(name, direction))(event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
  view.grid.addEventListener("keydown", moves);
  return {
    sheet: keys.sheet,
    dispose() {
      keys.dispose();
      view.grid.removeEventListener("keydown", moves);
    },
  };
}
