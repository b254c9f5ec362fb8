// Where the points of a gate lie, and what is written beside them: for the canvas and for plotly alike.

import { count, signed } from "../shared/numbers.js";

export const SPACE = { left: 84, right: 16, top: 24, bottom: 42 };

// Where the axes lie: { x0, x1, y0, y1 } of margins and savings for all points and both thresholds.
export function fitted({ margins, saving, rule, visible }) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, 0, 0];
  for (let i = 0; i < margins.length; i += 1) {
    if (!visible[i]) continue;
    x0 = Math.min(x0, margins[i]);
    x1 = Math.max(x1, margins[i]);
    y0 = Math.min(y0, saving[i]);
    y1 = Math.max(y1, saving[i]);
  }
  for (const at of [rule.native, rule.force]) {
    if (Math.abs(at) > 1) continue;
    x0 = Math.min(x0, at);
    x1 = Math.max(x1, at);
  }
  if (!(x0 <= x1)) [x0, x1] = [-1, 1];
  const pad = Math.max(0.05 * (x1 - x0), 0.02);
  return { x0: x0 - pad, x1: x1 + pad, y0: Math.min(y0 - 0.08, -0.2), y1: Math.max(y1 + 0.08, 0.2) };
}

// The same axes, wider where points have moved out of them: nothing jumps while a slider moves.
export function widened(view, wanted) {
  return {
    x0: Math.min(view.x0, wanted.x0),
    x1: Math.max(view.x1, wanted.x1),
    y0: Math.min(view.y0, wanted.y0),
    y1: Math.max(view.y1, wanted.y1),
  };
}

// The axes for what lies near the thresholds; points farther out are counted at the edges.
export function closeTo(rule, wanted) {
  const [low, high] = [Math.max(-1, rule.native), Math.min(1, rule.force)];
  const room = Math.max(0.06, 1.5 * (high - low));
  return { ...wanted, x0: low - room, x1: high + room };
}

// Whether that is the better first look: most points lie there, on less than half of the width.
export function isCloser({ margins, visible, rule }, all) {
  const { x0, x1 } = closeTo(rule, all);
  let [near, count] = [0, 0];
  for (let i = 0; i < margins.length; i += 1) {
    if (!visible[i]) continue;
    count += 1;
    if (margins[i] >= x0 && margins[i] <= x1) near += 1;
  }
  return count > 0 && 2 * near >= count && 2 * (x1 - x0) < all.x1 - all.x0;
}

export function scalesOf(view, { width, height }) {
  const across = Math.max(1, width - SPACE.left - SPACE.right);
  const down = Math.max(1, height - SPACE.top - SPACE.bottom);
  return {
    x: (value) => SPACE.left + ((value - view.x0) / (view.x1 - view.x0)) * across,
    y: (value) => SPACE.top + ((view.y1 - value) / (view.y1 - view.y0)) * down,
  };
}

export function ticksOf(view, t) {
  const span = view.x1 - view.x0;
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((size) => span / size <= 8) ?? 1;
  const x = [];
  for (let at = Math.ceil(view.x0 / step); at * step <= view.x1; at += 1) {
    x.push({ at: at * step, text: at === 0 ? "0" : signed(at * step, step < 0.1 ? 2 : 1) });
  }
  const y = [
    { at: 0.75, text: t("axis.saves", { share: "75 %" }) },
    { at: 0.5, text: t("axis.saves", { share: "50 %" }) },
    { at: 0, text: t("axis.nothing") },
    { at: -0.5, text: t("axis.costs", { times: "2" }) },
    { at: -0.75, text: t("axis.costs", { times: "4" }) },
    { at: -0.9, text: t("axis.costs", { times: "10" }) },
  ];
  return { x, y: y.filter(({ at }) => at > view.y0 && at < view.y1) };
}

// What is written beside the threshold lines and in the regions: { x, text, align, low }.
export function writingOf({ rule, margins, visible }, view, t) {
  const inside = (at) => at > view.x0 && at < view.x1;
  const found = [];
  if (inside(rule.native)) found.push({ x: rule.native, text: `θn ${signed(rule.native, 3)}`, align: "right" });
  if (inside(rule.force)) found.push({ x: rule.force, text: `θf ${signed(rule.force, 3)}`, align: "left" });
  const edges = [view.x0, clamp(rule.native, view), clamp(rule.force, view), view.x1];
  ["native", "advisory", "force"].forEach((route, at) => {
    if (edges[at + 1] - edges[at] > 0.12 * (view.x1 - view.x0)) {
      found.push({ x: (edges[at] + edges[at + 1]) / 2, text: t(`route.${route}`), align: "center", low: true });
    }
  });
  let [left, right] = [0, 0];
  for (let i = 0; i < margins.length; i += 1) {
    if (visible[i] && margins[i] < view.x0) left += 1;
    if (visible[i] && margins[i] > view.x1) right += 1;
  }
  if (left) found.push({ x: view.x0, text: `← ${count(left)}`, align: "left", low: true });
  if (right) found.push({ x: view.x1, text: `${count(right)} →`, align: "right", low: true });
  return found;
}

export const clamp = (at, view) => Math.min(view.x1, Math.max(view.x0, at));

// The place of the visible point nearest to a pixel, -1 if none is within reach.
export function nearest({ margins, saving, visible }, view, size, at, reach = 12) {
  const { x, y } = scalesOf(view, size);
  let [best, far] = [-1, reach * reach];
  for (let i = 0; i < margins.length; i += 1) {
    if (!visible[i]) continue;
    const distance = (x(margins[i]) - at.x) ** 2 + (y(saving[i]) - at.y) ** 2;
    if (distance < far) [best, far] = [i, distance];
  }
  return best;
}
