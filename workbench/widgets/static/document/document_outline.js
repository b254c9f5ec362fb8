// The sections of a document: how many blocks of each are kept, and where the text in sight is.

import { shortened } from "./document_block.js";
import { sectionsOf } from "./document_state.js";
import { wordOr } from "./document_words.js";
import { h, replace, write } from "../shared/dom.js";
import { count } from "../shared/numbers.js";
import { HAS_TEXT, SKIPPED } from "../shared/reading.js";

const MOST_ROWS = 400;
const DEEPEST_STEP = 3;

// Returns { element, build(), paint(), follow(block) }.
export function outlineOf(view) {
  const head = h("h2", { class: "sr-label" }, view.t("doc.outline"));
  const list = h("div", { class: "sr-doc-outline-list", role: "list" });
  const facts = h("div", { class: "sr-doc-facts" });
  const element = h(
    "nav",
    { class: "sr-doc-outline", "aria-label": view.t("doc.outline") },
    head,
    list,
    h("h2", { class: "sr-label" }, view.t("doc.document")),
    facts,
  );
  let rows = [];
  let rowOfBlock = new Map();
  let current = null;

  function build() {
    rows = sectionRows(view);
    rowOfBlock = new Map(rows.map((row) => [row.block, row]));
    current = null;
    const none = h("p", { class: "sr-doc-quiet" }, view.t("doc.no_sections"));
    replace(list, rows.length ? rows.map((row) => row.element) : none);
    replace(facts, factsOf(view).map((fact) => h("div", { dir: "auto" }, fact)));
    paint();
  }

  function paint() {
    const totals = countsOf(view.state);
    for (const row of rows) paintRow(view, row, totals);
  }

  function follow(block) {
    const known = [block, ...sectionsOf(view.state.document, block)];
    const found = rowOfBlock.get(known.find((id) => rowOfBlock.has(id))) ?? null;
    if (found === current) return;
    current?.element.removeAttribute("aria-current");
    current = found;
    if (!current) return;
    const [top, bottom] = [current.element.offsetTop, current.element.offsetTop + current.element.offsetHeight];
    const inSight = top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight;
    if (!inSight) list.scrollTop = top - list.clientHeight / 3;
    current.element.setAttribute("aria-current", "location");
  }
  return { element, build, paint, follow };
}

// As many levels of headings as fit a list; all of a document without headings is one section.
function sectionRows(view) {
  const { document } = view.state;
  const headings = [];
  for (let i = 0; i < document.n; i++) if (document.kinds[i] === 0) headings.push(i);
  const levels = [...new Set(headings.map((i) => document.levels[i]))].sort((a, b) => a - b);
  let shown = [];
  for (const level of levels) {
    const more = headings.filter((i) => document.levels[i] <= level);
    if (more.length > MOST_ROWS && shown.length) break;
    shown = more.slice(0, MOST_ROWS);
  }
  return shown.map((block) => rowOf(view, block, Math.min(DEEPEST_STEP, levels.indexOf(document.levels[block]))));
}

function rowOf(view, block, depth) {
  const title = shortened(view.text(block), 80);
  const bar = h("span", { class: "sr-doc-share", "aria-hidden": "true" });
  const counts = h("span", { class: "sr-doc-counts" });
  const go = () => view.jump(block);
  const button = h(
    "button",
    { class: "sr-doc-section", onclick: go, title, style: { paddingInlineStart: `${16 + 10 * depth}px` } },
    h("span", { class: "sr-doc-title", dir: "auto" }, title),
    counts,
    bar,
  );
  return { block, element: h("div", { role: "listitem" }, button), button, counts, bar, said: "" };
}

function paintRow(view, row, { kept, near, all }) {
  const at = row.block + 1;
  const said = `${kept[at]}|${near[at]}|${all[at]}`;
  if (row.said === said) return;
  row.said = said;
  write(row.counts, view.t("doc.section.counts", { kept: count(kept[at]), blocks: count(all[at]) }));
  row.button.classList.toggle("sr-doc-empty", kept[at] === 0);
  // Grounds, not boxes: a bar that grows needs no layout.
  const share = (value) => `${Math.ceil((100 * value) / Math.max(1, all[at]))}% 100%`;
  row.bar.style.backgroundSize = `${share(kept[at])}, ${share(kept[at] + near[at])}`;
}

// Of the document (0) and of each heading's section with all below it (block + 1): blocks with text, kept ones, and
// skipped ones near the threshold.
function countsOf({ document, reading, near }) {
  const size = document.n + 1;
  const found = { kept: new Uint32Array(size), near: new Uint32Array(size), all: new Uint32Array(size) };
  const add = (name, at) => (found[name][at] += 1);
  for (let i = 0; i < document.n; i++) {
    if (!(reading.flags[i] & HAS_TEXT)) continue;
    const isKept = reading.status[i] !== SKIPPED;
    let at = document.kinds[i] === 0 ? i : document.parents[i];
    for (let step = 0; step < 32; step++) {
      add("all", at + 1);
      if (isKept) add("kept", at + 1);
      else if (near[i]) add("near", at + 1);
      if (at < 0) break;
      at = document.parents[at];
    }
  }
  return found;
}

function factsOf({ state, t }) {
  const { facts } = state.document;
  const without = facts.pages_without_text;
  return [
    facts.name,
    `${wordOr(t, "type", facts.document_type)} · ${wordOr(t, "language", facts.language)}`,
    t(facts.pages === 1 ? "doc.facts.page" : "doc.facts.pages", { pages: count(facts.pages ?? 0) }) +
      (without ? t("doc.facts.no_text", { pages: count(without) }) : ""),
    t("tokens", { count: count(facts.tokens ?? 0) }),
  ];
}
