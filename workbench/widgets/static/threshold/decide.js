// What a cut keeps, as workbench/reading/selection.py decides it, without the kernel.
//
// Blocks are sorted once when scores come. A cut is then a beginning of that order, found by halving, so that a slider
// costs one walk over what it keeps. A budget is the only thing that this picture may have too little of: the kernel
// also renders the text, and may drop the last blocks taken.

import { CONTEXT, HAS_TEXT, HEADER_ROW, IS_PINNED, KEPT, PINNED, WORTH_A_SHARE } from "../shared/reading.js";

const deciders = new WeakMap();

// decide(reading, { kind: "threshold", value } | { kind: "share", value, min_tokens }, options)
//
// Options: budget (tokens or null), overhead ({ fixed, run, block }, which a budget needs), pages (of the blocks, which
// a budget needs), offset (instead of the reading's), evidence (see evidenceOf). Returns { status, line, tokensKept,
// kept, recalled, taken, cut }: the line is the threshold without the offset, or null; kept counts blocks; recalled
// counts pieces of evidence; taken are the blocks that are kept for their own sake in the order in which they were
// taken, pinned first, until the next call.
export function decide(reading, cut, options = {}) {
  if (!deciders.has(reading)) deciders.set(reading, new Decider(reading));
  return deciders.get(reading).decide(cut, options);
}

// The offset belongs to thresholds of calibrated scores: what has no scale cannot be moved by a type.
export function offsetOf(reading, cut, offset = reading.offset) {
  return cut.kind === "threshold" && reading.scale === "calibrated" ? offset : 0;
}

export class Decider {
  constructor(reading) {
    const n = reading.priority.length;
    this.reading = reading;
    this.n = n;
    this.order = ranked(reading.priority, reading.ties);
    this.withText = this.order.filter((block) => reading.flags[block] & HAS_TEXT);
    this.worthy = this.order.filter((block) => reading.flags[block] & WORTH_A_SHARE);
    this.pinned = this.order.filter((block) => reading.flags[block] & IS_PINNED);
    this.total = reading.tokens.reduce((sum, tokens) => sum + tokens, 0);
    this.marks = new Uint8Array(n + 1);
    this.trail = new Int32Array(n + 1);
    this.spent = this.costsOfShares();
    this.wanted = new Uint32Array(n);
  }

  // Tokens that are spent before each block of a share, with the context of those before it.
  costsOfShares() {
    const { tokens } = this.reading;
    const before = new Float64Array(this.worthy.length + 1);
    this.marks.fill(0);
    let spent = 0;
    for (let rank = 0; rank < this.worthy.length; rank += 1) {
      before[rank] = spent;
      const block = this.worthy[rank];
      const missing = this.missing(block);
      for (let at = 0; at < missing; at += 1) {
        this.marks[this.trail[at]] = 1;
        spent += tokens[this.trail[at]];
      }
      if (!this.marks[block]) spent += tokens[block];
      this.marks[block] = 1;
    }
    before[this.worthy.length] = spent;
    return before;
  }

  // Writes the context of a block that has no mark yet into `trail` and returns how much it is. A heading has no mark
  // without those above it, so the walk up ends at the first that has one.
  missing(block) {
    const { parents, tables, headers } = this.reading.links;
    const { marks, trail } = this;
    let found = 0;
    for (let heading = parents[block]; heading >= 0 && !marks[heading]; heading = parents[heading]) {
      trail[found] = heading;
      found += 1;
    }
    const table = tables[block];
    if (table < 0) return found;
    if (!marks[table]) {
      trail[found] = table;
      found += 1;
    }
    const rows = this.reading.flags[block] & HEADER_ROW ? undefined : headers.get(table);
    for (let at = 0; rows && at < rows.length; at += 1) {
      if (marks[rows[at]] || rows[at] === block) continue;
      trail[found] = rows[at];
      found += 1;
    }
    return found;
  }

  decide(cut, { budget = null, overhead = null, pages = null, offset, evidence = null } = {}) {
    const passing = this.passing(cut, offsetOf(this.reading, cut, offset));
    let taken = this.want(passing);
    if (budget !== null && overhead !== null && pages !== null) taken = this.take(taken, budget, overhead, pages);
    const status = this.statuses(taken);
    const sums = this.sums(status);
    const recalled = evidence ? recalledBy(evidence, status, this.reading.tokens) : null;
    return { status, line: passing.line, tokensKept: sums.tokens, kept: sums.blocks, recalled, taken, cut };
  }

  // The first blocks of an order that pass, and the line that they pass: { order, count, line }.
  passing(cut, offset) {
    const { priority } = this.reading;
    if (cut.kind === "threshold") {
      const at = cut.value + offset;
      const count = firstWhere(this.withText.length, (rank) => !(priority[this.withText[rank]] >= at));
      return { order: this.withText, count, line: cut.value };
    }
    if (this.reading.nothingRelevant) return { order: this.worthy, count: 0, line: null };
    const limit = Math.max(cut.value * this.total, cut.min_tokens);
    const count = firstWhere(this.worthy.length, (rank) => this.spent[rank] >= limit);
    return { order: this.worthy, count, line: count ? priority[this.worthy[count - 1]] : null };
  }

  // Tokens of a share whose lowest block has a priority; 0 for none.
  spentAt(line) {
    const { priority } = this.reading;
    if (line === null) return 0;
    return this.spent[firstWhere(this.worthy.length, (rank) => !(priority[this.worthy[rank]] >= line))];
  }

  // Pinned blocks first, then those that pass.
  want({ order, count }) {
    const { flags } = this.reading;
    let found = 0;
    for (let at = 0; at < this.pinned.length; at += 1) this.wanted[found++] = this.pinned[at];
    for (let rank = 0; rank < count; rank += 1) {
      if (!(flags[order[rank]] & IS_PINNED)) this.wanted[found++] = order[rank];
    }
    return this.wanted.subarray(0, found);
  }

  // Takes blocks in order while there is room, and passes over those that do not fit.
  take(wanted, budget, overhead, pages) {
    const { before, after } = this.neighbours(pages);
    const { tokens, flags } = this.reading;
    const { marks, trail } = this;
    marks.fill(0);
    let left = budget - overhead.fixed;
    let count = 0;
    for (let at = 0; at < wanted.length; at += 1) {
      const block = wanted[at];
      const size = marks[block] ? 0 : this.withContext(block);
      let cost = 0;
      for (let rank = 0; rank < size; rank += 1) {
        const added = trail[rank];
        marks[added] = 1;
        if (!(flags[added] & HAS_TEXT)) continue;
        const sides = marks[before[added]] + marks[after[added]];
        cost += tokens[added] + sides * overhead.block + (1 - sides) * overhead.run;
      }
      if (cost <= left) {
        left -= cost;
        // The list is read ahead of where it is written, so what was taken can stand at its beginning.
        wanted[count++] = block;
      } else {
        for (let rank = 0; rank < size; rank += 1) marks[trail[rank]] = 0;
      }
    }
    return wanted.subarray(0, count);
  }

  // Writes a block and its missing context into `trail` as the kernel adds them: the block, then the headings from the
  // outermost, then its table. The order decides what a run costs.
  withContext(block) {
    const { trail } = this;
    const found = this.missing(block);
    const { parents } = this.reading.links;
    let headings = 0;
    for (let heading = parents[block]; headings < found && trail[headings] === heading; heading = parents[heading]) {
      headings += 1;
    }
    trail.subarray(0, headings).reverse();
    trail.copyWithin(1, 0, found);
    trail[0] = block;
    return found + 1;
  }

  // The block before and after each in its run if all were kept, or n, which is never marked.
  neighbours(pages) {
    if (this.sides?.pages === pages) return this.sides;
    const before = new Int32Array(this.n).fill(this.n);
    const after = new Int32Array(this.n).fill(this.n);
    let last = -1;
    for (let block = 0; block < this.n; block += 1) {
      if (!(this.reading.flags[block] & HAS_TEXT)) continue;
      if (last >= 0 && pages[last] === pages[block]) {
        before[block] = last;
        after[last] = block;
      }
      last = block;
    }
    this.sides = { pages, before, after };
    return this.sides;
  }

  statuses(taken) {
    const { marks, trail } = this;
    const { flags } = this.reading;
    const status = new Uint8Array(this.n);
    marks.fill(0);
    for (let at = 0; at < taken.length; at += 1) {
      const found = this.missing(taken[at]);
      for (let rank = 0; rank < found; rank += 1) {
        marks[trail[rank]] = 1;
        status[trail[rank]] = CONTEXT;
      }
    }
    for (let at = 0; at < taken.length; at += 1) status[taken[at]] = flags[taken[at]] & IS_PINNED ? PINNED : KEPT;
    return status;
  }

  sums(status) {
    const { tokens } = this.reading;
    let sum = 0;
    let blocks = 0;
    for (let block = 0; block < this.n; block += 1) {
      if (!status[block]) continue;
      sum += tokens[block];
      blocks += 1;
    }
    return { tokens: sum, blocks };
  }
}

// Evidence as flat numbers: for each place its piece, the number of its blocks, and they.
export function evidenceOf(flat) {
  const places = [];
  let pieces = 0;
  for (let at = 0; at < flat.length; at += 2 + flat[at + 1]) {
    places.push({ piece: flat[at], blocks: flat.subarray(at + 2, at + 2 + flat[at + 1]) });
    pieces = Math.max(pieces, flat[at] + 1);
  }
  return { places, pieces, hit: new Uint8Array(pieces) };
}

// How many pieces of evidence are recalled: half of the tokens of any of its places is kept.
export function recalledBy(evidence, status, tokens) {
  evidence.hit.fill(0);
  for (const { piece, blocks } of evidence.places) {
    let held = 0;
    let total = 0;
    for (let at = 0; at < blocks.length; at += 1) {
      total += tokens[blocks[at]];
      if (status[blocks[at]]) held += tokens[blocks[at]];
    }
    if (2 * held >= total) evidence.hit[piece] = 1;
  }
  return evidence.hit.reduce((sum, hit) => sum + hit, 0);
}

// Ids from the highest to the lowest priority; equal ones by `ties`.
function ranked(priority, ties) {
  const order = Uint32Array.from(priority, (_, block) => block);
  return order.sort((a, b) => priority[b] - priority[a] || ties[a] - ties[b]);
}

// The first rank from which on `ends` is true, in 0 to count.
function firstWhere(count, ends) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
