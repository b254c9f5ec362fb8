// The Python call that does what a person last did.

import { short } from "./threshold_panel_scale.js";

const MIN_TOKENS = 3000;

export function callOf(said, now, reading) {
  if (said?.kind === "set_budget") return `reading.with_budget(${now.budget ?? "None"})`;
  if (said?.kind === "set_offset") {
    const { document_type: type, value } = said.values;
    return `panel.act("set_offset", document_type="${type}", value=${short(value)})`;
  }
  return cutCall(now.cut, reading);
}

function cutCall(cut, reading) {
  const value = short(cut.value);
  if (cut.kind === "share") {
    const known = reading.cut.kind === "share" ? reading.cut.min_tokens : MIN_TOKENS;
    const least = cut.min_tokens === known ? value : `TokenShare(${value}, ${cut.min_tokens})`;
    return `reading.with_token_share(${least})`;
  }
  if (reading.scale === "calibrated") return `reading.with_threshold(${value})`;
  return `reading.with_threshold(Threshold(${value}, scale=Scale.UNCALIBRATED))`;
}
