// Elements are made from names and plain values only: text is set as text, never as markup.

const FOCUSABLE = new Set(["INPUT", "BUTTON", "SELECT", "TEXTAREA"]);

// h("button", { class: "sr-button", onclick: save, "aria-label": "Save" }, "Save")
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  // JupyterLab runs notebook commands on keys unless the focused element itself carries this: "d d" deletes the cell.
  if (FOCUSABLE.has(element.tagName) || element.hasAttribute("tabindex")) quiet(element);
  if (element.type === "number" || element.inputMode === "decimal") element.addEventListener("keydown", entered);
  append(element, children);
  return element;
}

// A notebook keeps "change" from a field in which Enter is pressed; to leave the field for a moment brings it.
function entered(event) {
  if (event.key !== "Enter" || event.isComposing) return;
  event.target.blur();
  event.target.focus({ preventScroll: true });
}

export function quiet(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

// An element of SVG; the same rules.
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

// Sets text only where it differs, so that nothing is laid out anew for nothing.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
