// The document in large type: all blocks in chunks that are laid out when they come near to sight, and a quiet line for
// each skipped run. What is faded is hidden by one attribute; a cut touches only the blocks that crossed.

import { textElement } from "../document/document_block.js";
import { isLost } from "../document/document_margins.js";
import { hasText, kindOf } from "../document/document_state.js";
import { h, write } from "../shared/dom.js";
import { CONTEXT, KEPT, PINNED, SKIPPED } from "../shared/reading.js";
import { glide, isStill } from "./presenting_motion.js";
import { runElement } from "./presenting_run.js";
import { PresentingTables } from "./presenting_tables.js";

const CHUNK = 40;
const STATUS = { [SKIPPED]: "skipped", [KEPT]: "kept", [PINNED]: "pinned", [CONTEXT]: "context" };
const DEEPEST = 6;
const FADE_MS = 320;
// Where what is looked at stands, from the top, and how much beyond the sight is laid out, both of the height.
const [PLACE, ABOVE, BELOW] = [0.2, 2, 2.2];
// Guessed heights of what is not laid out, in lines; letters are half as wide as high.
const [LINE, GAP, RUN] = [1.5, 0.6, 2.2];
const SMOOTH = 1.6;
const AHEAD = "100% 0px";
const SLACK = 12;

export class PresentingText {
  // `view`: { state, t, text(i), tables, runs, toggle(first) }
  constructor(view) {
    this.view = view;
    this.element = h("div", { class: "sr-pr-scroll" });
    this.body = h("div", { class: "sr-pr-body", role: "region", "aria-label": view.t("present.text") });
    this.element.append(this.body);
    this.element.addEventListener("click", (event) => {
      const line = event.target.closest("[data-run]");
      if (line) view.toggle(Number(line.dataset.run));
    });
    this.tables = new PresentingTables(this.element);
    this.faded = false;
    this.timer = 0;
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.element);
    this.sight = new IntersectionObserver((entries) => this.seen(entries), { root: this.element, rootMargin: AHEAD });
  }

  dispose() {
    clearTimeout(this.timer);
    this.sizes.disconnect();
    this.sight.disconnect();
  }

  // Another document.
  build() {
    const { n } = this.view.state.document;
    this.rows = new Array(n).fill(null);
    this.opened = new Uint8Array(n);
    this.current = null;
    this.tables.clear();
    this.chunks = [];
    for (let first = 0; first < n; first += CHUNK) {
      const chunk = { first, last: Math.min(n, first + CHUNK), layout: "", near: false, shown: [], holders: [] };
      chunk.element = h("div", { class: "sr-pr-chunk" });
      this.chunks.push(chunk);
    }
    for (let i = 0; i < n; i += 1) if (hasText(this.view.state, i)) this.rows[i] = this.blockElement(i);
    this.paint();
    this.body.replaceChildren(...this.chunks.map(({ element }) => element));
    this.sight.disconnect();
    for (const { element } of this.chunks) this.sight.observe(element);
    this.element.scrollTop = 0;
  }

  blockElement(i) {
    const { state, t } = this.view;
    const kind = kindOf(state.document, i);
    const level = Math.min(DEEPEST, Math.max(1, state.document.levels[i]));
    const heading = kind === "heading" ? { role: "heading", "aria-level": String(level) } : {};
    const mark = h("span", { class: "sr-pr-mark" });
    const row = h(
      "div",
      { class: "sr-pr-block", dataset: { block: String(i), kind, level: String(level) }, ...heading },
      mark,
      textElement({ ...this.view, t }, i, kind),
    );
    row.mark = mark;
    row.said = "";
    return row;
  }

  // The same document with another decision.
  paint() {
    const starts = new Map(this.view.runs.map((run) => [run.first, run]));
    let before = "";
    for (const chunk of this.chunks) {
      const layout = [];
      for (let i = chunk.first; i < chunk.last; i += 1) {
        if (!this.rows[i]) continue;
        const run = starts.get(i);
        if (run) layout.push(`${i}:${run.last}:${run.tokens}:${run.gold}`);
        before = this.paintBlock(i, before);
      }
      // Lines are made anew only where a run is another one.
      if (chunk.layout === layout.join() && chunk.element.childElementCount) continue;
      chunk.layout = layout.join();
      this.fill(chunk, starts);
    }
    this.guess();
  }

  fill(chunk, starts) {
    const shown = [];
    for (let i = chunk.first; i < chunk.last; i += 1) {
      if (!this.rows[i]) continue;
      const table = this.tableOf(i);
      if (starts.has(i)) {
        const line = runElement(this.view, starts.get(i), this.opened[i] === 1);
        shown.push({ element: line, table: this.tableOf(i - 1) === table ? table : -1 });
      }
      shown.push({ element: this.rows[i], table });
    }
    chunk.shown = shown.map(({ element }) => element);
    chunk.element.replaceChildren(...this.tables.held(chunk, shown));
    if (chunk.near) this.tables.place(chunk);
  }

  // The table of a row; one that is in none is a table of its own, and what is no row has -1.
  tableOf(i) {
    const { document, reading } = this.view.state;
    if (i < 0 || kindOf(document, i) !== "table_row") return -1;
    const table = reading.links.tables[i] ?? -1;
    return table < 0 ? document.n + i : table;
  }

  // Moves the wide table at hand, else the first one in sight.
  aside(by) {
    const rows = [...(this.current ?? []), ...this.tops().keys()];
    return rows.some((row) => this.tables.aside(row, by));
  }

  // Writes what differs, and returns what its mark says: the same word is not said of each block again.
  paintBlock(i, before) {
    const { state, t } = this.view;
    const { reading, near } = state;
    const status = STATUS[reading.status[i]] ?? "skipped";
    const lost = isLost(reading, i);
    const gold = reading.gold[i] === 1;
    const found = gold && t(lost ? "present.lost" : "present.gold");
    const mark = [!lost && t(`status.${status}`), found, near[i] && t("present.near")].filter(Boolean).join(" · ");
    const said = `${mark}|${mark === before}|${this.opened[i]}`;
    const row = this.rows[i];
    if (row.said === said) return mark;
    row.said = said;
    Object.assign(row.dataset, { status, gold: String(gold), near: String(near[i] === 1) });
    row.toggleAttribute("data-open", this.opened[i] === 1);
    write(row.mark, mark);
    row.mark.classList.toggle("sr-hidden", mark === before);
    return mark;
  }

  // Takes the blocks of a passage in hand; null for none.
  point(passage) {
    for (const row of this.current ?? []) row.removeAttribute("aria-current");
    this.current = passage && this.rows.slice(passage.first, passage.last).filter((row) => row && !isSkipped(row));
    for (const row of this.current ?? []) row.setAttribute("aria-current", "true");
  }

  // Brings a passage in sight; null is the end of the document.
  bring(passage, { still = false } = {}) {
    const { element } = this;
    const row = passage && this.rows[passage.first];
    const from = element.scrollTop;
    this.lay(passage ? passage.first : this.rows.length - 1);
    const wanted = row ? element.scrollTop + this.topOf(row) - this.slackOver(passage) : this.lowest + SLACK;
    const most = element.scrollHeight - element.clientHeight;
    const to = Math.max(0, Math.min(most, wanted));
    const isNear = Math.abs(to - from) < SMOOTH * element.clientHeight;
    element.scrollTo({ top: to, behavior: isNear && !still && !isStill() ? "smooth" : "instant" });
  }

  // How far down the text goes; below it is room, so that its last passage can stand where every other does.
  get lowest() {
    const { scrollHeight, clientHeight } = this.element;
    return scrollHeight - clientHeight - parseFloat(getComputedStyle(this.body).paddingBottom);
  }

  // How far from the top a passage begins; one that fills the sight has it from the top.
  slackOver({ first, last }) {
    const { clientHeight } = this.element;
    const size = this.topOf(this.rows[last - 1]) + this.rows[last - 1].offsetHeight - this.topOf(this.rows[first]);
    return Math.max(SLACK, Math.min(PLACE * clientHeight, clientHeight - size - SLACK));
  }

  // Opens or closes a run in its place.
  open(run, isOpen) {
    this.keep(run.first, () => {
      this.opened.fill(isOpen ? 1 : 0, run.first, run.last);
      for (let i = run.first; i < run.last; i += 1) this.rows[i]?.toggleAttribute("data-open", isOpen);
      this.element.querySelector(`[data-run="${run.first}"]`)?.setAttribute("aria-expanded", String(isOpen));
    });
  }

  // Fades skipped text away, or shows it again; what is looked at stays where it is.
  fade(isFaded, block) {
    clearTimeout(this.timer);
    this.faded = isFaded;
    const turn = () => {
      this.keep(block, () => {
        this.element.dataset.faded = String(isFaded);
        delete this.element.dataset.going;
      });
    };
    if (!isFaded || isStill()) return turn();
    this.element.dataset.going = "true";
    this.timer = setTimeout(turn, FADE_MS);
    return undefined;
  }

  // Does what changes heights, and puts the block that is looked at back to its place.
  keep(block, change) {
    // The browser holds something in place, too, and must not do it once more.
    this.element.style.overflowAnchor = "none";
    this.element.scrollTo({ top: this.element.scrollTop, behavior: "instant" });
    const before = this.tops();
    const row = this.anchor(block);
    const top = row && this.topOf(row);
    change();
    this.guess();
    const stays = row?.checkVisibility() ? row : this.rows[block] ?? null;
    const at = stays ? Number(stays.dataset.block ?? stays.dataset.run) : block;
    this.lay(at);
    if (stays && top !== null) this.element.scrollTop += this.topOf(stays) - top;
    glide(before, this.tops());
    this.element.style.overflowAnchor = "";
  }

  // The row of a block if it is in sight, else the first one that is.
  anchor(block) {
    const { height } = this.element.getBoundingClientRect();
    const row = this.rows[block];
    if (row?.checkVisibility() && this.topOf(row) > -row.offsetHeight && this.topOf(row) < height) return row;
    return [...this.tops().keys()].find((found) => found.dataset.status !== "skipped") ?? row ?? null;
  }

  // What is in sight, with where it stands.
  tops() {
    const found = new Map();
    const { top, height } = this.element.getBoundingClientRect();
    for (const chunk of this.chunks) {
      const box = chunk.element.getBoundingClientRect();
      if (box.bottom < top || box.top > top + height) continue;
      for (const row of chunk.shown) {
        const at = this.topOf(row);
        if (at < height && at + row.offsetHeight > 0 && row.checkVisibility()) found.set(row, at);
      }
    }
    return found;
  }

  topOf(row) {
    return row.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
  }

  // The block that stands at the place of what is looked at.
  blockInSight() {
    const line = PLACE * this.element.clientHeight;
    let found = null;
    for (const [row, top] of this.tops()) {
      if (row.dataset.block === undefined) continue;
      if (top > line + 1 && found !== null) break;
      found = Number(row.dataset.block);
    }
    return found;
  }

  // Lays out what is around a block, so that it is known where it will stand; what was laid out before keeps its
  // height.
  lay(block) {
    const at = Math.max(0, Math.floor(Math.max(0, block) / CHUNK));
    const near = new Set();
    const reach = (step, room) => {
      for (let c = at, left = room; left > 0 && this.chunks[c]; c += step) {
        near.add(this.chunks[c]);
        this.draw(this.chunks[c]);
        left -= this.chunks[c].element.offsetHeight;
      }
    };
    const { clientHeight } = this.element;
    reach(1, BELOW * clientHeight);
    reach(-1, ABOVE * clientHeight);
    const far = this.chunks.filter((chunk) => chunk.near && !near.has(chunk));
    const heights = far.map(({ element }) => element.offsetHeight);
    far.forEach((chunk, k) => rest(chunk, heights[k]));
  }

  // Whoever scrolls comes to what was not laid out.
  seen(entries) {
    const known = new Map(this.chunks.map((chunk) => [chunk.element, chunk]));
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const chunk = known.get(target);
      if (chunk && isIntersecting) this.draw(chunk);
      else if (chunk?.near) rest(chunk, boundingClientRect.height);
    }
  }

  draw(chunk) {
    if (chunk.near) return;
    chunk.near = true;
    chunk.element.style.blockSize = "";
    chunk.element.classList.add("sr-pr-at-hand");
    this.tables.place(chunk);
  }

  resized() {
    const { clientWidth } = this.element;
    if (!clientWidth || clientWidth === this.width) return;
    this.width = clientWidth;
    this.guess();
    this.onresize?.();
  }

  // How high each chunk would be.
  guess() {
    const { state, runs } = this.view;
    const em = parseFloat(getComputedStyle(this.body).fontSize) || 24;
    const letters = Math.max(16, Math.min(64, (this.element.clientWidth * 0.8) / (em / 2)));
    const isFaded = this.element.dataset.faded === "true";
    const starts = new Set(runs.map(({ first }) => first));
    for (const chunk of this.chunks) {
      let lines = 0;
      for (let i = chunk.first; i < chunk.last; i += 1) {
        if (!this.rows[i]) continue;
        if (isFaded && starts.has(i)) lines += RUN;
        const hidden = isFaded && state.reading.status[i] === SKIPPED && !this.opened[i];
        if (!hidden) lines += LINE * Math.max(1, Math.ceil(state.document.sizes[i] / letters)) + GAP;
      }
      if (!chunk.near) rest(chunk, Math.round(lines * em));
    }
  }
}

// A height of its own, for the browser would remember another one than the guess.
function rest(chunk, height) {
  chunk.near = false;
  chunk.element.style.blockSize = `${height}px`;
  chunk.element.classList.remove("sr-pr-at-hand");
}

const isSkipped = (row) => row.dataset.status === "skipped";
