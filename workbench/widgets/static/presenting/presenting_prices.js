// What is assumed of prices, in fields that stand in the sentence they belong to.

import { h } from "../shared/dom.js";

// As workbench/report/prices.py takes them.
const PRICES = { min: 0, max: 100000 };
const REQUESTS = { min: 1, max: 1000000000 };
const DAYS = { min: 1, max: 366 };

// Returns { element, show() }; writes `settings.assumed` and calls `changed`.
export function pricesOf(t, settings, { models, currency }, changed) {
  const name = (model) => h("option", { value: model.name }, model.name);
  const model = h("select", { class: "sr-pr-model", "aria-label": t("present.model") }, models.map(name));
  const own = h("option", { value: "" }, t("present.model.own"));
  const field = (key, style, limits, label, isWhole = true) => fieldOf({ settings, changed, key, isWhole }, limits, {
    class: style,
    step: isWhole ? "1" : "any",
    inputmode: isWhole ? "numeric" : "decimal",
    "aria-label": label,
  });
  const price = field("perMillion", "sr-pr-price", PRICES, t("present.million.label", { currency }), false);
  const perDay = field("perDay", "sr-pr-day", REQUESTS, t("present.day"));
  const days = field("days", "sr-pr-days", DAYS, t("present.days"));

  model.addEventListener("change", () => {
    const chosen = models.find((one) => one.name === model.value);
    if (!chosen) return;
    settings.assumed.perMillion = chosen.per_million;
    price.right();
    changed();
  });
  function show() {
    const known = models.find((one) => one.per_million === settings.assumed.perMillion);
    if (known) own.remove();
    else model.append(own);
    model.value = known?.name ?? "";
    // What somebody types is not written over.
    for (const one of [price, perDay, days]) if (one.input !== one.input.getRootNode().activeElement) one.right();
  }
  const element = h(
    "div",
    { class: "sr-pr-assumed" },
    h("span", {}, model),
    h("label", {}, currency, " ", price.input, " ", t("present.million")),
    h("label", {}, perDay.input, " ", t("present.day")),
    h("label", {}, days.input, " ", t("present.days")),
  );
  return { element, show };
}

// A number of what is assumed: { input, right() }; `right` shows what is reckoned with.
function fieldOf({ settings, changed, key, isWhole }, { min, max }, properties) {
  const input = h("input", { type: "number", min, max, ...properties });
  const right = () => {
    input.value = String(settings.assumed[key]);
    input.setAttribute("aria-invalid", "false");
  };
  input.addEventListener("input", () => {
    const value = Number(input.value);
    const fits = input.value !== "" && value >= min && value <= max && (!isWhole || Number.isInteger(value));
    input.setAttribute("aria-invalid", String(!fits));
    if (!fits) return;
    settings.assumed[key] = value;
    changed();
  });
  // What could not be taken is not left standing.
  input.addEventListener("blur", right);
  return { input, right };
}
