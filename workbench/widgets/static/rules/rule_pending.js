// Values that a person has turned or stepped to and that the kernel has not confirmed. Each press goes on from the one
// before it; while one is on its way the newest of those behind it waits, and goes next.

import { actions } from "../shared/actions.js";

// `commit(name, field, value)` resolves to a problem or null; `show(name)` draws a row again; `wrong(name, problem, field)`.
export class PendingValues {
  constructor(model, { commit, show, wrong, rowOf }) {
    Object.assign(this, { model, commit, show, wrong, rowOf, entries: new Map() });
  }

  get any() {
    return this.entries.size > 0;
  }

  // A row with what is pending in it.
  over(row) {
    if (!row || !this.entries.size) return row;
    const own = [...this.entries.values()].filter(({ name }) => name === row.name);
    return own.length ? { ...row, ...Object.fromEntries(own.map(({ field, value }) => [field, value])) } : row;
  }

  // Other rows have come: what was answered before them is in them.
  renewed() {
    for (const [key, { answered }] of this.entries) if (answered) this.entries.delete(key);
  }

  async set(name, field, value) {
    const key = JSON.stringify([name, field]);
    const entry = this.entries.get(key) ?? { key, name, field, flying: 0, due: null };
    entry.value = value;
    entry.answered = false;
    this.entries.set(key, entry);
    this.show(name);
    if (entry.flying) entry.due ??= actions(this.model).due(() => void this.send(entry));
    else await this.send(entry);
  }

  async send(entry) {
    entry.due?.();
    entry.due = null;
    const { name, field, value } = entry;
    if (entry.flying && value === entry.sent) return;
    entry.sent = value;
    entry.flying += 1;
    const before = this.model.get("sequence");
    const problem = await this.commit(name, field, value);
    entry.flying -= 1;
    if (entry.flying) return;
    if (!problem && entry.value !== value) {
      await this.send(entry);
      return;
    }
    this.settle(entry, problem, this.model.get("sequence") !== before);
    this.wrong(name, problem, field);
  }

  // An answer may come before the row that it announces.
  settle(entry, problem, isRenewed) {
    entry.due?.();
    entry.due = null;
    entry.answered = !problem && !isRenewed && this.rowOf(entry.name)?.[entry.field] !== entry.value;
    if (entry.answered) return;
    this.entries.delete(entry.key);
    this.show(entry.name);
  }
}
