// The line above the text: what was kept, find, and text or pages.

import { h, write } from "../shared/dom.js";
import { keycap } from "../shared/keys.js";
import { count, percent } from "../shared/numbers.js";
import { HAS_TEXT, SKIPPED } from "../shared/reading.js";

// Returns { element, paint(), switchPages() }.
export function toolbarOf(view) {
  const { t, slots } = view;
  const said = h("span", { class: "sr-doc-said", role: "status" });
  const lost = h("span", { class: "sr-doc-said-lost" });
  const orphans = h("span", { class: "sr-doc-said-orphans", tabindex: "0", hidden: true });
  const foldAll = h("button", { class: "sr-plain", onclick: () => view.toggleAll(), title: "O" });
  const sheet = () => view.keys.sheet();
  const keys = h("button", { class: "sr-plain", onclick: sheet, "aria-label": t("keys") }, keycap("?"));
  const tabs = slots?.pages ? [false, true].map((pages) => tab(pages)) : [];
  const element = h(
    "div",
    { class: "sr-doc-toolbar", role: "toolbar", "aria-label": t("doc.toolbar") },
    tabs.length > 0 && h("span", { class: "sr-doc-switch", role: "group", "aria-label": t("doc.show_as") }, tabs),
    said,
    lost,
    orphans,
    h("span", { class: "sr-doc-space" }),
    foldAll,
    view.find.element,
    keys,
  );

  function tab(pages) {
    const press = () => show(pages);
    const label = t(pages ? "doc.pages" : "doc.as_text");
    return h("button", { class: "sr-plain", "aria-pressed": String(!pages), onclick: press }, label);
  }

  function show(pages) {
    tabs.forEach((button, k) => button.setAttribute("aria-pressed", String(Boolean(k) === pages)));
    view.show(pages);
  }

  function paint() {
    const { reading, document, opened } = view.state;
    let [blocks, kept, tokens, total, missing] = [0, 0, 0, 0, 0];
    for (let i = 0; i < document.n; i++) {
      if (!(reading.flags[i] & HAS_TEXT)) continue;
      blocks += 1;
      total += reading.tokens[i];
      if (reading.status[i] !== SKIPPED) {
        kept += 1;
        tokens += reading.tokens[i];
      } else if (reading.gold[i]) missing += 1;
    }
    const share = total ? percent(1 - tokens / total) : percent(0);
    write(said, blocks ? t("doc.kept", { kept: count(kept), blocks: count(blocks), share }) : t("doc.empty"));
    said.title = t("doc.tokens", { kept: count(tokens), tokens: count(total) });
    write(lost, missing ? t("doc.lost_count", { count: count(missing) }) : "");
    paintOrphans(view, orphans);
    write(foldAll, t(opened.some((value) => value === 1) ? "doc.fold_all" : "doc.open_all"));
  }

  const switchPages = () => show(tabs[0].getAttribute("aria-pressed") === "true");
  return { element, paint, switchPages };
}

// Labels of an earlier version of the document whose text stands nowhere in this one.
function paintOrphans({ model, t }, element) {
  const { count: number = 0, quotes = [] } = model.get("orphans") ?? {};
  element.hidden = !number;
  if (!number) return;
  write(element, t(number === 1 ? "label.orphan" : "label.orphans", { count: count(number) }));
  element.title = t("label.orphans.why", { quotes: quotes.join(" · ") });
}
