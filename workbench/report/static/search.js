// Search over everything that was skipped: as it was typed, never as a pattern; marked without touching the text.

const { sayingOf, isBusy, folded, placesOf } = globalThis.report;
const WAIT_MS = 100;
const MOST_MARKED = 5000;
const MOST_OPENED = 200;
const NAME = "report-hit";

function* placesIn(text, words) {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) yield at;
}

function searchOf(form) {
  const reading = document.getElementById(form.dataset.key);
  const say = sayingOf(form.dataset.words);
  const [field, counts] = [form.querySelector("input"), form.querySelector("output")];
  const steps = [...form.querySelectorAll("[data-step]")];
  let blocks = null;
  let wasOpen = null;
  let found = [];
  let now = -1;
  let timer = 0;

  function search() {
    clearTimeout(timer);
    timer = 0;
    const words = folded(field.value).trim();
    found[now]?.block.owner.classList.remove("now");
    [found, now] = [[], -1];
    blocks ??= blocksOf(reading);
    if (words) {
      document.dispatchEvent(new CustomEvent("report-reach", { detail: form }));
      wasOpen ??= new Set(reading.querySelectorAll(".section[open]"));
      found = blocks.flatMap((block) => [...placesIn(block.low, words)].map((at) => ({ block, at })));
      showHits(reading, found, say);
    } else if (wasOpen) {
      showAll(reading, wasOpen);
      wasOpen = null;
    }
    mark(found, words.length);
    tell();
  }

  function tell() {
    counts.textContent = folded(field.value).trim() ? told(found, now, field.value.trim(), say) : "";
    for (const button of steps) button.disabled = !found.length;
  }

  function step(by) {
    if (!found.length) return;
    found[now]?.block.owner.classList.remove("now");
    now = now < 0 && by < 0 ? found.length - 1 : (now + by + found.length) % found.length;
    const { section, owner } = found[now].block;
    if (section) section.open = true;
    owner.classList.add("now");
    owner.scrollIntoView({ block: "center" });
    tell();
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, WAIT_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (event.key === "Escape") field.value = "";
    if (timer || event.key === "Escape") search();
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of steps) button.addEventListener("click", () => step(Number(button.dataset.step)));
  form.hidden = false;
  function focus() {
    document.dispatchEvent(new CustomEvent("report-reach", { detail: form }));
    field.focus();
  }
  // What a link leads to must not be hidden by a search.
  document.addEventListener("report-reach", ({ detail }) => {
    if (!wasOpen || !reading.contains(detail) || !detail.matches(".section, .section li:not(.hit)")) return;
    field.value = "";
    search();
  });
  return { reading, focus };
}

// Read once, when somebody begins to search: all that was skipped, then what was kept.
function blocksOf(reading) {
  const skipped = [...reading.querySelectorAll(".section li")].map((owner) => blockOf(owner.firstElementChild, owner, false));
  const kept = [...reading.querySelectorAll(".kept-text .document-text")];
  return [...skipped, ...kept.map((text) => blockOf(text, text.closest("[data-status]"), true))];
}

// Opens the sections with hits, and leaves of them the blocks with hits.
function showHits(reading, found, say) {
  const hits = new Map();
  for (const block of reading.querySelectorAll(".section li.hit")) block.classList.remove("hit");
  for (const { block } of found) {
    if (block.kept) continue;
    block.owner.classList.add("hit");
    hits.set(block.section, (hits.get(block.section) ?? 0) + 1);
  }
  let opened = 0;
  for (const section of reading.querySelectorAll(".section")) {
    const n = hits.get(section) ?? 0;
    const badge = section.querySelector(".hits");
    badge.hidden = !n;
    badge.textContent = say("search.section", { n });
    section.classList.toggle("no-hits", !n);
    section.open = n > 0 && opened < MOST_OPENED;
    opened += n;
    for (const list of section.querySelectorAll("ol")) {
      const empty = !list.querySelector(".hit");
      list.classList.toggle("no-hits", empty);
      list.previousElementSibling.classList.toggle("no-hits", empty && list.previousElementSibling.matches(".page"));
    }
  }
  reading.classList.add("searching");
}

function showAll(reading, open) {
  reading.classList.remove("searching");
  for (const section of reading.querySelectorAll(".section")) {
    section.open = open.has(section);
    section.querySelector(".hits").hidden = true;
  }
}

function mark(found, size) {
  if (!CSS.highlights) return;
  CSS.highlights.delete(NAME);
  const ranges = found.slice(0, MOST_MARKED).map(({ block, at }) => rangeOf(block, at, size)).filter(Boolean);
  if (ranges.length) CSS.highlights.set(NAME, new Highlight(...ranges));
}

function told(found, now, words, say) {
  const kept = found.filter(({ block }) => block.kept).length;
  const skipped = found.length - kept;
  return [
    now >= 0 && say("search.now", { now: now + 1, n: found.length }),
    skipped ? say("search.hits", { n: skipped }) : say("search.none", { words }),
    kept ? say("search.kept", { n: kept }) : say("search.kept_none"),
    found.length > MOST_MARKED && say("search.most", { n: MOST_MARKED }),
  ].filter(Boolean).join(" · ");
}

function blockOf(text, owner, kept) {
  return { text, owner, kept, section: owner.closest(".section"), low: folded(text.textContent) };
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
