// What has to be seen before anything else: the kernel is gone, and what becomes of the work.

import { actions } from "../shared/actions.js";
import { h, replace } from "../shared/dom.js";

export function noticeOf(shell) {
  const { model, t } = shell;
  const element = h("div", { class: "sr-wb-notice-place", role: "status", "aria-live": "polite" });
  const queue = actions(model);
  const show = () => {
    const said = queue.connected ? "" : t("disconnected", { count: queue.pending });
    shell.root.dataset.connected = String(queue.connected);
    if (element.dataset.said === said) return;
    element.dataset.said = said;
    const remedy = queue.alive ? t("disconnected.line") : t("disconnected.kernel");
    replace(element, said && h("p", { class: "sr-wb-notice" }, h("strong", {}, said), " ", remedy));
  };
  shell.ends(queue.watch(show));
  show();
  return { element };
}
