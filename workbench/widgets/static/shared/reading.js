// A reading as arrays; workbench/widgets/reading_data.py writes them.

import { f32, f64, i32, texts, u32, u8 } from "./bytes.js";

export const SKIPPED = 0;
export const KEPT = 1;
export const PINNED = 2;
export const CONTEXT = 3;

export const HAS_TEXT = 1;
export const WORTH_A_SHARE = 2;
export const IS_PINNED = 4;
export const HEADER_ROW = 8;

export const KINDS = [
  "heading", "paragraph", "list_item", "table", "table_row", "code", "caption", "footnote", "header", "footer",
  "reference", "toc_entry", "form_field",
];

// What stays while a document is looked at.
export function documentOf(model) {
  const kinds = u8(model.get("kinds"));
  const hasText = model.get("offsets")?.byteLength > 0;
  return {
    n: kinds.length,
    text: hasText ? texts(model.get("text"), model.get("offsets")) : () => "",
    kinds,
    levels: u8(model.get("levels")),
    pages: u32(model.get("pages")),
    parents: i32(model.get("parents")),
    facts: model.get("facts"),
  };
}

// What a question, a rule or a cut changes.
export function readingOf(model) {
  const priority = f64(model.get("priority"));
  return {
    n: priority.length,
    relevance: f32(model.get("relevance")),
    weight: f32(model.get("weight")),
    priority,
    ties: u32(model.get("ties")),
    tokens: u32(model.get("tokens")),
    flags: u8(model.get("flags")),
    links: linksOf(i32(model.get("links")), priority.length),
    scale: model.get("scale"),
    offset: model.get("offset"),
    nothingRelevant: model.get("nothing_relevant"),
    question: model.get("question"),
    gold: u8(model.get("gold")),
    status: u8(model.get("status")),
    reason: u8(model.get("reason")),
    cut: model.get("cut"),
    budget: model.get("budget"),
    line: model.get("line"),
    bound: model.get("bound"),
    figures: model.get("figures"),
  };
}

// Priority - (threshold + offset) of a block; NaN without a threshold.
export function marginOf(reading, block, line = reading.line) {
  if (line === null || line === undefined) return NaN;
  const offset = reading.cut.kind === "threshold" && reading.scale === "calibrated" ? reading.offset : 0;
  return reading.priority[block] - (line + offset);
}

function linksOf(flat, n) {
  const headers = new Map();
  for (let at = 2 * n; at < flat.length; ) {
    const [table, size] = [flat[at], flat[at + 1]];
    headers.set(table, flat.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
  return { parents: flat.subarray(0, n), tables: flat.subarray(n, 2 * n), headers };
}
