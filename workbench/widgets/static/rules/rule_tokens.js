// Fields of a condition: a list of words as removable tokens, a group of choices, and lines of text.

import { h, replace } from "../shared/dom.js";

let lists = 0;

// tokens({ t, label, values, options, changed }); options are names, or pairs of a name and what it means.
export function tokens({ t, label, values, options = [], changed }) {
  let entries = [...values];
  let wrong = -1;
  const list = `sr-rule-options-${(lists += 1)}`;
  const input = h("input", {
    type: "text",
    class: "sr-token-input",
    "aria-label": label,
    placeholder: t("rules.edit.add"),
    list: options.length ? list : null,
    onkeydown: pressed,
    onchange: () => take(input.value),
    onpaste: pasted,
  });
  const place = h("span", { class: "sr-tokens-list", role: "list" });
  const element = h("div", { class: "sr-tokens" }, place, input, options.length ? optionsOf(list, options) : null);
  element.addEventListener("click", (event) => event.target === element && input.focus());

  function take(text) {
    const said = text.split(/[\n,，、]/).map((entry) => entry.trim());
    const added = said.filter((entry) => entry && !entries.includes(entry));
    input.value = "";
    if (added.length) put([...entries, ...new Set(added)]);
  }
  function pasted(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\n,，、]/.test(text)) return;
    event.preventDefault();
    take(text);
  }
  function pressed(event) {
    if (event.key === "Enter" && input.value.trim()) {
      event.preventDefault();
      event.stopPropagation();
      take(input.value);
    } else if (event.key === "Backspace" && !input.value && entries.length) {
      put(entries.slice(0, -1));
    }
  }
  function put(next) {
    entries = next;
    wrong = -1;
    draw();
    changed();
  }
  function draw() {
    replace(place, entries.map((entry, at) => token(t, entry, at === wrong, () => remove(at))));
  }
  function remove(at) {
    put(entries.filter((_, rank) => rank !== at));
    input.focus();
  }
  draw();
  return {
    element,
    value: () => entries,
    mark(item) {
      wrong = item ?? -1;
      draw();
    },
    focus: () => input.focus({ preventScroll: true }),
  };
}

function token(t, entry, wrong, remove) {
  const label = t("rules.edit.remove", { entry });
  return h(
    "span",
    { class: wrong ? "sr-token sr-token-wrong" : "sr-token", role: "listitem" },
    h("span", {}, String(entry)),
    h("button", { type: "button", class: "sr-token-remove", "aria-label": label, onclick: remove }, "×"),
  );
}

function optionsOf(id, options) {
  const entries = options.map((option) => (Array.isArray(option) ? option : [option, null]));
  return h("datalist", { id }, entries.map(([value, label]) => h("option", { value, label })));
}

// Some of a few values, each a button that is pressed or not.
export function choices({ label, values, options, changed }) {
  let chosen = new Set(values);
  const buttons = options.map((option) =>
    h(
      "button",
      { type: "button", class: "sr-choice", "aria-pressed": String(chosen.has(option)), onclick: () => turn(option) },
      String(option),
    ),
  );
  const element = h("div", { class: "sr-choices", role: "group", "aria-label": label }, buttons);
  function turn(option) {
    chosen = new Set(options.filter((known) => (known === option) !== chosen.has(known)));
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(chosen.has(options[at]))));
    changed();
  }
  return { element, value: () => [...chosen], mark() {}, focus: () => buttons[0]?.focus() };
}

// One expression a line: a comma or a space may belong to it.
export function lines({ label, values, changed }) {
  const area = h("textarea", {
    class: "sr-rule-lines",
    rows: Math.min(6, Math.max(1, values.length)),
    spellcheck: "false",
    "aria-label": label,
    oninput: changed,
    value: values.join("\n"),
  });
  return {
    element: area,
    value: () => area.value.split("\n").filter((line) => line !== ""),
    mark(item) {
      area.setAttribute("aria-invalid", String(item !== null && item !== undefined));
    },
    focus: () => area.focus(),
  };
}
