// The picture of a gate on a canvas: what is drawn while a slider moves, and where there is no plotly.

import { clamp, scalesOf, SPACE, ticksOf, writingOf } from "./gate_axes.js";

// Draws everything; `size` in pixels of CSS.
export function paint(context, size, state, { view, theme, raster, t }) {
  const { x, y } = scalesOf(view, size);
  const { scale } = raster;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, size.width, size.height);
  const box = { top: SPACE.top, bottom: size.height - SPACE.bottom, left: SPACE.left, right: size.width - SPACE.right };
  const { native, force } = state.rule;
  const lines = [
    { at: native, colour: "ink2", dashed: true },
    { at: force, colour: "ink", dashed: false },
  ].filter(({ at }) => at > view.x0 && at < view.x1);
  raster.paint(context, box, state, { x, y, band: [clamp(native, view), clamp(force, view)], lines });
  write(context, state, { x, y, box, view, theme, t });
}

function write(context, state, { x, y, box, view, theme, t }) {
  context.fillStyle = theme.ink2;
  context.font = `11px ${theme.font}`;
  context.textBaseline = "middle";
  const ticks = ticksOf(view, t);
  context.textAlign = "right";
  for (const { at, text } of ticks.y) context.fillText(text, box.left - 1, y(at));
  context.textAlign = "center";
  for (const { at, text } of ticks.x) context.fillText(text, x(at), box.bottom + 9);
  context.fillText(t("axis.margin"), (box.left + box.right) / 2, box.bottom + 28);
  for (const { x: at, text, align, low } of writingOf(state, view, t)) {
    context.textAlign = align;
    const shift = align === "right" ? -5 : align === "left" ? 5 : 0;
    context.fillText(text, x(at) + shift, low ? box.bottom - 10 : box.top - 10);
  }
}
