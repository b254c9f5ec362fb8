// The words for a code that others may add to: a code without words is shown as it is.
export function wordOr(t, section, code) {
  const key = `${section}.${code}`;
  const found = t(key);
  return found === key ? code : found;
}
