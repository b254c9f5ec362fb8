// The message of what went wrong, in words, in the widget where it happened.

import { actions } from "./actions.js";
import { h, replace } from "./dom.js";
import { words } from "./words.js";

// Returns { element, dispose }; the element is empty while nothing is wrong.
export function faultOf(model) {
  const t = words(model);
  const element = h("div", { class: "sr-fault-place", "aria-live": "assertive" });
  const show = () => {
    const fault = model.get("fault");
    const details = model.get("details");
    replace(
      element,
      fault &&
        h(
          "div",
          { class: "sr-fault", role: "alert" },
          h("p", {}, fault),
          details && h("details", {}, h("summary", { tabindex: "0" }, t("fault.details")), h("pre", {}, details)),
          h("button", { class: "sr-plain", onclick: () => actions(model).act("close_fault") }, t("close")),
        ),
    );
  };
  model.on("change:fault", show);
  show();
  return { element, dispose: () => model.off("change:fault", show) };
}
