// Where the annotator stands: what the kernel says, and what was pressed since.

export class WalkState {
  constructor(model) {
    this.model = model;
    this.adopt();
  }

  // What the kernel has written down is the truth once it has answered everything.
  adopt() {
    const { model } = this;
    this.total = model.get("total");
    this.at = model.get("at");
    this.labelled = new Map(Object.entries(model.get("labelled")).map(([at, label]) => [Number(at), label]));
    this.skipped = new Set(model.get("skipped"));
  }

  get done() {
    return this.at >= this.total;
  }

  label(at = this.at) {
    return this.labelled.get(at) ?? null;
  }

  // The rule of workbench/training/queue/walking.py: the next item that is open, else an earlier one.
  after(at) {
    for (let rank = at + 1; rank < this.total; rank++) if (this.open(rank)) return rank;
    for (let rank = 0; rank < Math.min(at, this.total); rank++) if (this.open(rank)) return rank;
    return this.total;
  }

  open(rank) {
    return !this.labelled.has(rank) && !this.skipped.has(rank);
  }

  take(label) {
    this.labelled.set(this.at, label);
    this.skipped.delete(this.at);
    return (this.at = this.after(this.at));
  }

  skip() {
    if (!this.labelled.has(this.at)) this.skipped.add(this.at);
    return (this.at = this.labelled.has(this.at) ? Math.min(this.at + 1, this.total) : this.after(this.at));
  }
}

const PAUSE = 120_000;
const RECENT = 30;

// Labels a minute of late, pauses left out; null before there is anything to tell.
export class Pace {
  constructor() {
    this.last = null;
    this.gaps = [];
    this.count = 0;
  }

  tick(now = performance.now()) {
    if (this.last !== null && now - this.last < PAUSE) this.gaps = [...this.gaps, now - this.last].slice(-RECENT);
    this.last = now;
    this.count += 1;
  }

  get rate() {
    if (this.gaps.length < 2) return null;
    return (60_000 * this.gaps.length) / Math.max(1, this.gaps.reduce((sum, gap) => sum + gap, 0));
  }
}
