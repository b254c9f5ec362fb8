// What a cut keeps, skips and recalls, as four numbers.

import { h, write } from "../shared/dom.js";
import { between, count, percent } from "../shared/numbers.js";

// `measure()`: has the recall over the workload measured. Returns { element, show({ picture, now, total, pieces,
// curves, fresh, reading }), offer(whether it could be measured) }.
export function tilesOf(t, measure) {
  const [tokens, skipped, evidence, recall] = ["tokens", "skipped", "evidence", "recall"].map(tile);
  const tiles = [tokens, skipped, evidence, recall];
  const look = { class: "sr-plain sr-threshold-measure", hidden: true, onclick: begin };
  const offered = h("button", look, t("panel.measure"));
  recall.element.append(offered);
  async function begin() {
    offered.disabled = true;
    await measure();
    offered.disabled = false;
  }
  function offer(open) {
    offered.hidden = !open;
    if (open) recall.element.hidden = false;
  }
  const element = h("div", { class: "sr-threshold-tiles" }, tiles.map((one) => one.element));
  function show({ picture, now, total, pieces, curves, fresh, reading }) {
    const kept = count(picture.tokensKept);
    // Under a budget the kernel may drop a few more blocks than the browser: until it has said so, this is the most.
    write(tokens.value, picture.sure ? kept : t("panel.at_most", { count: kept }));
    write(tokens.label, t("panel.tokens", { total: count(total) }));
    write(skipped.value, percent(1 - picture.tokensKept / Math.max(1, total)));
    write(skipped.label, t("panel.skipped"));
    evidence.element.hidden = pieces === 0;
    write(evidence.value, t("panel.evidence.value", { recalled: picture.recalled ?? 0, pieces }));
    write(evidence.label, t("panel.evidence"));
    const lost = pieces - (picture.recalled ?? 0);
    write(evidence.more, lost ? t("panel.evidence.lost", { count: lost }) : "");
    evidence.element.dataset.lost = String(lost > 0);
    workload(recall, { t, curves, fresh, now, reading });
  }
  return { element, show, offer };
}

function tile(name) {
  const value = h("div", { class: "sr-threshold-value" });
  const label = h("div", { class: "sr-threshold-what" });
  const more = h("div", { class: "sr-threshold-more" });
  const element = h("div", { class: "sr-threshold-tile", dataset: { tile: name } }, value, label, more);
  return { element, value, label, more };
}

function workload(tile, { t, curves, fresh, now, reading }) {
  tile.element.hidden = !curves.share;
  if (!curves.share) return;
  const transfers = now.cut.kind === "share" || reading.scale === "calibrated";
  const curve = transfers ? curves[now.cut.kind] : null;
  const found = curve ? at(curve, "recall", now.cut.value) : { value: NaN };
  const share = (value) => percent(value, 1);
  write(tile.value, share(found.value));
  write(tile.label, t("panel.recall", { workload: curves.workload }));
  const interval = between(found.low, found.high, (end) => percent(end, 0));
  const split = t(`panel.${curves.split}`);
  tile.element.dataset.old = String(!fresh);
  const said = [
    !fresh && t("panel.recall.old"),
    interval && t("panel.recall.interval", { interval, split }),
    now.budget !== null && t("panel.recall.budget"),
  ];
  write(tile.more, curve ? said.filter(Boolean).join(" · ") : t("panel.recall.uncalibrated"));
  tile.element.title = curve ? explained(t, curves, curve, now.cut.value) : "";
}

function explained(t, curves, curve, value) {
  const kept = at(curve, "kept", value);
  return t("panel.recall.title", {
    requests: count(curve.requests),
    documents: count(curve.documents),
    workload: curves.workload,
    split: t(`panel.${curves.split}`),
    kept: percent(kept.value),
    interval: between(kept.low, kept.high, (end) => percent(end)),
  });
}

// A figure at a cut, on straight lines between the cuts that are known: { value, low, high }.
export function at(curve, name, value) {
  const places = curve.at;
  let above = places.findIndex((place) => place >= value);
  if (above < 0) above = places.length - 1;
  const below = Math.max(0, above - 1);
  const span = places[above] - places[below];
  const part = span > 0 ? Math.min(1, Math.max(0, (value - places[below]) / span)) : 1;
  const mix = (column) => {
    const [low, high] = [column[below], column[above]];
    return low === null || high === null ? null : low + part * (high - low);
  };
  return {
    value: mix(curve[name]) ?? NaN,
    low: mix(curve[`${name}_low`]),
    high: mix(curve[`${name}_high`]),
  };
}
