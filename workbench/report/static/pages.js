// Pages: a thumbnail opens large, with the reasons of its blocks; a number finds its page.

const { sayingOf, element } = globalThis.report;
const zoom = document.querySelector("dialog.zoom");
const say = sayingOf(zoom.dataset.words);
const [title, sheet, said] = ["#zoom-title", ".zoom-page", ".zoom-said"].map((found) => zoom.querySelector(found));
const MOST_TEXT = 600;
let shown = null;

const entryOf = (key, page) => document.getElementById(`${key}-p${page}`);
const pagesOf = (key) => [...document.querySelectorAll(`#${CSS.escape(key)}-pages .page-list li`)];
const numberOf = (entry) => Number(entry.id.slice(entry.id.lastIndexOf("-p") + 2));

function open(key, page) {
  const entry = entryOf(key, page);
  if (!entry) return false;
  const entries = pagesOf(key);
  shown = { key, entries, at: entries.indexOf(entry) };
  title.textContent = say("zoom.title", { page, n: numberOf(entries.at(-1)) });
  drawSheet(key, page);
  drawReasons(key, entry);
  for (const button of zoom.querySelectorAll("[data-turn]")) {
    // Not disabled: the focus would fall off the button that turned to the last page.
    button.ariaDisabled = String(!entries[shown.at + Number(button.dataset.turn)]);
  }
  if (!zoom.open) zoom.showModal();
  return true;
}

function turn(by) {
  const next = shown.entries[shown.at + by];
  if (next) open(shown.key, numberOf(next));
}

function thumbOf(key, page) {
  return document.querySelector(`.thumb[data-key="${CSS.escape(key)}"][data-page="${page}"]`);
}

// In the thumbnail the outlines of a status are one path; here each block has its own, so that it can be pointed at.
function drawSheet(key, page) {
  const drawn = thumbOf(key, page)?.querySelector("svg")?.cloneNode(true);
  zoom.classList.toggle("no-sheet", !drawn);
  sheet.replaceChildren();
  if (!drawn) return;
  for (const path of drawn.querySelectorAll("path[data-b]")) {
    const ids = path.dataset.b.split(" ");
    const outlines = path.getAttribute("d").split("M").slice(1);
    path.replaceWith(...outlines.map((outline, rank) => outlineOf(path, `M${outline}`, ids[rank])));
  }
  const { width, height } = drawn.viewBox.baseVal;
  sheet.append(drawn);
  sheet.style.setProperty("--shape", `${width / height}`);
}

function outlineOf(path, d, block) {
  const one = path.cloneNode(false);
  one.removeAttribute("data-b");
  one.setAttribute("d", d);
  one.dataset.block = block;
  return one;
}

function drawReasons(key, entry) {
  said.replaceChildren(element("p", { className: "why-page", text: entry.querySelector(".sentence").textContent }));
  for (const list of ["kept", "skipped"]) {
    const blocks = idsOf(entry.dataset[list]).map((id) => document.getElementById(`${key}-b${id}`)).filter(Boolean);
    if (!blocks.length) continue;
    said.append(element("h4", { className: "label", text: say(`zoom.${list}`, { n: blocks.length }) }));
    const items = element("ol");
    items.append(...blocks.map((block) => itemOf(block, list)));
    said.append(items);
  }
  said.scrollTop = 0;
}

function idsOf(ranges) {
  return ranges.split(" ").filter(Boolean).flatMap((range) => {
    const [first, last] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, rank) => first + rank);
  });
}

function itemOf(block, list) {
  const id = block.id.slice(block.id.lastIndexOf("-b") + 2);
  const item = element("li", { className: block.dataset.status ?? list });
  item.dataset.block = id;
  const text = element("p", { className: "document-text", dir: "auto", text: textOf(block) });
  const reason = block.querySelector(".reason, small")?.textContent ?? "";
  item.append(element("a", { href: `#${block.id}`, text: `#${id}` }), text, element("p", { className: "reason", text: reason }));
  return item;
}

function textOf(block) {
  const cells = [...block.querySelectorAll(".document-text, :scope > p")].map((part) => part.textContent);
  const text = cells.join(" · ");
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

function point(block) {
  for (const other of zoom.querySelectorAll(".on")) other.classList.remove("on");
  if (block) for (const one of zoom.querySelectorAll(`[data-block="${block}"]`)) one.classList.add("on");
}

const blockAt = (event) => event.target.closest("[data-block]")?.dataset.block;
zoom.addEventListener("pointerover", (event) => point(blockAt(event)));
zoom.addEventListener("focusin", (event) => point(blockAt(event)));
sheet.addEventListener("click", (event) => {
  const block = blockAt(event);
  if (block) said.querySelector(`li[data-block="${block}"]`)?.scrollIntoView({ block: "center" });
});
zoom.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.turn) turn(Number(button.dataset.turn));
  else if (button || event.target === zoom || event.target.closest("a")) zoom.close();
});
zoom.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  turn(by);
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const thumb = event.target.closest(".thumb");
  if (thumb && open(thumb.dataset.key, thumb.dataset.page)) event.preventDefault();
});

for (const form of document.querySelectorAll("[data-finder]")) {
  const [field, fault] = [form.querySelector("input"), form.querySelector("output")];
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = field.value.trim();
    const found = /^\d{1,7}$/.test(value) && open(form.dataset.key, Number(value));
    field.setAttribute("aria-invalid", String(!found));
    fault.textContent = found ? "" : say("zoom.no_page", { value, n: Number(form.dataset.last) });
  });
  const button = form.querySelector("[data-touched]");
  button?.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    form.closest(".part").querySelector(".thumbs").classList.toggle("only-touched", on);
  });
}
