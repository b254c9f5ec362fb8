// What the explanation says of the labels of a block: who said what and when, and the buttons that set a label.

import { h } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { shapeOf, VALUES } from "../shared/label_shapes.js";
import { languageOf } from "../shared/words.js";

// Null where there is nothing to show and nothing to set.
export function labelSection(view, block, { held }) {
  const { t, labels } = view;
  const found = labels.of(block);
  const canSet = labels.canSet && !held;
  if (!found.length && !canSet) return null;
  const rows = found.map((label) => labelRow(view, label));
  return h(
    "section",
    { class: "sr-doc-labels" },
    h(
      "div",
      { class: "sr-doc-label-head" },
      h("h3", { class: "sr-label" }, t("label.title")),
      canSet && buttons(view, block, found.find(({ mine }) => mine)?.value ?? null),
      canSet && keycap("l"),
    ),
    rows.length > 0 && h("ul", { class: "sr-doc-label-rows" }, rows),
  );
}

function labelRow({ t, model }, { value, annotator, at, source, note, moved }) {
  const about = [annotator, source !== "person" && t(`label.source.${source}`), moved && t("label.moved")];
  const when = at && h("time", { datetime: at }, momentOf(at, model.get("language")));
  return h(
    "li",
    {},
    shapeOf(t, value),
    h("span", { class: "sr-doc-label-value" }, t(`label.value.${value}`)),
    h("span", { class: "sr-doc-quiet" }, about.filter(Boolean).join(" · "), when && " · ", when),
    note && h("span", { class: "sr-doc-label-note", dir: "auto", lang: languageOf(note) }, note),
  );
}

function momentOf(at, language) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

// The text hears the keys again after a press: the button that was pressed is drawn anew.
function buttons(view, block, own) {
  const { t, labels } = view;
  const press = (value) => () => {
    void labels.set(block, value);
    view.focus();
  };
  const button = ({ value, key }) => {
    const pressed = own === value;
    const name = t(`label.value.${value}`);
    const about = { "aria-label": name, title: `${name} (l ${key})`, "aria-pressed": String(pressed) };
    return h(
      "button",
      { class: "sr-doc-label-button", onclick: press(pressed ? null : value), ...about },
      shapeOf(t, value),
    );
  };
  return h("div", { class: "sr-doc-label-buttons", role: "group", "aria-label": t("label.set") }, VALUES.map(button));
}
