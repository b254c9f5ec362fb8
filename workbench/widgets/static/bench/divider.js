// A line between two parts that a pointer or the arrow keys move.

import { h } from "../shared/dom.js";

// `set` gets the share of the upper one; Enter and a double click bring back the first one.
export function divider({ label, share, least, most, step = 0.04, set }) {
  const element = h("div", {
    class: "sr-wb-divider",
    role: "separator",
    tabindex: "0",
    "aria-label": label,
    "aria-orientation": "horizontal",
    "aria-valuemin": String(Math.round(100 * least)),
    "aria-valuemax": String(Math.round(100 * most)),
  });
  let now = share;
  const to = (wanted) => {
    now = Math.min(most, Math.max(least, wanted));
    element.setAttribute("aria-valuenow", String(Math.round(100 * now)));
    set(now);
  };
  element.addEventListener("keydown", (event) => {
    const wanted = { ArrowUp: now - step, ArrowDown: now + step, Home: least, End: most, Enter: share }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    to(wanted);
  });
  element.addEventListener("pointerdown", (event) => {
    const box = element.parentElement.getBoundingClientRect();
    const move = ({ clientY }) => to((clientY - box.top) / box.height);
    const end = () => element.removeEventListener("pointermove", move);
    element.setPointerCapture(event.pointerId);
    element.addEventListener("pointermove", move);
    for (const over of ["pointerup", "pointercancel"]) element.addEventListener(over, end, { once: true });
  });
  element.addEventListener("dblclick", () => to(share));
  to(share);
  return element;
}
