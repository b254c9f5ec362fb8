// What plotly draws of a gate at rest: the same picture as that of the canvas.

import { SPACE, ticksOf, writingOf } from "./gate_axes.js";
import { shapeOf } from "./gate_shapes.js";

const COLOURS = ["skipped", "near", "kept"];
const FULL = 0.8;
const MANY = 1000;

export function figureOf(state, { view, theme, t, size }) {
  const { outcomes, margins, saving, routes, shares, visible } = state;
  const places = [];
  for (let i = 0; i < outcomes.n; i += 1) if (visible[i]) places.push(i);
  const lost = places.filter((i) => shares[i] > 0 && outcomes.loss[i] > 0);
  const type = places.length > MANY ? "scattergl" : "scatter";
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
  const flat = { xref: "paper", x0: 0, x1: 1, y0: 0, y1: 0, layer: "below" };
  const upright = (at, line) => ({ ...tall, type: "line", x0: at, x1: at, line });
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
      upright(rule.native, { color: theme.ink2, width: 1.5, dash: "4px,3px" }),
      upright(rule.force, { color: theme.ink, width: 1.5 }),
      { ...flat, type: "line", line: { color: theme.line2, width: 1 } },
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
