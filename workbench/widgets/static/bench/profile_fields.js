// What two profiles say otherwise, in words: fields by their path in the file, and rules by what has become of them.

import { h } from "../shared/dom.js";
import { withMinus } from "./minus.js";

const known = (t, key, values) => {
  const text = t(key, values);
  return text === key ? null : text;
};

export const typeWords = (t, type) => known(t, `type.${type === "*" ? "other" : type}`) ?? type;

// What a difference is of: a text, or an element that says in which language it is.
export function fieldWords(t, { field, words, table }) {
  if (table) return tableWords(t, table);
  return known(t, `field.${field}`) ?? byPattern(t, field) ?? h("span", { lang: "en" }, words);
}

function byPattern(t, field) {
  const at = field.lastIndexOf(".");
  const [path, last] = [field.slice(0, Math.max(0, at)), field.slice(at + 1)];
  if (path === "block.offsets") return t("field.offset", { type: typeWords(t, last) });
  if (path === "block.calibration") return t("field.map", { type: typeWords(t, last) });
  if (path.startsWith("workload.splits.")) {
    return known(t, `field.split.${last}`, { split: path.slice("workload.splits.".length) });
  }
  return known(t, `field.${path}.scope`, { scope: known(t, `scope.${last}`) ?? last });
}

function tableWords(t, { kind, what, rules }) {
  const type = typeWords(t, kind);
  if (what !== "rules") return t(`field.table.${what}`, { type });
  if (!rules.length) return t("field.table.order", { type });
  const items = rules.map((rule) => h("li", {}, h("code", {}, rule.name), ruleWords(t, rule)));
  return [t("field.table", { type }), h("ul", { class: "sr-wb-changed-rules" }, items)];
}

const ruleWords = (t, { what, before, after }) =>
  what === "weight" ? ` ${digits(before)} \u2192 ${digits(after)}` : ` ${t(`field.rule.${what}`)}`;

const digits = (value) => String(Number(value.toPrecision(6)));

// A value of a field as text; kinds of cuts have words.
export function valueWords(t, field, value) {
  if (value === null) return t("none");
  return (field === "block.cut.kind" && known(t, `cut.kind.${value}`)) || withMinus(value);
}
