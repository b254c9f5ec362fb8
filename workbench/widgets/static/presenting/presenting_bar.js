// The bar at the bottom: tokens and money so far, what a year saves under prices that can be changed, and the way on.

import { h, write } from "../shared/dom.js";
import { count, percent } from "../shared/numbers.js";
import { amount, dayOf, yearOf } from "./presenting_money.js";
import { runningNumber } from "./presenting_motion.js";
import { pricesOf } from "./presenting_prices.js";

const FIGURES = ["read", "passed", "cost", "year"];

// Returns { element, show(now, notes) }; `hands`: { step(by), changed() }; `settings.assumed` is what is assumed.
export function barOf(t, settings, prices, hands) {
  const money = (value) => `${settings.assumed.currency} ${amount(value)}`;
  const figures = Object.fromEntries(
    FIGURES.map((name) => [name, figureOf(t, name, name === "cost" || name === "year" ? money : count)]),
  );
  const fields = pricesOf(t, settings, prices, hands.changed);
  const note = h("p", { class: "sr-pr-note", role: "status" });
  const foot = h("div", { class: "sr-pr-foot", dataset: { open: "false" } }, fields.element, note);
  const fold = h("button", { class: "sr-pr-fold", "aria-expanded": "false", onclick: turn });
  // Where there is little room, what is assumed opens from the sentence that says it.
  function turn() {
    const isOpen = foot.dataset.open !== "true";
    foot.dataset.open = String(isOpen);
    fold.setAttribute("aria-expanded", String(isOpen));
  }
  const track = trackOf();
  const place = h("span", { class: "sr-pr-place" });
  const way = (by, words, sign) =>
    h("button", { class: "sr-pr-step", "aria-label": words, onclick: () => hands.step(by) }, sign);
  const back = way(-1, t("present.previous"), "‹");
  const on = way(1, t("present.next"), "›");
  const where = h("div", {}, h("span", { class: "sr-pr-name" }, t("present.passage")), place);
  const element = h(
    "footer",
    { class: "sr-pr-bar", role: "group", "aria-label": t("present.figures") },
    track.element,
    Object.values(figures).map((figure) => figure.element),
    h("div", { class: "sr-pr-steps" }, back, where, on),
    fold,
    foot,
  );

  // `now`: { read, passed, kept, total, seen, sure, native, stop, stops } in tokens; `seen` is the whole text that the
  // model gets, with its marks, which are spread over what was read; what the gate reads whole has none.
  function show(now, notes) {
    const { read, passed, kept, total, seen, sure, native, stop, stops } = now;
    const { assumed } = settings;
    const marked = kept > 0 ? (read * seen) / kept : 0;
    const given = native ? passed : marked;
    figures.read.show(read, t("present.read.of", { total: count(total) }));
    figures.passed.show(passed - read, t("present.passed.of", { share: shareOf(passed ? 1 - read / passed : 0) }));
    const whole = t("present.cost.whole", { amount: money(dayOf(passed, assumed)) });
    figures.cost.show(dayOf(given, assumed), native ? t("present.cost.native") : whole);
    const values = { seen: count(seen), total: count(total) };
    const year = native ? "present.year.native" : sure ? "present.year.tokens" : "present.year.about";
    figures.year.show(native ? 0 : yearOf(total - seen, assumed), t(year, values));
    figures.year.element.title = sure && !native ? t("present.year.rendered", values) : "";
    track.show(total ? read / total : 0, total ? passed / total : 0);
    write(place, placeOf(t, stop, stops));
    back.disabled = stop <= 0;
    on.disabled = stop >= stops + 1;
    fields.show();
    write(fold, t("present.assumed", { ...assumed, perDay: count(assumed.perDay) }));
    write(note, notes.join(" "));
  }
  return { element, show };
}

// All and nothing are said of all and nothing only.
const shareOf = (share) => percent(share, (share > 0 && share < 0.01) || (share > 0.99 && share < 1) ? 1 : 0);

// Stop 0 is before the first passage, and the one behind the last is the end of the document.
function placeOf(t, stop, stops) {
  if (stop === 0) return t("present.at.start");
  if (stop > stops) return t("present.at.end");
  return t("present.at", { number: count(stop), count: count(stops) });
}

function figureOf(t, name, format) {
  const value = h("output", { class: "sr-pr-value", "aria-live": "off" });
  const more = h("span", { class: "sr-pr-more" });
  const run = runningNumber(value, format);
  const label = h("span", { class: "sr-pr-name" }, t(`present.${name}`));
  const element = h("div", { class: "sr-pr-figure", dataset: { figure: name } }, label, value, more);
  return {
    element,
    show: (number, words) => {
      value.dataset.value = String(number);
      run(number);
      write(more, words);
    },
  };
}

// The whole document as a line: what was read of it, and what has gone by.
function trackOf() {
  const read = h("i", { class: "sr-pr-track-read" });
  const passed = h("i", { class: "sr-pr-track-passed" });
  const element = h("div", { class: "sr-pr-track", "aria-hidden": "true" }, passed, read);
  return {
    element,
    show: (share, gone) => {
      read.style.width = `${100 * share}%`;
      passed.style.width = `${100 * gone}%`;
    },
  };
}
