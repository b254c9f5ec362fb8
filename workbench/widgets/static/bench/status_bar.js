// The foot of the bench: whether everything is saved, what is worked on, long jobs, the last Python call, and the keys.

import { actions } from "../shared/actions.js";
import { h, replace, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { count } from "../shared/numbers.js";
import { jobsOf } from "./status_bar_jobs.js";

const KEYS = {
  read: [
    [["j", "k"], "key.block"],
    [["n", "p"], "key.kept"],
    [["l"], "key.label"],
    [["t"], "key.near"],
    [["e"], "key.evidence"],
    [["Enter"], "key.pin"],
    [["/"], "key.question"],
  ],
  tune: [[["e"], "key.conditions"], [["o"], "key.on"], [["+", "-"], "key.weight"], [["z"], "key.undo"]],
  gate: [[["j", "k"], "key.request"], [["Enter"], "key.open"], [["r"], "key.regret"]],
  compare: [[["1"], "tab.read"], [["/"], "key.question"]],
  export: [[["1"], "tab.read"], [["/"], "key.question"]],
  annotate: [[["e", "c", "n", "h", "u"], "key.label"], [["s"], "key.skip"], [["z"], "key.undo"], [["1"], "tab.read"]],
};
// What a page without a kernel has nobody to do for.
const OF_THE_KERNEL = new Set([
  "key.question", "key.undo", "key.on", "key.weight", "key.conditions", "key.label", "key.skip",
]);
// In these the keys have nothing to move before there is a document.
const EMPTY = new Set(["read", "tune"]);
const SOON = 150;

export function statusBar(shell) {
  const { model, t } = shell;
  const jobs = jobsOf(shell);
  const keys = h("span", { class: "sr-wb-foot-keys" });
  const element = h(
    "footer",
    { class: "sr-wb-foot" },
    saved(shell),
    worked(shell),
    jobs.element,
    called(shell),
    keys,
    h("button", { class: "sr-plain sr-wb-foot-sheet", onclick: () => shell.sheet() }, keycap("?"), " ", t("keys")),
  );
  const works = ([, name]) => !model.alone || !OF_THE_KERNEL.has(name);
  const known = (tab) => (EMPTY.has(tab) && !model.get("head").document ? KEYS.compare.slice(1) : KEYS[tab]);
  const hint = ([caps, name]) => h("span", { class: "sr-wb-foot-key" }, caps.map(keycap), " ", t(name));
  const select = (tab) => replace(keys, known(tab).filter(works).map(hint));
  shell.follow(["head"], () => select(shell.tab));
  return { element, select };
}

// Green and a word only when the kernel has everything on disk.
function saved(shell) {
  const { model, t } = shell;
  const queue = actions(model);
  const text = h("span", {});
  const element = h("span", { class: "sr-wb-saved", role: "status" }, h("i", { "aria-hidden": "true" }), text);
  let timer = 0;
  const say = () => {
    const pending = queue.pending;
    const state = !queue.connected ? "lost" : pending ? "waiting" : "saved";
    element.dataset.state = state;
    shell.root.dataset.busy = String(queue.connected && pending > 0);
    if (state === "saved") write(text, t("saved"));
    else write(text, state === "lost" ? t("unsaved", { count: pending }) : t("saving"));
  };
  const soon = () => {
    // What is written within the blink of an eye must not flicker.
    clearTimeout(timer);
    if (queue.pending && queue.connected) timer = setTimeout(say, SOON);
    else say();
  };
  shell.ends(queue.watch(soon));
  shell.ends(() => clearTimeout(timer));
  shell.follow(["foot"], () => {
    const { folder = "", operations = 0 } = model.get("foot");
    element.title = t("saved.where", { count: count(operations), folder });
  });
  say();
  return element;
}

function worked(shell) {
  const { model, t } = shell;
  const element = h("span", { class: "sr-wb-foot-work" });
  shell.follow(["foot"], () => {
    const { workload, requests, profile, stale = [], notes = [], folder } = model.get("foot");
    replace(
      element,
      workload && h("span", { title: folder }, t("status.workload", { name: workload, count: count(requests ?? 0) })),
      h("span", {}, profile ? t("status.profile", { name: profile }) : t("status.no_profile")),
      stale.length ? note(t("status.stale"), stale, "sr-wb-stale") : null,
      notes.length ? note(t("status.notes", { count: notes.length }), notes, "") : null,
    );
  });
  return element;
}

// A word at the foot that opens to whole sentences.
function note(summary, sentences, name) {
  return h(
    "details",
    { class: `sr-wb-foot-note ${name}` },
    h("summary", { tabindex: "0" }, summary),
    h("ul", {}, sentences.map((sentence) => h("li", { lang: "en" }, sentence))),
  );
}

function called(shell) {
  const { model, t } = shell;
  const code = h("code", {});
  const button = h("button", { class: "sr-wb-called", title: t("call.copy"), onclick: copy }, code);
  async function copy() {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.title = t("python.copied");
    } catch {
      // Without the right to the clipboard the selected text is what the person's own keys copy.
      getSelection().selectAllChildren(code);
    }
  }
  shell.follow(["said"], () => {
    const calls = model.get("said");
    button.hidden = !calls.length;
    write(code, calls.at(-1) ?? "");
    button.setAttribute("aria-label", `${t("python")}: ${code.textContent}`);
  });
  return button;
}
