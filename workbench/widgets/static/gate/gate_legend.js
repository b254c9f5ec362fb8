// The legend of the picture is a filter too: a scenario can be taken out of it, or shown alone.

import { h, replace, write } from "../shared/dom.js";
import { glyph, groupName } from "./gate_shapes.js";
import { count } from "../shared/numbers.js";

const ROUTES = ["force", "advisory", "native"];

// `change(hidden)` gets the names of the groups that are out. Returns { element, show, mark, count }.
export function legendOf(t, change) {
  const groups = h("div", { class: "sr-gate-legend-groups", role: "group", "aria-label": t("legend.groups") });
  const counts = Object.fromEntries(ROUTES.map((route) => [route, h("span", {})]));
  const routes = ROUTES.map((route) =>
    h(
      "span",
      { class: "sr-gate-legend-route" },
      h("i", { class: `sr-gate-dot sr-gate-dot-${route}`, "aria-hidden": "true" }),
      t(`route.${route}`),
      counts[route],
    ),
  );
  const marks = [
    h("span", {}, h("i", { class: "sr-gate-dot sr-gate-dot-hollow", "aria-hidden": "true" }), t("legend.held")),
    h("span", {}, h("i", { class: "sr-gate-dot sr-gate-dot-lost", "aria-hidden": "true" }), t("legend.lost")),
  ];
  const element = h(
    "figcaption",
    { class: "sr-gate-legend" },
    groups,
    h("div", { class: "sr-gate-legend-marks" }, routes, marks),
  );
  let hidden = [];
  let buttons = new Map();
  const toggle = (name, alone) => {
    const all = [...buttons.keys()];
    const others = all.filter((other) => other !== name);
    const isAlone = !hidden.includes(name) && others.every((other) => hidden.includes(other));
    if (alone) hidden = isAlone ? [] : others;
    else hidden = hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name];
    change(hidden);
  };
  const show = ({ outcomes }) => {
    hidden = [];
    const sizes = outcomes.groupNames.map(() => 0);
    for (const group of outcomes.groups) sizes[group] += 1;
    const entries = outcomes.groupNames.map((name, group) => {
      const button = h(
        "button",
        {
          class: "sr-gate-chip",
          "aria-pressed": "true",
          title: t("legend.how"),
          onclick: (event) => toggle(name, event.shiftKey),
          ondblclick: () => toggle(name, true),
          dataset: { group: name },
        },
        glyph(group),
        h("span", {}, groupName(t, name)),
        h("small", {}, count(sizes[group])),
      );
      return [name, button];
    });
    buttons = new Map(entries);
    replace(groups, outcomes.n ? [...buttons.values()] : null);
  };
  const mark = (names) => {
    hidden = [...names];
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(!hidden.includes(name)));
  };
  const tally = ({ totals }) => {
    const [native, advisory, force] = totals.routed;
    Object.entries({ native, advisory, force }).forEach(([route, number]) => write(counts[route], count(number)));
  };
  return { element, show, mark, count: tally };
}
