// Plotly, loaded once a page from the kernel, and the colours of the theme for what is drawn on a canvas or by plotly.

import { actions } from "../shared/actions.js";

// Resolves to plotly, or to null where there is none: a page without a kernel, or one that may not run it.
export function plotlyFor(model) {
  if (model.alone || !model.get("with_plotly")) return Promise.resolve(null);
  globalThis.sparsereadPlotly ??= loaded(model).catch(() => null);
  return globalThis.sparsereadPlotly;
}

async function loaded(model) {
  const { buffers } = await actions(model).ask("plotly");
  if (!buffers?.length) return null;
  const address = URL.createObjectURL(new Blob([buffers[0]], { type: "text/javascript" }));
  // The script sets a global name that a page may use for another version.
  const before = globalThis.Plotly;
  try {
    await import(address);
    return globalThis.Plotly;
  } finally {
    URL.revokeObjectURL(address);
    if (before) globalThis.Plotly = before;
  }
}

const NAMES = {
  ground: "--sr-ground",
  line: "--sr-line",
  line2: "--sr-line-2",
  ink: "--sr-ink",
  ink2: "--sr-ink-2",
  kept: "--sr-kept",
  near: "--sr-near-mark",
  nearInk: "--sr-near",
  nearGround: "--sr-near-ground",
  skipped: "--sr-skipped",
  lost: "--sr-lost",
  selected: "--sr-selected",
};

// The colours and the font of an element's theme, as plain values.
export function themeOf(element) {
  const style = getComputedStyle(element);
  const colours = Object.fromEntries(
    Object.entries(NAMES).map(([name, variable]) => [name, style.getPropertyValue(variable).trim()]),
  );
  return { ...colours, font: style.fontFamily };
}

// Calls `listener` when the page's theme changes; returns what ends that.
export function onTheme(listener) {
  // A theme's style sheet may arrive after the mark on the body.
  const observer = new MutationObserver(() => [0, 300].forEach((wait) => setTimeout(listener, wait)));
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  return () => observer.disconnect();
}
