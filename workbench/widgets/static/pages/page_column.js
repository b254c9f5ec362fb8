// The column of pages: empty sheets of the right size, which are filled as they come near and emptied far away.

import { actions } from "../shared/actions.js";
import { i32, f32 } from "../shared/bytes.js";
import { h, replace } from "../shared/dom.js";
import { marksOver, titleOf } from "./page_marks.js";

// Widths of pictures in pixels: few, so that a small change of size asks for nothing.
const WIDTHS = [600, 900, 1200, 1600, 2400];
const WIDTH_ALONE = 1200;
const AT_ONCE = 2;
const FILL_MARGIN = "100% 0px";
const DROP_MARGIN = "300% 0px";

// Returns { element, sheets, paint(), refill(), dispose() }; `view` has model, state, t, scale, scroller.
export function columnOf(view, filled) {
  const sheets = view.state.pages.map((page) => sheetOf(view, page));
  const element = h("div", { class: "sr-pages" }, sheets.map((sheet) => sheet.element));
  const loader = loaderOf(view, sheets, filled);
  const bySheet = new Map(sheets.map((sheet) => [sheet.element, sheet]));
  const observers = [
    observe(view, bySheet, FILL_MARGIN, (sheet, isNear) => {
      sheet.wanted = isNear;
      if (isNear) loader.pump();
    }),
    observe(view, bySheet, DROP_MARGIN, (sheet, isNear) => isNear || sheet.empty()),
  ];
  return {
    element,
    sheets,
    paint: () => sheets.forEach((sheet) => sheet.paint()),
    refill: loader.pump,
    dispose() {
      loader.stop();
      observers.forEach((observer) => observer.disconnect());
      sheets.forEach((sheet) => sheet.empty());
    },
  };
}

function observe(view, bySheet, rootMargin, then) {
  const observer = new IntersectionObserver(
    (entries) => {
      // Behind another tab nothing is near, and nothing needs to be dropped for that.
      if (!view.scroller.clientHeight) return;
      for (const entry of entries) then(bySheet.get(entry.target), entry.isIntersecting);
    },
    { root: view.scroller, rootMargin },
  );
  for (const [element, sheet] of bySheet) if (sheet.page.width > 0) observer.observe(element);
  return observer;
}

// Asks for at most two pages at a time, nearest first: who scrolls past a page never asks for it.
function loaderOf(view, sheets, filled) {
  let asking = 0;
  let stopped = false;
  const pump = () => {
    while (!stopped && asking < AT_ONCE) {
      const sheet = nearest(view, sheets);
      if (!sheet) return;
      void fill(sheet, widthFor(view, sheet.page));
    }
  };
  const fill = async (sheet, width) => {
    asking += 1;
    sheet.wait(width);
    const answer = await actions(view.model).ask("page", { page: sheet.page.number, width });
    asking -= 1;
    if (stopped) return;
    if (sheet.wanted) sheet.fill(answer, width);
    else sheet.empty();
    filled();
    pump();
  };
  return { pump, stop: () => (stopped = true) };
}

function widthFor(view, page) {
  if (view.model.alone) return WIDTH_ALONE;
  const needed = page.across * view.scale * (globalThis.devicePixelRatio || 1);
  return WIDTHS.find((width) => width >= needed) ?? WIDTHS.at(-1);
}

function nearest(view, sheets) {
  const frame = view.scroller.getBoundingClientRect();
  const middle = frame.top + frame.height / 2;
  let best = null;
  let least = Infinity;
  for (const sheet of sheets) {
    if (!sheet.wanted || sheet.asked >= widthFor(view, sheet.page)) continue;
    const { top, bottom } = sheet.element.getBoundingClientRect();
    const distance = Math.max(0, top - middle, middle - bottom);
    if (distance < least) [best, least] = [sheet, distance];
  }
  return best;
}

function sheetOf(view, page) {
  const paper = h("div", { class: "sr-page-paper" });
  const element = h(
    "section",
    { class: "sr-page", "aria-label": titleOf(page, view.t), dataset: { page: String(page.number), state: "empty" } },
    paper,
    h("div", { class: "sr-page-number" }, titleOf(page, view.t)),
  );
  element.style.setProperty("--sr-width", String(page.across));
  element.style.setProperty("--sr-height", String(page.down));
  if (!(page.width > 0)) {
    element.dataset.state = "none";
    replace(paper, h("p", { class: "sr-page-note" }, view.t("page.no_geometry.part")));
  }
  const sheet = { page, element, wanted: false, asked: 0, marks: null, address: "" };
  sheet.paint = () => sheet.marks?.paint();
  sheet.wait = (width) => {
    sheet.asked = width;
    if (!sheet.marks) replace(paper, h("p", { class: "sr-page-wait" }, view.t("page.drawing")));
  };
  sheet.fill = (answer, width) => fillSheet(view, sheet, paper, answer, width);
  sheet.empty = () => emptySheet(sheet, paper);
  return sheet;
}

function fillSheet(view, sheet, paper, { value, buffers, error }, width) {
  const before = sheet.address;
  const state = error ? "failed" : value.state;
  const [picture, blocks, boxes] = error ? [null, null, null] : buffers;
  sheet.asked = width;
  sheet.marks = marksOver(view, sheet.page, i32(blocks), f32(boxes), value?.texts ?? []);
  sheet.address = state === "drawn" ? URL.createObjectURL(new Blob([picture], { type: value.media_type })) : "";
  const image = sheet.address && h("img", { class: "sr-page-image", alt: "", src: sheet.address, draggable: "false" });
  replace(paper, image, sheet.marks.texts, sheet.marks.element, noteOf(view, state, error ?? value.reason));
  sheet.element.dataset.state = state;
  if (before) URL.revokeObjectURL(before);
}

function noteOf({ t }, state, reason) {
  if (state === "not_saved") return h("p", { class: "sr-page-note" }, t("page.not_saved"));
  if (state !== "failed") return null;
  return h("p", { class: "sr-page-note", role: "note" }, h("strong", {}, t("page.failed")), " ", reason);
}

function emptySheet(sheet, paper) {
  sheet.wanted = false;
  sheet.asked = 0;
  if (sheet.page.width > 0) paper.replaceChildren();
  if (sheet.address) URL.revokeObjectURL(sheet.address);
  Object.assign(sheet, { marks: null, address: "" });
  if (sheet.page.width > 0) sheet.element.dataset.state = "empty";
}
