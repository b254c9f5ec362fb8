// What came of a training, on documents that it has not seen: each figure untrained and trained, with its interval.

import { h, replace } from "../shared/dom.js";
import { count, percent } from "../shared/numbers.js";

// Returns { element, paint() }.
export function figuresOf({ model, t }) {
  const element = h("section", { class: "sr-train-figures", "aria-label": t("train.result"), hidden: true });
  let chosen = "";

  function paint() {
    const { figures = [], notes = [], questions = 0, documents = 0 } = model.get("result");
    element.hidden = !figures.length;
    if (!figures.length) return;
    const unseen = t("train.unseen", { questions: count(questions), documents: count(documents) });
    const shown = figures.find(({ name }) => name === chosen) ?? figures[0];
    const choices = figures.map(({ name }) =>
      h(
        "button",
        { class: "sr-plain", "aria-pressed": String(name === shown.name), onclick: () => choose(name) },
        t(`train.figure.${name}`),
      ),
    );
    replace(
      element,
      h("h3", { class: "sr-label" }, t("train.result")),
      h("p", { class: "sr-train-about" }, unseen),
      h("div", { class: "sr-train-choices", role: "group", "aria-label": t("train.figure") }, choices),
      barsOf(t, shown),
      notes.map((note) => h("p", { class: "sr-train-quiet", lang: "en" }, note)),
    );
  }

  function choose(name) {
    chosen = name;
    paint();
    element.querySelector('[aria-pressed="true"]')?.focus();
  }
  return { element, paint };
}

function barsOf(t, { name, better, rows }) {
  const show = (value) => (value == null ? t("none") : percent(value / 100));
  const ends = rows.flatMap(({ scorers }) => scorers.flatMap(({ level, high }) => [level ?? 0, high ?? 0]));
  const most = better === "higher" ? 100 : Math.max(...ends, 1);
  return h(
    "div",
    { class: "sr-train-bars", role: "table", "aria-label": t(`train.figure.${name}`) },
    h("p", { class: "sr-train-quiet" }, t(`train.better.${better}`)),
    rows.map(({ by, group, questions, scorers }) =>
      h(
        "div",
        { class: "sr-train-group", role: "rowgroup" },
        groupRow(t, by, group, questions),
        scorers.map((scorer) => barOf(t, scorer, most, show)),
      ),
    ),
  );
}

function groupRow(t, by, group, questions) {
  const name = by === "all" ? t("train.all") : wordOr(t, `train.group.${group}`, group);
  const about = [by !== "all" && t(`train.by.${by}`), t("train.questions", { count: count(questions) })];
  return h(
    "div",
    { class: "sr-train-group-name", role: "row" },
    h("span", { role: "rowheader" }, name),
    h("small", {}, about.filter(Boolean).join(" · ")),
  );
}

function barOf(t, { name, level, low, high, trained }, most, show) {
  const at = (value) => `${Math.min(100, (100 * (value ?? 0)) / most)}%`;
  const interval = low != null && high != null;
  const range = interval
    ? h("i", { class: "sr-train-range", style: { left: at(low), width: `calc(${at(high)} - ${at(low)})` } })
    : null;
  return h(
    "div",
    { class: "sr-train-scorer", role: "row", dataset: { trained: String(Boolean(trained)) } },
    h("span", { class: "sr-train-name", role: "rowheader" }, wordOr(t, `train.scorer.${name}`, name)),
    h("span", { class: "sr-train-space", "aria-hidden": "true" }, h("b", { style: { width: at(level) } }), range),
    h(
      "span",
      { class: "sr-train-value", role: "cell" },
      h("strong", {}, show(level)),
      interval && h("span", {}, ` ${show(low)} – ${show(high)}`),
    ),
  );
}

// Names that everybody has are said in the language; others as they were given.
function wordOr(t, key, name) {
  const said = t(key);
  return said === key ? name : said;
}
