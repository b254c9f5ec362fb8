// Spans of time as they are read.

import { count } from "../shared/numbers.js";

export function duration(t, seconds) {
  if (seconds < 90) return t("train.seconds", { count: count(Math.max(0, seconds)) });
  return t("train.minutes", { count: count(seconds / 60) });
}
