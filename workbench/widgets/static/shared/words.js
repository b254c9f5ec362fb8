// The language of a text that somebody wrote, as an element says it: English unless it is Chinese for the most part.
export function languageOf(text) {
  const chinese = text.match(/[\u2e80-\u9fff\uf900-\ufaff]/g)?.length ?? 0;
  return 2 * chinese > text.length ? "zh" : "en";
}

// words(model) -> t("unsaved", { count: 3 }); a key without words is shown as it is, so that it is seen.
export function words(model) {
  const known = model.get("words");
  return (key, values = {}) =>
    (known[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
