// One shape a scenario, one colour a route: for canvas, SVG and plotly alike.

import { h, s } from "../shared/dom.js";

// Of about equal area, round zero.
export const SHAPES = [
  { name: "circle", path: "M4.4 0A4.4 4.4 0 1 1 -4.4 0A4.4 4.4 0 1 1 4.4 0Z" },
  { name: "triangle-up", path: "M0 -5.2L5 3.8L-5 3.8Z" },
  { name: "square", path: "M-3.9 -3.9H3.9V3.9H-3.9Z" },
  { name: "diamond", path: "M0 -5.4L5.4 0L0 5.4L-5.4 0Z" },
  { name: "x", path: "M-4.6 -3L-3 -4.6L0 -1.6L3 -4.6L4.6 -3L1.6 0L4.6 3L3 4.6L0 1.6L-3 4.6L-4.6 3L-1.6 0Z" },
  { name: "triangle-down", path: "M0 5.2L5 -3.8L-5 -3.8Z" },
  { name: "cross", path: "M-1.5 -5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5V-1.5H-1.5Z" },
  { name: "star", path: "M0 -6L1.5 -2L5.7 -1.9L2.4 0.8L3.5 4.9L0 2.5L-3.5 4.9L-2.4 0.8L-5.7 -1.9L-1.5 -2Z" },
  { name: "pentagon", path: "M0 -5L4.8 -1.5L2.9 4L-2.9 4L-4.8 -1.5Z" },
  { name: "hexagon", path: "M4.8 0L2.4 4.2L-2.4 4.2L-4.8 0L-2.4 -4.2L2.4 -4.2Z" },
];

export const shapeOf = (group) => SHAPES[group % SHAPES.length];

// The shape of a group as a small picture beside its name.
export function glyph(group, className = "sr-gate-glyph") {
  const path = s("path", { d: shapeOf(group).path });
  return s("svg", { class: className, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, path);
}

// A route as a word in its colour.
export const routeMark = (t, route) =>
  h("span", { class: `sr-gate-route sr-gate-route-${route}` }, t(`route.${route}`));

// The name of a group; names that we made are shown in words.
export function groupName(t, name) {
  const key = `group.${name}`;
  const known = t(key);
  if (known !== key) return known;
  return name === "" ? t("group.all") : name.replaceAll("_", " ");
}
