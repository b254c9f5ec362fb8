// The filters of a table of requests.

import { h, replace, write } from "../shared/dom.js";
import { groupName } from "../gate/gate_shapes.js";

export const NO_FILTERS = { text: "", route: "", group: "", wrong: false, lost: false, order: "", falling: false };

// `change(filters)` gets what was changed. Returns { element, show(filters, outcomes), tell(text), focus() }.
export function filtersOf(t, change) {
  const text = h("input", {
    type: "search",
    class: "sr-table-search",
    placeholder: t("table.search"),
    "aria-label": t("table.search"),
    oninput: () => change({ text: text.value }),
  });
  const route = select(t("table.any_route"), (value) => change({ route: value }));
  const group = select(t("table.any_group"), (value) => change({ group: value }));
  const wrong = toggle(t("table.only_wrong"), (on) => change({ wrong: on }));
  const lost = toggle(t("table.only_lost"), (on) => change({ lost: on }));
  const regret = h("button", { class: "sr-gate-chip", onclick: () => change({ order: "regret", falling: true }) },
    t("table.by_regret"));
  const said = h("span", { class: "sr-table-count", role: "status" });
  const element = h("div", { class: "sr-table-filters", role: "search" }, text, route.element, group.element,
    wrong.element, lost.element, regret, said);
  const show = (filters, { groupNames }) => {
    if (text.value !== filters.text) text.value = filters.text;
    route.show(["force", "advisory", "native"].map((name) => [name, t(`route.${name}`)]), filters.route);
    group.show(groupNames.filter(Boolean).map((name) => [name, groupName(t, name)]), filters.group);
    wrong.show(filters.wrong);
    lost.show(filters.lost);
  };
  return { element, show, tell: (words) => write(said, words), focus: () => text.focus() };
}

function select(any, change) {
  const element = h("select", { "aria-label": any, onchange: () => change(element.value) });
  const show = (options, value) => {
    replace(element, [["", any], ...options].map(([name, words]) => h("option", { value: name }, words)));
    element.value = value;
  };
  return { element, show };
}

function toggle(words, change) {
  const press = () => {
    const on = element.getAttribute("aria-pressed") !== "true";
    show(on);
    change(on);
  };
  const look = { class: "sr-gate-chip sr-table-toggle", "aria-pressed": "false" };
  const element = h("button", { ...look, onclick: press }, words);
  const show = (on) => element.setAttribute("aria-pressed", String(on));
  return { element, show };
}
