// What a profile of the bench says as it is now: its rule in words, the figures behind it, and its notes.

import { figureCell, figureName, table } from "./compare_tab_tables.js";
import { h } from "../shared/dom.js";
import { withMinus } from "./minus.js";
import { count, fixed, signed } from "../shared/numbers.js";
import { typeWords } from "./profile_fields.js";

export const section = (title, ...content) => h(
  "section",
  { class: "sr-wb-section" },
  h("h3", { class: "sr-label" }, title),
  content,
);

export function linesOf({ t }, { lines }) {
  const shown = lines.map((said) => [
    h("dt", {}, t(`export.line.${said.line}`)),
    h("dd", {}, TEXTS[said.line](t, said)),
  ]);
  return h("dl", { class: "sr-wb-lines" }, shown);
}

const TEXTS = {
  // In the digits in which the weights are set by hand.
  margin: (t, { weights }) => {
    const [exposure, cost, risk] = weights.map((weight) => fixed(weight, 4));
    return `${exposure} s \u2212 ${cost} c \u2212 ${risk} r`;
  },
  routes: (t, { case: kind, native, force }) =>
    t(`line.routes.${kind}`, { native: withMinus(native), force: withMinus(force) }),
  tolerance: (t, { value }) => t("line.tolerance", { value: share(value) }),
  blocks: (t, { offsets, ...cut }) => {
    const shifts = Object.entries(offsets).map(([type, shift]) => `${typeWords(t, type)} ${signed(shift, 3)}`);
    return cutText(t, cut) + (shifts.length ? t("line.offsets", { offsets: shifts.join(", ") }) : "");
  },
  model: (t, { encoder, tokenizer }) => t("line.model", { encoder: encoder || t("line.model.none"), tokenizer }),
  workload: (t, { name, splits }) => {
    const sizes = splits.map((split) =>
      t("line.split", { name: split.name, requests: count(split.requests), documents: count(split.documents) }),
    );
    return t("line.workload", { name, splits: sizes.join(", ") });
  },
};

function cutText(t, { kind, value, floor, share: part, min_tokens: least }) {
  if (kind === "share") return t("line.cut.share", { share: share(part), tokens: count(least) });
  const threshold = short(value);
  return floor === null ? t("line.cut", { threshold }) : t("line.cut.floor", { threshold, floor: share(floor) });
}

// As many digits as it was set with: 20 %, and 12.5 %.
const share = (part) => `${short(100 * part)} %`;
const short = (value) => withMinus(String(Number(value.toPrecision(4))));

// Notes of a profile; what there are no words for is a sentence in English.
export function notesOf({ t }, { notes }) {
  const items = notes.map((note) =>
    note.code ? h("li", {}, t(`note.${note.code}`, note)) : h("li", { lang: "en" }, note.text),
  );
  return h("ul", { class: "sr-wb-said" }, items);
}

export function figuresOf({ t }, { figures }) {
  const rows = figures.map((figure) => h(
    "tr",
    {},
    h("th", { scope: "row" }, figureName(t, figure.name)),
    figureCell(t, figure),
  ));
  return table([t("compare.figure"), t("export.value")], rows, [1]);
}
