// Motion, where it is allowed.

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const RUN_MS = 400;

// Returns show(value): a number in an element runs to its new value; `format` gives the text for any value between.
export function runningNumber(element, format) {
  let shown = null;
  let frame = 0;
  const write = (value) => {
    shown = value;
    const text = format(value);
    if (element.textContent !== text) element.textContent = text;
  };
  return (value) => {
    cancelAnimationFrame(frame);
    const from = shown;
    if (from === null || from === value || !Number.isFinite(value) || isStill()) return write(value);
    const began = performance.now();
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / RUN_MS));
      write(share < 1 ? from + (value - from) * (1 - (1 - share) ** 3) : value);
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return undefined;
  };
}

// What stood at `before` (element -> top) glides to where it stands now; what was not in sight appears.
export function glide(before, now) {
  if (isStill()) return;
  for (const [element, top] of now) {
    const from = before.get(element);
    if (from === top) continue;
    const frames = from === undefined
      ? [{ opacity: 0 }, { opacity: 1 }]
      : [{ transform: `translateY(${from - top}px)` }, { transform: "none" }];
    element.animate(frames, { duration: RUN_MS, easing: "ease-out" });
  }
}
