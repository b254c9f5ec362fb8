// What saving would change, before it is saved.

import { h, replace, write } from "../shared/dom.js";

const WAIT = 300;

// savePanel(view, { path, close, saved(path) }) -> { element, focus() }
export function savePanel(view, { path, close, saved }) {
  const { t } = view;
  const file = h("input", { type: "text", class: "sr-save-path", spellcheck: "false", value: path, oninput: later });
  const error = h("p", { class: "sr-rule-error", role: "alert" });
  const about = h("p", { class: "sr-rule-said", "aria-live": "polite" });
  const lost = h("p", { class: "sr-rule-lost" });
  const diff = h("div", { class: "sr-diff", tabindex: "0", role: "region", "aria-label": t("rules.save.diff") });
  const cancel = h("button", { type: "button", class: "sr-button", onclick: close }, t("rules.cancel"));
  const primary = { type: "button", class: "sr-primary", disabled: true, onclick: save };
  const saving = h("button", primary, t("rules.save.write"));
  const element = h(
    "section",
    { class: "sr-rule-save", "aria-label": t("rules.save.title"), onkeydown: pressed },
    h("h3", { class: "sr-label" }, t("rules.save.title")),
    h("label", { class: "sr-save-line" }, h("span", { class: "sr-rule-field-label" }, t("rules.save.path")), file),
    error,
    about,
    lost,
    diff,
    h("div", { class: "sr-rule-open-foot" }, cancel, saving),
  );
  let timer = null;
  let asked = 0;
  // Of what the diff shows: anything else is not written.
  let fingerprint = null;
  function later() {
    saving.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(refresh, WAIT);
  }
  async function refresh() {
    const number = (asked += 1);
    const { value, error: problem } = await view.ask("diff", { path: file.value.trim() || null });
    if (number !== asked) return;
    write(error, problem ?? "");
    fingerprint = value?.fingerprint ?? null;
    replace(diff, value ? lines(value.diff) : []);
    diff.hidden = !value?.diff;
    write(lost, value?.complete && value.compared_with ? t("rules.save.complete") : "");
    write(about, value ? aboutText(value) : "");
    saving.disabled = !value || (!value.diff && value.exists);
  }
  function aboutText({ diff: changes, compared_with: name }) {
    if (!changes) return t("rules.save.nothing");
    return name ? t("rules.save.with", { name }) : t("rules.save.new");
  }
  async function save() {
    const name = file.value.trim();
    const { error: problem } = await view.act("save_rules", { path: name, ...(fingerprint && { fingerprint }) });
    if (problem) {
      await refresh();
      return write(error, problem);
    }
    saved(name);
    close();
  }
  function pressed(event) {
    event.stopPropagation();
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === file && !saving.disabled) save();
    else return;
    event.preventDefault();
  }
  refresh();
  return { element, focus: () => file.focus(), dispose: () => clearTimeout(timer) };
}

const KINDS = { "+": "sr-diff-added", "-": "sr-diff-removed", "@": "sr-diff-place" };

function lines(text) {
  return text.split("\n").filter((line, at, all) => line || at < all.length - 1).map((line) => {
    const head = line.startsWith("+++") || line.startsWith("---");
    return h("div", { class: head ? "sr-diff-head" : (KINDS[line[0]] ?? "sr-diff-line") }, line || " ");
  });
}
