// SPDX-License-Identifier: MIT
// Textures that the games' files of samples are made with: patterns in pixels, and DXT1 with all smaller levels.
import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

export const SIDE = 64;
export const randomFrom = seed => () => {
  seed = seed + 0x6d2b79f5 | 0;
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
};
// Writes files of a root, each with the name of the one that it becomes, and .json.
export const writerOf = root => (name, value) => {
  const path = join(root, name + ".json");
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, JSON.stringify(value) + "\n");
};

// Smooth noise that repeats at the edges.
export function noise(cells, random) {
  const grid = Array.from({length: cells * cells}, random);
  const at = (x, y) => grid[(y % cells) * cells + x % cells];
  return (x, y) => {
    const u = x / SIDE * cells, v = y / SIDE * cells, i = Math.floor(u), k = Math.floor(v);
    const ease = t => t * t * (3 - 2 * t), s = ease(u - i), t = ease(v - k);
    return (at(i, k) * (1 - s) + at(i + 1, k) * s) * (1 - t) + (at(i, k + 1) * (1 - s) + at(i + 1, k + 1) * s) * t;
  };
}
export const shade = (color, by) => color.map(c => Math.max(0, Math.min(255, c * by)));
// How far a place is from the edges of its tile.
export const edge = (x, y, w, h) => Math.min(x % w, w - 1 - x % w, y % h, h - 1 - y % h);
export const pixels = of => Array.from({length: SIDE * SIDE}, (_, i) => of(i % SIDE, Math.floor(i / SIDE)));

// ---- DXT1: pixels are [red, green, blue], or null where there is nothing -------------------------------------

function half(image, side) {
  return Array.from({length: side * side / 4}, (_, i) => {
    const x = i % (side / 2) * 2, y = Math.floor(i / (side / 2)) * 2;
    const four = [y * side + x, y * side + x + 1, (y + 1) * side + x, (y + 1) * side + x + 1].map(k => image[k]).filter(p => p);
    return four.length < 2 ? null : [0, 1, 2].map(c => four.reduce((sum, p) => sum + p[c], 0) / four.length);
  });
}
const pack = ([r, g, b]) => Math.round(r / 255 * 31) << 11 | Math.round(g / 255 * 63) << 5 | Math.round(b / 255 * 31);
const unpack = v => [(v >> 11) / 31 * 255, (v >> 5 & 63) / 63 * 255, (v & 31) / 31 * 255];
const apart = (a, b) => a.reduce((sum, c, i) => sum + (c - b[i]) ** 2, 0);
function block(texels) {
  // the ends of the line are the two texels that are farthest apart
  const solid = texels.filter(t => t), holes = solid.length < texels.length;
  let ends = [solid[0] ?? [0, 0, 0], solid[0] ?? [0, 0, 0]];
  for (const a of solid) for (const b of solid) if (apart(a, b) > apart(...ends)) ends = [a, b];
  let [first, second] = ends.map(pack);
  if (holes ? first > second : first < second) [first, second] = [second, first]; // which says whether there are holes
  if (!holes && first === second) second = first ? first - 1 : (first = 1, 0);
  const [a, b] = [first, second].map(unpack), mixed = (p, q) => a.map((c, i) => (p * c + q * b[i]) / (p + q));
  const colors = holes ? [a, b, mixed(1, 1)] : [a, b, mixed(2, 1), mixed(1, 2)];
  let bits = 0n;
  texels.forEach((t, i) => {
    const distances = t ? colors.map(c => apart(c, t)) : [];
    bits |= BigInt(t ? distances.indexOf(Math.min(...distances)) : 3) << BigInt(2 * i);
  });
  const little = (v, size) => Array.from({length: size}, (_, i) => Number(BigInt(v) >> BigInt(8 * i) & 255n));
  return [...little(first, 2), ...little(second, 2), ...little(bits, 4)];
}
function level(image, side) {
  const bytes = [];
  for (let y = 0; y < side; y += 4)
    for (let x = 0; x < side; x += 4)
      bytes.push(...block(Array.from({length: 16}, (_, i) =>
        image[Math.min(y + (i >> 2), side - 1) * side + Math.min(x + i % 4, side - 1)])));
  return Buffer.from(bytes).toString("hex");
}
export function texture(write, name, image) {
  const levels = [];
  for (let side = SIDE;; side /= 2) {
    levels.push(level(image, side));
    if (side === 1) break;
    image = half(image, side);
  }
  write(name, {
    $format: "dds", header_size: 124,
    flags: ["capabilities", "height", "width", "pixel_format", "level_count", "linear_size"],
    height: SIDE, width: SIDE, pitch_or_size: SIDE * SIDE / 2, depth: 0, level_count: levels.length,
    maker: "00".repeat(44),
    pixel_format: {size: 32, flags: ["four_cc"], four_cc: "DXT1", bits: 0, red_mask: 0, green_mask: 0, blue_mask: 0,
                   alpha_mask: 0},
    capabilities: ["complex", "texture", "mipmap"], capabilities_2: [], capabilities_3: 0, capabilities_4: 0,
    reserved: 0, levels});
}
