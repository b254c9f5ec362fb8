// The keys of a document view.

import { actions } from "../shared/actions.js";
import { firstRow, lastRow, nearestNext, nextOf, nextRow } from "./document_moves.js";

const ACTS_ITSELF = new Set(["BUTTON", "SUMMARY", "A"]);

export function bindingsOf(view) {
  const { t } = view;
  const go = (block, place = "nearest", open = false) => block >= 0 && view.choose(block, { place, open });
  const rowFrom = (by) => (view.selected < 0 && by < 0 ? view.state.document.n : view.selected);
  const step = (by) => () => go(nextRow(view.state, rowFrom(by), by));
  const from = (by) => (view.selected < 0 && by < 0 ? 0 : view.selected);
  const jump = (by, kept) => () => go(nextOf(view.state, from(by), by, kept), "middle", true);
  // It goes on from where it led, and begins again from anywhere else.
  let walked = -1;
  function nearest() {
    walked = nearestNext(view.state, view.selected === walked ? walked : -1);
    return go(walked, "middle", true);
  }
  const bindings = [
    { keys: ["j", "ArrowDown"], words: t("key.next"), run: step(1) },
    { keys: ["k", "ArrowUp"], words: t("key.previous"), run: step(-1) },
    { keys: ["n"], words: t("key.next_kept"), run: jump(1, true) },
    { keys: ["p"], words: t("key.previous_kept"), run: jump(-1, true) },
    { keys: ["s"], words: t("key.next_skipped"), run: jump(1, false) },
    { keys: ["S"], words: t("key.previous_skipped"), run: jump(-1, false) },
    { keys: ["t"], words: t("key.nearest"), run: nearest },
    { keys: ["e"], words: t("key.evidence"), run: () => go(nextEvidence(view), "middle", true) },
    { keys: ["g", "Home"], words: t("key.first"), run: () => go(firstRow(view.state)) },
    { keys: ["G", "End"], words: t("key.last"), run: () => go(lastRow(view.state)) },
    { keys: ["o"], words: t("key.fold"), run: () => view.toggle(foldAt(view)) },
    { keys: ["O"], words: t("key.fold_all"), run: () => view.toggleAll() },
    { keys: view.slots ? ["f"] : ["f", "/"], words: t("key.find"), run: () => view.find.open() },
    { keys: ["Enter"], words: t("key.hold"), run: (event) => hold(view, event) },
    { keys: ["Escape"], words: t("key.escape"), run: () => escape(view) },
  ];
  if (view.labels.canSet) bindings.splice(-1, 0, ...labelling(view));
  if (view.slots?.pages) bindings.push({ keys: ["v"], words: t("key.pages"), run: () => view.toolbar.switchPages() });
  return bindings;
}

// Inside a bench undo and redo are the bench's, of whatever came last; `slots.undoes` says that there is none.
function labelling(view) {
  const { t, labels, model } = view;
  const step = (kind) => () => void actions(model).act(kind);
  const found = [{ keys: ["l"], words: t("key.label"), run: () => labels.arm() }];
  if (view.slots && !view.slots.undoes) return found;
  found.push({ keys: ["z"], words: t("key.unlabel"), run: step("undo") });
  found.push({ keys: ["Z"], words: t("key.relabel"), run: step("redo") });
  return found;
}

function hold(view, event) {
  if (ACTS_ITSELF.has(event.target.tagName)) return false;
  if (view.selected < 0) return false;
  if (view.state.folded[view.selected] !== -1) return view.toggle(view.selected);
  view.hold(view.pin === view.selected ? null : view.selected);
  return true;
}

function escape(view) {
  if (view.find.isOpen()) view.find.close();
  else if (view.pin >= 0) view.hold(null);
  else if (view.selected >= 0) view.choose(-1);
  else return false;
  return true;
}

// The fold that "o" means: the one at hand, the one that was opened there, or the next one.
function foldAt({ selected, state }) {
  if (selected >= 0 && (state.folded[selected] !== -1 || state.opened[selected])) return selected;
  for (let i = Math.max(0, selected); i < state.document.n; i++) if (state.folded[i] !== -1) return i;
  return -1;
}

function nextEvidence({ selected, state }) {
  const { n } = state.document;
  for (let k = 1; k <= n; k++) {
    const i = (Math.max(-1, selected) + k) % n;
    if (state.reading.gold[i]) return i;
  }
  return -1;
}
