// Links within the page, followed by script: in the frame of a notebook the browser would open the notebook for them.

// Leads to an element: shows it where a switch, a search or a fold hides it, and gives it the focus.
function reach(target) {
  document.dispatchEvent(new CustomEvent("report-reach", { detail: target }));
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  // A page of a frame has no address of its own; elsewhere Back leads back, and the target is marked.
  if (location.protocol !== "about:") location.hash = target.id;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.scrollIntoView({ block: target.getBoundingClientRect().height < innerHeight / 2 ? "center" : "start" });
  target.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("a[href^='#']");
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  if (!target) return;
  event.preventDefault();
  reach(target);
});
