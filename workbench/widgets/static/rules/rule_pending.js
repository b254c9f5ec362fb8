// Values that a person has turned or stepped to and that the kernel has not confirmed. Each press goes on from the one
// before it; while one is on its way the newest of those behind it waits, and goes next.

import { actions } from "../shared/actions.js";

export class PendingValues {
  // `view`: { model, byName, known: row views by name, commit(name, field, value) -> a problem or null }
  constructor(view) {
    Object.assign(this, { view, model: view.model, entries: new Map() });
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
    const problem = await this.view.commit(name, field, value);
    entry.flying -= 1;
    if (entry.flying) return;
    if (!problem && entry.value !== value) {
      await this.send(entry);
      return;
    }
    this.settle(entry, problem, this.model.get("sequence") !== before);
    this.view.known.get(name)?.wrong(problem, field === "enabled" ? "on" : field);
  }

  show(name) {
    const row = this.view.byName.get(name);
    if (row) this.view.known.get(name)?.update(this.over(row));
  }

  // An answer may come before the row that it announces.
  settle(entry, problem, isRenewed) {
    entry.due?.();
    entry.due = null;
    entry.answered = !problem && !isRenewed && this.view.byName.get(entry.name)?.[entry.field] !== entry.value;
    if (entry.answered) return;
    this.entries.delete(entry.key);
    this.show(entry.name);
  }
}
