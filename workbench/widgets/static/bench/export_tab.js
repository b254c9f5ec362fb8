// Export: what the profile will say, what it rests on, and where it goes.

import { actions } from "../shared/actions.js";
import { h, replace } from "../shared/dom.js";
import { figuresOf, linesOf, notesOf, section } from "./profile_contents.js";
import { jobButton } from "./status_bar_jobs.js";

export function exportTab(shell) {
  const { model, t } = shell;
  const preview = h("div", { class: "sr-wb-preview" });
  const form = exportForm(shell);
  const element = h(
    "div",
    { class: "sr-wb-export sr-wb-sheet" },
    h(
      "div",
      { class: "sr-wb-columns" },
      h("div", {}, h("h2", { class: "sr-wb-title" }, t("export.title")), form.element),
      preview,
    ),
  );
  const show = async () => {
    if (element.hidden) return;
    const { value } = await actions(model).ask("export_preview");
    if (!value) return;
    form.show(value);
    replace(preview, contents(shell, value));
    shell.painted();
  };
  shell.follow(["foot", "said"], () => void show());
  return { element, show };
}

function exportForm(shell) {
  const { t } = shell;
  const field = (name) => h("input", { type: "text", name, spellcheck: "false", class: "sr-wb-path" });
  const inputs = { name: field("name"), by: field("by"), path: field("path") };
  const problems = h("div", { class: "sr-wb-problems", role: "status" });
  const done = h("div", { class: "sr-wb-exported", role: "status" });
  const go = h("button", { class: "sr-primary", type: "submit" }, t("export.go"));
  const submit = async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
    go.disabled = true;
    const { error } = await shell.again("export_profile", values);
    go.disabled = false;
    if (!error) replace(
      done,
      h("p", { class: "sr-wb-verdict", dataset: { alike: "true" } }, t("export.done", { path: values.path })),
    );
  };
  const rows = Object.entries(inputs).map(([name, input]) =>
    h(
      "label",
      { class: "sr-wb-field" },
      h("span", {}, t(`export.${name}`)),
      input,
      h("small", {}, t(`export.${name}.help`)),
    ),
  );
  const element = h(
    "form",
    { class: "sr-wb-form", onsubmit: submit },
    rows,
    problems,
    h("div", { class: "sr-wb-row" }, go),
    done,
  );
  const replay = jobButton(shell, "replay", t("replay"));
  const touched = new Set();
  for (const [name, input] of Object.entries(inputs)) input.addEventListener("input", () => touched.add(name));
  const show = (value) => {
    for (const [name, input] of Object.entries(inputs)) if (!touched.has(name)) input.value = value[name] ?? "";
    const list = value.problems.length
      ? [
        h("p", {}, t("export.problems")),
        h("ul", { lang: "en" }, value.problems.map((problem) => h("li", {}, problem))),
        value.can_replay && replay,
      ]
      : [];
    replace(problems, list);
    go.disabled = value.problems.length > 0;
  };
  return { element, show };
}

// The content of the profile, in the order in which a reader of it asks.
function contents(shell, value) {
  const { t } = shell;
  return [
    section(t("export.contents"), linesOf(shell, value)),
    value.figures.length > 0 && section(t("export.figures"), figuresOf(shell, value)),
    value.notes.length > 0 && section(t("export.notes"), notesOf(shell, value)),
  ];
}
