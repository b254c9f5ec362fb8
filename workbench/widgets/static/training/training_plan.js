// What will be trained, by name and count, before the start: the adapter's matrices, and always the head.

import { h, replace } from "../shared/dom.js";
import { count, percent } from "../shared/numbers.js";

// A long name may be broken behind a dot.
const breakable = (name) => name.split(/(?<=\.)/).map((part) => [part, h("wbr")]);

// Returns { element, paint(), fold() }; folded it leaves its room to what came of it.
export function planOf({ model, t }) {
  const element = h("section", { class: "sr-train-plan", "aria-label": t("train.plan") });

  function paint() {
    const { models, base, data, problem } = model.get("plan");
    const waiting = problem ? h("p", { lang: "en", role: "alert" }, problem) : h("p", {}, t("train.plan.wait"));
    replace(
      element,
      h("h3", { class: "sr-label" }, t("train.plan")),
      data && h("p", { class: "sr-train-about" }, about(data)),
      models ? models.map((part) => partsTable(part, base)) : !model.alone && waiting,
    );
  }

  function about({ questions, documents, labels }) {
    const said = [t("train.data", { questions: count(questions), documents: count(documents) })];
    if (labels) said.push(t("train.data.labels", { labels: count(labels) }));
    return said.join(" · ");
  }

  function partsTable({ kind, parts, trained, frozen }, base) {
    const mark = () => h("span", { class: "sr-train-is-head" }, t("train.head"));
    const rows = parts.map(({ name, tensors, numbers, is_head: isHead }) =>
      h(
        "tr",
        { dataset: { head: String(isHead) } },
        h("th", { scope: "row" }, h("code", {}, breakable(name)), isHead && mark()),
        h("td", {}, count(tensors)),
        h("td", {}, count(numbers)),
      ),
    );
    const share = percent(trained / (trained + frozen));
    const all = { trained: count(trained), all: count(trained + frozen), share };
    const head = ["train.part", "train.tensors", "train.numbers"].map((name) => h("th", { scope: "col" }, t(name)));
    return h(
      "details",
      { class: "sr-train-model", open: kind === "classifier" },
      h("summary", { tabindex: "0" }, h("strong", {}, t(`train.model.${kind}`)), " ", t("train.of", all)),
      h("p", { class: "sr-train-base" }, t("train.base", { base })),
      h("table", { class: "sr-train-parts" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
    );
  }
  function fold() {
    for (const model of element.querySelectorAll("details")) model.open = false;
  }
  return { element, paint, fold };
}
