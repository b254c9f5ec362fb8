// A child widget in its place in the shell: asked for when the place is first shown, drawn when it has arrived.

import { actions } from "../shared/actions.js";
import { h, replace } from "../shared/dom.js";
import { child } from "../shared/models.js";

// Returns { element, show(), model() }; `extras` go to the child's render. With `whenSeen` the place shows itself as
// soon as somebody can see it. `drawn` is called with the child's model once it is there.
export function placeOf(shell, name, render, { extras = {}, whenSeen = false, label = "", drawn = null } = {}) {
  const { model, t } = shell;
  const element = h(
    "div",
    { class: `sr-wb-place sr-wb-place-${name}`, role: label ? "region" : null, "aria-label": label || null },
  );
  let state = "empty";
  let dispose = null;
  let found = null;
  let ended = false;

  const mount = async () => {
    if (state !== "asked" || !model.get("children")[name]) return;
    state = "drawing";
    try {
      await draw();
    } catch (error) {
      state = "empty";
      replace(element, h("p", { class: "sr-wb-wait" }, t("wait.broken", { error: String(error) })));
    }
  };
  // The bench may go while its part is on the way.
  const draw = async () => {
    found = await child(model, name);
    if (ended) return;
    element.replaceChildren();
    const end = await render({ model: found, el: element, ...extras });
    if (ended) return void end?.();
    dispose = end;
    state = "drawn";
    drawn?.(found);
    shell.mounted(name);
  };
  const show = async () => {
    if (state !== "empty") return;
    state = "asked";
    if (model.get("children")[name]) return mount();
    replace(element, h("p", { class: "sr-wb-wait" }, t("wait")));
    const { error } = await actions(model).ask("need", { name });
    if (!error) return mount();
    // The fault says it in words above; another look at this place tries again.
    state = "empty";
    replace(element, h("p", { class: "sr-wb-wait" }, t("wait.failed")));
  };

  const seen = whenSeen ? new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && show()) : null;
  seen?.observe(element);
  const arrived = () => void mount();
  model.on("change:children", arrived);
  shell.ends(() => {
    ended = true;
    seen?.disconnect();
    model.off("change:children", arrived);
    if (typeof dispose === "function") dispose();
  });
  return { element, show, model: () => found };
}
