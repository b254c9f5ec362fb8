// Loss and recall of validation over the steps, as small pictures: one row for each model that is trained.

import { h, replace, s } from "../shared/dom.js";
import { count, fixed } from "../shared/numbers.js";

const [WIDTH, HEIGHT] = [320, 132];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 8, 10, 20];
const MODELS = ["encoder", "classifier"];

// Returns { element, paint() }.
export function curvesOf({ model, t }) {
  const element = h("section", { class: "sr-train-curves", "aria-label": t("train.curves") });

  function paint() {
    const curves = model.get("curves");
    const there = MODELS.filter((name) => curves[name]);
    const rows = there.map((name) => h("div", { class: "sr-train-row" }, rowOf(t, name, curves[name])));
    const nothing = h("p", { class: "sr-train-quiet" }, t("train.curves.none"));
    replace(element, h("h3", { class: "sr-label" }, t("train.curves")), there.length ? rows : nothing);
  }
  return { element, paint };
}

function rowOf(t, name, { loss = [], recall = [], of = 0, best = null }) {
  const last = Math.max(of, ...loss.map(([step]) => step), ...recall.map(([step]) => step), 1);
  const top = loss.length ? Math.max(...loss.map(([, value]) => value), 0.01) : 1;
  return [
    h("h4", { class: "sr-train-model-name" }, t(`train.model.${name}`)),
    h(
      "div",
      { class: "sr-train-pictures" },
      picture(t, { title: t("train.loss"), points: loss, last, low: 0, high: top, digits: 2 }),
      picture(t, {
        title: t("train.recall"),
        points: recall,
        last,
        low: lowest(recall),
        high: 1,
        digits: 2,
        until: loss[loss.length - 1]?.[0] ?? 0,
        dots: true,
        best,
      }),
    ),
  ];
}

// A picture that begins at 0 shows nothing of a recall that goes from 0.92 to 0.95.
const lowest = (points) => Math.floor(10 * Math.min(...points.map(([, value]) => value), 0.9)) / 10;

// `until`: a step up to which the last value has stayed.
function picture(t, { title, points, last, low, high, digits, until = 0, dots = false, best = null }) {
  const x = (step) => LEFT + ((WIDTH - LEFT - RIGHT) * step) / last;
  const y = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - low)) / (high - low || 1);
  const now = points.length ? points[points.length - 1][1] : null;
  const said = now === null ? "–" : fixed(now, digits + 1);
  const drawn = now !== null && until > points[points.length - 1][0] ? [...points, [until, now]] : points;
  const line = drawn.map(([step, value], rank) => `${rank ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`);
  const marks = dots ? points.map(([step, value]) => dot(x(step), y(value), value === best)) : [];
  const text = (at, below, anchor, shown) =>
    s("text", { x: at, y: below, "text-anchor": anchor, class: "sr-train-axis" }, shown);
  const bestSaid = best === null ? "" : t("train.best", { value: fixed(best, digits + 1) });
  return h(
    "figure",
    { class: "sr-train-figure" },
    h("figcaption", {}, h("span", {}, title), h("span", { class: "sr-train-best" }, bestSaid), h("strong", {}, said)),
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}: ${said} ${bestSaid}` },
      s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(low), y2: y(low), class: "sr-train-line" }),
      s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(high), y2: y(high), class: "sr-train-line sr-train-far" }),
      text(LEFT - 6, y(high) + 4, "end", fixed(high, digits)),
      text(LEFT - 6, y(low) + 4, "end", fixed(low, digits)),
      text(LEFT, HEIGHT - 4, "start", "0"),
      text(WIDTH - RIGHT, HEIGHT - 4, "end", t("train.steps", { count: count(last) })),
      s("path", { d: line.join(" "), class: "sr-train-curve" }),
      marks,
    ),
  );
}

const dot = (cx, cy, isBest) =>
  s("circle", { cx, cy, r: isBest ? 4 : 2.5, class: isBest ? "sr-train-dot-best" : "sr-train-dot" });
