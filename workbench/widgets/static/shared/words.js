// words(model) -> t("unsaved", { count: 3 }); a key without words is shown as it is, so that it is seen.
export function words(model) {
  const known = model.get("words");
  return (key, values = {}) =>
    (known[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
