// The price table: what its reader changes is reckoned at once, in every reading of the report.

const { sayingOf, shown, element } = globalThis.report;
const MOST_MODELS = 20;
const PLAIN = /^\d{1,9}(\.\d{0,9})?$|^\.\d{1,9}$/;
const WHOLE = /^\d{1,10}$|^\d{1,3}(,\d{3}){1,3}$/;

// Each returns the value, or undefined for what is none.
const CHECKS = {
  name: (text) => textUpTo(text, 80),
  currency: (text) => textUpTo(text, 8),
  per_million: (text) => (PLAIN.test(text) ? within(Number(text), 0, 100_000) : undefined),
  requests_per_day: (text) => wholeWithin(text, 1, 1_000_000_000),
  days_per_year: (text) => wholeWithin(text, 1, 366),
};
const within = (value, least, most) => (value >= least && value <= most ? value : undefined);
const textUpTo = (text, longest) => (text && text.length <= longest ? text : undefined);
const wholeWithin = (text, least, most) =>
  WHOLE.test(text) ? within(Number(text.replaceAll(",", "")), least, most) : undefined;

// As `amount` of prices.py: fewer decimals the larger it is, two digits or more below one.
function amount(value) {
  const size = Math.abs(value);
  if (size < 1e-9) return "0";
  const places = size >= 100 ? 0 : size >= 1 ? 2 : 1 - Math.floor(Math.log10(size));
  let text = size.toFixed(places);
  if (size < 1) {
    text = text.replace(/0+$/, "");
    text = text.padEnd(text.indexOf(".") + 3, "0");
  }
  const [whole, part] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${value < 0 ? "−" : ""}${part ? `${grouped}.${part}` : grouped}`;
}

function rowOf(state, { per_million }, whole, kept) {
  const perRequest = ((whole - kept) * per_million) / 1e6;
  const perDay = perRequest * state.requests_per_day;
  const perYear = perDay * state.days_per_year;
  return { whole: (whole * per_million) / 1e6, kept: (kept * per_million) / 1e6, perRequest, perDay, perYear };
}

const panels = [...document.querySelectorAll("[data-money]")].map(panelOf);
const first = panels.length ? panels[0].element.dataset.prices : "null";
let state = JSON.parse(first);

function panelOf(found) {
  return {
    element: found,
    body: found.querySelector(".prices tbody"),
    fault: found.querySelector(".price-fault"),
    say: sayingOf(found.dataset.words),
    labels: [...found.querySelectorAll(".prices thead th")].map((label) => label.textContent),
    head: document.getElementById(found.dataset.key).querySelector("[data-head-money]"),
    tokens: [Number(found.dataset.whole), Number(found.dataset.kept)],
  };
}

// Sets the values; fields that somebody writes in stay as they are.
function change(values, { within: source = null, rebuild = false } = {}) {
  state = { ...state, ...values };
  for (const panel of panels) {
    if (rebuild || panel !== source) build(panel);
    figures(panel);
  }
}

function build(panel) {
  const { element: root, body, say } = panel;
  for (const name of ["requests_per_day", "days_per_year", "currency"]) {
    const holder = root.querySelector(`[data-field="${name}"]`);
    const label = holder.previousElementSibling.textContent;
    holder.replaceChildren(fieldOf(panel, name, shown(state[name]), label, (value) => ({ [name]: value })));
  }
  body.replaceChildren(...state.models.map((model, rank) => rowElement(panel, model, rank)));
  root.querySelector("[data-add]").disabled = state.models.length >= MOST_MODELS;
  panel.fault.textContent = "";
}

function rowElement(panel, model, rank) {
  const { say } = panel;
  const row = element("tr");
  const choice = element("input", { type: "radio", name: panel.element.id, checked: rank === state.shown });
  choice.setAttribute("aria-label", say("money.show", { name: model.name }));
  choice.addEventListener("change", () => change({ shown: rank }, { within: panel }));
  const edited = (values) => ({ models: state.models.map((one, at) => (at === rank ? { ...one, ...values } : one)) });
  const name = fieldOf(panel, "name", model.name, say("money.name_of", { n: rank + 1 }), (value) => edited({ name: value }));
  const price = fieldOf(panel, "per_million", plain(model.per_million), say("money.price_of", { name: model.name }), (value) =>
    edited({ per_million: value }),
  );
  const remove = element("button", { type: "button", text: "×", disabled: state.models.length === 1 });
  remove.setAttribute("aria-label", say("money.remove", { name: model.name }));
  remove.addEventListener("click", () => dropRow(panel, rank));
  const holder = element("span");
  holder.append(choice, name);
  row.append(cell("name", holder), cell("n", price));
  for (const figure of ["whole", "kept", "perRequest", "perDay", "perYear"]) {
    const made = element("td", { className: figure === "perYear" ? "n year" : "n" });
    made.dataset.figure = figure;
    row.append(made);
  }
  row.append(cell("n remove", remove));
  panel.labels.forEach((label, at) => (row.cells[at].dataset.label = label));
  return row;
}

function dropRow(panel, rank) {
  const models = state.models.filter((_, at) => at !== rank);
  const shownNow = Math.min(state.shown - (rank < state.shown ? 1 : 0), models.length - 1);
  change({ models, shown: shownNow }, { rebuild: true });
  panel.body.rows[Math.min(rank, models.length - 1)].querySelector("input:not([type='radio'])").focus();
}

const plain = (value) => value.toLocaleString("en-US", { useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 9 });

function cell(className, content) {
  const made = element("td", { className });
  made.append(content);
  return made;
}

// A field that refuses what is no value of its kind in one sentence, and goes on reckoning with the last good one.
function fieldOf(panel, kind, value, label, valuesOf) {
  const field = element("input", { value, autocomplete: "off", spellcheck: false });
  if (kind !== "name" && kind !== "currency") field.inputMode = "decimal";
  if (kind === "name") field.dir = "auto";
  field.setAttribute("aria-label", label);
  field.addEventListener("input", () => {
    const checked = CHECKS[kind](field.value.trim());
    field.setAttribute("aria-invalid", String(checked === undefined));
    panel.fault.textContent = checked === undefined ? panel.say(`money.fault.${kind}`, { value: field.value.slice(0, 40) }) : "";
    if (checked !== undefined) change(valuesOf(checked), { within: panel });
  });
  return field;
}

function figures({ body, head, say, tokens }) {
  state.models.forEach((model, rank) => {
    const reckoned = rowOf(state, model, ...tokens);
    const row = body.rows[rank];
    row.classList.toggle("shown", rank === state.shown);
    for (const made of row.querySelectorAll("[data-figure]")) made.textContent = amount(reckoned[made.dataset.figure]);
  });
  const model = state.models[state.shown];
  const { perYear } = rowOf(state, model, ...tokens);
  head.querySelector("[data-currency]").textContent = state.currency;
  head.querySelector("[data-year]").textContent = amount(Math.abs(perYear));
  head.querySelector("[data-assumption]").textContent = say(perYear < 0 ? "money.assumed_loss" : "money.assumed", {
    n: state.requests_per_day,
    requests: state.requests_per_day,
    days: state.days_per_year,
    name: model.name,
    currency: state.currency,
    price: amount(model.per_million),
  });
}

for (const panel of panels) {
  const { element: root, say } = panel;
  root.querySelector(".price-buttons").hidden = false;
  root.querySelector("[data-add]").addEventListener("click", () => {
    change({ models: [...state.models, { name: say("money.new"), per_million: 1 }] }, { rebuild: true });
    panel.body.lastElementChild.querySelector("input:not([type='radio'])").select();
  });
  root.querySelector("[data-reset]").addEventListener("click", () => change(JSON.parse(first), { rebuild: true }));
}
if (panels.length) change({}, { rebuild: true });
