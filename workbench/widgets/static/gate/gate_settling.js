// A rule in somebody's hand: the kernel is told where the sliders came to rest, and until it has answered that, what it
// says of older steps moves nothing.

import { actions } from "../shared/actions.js";

// A held arrow key moves many times a second.
const REST_MS = 150;

export class Settling {
  // `values(kind)`: what an action of the kind would say now; `adopt()`: shows what the kernel holds.
  constructor(model, state, { values, adopt }) {
    Object.assign(this, { model, state, values, adopt, moving: false, unanswered: 0, kinds: new Set(), rest: 0 });
  }

  moved() {
    this.moving = true;
  }

  done(kind) {
    if (!this.moving) return;
    this.kinds.add(kind);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => void this.settle(), REST_MS);
    this.said ??= actions(this.model).due(() => void this.settle());
  }

  get busy() {
    return this.moving || (this.unanswered > 0 && !this.state.confirmed);
  }

  async settle() {
    clearTimeout(this.rest);
    this.said?.();
    this.said = null;
    this.moving = false;
    const kinds = [...this.kinds];
    this.kinds.clear();
    // Moved and moved back.
    if (this.model.alone || (this.state.confirmed && !this.unanswered)) return;
    const before = this.model.get("sequence");
    this.unanswered += kinds.length;
    const answers = await Promise.all(kinds.map((kind) => actions(this.model).act(kind, this.values(kind))));
    this.unanswered -= kinds.length;
    if (this.ended || this.moving || this.unanswered) return;
    // An answer may come before the numbers that it announces; they are adopted when they come.
    if (answers.some(({ error }) => error) || this.model.get("sequence") !== before) this.adopt();
  }

  dispose() {
    if (this.said) void this.settle();
    this.ended = true;
  }
}
