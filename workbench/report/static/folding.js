// Text as a person reads it: the same letters however they are coded, without what nobody sees, one space for a gap.

const PLAIN = /^(?:[!-_a-~]| (?! ))*$/;
// Letters that are themselves; else what is one letter only together: with its accents, as a Korean syllable, and a
// word that a soft hyphen parts at the end of a line.
const PARTS = /([!-_a-~\u3400-\u9fff]+(?!\p{M}))|\u00ad\r?\n|[\u1100-\u11ff]+|\P{M}\p{M}*|\p{M}+/gu;
const UNSEEN = /\u00ad\r?\n|[\p{Cf}\u034f\ufe00-\ufe0f]/gu;
const ALIKE = [
  [/[\u2018-\u201b\u2032\u00b4\u0060]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
];

function letterOf(part) {
  const seen = ALIKE.reduce((text, [letters, plain]) => text.replace(letters, plain), part.replace(UNSEEN, ""));
  const low = seen.normalize("NFKC").toLowerCase();
  return low.replace("i\u0307", "i").replace("\u03c2", "\u03c3").replace(/\s+/g, " ");
}

// Gives each part of the text with its folded letters; a space after a space is no letter.
function* partsOf(text) {
  let spaced = false;
  for (const { 0: part, 1: steady, index } of text.matchAll(PARTS)) {
    const letters = steady ? part.toLowerCase() : letterOf(part);
    const seen = spaced && letters.startsWith(" ") ? letters.slice(1) : letters;
    if (letters) spaced = letters.endsWith(" ");
    yield { part, index, letters: seen, steady };
  }
}

function folded(text) {
  if (PLAIN.test(text)) return text.toLowerCase();
  return Array.from(partsOf(text), ({ letters }) => letters).join("");
}

// Gives where in the text each character of the folded text begins and ends.
function placesOf(text) {
  const places = [];
  for (const { part, index, letters, steady } of partsOf(text)) {
    for (let rank = 0; rank < letters.length; rank += 1) {
      places.push(steady ? [index + rank, index + rank + 1] : [index, index + part.length]);
    }
  }
  return places;
}

Object.assign(globalThis.report, { folded, placesOf });
