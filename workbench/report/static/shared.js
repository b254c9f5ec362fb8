// What the other scripts of a report need: words with values in them, elements with text, and whether somebody types.

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

// Gives the words of a key from JSON that the page holds; `n: 1` chooses "key.one" where there is one.
function sayingOf(json) {
  const words = JSON.parse(json);
  return (key, values = {}) => {
    const text = words[values.n === 1 && `${key}.one` in words ? `${key}.one` : key];
    return text.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
  };
}

function shown(value) {
  return typeof value === "number" ? number.format(value) : value;
}

function element(tag, { text, ...properties } = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Keys without a modifier mean something only while nobody writes and no dialog is open.
function isBusy(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  return Boolean(event.target.closest?.("input, select, textarea") || document.querySelector("dialog[open]"));
}

globalThis.report = { sayingOf, shown, element, isBusy };
