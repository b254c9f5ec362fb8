// What is assumed of prices, in fields that stand in the sentence they belong to.

import { h, write } from "../shared/dom.js";

const MOST_PER_MILLION = 100000;
const MOST_REQUESTS = 1000000000;

// Returns { element, show() }; writes `settings.assumed` and calls `changed`.
export function pricesOf(t, settings, { models, currency }, changed) {
  const name = (model) => h("option", { value: model.name }, model.name);
  const model = h("select", { class: "sr-pr-model", "aria-label": t("present.model") }, models.map(name));
  const own = h("option", { value: "" }, t("present.model.own"));
  const price = field("sr-pr-price", { step: "any", max: MOST_PER_MILLION }, t("present.million.label", { currency }));
  const perDay = field("sr-pr-day", { step: "1", max: MOST_REQUESTS }, t("present.day"));

  const take = (input, key, most) => () => {
    const value = Number(input.value);
    const fits = input.value !== "" && value >= 0 && value <= most;
    input.setAttribute("aria-invalid", String(!fits));
    if (!fits) return;
    settings.assumed[key] = value;
    changed();
  };
  price.addEventListener("input", take(price, "perMillion", MOST_PER_MILLION));
  perDay.addEventListener("input", take(perDay, "perDay", MOST_REQUESTS));
  model.addEventListener("change", () => {
    const chosen = models.find((one) => one.name === model.value);
    if (!chosen) return;
    settings.assumed.perMillion = chosen.per_million;
    right(price, chosen.per_million);
    changed();
  });
  // What could not be taken is not left standing.
  price.addEventListener("blur", () => right(price, settings.assumed.perMillion));
  perDay.addEventListener("blur", () => right(perDay, settings.assumed.perDay));

  function show() {
    const { assumed } = settings;
    const known = models.find((one) => one.per_million === assumed.perMillion);
    if (known) own.remove();
    else model.append(own);
    model.value = known?.name ?? "";
    write(days, t("present.days", { days: assumed.days }));
    for (const [input, value] of [[price, assumed.perMillion], [perDay, assumed.perDay]]) {
      // What somebody types is not written over.
      if (input !== input.getRootNode().activeElement) input.value = String(value);
    }
  }
  const days = h("span", {});
  const element = h(
    "div",
    { class: "sr-pr-assumed" },
    h("span", {}, model),
    h("label", {}, currency, " ", price, " ", t("present.million")),
    h("label", {}, perDay, " ", t("present.day")),
    days,
  );
  return { element, show };
}

function right(input, value) {
  input.value = String(value);
  input.setAttribute("aria-invalid", "false");
}

const field = (name, limits, label) =>
  h("input", { type: "number", class: name, min: 0, inputmode: "decimal", "aria-label": label, ...limits });
