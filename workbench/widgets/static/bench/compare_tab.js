// Compare: the bench as it is now against a profile of a file; what differs, what it changes, and where.

import { actions } from "../shared/actions.js";
import { blockTable, differenceList, figureTable, routeTable } from "./compare_tab_tables.js";
import { h, replace } from "../shared/dom.js";
import { figuresOf, linesOf, section } from "./profile_contents.js";

const SHOWN = 6;

export function compareTab(shell) {
  const { model } = shell;
  const place = h("div", { class: "sr-wb-compared" });
  const form = pathForm(shell);
  const element = h(
    "div",
    { class: "sr-wb-compare sr-wb-sheet" },
    h("div", { class: "sr-wb-sheet-head" }, form.element),
    place,
  );
  const compared = () => Boolean(model.get("compared").path) && !model.get("compared").problem;
  // Before there is a comparison: one half of it, the bench, and what the other may be.
  const show = async () => {
    const [profiles, now] = await Promise.all(["profiles", "export_preview"].map((name) => ask(model, name)));
    if (profiles) form.show(profiles);
    if (profiles && now && !compared()) replace(place, problemOf(model), beginning(shell, profiles, now));
  };
  shell.follow(["compared"], () => {
    if (compared()) replace(place, comparison(shell, model.get("compared")));
    // A comparison that can be made no more: what it said goes, and why stands above what there is to choose.
    else if (place.hasChildNodes() || model.get("compared").problem) void show();
  });
  return { element, show };
}

function problemOf(model) {
  const { problem } = model.get("compared");
  return problem && h("p", { class: "sr-wb-verdict", role: "alert", lang: "en" }, problem);
}

const ask = async (model, name) => (await actions(model).ask(name)).value;

function beginning(shell, profiles, now) {
  const { t } = shell;
  const choose = (path) => () => void shell.again("compare", { path });
  const rows = profiles.map(({ path, name }) => h(
    "li",
    {},
    h("button", { class: "sr-wb-choice", onclick: choose(path) }, h("strong", {}, name), h("small", {}, path)),
  ));
  const found = rows.length ? h("ul", { class: "sr-wb-choices" }, rows) : h("p", {}, t("compare.found.none"));
  return h(
    "div",
    { class: "sr-wb-columns" },
    h("div", {}, section(t("compare.found"), found, h("p", { class: "sr-wb-quiet" }, t("compare.empty")))),
    h(
      "div",
      {},
      section(
        t("compare.now"),
        now.lines.length ? linesOf(shell, now) : now.problems.map((problem) => h("p", { lang: "en" }, problem)),
      ),
      now.figures.length > 0 && section(t("compare.now.figures"), figuresOf(shell, now)),
    ),
  );
}

// A path to type, or a profile that lies about to choose.
function pathForm(shell) {
  const { model, t } = shell;
  const known = h("datalist", { id: `${shell.header.id}-profiles` });
  const input = h(
    "input",
    {
      type: "text",
      class: "sr-wb-path",
      list: known.id,
      placeholder: "gate.json",
      "aria-label": t("compare.path"),
      spellcheck: "false",
    },
  );
  const go = h("button", { class: "sr-primary", type: "submit" }, t("compare.go"));
  const found = h("div", { class: "sr-wb-row sr-wb-found" });
  const submit = async (event) => {
    event.preventDefault();
    if (!input.value.trim()) return input.focus();
    go.disabled = true;
    await shell.again("compare", { path: input.value.trim() });
    go.disabled = false;
  };
  const form = h(
    "form",
    { class: "sr-wb-row", onsubmit: submit, hidden: model.alone },
    h("label", { class: "sr-wb-field" }, h("span", {}, t("compare.with")), input),
    known,
    go,
  );
  const show = (profiles) => {
    replace(known, profiles.map(({ path }) => h("option", { value: path })));
    const choose = (path) => () => {
      input.value = path;
      void shell.again("compare", { path });
    };
    const button = ({ path, name }) => h("button", { class: "sr-plain", title: path, onclick: choose(path) }, name);
    // One alone stands in the field already, and before the first comparison they are listed below.
    const others = profiles.length > 1 && model.get("compared").path;
    replace(found, others && profiles.slice(0, SHOWN).map(button));
    if (!input.value) input.value = profiles[0]?.path ?? "";
  };
  shell.follow(["compared"], () => {
    const { path } = model.get("compared");
    if (path) input.value = path;
  });
  return { element: h("div", {}, h("h2", { class: "sr-wb-title" }, t("compare.title")), form, found), show };
}

function comparison(shell, data) {
  const { t } = shell;
  return [
    h("p", { class: "sr-wb-verdict", dataset: { alike: String(data.decides_alike) } }, verdict(t, data)),
    h("p", { class: "sr-wb-quiet" }, t("compare.direction", { before: data.before, after: t("compare.bench") })),
    notesOf(data.notes),
    h(
      "div",
      { class: "sr-wb-columns" },
      h(
        "div",
        {},
        section(t("compare.differences"), differenceList(shell, data)),
        section(t("compare.figures"), figureTable(shell, data)),
      ),
      h(
        "div",
        {},
        section(t("compare.routes"), routeTable(shell, data)),
        section(t("compare.blocks"), blockTable(shell, data)),
      ),
    ),
  ];
}

function notesOf(notes = []) {
  const items = notes.map((note) => h("li", {}, note));
  return items.length > 0 && h("ul", { class: "sr-wb-compare-notes", lang: "en" }, items);
}

function verdict(t, data) {
  if (!data.differences.length) return t("compare.same");
  if (data.decides_alike) return t("compare.alike");
  return t("compare.verdict", {
    differences: data.differences.length,
    routes: data.routes_changed,
    requests: data.requests,
    blocks: data.blocks_changed,
  });
}
