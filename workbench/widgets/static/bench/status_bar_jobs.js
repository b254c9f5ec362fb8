// Long jobs at the foot: what is done, how long it still takes, and a way to stop it.

import { h, write } from "../shared/dom.js";
import { count } from "../shared/numbers.js";

export const isRunning = (job) => job.status === "waiting" || job.status === "running";

export function jobsOf(shell) {
  const { model } = shell;
  const element = h("span", { class: "sr-wb-jobs", "aria-live": "off" });
  const shown = new Map();
  shell.follow(["running"], () => {
    const running = model.get("running").filter(isRunning);
    const names = new Set(running.map((job) => job.id));
    for (const [id, row] of shown) {
      if (names.has(id)) continue;
      row.element.remove();
      shown.delete(id);
    }
    for (const job of running) {
      if (!shown.has(job.id)) {
        shown.set(job.id, jobRow(shell, job));
        element.append(shown.get(job.id).element);
      }
      shown.get(job.id).show(job);
    }
  });
  return { element };
}

function jobRow(shell, job) {
  const { t } = shell;
  const fill = h("i", {});
  const name = t(`job.${job.kind}`);
  const bar = h(
    "span",
    { class: "sr-wb-job-bar", role: "progressbar", "aria-label": name, "aria-valuemin": "0" },
    fill,
  );
  const text = h("span", { class: "sr-wb-job-text" });
  const stop = h("button", { class: "sr-plain", "aria-label": `${t("cancel")}: ${name}` }, t("cancel"));
  stop.addEventListener("click", () => {
    stop.disabled = true;
    void shell.act("cancel", { job: job.id });
  });
  const element = h("span", { class: "sr-wb-job", dataset: { job: job.kind } }, h("span", {}, name), bar, text, stop);
  const show = ({ label, status, done, total, left }) => {
    element.dataset.status = status;
    fill.style.width = total ? `${(100 * done) / total}%` : "0";
    bar.setAttribute("aria-valuemax", String(total || 1));
    bar.setAttribute("aria-valuenow", String(done));
    const rest = left == null ? "" : t("job.left", { time: duration(t, left) });
    if (status === "waiting") write(text, t("job.waiting"));
    else write(text, [total ? `${count(done)} / ${count(total)}` : "", rest].filter(Boolean).join(" · "));
    element.title = label;
  };
  return { element, show };
}

const duration = (t, seconds) =>
  seconds < 90 ? t(
    "seconds",
    { count: Math.max(1, Math.round(seconds)) },
  ) : t("minutes", { count: Math.round(seconds / 60) });

// A button that starts a job, and waits while it runs.
export function jobButton(shell, kind, label, name = "sr-button") {
  const button = h("button", { class: name, onclick: () => void shell.act(kind) }, label);
  shell.follow(["running"], () => {
    button.disabled = shell.model.get("running").some((job) => job.kind === kind && isRunning(job));
  });
  return button;
}
