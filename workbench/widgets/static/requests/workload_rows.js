// The rows of a table of requests: made once, written to when other requests come into sight.

import { h, replace, write } from "../shared/dom.js";
import { nearestFlip } from "../gate/gate_flips.js";
import { shareSaved } from "../gate/gate_outcomes.js";
import { ROUTES } from "../gate/gate_rule.js";
import { groupName, SHAPES, shapeOf, glyph } from "../gate/gate_shapes.js";
import { count, fixed, percent, signed } from "../shared/numbers.js";

export const ROW_HEIGHT = 32;
export const COLUMNS = [
  { name: "request" },
  { name: "group" },
  { name: "route" },
  { name: "b", numeric: true },
  { name: "s", numeric: true },
  { name: "c", numeric: true },
  { name: "r", numeric: true },
  { name: "tokens", numeric: true },
  { name: "saved", numeric: true },
  { name: "lost", numeric: true },
  { name: "regret", numeric: true },
  { name: "flip" },
];
const SIDES = { "at least": "≥", above: ">", "at most": "≤", below: "<" };
let made = 0;

// Returns { element, place, show(state, place, rank, selected) }.
export function rowOf(t) {
  const cells = Object.fromEntries(
    COLUMNS.map(({ name, numeric }) => [
      name,
      h("div", { role: "gridcell", class: numeric && "sr-table-number", dataset: { column: name } }),
    ]),
  );
  const element = h("div", { class: "sr-table-row", role: "row", id: `sr-row-${(made += 1)}` }, Object.values(cells));
  const row = { element, place: -1, show };
  const pictures = SHAPES.map((_, group) => glyph(group));
  const groupText = h("span", {});
  const wrong = h("b", { class: "sr-table-wrong" }, " ≠");
  const route = h("span", {});
  cells.route.append(route, wrong);
  function show(state, place, rank, selected) {
    row.place = place;
    element.style.transform = `translateY(${rank * ROW_HEIGHT}px)`;
    element.setAttribute("aria-rowindex", String(rank + 2));
    element.setAttribute("aria-selected", String(selected));
    facts(state, place);
    decided(state, place);
  }
  function facts({ outcomes }, place) {
    if (row.shown === outcomes && row.at === place) return;
    [row.shown, row.at] = [outcomes, place];
    const question = outcomes.questionOf(place) || outcomes.names[place];
    write(cells.request, question);
    cells.request.title = `${question}\n${outcomes.documentNames[outcomes.documents[place]]}`;
    cells.request.dir = "auto";
    const group = outcomes.groups[place];
    write(groupText, groupName(t, outcomes.groupNames[group] ?? ""));
    replace(cells.group, pictures[SHAPES.indexOf(shapeOf(group))], " ", groupText);
    cells.group.title = groupText.textContent;
    for (const signal of ["s", "c", "r"]) write(cells[signal], fixed(outcomes[signal][place], 2));
    write(cells.tokens, count(outcomes.native[place]));
  }
  function decided(state, place) {
    const name = ROUTES[state.routes[place]];
    route.className = `sr-gate-route sr-gate-route-${name}`;
    write(route, t(`route.${name}`));
    wrong.hidden = !state.wrong(place);
    wrong.title = t("table.wrong");
    write(cells.b, signed(state.margins[place], 3));
    write(cells.saved, percent(state.shares[place] * shareSaved(state.outcomes, place), 0));
    const lost = state.lost(place);
    write(cells.lost, lost > 0 ? `−${percent(lost, 0)}` : "0");
    cells.lost.classList.toggle("sr-table-wrong", lost > 0);
    write(cells.regret, count(state.regret(place)));
    write(cells.flip, flipText(t, state, place));
  }
  return row;
}

function flipText(t, state, place) {
  const { outcomes, rule } = state;
  if (!outcomes.free[place]) return t(`constraint.${outcomes.constraintNames[outcomes.constraints[place]] ?? ""}`);
  const flip = nearestFlip(state.signals(place), rule, true);
  return flip ? `${t(`route.${flip.route}`)}: ${flip.signal} ${SIDES[flip.side]} ${flip.shown}` : t("none");
}
