// The window that presenting takes: a dialog above everything, as large as the screen where a person asked for it, and
// everything as it was when it is over.

import { h } from "../shared/dom.js";

const KEYS = ["keydown", "keyup", "keypress"];
const POINTERS = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu"];

// Returns { element, inner, open(whole), close(), screen(), dispose() }. `left` is called when the browser itself ends it.
export function stageOf(label, left) {
  const inner = h("div", { class: "sr-pr-stage", tabindex: "-1" });
  const element = h("dialog", { class: "sr-pr-dialog", "aria-label": label }, inner);
  let before = null;
  let places = [];
  let hasScreen = false;

  // What is behind must not hear the keys and clicks that are meant for this: a notebook would open its own menu there,
  // under this and in place of the browser's.
  for (const name of [...KEYS, ...POINTERS]) {
    element.addEventListener(name, (event) => event.stopPropagation());
  }
  element.addEventListener("cancel", (event) => {
    event.preventDefault();
    left();
  });
  // A button that is pressed and goes away takes the keys with it.
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget) return;
    setTimeout(() => element.open && !element.contains(active(element)) && inner.focus({ preventScroll: true }), 0);
  });
  document.addEventListener("fullscreenchange", changed);
  // Escape in full screen is heard by the browser alone; what is taken off the page leaves full screen, too.
  function changed() {
    const had = hasScreen;
    hasScreen = document.fullscreenElement === inner;
    if (had && !hasScreen && element.open && element.isConnected) left();
  }

  // What is taken off the page, as a page of Voilà does with what it has drawn, is no window any more when it comes back.
  const watch = new ResizeObserver(raise);
  function raise() {
    if (!element.isConnected || element.matches(":modal")) return;
    element.removeAttribute("open");
    element.showModal();
    inner.focus({ preventScroll: true });
  }

  async function screen() {
    if (!inner.requestFullscreen) return;
    try {
      if (document.fullscreenElement === inner) {
        hasScreen = false;
        await document.exitFullscreen();
      } else await inner.requestFullscreen();
    } catch {
      // Where the page may not have the screen it has the window.
    }
  }

  return {
    element,
    inner,
    screen,
    open: (whole) => {
      before = active(element);
      places = scrolledAround(element);
      raise();
      watch.observe(element.parentElement);
      if (whole && navigator.userActivation?.isActive) void screen();
    },
    close: async () => {
      watch.disconnect();
      hasScreen = false;
      const isWhole = document.fullscreenElement === inner;
      element.close();
      if (isWhole) await document.exitFullscreen().catch(() => {});
      if (before?.isConnected) before.focus({ preventScroll: true });
      for (const [found, place] of places) found.scrollTo({ ...place, behavior: "instant" });
    },
    dispose: () => {
      watch.disconnect();
      document.removeEventListener("fullscreenchange", changed);
      element.remove();
    },
  };
}

const active = (element) => element.getRootNode().activeElement;

function scrolledAround(element) {
  const found = [];
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at.scrollTop || at.scrollLeft) found.push([at, { top: at.scrollTop, left: at.scrollLeft }]);
  }
  return found;
}
