// What others label meanwhile, in another widget or notebook: asked for while somebody can see it, and at once when
// somebody comes back to it.

const EVERY = 3_000;
// A kernel may be busy for long; an answer that never came must not end the asking.
const PATIENCE = 60_000;

// Calls `ask`, which returns a promise, not before the last one is settled; returns what ends it.
export function askForNews(root, ask) {
  let since = -PATIENCE;
  const now = async () => {
    if (performance.now() - since < PATIENCE || document.hidden || !root.checkVisibility()) return;
    const began = performance.now();
    since = began;
    await ask();
    if (since === began) since = -PATIENCE;
  };
  const timer = setInterval(now, EVERY);
  const seen = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && now());
  seen.observe(root);
  root.addEventListener("focusin", now);
  document.addEventListener("visibilitychange", now);
  return () => {
    clearInterval(timer);
    seen.disconnect();
    root.removeEventListener("focusin", now);
    document.removeEventListener("visibilitychange", now);
  };
}
