// What the browser says to the kernel: actions, which are kept until they are acknowledged, and questions.
//
// With a workspace an action waits in localStorage until the kernel has written it down: whatever dies in between, it
// is sent again when the widget is drawn again, and the kernel does it once.

import { keepQueue, onQueue, owe, owes, pay, queueOf } from "./queue.js";
import { words } from "./words.js";

const MODELS = new WeakMap();

export function actions(model) {
  if (!MODELS.has(model)) MODELS.set(model, new Actions(model));
  return MODELS.get(model);
}

const identity = () =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

// A kernel in one of these states has lost its widgets: what is sent to them is heard by nobody.
const GONE = new Set(["restarting", "autorestarting", "dead", "terminating"]);

const CHANGES = /^(set_|(edit_rules|label|unlabel)$)/;

class Actions {
  constructor(model) {
    this.model = model;
    this.memory = [];
    this.waiting = new Map();
    this.questions = new Set();
    this.watchers = new Set();
    this.deaf = null;
    this.alive = true;
    this.reachable = true;
    model.on("msg:custom", (message, buffers) => this.received(message, buffers));
    // The notebook says this once: when it has given up the widget's channel to the kernel.
    model.on("comm_live_update", () => this.lost());
    model.on("comm:close", () => this.lost());
    this.unwatchKernel = watchKernel(model.widget_manager?.kernel, this);
    for (const operation of this.queue()) this.send(operation);
  }

  // Does an action; resolves to {} or { error } once the kernel has answered.
  act(kind, values = {}) {
    pay(this.place);
    const operation = { id: identity(), kind, values, at: new Date().toISOString() };
    const answer = new Promise((resolve) => this.waiting.set(operation.id, resolve));
    this.store([...this.queue(), operation]);
    this.send(operation);
    return answer;
  }

  // Asks a question; resolves to { value, buffers }, or { error }.
  ask(name, values = {}, buffers = []) {
    if (!this.alive) return Promise.resolve(this.nobody());
    const id = identity();
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    this.questions.add(id);
    this.model.send({ kind: "ask", id, name, values }, undefined, buffers);
    return answer;
  }

  // A change that waits until a person has come to rest: `say` is called before anything else of the workspace is said.
  // Returns what takes it away.
  due(say) {
    return owe(this.place, say);
  }

  // Whether a change that can be undone is on its way, or waits.
  get changing() {
    return owes(this.place) || this.queue().some(({ kind }) => CHANGES.test(kind));
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
    this.deaf ??= onQueue(() => this.changed());
    return () => {
      this.watchers.delete(listener);
      if (this.watchers.size) return;
      this.deaf?.();
      this.deaf = null;
    };
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
    const { error, value } = message;
    this.answered(message.id, error ? { error } : { value, buffers: buffers ?? [] });
  }

  answered(id, answer) {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    this.questions.delete(id);
    resolve?.(answer);
  }

  nobody() {
    return { error: words(this.model)("lost") };
  }

  // For good: only a new run of the cell makes a widget that is heard.
  lost() {
    if (!this.alive) return;
    this.alive = false;
    this.unwatchKernel();
    for (const id of [...this.questions]) this.answered(id, this.nobody());
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
    return key ? queueOf(key) : this.memory;
  }

  store(queue) {
    const key = this.key();
    if (key) return keepQueue(key, queue);
    this.memory = queue;
    return this.changed();
  }

  // What is said at one place stays in its order.
  get place() {
    return this.key() || this.model;
  }

  key() {
    const workspace = this.model.get("workspace");
    return workspace && !this.model.alone ? `sparseread:${workspace}` : "";
  }
}

// A kernel that is killed says nothing, and its widgets are not told; the notebook's own view of it is.
function watchKernel(kernel, found) {
  if (!kernel?.statusChanged) return () => {};
  // The kernel outlives its widgets, and must not hold them.
  const held = new WeakRef(found);
  const slots = [
    [kernel.statusChanged, (_, status) => GONE.has(status) && held.deref()?.lost()],
    [kernel.disposed, () => held.deref()?.lost()],
    [kernel.connectionStatusChanged, (_, status) => held.deref()?.line(status === "connected")],
  ];
  for (const [signal, slot] of slots) signal?.connect(slot);
  return () => {
    for (const [signal, slot] of slots) signal?.disconnect(slot);
  };
}
