// What a rule yields: tiles of totals, the rivals beside it, routes against the oracle's, and the promise.

import { h, replace, write } from "../shared/dom.js";
import { between, count, fixed, percent } from "../shared/numbers.js";

const ROWS = ["force", "advisory", "native"];
const NO_BASIS = { code: "", text: "" };
const figure = (list, name) => list.find((found) => found.name === name);

// The figures to show: the kernel's where it has judged this very rule, else those of the browser.
export function figuresOf(model, state) {
  const list = model.get("figures");
  if (state.confirmed && list.length) {
    const named = (name) => figure(list, name);
    return {
      reduction: named("token reduction"),
      loss: named("quality loss"),
      regret: named("regret"),
      regretShare: named("regret share"),
      // Of the rule itself, as the points are: they are counted and not estimated.
      routed: state.totals.routed,
      counts: model.get("counts"),
      split: named("token reduction")?.split ?? "in sample",
      basis: named("token reduction")?.basis ?? NO_BASIS,
    };
  }
  return { ...state.totals, split: "in sample", basis: NO_BASIS };
}

// Returns { element, show(figures, state) }.
export function tilesOf(t) {
  const names = ["saved", "lost", "regret", "force", "others"];
  const tiles = names.map((name) => tile(name));
  const [saved, lost, regret, force, others] = tiles;
  const interval = (found, show) =>
    found.low == null ? t("interval.none") : t("interval", { ends: between(found.low, found.high, show) });
  const share = (value) => fixed(100 * value, 1);
  const show = (figures, { tolerance, outcomes }) => {
    // Over only where the whole interval is: a level alone may be so by chance.
    const above = (value) => value != null && value > tolerance + 1e-9;
    const level = above(figures.loss.level);
    const over = level && above(figures.loss.low);
    saved.show(percent(figures.reduction.level), t("tile.saved"), interval(figures.reduction, share));
    lost.show(
      percent(figures.loss.level, 2),
      t(over ? "tile.lost.over" : level ? "tile.lost.level" : "tile.lost", { tolerance: percent(tolerance, 1) }),
      interval(figures.loss, (value) => fixed(100 * value, 2)),
    );
    lost.element.classList.toggle("sr-gate-over", over);
    lost.element.classList.toggle("sr-gate-perhaps", level && !over);
    regret.show(
      percent(figures.regretShare.level),
      t("tile.regret", { tokens: count(figures.regret.level) }),
      interval(figures.regretShare, share),
    );
    const of = (number) => (outcomes.n ? percent(number / outcomes.n, 0) : "");
    force.show(count(figures.routed[2]), t("route.force"), of(figures.routed[2]));
    others.show(
      `${count(figures.routed[1])} / ${count(figures.routed[0])}`,
      t("tile.others"),
      `${of(figures.routed[1])} / ${of(figures.routed[0])}`,
    );
  };
  return { element: h("div", { class: "sr-gate-tiles" }, tiles.map(({ element }) => element)), show };
}

function tile(name) {
  const [value, words, more] = ["strong", "span", "small"].map((tag) => h(tag, {}));
  const element = h("div", { class: "sr-gate-tile", dataset: { tile: name } }, value, words, more);
  const show = (...texts) => [value, words, more].forEach((place, at) => write(place, texts[at]));
  return { element, show };
}

// The rivals beside the rule; `show(figures, rivals, figures of the split test)`.
export function rivalsOf(t) {
  const body = h("tbody", {});
  const head = ["", t("rivals.saved"), t("rivals.lost")].map((name) => h("th", { scope: "col" }, name));
  const element = h(
    "section",
    {},
    h("h3", { class: "sr-label" }, t("rivals")),
    h("table", { class: "sr-gate-table sr-gate-rivals" }, h("thead", {}, h("tr", {}, head)), body),
  );
  const cell = (found, digits) =>
    h(
      "td",
      {},
      percent(found.level, digits),
      h("small", {}, between(found.low, found.high, (value) => fixed(100 * value, digits))),
    );
  const row = (name, saved, lost, own) =>
    h("tr", { class: own && "sr-gate-own" }, h("th", { scope: "row" }, name), cell(saved, 1), cell(lost, 2));
  const show = (figures, rivals, test) => {
    const [saved, lost] = ["token reduction", "quality loss"].map((name) => figure(test, name));
    const tested = saved && row(t("rivals.test"), saved, lost, true);
    const others = rivals.map(({ name, figures: list }) =>
      row(rivalName(t, name), figure(list, "token reduction"), figure(list, "quality loss"), false),
    );
    const own = row(`${t("rivals.own")}, ${t(`split.${figures.split}`)}`, figures.reduction, figures.loss, true);
    replace(body, own, tested, others);
  };
  return { element, show };
}

function rivalName(t, name) {
  const size = /^size rule \((.*) bytes\)$/.exec(name);
  return size ? t("rival.size", { bytes: size[1] }) : t(`rival.${name}`);
}

// Requests by the rule's route and the oracle's; what disagrees carries a mark, not just a colour.
export function confusionOf(t) {
  const body = h("tbody", {});
  const heads = ["", t("confusion.native"), t("confusion.force")].map((name) => h("th", { scope: "col" }, name));
  const note = h("p", { class: "sr-gate-small" });
  const element = h(
    "section",
    {},
    h("h3", { class: "sr-label" }, t("confusion")),
    h("table", { class: "sr-gate-table" }, h("thead", {}, h("tr", {}, heads)), body),
    note,
  );
  const wrong = { force: 0, native: 1 };
  const show = ({ counts, split }) => {
    const rows = ROWS.map((route) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, t(`route.${route}`)),
        (counts[route] ?? [0, 0]).map((number, at) => {
          const bad = wrong[route] === at && number > 0;
          return h("td", { class: bad && "sr-gate-wrong" }, bad ? `≠ ${count(number)}` : count(number));
        }),
      ),
    );
    replace(body, rows);
    write(note, t("confusion.note", { split: t(`split.${split}`) }));
  };
  return { element, show };
}

// The promise as a sentence, from its numbers.
export function promiseOf(t) {
  const text = h("p", { class: "sr-gate-promise" });
  const show = (promise) => {
    write(text, promiseText(t, promise));
    text.hidden = !text.textContent;
  };
  return { element: h("section", {}, h("h3", { class: "sr-label" }, t("promise")), text), show };
}

function promiseText(t, promise) {
  if (promise.promise_documents === undefined) return "";
  const documents = count(promise.promise_documents);
  if (promise.alpha === null || !promise.kept) {
    return t("promise.none", { documents, reachable: percent(promise.reachable, 1) });
  }
  return t(promise.level === promise.levels - 1 ? "promise.native" : "promise.kept", {
    alpha: percent(promise.alpha, 1),
    documents,
    loss: percent(promise.mean_loss, 2),
  });
}
