// A table that is wider than the sight scrolls by itself, all its rows together; its bars and marks stay in sight.

import { h } from "../shared/dom.js";

const AT_HAND = ".sr-pr-at-hand > .sr-pr-table";
// Of the sight, by a key.
const STEP = 0.5;

export class PresentingTables {
  // `text` is the element that scrolls, with the chunks in it.
  constructor(text) {
    this.text = text;
    // How far each table is scrolled: what is not laid out may forget it.
    this.lefts = new Map();
    text.addEventListener("scroll", ({ target }) => this.scrolled(target), { capture: true, passive: true });
  }

  clear() {
    this.lefts.clear();
  }

  // The elements of a chunk from its [{ element, table }], with -1 for what is in no table: rows of one table that
  // follow each other are in one holder.
  held(chunk, shown) {
    const groups = [];
    for (const { element, table } of shown) {
      const open = groups.at(-1);
      if (table >= 0 && open?.table === table) open.elements.push(element);
      else groups.push({ table, elements: [element] });
    }
    chunk.holders = [];
    return groups.map(({ table, elements }) => {
      if (table < 0) return elements[0];
      const holder = h("div", { class: "sr-pr-table", tabindex: "-1", dataset: { table: String(table) } }, elements);
      chunk.holders.push(holder);
      return holder;
    });
  }

  // What is laid out again stands where its table does.
  place({ holders }) {
    for (const holder of holders) {
      const left = this.lefts.get(holder.dataset.table);
      if (left !== undefined && holder.scrollLeft !== left) holder.scrollLeft = left;
    }
  }

  // A long table has several holders, which move together.
  scrolled(holder) {
    const { table } = holder.dataset;
    if (table === undefined || !holder.matches(AT_HAND) || this.lefts.get(table) === holder.scrollLeft) return;
    this.lefts.set(table, holder.scrollLeft);
    for (const one of this.text.querySelectorAll(AT_HAND)) {
      if (one.dataset.table === table && one.scrollLeft !== holder.scrollLeft) one.scrollLeft = holder.scrollLeft;
    }
  }

  // Moves the table of a row, if it is wider than the sight; says whether it is.
  aside(row, by) {
    const holder = row?.closest(".sr-pr-table");
    if (!holder || !isWide(holder)) return false;
    holder.scrollBy({ left: by * STEP * holder.clientWidth, behavior: "instant" });
    return true;
  }
}

export const isWide = (holder) => holder.scrollWidth > holder.clientWidth;
