// Points as pixels: each shape is drawn once a theme, and its pixels are then blended where the points are. For
// thousands of points this takes a tenth of the time of a canvas that draws them one by one without a graphics card.

import { SHAPES } from "./gate_shapes.js";

const COLOURS = ["skipped", "near", "kept"];
const CELL = 20;
const FULL = 0.8;
const RING = "M6.5 0A6.5 6.5 0 1 1 -6.5 0A6.5 6.5 0 1 1 6.5 0Z";

export class Raster {
  constructor(theme, scale) {
    this.scale = scale;
    this.colours = Object.fromEntries(
      ["ground", "nearGround", "line2", "ink", "ink2", "lost", ...COLOURS].map((name) => [name, pixelOf(theme[name])]),
    );
    const masks = SHAPES.map(({ path }) => [maskOf(path, scale, false, FULL), maskOf(path, scale, true, FULL)]);
    const inColours = (mask) => COLOURS.map((name) => ({ mask, colour: this.colours[name] }));
    this.sprites = masks.map((pair) => pair.map(inColours));
    this.ring = { mask: maskOf(RING, scale, true, 1, 1.2), colour: this.colours.lost };
  }

  // Draws regions, lines and points into a box of a canvas; `x` and `y` give pixels of CSS.
  paint(context, box, state, { x, y, band, lines }) {
    const { scale, colours } = this;
    const [left, top] = [Math.round(box.left * scale), Math.round(box.top * scale)];
    const width = Math.max(1, Math.round(box.right * scale) - left);
    const height = Math.max(1, Math.round(box.bottom * scale) - top);
    if (this.image?.width !== width || this.image?.height !== height) {
      this.image = context.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const field = { pixels: this.pixels, width, height };
    this.pixels.fill(colours.ground);
    const across = (value) => Math.round(x(value) * scale) - left;
    rectangle(field, across(band[0]), 0, across(band[1]), height, colours.nearGround);
    const zero = Math.round(y(0) * scale) - top;
    rectangle(field, 0, zero, width, zero + Math.max(1, Math.round(scale)), colours.line2);
    for (const { at, colour, dashed } of lines) upright(field, across(at), colours[colour], dashed, scale);
    this.points(field, state, (i) => x(state.margins[i]) * scale - left, (i) => y(state.saving[i]) * scale - top);
    context.putImageData(this.image, left, top);
  }

  points(field, { outcomes, routes, shares, visible }, acrossOf, downOf) {
    const { groups, free, loss, n } = outcomes;
    const { sprites, ring } = this;
    for (let i = 0; i < n; i += 1) {
      if (!visible[i]) continue;
      const pair = sprites[groups[i] % sprites.length];
      blend(field, pair[free[i] ? 0 : 1][routes[i]], acrossOf(i), downOf(i));
    }
    for (let i = 0; i < n; i += 1) {
      if (visible[i] && shares[i] > 0 && loss[i] > 0) blend(field, ring, acrossOf(i), downOf(i));
    }
  }
}

// A colour of CSS as a pixel, red in the lowest byte.
function pixelOf(colour) {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
}

// The pixels that a path covers, as distances from its middle, with how much of each (0 to 256).
function maskOf(path, scale, hollow, full, width = 1.3) {
  const size = Math.ceil(CELL * scale);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const middle = Math.floor(size / 2);
  context.setTransform(scale, 0, 0, scale, middle + 0.5, middle + 0.5);
  context.lineWidth = width;
  if (hollow) context.stroke(new Path2D(path));
  else context.fill(new Path2D(path));
  const { data } = context.getImageData(0, 0, size, size);
  const found = { x: [], y: [], share: [] };
  for (let at = 0; at < size * size; at += 1) {
    const share = Math.round((data[4 * at + 3] / 255) * full * 256);
    if (!share) continue;
    found.x.push((at % size) - middle);
    found.y.push(Math.floor(at / size) - middle);
    found.share.push(share);
  }
  return { x: Int16Array.from(found.x), y: Int16Array.from(found.y), share: Uint16Array.from(found.share) };
}

function blend({ pixels, width, height }, { mask, colour }, across, down) {
  const [left, top] = [Math.floor(across), Math.floor(down)];
  // Two channels at once: red and blue have a byte of room between them.
  const redBlue = colour & 0xff00ff;
  const green = colour & 0xff00;
  for (let at = 0; at < mask.x.length; at += 1) {
    const px = left + mask.x[at];
    const py = top + mask.y[at];
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const share = mask.share[at];
    const place = py * width + px;
    const below = pixels[place];
    const rest = 256 - share;
    const mixed = ((redBlue * share + (below & 0xff00ff) * rest) / 256) & 0xff00ff;
    pixels[place] = 0xff000000 | mixed | (((green * share + (below & 0xff00) * rest) >>> 8) & 0xff00);
  }
}

function rectangle({ pixels, width, height }, x0, y0, x1, y1, colour) {
  const [left, right] = [Math.max(0, x0), Math.min(width, x1)];
  if (right <= left) return;
  for (let y = Math.max(0, y0); y < Math.min(height, y1); y += 1) {
    pixels.fill(colour, y * width + left, y * width + right);
  }
}

function upright(field, at, colour, dashed, scale) {
  const wide = Math.max(1, Math.round(1.5 * scale));
  const left = at - Math.floor(wide / 2);
  const [dash, turn] = dashed ? [4 * scale, 7 * scale] : [field.height, field.height];
  for (let y = 0; y < field.height; y += turn) {
    rectangle(field, left, Math.round(y), left + wide, Math.round(y + dash), colour);
  }
}
