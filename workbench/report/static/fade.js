// The switch that leaves only what was kept.

const { isBusy } = globalThis.report;
const button = document.querySelector("[data-fade]");

function turn(on) {
  button.setAttribute("aria-pressed", String(on));
  if (on) document.documentElement.dataset.only = "kept";
  else delete document.documentElement.dataset.only;
}

button.hidden = false;
button.addEventListener("click", () => turn(button.getAttribute("aria-pressed") !== "true"));
document.addEventListener("keydown", (event) => {
  if (event.key === "f" && !isBusy(event)) button.click();
});
// What a link or the search leads to must not be out of sight.
document.addEventListener("report-reach", ({ detail }) => {
  if (detail.closest(".skipped-part")) turn(false);
});
