// Calibrate, compare and export: buttons, the progress of a calibration, and forms for the paths of profiles.

import { h, replace, write } from "../shared/dom.js";
import { count } from "../shared/numbers.js";

// `tell`: { act(kind, values), elsewhere(tab) -> whether a tab of the bench was shown instead }.
export function filesOf(model, t, tell) {
  const form = h("div", { class: "sr-gate-form" });
  const said = h("div", { class: "sr-gate-said", role: "status" });
  const bar = h("progress", { max: "1", "aria-label": t("calibrating") });
  const words = h("span", { class: "sr-gate-small" });
  const stop = () => tell.act("cancel", { job: "calibrate" });
  const cancel = h("button", { class: "sr-plain", onclick: stop }, t("cancel"));
  const running = h("div", { class: "sr-gate-job", role: "status" }, bar, words, cancel);
  const calibrate = h("button", { class: "sr-primary", onclick: () => tell.act("calibrate", {}) }, t("calibrate"));
  const open = (tab, make) => () => {
    if (tell.elsewhere(tab)) return;
    replace(form, form.dataset.open === tab ? null : make());
    form.dataset.open = form.dataset.open === tab ? "" : tab;
    form.querySelector("input")?.focus();
  };
  const buttons = h(
    "div",
    { class: "sr-gate-buttons" },
    calibrate,
    h("button", { class: "sr-button", onclick: open("compare", () => compareForm(t, send)) }, t("compare")),
    h("button", { class: "sr-button", onclick: open("export", () => exportForm(t, send)) }, t("export")),
  );
  async function send(kind, values) {
    const answer = await tell.act(kind, values);
    if (!answer?.error) replace(form);
    form.dataset.open = answer?.error ? form.dataset.open : "";
  }
  const show = () => {
    const job = model.get("job");
    const busy = job.kind === "calibrate";
    running.hidden = !busy;
    calibrate.disabled = busy || !model.get("weights").length;
    if (busy) {
      if (job.total) bar.value = job.done / job.total;
      else bar.removeAttribute("value");
      write(words, job.total ? t("calibrating.fits", { done: job.done, total: job.total }) : t("calibrating"));
    }
    replace(said, saidOf(t, model.get("said"), () => tell.act("close_said", {})));
  };
  const element = h("section", { hidden: model.alone === true }, buttons, running, form, said);
  return { element, show };
}

function field(label, properties) {
  const input = h("input", { type: "text", ...properties });
  return { input, element: h("label", { class: "sr-gate-field" }, label, input) };
}

function compareForm(t, send) {
  const path = field(t("path"), { placeholder: "gate.json", required: true });
  return formOf([path], t("compare.do"), () => send("compare", { path: path.input.value }));
}

function exportForm(t, send) {
  const path = field(t("path"), { value: "gate.json", required: true });
  const name = field(t("profile.name"), {});
  const by = field(t("profile.by"), {});
  const values = () => ({ path: path.input.value, name: name.input.value, by: by.input.value });
  return formOf([path, name, by], t("export.do"), () => send("export_profile", values()));
}

function formOf(fields, words, run) {
  const submit = (event) => {
    event.preventDefault();
    run();
  };
  const button = h("button", { class: "sr-button" }, words);
  return h("form", { onsubmit: submit }, fields.map(({ element }) => element), button);
}

function saidOf(t, said, close) {
  if (!said?.kind) return null;
  const button = h("button", { class: "sr-plain", onclick: close }, t("close"));
  if (said.kind === "exported") return [h("p", {}, t("exported", { path: said.path })), button];
  const routes = t("compared.routes", { count: count(said.routes) });
  return [
    h("p", {}, `${t(said.alike ? "compared.alike" : "compared", { path: said.path })} ${routes}`),
    said.lines.length > 0 && h("ul", { lang: "en" }, said.lines.map((line) => h("li", {}, line))),
    button,
  ];
}
