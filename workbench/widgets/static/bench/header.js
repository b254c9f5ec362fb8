// The head of the bench: tabs, the question on its document, the gate's route for it, undo and redo.

import { h, write } from "../shared/dom.js";
import { routeBadge } from "./header_route.js";
import { questionPicker } from "./question_picker.js";

let benches = 0;

export function header(shell) {
  const { model, t } = shell;
  const id = `sr-wb-bench-${++benches}`;
  const tabs = new Map(shell.tabs.map((tab) => [tab, tabButton(shell, id, tab)]));
  const list = h("div", { class: "sr-wb-tabs", role: "tablist", "aria-label": t("tabs") }, [...tabs.values()]);
  list.addEventListener("keydown", (event) => walk(event, shell, tabs));
  const picker = questionPicker(shell, id);
  const badge = routeBadge(shell, id);
  const undo = historyButton(shell, "undo", "↶");
  const redo = historyButton(shell, "redo", "↷");
  shell.follow(["history"], () => {
    const { undo: back, redo: forth } = model.get("history");
    undo.disabled = !back;
    redo.disabled = !forth;
  });
  const brand = h("strong", { class: "sr-wb-brand" }, "SparseRead");
  const history = h("div", { class: "sr-wb-history" }, undo, redo);
  const present = h(
    "button",
    { class: "sr-plain sr-wb-present", title: `${t("present.key")}  P`, onclick: () => shell.presenter.set(true) },
    t("present"),
  );
  const element = h("header", { class: "sr-wb-head" }, brand, list, picker.element, badge.element, present, history);
  return {
    element,
    id,
    ask: picker.focus,
    close: () => picker.close() || badge.close() || false,
    select: (tab) => {
      for (const [name, button] of tabs) {
        button.setAttribute("aria-selected", String(name === tab));
        button.tabIndex = name === tab ? 0 : -1;
      }
    },
  };
}

function tabButton(shell, id, tab) {
  const properties = {
    class: "sr-wb-tab",
    role: "tab",
    id: `${id}-${tab}`,
    "aria-controls": `${id}-${tab}-panel`,
    "aria-selected": "false",
    tabindex: "-1",
    onclick: () => shell.select(tab),
  };
  const button = h("button", properties, h("span", {}, shell.t(`tab.${tab}`)));
  // The bold name of the selected tab must not push its neighbours: its width is there from the beginning.
  button.dataset.name = shell.t(`tab.${tab}`);
  return button;
}

function walk(event, shell, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const names = [...tabs.keys()];
  const next = names[(names.indexOf(shell.tab) + step + names.length) % names.length];
  shell.select(next);
  tabs.get(next).focus();
}

function historyButton(shell, kind, sign) {
  const button = h(
    "button",
    { class: "sr-wb-icon", title: shell.t(`key.${kind}`), "aria-label": shell.t(`key.${kind}`) },
  );
  button.addEventListener("click", () => void shell.act(kind));
  write(button, sign);
  return button;
}
