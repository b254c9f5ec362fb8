// Search over everything that was skipped: as it was typed, never as a pattern; marked without touching the text.

const { sayingOf, isBusy, folded, placesOf } = globalThis.report;
const WAIT_MS = 100;
const WAIT_LETTER_MS = 500;
const SLICE_MS = 20;
const MOST_MARKED = 5000;
const MOST_OPENED = 200;
const NAME = "report-hit";

function* placesIn(text, words) {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) yield at;
}

function countIn(text, words) {
  let n = 0;
  for (const _ of placesIn(text, words)) n += 1;
  return n;
}

// Does the work in slices, so that one can go on typing; says whether it was done before something else was wanted.
async function inSlices(items, isWanted, work) {
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (!isWanted()) return false;
    until = performance.now() + SLICE_MS;
  }
  return true;
}

function searchOf(form) {
  const reading = document.getElementById(form.dataset.key);
  const say = sayingOf(form.dataset.words);
  const [field, counts] = [form.querySelector("input"), form.querySelector("output")];
  const steps = [...form.querySelectorAll("[data-step]")];
  let blocks = null;
  let wasOpen = null;
  let found = [];
  let total = 0;
  let now = -1;
  let timer = 0;
  let run = 0;
  let running = Promise.resolve();

  function search() {
    clearTimeout(timer);
    timer = 0;
    run += 1;
    running = searchFor(folded(field.value).trim(), run);
  }

  async function searchFor(words, mine) {
    const isWanted = () => mine === run;
    hitAt(now)?.block.owner.classList.remove("now");
    [found, total, now] = [[], 0, -1];
    tell("");
    if (!words) {
      if (wasOpen) showAll(reading, wasOpen);
      wasOpen = null;
      mark([], words);
      return;
    }
    blocks ??= blocksOf(reading);
    const hits = [];
    const done = await inSlices(blocks, isWanted, (block) => {
      block.low ??= folded(block.text.textContent);
      block.n = countIn(block.low, words);
      if (block.n) hits.push(block);
    });
    if (!done) return;
    document.dispatchEvent(new CustomEvent("report-reach", { detail: form }));
    wasOpen ??= new Set(reading.querySelectorAll(".section[open]"));
    if (!(await inSlices(blocks, isWanted, showHit))) return;
    showSections(reading, hits, say);
    for (const block of hits) {
      found.push({ block, before: total });
      total += block.n;
    }
    mark(hits, words);
    tell(told());
  }

  function told() {
    const kept = found.reduce((n, { block }) => n + (block.kept ? block.n : 0), 0);
    return [
      now >= 0 && say("search.now", { now: now + 1, n: total }),
      total > kept ? say("search.hits", { n: total - kept }) : say("search.none", { words: field.value.trim() }),
      kept ? say("search.kept", { n: kept }) : say("search.kept_none"),
      total > MOST_MARKED && say("search.most", { n: MOST_MARKED }),
    ].filter(Boolean).join(" · ");
  }

  function tell(text) {
    if (counts.textContent !== text) counts.textContent = text;
    for (const button of steps) button.disabled = !total;
  }

  const hitAt = (place) => found.findLast(({ before }) => before <= place);

  function step(by) {
    if (!total) return;
    hitAt(now)?.block.owner.classList.remove("now");
    now = now < 0 && by < 0 ? total - 1 : (now + by + total) % total;
    const { section, owner } = hitAt(now).block;
    if (section) section.open = true;
    owner.classList.add("now");
    owner.scrollIntoView({ block: "center" });
    tell(told());
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, /^\s*[!-~]\s*$/.test(field.value) ? WAIT_LETTER_MS : WAIT_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (event.key === "Escape") field.value = "";
    if (timer || event.key === "Escape") search();
    if (event.key === "Enter") running.then(() => step(event.shiftKey ? -1 : 1));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of steps) button.addEventListener("click", () => step(Number(button.dataset.step)));
  // What a link leads to must not be hidden by a search.
  document.addEventListener("report-reach", ({ detail }) => {
    if (!wasOpen || !reading.contains(detail) || !detail.matches(".section, .section li:not(.hit)")) return;
    field.value = "";
    search();
  });
  form.hidden = false;
  function focus() {
    document.dispatchEvent(new CustomEvent("report-reach", { detail: form }));
    field.focus();
  }
  return { reading, focus };
}

// Read once, when somebody begins to search: all that was skipped, then what was kept.
function blocksOf(reading) {
  const skipped = [...reading.querySelectorAll(".section")].flatMap((section) =>
    Array.from(section.querySelectorAll("li"), (owner) => ({ text: owner.firstElementChild, owner, section })));
  const kept = Array.from(reading.querySelectorAll(".kept-text .document-text"), (text) =>
    ({ text, owner: text.closest("[data-status]"), kept: true }));
  return [...skipped, ...kept];
}

function showHit(block) {
  if (!block.kept && block.shown !== Boolean(block.n)) {
    block.shown = Boolean(block.n);
    block.owner.classList.toggle("hit", block.shown);
  }
}

// Opens the sections with hits, and leaves of them the lists with hits.
function showSections(reading, hits, say) {
  const [places, lengths] = [new Map(), new Map()];
  for (const { kept, section, owner, n } of hits) {
    if (kept) continue;
    places.set(section, (places.get(section) ?? 0) + n);
    lengths.set(owner.parentElement, (lengths.get(owner.parentElement) ?? 0) + 1);
  }
  let opened = 0;
  for (const section of reading.querySelectorAll(".section")) {
    const n = places.get(section) ?? 0;
    const badge = section.querySelector(".hits");
    badge.hidden = !n;
    badge.textContent = say("search.section", { n });
    section.classList.toggle("no-hits", !n);
    section.open = n > 0 && opened < MOST_OPENED;
    opened += n;
    if (n) showLists(section, lengths);
  }
  reading.classList.add("searching");
}

function showLists(section, lengths) {
  let label = null;
  for (const part of section.children) {
    if (part.matches(".page")) {
      label = part;
      label.classList.add("no-hits");
    } else if (part.matches("ol")) {
      const length = lengths.get(part) ?? 0;
      part.classList.toggle("no-hits", !length);
      part.style.setProperty("--hits", length);
      if (length) label?.classList.remove("no-hits");
    }
  }
}

function showAll(reading, open) {
  reading.classList.remove("searching");
  for (const section of reading.querySelectorAll(".section")) {
    section.open = open.has(section);
    section.querySelector(".hits").hidden = true;
  }
}

function mark(hits, words) {
  if (!CSS.highlights) return;
  CSS.highlights.delete(NAME);
  const ranges = [];
  for (const block of hits) {
    if (ranges.length >= MOST_MARKED) break;
    for (const at of placesIn(block.low, words)) {
      const range = rangeOf(block, at, words.length);
      if (range && ranges.length < MOST_MARKED) ranges.push(range);
    }
  }
  if (ranges.length) CSS.highlights.set(NAME, new Highlight(...ranges));
}

function rangeOf(block, at, size) {
  const node = block.text.firstChild;
  block.places ??= placesOf(block.text.textContent);
  const [start, end] = [block.places[at][0], block.places[at + size - 1][1]];
  if (!node || node.length < end) return null;
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

const searches = [...document.querySelectorAll("[data-search]")].map(searchOf);
const button = document.querySelector("[data-to-search]");

// The search of the reading in sight.
function focusSearch() {
  const inSight = searches.findLast(({ reading }) => reading.getBoundingClientRect().top < innerHeight / 2) ?? searches[0];
  inSight.focus();
}

if (searches.length) {
  button.hidden = false;
  button.addEventListener("click", focusSearch);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || isBusy(event)) return;
    event.preventDefault();
    focusSearch();
  });
}
