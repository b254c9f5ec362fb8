// What the browser says to the kernel: actions, which are kept until they are acknowledged, and questions.
//
// With a workspace an action waits in localStorage until the kernel has written it down: whatever dies in between, it is
// sent again when the widget is drawn again, and the kernel does it once.

const MODELS = new WeakMap();

export function actions(model) {
  if (!MODELS.has(model)) MODELS.set(model, new Actions(model));
  return MODELS.get(model);
}

const identity = () =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

class Actions {
  constructor(model) {
    this.model = model;
    this.memory = [];
    this.waiting = new Map();
    this.watchers = new Set();
    this.connected = true;
    model.on("msg:custom", (message, buffers) => this.received(message, buffers));
    // A kernel that is gone says nothing; the notebook does, and marks the widget as dead.
    model.on("comm_live_update", () => this.changed({ connected: model.comm_live !== false }));
    for (const operation of this.queue()) this.send(operation);
  }

  // Does an action; resolves to {} or { error } once the kernel has answered.
  act(kind, values = {}) {
    const operation = { id: identity(), kind, values, at: new Date().toISOString() };
    this.store([...this.queue(), operation]);
    const answer = new Promise((resolve) => this.waiting.set(operation.id, resolve));
    this.send(operation);
    this.changed();
    return answer;
  }

  // Asks a question; resolves to { value, buffers }, or { error }.
  ask(name, values = {}, buffers = []) {
    const id = identity();
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    this.model.send({ kind: "ask", id, name, values }, undefined, buffers);
    return answer;
  }

  // Number of actions that are not acknowledged.
  get pending() {
    return this.queue().length;
  }

  // Calls `listener` whenever `pending` or `connected` may have changed; returns what ends that.
  watch(listener) {
    this.watchers.add(listener);
    return () => this.watchers.delete(listener);
  }

  send(operation) {
    try {
      this.model.send({ kind: "act", operation });
    } catch {
      this.changed({ connected: false });
    }
  }

  received(message, buffers) {
    if (message?.kind !== "done" && message?.kind !== "answer") return;
    if (message.kind === "done") this.store(this.queue().filter((operation) => operation.id !== message.id));
    const resolve = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    this.changed({ connected: true });
    resolve?.(message.error ? { error: message.error } : { value: message.value, buffers: buffers ?? [] });
  }

  changed(state = {}) {
    Object.assign(this, state);
    for (const watcher of [...this.watchers]) watcher();
  }

  queue() {
    const key = this.key();
    if (!key) return this.memory;
    try {
      return JSON.parse(localStorage.getItem(key) ?? "[]");
    } catch {
      return this.memory;
    }
  }

  store(queue) {
    this.memory = queue;
    const key = this.key();
    if (!key) return;
    try {
      localStorage.setItem(key, JSON.stringify(queue));
    } catch {
      // A full or forbidden storage: the actions are still sent, and wait in memory.
    }
  }

  key() {
    const workspace = this.model.get("workspace");
    return workspace ? `sparseread:${workspace}` : "";
  }
}
