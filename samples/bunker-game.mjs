// SPDX-License-Identifier: MIT
// Makes samples/bunker-game/, what a game has for the things of samples/bunker.json: sprites of monsters, models of pickups and
// boxes, and their textures, as JSON: node samples/bunker-game.mjs samples/bunker-game. Everything in it is made here.
import {colors, indexOf} from "./bunker-colors.mjs";
import {randomFrom, writerOf} from "./textures.mjs";

const random = randomFrom(31), write = writerOf(process.argv[2] ?? "samples/bunker-game");
const speck = amount => (random() - 0.5) * amount;

// ---- packed frames --------------------------------------------------------------------------------------------

// Flags of eight items, the lowest bit first: 0: a byte, 1: a match as bytes of its length and distance.
function pack(bytes) {
  const items = [], latest = new Map();
  for (let i = 0; i < bytes.length;) {
    const key = bytes.slice(i, i + 3).join(), from = latest.get(key);
    let length = 0;
    if (from !== undefined && i - from <= 4094)
      while (length < 262 && i + length < bytes.length && bytes[from + length] === bytes[i + length]) length++;
    const step = length >= 3 ? length : 1, distance = i - from;
    if (step === 1) items.push([bytes[i]]);
    else if (length < 8) items.push([length - 3 << 4 | distance >> 8, distance & 255]);
    else items.push([0x50 | distance >> 8, distance & 255, length - 8]);
    for (let k = i; k < i + step; k++) latest.set(bytes.slice(k, k + 3).join(), k);
    i += step;
  }
  items.push([0, 0]); // the end
  const made = [];
  for (let i = 0; i < items.length; i += 8) {
    const eight = items.slice(i, i + 8);
    made.push(eight.reduce((flags, item, k) => flags | (item.length > 1) << k, 0), ...eight.flat());
  }
  while (made.length % 4) made.push(0);
  return Buffer.from(made).toString("hex");
}

// ---- sprites: rounded parts, the last in front, lit from the upper left ------------------------------------------

const ball = (ramp, x, y, rx, ry, light = 0.6) => (u, v) => {
  const [p, q] = [(u - x) / rx, (v - y) / ry], depth = 1 - p * p - q * q;
  return depth < 0 ? null : [ramp, light * (0.55 + 0.45 * Math.sqrt(depth) - 0.35 * p - 0.4 * q)];
};
const limb = (ramp, x0, y0, x1, y1, r, light = 0.6) => (u, v) => {
  const [dx, dy] = [x1 - x0, y1 - y0], t = Math.max(0, Math.min(1, ((u - x0) * dx + (v - y0) * dy) / (dx * dx + dy * dy)));
  const [p, q] = [(u - x0 - t * dx) / r, (v - y0 - t * dy) / r], depth = 1 - p * p - q * q;
  return depth < 0 ? null : [ramp, light * (0.6 + 0.4 * Math.sqrt(depth) - 0.3 * p - 0.3 * q)];
};
const both = (width, of) => [-1, 1].flatMap(side => of(x => width / 2 + side * x));
function frame(width, height, parts) {
  const bytes = [];
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const seen = parts.map(part => part(u + 0.5, v + 0.5)).filter(p => p).at(-1);
      bytes.push(seen ? indexOf(seen[0], seen[1] + speck(0.06)) : 0);
    }
  return {packed: pack(bytes)};
}
const sprite = (file, frames) =>
  write(`NME/${file}.BND`, {$format: "alien-sprites", type: "0001", sections: [{name: "F000", frames}]});

sprite("EGGS", [frame(48, 60, [ball("olive", 24, 34, 19, 25), ball("wood", 24, 52, 23, 8, 0.4), limb("red", 24, 10, 24, 22, 3, 0.7), limb("red", 17, 14, 31, 14, 3, 0.6),
  ...both(48, at => [limb("olive", at(12), 30, at(9), 50, 2, 0.8)])])]);
sprite("HUGGER", [frame(48, 40, [limb("wood", 24, 16, 40, 4, 2), ...both(48, at => [10, 15, 20, 25].map((y, i) => limb("wood", at(5), 20, at(20 - i), y - 4 + 4 * i, 2, 0.75))),
  ...both(48, at => [10, 15, 20, 25].map((y, i) => limb("wood", at(20 - i), y - 4 + 4 * i, at(22), 24 + 4 * i, 1.5, 0.6))), ball("wood", 24, 20, 9, 12, 0.85), ball("amber", 24, 25, 4, 3, 0.5)])]);
sprite("WAR", [frame(60, 84, [limb("black", 30, 52, 54, 76, 3, 0.9), ...both(60, at => [limb("black", at(6), 48, at(13), 62, 5, 1), limb("black", at(13), 62, at(9), 80, 4, 1)]),
  ...both(60, at => [limb("black", at(10), 28, at(21), 42, 3.5, 1.1), limb("black", at(21), 42, at(17), 58, 3, 1), ...[-3, 0, 3].map(k => limb("steel", at(17), 57, at(17 + k), 64, 1, 0.5))]),
  ball("black", 30, 36, 11, 17, 1.2), ...[26, 32, 38, 44].flatMap(y => both(60, at => [limb("teal", at(2), y, at(9), y + 3, 1.2, 0.6)])),
  ball("black", 30, 13, 9, 13, 1.3), ball("steel", 30, 8, 5, 6, 0.5), limb("white", 26, 21, 34, 21, 1.2, 0.8), limb("teal", 28, 24, 32, 24, 1, 0.8)])]);
sprite("DOG", [frame(60, 88, [limb("rust", 38, 40, 54, 24, 2.5), ...both(60, at => [limb("rust", at(9), 46, at(16), 66, 5), limb("rust", at(16), 66, at(12), 86, 3.5)]),
  ball("rust", 30, 46, 15, 20, 0.7), ...both(60, at => [limb("rust", at(7), 58, at(8), 86, 4, 0.75)]), ball("rust", 30, 26, 10, 16, 0.8), ball("black", 30, 20, 6, 8, 0.9), limb("white", 26, 36, 34, 36, 1.4, 0.9)])]);
sprite("COLONIST", [frame(40, 56, [...both(40, at => [limb("olive", at(17), 6, at(12), 52, 5, 0.5), ball("olive", at(15), 40, 6, 9, 0.5)]), ball("blue", 20, 38, 10, 18, 0.5), ball("amber", 20, 15, 8, 10, 0.75),
  ball("wood", 20, 8, 8, 5, 0.5), ...both(40, at => [ball("black", at(3), 15, 1.5, 1.5, 1)]), limb("olive", 10, 28, 30, 32, 3, 0.6), limb("olive", 8, 46, 32, 42, 3, 0.6)])]);

// ---- textures of pickups and boxes: tiles of 32 x 32 --------------------------------------------------------------

const plate = (u, v, ramp, shade) => [ramp, shade + (u === 0 || v === 0 ? 0.2 : u === 31 || v === 31 ? -0.25 : 0) + speck(0.06)];
const within = (u, v, x0, y0, x1, y1) => u >= x0 && v >= y0 && u <= x1 && v <= y1;
const tiles = {
  steel: (u, v) => plate(u, v, "steel", 0.6), dark: (u, v) => plate(u, v, "black", 0.7),
  wood: (u, v) => [u < 3 || u > 28 || v < 3 || v > 28 ? "rust" : "wood", (v % 8 === 0 ? 0.35 : 0.65) + speck(0.12)],
  crate: (u, v) => Math.abs(u - v) < 3 || Math.abs(u + v - 31) < 3 || u < 4 || u > 27 || v < 4 || v > 27 ? plate(u, v, "olive", 0.62) : plate(u, v, "olive", 0.42),
  barrel: (u, v) => v % 14 < 2 ? ["steel", 0.5] : within(u % 16, v, 4, 12, 11, 20) ? ["yellow", 0.8 + speck(0.05)] : ["red", 0.55 + speck(0.08)],
  lid: (u, v) => [Math.hypot(u - 15.5, v - 15.5) > 13 ? "steel" : "red", 0.5 + speck(0.06)],
  medical: (u, v) => within(u, v, 12, 6, 19, 25) || within(u, v, 6, 12, 25, 19) ? ["red", 0.75] : plate(u, v, "white", 0.85),
  patch: (u, v) => within(u, v, 13, 8, 18, 23) || within(u, v, 8, 13, 23, 18) ? ["green", 0.7] : plate(u, v, "white", 0.75),
  cell: (u, v) => v < 6 ? ["steel", 0.8] : within(u, v, 10, 10, 21, 26) && (u + v) % 6 < 3 ? ["yellow", 0.9] : plate(u, v, "blue", 0.5),
  shells: (u, v) => [v % 16 < 5 ? "amber" : "red", (u % 8 < 1 ? 0.3 : 0.65) + speck(0.06)],
  map: (u, v) => within(u, v, 3, 3, 28, 24) ? [(u % 7 < 1 || v % 5 < 1) ? "green" : "black", (u % 7 < 1 || v % 5 < 1) ? 0.8 : 0.5] : plate(u, v, "steel", 0.5),
  tag: (u, v) => within(u, v, 4, 4, 12, 16) ? ["amber", 0.6] : v % 6 === 2 && u > 15 && u < 29 ? ["black", 0.6] : plate(u, v, "cyan", 0.6),
  syringe: (u, v) => [v % 10 < 1 ? "black" : "cyan", 0.65 + speck(0.05)],
};
const panel = {
  switch_off: (u, v) => within(u, v, 8, 6, 23, 13) ? ["red", 0.8] : within(u, v, 12, 17, 19, 28) ? ["black", 0.5] : plate(u, v, "steel", 0.5),
  switch_on: (u, v) => within(u, v, 8, 6, 23, 13) ? ["green", 0.85] : within(u, v, 12, 17, 19, 28) ? ["black", 0.8] : plate(u, v, "steel", 0.5),
  side: (u, v) => plate(u, v, "steel", 0.45),
};
const HEIGHT = 256;
function page(file, all) {
  const names = Object.keys(all), bytes = new Uint8Array(256 * HEIGHT), rectangles = [];
  names.forEach((name, i) => {
    const [x, y] = [i % 8 * 32, Math.floor(i / 8) * 32];
    rectangles.push({x, y, width_minus_1: 31, height_minus_1: 31, page: 0, unknown_05: 0});
    for (let v = 0; v < 32; v++) for (let u = 0; u < 32; u++) bytes[(y + v) * 256 + x + u] = indexOf(...all[name](u, v));
  });
  write(file, {$format: "alien-gfx", $order: ["information", "pages", "palettes", "rectangle_lists"],
    information: {page_width: 256, page_height: HEIGHT, bits: 8, rectangle_count: names.length, unknown_08: 1, unknown_0a: 1, unknown_0c: 6, unknown_0e: 1},
    pages: [{name: "TP00", pixels: Buffer.from(bytes).toString("hex")}], palettes: [{name: "CL00", unknown_00: [1, 0], colors}],
    rectangle_lists: [{name: "BX00", rectangles, ...(names.length % 2 ? {} : {padding: "0000"})}]});
  return name => names.indexOf(name);
}
const texture = page("GFX/PICKGFX.BND", tiles), panelTexture = page("LANGUAGE/PNL0GFXE.BND", panel);

// ---- models: boxes and drums, in the level's units (256 are a metre) -----------------------------------------------

// Corners: lower left, lower right, upper right, upper left, as who sees it sees them.
const block = ([x0, y0, z0], [x1, y1, z1], side, top = side) => [
  [[[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]], side], [[[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]], side],
  [[[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]], side], [[[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]], side],
  [[[x0, y1, z1], [x1, y1, z1], [x1, y1, z0], [x0, y1, z0]], top]];
function drum(radius, low, high, side, lid) {
  const at = (i, y) => [Math.round(radius * Math.sin(i / 8 * 2 * Math.PI)), y, Math.round(radius * Math.cos(i / 8 * 2 * Math.PI))];
  const faces = Array.from({length: 8}, (_, i) => [[at(i, low), at(i + 1, low), at(i + 1, high), at(i, high)], side]);
  for (let i = 0; i < 8; i += 2) faces.push([[[0, high, 0], at(i, high), at(i + 1, high), at(i + 2, high)], lid]);
  return faces;
}
function models(file, all) {
  const made = Object.entries(all).map(([name, faces]) => {
    const vertices = [], known = new Map();
    const quads = faces.map(([corners, picture], i) => ({
      vertices: corners.map(p => {
        if (!known.has(String(p))) known.set(String(p), vertices.push({x: p[0], y: p[1], z: p[2]}) - 1);
        return known.get(String(p));
      }), texture: picture, kind: i === faces.length - 1 ? ["last_of_model"] : 0}));
    return {name, quads, vertices};
  });
  write(file, {$format: "alien-models", type: String(made.length).padStart(4, "0"), models: made});
}
const t = texture, p = panelTexture;
models("GFX/PICKMOD.BND", {
  M001: [...block([-110, 20, -10], [110, 44, 10], t("dark")), ...block([-110, 0, -12], [-40, 24, 12], t("wood"))],
  M004: [...block([-120, 30, -16], [120, 66, 16], t("steel")), ...block([-20, 0, -14], [20, 34, 14], t("dark")), ...block([-120, 66, -8], [-60, 90, 8], t("map"))],
  M007: block([-40, 0, -40], [40, 90, 40], t("cell"), t("steel")),
  M009: [...block([-24, 0, -12], [24, 70, 12], t("dark"), t("shells"))],
  M010: block([-44, 0, -28], [44, 50, 28], t("shells")),
  M015: block([-40, 0, -26], [40, 6, 26], t("steel"), t("tag")),
  M016: [...block([-44, 0, -30], [44, 16, 30], t("dark"), t("map"))],
  M017: [...block([-12, 0, -60], [12, 22, 44], t("syringe")), ...block([-3, 8, 44], [3, 14, 80], t("steel"))],
  M020: block([-64, 0, -44], [64, 60, 44], t("medical")),
  M021: block([-34, 0, -34], [34, 14, 34], t("patch")),
});
const crate = (size, low) => block([-size, low, -size], [size, low + 2 * size, size], t("crate"));
models("GFX/OBJ3D.BND", {
  M000: drum(110, 0, 320, t("barrel"), t("lid")), M001: crate(160, 0), M002: [...crate(160, 0), ...block([-130, 320, -130], [130, 580, 130], t("wood"))],
  ...Object.fromEntries([0, 1, 2, 3].map(i => [`M00${3 + i}`, [...block([-60, 0, -40], [60, 240, 40], p("side")),
    [[[-50, 90, 42], [50, 90, 42], [50, 230, 42], [-50, 230, 42]], p(i === 2 ? "switch_off" : "switch_on")]]])),
});
