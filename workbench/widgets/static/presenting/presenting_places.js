// A bench that is shown in several places is presented in one of them. Each place gets an object of its own for the one
// model, and what they share is the channel.

const PLACES = new Map();

// Returns { isMine, ask(), take(), release(), leave() } for a place that may present: { isSeen, turn({ whole }) }.
export function placeAmong(channel, place) {
  const known = PLACES.get(channel) ?? { places: new Set(), asked: null, holder: null };
  PLACES.set(channel, known);
  known.places.add(place);
  return {
    // Where somebody has asked for it; else where it can be seen.
    get isMine() {
      if (known.holder) return known.holder === place;
      return (known.asked ?? [...known.places].find((one) => one.isSeen) ?? place) === place;
    },
    ask: () => (known.asked = place),
    take: () => Object.assign(known, { holder: place, asked: null }),
    release: () => known.holder === place && (known.holder = null),
    // Whoever is left goes on, in the window: the screen is just being given back.
    leave: () => {
      known.places.delete(place);
      if (known.asked === place) known.asked = null;
      if (!known.places.size) PLACES.delete(channel);
      if (known.holder !== place) return;
      known.holder = null;
      for (const one of known.places) one.turn({ whole: false });
    },
  };
}
