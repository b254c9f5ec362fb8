// The keys while a document is presented, and the finger that does the same.

import { isWide } from "./presenting_tables.js";

const ACTS_ITSELF = new Set(["BUTTON", "SUMMARY"]);
const SWIPE = { far: 60, straight: 2 };

// `hands`: { step(by), aside(by), edge(end), evidence, fade, open, cut(key), back(kind), request(by), leave, focus, sheet }.
// A remote control for slides sends PageDown and PageUp.
export function bindingsOf(t, hands, { alone }) {
  const pressed = (work) => (event) => (ACTS_ITSELF.has(event.target.tagName) ? false : work());
  const arrow = (by) => (event) => (event.shiftKey ? hands.aside(by) : hands.step(by));
  const page = (by) => (event) => (event.shiftKey ? hands.request(by) : hands.step(by));
  const kernel = [
    { keys: ["z"], words: t("key.undo"), run: () => hands.back("undo") },
    { keys: ["Z"], words: t("key.redo"), run: () => hands.back("redo") },
    { keys: ["]"], words: t("present.request.next"), run: () => hands.request(1) },
    { keys: ["["], words: t("present.request.previous"), run: () => hands.request(-1) },
  ];
  return [
    { keys: ["ArrowRight", "ArrowDown"], words: t("present.next"), run: arrow(1) },
    { keys: [" "], run: pressed(() => hands.step(1)) },
    { keys: ["ArrowLeft", "ArrowUp"], words: t("present.previous"), run: arrow(-1) },
    { keys: ["PageDown"], run: page(1) },
    { keys: ["PageUp"], run: page(-1) },
    { keys: ["Home"], words: t("present.first"), run: () => hands.edge(false) },
    { keys: ["End"], words: t("present.last"), run: () => hands.edge(true) },
    { keys: ["e"], words: t("present.evidence"), run: hands.evidence },
    { keys: ["f"], words: t("present.fade"), run: hands.fade },
    // For the sheet: the keys themselves are those of the arrows.
    { keys: ["Shift+→", "Shift+←"], words: t("present.aside"), run: () => false },
    { keys: ["Enter"], words: t("present.open"), run: pressed(hands.open) },
    { keys: ["+", "="], words: t("present.cut.looser"), run: () => hands.cut("+") },
    { keys: ["-"], words: t("present.cut.stricter"), run: () => hands.cut("-") },
    ...(alone ? [] : kernel),
    { keys: ["?"], run: hands.sheet },
    { keys: ["Escape", "P"], words: t("present.leave"), anywhere: true, run: (event) => leave(event, hands) },
  ];
}

// In a field a letter is text, and Escape leaves the field first.
function leave({ key, target }, hands) {
  const isField = ["INPUT", "SELECT"].includes(target.tagName);
  if (isField && key === "P") return false;
  if (isField) return hands.focus();
  return hands.leave();
}

// A swipe to the left goes on, one to the right back; what goes up or down scrolls, and so does what begins on a wide
// table, also at its end.
export function swiping(element, step) {
  let from = null;
  const begin = ({ touches, target }) => (from = touches.length === 1 && !scrollsAside(target) ? touches[0] : null);
  element.addEventListener("touchstart", begin, { passive: true });
  element.addEventListener("touchcancel", () => (from = null), { passive: true });
  element.addEventListener(
    "touchend",
    ({ changedTouches }) => {
      const [to] = changedTouches;
      if (!from || !to) return;
      const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
      from = null;
      if (Math.abs(x) > SWIPE.far && Math.abs(x) > SWIPE.straight * Math.abs(y)) step(x < 0 ? 1 : -1);
    },
    { passive: true },
  );
}

const scrollsAside = (target) => {
  const table = target.closest(".sr-pr-table");
  return table !== null && isWide(table);
};
