// The picture of a gate on a canvas: what is drawn while a slider moves, and where there is no plotly.

import { count, signed } from "./numbers.js";
import { SHAPES, shapeOf } from "./gate_shapes.js";

export const SPACE = { left: 84, right: 16, top: 24, bottom: 42 };
const POINT = 18;
const COLOURS = ["skipped", "near", "kept"];
const FULL = 0.8;

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

// Small pictures of every shape in every colour, drawn once a theme: copying one is quicker than filling a path.
export function spritesOf(theme, scale) {
  const size = Math.ceil(POINT * scale);
  const make = (shape, colour, hollow) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, size / 2, size / 2);
    const path = new Path2D(shape.path);
    context.globalAlpha = FULL;
    if (hollow) {
      context.strokeStyle = colour;
      context.lineWidth = 1.3;
      context.stroke(path);
    } else {
      context.fillStyle = colour;
      context.fill(path);
    }
    return canvas;
  };
  const of = (hollow) => SHAPES.map((shape) => COLOURS.map((name) => make(shape, theme[name], hollow)));
  return { full: of(false), hollow: of(true), scale };
}

// Draws everything; `size` in pixels of CSS.
export function paint(context, size, state, { view, theme, sprites, t }) {
  const { x, y } = scalesOf(view, size);
  context.setTransform(sprites.scale, 0, 0, sprites.scale, 0, 0);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, size.width, size.height);
  const box = { top: SPACE.top, bottom: size.height - SPACE.bottom, left: SPACE.left, right: size.width - SPACE.right };
  paintRegions(context, state.rule, { x, y, box, view, theme, t });
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  context.clip();
  paintPoints(context, state, { x, y, theme, sprites });
  context.restore();
  paintWriting(context, state, { x, y, box, view, theme, t });
}

function paintRegions(context, rule, { x, y, box, view, theme }) {
  const [low, high] = [x(clamp(rule.native, view)), x(clamp(rule.force, view))];
  context.fillStyle = theme.nearGround;
  context.fillRect(low, box.top, high - low, box.bottom - box.top);
  stroke(context, theme.line2, [box.left, y(0)], [box.right, y(0)]);
  if (rule.native > view.x0 && rule.native < view.x1) {
    stroke(context, theme.ink2, [low, box.top], [low, box.bottom], { width: 1.5, dash: [4, 3] });
  }
  if (rule.force > view.x0 && rule.force < view.x1) {
    stroke(context, theme.ink, [high, box.top], [high, box.bottom], { width: 1.5 });
  }
}

function stroke(context, colour, from, to, { width = 1, dash = [] } = {}) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.setLineDash([]);
}

function paintPoints(context, { outcomes, margins, saving, routes, shares, visible }, { x, y, theme, sprites }) {
  const { groups, free, loss, n } = outcomes;
  const half = POINT / 2;
  const size = Math.ceil(POINT * sprites.scale) / sprites.scale;
  for (let i = 0; i < n; i += 1) {
    if (!visible[i]) continue;
    const set = free[i] ? sprites.full : sprites.hollow;
    context.drawImage(set[groups[i] % SHAPES.length][routes[i]], x(margins[i]) - half, y(saving[i]) - half, size, size);
  }
  context.strokeStyle = theme.lost;
  context.lineWidth = 1.2;
  context.beginPath();
  for (let i = 0; i < n; i += 1) {
    if (!visible[i] || !(shares[i] > 0 && loss[i] > 0)) continue;
    const [px, py] = [x(margins[i]), y(saving[i])];
    context.moveTo(px + 6.5, py);
    context.arc(px, py, 6.5, 0, 2 * Math.PI);
  }
  context.stroke();
}

function paintWriting(context, state, { x, y, box, view, theme, t }) {
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

// What plotly draws of the same state.
export function figureOf(state, { view, theme, t, size }) {
  const { outcomes, margins, saving, routes, shares, visible } = state;
  const places = [];
  for (let i = 0; i < outcomes.n; i += 1) if (visible[i]) places.push(i);
  const lost = places.filter((i) => shares[i] > 0 && outcomes.loss[i] > 0);
  const type = places.length > 1000 ? "scattergl" : "scatter";
  const symbol = (i) => shapeOf(outcomes.groups[i]).name + (outcomes.free[i] ? "" : "-open");
  const common = { type, mode: "markers", hoverinfo: "skip", showlegend: false };
  const points = {
    ...common,
    x: places.map((i) => margins[i]),
    y: places.map((i) => saving[i]),
    marker: {
      color: places.map((i) => theme[COLOURS[routes[i]]]),
      symbol: places.map(symbol),
      size: 9,
      opacity: FULL,
      line: { width: 0 },
    },
  };
  const rings = {
    ...common,
    x: lost.map((i) => margins[i]),
    y: lost.map((i) => saving[i]),
    marker: { color: theme.lost, symbol: "circle-open", size: 13, line: { width: 1.2 } },
  };
  return { data: [points, rings], layout: layoutOf(state, { view, theme, t, size }) };
}

function layoutOf(state, { view, theme, t, size }) {
  const { rule } = state;
  const ticks = ticksOf(view, t);
  const plain = { showgrid: false, zeroline: false, ticks: "", linewidth: 0, automargin: false };
  const font = { family: theme.font, size: 11, color: theme.ink2 };
  const axis = (list, range) => ({
    ...plain,
    range,
    tickvals: list.map(({ at }) => at),
    ticktext: list.map(({ text }) => text),
    tickfont: font,
  });
  const tall = { yref: "paper", y0: 0, y1: 1, layer: "below" };
  return {
    width: size.width,
    height: size.height,
    margin: { l: SPACE.left, r: SPACE.right, t: SPACE.top, b: SPACE.bottom },
    paper_bgcolor: theme.ground,
    plot_bgcolor: theme.ground,
    font,
    dragmode: "zoom",
    hovermode: false,
    xaxis: { ...axis(ticks.x, [view.x0, view.x1]), title: { text: t("axis.margin"), font, standoff: 8 } },
    yaxis: axis(ticks.y, [view.y0, view.y1]),
    shapes: [
      { ...tall, type: "rect", x0: rule.native, x1: rule.force, fillcolor: theme.nearGround, line: { width: 0 } },
      { ...tall, type: "line", x0: rule.native, x1: rule.native, line: { color: theme.ink2, width: 1.5, dash: "4px,3px" } },
      { ...tall, type: "line", x0: rule.force, x1: rule.force, line: { color: theme.ink, width: 1.5 } },
      { type: "line", xref: "paper", x0: 0, x1: 1, y0: 0, y1: 0, layer: "below", line: { color: theme.line2, width: 1 } },
    ],
    annotations: writingOf(state, view, t).map(({ x, text, align, low }) => ({
      x,
      y: low ? 0 : 1,
      yref: "paper",
      yanchor: "middle",
      yshift: 10,
      xanchor: align,
      xshift: align === "right" ? -5 : align === "left" ? 5 : 0,
      text,
      showarrow: false,
      font,
      borderpad: 0,
    })),
  };
}
