// The text of a document in chunks of blocks. A chunk is drawn when it comes near to sight, and not laid out while it
// is far from it; until then its height is a guess. What is looked at stays where it is when folds come and go.
//
// Every question where something stands makes the browser lay out what was written before it. So what can be known
// without asking is remembered from the last look, and all is written before anything is asked.

import { blockElement, foldElement, paintBlock, paintFold } from "./document_block.js";
import { hasText, kindOf } from "./document_state.js";
import { h } from "../shared/dom.js";

const CHUNK = 25;
// Of the height in sight, drawn beyond it; less while a slider moves.
const AHEAD = 0.4;
const LEAST_AHEAD = 0.05;
// How long nothing must have been painted before what is out of sight is drawn ahead and gets the height of its guess.
const REST_MS = 150;
// What draw() has done.
const [NOTHING, PAINTED, ARRANGED] = [0, 1, 2];
const [LINE, GAP, ROW, FOLD, HEADING] = [24, 8, 28, 34, 44];
const CHARACTER = 7.2;
const ROUNDS = 8;

export class DocumentText {
  // `view`: { state, t, text(i), tables, prefix, selected, pin, choose(block), toggle(first), moved() }
  constructor(view) {
    this.view = view;
    const label = view.t("doc.text");
    this.element = h("div", { class: "sr-doc-scroll", role: "listbox", tabindex: "0", "aria-label": label });
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.element);
    this.chunks = [];
    this.size = { width: 0, height: 0 };
    this.sight = [0, -1];
    this.held = undefined;
    this.late = false;
    // What is to be brought into sight once somebody can see it.
    this.owed = null;
    this.ahead = AHEAD;
  }

  dispose() {
    clearTimeout(this.timer);
    this.sizes.disconnect();
  }

  // Whether nobody can see it now; what it should show then is painted when somebody does.
  get isHidden() {
    return this.size.height === 0;
  }

  measure() {
    this.size = { width: this.element.clientWidth, height: this.element.clientHeight };
    this.held = undefined;
  }

  resized() {
    this.measure();
    if (this.late && !this.isHidden) this.view.repaint(this.view.moving);
    else this.look();
    if (this.owed && !this.isHidden) this.reveal(...this.owed);
  }

  scrolled() {
    this.held = undefined;
    this.look();
  }

  // Another document.
  build() {
    const { n } = this.view.state.document;
    this.chunks = [];
    for (let first = 0; first < n; first += CHUNK) {
      const element = h("div", { class: "sr-doc-chunk", role: "presentation" });
      const last = Math.min(n, first + CHUNK);
      this.chunks.push({ first, last, element, rows: new Map(), layout: null, stale: true, near: false });
    }
    this.element.replaceChildren(...this.chunks.map((chunk) => chunk.element));
    this.element.scrollTop = 0;
    this.owed = null;
    this.measure();
    this.guess();
    this.fit();
    this.look();
  }

  // The same document with other numbers, folds or selection.
  paint() {
    for (const chunk of this.chunks) chunk.stale = true;
    this.late = this.isHidden;
    if (this.late) return;
    const anchor = this.anchor();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settled(), REST_MS);
    this.ahead = this.view.moving ? LEAST_AHEAD : AHEAD;
    if (this.repainted()) return this.view.moved();
    this.guess();
    this.drawAround(anchor);
    this.look(anchor);
  }

  // Paints what is in reach, and says whether all of it has stayed in its place: then nobody needs to ask where it is.
  repainted() {
    if (this.held === undefined || this.view.find.isOpen()) return false;
    const done = this.chunks.map((chunk) => (chunk.near ? this.draw(chunk) : NOTHING));
    return !done.includes(ARRANGED);
  }

  settled() {
    const anchor = this.anchor();
    this.ahead = AHEAD;
    this.guess();
    this.fit();
    this.look(anchor);
  }

  // Draws what the guesses say will be in reach, so that all of it is laid out at once.
  drawAround(anchor) {
    const { height } = this.size;
    const middle = anchor ? Math.floor(anchor.block / CHUNK) : 0;
    const top = anchor?.top ?? 0;
    const draw = (c, step, room) => {
      for (let left = room; left > 0 && this.chunks[c]; c += step) {
        this.draw(this.chunks[c]);
        left -= this.chunks[c].guessed;
      }
    };
    if (this.chunks.length) this.draw(this.chunks[middle]);
    draw(middle + 1, 1, (1 + this.ahead) * height - top);
    draw(middle - 1, -1, this.ahead * height + top);
  }

  // Draws what is near to sight, and lets what is far rest. What is drawn has another height than was guessed, so an
  // anchor is put back to its place until nothing moves.
  look(anchor = null) {
    if (!this.chunks.length || this.isHidden) return this.view.moved();
    let reach = null;
    for (let round = 0; round < ROUNDS && !reach; round++) {
      const held = anchor ? this.hold(anchor) : true;
      const [from, to] = this.inReach();
      let drawn = 0;
      for (let c = from; c <= to; c++) drawn += this.draw(this.chunks[c]) === NOTHING ? 0 : 1;
      if (!drawn && held) reach = [from, to];
    }
    this.sight = this.inSight();
    this.held = undefined;
    this.held = this.anchor();
    this.view.moved();
    if (reach) this.rest(...reach);
  }

  // Brings a block into sight; `place` is "nearest", "start" or "middle".
  reveal(block, place = "nearest") {
    this.owed = this.isHidden ? [block, place] : null;
    if (this.owed) return;
    for (let round = 0; round < 3; round++) {
      const element = this.elementOf(block);
      if (!element) return;
      const height = this.element.clientHeight;
      const top = this.topOf(element);
      const size = element.offsetHeight;
      const slack = Math.min(48, height / 8);
      let want = top;
      if (place === "start") want = slack / 2;
      else if (place === "middle") want = Math.max(slack, (height - size) / 2);
      else if (top < slack) want = slack;
      else if (top + size > height - slack) want = Math.max(slack, height - slack - size);
      if (Math.abs(top - want) >= 1) this.element.scrollTop += top - want;
      this.look();
    }
  }

  // The element that shows a block, or the fold that it is in; drawn if it was not.
  elementOf(block) {
    const folded = this.view.state.folded[block];
    if (folded === undefined) return null;
    const shown = folded === -1 ? block : folded;
    const chunk = this.chunks[Math.floor(shown / CHUNK)];
    this.draw(chunk);
    return chunk.rows.get(folded === -1 ? shown : -1 - shown) ?? null;
  }

  // Paints a block, or the fold that it is in, if it is drawn.
  touch(block) {
    const { folded } = this.view.state;
    if (block < 0 || block >= folded.length) return;
    const shown = folded[block] === -1 ? block : folded[block];
    const chunk = this.chunks[Math.floor(shown / CHUNK)];
    const element = chunk.rows.get(folded[block] === -1 ? shown : -1 - shown);
    if (!element || chunk.stale) return;
    if (folded[block] === -1) paintBlock(this.view, element, shown);
    else paintFold(this.view, element, shown);
  }

  // Says to those who do not see it which block is at hand.
  point(block) {
    this.held = undefined;
    const element = block >= 0 ? this.elementOf(block) : null;
    if (element) this.element.setAttribute("aria-activedescendant", element.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  drawnBlocks() {
    const found = [];
    for (const chunk of this.chunks) {
      if (chunk.near && chunk.shown) for (const [key] of chunk.shown) if (key >= 0) found.push(key);
    }
    return found;
  }

  // The first and last block in sight.
  inSight() {
    const height = this.element.clientHeight;
    let first = -1;
    let last = -1;
    for (let c = this.chunkAt(this.element.scrollTop); c < this.chunks.length; c++) {
      for (const row of this.chunks[c].element.children) {
        const top = this.topOf(row);
        if (top > height) return [Math.max(0, first), last];
        if (row.hidden || top + row.offsetHeight <= 0) continue;
        if (first < 0) first = Number(row.dataset.block ?? row.dataset.fold);
        last = Number(row.dataset.block ?? row.dataset.last - 1);
      }
    }
    return [Math.max(0, first), last];
  }

  clicked(event) {
    if (event.defaultPrevented || String(getSelection())) return;
    const row = event.target.closest("[data-block], [data-fold]");
    if (!row) return;
    if (row.dataset.fold !== undefined) this.view.toggle(Number(row.dataset.fold));
    else this.view.choose(Number(row.dataset.block));
  }

  // Makes a chunk what it should be; what is painted alone has stayed as high as it was.
  draw(chunk) {
    if (!chunk.near) {
      chunk.near = true;
      chunk.element.classList.add("sr-doc-at-hand");
    }
    if (!chunk.stale) return NOTHING;
    const { folded } = this.view.state;
    const layout = folded.slice(chunk.first, chunk.last);
    const same = chunk.layout && layout.every((value, k) => value === chunk.layout[k]) && !this.foldsChanged(chunk);
    if (!same) this.arrange(chunk, layout);
    let done = same ? PAINTED : ARRANGED;
    for (const [key, element] of chunk.shown) {
      if (key < 0) paintFold(this.view, element, -1 - key);
      else if (paintBlock(this.view, element, key)) done = ARRANGED;
    }
    chunk.stale = false;
    return done;
  }

  arrange(chunk, layout) {
    const shown = [];
    layout.forEach((first, k) => {
      const i = chunk.first + k;
      if (first === -1) {
        if (!chunk.rows.has(i)) chunk.rows.set(i, blockElement(this.view, i));
        shown.push([i, chunk.rows.get(i)]);
      } else if (first === i) {
        const element = foldElement(this.view, i);
        chunk.rows.set(-1 - i, element);
        shown.push([-1 - i, element]);
      }
    });
    chunk.layout = layout;
    chunk.shown = shown;
    chunk.element.replaceChildren(...shown.map(([, element]) => element));
  }

  // A run may end in another chunk: its line says how long it is.
  foldsChanged(chunk) {
    const { folded } = this.view.state;
    return chunk.shown.some(([key, element]) => {
      if (key >= 0) return false;
      const last = Number(element.dataset.last);
      return folded[last - 1] !== -1 - key || folded[last] === -1 - key;
    });
  }

  rest(from, to) {
    const far = this.chunks.filter((chunk, c) => chunk.near && (c < from || c > to));
    const heights = far.map((chunk) => chunk.element.offsetHeight);
    far.forEach((chunk, k) => {
      chunk.near = false;
      chunk.guessed = chunk.fitted = heights[k];
      chunk.element.style.containIntrinsicBlockSize = `${heights[k]}px`;
      chunk.element.classList.remove("sr-doc-at-hand");
    });
  }

  // How high each chunk would be.
  guess() {
    const { state } = this.view;
    const letters = Math.max(20, Math.min(75, (this.size.width - 220) / CHARACTER));
    for (const chunk of this.chunks) {
      chunk.guessed = 0;
      for (let i = chunk.first; i < chunk.last; i++) chunk.guessed += guessOf(state, i, letters);
    }
  }

  // Gives what is out of reach the height that it would have, for the scroll bar; says whether anything has changed.
  fit() {
    let changed = false;
    for (const chunk of this.chunks) {
      if (chunk.near || chunk.guessed === chunk.fitted) continue;
      chunk.fitted = chunk.guessed;
      chunk.element.style.containIntrinsicBlockSize = `${chunk.guessed}px`;
      changed = true;
    }
    return changed;
  }

  // Where the block is that must not move: the one at hand if it is in sight, else the first that is; null at the top.
  anchor() {
    if (this.held !== undefined) return this.held;
    if (this.isHidden || !this.chunks.length || !this.element.scrollTop) return null;
    const chosen = this.view.selected;
    const [first, last] = this.inSight();
    if (last < 0) return null;
    const block = chosen >= first && chosen <= last ? chosen : first;
    const row = this.rowShowing(block);
    return row ? { block, top: this.topOf(row) } : null;
  }

  // The element as it was drawn last, whatever has changed since.
  rowShowing(block) {
    const chunk = this.chunks[Math.floor(block / CHUNK)];
    const row = chunk.rows.get(block);
    if (row?.isConnected) return row;
    for (const found of this.chunks.flatMap((other) => (other.near ? other.shown ?? [] : []))) {
      const [key, element] = found;
      if (key < 0 && block >= -1 - key && block < Number(element.dataset.last)) return element;
    }
    return null;
  }

  // Whether the anchor was in its place already; puts it there if not.
  hold({ block, top }) {
    const element = this.elementOf(block);
    const moved = element ? this.topOf(element) - top : 0;
    if (Math.abs(moved) < 1) return true;
    const before = this.element.scrollTop;
    this.element.scrollTop = before + moved;
    return this.element.scrollTop === before;
  }

  inReach() {
    const { height } = this.size;
    const { scrollTop } = this.element;
    return [this.chunkAt(scrollTop - this.ahead * height), this.chunkAt(scrollTop + (1 + this.ahead) * height)];
  }

  chunkAt(y) {
    let [low, high] = [0, this.chunks.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { element } = this.chunks[middle];
      if (element.offsetTop + element.offsetHeight <= y) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  topOf(element) {
    return element.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
  }
}

function guessOf(state, i, letters) {
  const folded = state.folded[i];
  if (folded !== -1) return folded === i ? FOLD : 0;
  if (!hasText(state, i)) return 0;
  const kind = kindOf(state.document, i);
  if (kind === "heading") return HEADING;
  if (kind === "table_row") return ROW;
  return LINE * Math.max(1, Math.ceil(state.document.sizes[i] / letters)) + GAP;
}
