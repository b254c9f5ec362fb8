// Widgets of one channel hear each other here, in the page, however busy the kernel is.
//
// Topics: "cut" { cut, budget } while a slider moves; "decision" what decide() made of it; "select" { block };
// "rule" { name }; "request" { id }.

function channels() {
  // One map a page: each widget's script is a module of its own, and they must meet.
  return (globalThis.sparsereadChannels ??= new Map());
}

export function bus(name) {
  return name ? new Line(name) : new Bus();
}

// To a channel, which is there while somebody listens.
class Line {
  constructor(name) {
    this.name = name;
  }

  on(topic, listener) {
    const found = channels().get(this.name) ?? new Bus();
    channels().set(this.name, found);
    const end = found.on(topic, listener);
    return () => {
      end();
      if (!found.heard && channels().get(this.name) === found) channels().delete(this.name);
    };
  }

  emit(topic, value, from = null) {
    channels().get(this.name)?.emit(topic, value, from);
  }

  last(topic) {
    return channels().get(this.name)?.last(topic);
  }
}

class Bus {
  constructor() {
    this.listeners = new Map();
    this.said = new Map();
  }

  get heard() {
    return [...this.listeners.values()].some((listeners) => listeners.size > 0);
  }

  // Returns what takes the listener away again.
  on(topic, listener) {
    if (!this.listeners.has(topic)) this.listeners.set(topic, new Set());
    this.listeners.get(topic).add(listener);
    return () => this.listeners.get(topic).delete(listener);
  }

  // `from` is any object that tells a listener whether it is itself that spoke.
  emit(topic, value, from = null) {
    this.said.set(topic, value);
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener(value, from);
  }

  last(topic) {
    return this.said.get(topic);
  }
}
