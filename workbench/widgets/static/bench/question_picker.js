// The question field: a list of the workload's requests to choose from, or a question of one's own.

import { u8 } from "../shared/bytes.js";
import { h, replace, write } from "../shared/dom.js";
import { ROUTES } from "../gate/gate_rule.js";
import { keycap } from "../shared/keys.js";

const SHOWN = 100;

const nameOf = (artifact) => artifact.split("/").at(-1);

export function questionPicker(shell, id) {
  const picker = new Picker(shell, id);
  return { element: picker.element, focus: () => picker.focus(), close: () => picker.close(true) };
}

class Picker {
  constructor(shell, id) {
    this.shell = shell;
    this.t = shell.t;
    this.alone = shell.model.alone === true;
    this.listId = `${id}-requests`;
    this.options = [];
    this.active = -1;
    this.build();
    shell.follow(["head"], () => this.rest());
    shell.follow(["catalogue"], () => this.catalogued());
    shell.follow(["routes"], () => (this.routes = u8(shell.model.get("routes"))));
  }

  build() {
    this.input = h("input", {
      class: "sr-wb-question",
      type: "text",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": this.t("question"),
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.listId,
      readonly: this.alone,
      placeholder: this.t("question.placeholder"),
      onfocus: () => this.open(),
      oninput: () => this.list(),
      onkeydown: (event) => this.key(event),
    });
    this.place = h("span", { class: "sr-wb-question-document" });
    this.reading = h("span", { class: "sr-wb-question-reading", role: "status", hidden: true });
    this.select = h("select", { class: "sr-wb-question-select", "aria-label": this.t("question.document") });
    this.rows = h(
      "ul",
      { class: "sr-wb-requests", role: "listbox", tabindex: "-1", id: this.listId, "aria-label": this.t("requests") },
    );
    this.more = h("p", { class: "sr-wb-quiet sr-wb-requests-more" });
    const own = h("label", { class: "sr-wb-question-own" }, h("span", {}, this.t("question.on")), this.select);
    this.popup = h("div", { class: "sr-wb-question-popup", hidden: true }, own, this.rows, this.more);
    const key = !this.alone && keycap("/");
    const field = h("div", { class: "sr-wb-question-field" }, this.input, this.reading, this.place, key);
    this.element = h("div", { class: "sr-wb-question-place", role: "search" }, field, this.popup);
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget)) this.close(false);
    });
  }

  // The field while nobody types in it: the question at hand, and its document.
  rest() {
    const { question, document, opening } = this.shell.model.get("head");
    this.question = question ?? "";
    const name = document?.name ?? "";
    // Until what was asked for is read, the document at hand is still the one before.
    const reading = opening ? this.t("question.reading", { question: opening }) : "";
    write(this.place, name);
    this.place.title = name;
    write(this.reading, reading);
    this.reading.title = reading;
    this.reading.hidden = !reading;
    this.input.title = this.question;
    if (this.popup.hidden) this.input.value = this.question;
  }

  catalogued() {
    const {
      ids = [],
      questions = [],
      documents = [],
      document = [],
      scenarios = [],
    } = this.shell.model.get("catalogue");
    this.requests = ids.map((name, i) => {
      const [question, artifact, scenario] = [questions[i], documents[document[i]] ?? "", scenarios[i] ?? ""];
      const found = `${name} ${question} ${artifact} ${scenario} ${this.scenarioWords(scenario)}`.toLowerCase();
      return { id: name, place: i, question, artifact, scenario, found };
    });
    const options = documents.map((name) => h("option", { value: name }, nameOf(name)));
    replace(this.select, h("option", { value: "" }, this.t("question.this")), options);
    this.select.parentElement.hidden = !documents.length;
    // Opened before the requests came: what somebody has typed meanwhile stays.
    if (!this.popup.hidden) this.list();
  }

  // A scenario of somebody's own workload is called as it is there.
  scenarioWords(scenario) {
    const key = `scenario.${scenario}`;
    return this.t(key) === key ? scenario.replaceAll("_", " ") : this.t(key);
  }

  focus() {
    this.input.focus();
  }

  open() {
    if (!this.popup.hidden || this.alone) return;
    this.popup.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.select();
    this.list();
  }

  // Returns whether there was something to close.
  close(leave) {
    if (this.popup.hidden) return false;
    this.popup.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.value = this.question;
    if (leave) this.shell.root.focus({ preventScroll: true });
    return true;
  }

  list() {
    if (this.popup.hidden) return this.open();
    const typed = this.input.value.trim();
    const own = typed && typed !== this.question;
    const parts = own ? typed.toLowerCase().split(/\s+/) : [];
    // An id that is typed whole means that request.
    const exact = this.requests.find((request) => own && request.id === typed);
    const others = this.requests.filter(
      (request) => request !== exact && parts.every((part) => request.found.includes(part)),
    );
    const found = exact ? [exact, ...others] : others;
    const shown = found.slice(0, SHOWN);
    const asked = own ? [{ ask: typed }] : [];
    this.options = exact ? [exact, ...asked, ...shown.slice(1)] : [...asked, ...shown];
    replace(this.rows, this.options.map((option, i) => this.row(option, i)));
    const rest = found.length - shown.length;
    write(
      this.more,
      rest > 0 ? this.t("requests.more", { count: rest }) : this.requests.length ? "" : this.t(this.none),
    );
    const at = this.shell.model.get("head").request;
    this.activate(own ? 0 : this.options.findIndex((option) => option.id === at));
  }

  // While a workload's requests are on their way nothing is said to be missing.
  get none() {
    return this.shell.model.get("foot").workload ? "wait" : "requests.none";
  }

  row(option, i) {
    const properties = {
      class: "sr-wb-request",
      role: "option",
      id: `${this.listId}-${i}`,
      "aria-selected": "false",
      // On mousedown, not click: a click comes after the field has lost the focus and the list has closed.
      onmousedown: (event) => {
        event.preventDefault();
        this.choose(option);
      },
    };
    if (option.ask) {
      return h(
        "li",
        properties,
        h("span", { class: "sr-wb-request-ask" }, this.t("question.ask")),
        h("span", {}, option.ask),
        keycap("Enter"),
      );
    }
    const route = ROUTES[this.routes[option.place]];
    const about = [nameOf(option.artifact), this.scenarioWords(option.scenario)].filter(Boolean).join(" · ");
    return h(
      "li",
      properties,
      h("span", { class: "sr-wb-request-question" }, option.question),
      h("span", { class: "sr-wb-request-about", title: option.artifact }, about),
      route && h("span", { class: "sr-wb-request-route", dataset: { route } }, this.t(`route.${route}`)),
    );
  }

  activate(i) {
    this.rows.children[this.active]?.setAttribute("aria-selected", "false");
    this.active = i;
    const row = this.rows.children[i];
    if (!row) return this.input.removeAttribute("aria-activedescendant");
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", row.id);
  }

  key(event) {
    const last = this.options.length - 1;
    const moves = {
      ArrowDown: Math.min(last, this.active + 1),
      ArrowUp: Math.max(0, this.active - 1),
      PageDown: Math.min(last, this.active + 8),
      PageUp: Math.max(0, this.active - 8),
    };
    if (event.key in moves) this.activate(moves[event.key]);
    else if (event.key === "Enter" && !event.isComposing) this.enter();
    else if (event.key === "Escape") this.close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  enter() {
    const option = this.options[this.active];
    if (option) this.choose(option);
    else this.close(true);
  }

  choose(option) {
    const artifact = this.select.value || undefined;
    this.select.value = "";
    this.question = option.ask ?? option.question;
    this.close(true);
    if (!option.ask) return void this.shell.open(option.id);
    void this.shell.act("ask", { question: option.ask, ...(artifact ? { artifact } : {}) });
    this.shell.select("read", { focus: true });
  }
}
