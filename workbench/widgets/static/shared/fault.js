// The message of what went wrong, in words, in the widget where it happened.

import { h, replace } from "./dom.js";
import { words } from "./words.js";

// Returns { element, dispose }; the element is empty while nothing is wrong.
export function faultOf(model) {
  const t = words(model);
  const element = h("div", { class: "sr-fault-place", "aria-live": "assertive" });
  // Closed here, and told to the kernel if it is there: a dead one must not keep its last words on the page.
  const close = () => {
    model.set("details", "");
    model.set("fault", "");
    try {
      model.save_changes();
    } catch {
      show();
    }
  };
  const show = () => {
    const fault = model.get("fault");
    const details = model.get("details");
    replace(
      element,
      fault &&
        h(
          "div",
          { class: "sr-fault", role: "alert" },
          h("p", { lang: "en" }, fault),
          details && h("details", {}, h("summary", { tabindex: "0" }, t("fault.details")), h("pre", {}, details)),
          h("button", { class: "sr-plain", onclick: close }, t("close")),
        ),
    );
  };
  model.on("change:fault", show);
  show();
  return { element, dispose: () => model.off("change:fault", show) };
}
