// The requests of the workload as a story: which one is shown, and the next.

// { number, count } of the request at hand (number 0 for a question of one's own), or null where there is no next one.
export function placeIn(model) {
  const { ids } = model.get("catalogue");
  if (model.alone || !ids?.length) return null;
  return { number: ids.indexOf(wantedIn(model)) + 1, count: ids.length };
}

// The request that is a step away; undefined at an end.
export function requestAt(model, by) {
  const { ids = [] } = model.get("catalogue");
  const at = ids.indexOf(wantedIn(model));
  return at < 0 ? ids[by > 0 ? 0 : ids.length - 1] : ids[at + by];
}

const wantedIn = (model) => model.get("head").request;
