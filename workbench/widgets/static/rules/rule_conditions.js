// The conditions of a rule: as chips to read, and as fields for all of them.

import { h, replace } from "../shared/dom.js";
import { choices, lines, tokens } from "./rule_tokens.js";

const LISTS = [
  "keywords", "features", "kinds", "section", "levels", "pattern", "section_pattern", "document_types", "languages",
];
const SHOWN = 3;

// Chips of a match as in a rule file; the whole list is in each chip's title.
export function conditionChips(t, match) {
  const chips = LISTS.filter((name) => given(match[name])).map((name) => chip(t, name, match[name], ""));
  const unless = match.unless ?? {};
  const exceptions = LISTS.filter((name) => given(unless[name]));
  return [...chips, ...exceptions.map((name) => chip(t, name, unless[name], t("rules.match.unless")))];
}

// What a filter looks at.
export function conditionText(match) {
  const own = LISTS.flatMap((name) => match[name] ?? []);
  return [...own, match.unless ? conditionText(match.unless) : ""].join(" ");
}

const given = (list) => Array.isArray(list) && list.length > 0;

function chip(t, name, entries, prefix) {
  const more = entries.length > SHOWN ? t("rules.match.more", { count: entries.length - SHOWN }) : "";
  const label = [prefix, t(`rules.match.${name}`)].filter(Boolean).join(" ");
  const kind = name === "pattern" || name === "section_pattern" ? "sr-cond-values sr-cond-code" : "sr-cond-values";
  return h(
    "span",
    { class: prefix ? "sr-cond sr-cond-unless" : "sr-cond", title: `${label}: ${entries.join(" · ")}` },
    h("span", { class: "sr-cond-label" }, label),
    h("span", { class: kind }, entries.slice(0, SHOWN).join(", ")),
    more && h("span", { class: "sr-cond-more" }, more),
  );
}

// conditionsEditor({ t, options, match, changed }) -> { element, value(), mark(problem), focus() }
export function conditionsEditor({ t, options, match, changed }) {
  const own = group({ t, options, match, changed });
  const inner = group({ t, options, match: match.unless ?? {}, changed });
  inner.element.setAttribute("role", "group");
  inner.element.setAttribute("aria-label", t("rules.edit.unless"));
  const unless = h(
    "details",
    { class: "sr-rule-unless", open: Boolean(match.unless) },
    h("summary", { tabindex: "0" }, t("rules.edit.unless")),
    inner.element,
  );
  const note = h("p", { class: "sr-rule-note" }, t("rules.match.all"));
  const element = h("div", { class: "sr-rule-conditions" }, note, own.element, unless);
  return {
    element,
    value() {
      const values = own.value();
      const exception = inner.value();
      return Object.keys(exception).length ? { ...values, unless: exception } : values;
    },
    // Returns whether the problem is that of a field here.
    mark(problem) {
      const path = (problem?.field ?? "").split(".");
      const nested = path[0] === "match" && path[1] === "unless";
      if (nested) unless.open = true;
      const found = own.mark(nested ? null : path[1], problem);
      return inner.mark(nested ? path[2] : null, problem) || found;
    },
    focus: () => own.focus(),
  };
}

function group({ t, options, match, changed }) {
  const fields = Object.fromEntries(LISTS.map((name) => [name, field({ t, options, match, changed, name })]));
  const element = h("div", { class: "sr-rule-fields" }, LISTS.map((name) => fields[name].element));
  return {
    element,
    value() {
      const entries = LISTS.map((name) => [name, fields[name].value()]);
      return Object.fromEntries(entries.filter(([, list]) => list.length));
    },
    mark(name, problem) {
      for (const known of LISTS) fields[known].mark(known === name ? problem : null);
      return Boolean(name && fields[name]);
    },
    focus: () => fields.keywords.focus(),
  };
}

const CHOSEN = new Set(["levels", "document_types", "languages"]);
const WRITTEN = new Set(["pattern", "section_pattern"]);

function field({ t, options, match, changed, name }) {
  const label = t(`rules.edit.${name}`);
  const values = match[name] ?? [];
  const make = CHOSEN.has(name) ? choices : WRITTEN.has(name) ? lines : tokens;
  const control = make({ t, label, values, options: options[name] ?? [], changed });
  const error = h("p", { class: "sr-rule-error", role: "alert" });
  const note = name === "keywords" ? h("p", { class: "sr-rule-note" }, t("rules.edit.keywords.help")) : null;
  const element = h(
    "div",
    { class: `sr-rule-field sr-rule-field-${name.replace("_", "-")}` },
    h("span", { class: "sr-rule-field-label" }, label),
    control.element,
    note,
    error,
  );
  return {
    element,
    value: control.value,
    focus: control.focus,
    mark(problem) {
      element.classList.toggle("sr-wrong", Boolean(problem));
      control.mark(problem ? problem.item : null);
      replace(error, problem?.message);
    },
  };
}
