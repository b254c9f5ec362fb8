// All requests as points, margin against saving. While something moves a canvas draws them; at rest plotly does, which
// zooms. Both have the same axes, so that nobody sees the change.

import { onTheme, plotlyFor, themeOf } from "./charts.js";
import { h } from "../shared/dom.js";
import { closeTo, fitted, isCloser, nearest, scalesOf, widened } from "./gate_axes.js";
import { paint } from "./gate_picture.js";
import { figureOf } from "./gate_plotly.js";
import { Raster } from "./gate_raster.js";

const REST = 150;
const CLICK = 4;
const CONFIG = { displayModeBar: false, doubleClick: false, responsive: false, scrollZoom: false };

export class Scatter {
  // `tell`: { select(place), hover(place) -> element or null }.
  constructor(model, t, tell) {
    this.model = model;
    this.t = t;
    this.tell = tell;
    this.view = null;
    this.zoomed = false;
    this.turn = 0;
    this.plot = h("div", { class: "sr-gate-plotly" });
    this.canvas = h("canvas", { class: "sr-gate-canvas" });
    this.ring = h("div", { class: "sr-gate-ring", hidden: true });
    this.tip = h("div", { class: "sr-gate-tip", hidden: true, role: "status" });
    this.element = h("div", { class: "sr-gate-scatter", role: "img" }, this.plot, this.canvas, this.ring, this.tip);
    this.close = false;
    this.views = viewsOf(t, (close) => this.look(close));
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.leave = [onTheme(() => this.dress())];
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.element);
    this.listen();
    plotlyFor(model).then((plotly) => {
      this.plotly = plotly;
      if (this.state) this.settleSoon(0);
    });
  }

  // Draws a state at once; `moving` keeps the axes, which fit themselves to the points at rest.
  show(state, moving) {
    this.state = state;
    if (!this.theme) this.dress();
    // The first look; after it what a person has chosen stays.
    if (!this.chosen && state.outcomes.n) {
      this.chosen = true;
      this.close = isCloser(state, fitted(state));
      this.views.choose(this.close);
    }
    const wanted = this.wanted();
    if (!this.view || (!moving && !this.zoomed)) this.view = wanted;
    else if (!this.zoomed) this.view = widened(this.view, wanted);
    this.draw();
    this.settleSoon(REST);
  }

  wanted() {
    const all = fitted(this.state);
    return this.close ? closeTo(this.state.rule, all) : all;
  }

  // Shows all points, or what lies near the thresholds.
  look(close) {
    this.chosen = true;
    this.close = close;
    this.whole();
  }

  draw() {
    if (!this.state || !this.view || !this.size?.width) return;
    this.turn += 1;
    this.canvas.style.visibility = "visible";
    paint(this.context, this.size, this.state, this);
    this.mark();
  }

  settleSoon(wait) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.settle(), wait);
  }

  // Gives plotly the state at rest and takes the canvas away once it has drawn it.
  async settle() {
    if (!this.state || !this.view || !this.size?.width || !this.element.isConnected) return;
    if (!this.zoomed) {
      const wanted = this.wanted();
      if (Object.keys(wanted).some((end) => wanted[end] !== this.view[end])) {
        this.view = wanted;
        this.draw();
      }
    }
    if (!this.plotly) return this.rested();
    const turn = this.turn;
    const { data, layout } = figureOf(this.state, this);
    await this.plotly.react(this.plot, data, layout, CONFIG);
    if (!this.heard) this.hear();
    if (turn === this.turn) {
      this.canvas.style.visibility = "hidden";
      this.rested();
    }
  }

  rested() {
    this.element.dataset.settled = String(Number(this.element.dataset.settled ?? 0) + 1);
  }

  hear() {
    this.heard = true;
    this.plot.on("plotly_relayout", (change) => {
      const { xaxis, yaxis } = this.plot.layout;
      if (!("xaxis.range[0]" in change) && !("yaxis.range[0]" in change)) return;
      this.zoomed = true;
      this.view = { x0: xaxis.range[0], x1: xaxis.range[1], y0: yaxis.range[0], y1: yaxis.range[1] };
      this.settleSoon(0);
      this.mark();
    });
    this.plot.on("plotly_doubleclick", () => this.whole());
  }

  // Fits the axes again after a zoom.
  whole() {
    this.zoomed = false;
    this.view = null;
    if (this.state) this.show(this.state, false);
  }

  // The ring round the selected point.
  mark() {
    const place = this.state?.selected ?? -1;
    const shown = this.view && place >= 0 && this.state.visible[place];
    this.ring.hidden = !shown;
    if (!shown) return;
    const { x, y } = scalesOf(this.view, this.size);
    const at = [x(this.state.margins[place]), y(this.state.saving[place])];
    this.ring.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
  }

  dress() {
    if (!this.element.isConnected) return;
    this.theme = themeOf(this.element);
    this.raster = new Raster(this.theme, globalThis.devicePixelRatio || 1);
    if (this.state) {
      this.draw();
      this.settleSoon(0);
    }
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height || (this.size?.width === width && this.size?.height === height)) return;
    const scale = globalThis.devicePixelRatio || 1;
    this.size = { width, height };
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.dress();
  }

  listen() {
    const placeAt = (event) => {
      if (!this.state || !this.view || !this.size) return -1;
      const box = this.element.getBoundingClientRect();
      // A page at another zoom has boxes of another size than its own pixels.
      const scale = box.width / this.size.width || 1;
      const at = { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale };
      return nearest(this.state, this.view, this.size, at);
    };
    this.element.addEventListener("pointermove", (event) => this.hover(event.buttons ? -1 : placeAt(event)));
    this.element.addEventListener("pointerleave", () => this.hover(-1));
    // Plotly puts a cover over the page while a button is down, so the end of a click is heard on the document.
    const down = (event) => {
      const up = (end) => {
        document.removeEventListener("pointerup", up, true);
        const moved = Math.hypot(end.clientX - event.clientX, end.clientY - event.clientY);
        if (moved <= CLICK) this.tell.select(placeAt(event));
      };
      document.addEventListener("pointerup", up, true);
    };
    this.element.addEventListener("pointerdown", down, true);
  }

  hover(place) {
    if (place === this.hovered) return;
    this.hovered = place;
    const content = place >= 0 ? this.tell.hover(place) : null;
    this.tip.hidden = !content;
    this.element.style.cursor = content ? "pointer" : "";
    if (!content) return;
    this.tip.replaceChildren(content);
    const { x, y } = scalesOf(this.view, this.size);
    const [left, top] = [x(this.state.margins[place]), y(this.state.saving[place])];
    const room = this.size.width - left < 300;
    this.tip.style.left = room ? "" : `${left + 12}px`;
    this.tip.style.right = room ? `${this.size.width - left + 12}px` : "";
    this.tip.style.top = `${Math.min(top + 8, this.size.height - 90)}px`;
  }

  dispose() {
    clearTimeout(this.waiting);
    this.observer.disconnect();
    for (const leave of this.leave) leave();
    if (this.heard) this.plotly.purge(this.plot);
  }
}

function viewsOf(t, look) {
  const buttons = [false, true].map((close) =>
    h("button", { class: "sr-gate-view-button", "aria-pressed": String(!close), onclick: () => press(close) },
      t(close ? "view.close" : "view.all")),
  );
  const choose = (close) =>
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String((at === 1) === close)));
  const press = (close) => {
    choose(close);
    look(close);
  };
  return { element: h("div", { class: "sr-gate-views", role: "group", "aria-label": t("view") }, buttons), choose };
}
