// What stands above the table: what it is, and what can be done with it as a whole.

import { h, replace, write } from "../shared/dom.js";
import { count } from "../shared/numbers.js";
import { countsOf } from "./rule_order.js";

export function ruleToolbar(view) {
  const { t } = view;
  const button = (text, run, kind = "sr-button") => h("button", { type: "button", class: kind, onclick: run }, text);
  const title = h("h2", { class: "sr-rule-title" });
  const counts = h("span", { class: "sr-rule-counts" });
  const unsaved = h("span", { class: "sr-rule-unsaved" });
  const about = h("p", { class: "sr-rule-about" });
  const filter = h("input", {
    type: "search",
    class: "sr-rule-filter",
    "aria-label": t("rules.filter"),
    placeholder: t("rules.filter"),
    oninput: () => narrow(filter.value.trim()),
    onkeydown: (event) => event.key === "Escape" && narrow((filter.value = "")),
  });
  const undo = button(t("rules.undo"), () => view.act("undo", {}), "sr-button sr-rule-history");
  const redo = button(t("rules.redo"), () => view.act("redo", {}), "sr-button sr-rule-history");
  const add = button(t("rules.add"), () => view.add());
  const save = button(t("rules.save"), () => view.save());
  const keys = button(t("rules.keys"), () => view.keys.sheet(), "sr-plain sr-rule-sheet");
  const measuring = h("div", { class: "sr-rule-measuring", role: "status" });
  const offer = h("span", { class: "sr-rule-offer" });
  const sorted = h("div", { class: "sr-rule-sorted" });
  const element = h(
    "header",
    { class: "sr-rule-toolbar" },
    h("div", { class: "sr-rule-heading" }, h("div", { class: "sr-rule-title-line" }, title, counts, unsaved), about),
    h("div", { class: "sr-rule-tools" }, view.readonly ? [filter] : [filter, offer, add, undo, redo, save, keys]),
    h("div", { class: "sr-rule-second" }, sorted, measuring),
  );
  function narrow(text) {
    view.filter = text;
    view.arrange();
  }
  function show() {
    const { facts } = view;
    write(title, t("rules.title", { name: facts.name }));
    write(counts, countsOf(t, view.rows));
    write(unsaved, facts.changed ? t("rules.unsaved") : "");
    write(about, facts.description);
    undo.disabled = !facts.undo;
    redo.disabled = !facts.redo;
    const column = view.sort && t(`rules.column.${view.sort.column}`);
    replace(sorted, column && [t("rules.sorted", { column }), " ", button(t("rules.order"), unsort, "sr-plain")]);
  }
  function unsort() {
    view.sort = null;
    view.arrange();
    show();
  }
  function showMeasuring() {
    const ready = view.measuring.state === "ready";
    replace(offer, ready && button(t("rules.measure"), () => view.ask("measure", {})));
    replace(measuring, ready || (view.readonly && view.measuring.state !== "done") ? [] : measured(view, button));
  }
  return { element, show, showMeasuring };
}

function measured(view, button) {
  const { t, measuring } = view;
  const begin = () => view.ask("measure", {});
  if (measuring.state === "running") {
    const { done, total } = measuring;
    const label = t("rules.measure.begins");
    const value = total ? done : undefined;
    const bar = h("progress", { class: "sr-rule-progress", max: total || 1, value, "aria-label": label });
    const said = total ? t("rules.measure.running", { done: count(done), total: count(total) }) : label;
    return [said, bar, button(t("rules.measure.cancel"), () => view.ask("stop", {}), "sr-plain")];
  }
  if (measuring.state !== "done" && measuring.state !== "stale") return [];
  const on = t("rules.measure.done", { requests: count(measuring.requests), documents: count(measuring.documents) });
  const stale = measuring.state === "stale";
  const parts = [on, measuring.in_sample && t("rules.measure.insample"), stale && t("rules.measure.stale")];
  return [
    h("span", { class: stale ? "sr-rule-stale" : "" }, parts.filter(Boolean).join(" · ")),
    stale && measuring.again && !view.readonly && button(t("rules.measure.again"), begin, "sr-plain"),
  ];
}
