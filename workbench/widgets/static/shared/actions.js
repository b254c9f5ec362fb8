// What the browser says to the kernel: actions, which are kept until they are acknowledged, and questions.
//
// With a workspace an action waits in localStorage until the kernel has written it down: whatever dies in between, it
// is sent again when the widget is drawn again, and the kernel does it once.

const MODELS = new WeakMap();

export function actions(model) {
  if (!MODELS.has(model)) MODELS.set(model, new Actions(model));
  return MODELS.get(model);
}

const identity = () =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

// A kernel in one of these states has lost its widgets: what is sent to them is heard by nobody.
const GONE = new Set(["restarting", "autorestarting", "dead", "terminating"]);

// The widgets of one workspace share a queue, and each of them may show how long it is.
const queues = () => (globalThis.sparsereadQueues ??= new EventTarget());

class Actions {
  constructor(model) {
    this.model = model;
    this.memory = [];
    this.waiting = new Map();
    this.watchers = new Set();
    this.alive = true;
    this.reachable = true;
    model.on("msg:custom", (message, buffers) => this.received(message, buffers));
    // The notebook says this once: when it has given up the widget's channel to the kernel.
    model.on("comm_live_update", () => this.lost());
    model.on("comm:close", () => this.lost());
    queues().addEventListener("change", () => this.changed());
    watchKernel(model.widget_manager?.kernel, this);
    for (const operation of this.queue()) this.send(operation);
  }

  // Does an action; resolves to {} or { error } once the kernel has answered.
  act(kind, values = {}) {
    const operation = { id: identity(), kind, values, at: new Date().toISOString() };
    const answer = new Promise((resolve) => this.waiting.set(operation.id, resolve));
    this.store([...this.queue(), operation]);
    this.send(operation);
    return answer;
  }

  // Asks a question; resolves to { value, buffers }, or { error }.
  ask(name, values = {}, buffers = []) {
    const id = identity();
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    if (this.alive) this.model.send({ kind: "ask", id, name, values }, undefined, buffers);
    return answer;
  }

  // Number of actions that are not acknowledged.
  get pending() {
    return this.queue().length;
  }

  // Whether the kernel that the widget belongs to can still hear it.
  get connected() {
    return this.alive && this.reachable;
  }

  // Calls `listener` whenever `pending` or `connected` may have changed; returns what ends that.
  watch(listener) {
    this.watchers.add(listener);
    return () => this.watchers.delete(listener);
  }

  send(operation) {
    if (!this.alive) return;
    try {
      this.model.send({ kind: "act", operation });
    } catch {
      this.lost();
    }
  }

  received(message, buffers) {
    if (message?.kind !== "done" && message?.kind !== "answer") return;
    if (message.kind === "done") this.store(this.queue().filter((operation) => operation.id !== message.id));
    const resolve = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    resolve?.(message.error ? { error: message.error } : { value: message.value, buffers: buffers ?? [] });
  }

  // For good: only a new run of the cell makes a widget that is heard.
  lost() {
    if (!this.alive) return;
    this.alive = false;
    this.changed();
  }

  // The line to a kernel that still lives: what was said meanwhile is said again, and done once.
  line(reachable) {
    if (this.reachable === reachable) return;
    this.reachable = reachable;
    if (reachable) for (const operation of this.queue()) this.send(operation);
    this.changed();
  }

  changed() {
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
    if (!key) return this.changed();
    try {
      localStorage.setItem(key, JSON.stringify(queue));
    } catch {
      // A full or forbidden storage: the actions are still sent, and wait in memory.
    }
    queues().dispatchEvent(new Event("change"));
  }

  key() {
    const workspace = this.model.get("workspace");
    return workspace && !this.model.alone ? `sparseread:${workspace}` : "";
  }
}

// A kernel that is killed says nothing, and its widgets are not told; the notebook's own view of it is.
function watchKernel(kernel, found) {
  if (!kernel?.statusChanged) return;
  kernel.statusChanged.connect((_, status) => GONE.has(status) && found.lost());
  kernel.disposed?.connect(() => found.lost());
  kernel.connectionStatusChanged?.connect((_, status) => found.line(status === "connected"));
}
