// What stands beside the text: why the block is asked, its scores, the note, the evidence in it, and what was said of it.

import { h, replace, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { count, fixed, signed } from "../shared/numbers.js";

const SHARES = new Set(["score", "positive_score", "similarity"]);
const SMALL = 0.01;

export function sideOf(t, { onNote, onClear }) {
  const why = h("p", { class: "sr-an-why" });
  const scores = h("div", { class: "sr-an-scores" });
  const yours = h("div", { class: "sr-an-yours" });
  const spans = h("div", { class: "sr-an-spans" });
  const note = h("textarea", { rows: "2", placeholder: t("an.note.hint"), "aria-label": t("an.note"), onchange: () => onNote(note.value) });
  const part = (title, key, ...inner) => {
    const caps = key && h("span", { "aria-hidden": "true" }, " ", keycap(key));
    return h("section", { class: "sr-an-part" }, h("h3", { class: "sr-label" }, title, caps), inner);
  };
  const shown = [
    part(t("an.yours"), "", yours),
    part(t("an.why"), "", why),
    part(t("an.scores"), "", scores),
    part(t("an.spans"), "x", spans),
    part(t("an.note"), "m", note),
  ];
  const element = h("div", { class: "sr-an-parts" }, shown);
  const show = (card, { label, skipped, hidden, draft }) => {
    element.hidden = !card;
    if (!card) return;
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
const quoted = (characters) =>
  characters.length > MOST ? `${characters.slice(0, MOST / 2).join("")} … ${characters.slice(-MOST / 2).join("")}` : characters.join("");

function saidOf(t, card, label, skipped) {
  if (card.said) return h("ul", {}, card.said.map((one) => h("li", {}, said(t, one))));
  if (label) return h("strong", {}, t(`an.value.${label.value}`));
  return h("span", { class: "sr-an-quiet" }, t(skipped ? "an.was_skipped" : "an.unlabelled"));
}

function said(t, { annotator, value, note }) {
  const line = h("bdi", {}, t("an.said", { annotator, value: t(`an.value.${value}`) }));
  return note ? [line, h("p", { class: "sr-an-quiet", dir: "auto" }, note)] : line;
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
  const rows = [
    ["an.relevance", number(scores.relevance), scale && t(`an.${scale}`)],
    ["an.weight", `× ${fixed(scores.weight)}`],
    ["an.priority", number(scores.priority)],
    scores.margin !== undefined && ["an.margin", number(scores.margin, signed)],
    scores.rank !== undefined && ["an.rank", t("an.rank.of", { rank: count(scores.rank), blocks: count(scores.blocks) })],
  ];
  const row = ([name, value, more]) => [h("dt", {}, t(name)), h("dd", {}, value, more && h("small", {}, ` ${more}`))];
  return h("dl", {}, rows.filter(Boolean).map(row));
}
