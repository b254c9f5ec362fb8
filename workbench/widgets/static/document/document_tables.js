// Rows of tables: the cells of a row under each other, as wide as what stands in them.

const MOST_ROWS = 120;
const [LEAST, MOST] = [4, 42];
// Of the width of a text, in digits: what all columns may insist on together, what one may, and the gap between two.
const [ROOM, LONGEST, GAP] = [60, 16, 2];
const EM = 0.62;
// Chinese breaks anywhere, and other texts at spaces and behind hyphens and slashes.
const BREAKS = /[\s\u2e80-\uffff]+|(?<=[-/])/;
const NUMBER = /^[\s\d.,:;()$€£¥%+\u2212—–-]*$/;
const MOSTLY = 0.6;

// Returns cells(block) -> [{ text, column }], and columns(block) -> { template, numbers } of its table: the columns of
// a grid, and the ones that hold numbers. `room` is Infinity where a table scrolls by itself.
export function tablesOf(state, textOf, { room = ROOM } = {}) {
  const templates = new Map();
  const cells = (block) => {
    const parts = textOf(block).split("\t");
    const columns = state.document.cells(block);
    const known = columns.length === parts.length && columns.every((column) => column >= 0);
    return parts.map((text, rank) => ({ text, column: known ? columns[rank] : rank }));
  };
  const columns = (block) => {
    const table = state.reading.links.tables[block] ?? -1;
    if (!templates.has(table)) templates.set(table, columnsOf(table < 0 ? [block] : rowsFrom(state, table), cells, room));
    return templates.get(table);
  };
  return { cells, columns };
}

function rowsFrom(state, table) {
  const rows = [];
  const tables = state.reading.links.tables;
  for (let i = table + 1; i < state.document.n && rows.length < MOST_ROWS; i++) {
    if (tables[i] === table) rows.push(i);
    else if (rows.length && tables[i] >= 0) break;
  }
  return rows;
}

// A column gets the width of all but its longest tenth of cells, and wraps those; its words stay whole where there is
// room for that.
function columnsOf(rows, cells, room) {
  const lengths = [];
  const counted = [];
  const words = [];
  for (const row of rows) {
    for (const { text, column } of cells(row)) {
      (lengths[column] ??= []).push(widthOf(text));
      (counted[column] ??= []).push(NUMBER.test(text));
      words[column] = Math.max(words[column] ?? 0, longestWord(text));
    }
  }
  const numbers = new Set();
  counted.forEach((found, column) => {
    if (column > 0 && found.filter(Boolean).length > MOSTLY * found.length) numbers.add(column);
  });
  const widths = Array.from(lengths, (found) => {
    if (!found) return LEAST;
    found.sort((a, b) => a - b);
    return Math.min(MOST, Math.max(LEAST, found[Math.floor(0.9 * (found.length - 1))]));
  });
  // In em and not in digits, which are wider in a bold row.
  const most = Math.min(LONGEST, Math.floor(room / widths.length) - GAP);
  const least = (column) => Math.max(0, Math.min(most, words[column] ?? 0));
  const track = (width, column) => `minmax(${(EM * least(column)).toFixed(2)}em, ${width}fr)`;
  return { template: widths.map(track).join(" "), numbers };
}

// A little more than its letters, for a header is bold.
function longestWord(text) {
  const longest = Math.max(0, ...text.split(BREAKS).map((word) => word.length));
  return longest && longest + 1;
}

// Chinese characters are as wide as two Latin ones.
function widthOf(text) {
  let width = 0;
  for (let i = 0; i < text.length && width < MOST; i++) width += text.charCodeAt(i) > 0x2e7f ? 2 : 1;
  return width + 1;
}
