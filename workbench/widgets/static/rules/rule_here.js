// What rules do to the document at hand when they are off: asked for a few at a time, once nobody edits, so that the
// kernel is free for the next edit in between.

const WAIT = 250;
const AT_ONCE = 6;

export function hereEffects(view) {
  let timer = null;
  let round = 0;
  async function find(number, names) {
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const { value } = await view.ask("here", { rules: names.slice(at, at + AT_ONCE) });
      if (number !== round) return;
      for (const [name, effect] of Object.entries(value ?? {})) view.here.set(name, effect);
      view.refigure();
    }
    view.waiting = false;
    view.refigure();
    view.root.dataset.measuredHere = String(view.painted);
  }
  return {
    // Everything is found anew: a rule that changed decides what others do.
    renew() {
      clearTimeout(timer);
      const number = (round += 1);
      if (!view.facts.document || view.readonly) return;
      view.waiting = true;
      const names = view.rows.filter((row) => row.enabled && row.touched).map((row) => row.name);
      timer = setTimeout(() => find(number, names), WAIT);
    },
    dispose() {
      round += 1;
      clearTimeout(timer);
    },
  };
}
