// Actions that the kernel has not acknowledged, by the key of their workspace: in localStorage, and where that takes no
// more, in this page until a write succeeds again. And changes that wait until a person has come to rest.

// Each widget's script is a module of its own, and those of one workspace share what is here.
const queues = () => (globalThis.sparsereadQueues ??= new EventTarget());
const unwritten = () => (queues().unwritten ??= new Map());
const owed = () => (queues().owed ??= new Set());

export function queueOf(key) {
  if (unwritten().has(key)) return unwritten().get(key);
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}

export function keepQueue(key, queue) {
  try {
    localStorage.setItem(key, JSON.stringify(queue));
    unwritten().delete(key);
  } catch {
    unwritten().set(key, queue);
  }
  queues().dispatchEvent(new Event("change"));
}

// Returns what ends the listening.
export function onQueue(listener) {
  queues().addEventListener("change", listener);
  return () => queues().removeEventListener("change", listener);
}

// `say` is said before anything else at its place is; returns what takes it away.
export function owe(place, say) {
  const found = { place, say };
  owed().add(found);
  return () => owed().delete(found);
}

export const owes = (place) => [...owed()].some((one) => one.place === place);

export function pay(place) {
  for (const one of [...owed()]) if (one.place === place && owed().delete(one)) one.say();
}
