// Why the block at hand is kept or skipped: a sum that a person can check, who spoke, and what would turn it.

import { shortened, visible } from "./document_block.js";
import { labelSection } from "./document_label_section.js";
import { kindOf, runOf, sectionsOf } from "./document_state.js";
import { partsOf, short, sumOf } from "./document_sum.js";
import { wordOr } from "./document_words.js";
import { h, replace } from "../shared/dom.js";
import { count, fixed, percent, signed } from "../shared/numbers.js";
import { CONTEXT, HAS_TEXT, KEPT, PINNED } from "../shared/reading.js";
import { languageOf } from "../shared/words.js";

const STATUS = { [KEPT]: "kept", [PINNED]: "pinned", [CONTEXT]: "context" };
const REASONS = [
  "under_cut", "over_cut", "tied", "pinned", "context", "no_room", "pinned_no_room", "running_line", "no_text",
  "no_evidence", "nothing_relevant", "in_focus", "out_of_focus",
];

const ASK_MS = 90;
const MOST_TERMS = 8;

// Returns { element, paint(), forget(), dispose() }; `view.ask(block)` resolves to what the kernel knows, or null.
export function explanationOf(view) {
  const held = h("section", { class: "sr-doc-why sr-doc-why-held", hidden: true });
  const chosen = h("section", { class: "sr-doc-why", "aria-live": "polite" });
  const element = h("div", { class: "sr-doc-explanation" }, held, chosen);
  const answers = new Map();
  let asked = new Set();
  let timer = 0;
  let nothing = false;

  // `moving`: a slider moves, and what the kernel said of turns is of another cut.
  function paint(moving = false) {
    const { selected, pin } = view;
    held.hidden = pin < 0;
    if (pin >= 0) replace(held, explained(view, known(pin, moving), { held: true }));
    // What says that nothing is at hand need not be said again with each move of a slider.
    if (selected >= 0 || !nothing) replace(chosen, chosenParts(selected, moving));
    nothing = selected < 0;
    clearTimeout(timer);
    if (!moving) timer = setTimeout(ask, ASK_MS);
  }

  function chosenParts(selected, moving) {
    if (selected < 0) return quietly(view.t(view.state.document.n ? "why.nothing" : "doc.empty"));
    if (view.state.folded[selected] !== -1) return runParts(view, selected);
    return explained(view, known(selected, moving), { held: false });
  }

  function known(block, moving) {
    const local = localOf(view, block);
    const answer = answers.get(block);
    return answer ? { ...answer, ...local, flips: moving ? [] : answer.flips } : local;
  }

  function ask() {
    for (const block of new Set([view.pin, view.selected])) if (block >= 0 && !asked.has(block)) askOf(block);
  }

  // What comes when the reading is another one by then is dropped.
  async function askOf(block) {
    const round = asked;
    asked.add(block);
    const answer = await view.ask(block);
    if (asked !== round || !answer) return;
    answers.set(block, answer);
    if (block === view.selected || block === view.pin) paint(view.moving);
  }

  function forget() {
    nothing = false;
    answers.clear();
    asked = new Set();
  }
  return { element, paint, forget, dispose: () => clearTimeout(timer) };
}

const quietly = (...said) => h("p", { class: "sr-doc-quiet" }, said);
const titled = (title, ...parts) => h("section", {}, h("h3", { class: "sr-label" }, title), parts);
const listed = (rows) => h("dl", { class: "sr-doc-facts-list" }, rows);

// What the arrays say, without the kernel.
function localOf({ state, moving }, block) {
  const { document, reading } = state;
  const status = STATUS[reading.status[block]] ?? "skipped";
  const offset = reading.cut.kind === "threshold" && reading.scale === "calibrated" ? reading.offset : 0;
  const bySlider = { kept: "over_cut", pinned: "pinned", context: "context", skipped: "under_cut" }[status];
  return {
    block,
    status,
    kind: kindOf(document, block),
    reason: moving ? bySlider : REASONS[reading.reason[block]],
    relevance: reading.relevance[block],
    scale: reading.scale,
    weight: reading.weight[block],
    priority: reading.priority[block],
    threshold: reading.line,
    offset,
    page: document.pages[block],
    titles: sectionsOf(document, block).reverse(),
    hasText: (reading.flags[block] & HAS_TEXT) !== 0,
  };
}

function explained(view, found, { held }) {
  const { t } = view;
  const head = t(held ? "why.held" : "why.selected", { page: count(found.page), kind: t(`kind.${found.kind}`) });
  const button = h(
    "button",
    { class: "sr-plain", onclick: () => view.hold(held ? null : found.block) },
    t(held ? "why.release" : "why.hold"),
    " ",
    h("kbd", { class: "sr-key" }, held ? "Esc" : "Enter"),
  );
  return [
    h("div", { class: "sr-doc-why-head" }, h("h2", { class: "sr-label" }, head), !view.compact && button),
    path(view, found),
    held && h("p", { class: "sr-doc-excerpt", dir: "auto" }, shortened(view.text(found.block), 90)),
    numbers(view, found),
    found.hasText && sum(view, found),
    h("p", { class: `sr-doc-reason sr-doc-reason-${found.status}` }, reasonOf(view, found)),
    labelSection(view, found.block, { held }),
    !held && rules(view, found),
    flips(view, found),
    !held && source(view, found),
    !held && anchor(view, found),
  ];
}

function path({ text }, { titles }) {
  if (!titles.length) return null;
  return h("p", { class: "sr-doc-path", dir: "auto" }, titles.map((block) => shortened(text(block), 60)).join(" › "));
}

function numbers({ t, state }, found) {
  const type = wordOr(t, "type", state.document.facts.document_type);
  const offset = found.offset ? t("why.offset", { type, offset: signed(found.offset) }) : "";
  const hasCut = Number.isFinite(found.threshold);
  const cut = hasCut ? found.threshold + found.offset : NaN;
  const label = state.reading.cut.kind === "share" ? "why.share_line" : "why.threshold";
  const rows = [
    [t(`why.relevance.${found.scale}`), fixed(found.relevance, found.relevance < 0.1 ? 3 : 2)],
    [t("why.weight"), `× ${short(found.weight)}`],
    [t(label) + offset, hasCut ? fixed(cut, cut < 0.1 ? 3 : 2) : t("none")],
    found.rank && [t("why.rank"), t("why.rank_of", { rank: count(found.rank), blocks: count(found.blocks) })],
  ];
  return listed(rows.filter(Boolean).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function sum({ t }, found) {
  const shown = sumOf({ ...found, threshold: found.threshold ?? NaN });
  const lines = [`${shown.factors} = ${shown.priority}`];
  if (shown.moved) lines.push(`θ ${shown.moved} = ${shown.line}`);
  const last = shown.margin && [
    `${shown.priority} \u2212 ${shown.line.startsWith("\u2212") ? `(${shown.line})` : shown.line} = `,
    h("b", { class: shown.margin.startsWith("\u2212") ? "" : "sr-doc-over" }, shown.margin),
    ` → ${t(`status.${found.status}`)}`,
  ];
  return h("div", { class: "sr-doc-sum" }, lines.map((line) => h("div", {}, line)), last && h("div", {}, last));
}

function reasonOf({ t }, found) {
  const { needed = 0, left = 0 } = found.refused ?? {};
  const values = { rule: found.pinned_by ?? "", needed: count(needed), left: count(left) };
  const named = found.reason === "pinned" && !found.pinned_by ? "pinned.unnamed" : found.reason;
  const unsized = named === "no_room" && !found.refused ? "no_room.unsized" : named;
  return t(`reason.${unsized}`, values);
}

const ruleReason = (reason) =>
  h("div", { class: "sr-doc-quiet", dir: "auto", lang: languageOf(reason) }, visible(reason));

function rules({ t }, found) {
  if (!found.rules) return null;
  if (!found.rules.length) return quietly(t("why.no_rule"));
  const items = found.rules.map((rule) => {
    const says = [`× ${short(rule.weight)}`, rule.pin && t("why.pins")].filter(Boolean).join(", ");
    const outcome = rule.won ? "" : ` · ${t(rule.weight === 1 ? "why.changes_nothing" : "why.weaker")}`;
    return h(
      "li",
      { class: rule.won ? "" : "sr-doc-weaker" },
      h("code", {}, visible(rule.name)),
      ` ${says}${outcome}`,
      rule.reason && ruleReason(rule.reason),
    );
  });
  return titled(t("why.rules"), h("ul", { class: "sr-doc-rules" }, items));
}

function flips({ t }, found) {
  if (!found.flips?.length) return null;
  const said = found.flips.map((flip) => {
    const none = flip.value === null ? ".none" : "";
    const all = flip.quantity === "pin" && found.status === "pinned" && flip.outcome === "kept";
    const outcome = all ? "unpinned_kept" : flip.outcome;
    return h("li", {}, t(`flip.${flip.quantity}${none}.${outcome}`, { value: flip.shown }));
  });
  return titled(t("why.flips"), h("ul", { class: "sr-doc-flips" }, said));
}

// Where the relevance comes from: what the scorer added up, and the words that it found.
function source({ t }, found) {
  if (!found.parts) return null;
  const { parts, sum: total } = partsOf(found.parts, found.logit);
  const rows = parts.map(({ name, shown }) => [h("dt", {}, wordOr(t, "part", name)), h("dd", {}, shown)]);
  const terms = found.matched.slice(0, MOST_TERMS).map((match) => termOf(t, match));
  return titled(
    t("why.source"),
    listed([rows, h("dt", {}, t("why.logit")), h("dd", { class: "sr-doc-total" }, total)]),
    terms.length > 0 && h("p", { class: "sr-doc-terms", "aria-label": t("why.matched") }, terms),
    found.share_read < 0.995 && quietly(t("why.share_read", { share: percent(found.share_read, 0) })),
    found.feedback !== null && quietly(t("why.feedback", { factor: short(found.feedback) })),
  );
}

function termOf(t, { term, value, around }) {
  const title = around ? t("why.around") : "";
  const shown = `${visible(term)}${around ? " ↑" : ""} `;
  return h("span", { class: "sr-doc-term", title }, shown, h("small", {}, fixed(value)));
}

function anchor({ t }, found) {
  if (!found.anchor) return null;
  const { pages, lines, locator, boxes } = found.anchor;
  const said = [rangeSaid(t, pages[0], pages[pages.length - 1], ["page", "why.pages"])];
  if (lines) said.push(rangeSaid(t, lines[0], lines[1], ["why.line", "why.lines"]));
  if (locator) said.push(visible(locator));
  if (boxes.length) said.push(t("why.box", { box: around(boxes).map((value) => fixed(value, 0)).join(", ") }));
  said.push(t("why.block", { block: String(found.block) }));
  return titled(t("why.anchor"), quietly(said.join(" · ")));
}

function rangeSaid(t, first, last, [one, several]) {
  if (first === last) return t(one, { page: count(first), line: count(first) });
  return t(several, { first: count(first), last: count(last) });
}

// Around the boxes of the first page.
function around(boxes) {
  const own = boxes.filter((box) => box[0] === boxes[0][0]);
  const all = (k, pick) => pick(...own.map((box) => box[k]));
  return [all(1, Math.min), all(2, Math.min), all(3, Math.max), all(4, Math.max)];
}

// A folded run at hand: the block in it that comes closest.
function runParts(view, block) {
  const { t, state } = view;
  const [first, last] = runOf(state, block);
  let best = -1;
  let blocks = 0;
  for (let i = first; i < last; i++) {
    if (!(state.reading.flags[i] & HAS_TEXT)) continue;
    blocks += 1;
    if (best < 0 || state.reading.priority[i] > state.reading.priority[best]) best = i;
  }
  const margin = state.reading.priority[best] - state.at;
  return [
    h("h2", { class: "sr-label" }, t("why.run", { blocks: count(blocks) })),
    h("p", {}, t(Number.isFinite(margin) ? "why.run_best" : "reason.nothing_relevant", { margin: fixed(margin, 3) })),
    h("p", { class: "sr-doc-excerpt", dir: "auto" }, shortened(view.text(best), 160)),
    h("button", { class: "sr-button", onclick: () => view.showFound(best) }, t("why.run_show")),
  ];
}
