// One block as an element: its numbers and margin bar, and its text. Made once, painted when something differs.

import { markElement, saidOf } from "./document_labels.js";
import { barOf, isLost } from "./document_margins.js";
import { hasText, kindOf, runOf, sectionsOf } from "./document_state.js";
import { h, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { count, fixed } from "../shared/numbers.js";
import { CONTEXT, HEADER_ROW, KEPT, PINNED, SKIPPED } from "../shared/reading.js";

const STATUS = { [SKIPPED]: "skipped", [KEPT]: "kept", [PINNED]: "pinned", [CONTEXT]: "context" };
const MOST_CHARACTERS = 20000;
const MOST_TITLES = 3;
const TITLE_CHARACTERS = 48;
const DEEPEST = 6;
const FURNITURE = new Set(["header", "footer"]);

// Characters that show nothing or steer a screen, each as a sign of its own, so that positions stay the same.
export function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202d\u202e]/g, (found) => {
    const code = found.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\u21c4";
  });
}

export function blockElement(view, i) {
  const { state, t } = view;
  const kind = kindOf(state.document, i);
  const numbers = h("span", { class: "sr-doc-numbers" });
  const bar = h("i", { class: "sr-doc-bar" });
  const mark = h("span", { class: "sr-doc-mark" });
  const level = String(Math.min(DEEPEST, Math.max(1, state.document.levels[i])));
  const levels = kind === "heading" || kind === "list_item" ? { level } : {};
  const element = h(
    "div",
    {
      id: `${view.prefix}-${i}`,
      role: "option",
      dataset: { block: String(i), kind, ...levels },
      "aria-selected": "false",
    },
    h("div", { class: "sr-doc-gutter" }, numbers, h("span", { class: "sr-doc-track" }, bar), mark),
    textElement(view, i, kind),
  );
  element.parts = { numbers, bar, mark, said: "", label: null, labelled: "" };
  if (kind !== "heading" && !hasText(state, i)) element.hidden = true;
  if (state.reading.flags[i] & HEADER_ROW) element.dataset.header = "true";
  element.title = kind === "paragraph" || kind === "heading" ? "" : t(`kind.${kind}`);
  return element;
}

export function textElement(view, i, kind) {
  if (kind === "table_row") return rowElement(view, i);
  const text = visible(view.text(i));
  const element = h("div", { class: "sr-doc-text", dir: "auto" });
  if (text.length <= MOST_CHARACTERS) return h("div", { class: "sr-doc-text", dir: "auto" }, text);
  const rest = text.length - MOST_CHARACTERS;
  const more = h("button", { class: "sr-plain sr-doc-more" }, view.t("doc.more", { count: count(rest) }));
  more.addEventListener("click", (event) => {
    event.stopPropagation();
    showAll(element);
  });
  element.append(text.slice(0, MOST_CHARACTERS), more);
  element.whole = text;
  return element;
}

// The whole text of a block that shows only its beginning.
export function showAll(element) {
  if (element.whole === undefined) return;
  element.textContent = element.whole;
  element.whole = undefined;
}

function rowElement(view, i) {
  const { template, numbers } = view.tables.columns(i);
  const cells = view.tables.cells(i).map(({ text, column }) =>
    h(
      "span",
      {
        class: numbers.has(column) ? "sr-doc-cell sr-doc-number" : "sr-doc-cell",
        dir: "auto",
        style: { gridColumn: String(column + 1) },
      },
      visible(text),
    ),
  );
  return h("div", { class: "sr-doc-text sr-doc-cells", style: { gridTemplateColumns: template } }, cells);
}

// What a reading says of a block, on its element; writes only what differs. Returns whether its height may be another
// one: a mark needs room.
export function paintBlock(view, element, i) {
  const { reading, near, at, spread } = view.state;
  const { parts } = element;
  const status = STATUS[reading.status[i]] ?? "skipped";
  const lost = isLost(reading, i);
  const selected = i === view.selected;
  const margin = reading.priority[i] - at;
  const bar = Math.round(100 * barOf(margin, spread.reach));
  const held = i === view.pin;
  const numbers = `${reading.relevance[i]}|${reading.weight[i]}|${bar}`;
  const labels = view.labels.of(i);
  const labelled = saidOf(labels);
  const said = [status, near[i], lost, reading.gold[i], selected, held, numbers, labelled].join("|");
  if (parts.said === said) return false;
  parts.said = said;
  const marked = status === "pinned" || status === "context" || reading.gold[i] === 1;
  const gold = reading.gold[i] && (lost ? "lost" : "gold");
  const names = ["block", status, marked && "marked", near[i] && "near", gold, selected && "selected", held && "held"];
  element.className = names.filter(Boolean).map((name) => `sr-doc-${name}`).join(" ");
  element.setAttribute("aria-selected", String(selected));
  write(parts.numbers, `${near[i] ? "≈ " : ""}${fixed(reading.relevance[i])} × ${weightShown(reading.weight[i])}`);
  // Widths, not transforms: each transform would be a layer of its own for the compositor to think about.
  parts.bar.style.width = `${Math.abs(bar) / 2}%`;
  parts.bar.classList.toggle("sr-doc-under", bar < 0);
  if (parts.labelled !== labelled) paintLabel(view, element, labels, labelled);
  write(parts.mark, markOf(view, i, status, lost));
  parts.mark.classList.toggle("sr-hidden", !marked);
  const room = marked ? `${status}|${lost}` : "";
  const changed = parts.room !== undefined && parts.room !== room;
  parts.room = room;
  return changed;
}

function paintLabel(view, element, labels, labelled) {
  element.parts.label?.remove();
  const label = markElement(view.t, labels);
  if (label) element.append(label);
  Object.assign(element.parts, { label, labelled });
}

export const weightShown = (weight) => fixed(weight, Math.abs(weight * 10 - Math.round(weight * 10)) < 1e-6 ? 1 : 2);

function markOf(view, i, status, lost) {
  const { reading } = view.state;
  const said = [];
  if (status === "pinned" || status === "context" || !reading.gold[i]) said.push(view.t(`status.${status}`));
  if (reading.gold[i]) said.push(view.t(lost ? "doc.lost" : "doc.gold"));
  return said.join(" · ");
}

// One quiet line for a folded run: how many blocks, how much, and what it was.
export function foldElement(view, first) {
  const [, last] = runOf(view.state, first);
  const what = h("span", { class: "sr-doc-fold-what", dir: "auto" }, whatItWas(view, first, last));
  const element = h(
    "div",
    {
      id: `${view.prefix}-fold-${first}`,
      class: "sr-doc-fold",
      role: "option",
      "aria-selected": "false",
      "aria-expanded": "false",
      dataset: { fold: String(first), last: String(last) },
    },
    h("span", { class: "sr-doc-fold-count" }, foldSize(view, first, last)),
    what,
    h("span", { class: "sr-doc-fold-open", "aria-hidden": "true" }, keycap("o"), view.t("doc.open")),
  );
  return element;
}

function foldSize({ state, t }, first, last) {
  let [blocks, tokens] = [0, 0];
  for (let i = first; i < last; i++) {
    if (!hasText(state, i)) continue;
    blocks += 1;
    tokens += state.reading.tokens[i];
  }
  return t("doc.folded", { blocks: count(blocks), tokens: count(tokens) });
}

function whatItWas(view, first, last) {
  const titles = [];
  let more = 0;
  for (let i = first; i < last; i++) {
    if (view.state.document.kinds[i] !== 0) continue;
    if (titles.length < MOST_TITLES) titles.push(shortened(view.text(i)));
    else more += 1;
  }
  if (titles.length) return titles.join(" · ") + (more ? view.t("doc.more_sections", { count: count(more) }) : "");
  let at = first;
  while (at < last - 1 && (!hasText(view.state, at) || FURNITURE.has(kindOf(view.state.document, at)))) at += 1;
  const [section] = sectionsOf(view.state.document, at);
  const start = hasText(view.state, at) ? shortened(view.text(at)) : "";
  return start || (section === undefined ? "" : shortened(view.text(section)));
}

export function shortened(text, most = TITLE_CHARACTERS) {
  // The dots that lead to a page number say nothing.
  const line = visible(text.slice(0, 4 * most)).replace(/\s+/g, " ").replace(/(?: ?\.){4,} ?/g, " … ").trim();
  const letters = Array.from(line);
  return letters.length > most ? `${letters.slice(0, most - 1).join("").trimEnd()}…` : line;
}

export function paintFold(view, element, first) {
  const selected = view.selected >= 0 && view.state.folded[view.selected] === first;
  element.classList.toggle("sr-doc-selected", selected);
  element.setAttribute("aria-selected", String(selected));
}
