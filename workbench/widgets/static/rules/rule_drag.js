// Moving a row with the pointer: a line shows where it would stand, and nothing moves before it is let go.

import { h } from "../shared/dom.js";

const FAR = 4;

// dragging({ grid, rows(), name, event, drop(before) }); rows are [name, element] among which it can stand, in order.
export function dragging({ grid, rows, name, event, drop }) {
  if (event.button !== 0) return;
  const handle = event.currentTarget;
  const moved = rows().find(([known]) => known === name)?.[1];
  const line = h("div", { class: "sr-drop-line", "aria-hidden": "true" });
  const from = event.clientY;
  let place = null;
  handle.setPointerCapture(event.pointerId);

  function move(now) {
    if (place === null && Math.abs(now.clientY - from) < FAR) return;
    const known = rows();
    const at = known.findIndex(([, element]) => {
      const box = element.getBoundingClientRect();
      return now.clientY < box.top + box.height / 2;
    });
    place = at < 0 ? known.length : at;
    const last = known.at(-1)[1];
    const top = at < 0 ? last.offsetTop + last.offsetHeight : known[at][1].offsetTop;
    line.style.top = `${top}px`;
    if (!line.isConnected) grid.append(line);
    moved?.classList.add("sr-rule-moved");
  }
  function end(letGo) {
    handle.removeEventListener("pointermove", move);
    line.remove();
    moved?.classList.remove("sr-rule-moved");
    const known = rows();
    const own = known.findIndex(([other]) => other === name);
    if (letGo.type !== "pointerup" || place === null || place === own || place === own + 1) return;
    drop(known[place]?.[0] ?? null);
  }
  handle.addEventListener("pointermove", move);
  handle.addEventListener("pointerup", end, { once: true });
  handle.addEventListener("pointercancel", end, { once: true });
  event.preventDefault();
  handle.focus({ preventScroll: true });
}
