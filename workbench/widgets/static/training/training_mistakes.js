// The mistakes that are left: evidence that was missed, and blocks without any that came first. Enter opens one.

import { actions } from "../shared/actions.js";
import { render as renderDocument } from "../document/document_view.js";
import { h, replace, write } from "../shared/dom.js";
import { child } from "../shared/models.js";
import { count, percent } from "../shared/numbers.js";

const KINDS = ["", "missed", "kept"];
const MOST = 200;

// Returns { element, paint(), step(by), enter(event), close(), dispose() }.
export function mistakesOf(view) {
  const { model, t } = view;
  const list = h("ul", { class: "sr-train-list", role: "listbox", "aria-label": t("train.mistakes"), tabindex: "0" });
  const filters = h("div", { class: "sr-train-choices", role: "group", "aria-label": t("train.mistakes.kind") });
  const more = h("p", { class: "sr-train-quiet" });
  const place = h("div", { class: "sr-train-document", hidden: true });
  const element = h(
    "section",
    { class: "sr-train-mistakes", "aria-label": t("train.mistakes"), hidden: true },
    h("h3", { class: "sr-label" }, t("train.mistakes")),
    h("p", { class: "sr-train-about" }, t("train.mistakes.about")),
    filters,
    list,
    more,
    place,
  );
  let kind = "";
  let at = -1;
  let dispose = null;
  let opening = 0;
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-mistake]");
    if (row) void open(Number(row.dataset.mistake));
  });

  const all = () => model.get("result").mistakes ?? [];
  const shown = () => all().map((mistake, rank) => ({ ...mistake, rank })).filter((one) => !kind || one.kind === kind);

  function paint() {
    const found = all();
    element.hidden = !found.length;
    if (!found.length) return;
    const counts = (name) => found.filter((one) => !name || one.kind === name).length;
    replace(
      filters,
      KINDS.map((name) =>
        h(
          "button",
          { class: "sr-plain", "aria-pressed": String(kind === name), onclick: () => choose(name) },
          t(`train.kind.${name || "all"}`, { count: count(counts(name)) }),
        ),
      ),
    );
    const rows = shown();
    replace(list, rows.slice(0, MOST).map(rowOf));
    write(more, rows.length > MOST ? t("train.mistakes.more", { count: count(rows.length - MOST) }) : "");
    point();
  }

  function rowOf({ rank, kind: of, question, document, page, text, share }) {
    return h(
      "li",
      { role: "option", id: `sr-train-mistake-${rank}`, dataset: { mistake: String(rank), kind: of } },
      h("span", { class: "sr-train-kind" }, t(`train.is.${of}`)),
      h("span", { class: "sr-train-question", dir: "auto" }, question),
      h("span", { class: "sr-train-where" }, `${document} · ${t("page", { page: count(page) })}`),
      h("span", { class: "sr-train-text", dir: "auto" }, text),
      h("span", { class: "sr-train-score", title: t("train.share.title") }, percent(share / 100)),
    );
  }

  function choose(name) {
    kind = name;
    paint();
    filters.querySelector('[aria-pressed="true"]')?.focus();
  }

  function point() {
    for (const row of list.children) {
      const here = Number(row.dataset.mistake) === at;
      row.setAttribute("aria-selected", String(here));
      if (here) row.scrollIntoView({ block: "nearest" });
    }
    if (at >= 0) list.setAttribute("aria-activedescendant", `sr-train-mistake-${at}`);
    else list.removeAttribute("aria-activedescendant");
  }

  function step(by) {
    const rows = shown().slice(0, MOST);
    if (!rows.length) return false;
    const now = rows.findIndex(({ rank }) => rank === at);
    at = rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + by))].rank;
    point();
    list.focus({ preventScroll: true });
    return true;
  }

  function enter(event) {
    if (event.target !== list || at < 0) return false;
    void open(at);
    return true;
  }

  async function open(rank) {
    at = rank;
    point();
    if (model.alone) return;
    const asked = (opening += 1);
    place.hidden = false;
    if (!dispose) replace(place, h("p", { class: "sr-train-quiet" }, t("train.opening")));
    const { error } = await actions(model).act("open", { mistake: rank });
    if (asked !== opening) return;
    if (error) return close();
    if (!dispose) await draw();
    place.scrollIntoView({ block: "nearest" });
    view.mark();
  }

  async function draw() {
    const found = await child(model, "document");
    place.replaceChildren();
    dispose = renderDocument({ model: found, el: place, slots: { undoes: true } });
  }

  function close() {
    if (place.hidden) return false;
    opening += 1;
    dispose?.();
    dispose = null;
    place.hidden = true;
    list.focus({ preventScroll: true });
    return true;
  }
  return { element, paint, step, enter, close, dispose: () => dispose?.() };
}
