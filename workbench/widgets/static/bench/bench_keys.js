// The keys of the bench, the sheet that lists them with those of the tab in sight, and the focus that they need.

import { bindingsAt, keyboard } from "../shared/keys.js";

const VIEWS = {
  document: ".sr-document-view",
  page: ".sr-page-view",
  threshold: ".sr-threshold-panel",
  rules: ".sr-rule-table",
  gate: ".sr-gate-view",
  requests: ".sr-workload-table",
  annotate: ".sr-annotator",
};

// What a tab is worked with, and where the focus stands in it; the first that can be seen.
const PLACES = {
  read: [[".sr-page-view", ".sr-page-scroller"], [".sr-document-view", ".sr-doc-scroll"]],
  tune: [[".sr-rule-table", '[data-column][tabindex="0"]']],
  gate: [[".sr-gate-view", null]],
  annotate: [[".sr-annotator", null]],
};

// The element of a panel that is to hear the keys; null where none is drawn.
export function keyPlace(panel, tab) {
  for (const [selector, inner] of PLACES[tab] ?? []) {
    const view = panel.querySelector(selector);
    if (view?.checkVisibility()) return (inner && view.querySelector(inner)) || view;
  }
  return null;
}

// Returns { sheet(), dispose() }.
export function benchKeys(shell) {
  const { model, root, t } = shell;
  const tabs = shell.tabs.map((tab, i) => ({
    keys: [String(i + 1)],
    words: t(`tab.${tab}`),
    run: () => shell.select(tab, { focus: true }),
  }));
  const lone = { keys: ["Escape"], run: () => shell.header.close() };
  const present = { keys: ["P"], words: t("present.key"), run: () => shell.presenter.set(true) };
  const edits = [
    { keys: ["/"], words: t("key.question"), run: () => shell.header.ask() },
    { keys: ["z"], words: t("key.undo"), run: () => shell.step("undo") },
    { keys: ["Z"], words: t("key.redo"), run: () => shell.step("redo") },
  ];
  const bindings = [...tabs, ...(model.alone ? [] : edits), present, lone];
  const keys = keyboard(root, bindings, t, { groups: () => groupsOf(shell, bindings) });
  const stop = keepFocus(root);
  const pass = (event) => passed(shell, event);
  root.addEventListener("keydown", pass);
  return {
    sheet: keys.sheet,
    dispose: () => {
      keys.dispose();
      stop();
      root.removeEventListener("keydown", pass);
    },
  };
}

// A key that is pressed beside every part, and is none of the bench, is meant for the part in sight. A button keeps
// what presses it or moves from it.
function passed(shell, event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { element } = shell.panels.get(shell.tab);
  const idle = event.target === shell.root || event.target === element;
  const letter = event.target.tagName === "BUTTON" && event.target.closest(".sr-wb-head, .sr-wb-foot") &&
    event.key.length === 1 && event.key !== " ";
  const place = (idle || letter) && keyPlace(element, shell.tab);
  if (!place) return;
  const { key, code, shiftKey } = event;
  const copy = new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true });
  if (place.dispatchEvent(copy)) return;
  event.preventDefault();
  event.stopPropagation();
  if (shell.focused === event.target) shell.enter();
}

// What works everywhere in the bench, and then the keys of each part that can be seen.
function groupsOf({ root, t }, bindings) {
  const parts = Object.entries(VIEWS).map(([name, selector]) => {
    const seen = [...root.querySelectorAll(selector)].find((view) => view.checkVisibility() && bindingsAt(view).length);
    return seen && { title: t(`keys.${name}`), bindings: bindingsAt(seen) };
  });
  return [{ title: t("keys.bench"), bindings }, ...parts.filter(Boolean)];
}

// Keys reach the bench while something in it has the focus: from the start where nothing else has it, from a click
// anywhere in it, and also after the button that had it has gone.
function keepFocus(root) {
  // Nobody has gone there by a key, so nothing is framed.
  const take = () => {
    root.dataset.taken = "true";
    root.focus({ preventScroll: true });
  };
  const blurred = (event) => event.target === root && delete root.dataset.taken;
  const nobody = () => !document.activeElement || document.activeElement === document.body;
  const clicked = (event) => {
    // A part that takes the focus in its own time is not robbed of it.
    setTimeout(() => {
      if (root.contains(event.target) && !root.contains(root.getRootNode().activeElement)) take();
    }, 0);
  };
  const left = ({ target, relatedTarget }) => {
    if (relatedTarget) return;
    setTimeout(() => {
      if (root.isConnected && nobody() && (!target.isConnected || target.disabled || !target.checkVisibility())) take();
    }, 0);
  };
  root.addEventListener("click", clicked);
  root.addEventListener("focusout", left);
  root.addEventListener("blur", blurred);
  // A button that had the focus and can be pressed no more keeps it, and hears no keys.
  const mute = new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.disabled && target === target.getRootNode().activeElement)) take();
  });
  mute.observe(root, { subtree: true, attributeFilter: ["disabled"] });
  setTimeout(() => root.isConnected && nobody() && take(), 0);
  return () => {
    root.removeEventListener("click", clicked);
    root.removeEventListener("focusout", left);
    root.removeEventListener("blur", blurred);
    mute.disconnect();
  };
}
