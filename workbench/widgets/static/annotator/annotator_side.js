// What stands beside the text: what was said of the block, why it is asked, its scores, the evidence in it, the note.

import { h, replace, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { shapeOf } from "../shared/label_shapes.js";
import { count, fixed, signed } from "../shared/numbers.js";

const SHARES = new Set(["score", "positive_score", "similarity"]);
const SMALL = 0.01;

export function sideOf(t, { onNote, onClear }) {
  const why = h("p", { class: "sr-an-why" });
  const scores = h("div", { class: "sr-an-scores" });
  const yours = h("div", { class: "sr-an-yours" });
  const spans = h("div", { class: "sr-an-spans" });
  const names = { placeholder: t("an.note.hint"), "aria-label": t("an.note") };
  const note = h("textarea", { rows: "2", ...names, onchange: () => onNote(note.value) });
  // What is no part of comparing with others goes while somebody does.
  const part = (title, key, inner, name = "sr-an-part sr-an-aside") => {
    const caps = key && h("span", { "aria-hidden": "true" }, " ", keycap(key));
    return h("section", { class: name }, h("h3", { class: "sr-label" }, title, caps), inner);
  };
  const shown = [
    part(t("an.yours"), "", yours, "sr-an-part"),
    part(t("an.why"), "", why),
    part(t("an.scores"), "", scores),
    part(t("an.spans"), "x", spans),
    part(t("an.note"), "m", note, "sr-an-part"),
  ];
  const element = h("div", { class: "sr-an-parts" }, shown);
  const show = (card, { label, skipped, hidden, draft }) => {
    element.hidden = !card;
    if (!card) return;
    write(shown[0].querySelector("h3"), t(card.said ? "an.theirs" : "an.yours"));
    replace(yours, saidOf(t, card, label, skipped));
    write(why, hidden ? t("an.hidden") : reasonOf(t, card.reason));
    why.dataset.quiet = String(hidden);
    replace(scores, hidden ? h("p", { class: "sr-an-quiet" }, t("an.hidden")) : scoresOf(t, card));
    if (document.activeElement !== note) note.value = draft.note;
    marked(draft.spans, card);
  };
  const marked = (found, card) => {
    const block = card?.blocks?.[card.here];
    if (!found.length || !block) return replace(spans, h("p", { class: "sr-an-quiet" }, t("an.spans.none")));
    const characters = Array.from(block.text);
    const quotes = found.map(([start, end]) => h("li", { dir: "auto" }, quoted(characters.slice(start, end))));
    replace(spans, h("ul", {}, quotes), h("button", { class: "sr-plain", onclick: onClear }, t("an.spans.clear")));
  };
  return { element, show, marked, note };
}

const MOST = 90;

function quoted(characters) {
  if (characters.length <= MOST) return characters.join("");
  return `${characters.slice(0, MOST / 2).join("")} … ${characters.slice(-MOST / 2).join("")}`;
}

function saidOf(t, card, label, skipped) {
  if (card.said) return h("ul", {}, card.said.map((one) => h("li", {}, said(t, one))));
  if (label) return [shapeOf(t, label.value), " ", h("strong", {}, t(`an.value.${label.value}`))];
  return h("span", { class: "sr-an-quiet" }, t(skipped ? "an.was_skipped" : "an.unlabelled"));
}

function said(t, { annotator, value, note }) {
  const line = [shapeOf(t, value), " ", h("bdi", {}, t("an.said", { annotator, value: t(`an.value.${value}`) }))];
  return note ? [...line, h("p", { class: "sr-an-quiet", dir: "auto" }, note)] : line;
}

function reasonOf(t, { code, values }) {
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name === "way") return [name, t(`an.way.${value}`)];
      return [name, SHARES.has(name) ? fixed(value) : count(value)];
    }),
  );
  return t(`an.reason.${code}`, shown);
}

// Far below a cut that is a share of the tokens all numbers are small, and still differ.
const number = (value, show = fixed) =>
  value !== 0 && Math.abs(value) < SMALL ? show(value, 1 - Math.floor(Math.log10(Math.abs(value)))) : show(value);

function scoresOf(t, { scores, scale }) {
  if (scores.relevance === undefined) return h("p", { class: "sr-an-quiet" }, t("an.noscores"));
  const ranks = { rank: count(scores.rank ?? 0), blocks: count(scores.blocks ?? 0) };
  const rows = [
    ["an.relevance", number(scores.relevance), scale && t(`an.${scale}`)],
    ["an.weight", `× ${fixed(scores.weight)}`],
    ["an.priority", number(scores.priority)],
    scores.margin !== undefined && ["an.margin", number(scores.margin, signed)],
    scores.rank !== undefined && ["an.rank", t("an.rank.of", ranks)],
  ];
  const row = ([name, value, more]) => [h("dt", {}, t(name)), h("dd", {}, value, more && h("small", {}, ` ${more}`))];
  return h("dl", {}, rows.filter(Boolean).map(row));
}
