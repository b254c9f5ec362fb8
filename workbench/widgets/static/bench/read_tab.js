// Read: the document, its pages behind a switch, and beside the explanation the control that changes what is kept.

import { actions } from "../shared/actions.js";
import { render as renderDocument } from "../document/document_view.js";
import { h } from "../shared/dom.js";
import { followFirst } from "./first_block.js";
import { render as renderPages } from "../pages/page_view.js";
import { render as renderThreshold } from "../threshold/threshold_panel.js";
import { isRunning } from "./status_bar_jobs.js";
import { emptyOf } from "./workbench_empty.js";

// Recall over the workload costs minutes where nothing of it is remembered, so it is made after everything else, and
// again only when nobody has moved a rule or an offset for a while.
const REST = 2000;

const tunedOf = (model) => model.get("foot").tuned ?? "";

function followCurves(shell) {
  const { model } = shell;
  let timer = 0;
  // What failed was told, and what somebody has cancelled is not wanted, until rules or offsets are others.
  let ended = { id: null, tuned: null };
  const jobOf = () => model.get("running").find(({ kind }) => kind === "curves");
  shell.follow(["running"], () => {
    const job = jobOf();
    const inVain = job && !isRunning(job) && job.status !== "done";
    if (inVain && job.id !== ended.id) ended = { id: job.id, tuned: tunedOf(model) };
  });
  shell.follow(["foot"], () => {
    clearTimeout(timer);
    const { curves, workload } = model.get("foot");
    const job = jobOf();
    const over = (job && isRunning(job)) || ended.tuned === tunedOf(model);
    if (!curves && workload && !over) timer = setTimeout(() => void actions(model).ask("curves"), REST);
  });
  shell.ends(() => clearTimeout(timer));
}

export function readTab(shell) {
  const threshold = shell.place("threshold", renderThreshold);
  // Pages are drawn when they are first looked at, and then at the block at hand.
  const follow = () => {
    const { block = -1 } = shell.bus.last("select") ?? {};
    if (block >= 0) shell.bus.emit("select", { block, reveal: true }, shell);
  };
  // Pages of another document may come after its first block was taken in hand.
  const again = () => {
    const block = document.model()?.get("selected") ?? -1;
    if (block >= 0) shell.bus.emit("select", { block, reveal: true }, shell);
  };
  const drawn = (model) => {
    follow();
    model.on("change:document_sequence", again);
    shell.ends(() => model.off("change:document_sequence", again));
  };
  const pages = shell.place("page", renderPages, { whenSeen: true, drawn });
  const slots = { aside: threshold.element, pages: pages.element };
  const document = shell.place("document", renderDocument, {
    extras: { slots },
    drawn: (model) => followFirst(shell, model),
  });
  const empty = emptyOf(shell);
  const element = h("div", { class: "sr-wb-read" }, empty.element, document.element);
  const show = () => {
    const nothing = empty.show();
    document.element.hidden = nothing;
    if (nothing || element.hidden) return;
    void document.show();
    void threshold.show();
  };
  shell.follow(["head"], show);
  followCurves(shell);
  return { element, show };
}
