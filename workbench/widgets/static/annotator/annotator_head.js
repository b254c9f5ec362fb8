// What stands above the text: order, progress, whether all is saved; the question, and where its block stands.

import { actions } from "../shared/actions.js";
import { h, replace, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { count, fixed, percent } from "../shared/numbers.js";
import { languageOf } from "../shared/words.js";

const SOON = 150;

export function headOf(model, t, { onOrder, onBlind, onSheet, onStop, ends }) {
  const order = orderOf(model, t, onOrder);
  const progress = progressOf(t, onStop);
  const blind = h("input", { type: "checkbox", onchange: () => onBlind(blind.checked) });
  const bar = h(
    "div",
    { class: "sr-an-bar" },
    order.element,
    progress.element,
    h("label", { class: "sr-an-blind" }, blind, t("an.blind")),
    savedOf(model, t, ends),
    h("span", { class: "sr-an-who", title: t("an.saved", { place: model.get("place") }) }, model.get("annotator")),
    h("button", { class: "sr-plain", onclick: onSheet, "aria-label": t("keys") }, keycap("?")),
  );
  const question = h("h2", { class: "sr-an-question", tabindex: "-1" });
  const where = h("p", { class: "sr-an-where" });
  const why = h("p", { class: "sr-an-order-why" });
  const element = h(
    "header",
    { class: "sr-an-head" },
    bar,
    progress.line,
    h("div", { class: "sr-an-asked" }, h("div", { class: "sr-an-question-place" }, question), where, why),
  );
  const show = (card, state) => {
    write(question, card?.question ?? "");
    question.lang = languageOf(card?.question ?? "");
    question.parentElement.scrollTop = 0;
    replace(where, card ? placeOf(t, card, state) : "\u00a0");
  };
  const follow = () => {
    order.select.value = model.get("order");
    write(why, model.get("order_why") ? t(`an.order.why.${model.get("order_why")}`) : "");
    order.select.disabled = model.alone === true;
    blind.checked = model.get("blind");
    blind.disabled = model.alone === true;
  };
  return { element, show, follow, progress: progress.show, order: order.select };
}

function orderOf(model, t, onOrder) {
  const options = model.get("orders").map((name) => h("option", { value: name }, t(`an.order.${name}`)));
  const select = h("select", { "aria-label": t("an.order"), onchange: () => onOrder(select.value) }, options);
  return { select, element: h("label", { class: "sr-an-order" }, select) };
}

function progressOf(t, onStop) {
  const said = h("span", { class: "sr-an-counts" });
  const pace = h("span", { class: "sr-an-pace" });
  const stop = h("button", { class: "sr-plain", title: t("an.stop.title"), onclick: onStop, hidden: true }, t("an.stop"));
  const done = h("i", { class: "sr-an-done" });
  const skipped = h("i", { class: "sr-an-skipped" });
  const bar = { role: "progressbar", "aria-valuemin": "0", "aria-label": t("an.title") };
  const line = h("div", { class: "sr-an-line", ...bar }, done, skipped);
  const show = (state, speed, building) => {
    const [labelled, passed, total] = [state.labelled.size, state.skipped.size, state.total];
    const share = (number) => `${total ? (100 * number) / total : 0}%`;
    done.style.width = share(labelled);
    skipped.style.width = share(passed);
    line.setAttribute("aria-valuemax", String(total));
    line.setAttribute("aria-valuenow", String(labelled));
    line.setAttribute("aria-valuetext", t("an.progress", { done: labelled, total }));
    const counts = t("an.of", { done: count(labelled), total: count(total) });
    write(said, passed ? `${counts} · ${t("an.skipped", { count: count(passed) })}` : counts);
    stop.hidden = !building.questions;
    write(pace, building.questions ? buildingOf(t, building) : paceOf(t, speed, total - labelled - passed));
  };
  return { element: h("span", { class: "sr-an-progress" }, said, pace, stop), line, show };
}

const FEW_SECONDS = 90;

// How far a queue is that is being made, and how long it will take.
export function buildingOf(t, { looked, share, reading, left }) {
  const figures = { percent: percent(share, 0), reading: percent(reading ?? 0, 0) };
  const doing = looked === 0 && reading === 0 ? "an.building.start" : "an.building.reading";
  const said = t(reading === null ? "an.building" : doing, figures);
  if (left === null) return said;
  const seconds = t("an.seconds", { seconds: count(Math.max(5, 5 * Math.round(left / 5))) });
  return t("an.building.left", {
    said,
    left: left <= FEW_SECONDS ? seconds : t("an.minutes", { minutes: count(Math.round(left / 60)) }),
  });
}

function paceOf(t, { rate }, left) {
  if (rate === null) return "";
  const minutes = Math.round(left / rate);
  const estimate = minutes <= 1 ? t("an.left.short") : t("an.left", { minutes: count(minutes) });
  return left ? `${t("an.rate", { rate: fixed(rate, rate < 10 ? 1 : 0) })} · ${estimate}` : "";
}

// Says "saved" only when the kernel has written everything down.
function savedOf(model, t, ends) {
  const queue = actions(model);
  const text = h("span", {});
  const element = h("span", { class: "sr-an-saved", role: "status" }, h("i", { "aria-hidden": "true" }), text);
  if (model.alone) return null;
  let timer = 0;
  const say = () => {
    const { pending, connected } = queue;
    element.dataset.state = connected ? (pending ? "waiting" : "saved") : "lost";
    const waiting = pending ? t("unsaved", { count: pending }) : t("saved");
    write(text, connected ? waiting : t("disconnected", { count: pending }));
  };
  const soon = () => {
    // What is written within the blink of an eye must not flicker.
    clearTimeout(timer);
    if (queue.pending && queue.connected) timer = setTimeout(say, SOON);
    else say();
  };
  ends.push(queue.watch(soon), () => clearTimeout(timer));
  say();
  return element;
}

function placeOf(t, card, state) {
  const path = (card.path ?? []).join(" › ");
  const page = card.page && card.pages > 1 ? t("an.page", { page: count(card.page), pages: count(card.pages) }) : "";
  const file = h("span", { class: "sr-an-file" }, card.name ?? "");
  const rank = state && !state.done ? t("an.item", { at: count(state.at + 1), total: count(state.total) }) : "";
  return [
    h("bdi", {}, file),
    page && h("span", {}, page),
    path && h("span", { class: "sr-an-path", dir: "auto", title: path }, path),
    rank && h("span", { class: "sr-an-rank" }, rank),
  ];
}
