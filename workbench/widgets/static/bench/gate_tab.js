// Gate: every request as a point, the weights and thresholds that part them, and the same requests as a table.

import { h, replace } from "../shared/dom.js";
import { render as renderGate } from "../gate/gate_view.js";
import { isRunning, jobButton } from "./status_bar_jobs.js";
import { render as renderRequests } from "../requests/workload_table.js";

export function gateTab(shell) {
  const { model, t } = shell;
  const requests = shell.place("requests", renderRequests);
  const slots = { below: requests.element, show: (tab) => shell.select(tab, { focus: true }) };
  const gate = shell.place("gate", renderGate, { extras: { slots } });
  const said = h("p", {});
  const replay = h("button", { class: "sr-primary", onclick: () => void shell.act("replay") }, t("replay"));
  const empty = h("div", { class: "sr-wb-empty", hidden: true }, said, replay);
  const why = h("div", { lang: "en" });
  const anew = jobButton(shell, "replay", t("replay"));
  const stale = h("div", { class: "sr-wb-gate-stale", role: "status", hidden: true }, why, anew);
  const element = h("div", { class: "sr-wb-gate" }, empty, stale, gate.element);
  const show = () => {
    const { outcomes, workload, stale: reasons = [] } = model.get("foot");
    stale.hidden = model.alone || !outcomes || !workload || !reasons.length;
    replace(why, reasons.map((reason) => h("p", {}, reason)));
    empty.hidden = Boolean(outcomes);
    gate.element.hidden = !outcomes;
    said.textContent = workload ? t("empty.gate") : t("empty.workload");
    replay.hidden = !workload;
    replay.disabled = model.get("running").some((job) => job.kind === "replay" && isRunning(job));
    if (!outcomes || element.hidden) return;
    void gate.show();
    void requests.show();
  };
  shell.follow(["foot", "running"], show);
  return { element, show };
}
