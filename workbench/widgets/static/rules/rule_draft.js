// A rule that is not in the table yet: it can be wrong for as long as it takes, and nothing is weighed with it.

import { h, replace, write } from "../shared/dom.js";
import { stepped, weightOf } from "./rule_cell.js";
import { conditionsEditor } from "./rule_conditions.js";
import { touchText } from "./rule_row.js";

// draftPanel(view, { name, close }) -> { element, focus() }
export function draftPanel(view, { name, close }) {
  const { t } = view;
  const text = (label, value, more = {}) =>
    h("input", { type: "text", class: "sr-draft-text", "aria-label": label, value, oninput: changed, ...more });
  const title = text(t("rules.field.name"), name, { spellcheck: "false" });
  const weight = text(t("rules.field.weight"), "1.5", { inputmode: "decimal", onkeydown: nudge });
  const reason = text(t("rules.field.reason"), "");
  const pin = h("input", { type: "checkbox", onchange: changed });
  const editor = conditionsEditor({ t, options: view.options, match: {}, changed });
  const error = h("p", { class: "sr-rule-error", role: "alert" });
  const said = h("p", { class: "sr-rule-said", "aria-live": "polite" }, t("rules.draft.hint"));
  const add = h("button", { type: "button", class: "sr-primary", disabled: true, onclick: save }, t("rules.draft.add"));
  const fields = { name: title, weight, reason };
  const labelled = (field, label, control) => {
    const words = h("span", { class: "sr-rule-field-label" }, label);
    return h("label", { class: `sr-draft-field sr-draft-${field}` }, words, control);
  };
  const element = h(
    "section",
    { class: "sr-rule-draft", "aria-label": t("rules.draft"), onkeydown: pressed },
    h("h3", { class: "sr-label" }, t("rules.draft")),
    h(
      "div",
      { class: "sr-draft-line" },
      labelled("name", t("rules.field.name"), title),
      labelled("weight", t("rules.field.weight"), weight),
      labelled("reason", t("rules.field.reason"), reason),
      h("label", { class: "sr-draft-pin" }, pin, t("rules.field.pin")),
    ),
    editor.element,
    h(
      "div",
      { class: "sr-rule-open-foot" },
      said,
      error,
      h("button", { type: "button", class: "sr-button", onclick: close }, t("rules.draft.discard")),
      add,
    ),
  );
  let touched = false;
  const check = view.checker(show);

  function edit() {
    const [name, why] = [title.value.trim(), reason.value.trim()];
    const rule = { name, match: editor.value(), weight: weightOf(weight.value), reason: why };
    return { do: "add", rule: pin.checked ? { ...rule, pin: true } : rule };
  }
  function show(answer) {
    const problem = answer.problem;
    add.disabled = Boolean(problem);
    for (const [field, control] of Object.entries(fields)) {
      control.setAttribute("aria-invalid", String(problem?.field === field));
    }
    const empty = problem?.field === "match" && !Object.keys(editor.value()).length;
    const placed = editor.mark(problem);
    replace(error, problem && !placed && !(empty && !touched) ? problem.message : "");
    write(said, problem ? t("rules.draft.hint") : [t("rules.draft.ready"), touchText(t, answer)].join(" "));
  }
  function changed() {
    touched = true;
    check(edit());
  }
  function nudge(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const next = stepped(weight.value, event.key === "ArrowUp" ? 1 : -1, event.shiftKey, view.options.weights);
    if (next === null) return;
    event.preventDefault();
    weight.value = next;
    changed();
  }
  async function save() {
    const wanted = edit();
    const problem = await view.apply(wanted);
    if (problem) return show({ problem });
    close();
    view.focusAt(wanted.rule.name, "name");
  }
  function pressed(event) {
    event.stopPropagation();
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !add.disabled) save();
    else return;
    event.preventDefault();
  }
  return {
    element,
    focus() {
      title.focus();
      title.select();
    },
  };
}
