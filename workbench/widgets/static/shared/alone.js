// A page without a kernel: the models come from the page itself, and questions have the answers saved with it.

const LENGTH_BYTES = 4;

export async function render(renderWidget) {
  const place = document.querySelector(".sr-alone");
  followTheme();
  try {
    const { models, root, answers } = await unpacked(document.getElementById("state").textContent);
    const known = new Map(Object.entries(models).map(([id, state]) => [id, new Model(state, answers[id] ?? [])]));
    for (const model of known.values()) model.adopt(known);
    globalThis.sparsereadModels = Object.fromEntries(known);
    await renderWidget({ model: known.get(root), el: place });
  } catch (error) {
    place.setAttribute("role", "alert");
    place.append(String(error));
    throw error;
  }
}

function followTheme() {
  const theme = document.documentElement.dataset.theme;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.body.dataset.jpThemeLight = String(!(theme === "dark" || (theme === "auto" && dark.matches)));
  };
  dark.addEventListener("change", apply);
  apply();
}

// Base64 of gzip of: the length of a header, the header (JSON), and the bytes that it refers to, each at 8 n.
async function unpacked(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = await new Response(stream).arrayBuffer();
  const length = new DataView(all).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(all, LENGTH_BYTES, length)));
  for (const [path, start, size] of header.buffers) put(header, path, new DataView(all, Number(start), size));
  return header;
}

function put(within, path, value) {
  const last = path.length - 1;
  const holder = path.slice(0, last).reduce((inner, key) => inner[key], within);
  holder[path[last]] = value;
}

// What anywidget gives a widget, without anybody at the other end.
class Model {
  constructor(state, answers) {
    this.state = state;
    this.answers = answers;
    this.listeners = new Map();
    this.alone = true;
  }

  // Replaces the names of its children by their models, where that has not been done.
  adopt(known) {
    const entries = Object.entries(this.state.children ?? {});
    const found = entries.map(([name, child]) => [name, typeof child === "string" ? known.get(child) : child]);
    if (entries.length) this.state.children = Object.fromEntries(found);
  }

  get(name) {
    return this.state[name];
  }

  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    this.trigger(`change:${name}`, value);
    this.trigger("change");
  }

  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, new Set());
    this.listeners.get(name).add(listener);
  }

  off(name, listener) {
    this.listeners.get(name)?.delete(listener);
  }

  trigger(name, ...values) {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(...values);
  }

  save_changes() {}

  send(message) {
    if (message.kind !== "ask") return;
    const asked = JSON.stringify(message.values ?? {});
    const found = this.answers.find(({ name, values }) => name === message.name && JSON.stringify(values) === asked);
    if (!found) return;
    const answer = { kind: "answer", id: message.id, value: found.value };
    queueMicrotask(() => this.trigger("msg:custom", answer, found.buffers));
  }
}
