// The head: the question in large letters, what it is asked of, and the few things that can be pressed.

import { h, s, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { count, percent } from "../shared/numbers.js";

const CUT_DIGITS = 4;

// Returns { element, show(now) }; `hands`: { fade, cut(key), request(by), screen, leave }.
export function headOf(t, hands) {
  const question = h("h1", { class: "sr-pr-question", dir: "auto" });
  const facts = h("span", { dir: "auto" });
  const number = h("span", { class: "sr-pr-number" });
  const press = (words, sign, work) =>
    h("button", { class: "sr-pr-sign", title: words, "aria-label": words, onclick: work }, sign);
  const requests = h(
    "span",
    { class: "sr-pr-requests" },
    press(`${t("present.request.previous")}  [`, "‹", () => hands.request(-1)),
    h("span", { class: "sr-pr-request-word" }, t("present.request")),
    number,
    press(`${t("present.request.next")}  ]`, "›", () => hands.request(1)),
  );
  const fade = h(
    "button",
    { class: "sr-pr-fade", role: "switch", "aria-checked": "false", onclick: hands.fade },
    h("i", { class: "sr-pr-switch", "aria-hidden": "true" }),
    h("span", { class: "sr-pr-fade-words" }, t("present.fade")),
    keycap("f"),
  );
  const cutValue = h("span", { class: "sr-pr-cut-value" });
  const cut = h(
    "span",
    { class: "sr-pr-cut", role: "group", "aria-label": t("present.cut") },
    h("span", {}, t("present.cut")),
    press(`${t("present.cut.stricter")}  −`, "−", () => hands.cut("-")),
    cutValue,
    press(`${t("present.cut.looser")}  +`, "+", () => hands.cut("+")),
  );
  const screen = press(t("present.screen"), corners(), hands.screen);
  screen.classList.add("sr-pr-screen");
  screen.hidden = !document.fullscreenEnabled;
  const leave = h("button", { class: "sr-pr-leave", onclick: hands.leave }, t("present.leave"), keycap("Escape"));
  const element = h(
    "header",
    { class: "sr-pr-head" },
    h("p", { class: "sr-pr-facts" }, facts, requests),
    h("div", { class: "sr-pr-hands" }, fade, cut, screen, leave),
    question,
  );

  // `now`: { question, document, opening, place, cut, canCut, faded }; `place` is { number, count } or null.
  function show(now) {
    write(question, now.question);
    write(facts, now.opening ? t("present.opening") : factsOf(t, now.document));
    requests.hidden = !now.place;
    if (now.place) write(number, t("present.at", { number: now.place.number || "–", count: count(now.place.count) }));
    cut.hidden = !now.cut;
    if (now.cut) write(cutValue, cutOf(t, now.cut));
    for (const button of cut.querySelectorAll("button")) button.disabled = !now.canCut;
    fade.hidden = !now.document;
    fade.setAttribute("aria-checked", String(now.faded));
  }
  return { element, show };
}

function corners() {
  const drawn = { fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
  const path = s("path", { d: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4", ...drawn });
  return s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
}

function factsOf(t, document) {
  if (!document) return "";
  const { name, pages, tokens } = document;
  const values = { name, pages: count(pages), tokens: count(tokens) };
  return t(pages > 1 ? "present.pages" : "present.whole", values);
}

function cutOf(t, cut) {
  if (cut.kind === "share") return t("present.cut.share", { value: percent(cut.value, cut.value < 0.01 ? 1 : 0) });
  return t("present.cut.threshold", { value: Number(cut.value.toFixed(CUT_DIGITS)) });
}
