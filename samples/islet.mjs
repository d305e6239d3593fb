// SPDX-License-Identifier: MIT
// Makes samples/islet/, a map set in the form of Star Fox Adventures: an island of nine blocks (map 29) and the cave
// beneath it of four (map 54), with textures, collision, lines, objects and the tables of the disc. Each file is JSON,
// called like what it becomes; that of a table and its bank is called like the bank:
//   node samples/islet.mjs samples/islet
//   mapstone convert samples/islet/MAPS.bin.json -o islet/MAPS.bin       # and so on
// The game knows maps and directories by number, so theirs are the game's names; what is in them is made here.
// x is east, z is south, y is up; a unit is 10 cm.
import {mkdirSync, writeFileSync} from "node:fs";

const BLOCK = 640, MAPS = 117, DIRECTORIES = 73, NOBODY = 0xFFFFFFFF;
const ISLET = {map: 29, mod: 47, file: 48, list: "capeclaw", columns: 3, rows: 3, origin: [1, 1], quads: 10, rise: 0};
const CAVE = {map: 54, mod: 38, file: 39, list: "magicave", directory: "magiccave", columns: 2, rows: 2, origin: [0, 0], quads: 8,
    rise: -360};
ISLET.directory = "capeclaw";
// bytes of the packed object lists, up to a multiple of 32: zlib's affair; mapstone check tells when they are others
ISLET.packed = 1184;
CAVE.packed = 672;

const random = (seed => () => {
  seed = seed + 0x6d2b79f5 | 0;
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
})(29);
const between = (low, high) => low + random() * (high - low);
const clamp = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
const smooth = (low, high, value) => {
  const t = clamp((value - low) / (high - low));
  return t * t * (3 - 2 * t);
};
const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);
const add = (a, b, t = 1) => a.map((v, i) => v + b[i] * t);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
const unit = a => a.map(v => v / Math.hypot(...a));
const times = (a, b) => a.map((v, i) => v * b[i]);

// ---- noise ------------------------------------------------------------------------------------------

const lattice = (x, y, seed) => {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 974634541) | 0;
  h = Math.imul(h ^ h >>> 13, 1274126177);
  return ((h ^ h >>> 16) >>> 0) / 4294967296;
};
// -1..1; repeats after `period` steps of x, `other` of y
function noise(x, y, period, seed, other = period) {
  const i = Math.floor(x), j = Math.floor(y), s = smooth(0, 1, x - i), t = smooth(0, 1, y - j);
  const at = (a, b) => lattice(((i + a) % period + period) % period, ((j + b) % other + other) % other, seed);
  return 2 * ((at(0, 0) * (1 - s) + at(1, 0) * s) * (1 - t) + (at(0, 1) * (1 - s) + at(1, 1) * s) * t) - 1;
}
const clouds = (u, v, steps, seed) => { // u, v 0..1
  let sum = 0;
  for (let k = 0, strength = 0.5; k < 4; k++, strength /= 2) sum += strength * noise(u * steps * 2 ** k, v * steps * 2 ** k,
      steps * 2 ** k, seed + k);
  return sum;
};

// ---- textures ---------------------------------------------------------------------------------------

// a picture: width, height, and at every texel [r, g, b, a], 0..1
function paint(width, height, texel) {
  const picture = {width, height, data: []};
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [r, g, b, a = 1] = texel((x + 0.5) / width, (y + 0.5) / height, x, y);
      picture.data.push([r, g, b, a].map(v => clamp(v)));
    }
  return picture;
}
const half = p => paint(p.width / 2, p.height / 2, (u, v, x, y) => {
  const four = [0, 1, p.width, p.width + 1].map(k => p.data[2 * x + 2 * y * p.width + k]);
  const alpha = four.reduce((sum, t) => sum + t[3], 0) || 1e-6;
  return [0, 1, 2].map(c => four.reduce((sum, t) => sum + t[c] * (t[3] + 1e-7), 0) / (alpha + 4e-7)).concat(alpha / 4);
});
const rgb565 = ([r, g, b]) => Math.round(r * 31) << 11 | Math.round(g * 63) << 5 | Math.round(b * 31);
const from565 = v => [(v >> 11) / 31, (v >> 5 & 63) / 63, (v & 31) / 31];
function tiles(p, wide, high, each) { // the bytes of every tile; each(texel) of x, y in it
  const bytes = [];
  for (let y = 0; y < p.height; y += high)
    for (let x = 0; x < p.width; x += wide)
      bytes.push(...each((i, j) => p.data[Math.min(p.width - 1, x + i) + Math.min(p.height - 1, y + j) * p.width]));
  return bytes;
}
const grid = (wide, high, at) => Array.from({length: wide * high}, (_, k) => at(k % wide, Math.floor(k / wide)));
const byte = v => Math.round(v * 255);
function cmprBlock(at) { // 4 x 4 texels between the darkest and the brightest of them
  const texels = grid(4, 4, at), light = t => 0.3 * t[0] + 0.59 * t[1] + 0.11 * t[2];
  const sorted = [...texels].sort((a, b) => light(a) - light(b));
  let high = rgb565(sorted[14]), low = rgb565(sorted[1]);
  if (high < low) [high, low] = [low, high];
  let bits = 0;
  if (high > low) {
    const a = from565(high), b = from565(low), choices = [a, b, mix(a, b, 1 / 3), mix(a, b, 2 / 3)];
    for (const t of texels) {
      const far = choices.map(c => dot(add(c, t, -1).slice(0, 3), add(c, t, -1).slice(0, 3)));
      bits = bits * 4 + far.indexOf(Math.min(...far));
    }
  }
  return [high >> 8, high & 255, low >> 8, low & 255, ...[24, 16, 8, 0].map(k => bits / 2 ** k & 255)];
}
const encoders = {
  CMPR: p => tiles(p, 8, 8, at => [[0, 0], [4, 0], [0, 4], [4, 4]].flatMap(([x, y]) => cmprBlock((i, j) => at(x + i, y + j)))),
  RGB5A3: p => tiles(p, 4, 4, at => grid(4, 4, at).flatMap(([r, g, b, a]) => {
    const v = a > 0.93 ? 0x8000 | Math.round(r * 31) << 10 | Math.round(g * 31) << 5 | Math.round(b * 31)
      : Math.round(a * 7) << 12 | Math.round(r * 15) << 8 | Math.round(g * 15) << 4 | Math.round(b * 15);
    return [v >> 8, v & 255];
  })),
  RGBA8: p => tiles(p, 4, 4, at => [...grid(4, 4, at).flatMap(t => [byte(t[3]), byte(t[0])]), ...grid(4, 4,
      at).flatMap(t => [byte(t[1]), byte(t[2])])]),
  IA4: p => tiles(p, 8, 4, at => grid(8, 4, at).map(t => Math.round(t[3] * 15) << 4 | Math.round(t[0] * 15))),
  IA8: p => tiles(p, 4, 4, at => grid(4, 4, at).flatMap(t => [byte(t[3]), byte(t[0])])),
  RGB565: p => tiles(p, 4, 4, at => grid(4, 4, at).flatMap(t => [rgb565(t) >> 8, rgb565(t) & 255])),
};
const zeros = bytes => "00".repeat(bytes);
function texture(format, picture, levels = 1, wrap = "repeat") {
  const bytes = [];
  for (let k = 0, p = picture; k < levels; k++, p = k < levels ? half(p) : p) bytes.push(...encoders[format](p));
  while (bytes.length % 32) bytes.push(0);
  return {
    average: [0, 1, 2].map(c => picture.data.reduce((sum, t) => sum + t[c], 0) / picture.data.length),
    entry: {present: true, flags: 129, frames: [{
      wrapper: "zlb", width: picture.width, height: picture.height, frame_count_8: 256, format, wrap_s: wrap, wrap_t: wrap,
      min_filter: levels > 1 ? "linear_mip_linear" : "linear", mag_filter: "linear", min_lod: 0, max_lod: levels - 1,
      unknown_1E: [0, 0], unknown_20: zeros(32), unknown_40: zeros(16), unknown_54: zeros(12),
          data: Buffer.from(bytes).toString("hex")}]},
  };
}
const grey = (color, light) => color.map(v => v * light);
const stones = (u, v, columns, rows, seed) => { // masonry: light of a stone, and of the joint
  const row = Math.floor(v * rows), x = u * columns + (row % 2) / 2, column = Math.floor(x);
  const edge = Math.min(x - column, 1 - x + column, (v * rows - row) * columns / rows * 1.2, (1 - v * rows + row) * columns / rows * 1.2);
  return [lattice(column % columns, row, seed), smooth(0.02, 0.11, edge)];
};
const leafShape = (u, v) => { // a frond along u
  const width = 0.46 * Math.sin(Math.PI * Math.pow(clamp(u * 0.97 + 0.02), 0.62)), off = Math.abs(v - 0.5);
  const comb = Math.abs(((u * 13 - off * 5) % 1 + 1) % 1 - 0.5) * 2;
  return [off < 0.025 && u < 0.95 || off < width && comb > 0.16 + 0.55 * off / Math.max(width, 0.05) ? 1 : 0, comb, off];
};
const bushShape = seed => {
  const leaves = Array.from({length: 90}, (_, k) => {
    const a = lattice(k, 1, seed) * Math.PI, r = Math.sqrt(lattice(k, 2, seed));
    return [0.5 + 0.42 * r * Math.cos(a) * 1.02, 0.96 - 0.84 * r * Math.sin(a), 0.05 + 0.05 * lattice(k, 3, seed), lattice(k, 4, seed)];
  }).sort((a, b) => a[1] - b[1] + 0.3 * (a[3] - b[3]));
  return (u, v) => leaves.reduce((best, [x, y, size, shade]) => Math.hypot(u - x, (v - y) * 1.25) < size
    ? [1, 0.52 + 0.5 * (1 - y) + 0.22 * shade - 1.6 * Math.hypot(u - x + 0.012, v - y + 0.02)] : best, [0, 0.6]);
};
const bush = bushShape(5);
const pictures = {
  sand: ["CMPR", paint(64, 64, (u, v) => grey([1, 0.97, 0.9], 0.9 + 0.13 * clouds(u, v, 4,
      1) + 0.035 * Math.sin(2 * Math.PI * (v * 7 + 0.5 * clouds(u, v, 2, 9)))
    + (lattice(Math.floor(u * 64), Math.floor(v * 64), 3) > 0.97 ? -0.14 : 0))), 4],
  grass: ["CMPR", paint(128, 128, (u, v, x, y) => {
    const blade = 0.5 * noise(u * 64, v * 16, 64, 7, 16) + 0.5 * noise(u * 32 + 0.4 * noise(u * 8, v * 8, 8, 8), v * 16, 32, 9, 16);
    return add(grey([0.97, 1, 0.84], 0.86 + 0.15 * blade + 0.2 * clouds(u, v, 4, 11)), lattice(x, y, 12) > 0.996 ? [0.2, 0.12,
        0.3] : [0, 0, 0]);
  }), 5],
  rock: ["CMPR", paint(128, 128, (u, v) => {
    const layer = clouds(u, v, 4, 21), crack = Math.abs(noise(u * 6 + layer, v * 6, 6, 25));
    const strata = Math.sin(2 * Math.PI * (v * 6 + 0.9 * layer));
    return grey([1, 0.97, 0.92], 0.8 + 0.3 * layer + 0.07 * strata - 0.15 * smooth(0.12, 0, crack));
  }), 5],
  cavern: ["CMPR", paint(64, 64, (u, v) => {
    const bulge = clouds(u, v, 2, 27), pores = noise(u * 16, v * 16, 16, 28);
    return grey([0.96, 0.97, 1], 0.76 + 0.4 * bulge + 0.12 * pores + 0.1 * noise(u * 32, v * 16, 32, 29, 16));
  }), 4],
  wood: ["CMPR", paint(64, 64, (u, v) => {
    const board = Math.floor(u * 4), edge = Math.min(u * 4 - board, 1 - u * 4 + board);
    const grain = noise(u * 32, v * 3 + 7 * lattice(board, 0, 31), 32, 32, 3) * 0.6 + noise(u * 16, v * 2 + board, 16, 33, 2) * 0.4;
    const nail = Math.min(...[0.06, 0.94].map(y => Math.hypot((u * 4 - board - 0.5) / 4, v - y))) < 0.014;
    return nail ? [0.3, 0.28, 0.26] : grey([0.86, 0.7, 0.5], (0.82 + 0.2 * lattice(board, 1,
        31) + 0.16 * grain) * (0.45 + 0.55 * smooth(0, 0.07, edge)));
  }), 4],
  thatch: ["CMPR", paint(64, 64, (u, v) => {
    const row = Math.floor(v * 4), in_row = v * 4 - row, straw = noise(u * 32, v * 6, 32, 41 + row % 4, 6);
    return grey([0.97, 0.82, 0.5], (0.7 + 0.24 * straw + 0.1 * noise(u * 8, v * 8, 8,
        46)) * (1.05 - 0.42 * smooth(0.62 + 0.2 * noise(u * 16, row, 16, 47), 1, in_row)));
  }), 4],
  stone: ["CMPR", paint(64, 64, (u, v) => {
    const [shade, joint] = stones(u, v, 3, 4, 51);
    return grey([0.95, 0.94, 0.9], (0.7 + 0.26 * shade + 0.24 * clouds(u, v, 4, 52)) * (0.5 + 0.5 * joint));
  }), 4],
  water: ["RGB565", paint(32, 32, (u, v) => {
    const glint = 1 - Math.abs(noise(u * 4, v * 4, 4, 61)) - 0.6 * Math.abs(noise(u * 8, v * 8, 8, 62));
    return mix([0.25, 0.62, 0.74], [0.95, 1, 1], smooth(0.55, 1, glint));
  }), 1],
  foam: ["IA4", paint(64, 32, (u, v) => {
    const ragged = v + 0.16 * noise(u * 8, 0, 8, 71) + 0.08 * noise(u * 16, 3, 16, 72);
    const lace = 0.5 + 0.5 * noise(u * 16, v * 8, 16, 73, 8);
    const band = smooth(0.04, 0.16, ragged) * smooth(0.42, 0.2, ragged) + 0.6 * smooth(0.52, 0.64, ragged) * smooth(0.86, 0.7,
        ragged) * lace;
    return [1, 1, 1, band * (0.65 + 0.35 * lace)];
  }), 1],
  frond: ["RGB5A3", paint(64, 32, (u, v) => {
    const [there, comb, off] = leafShape(u, v);
    return [...grey(mix([0.5, 0.74, 0.26], [0.72, 0.82, 0.34], u), 0.62 + 0.34 * comb + (off < 0.03 ? 0.25 : 0)), there];
  }), 1, "clamp"],
  bush: ["RGB5A3", paint(64, 64, (u, v) => {
    const [there, light] = bush(u, v);
    return [...grey([0.5, 0.76, 0.3], light * 1.1), there];
  }), 1, "clamp"],
  fence: ["RGB5A3", paint(64, 32, (u, v, x, y) => {
    const post = (u * 4) % 1, pale = Math.abs(post - 0.5) < 0.27 && v > 0.1 + 0.28 * Math.abs(post - 0.5),
        rail = Math.abs(v - 0.34) < 0.06 || Math.abs(v - 0.74) < 0.06;
    return [...grey([0.9, 0.84, 0.72], (pale ? 0.86 : 0.66) + 0.14 * noise(u * 32, v * 4, 32, 81, 4)), pale || rail ? 1 : 0];
  }), 1],
  shadow: ["IA8", paint(32, 32, (u, v) => [0, 0, 0, 0.36 * smooth(0.5, 0.36, Math.hypot(u - 0.5, v - 0.5))]), 1, "clamp"],
  path: ["RGBA8", paint(32, 32, (u, v) => { // across it is u
    const worn = 0.5 - Math.abs(u - 0.5) + 0.1 * noise(u * 4, v * 8, 8, 95) + 0.05 * noise(u * 8, v * 16, 16, 96);
    return [...grey([0.93, 0.82, 0.6], 0.86 + 0.2 * clouds(u, v, 4, 97)), 0.92 * smooth(0.06, 0.24, worn)];
  }), 1],
  crystal: ["RGBA8", paint(32, 32, (u, v) => {
    const facet = Math.abs((u * 3 + v * 0.7) % 1 - 0.5) * 2, glow = 0.5 + 0.5 * clouds(u, v, 4, 91);
    return [...grey([1, 1, 1], 0.78 + 0.3 * facet * glow + 0.1 * (1 - v)), 0.86];
  }), 1],
};
const textures = Object.fromEntries(Object.entries(pictures).map(([name, p]) => [name, texture(...p)]));

// ---- blocks -----------------------------------------------------------------------------------------

// flags of shaders
const FOG = 0x4, CULL = 0x8, USUAL = 0x10, TEST = 0x400, UNLIT = 0x80000, DECAL = 0x100000, BLEND = 0x40000000, WATER = 0x80000000;
const OPAQUE = 0, CLEAR = 1, SEA = 2;
const materials = {
  sand: {pass: OPAQUE, layers: ["sand"], flags: FOG | CULL | USUAL}, grass: {pass: OPAQUE, layers: ["grass"], flags: FOG | CULL | USUAL},
  rock: {pass: OPAQUE, layers: ["rock"], flags: FOG | CULL | USUAL}, wood: {pass: OPAQUE, layers: ["wood"], flags: FOG | CULL | USUAL},
  cavern: {pass: OPAQUE, layers: ["cavern"], flags: FOG | CULL | USUAL}, stone: {pass: OPAQUE, layers: ["stone"],
      flags: FOG | CULL | USUAL},
  roof: {pass: OPAQUE, layers: ["thatch", "grass"], flags: FOG | CULL | USUAL}, // moss shows through where alpha is low
  frond: {pass: OPAQUE, layers: ["frond"], flags: FOG | TEST}, bush: {pass: OPAQUE, layers: ["bush"], flags: FOG | TEST},
  fence: {pass: OPAQUE, layers: ["fence"], flags: FOG | TEST}, crystal: {pass: OPAQUE, layers: ["crystal"], flags: CULL | UNLIT},
  path: {pass: CLEAR, layers: ["path"], flags: FOG | DECAL | BLEND}, shadow: {pass: CLEAR, layers: ["shadow"],
      flags: FOG | DECAL | BLEND}, foam: {pass: CLEAR, layers: ["foam"], flags: FOG | DECAL | BLEND},
  water: {pass: SEA, layers: ["water"], flags: (FOG | USUAL | WATER) >>> 0},
};
const surfaces = {generic: 4, grass: 4, sand: 4, rough_stone: 4, wood: 4, stone: 4, magic_cave: 4, water: 0x10};

class Pool { // values that are stored once
  constructor() { this.values = []; this.numbers = new Map(); }
  add(value) {
    const key = String(value);
    if (!this.numbers.has(key)) this.numbers.set(key, this.values.push(value) - 1);
    return this.numbers.get(key);
  }
}
// vertices: {p: [x, y, z] in the block's units, c: [r, g, b, a], t: [s, t], u: [s, t] of the second layer}
class Block {
  constructor(name, rise) {
    Object.assign(this, {name, rise, positions: new Pool(), colors: new Pool(), texcoords: new Pool(), lists: new Map(),
        solid: new Map()});
  }
  position(p) { return this.positions.add([p[0], p[1] - this.rise, p[2]].map(v => Math.round(v * 8) + 0)); }
  vertex(v, two) {
    const nibble = (v.c.length < 4 ? [...v.c, 1] : v.c).reduce((sum, c) => sum * 16 + Math.round(clamp(c) * 15), 0);
    const coordinate = t => this.texcoords.add(t.map(x => Math.round(x * 256) + 0));
    return {position: this.position(v.p), color: this.colors.add(nibble), texcoord: coordinate(v.t),
        ...(two ? {texcoord_1: coordinate(v.u)} : {})};
  }
  draw(material, opcode, vertices) {
    if (!this.lists.has(material)) this.lists.set(material, []);
    const commands = this.lists.get(material), last = commands.at(-1);
    const own = vertices.map(v => this.vertex(v, materials[material].layers.length > 1));
    if (opcode !== "triangle_strip" && last?.opcode === opcode) last.vertices.push(...own);
    else commands.push({opcode, vertices: own});
  }
  collide(surface, points) { // counter-clockwise
    if (!this.solid.has(surface)) this.solid.set(surface, []);
    const own = points.map(p => this.position(p));
    if (new Set(own).size === 3) this.solid.get(surface).push(own);
  }
  json() {
    const order = Object.keys(materials).filter(m => this.lists.has(m)), used = [...new Set(order.flatMap(m => materials[m].layers))];
    const positions = this.positions.values, range = numbers => [Math.min(...numbers), Math.max(...numbers)];
    const streams = [0, 1, 2].map(() => ({present: false, ops: []})), address = [0, 0, 0];
    const lists = order.map((m, shader) => {
      const commands = this.lists.get(m), vertices = commands.flatMap(c => c.vertices), pass = materials[m].pass;
      const boxes = [0, 1, 2].map(k => range(vertices.map(v => positions[v.position][k]))),
          wide = key => vertices.some(v => v[key] > 255);
      const at = address[pass];
      address[pass] += 45; // bits: shader 10, format 7, matrices 16, list 12
      streams[pass].present = true;
      streams[pass].ops.push({op: "shader", shader}, {op: "format", wide_position: wide("position"), wide_color: wide("color"),
        wide_texcoord: wide("texcoord") || wide("texcoord_1")}, {op: "matrices", matrices: [0]}, {op: "list", list: shader});
      return {bounds_min: boxes.map(b => b[0]), bounds_max: boxes.map(b => b[1]), flags: 0, shader, shader_bit_address: at,
        matrix_bit_address: at + 17, sort_layer: 7, unknown_19: "000000", form: 0, texcoord_count: materials[m].layers.length, commands};
    });
    const shaders = order.map(m => {
      const layer = k => materials[m].layers[k] === undefined ? {texture: 0,
          tev_mode: 0} : {texture: used.indexOf(materials[m].layers[k]), tev_mode: k ? 9 : 128};
      return {unknown_00: 255, color: [255, 255, 255, 255], distortion_texture_1: 0, distortion_alpha_1: 255, unknown_0D: "000000",
        unknown_10: NOBODY, distortion_texture_2: 0, texture_18: 0, unknown_1C: -1, distortion_slot: 0, unknown_21: 0,
            distortion_alpha_2: 0,
        unknown_23: 0, layers: [0, 1].map(k => ({...layer(k), material: 0, scroll: 0, unknown_7: 0})), auxiliary_texture: -1,
            indirect_texture: -1,
        flags: materials[m].flags, attributes: 6, layer_count: materials[m].layers.length, environment_map: 0, alpha: 0};
    });
    const polygons = [], polygon_groups = [];
    for (const [surface, own] of this.solid) {
      if (!own.length) continue;
      const box = [0, 1, 2].map(k => range(own.flat().map(i => positions[i][k] >> 3)));
      polygon_groups.push({first_polygon: polygons.length, x_min: box[0][0], x_max: box[0][1], y_min: box[1][0], y_max: box[1][1],
          z_min: box[2][0],
        z_max: box[2][1], unknown_0E: 0, unknown_10: 0, surface, flags: surfaces[surface]});
      for (const vertices of own) { // strips of 80 units that it touches
        const strips = axis => {
          const [low, high] = range(vertices.map(i => positions[i][axis] >> 3));
          return [0, 1, 2, 3, 4, 5, 6, 7].reduce((bits, k) => low <= 80 * (k + 1) && high >= 80 * k ? bits + 2 ** k : bits, 0);
        };
        polygons.push({vertices, sub_blocks: strips(0) + 256 * strips(2)});
      }
    }
    return {unused_00: 0, flags: 8, unknown_06: 0, matrix: Array(12).fill(0), unknown_3C: zeros(16), line_hits: 0, hits: 0, unknown_74: 0,
      y_min: Math.min(...polygon_groups.map(g => g.y_min)) + this.rise, y_max: Math.max(...polygon_groups.map(g => g.y_max)) + this.rise,
      y_offset: this.rise, unknown_92: 0, hit_count: 0, unknown_9E: 0, unknown_A3: 0, name: this.name, lists, positions,
      colors: this.colors.values, texcoords: this.texcoords.values, streams: streams.map(s => s.present ? s : {present: false}),
      textures: used.map(name => this.bank.indexOf(name)), shaders, polygon_groups,
      polygon_sentinel: {first_polygon: polygons.length, x_min: 0, x_max: 0, y_min: 0, y_max: 0, z_min: 0, z_max: 0, unknown_0E: 0,
          unknown_10: 0, surface: "generic", flags: 0},
      polygons};
  }
}
// A place of many blocks; its coordinates are those of the map. Polygons are cut where blocks meet.
class Place {
  constructor(kind, bank) {
    Object.assign(this, kind, {bank, low: kind.origin.map(v => -v * BLOCK)});
    this.blocks = Array.from({length: this.columns * this.rows}, (_, k) => Object.assign(new Block(`mod${this.file}.${k}`, this.rise),
        {bank}));
    this.lines = this.blocks.map(() => []);
    this.objects = [];
  }
  each(action) {
    this.blocks.forEach((block, k) => action(block, this.low[0] + k % this.columns * BLOCK,
        this.low[1] + Math.floor(k / this.columns) * BLOCK, k));
  }
  cut(polygon, action) { // polygon: vertices with p
    this.each((block, left, top, k) => {
      let inside = polygon;
      for (const [axis, limit, sign] of [[0, left, 1], [0, left + BLOCK, -1], [2, top, 1], [2, top + BLOCK, -1]]) {
        const before = inside;
        inside = [];
        before.forEach((a, i) => {
          const b = before[(i + 1) % before.length], da = (a.p[axis] - limit) * sign, db = (b.p[axis] - limit) * sign;
          if (da >= 0) inside.push(a);
          if (da > 0 && db < 0 || da < 0 && db > 0)
            inside.push(Object.fromEntries(Object.keys(a).map(key => [key, mix(a[key], b[key], da / (da - db))])));
        });
      }
      const extent = axis => Math.max(...inside.map(v => v.p[axis])) - Math.min(...inside.map(v => v.p[axis]));
      if (inside.length < 3 || extent(0) < 0.13 && extent(2) < 0.13 && !inside.every(v => polygon.includes(v))) return;
      // what lies in the border alone belongs to one of the two blocks
      const middle = [0, 2].map(axis => inside.reduce((sum, v) => sum + v.p[axis], 0) / inside.length);
      if (middle[0] >= left + BLOCK || middle[1] >= top + BLOCK) return;
      action(block, inside.map(v => ({...v, p: [v.p[0] - left, v.p[1], v.p[2] - top]})), k);
    });
  }
  face(material, vertices) { // counter-clockwise; the lists' fronts are clockwise
    this.cut(vertices, (block, own) => {
      const turned = own.toReversed(), base = pictures[materials[material].layers[0]][3] ? [0, 0] : own[0].t.map(Math.floor);
      const near = turned.map(v => ({...v, t: add(v.t, base, -1)}));
      if (near.length === 4) block.draw(material, "quads", near);
      else for (let i = 2; i < near.length; i++) block.draw(material, "triangles", [near[0], near[i - 1], near[i]]);
    });
  }
  solid(surface, points) {
    this.cut(points.map(p => ({p})), (block, own) => {
      for (let i = 2; i < own.length; i++) block.collide(surface, [own[0].p, own[i - 1].p, own[i].p]);
    });
  }
  line(kind, a, b, heights, parameter = -1) { // ends within one block
    const column = Math.floor(((a[0] + b[0]) / 2 - this.low[0]) / BLOCK), row = Math.floor(((a[2] + b[2]) / 2 - this.low[1]) / BLOCK);
    const x = [a, b].map(p => Math.round(p[0] - this.low[0] - column * BLOCK)), z = [a,
        b].map(p => Math.round(p[2] - this.low[1] - row * BLOCK));
    const one = heights[0] === heights[1];
    this.lines[column + row * this.columns].push({x: x.map(v => clamp(v, 0, BLOCK)), y: [a, b].map(p => Math.round(p[1])),
        z: z.map(v => clamp(v, 0, BLOCK)),
      flags: one ? 0x8E : 0x0E, ...(one ? {height: Math.round(heights[0])} : {heights: heights.map(Math.round)}), type: kind, parameter,
          unknown_12: 0});
  }
}

// ---- the islet's ground -----------------------------------------------------------------------------

const SUN = unit([-0.52, 0.72, 0.46]), islet = new Place(ISLET, ["sand", "grass", "rock", "wood", "thatch", "stone", "water", "foam",
    "frond", "bush", "fence", "shadow", "path"]);
const MIDDLE = 320; // of the island, on the map
const HILL = [90, 60], ARCH = [115, 326], LAGOON = [580, 120], HUT = [395, 455], TOWER = [700, 440], JETTY = [365, 850];
const paths = [[[365, 868], [350, 760], [362, 660], [386, 570], [388, 522]], [[386, 575], [300, 530], [240, 460], [200, 425], [135, 412], [116, 376]], [[386, 575], [480, 560], [580, 500], [696, 500]]];
const pathDistance = (x, z) => Math.min(...paths.flatMap(path => path.slice(1).map((b, i) => {
  const a = path[i], d = [b[0] - a[0], b[1] - a[1]], t = clamp(((x - a[0]) * d[0] + (z - a[1]) * d[1]) / (d[0] ** 2 + d[1] ** 2));
  return Math.hypot(x - a[0] - t * d[0], z - a[1] - t * d[1]);
})));
const away = (x, z, [a, b]) => Math.hypot(x - a, z - b);
function inland(x, z) { // from the shore, about
  const dx = x - MIDDLE, dz = z - MIDDLE, angle = Math.atan2(dz, dx);
  const radius = 700 + 48 * Math.sin(3 * angle + 0.8) + 26 * Math.sin(5 * angle + 2.1) + 10 * Math.sin(9 * angle) - 130 * Math.exp(-(((angle - 1.48) / 0.3) ** 2));
  return radius - Math.hypot(dx, dz);
}
function ground(x, z) {
  const s = inland(x, z), wave = noise(x / 170 + 9, z / 170 + 9, 64, 101) + 0.5 * noise(x / 80 + 9, z / 80 + 9, 64, 102);
  let y = s > 0 ? 22 * (1 - Math.exp(-s / 120)) + 26 * smooth(60, 190, s) : Math.max(-70, 0.24 * s) - 6 * smooth(0, -60, s);
  y += 5 * wave * smooth(-60, 140, s);
  const hill = away(x, z, HILL) + 16 * noise(x / 60 + 5, z / 60 + 5, 64, 103);
  y += 120 * smooth(265, 175, hill) + 85 * smooth(170, 95, hill) + 60 * smooth(200, 70, away(x, z, [290, -40]));
  y = y + (54 - y) * smooth(180, 120, Math.abs(x - ARCH[0])) * smooth(262, 312, z) * smooth(480, 420, z);
  y = y + (-26 - y) * smooth(165, 75, away(x, z, LAGOON) + 14 * wave);
  for (const level of [HUT, TOWER]) y = y + (50 - y) * smooth(150, 90, away(x, z, level));
  return y;
}
const slope = (x, z) => unit([ground(x - 8, z) - ground(x + 8, z), 16, ground(x, z - 8) - ground(x, z + 8)]);
function sunlight(x, y, z, normal) {
  let lit = 1; // hills throw soft shadows
  for (let far = 14; far < 420; far += 14) lit = Math.min(lit, smooth(-0.12, 0.1, (y + SUN[1] * far - ground(x + SUN[0] * far,
      z + SUN[2] * far)) / far));
  return add([0.46, 0.52, 0.64], [0.66, 0.6, 0.47], Math.max(0, dot(normal, SUN)) * lit);
}
const step = BLOCK / ISLET.quads, corner = k => Math.round(k * step * 8) / 8;
const across = ISLET.columns * ISLET.quads;
const ground_vertices = grid(across + 1, across + 1, (i, j) => {
  const at = k => islet.low[0] + Math.floor(k / ISLET.quads) * BLOCK + corner(k % ISLET.quads);
  const x = at(i), z = at(j), y = Math.round(ground(x, z) * 8) / 8, normal = slope(x, z), wet = smooth(10, 2, y),
      patch = noise(x / 110 + 5, z / 110 + 5, 64, 110);
  const rock = smooth(0.86, 0.74, normal[1] + 0.04 * patch) * smooth(2, 20, y);
  const sand = smooth(27, 15, y + 4 * patch) * (1 - rock);
  let color = mix([0.4, 0.6, 0.2], [0.58, 0.7, 0.27], 0.5 + 0.6 * patch);
  color = mix(color, mix([0.97, 0.88, 0.66], [0.73, 0.62, 0.43], wet), sand);
  color = mix(color, mix([0.66, 0.61, 0.53], [0.55, 0.56, 0.44], 0.5 + 0.5 * patch), rock);
  color = times(color, sunlight(x, y, z, normal));
  color = mix(color, mix([0.45, 0.78, 0.72], [0.05, 0.3, 0.42], smooth(-8, -70, y)), smooth(-1, -26, y) * 0.9);
  return {x, y, z, color, rock, sand, grass: 1 - rock - sand};
});
const ground_at = (i, j) => ground_vertices[i + j * (across + 1)];
function height(x, z) { // of the triangles
  const find = v => { const k = clamp((v - islet.low[0]) / step, 0, across - 1e-6); return [Math.floor(k), k - Math.floor(k)]; };
  const [i, s] = find(x), [j, t] = find(z), y = (a, b) => ground_at(i + a, j + b).y;
  return s >= t ? y(0, 0) + s * (y(1, 0) - y(0, 0)) + t * (y(1, 1) - y(1, 0)) : y(0, 0) + t * (y(0, 1) - y(0, 0)) + s * (y(1, 1) - y(0,
      1));
}
const KINDS = ["sand", "grass", "rock"];
const kindOf = three => KINDS.reduce((best, k) => three.reduce((sum, v) => sum + v[k], 0) > three.reduce((sum, v) => sum + v[best],
    0) ? k : best);
// of a row of corners, two and two, those that are needed where it is flat
const thinned = (row, flat) => row.filter((_, k) => {
  const i = k - k % 2;
  return i === 0 || i + 2 >= row.length || !row.slice(i - 2, i + 4).every(flat);
});
// strips from west to east, as long as triangles are of one kind
function strips(block, corners, kind, vertex) {
  for (let at = 0; at + 2 < corners.length;) {
    const own = kind(corners.slice(at, at + 3));
    let end = at + 1;
    while (end + 2 < corners.length && kind(corners.slice(end, end + 3)) === own) end++;
    const made = corners.slice(at, end + 2).map(v => vertex(v, own));
    if (own) {
      if (at % 2) { // an odd triangle is turned round
        block.draw(own, "triangles", [made[1], made[0], made[2]]);
        made.shift();
      }
      if (made.length > 3) block.draw(own, "triangle_strip", made);
      else if (made.length === 3) block.draw(own, "triangles", made);
    }
    at = end;
  }
}
islet.each((block, left, top) => {
  const first = [(left - islet.low[0]) / BLOCK * ISLET.quads, (top - islet.low[1]) / BLOCK * ISLET.quads], here = v => [v.x - left, v.y,
      v.z - top];
  for (let j = 0; j < ISLET.quads; j++) {
    const row = grid(2, ISLET.quads + 1, (upper, i) => ground_at(first[0] + i, first[1] + j + 1 - upper));
    strips(block, thinned(row, v => v.y === -76), kindOf, (v, own) => ({p: here(v), t: [(v.x - left) / 80, (v.z - top) / 80],
      c: v.color.map((c, k) => c / textures[own].average[k])}));
    for (let k = 0; k + 2 < row.length; k++) {
      const [a, b, c] = row.slice(k, k + 3), middle = (a.y + b.y + c.y) / 3;
      const surface = middle < -8 ? "generic" : {sand: "sand", grass: "grass", rock: "rough_stone"}[kindOf([a, b, c])];
      if (middle > -32) block.collide(surface, (k % 2 ? [a, b, c] : [a, c, b]).map(here));
    }
  }
  // the sea, where it is not below the ground
  const parts = 6, tone = (x, z) => mix([0.5, 0.95, 0.88], [0.04, 0.36, 0.58], smooth(-2, -62, ground(x, z)));
  for (let j = 0; j < parts; j++) {
    const row = grid(2, parts + 1, (upper, i) => ({x: left + Math.round(i * BLOCK / parts), y: 0,
        z: top + Math.round((j + 1 - upper) * BLOCK / parts)}));
    strips(block, thinned(row, v => ground(v.x, v.z) < -62), three => three.some(v => ground(v.x, v.z) < 16) ? "water" : "",
        v => ({p: here(v), c: [...tone(v.x, v.z), 0.5], t: [(v.x - left) / 80, (v.z - top) / 80]}));
  }
  const flat = [[0, 0], [0, BLOCK], [BLOCK, BLOCK], [BLOCK, 0]].map(([x, z]) => [x, 0, z]);
  if (grid(parts + 1, parts + 1, (i, j) => ground(left + i * BLOCK / parts, top + j * BLOCK / parts)).some(y => y < 0)) {
    block.collide("water", [flat[0], flat[1], flat[2]]);
    block.collide("water", [flat[0], flat[2], flat[3]]);
  }
});

// ---- things on it -----------------------------------------------------------------------------------

const turn = (angle, [x, y, z]) => [x * Math.cos(angle) + z * Math.sin(angle), y, z * Math.cos(angle) - x * Math.sin(angle)];
const shade = (normal, dim = 1) => grey(add([0.5, 0.53, 0.6], [0.52, 0.5, 0.42], Math.max(0, dot(normal, SUN))), dim);
// four corners, counter-clockwise from the lower left; `size` units are a texture
function quad(place, material, corners, {size = 40, color = [1, 1, 1], dim = [1, 1], light = shade, uv, alpha, second} = {}) {
  const normal = unit(cross(add(corners[1], corners[0], -1), add(corners[3], corners[0], -1)));
  const wide = Math.hypot(...add(corners[1], corners[0], -1)) / size, high = Math.hypot(...add(corners[3], corners[0], -1)) / size;
  const t = uv ?? [[0, high], [wide, high], [wide, 0], [0, 0]];
  place.face(material, corners.map((p, k) => ({p, t: t[k], ...(second ? {u: add(t[k], t[k], 0.6)} : {}),
    c: [...times(color, light(normal, dim[k < 2 ? 0 : 1], p)), alpha ? alpha[k] : 1]})));
}
// a strip of quads between pairs of corners, the right one first; cut into quads where blocks meet
function ribbon(place, material, pairs) { // pairs of {p, t, c}
  const all = pairs.flat(), k = place.blocks.findIndex((_, n) => all.every(({p}) => [0, 1].every(axis => {
    const low = place.low[axis] + (axis ? Math.floor(n / place.columns) : n % place.columns) * BLOCK;
    return p[2 * axis] >= low && p[2 * axis] <= low + BLOCK;
  })));
  if (k >= 0) {
    const [left, top] = [place.low[0] + k % place.columns * BLOCK, place.low[1] + Math.floor(k / place.columns) * BLOCK];
    place.blocks[k].draw(material, "triangle_strip", all.map(v => ({...v, p: [v.p[0] - left, v.p[1], v.p[2] - top]})));
  } else
    pairs.slice(1).forEach((b, i) => place.face(material, [pairs[i][1], pairs[i][0], b[0], b[1]]));
}
// a box that stands at `base`: half its width, its height, half its depth
function box(place, material, base, [wide, high, deep], {yaw = 0, surface, lid = true, floor = false, top = material, ...more} = {}) {
  const at = (x, y, z) => add(base, turn(yaw, [x, y, z]));
  const [a, b, c, d] = [[-wide, deep], [wide, deep], [wide, -deep], [-wide, -deep]];
  const sides = [[a, b], [b, c], [c, d], [d, a]].map(([p, q]) => [at(p[0], 0, p[1]), at(q[0], 0, q[1]), at(q[0], high, q[1]), at(p[0],
      high, p[1])]);
  const cover = [at(-wide, high, deep), at(wide, high, deep), at(wide, high, -deep), at(-wide, high, -deep)];
  for (const side of sides) quad(place, material, side, {dim: [0.72, 1], ...more});
  if (lid) quad(place, top, cover, more);
  if (floor) quad(place, material, [at(-wide, 0, -deep), at(wide, 0, -deep), at(wide, 0, deep), at(-wide, 0, deep)], {...more,
      dim: [0.6, 0.6]});
  if (surface) for (const side of [...sides, cover]) place.solid(surface, side);
}
function drape(place, material, x, z, wide, parts = 2) { // on the ground
  const at = (i, j) => {
    const p = [x + (2 * i / parts - 1) * wide[0], z + (2 * j / parts - 1) * wide[1]];
    return {p: [p[0], height(...p) + 2, p[1]], t: [i / parts, j / parts], c: [1, 1, 1, 1]};
  };
  for (let j = 0; j < parts; j++) ribbon(place, material, Array.from({length: parts + 1}, (_, i) => [at(i, j + 1), at(i, j)]));
}
const dropped = (x, z, high) => [x - SUN[0] / SUN[1] * high, z - SUN[2] / SUN[1] * high]; // where a shadow falls

function palm(x, z, tall) {
  const y = height(x, z) - 3, yaw = between(0, 6.28), lean = between(0.1, 0.32) * tall, parts = 3, sides = 4;
  const ring = k => {
    const t = k / parts, radius = 5.5 - 2.6 * t, middle = add([x, y + tall * t, z], turn(yaw, [lean * t * t, 0, 0]));
    return Array.from({length: sides}, (_, i) => add(middle, turn(yaw + i * 2 * Math.PI / sides, [radius, 0, 0])));
  };
  for (let i = 0; i < sides; i++) {
    const corner = (k, at) => {
      const p = ring(k)[at % sides], normal = turn(yaw + at * 2 * Math.PI / sides, [1, 0, 0]);
      return {p, t: [at / 2, k * 1.5], c: times([0.86, 0.74, 0.6], shade(normal, 0.84))};
    };
    ribbon(islet, "wood", Array.from({length: parts + 1}, (_, k) => [corner(k, i + 1), corner(k, i)]));
  }
  const crown = add([x, y + tall, z], turn(yaw, [lean, 0, 0])), leaves = 7;
  for (let k = 0; k < leaves; k++) {
    const angle = yaw + k * 2 * Math.PI / leaves + between(-0.25, 0.25), long = between(32, 40), rise = between(4, 18),
        roll = between(-5, 5);
    const rib = [[0, 0], [long * 0.55, rise], [long * 1.25, rise - between(16, 28)]].map(([out, up]) => add(crown, turn(angle, [out, up,
        0])));
    const wide = turn(angle, [0, roll, 12]), light = [0.72, 1, 0.94].map(v => grey([1, 1, 0.94], v * between(0.92, 1.08)));
    ribbon(islet, "frond", rib.map((p, n) => [{p: add(p, wide), t: [n / 2, 1], c: light[n]}, {p: add(p, wide, -1), t: [n / 2, 0],
        c: light[n]}]));
  }
  const [sx, sz] = dropped(crown[0], crown[2], tall * 0.8);
  if (height(sx, sz) > 0) drape(islet, "shadow", sx, sz, [40, 40]);
}
function plant(x, z, wide, tall) { // two pictures across each other
  const y = height(x, z) - 2, yaw = between(0, 3);
  for (const turned of [yaw, yaw + Math.PI / 2]) {
    const side = turn(turned, [wide, 0, 0]), base = [x, y, z];
    quad(islet, "bush", [add(base, side, -1), add(base, side), add(add(base, side), [0, tall, 0]), add(add(base, side, -1), [0, tall,
        0])],
      {uv: [[0, 1], [1, 1], [1, 0], [0, 0]], light: () => grey([1, 1, 0.95], between(0.82, 1)), dim: [0.7, 1]});
  }
  drape(islet, "shadow", x + 2, z - 2, [wide, wide], 1);
}
function boulder(place, x, y, z, size, color = [0.85, 0.82, 0.76], light = shade) {
  const material = place === islet ? "rock" : "cavern";
  const yaw = between(0, 6), sides = 5, ring = (up, out) => Array.from({length: sides}, (_, i) =>
    add([x, y + up * size, z], turn(yaw + i * 2 * Math.PI / sides, [size * out * between(0.8, 1.15), between(-0.08, 0.08) * size, 0])));
  const low = ring(-0.2, 1), high = ring(0.5, 0.78), top = [x, y + size * between(0.75, 0.95), z];
  for (let i = 0; i < sides; i++) {
    const n = (i + 1) % sides;
    quad(place, material, [low[i], low[n], high[n], high[i]], {size: 60, color, dim: [0.66, 1], light});
    const normal = unit(cross(add(high[n], high[i], -1), add(top, high[i], -1)));
    place.face(material, [high[i], high[n], top].map(p => ({p, t: [(p[0] - x) / 60, (p[2] - z) / 60], c: times(color, light(normal, 1,
        p))})));
    place.solid("rough_stone", [low[i], low[n], top]);
  }
}
const BROWN = [0.8, 0.68, 0.54], BLACK = {color: [0.07, 0.06, 0.06], light: () => [1, 1, 1]};

{ // the hut: planks, a door, a window, a roof of thatch with moss
  const [x, z] = HUT, y = height(x, z), wide = 62, deep = 46, high = 46, ridge = 44, out = 15;
  box(islet, "stone", [x, y - 8, z], [wide + 5, 12, deep + 5], {surface: "stone"});
  box(islet, "wood", [x, y + 4, z], [wide, high, deep], {lid: false, surface: "wood", color: [0.92, 0.82, 0.7]});
  const top = y + 4 + high;
  for (const s of [-1, 1]) { // gables
    const ends = [[x + s * wide, top, z + s * deep], [x + s * wide, top, z - s * deep], [x + s * wide, top + ridge, z]];
    const normal = [s, 0, 0];
    islet.face("wood", ends.map((p, k) => ({p, t: [k === 2 ? deep / 40 : k * deep / 20, k === 2 ? 0 : 1], c: times([0.9, 0.8, 0.68],
        shade(normal))})));
    const eave = s * (deep + out), drop = ridge * out / deep, edge = wide + out;
    const slope = [[x - s * edge, top - drop, z + eave], [x + s * edge, top - drop, z + eave], [x + s * edge, top + ridge + 2, z],
        [x - s * edge, top + ridge + 2, z]];
    quad(islet, "roof", slope, {second: true, alpha: [0.35, 0.6, 1, 0.9], dim: [0.92, 1.05]});
    quad(islet, "wood", [slope[1], slope[0], slope[3], slope[2]], {dim: [0.4, 0.45]});
    islet.solid("wood", slope);
  }
  const front = z + deep + 0.8;
  quad(islet, "wood", [[x - 15, y + 4, front], [x + 15, y + 4, front], [x + 15, y + 42, front], [x - 15, y + 42, front]], {size: 30,
      color: [0.5, 0.36, 0.26]});
  for (const [a, b, c, d] of [[-19, -15, 4, 46], [15, 19, 4, 46], [-15, 15, 42, 46], [28, 50, 36, 39], [28, 50, 18, 21], [28, 31, 18,
      39], [47, 50, 18, 39]])
    box(islet, "wood", [x + (a + b) / 2, y + c, front + 1], [(b - a) / 2, d - c, 1.6], {color: BROWN});
  quad(islet, "wood", [[x + 29, y + 20, front], [x + 49, y + 20, front], [x + 49, y + 37, front], [x + 29, y + 37, front]], {color: [1,
      0.8, 0.42], light: () => [1.2, 1.1, 1]});
  box(islet, "stone", [x, y - 6, z + deep + 14], [24, 9, 9], {surface: "stone"});
  const chimney = [x - 34, top + 6, z - 20];
  box(islet, "stone", chimney, [9, 50, 9], {});
  drape(islet, "shadow", x + 24, z - 40, [92, 78]);
  const garden = [[x - 74, z + 60], [x - 122, z + 60], [x - 122, z - 70], [x - 40, z - 92]];
  garden.slice(1).forEach((b, i) => {
    const a = garden[i], count = Math.round(Math.hypot(b[0] - a[0], b[1] - a[1]) / 32);
    for (let k = 0; k < count; k++) {
      const p = mix(a, b, k / count), q = mix(a, b, (k + 1) / count), base = [p, q].map(([px, pz]) => [px, height(px, pz) - 1, pz]);
      quad(islet, "fence", [base[0], base[1], add(base[1], [0, 19, 0]), add(base[0], [0, 19, 0])], {uv: [[0, 1], [1, 1], [1, 0], [0,
          0]], light: () => [1, 0.97, 0.9]});
      islet.line(0x01, base[0], base[1], [20, 20]);
    }
  });
}
{ // the jetty, and a boat beside it
  const [x, z] = JETTY, deck = 15, end = 1190;
  for (let from = z; from < end; from += 85) {
    const middle = from + 42.5;
    box(islet, "wood", [x, deck - 4, middle], [24, 4, 42.5], {yaw: 0, surface: "wood", color: [0.95, 0.86, 0.76]});
  }
  for (let at = z + 40; at <= end; at += 85)
    for (const side of [-26, 26]) {
      const low = Math.max(-80, ground(x + side, at) - 4);
      box(islet, "wood", [x + side, low, at - 8], [4, deck + 14 - low, 4], {color: BROWN, size: 24});
    }
  box(islet, "wood", [x, deck - 4, end - 4], [58, 4, 36], {surface: "wood", color: [0.95, 0.86, 0.76]});
  for (const [dx, dz] of [[-56, -36], [56, -36], [-56, 30], [56, 30]])
    box(islet, "wood", [x + dx, -75, end + dz], [4, deck + 88, 4], {color: BROWN, size: 24});
  const keel = [x + 84, 3, end - 120], ribs = [[-46, 2, 10], [-26, 15, 1], [4, 18, 0], [30, 13, 2], [48, 1, 12]];
  const point = ([along, wide, up], side, level) => add(keel, [side * wide * (level ? 1 : 0.55), up + (level ? 14 : -4), along]);
  ribs.slice(1).forEach((b, i) => {
    const a = ribs[i];
    for (const s of [-1, 1]) {
      const plank = [point(s > 0 ? b : a, s, 0), point(s > 0 ? a : b, s, 0), point(s > 0 ? a : b, s, 1), point(s > 0 ? b : a, s, 1)];
      quad(islet, "wood", plank, {size: 26, color: [0.9, 0.45, 0.34]});
      quad(islet, "wood", [plank[1], plank[0], plank[3], plank[2]].map(p => add(p, [-s * 0.6, 0, 0])), {size: 26, color: [0.74, 0.62,
          0.48], dim: [0.6, 0.9]});
    }
    quad(islet, "wood", [point(b, -1, 0), point(b, 1, 0), point(a, 1, 0), point(a, -1, 0)].map(p => add(p, [0, 2, 0])), {size: 26,
        color: [0.6, 0.5, 0.4]});
  });
  for (const at of [-18, 14]) box(islet, "wood", add(keel, [0, 7, at]), [14, 2, 5], {color: BROWN});
}
{ // the lookout: a platform on posts, a ladder, a roof
  const [x, z] = TOWER, y = height(x, z), high = 96, wide = 38;
  for (const [dx, dz] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
    box(islet, "wood", [x + dx * (wide - 5), y - 6, z + dz * (wide - 5)], [4.5, high + 54, 4.5], {color: BROWN, size: 30});
    islet.solid("wood", [[-5, 5], [5, 5], [5, -5]].map(([a, b]) => [x + dx * (wide - 5) + a, y, z + dz * (wide - 5) + b]));
  }
  box(islet, "wood", [x, y + high - 6, z], [wide, 6, wide], {surface: "wood", floor: true, color: [0.95, 0.86, 0.76]});
  for (const [dx, dz, a, b] of [[-1, 0, 2, wide], [1, 0, 2, wide], [0, -1, wide, 2]])
    box(islet, "wood", [x + dx * (wide - 2), y + high + 17, z + dz * (wide - 2)], [a, 4, b], {color: BROWN, floor: true});
  const eave = wide + 12, peak = [x, y + high + 92, z], base = y + high + 46;
  const rim = [[-eave, eave], [eave, eave], [eave, -eave], [-eave, -eave]].map(([a, b]) => [x + a, base, z + b]);
  rim.forEach((a, i) => {
    const b = rim[(i + 1) % 4], normal = unit(cross(add(b, a, -1), add(peak, a, -1)));
    const corner = (p, t) => ({p, t, u: add(t, t, 0.6), c: [...shade(normal, 1.02), p === peak ? 1 : 0.5]});
    islet.face("roof", [corner(a, [0, 2]), corner(b, [2.4, 2]), corner(peak, [1.2, 0])]);
    islet.face("wood", [b, a, peak].map((p, k) => ({p, t: [k, k % 2], c: grey([1, 1, 1], 0.3)})));
  });
  const foot = z + wide + 12, head = z + wide + 1; // the ladder leans on the south side
  for (const side of [-9, 9])
    quad(islet, "wood", [[x + side - 2, y, foot], [x + side + 2, y, foot], [x + side + 2, y + high + 8, head], [x + side - 2,
        y + high + 8, head]], {size: 20, color: [1, 0.9, 0.76]});
  for (let k = 1; k < 10; k++) {
    const t = k / 10, at = [x, y + high * t, foot + (head - foot) * t - 0.5];
    quad(islet, "wood", [add(at, [-8, -1.6, 0]), add(at, [8, -1.6, 0]), add(at, [8, 1.6, 0]), add(at, [-8, 1.6, 0])], {size: 20,
        color: [0.9, 0.8, 0.66]});
  }
  islet.line(0x0A, [x - 9, y, foot], [x + 9, y, foot], [high, high]);
  islet.line(0x04, [x - wide, y + high, z + wide], [x - 12, y + high, z + wide], [16, 16]);
  drape(islet, "shadow", x + 40, z - 36, [62, 56]);
}
{ // the way into the hill, with ivy beside it
  const [x, z] = ARCH, y = 54;
  quad(islet, "stone", [[x - 26, y, z], [x + 26, y, z], [x + 26, y + 70, z], [x - 26, y + 70, z]], BLACK);
  for (const side of [-1, 1]) {
    box(islet, "stone", [x + side * 35, y - 8, z - 10], [11, 72, 22], {surface: "stone"});
    box(islet, "stone", [x + side * 35, y + 64, z - 10], [14, 5, 25], {floor: true});
    box(islet, "stone", [x + side * 80, y - 12, z - 26], [36, 84 - 6 * side, 26], {surface: "stone", size: 54});
  }
  box(islet, "stone", [x, y + 69, z - 12], [54, 17, 20], {surface: "stone", floor: true});
  box(islet, "stone", [x, y + 86, z - 14], [40, 9, 17], {surface: "stone"});
  for (let k = 0; k < 3; k++) box(islet, "stone", [x, y - 8, z + 14 + k * 11], [40 + k * 6, 14 - k * 3, 12], {surface: "stone"});
  const wall = [x - 112, y - 2, z + 0.8];
  for (const [dx, dy, size] of [[4, 40, 24], [18, 16, 30], [36, 44, 26], [28, 62, 18], [46, 10, 22]])
    quad(islet, "bush", [[dx, dy - 18], [dx + size, dy - 18], [dx + size, dy + size], [dx, dy + size]].map(([a, b]) => add(wall, [a, b,
        (dx % 7) / 7])),
      {uv: [[0, 1], [1, 1], [1, 0], [0, 0]], light: () => grey([0.8, 0.92, 0.8], 0.85)});
  islet.line(0x03, [x - 112, y, z], [x - 48, y, z], [80, 80]);
  islet.line(0x02, [x - 54, y + 86, z + 8], [x + 54, y + 86, z + 8], [8, 8]);
}
{ // stones in a ring on the hill
  const [x, z] = HILL, y = height(x, z);
  for (let k = 0; k < 9; k++) {
    const angle = k * 2 * Math.PI / 9, [dx, , dz] = turn(angle, [66, 0, 0]), base = height(x + dx, z + dz) - 6,
        tall = k === 4 ? 22 : between(48, 66);
    box(islet, "rock", [x + dx, base, z + dz], [6.5, tall, 11], {yaw: angle, surface: "stone", size: 70, color: [0.96, 0.94, 0.88]});
    if (k % 3 === 0 && k < 7) {
      const [ex, , ez] = turn(angle + Math.PI / 9, [64, 0, 0]);
      box(islet, "rock", [x + ex, base + 56, z + ez], [8, 12, 36], {yaw: angle + Math.PI / 9, floor: true, size: 70, color: [0.94, 0.92,
          0.86]});
    }
    drape(islet, "shadow", x + dx + 14, z + dz - 14, [20, 18]);
  }
  const rim = Array.from({length: 10}, (_, k) => add([x, y + 3, z], turn(k * Math.PI / 5, [26, 0, 0])));
  rim.forEach((a, k) => {
    const b = rim[(k + 1) % 10];
    islet.face("stone", [[x, y + 3, z], a, b].map((p, i) => ({p, t: [(p[0] - x) / 40, (p[2] - z) / 40], c: i ? [0.95, 0.95,
        0.95] : [0.55, 0.95, 1]})));
    quad(islet, "stone", [add(a, [0, -9, 0]), add(b, [0, -9, 0]), b, a]);
  });
}
for (const points of paths) { // trodden paths
  const round_about = k => points[clamp(k, 0, points.length - 1)];
  const middle = [];
  for (let k = 0; k + 1 < points.length; k++)
    for (let t = 0; t < 1; t += 0.25) { // through the points
      const [a, b, c, d] = [-1, 0, 1, 2].map(n => round_about(k + n));
      middle.push([0, 1].map(i => 0.5 * (2 * b[i] + (c[i] - a[i]) * t + (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i]) * t * t + (3 * b[i] - a[i] - 3 * c[i] + d[i]) * t ** 3)));
    }
  middle.push(points.at(-1));
  let far = 0;
  const rows = middle.map((p, k) => {
    const next = middle[Math.min(k + 1, middle.length - 1)], last = middle[Math.max(k - 1, 0)], along = unit([next[0] - last[0],
        next[1] - last[1]]);
    far += k ? Math.hypot(p[0] - last[0], p[1] - last[1]) / 70 : 0;
    return [1, 0, -1].map(side => {
      const at = [p[0] + along[1] * side * 24, p[1] - along[0] * side * 24], fade = clamp(Math.min(k,
          middle.length - 1 - k) / 1.5 + 0.25);
      return {p: [at[0], height(...at) + 1.6, at[1]], t: [0.5 + side / 2, far], c: [...grey(sunlight(at[0], height(...at), at[1], [0, 1,
          0]), 1.04), fade]};
    });
  });
  for (const side of [0, 1]) ribbon(islet, "path", rows.map(r => [r[side + 1], r[side]]));
}
// foam along the shores
for (const [middle, far, turns, count] of [[[MIDDLE, MIDDLE], 900, 44, 60], [LAGOON, 0, 9, 20]]) {
  const shore = Array.from({length: count}, (_, k) => {
    const angle = k * 2 * Math.PI / count, at = r => [middle[0] + r * Math.cos(angle), middle[1] + r * Math.sin(angle)];
    let low = far ? 480 : 0, high = far || 220; // land within, or water
    for (let i = 0; i < 20; i++) {
      const r = (low + high) / 2;
      if (height(...at(r)) > 0 === !!far) low = r; else high = r;
    }
    return [at(low + (far ? -9 : 9)), at(low + (far ? 34 : -22))];
  });
  shore.forEach(([a, out], k) => {
    const [b, beyond] = shore[(k + 1) % count], s = [k, k + 1].map(n => n * turns / count), v = ([x, z], t) => ({p: [x, Math.max(0,
        height(x, z)) + 0.9, z], t, c: [1, 1, 1, t[1] ? 0.9 : 0.8]});
    const ring = [v(out, [s[0], 1]), v(beyond, [s[1], 1]), v(b, [s[1], 0]), v(a, [s[0], 0])];
    islet.face("foam", far ? ring.toReversed() : ring);
    const cell = ([x, z]) => Math.floor((x + 640) / BLOCK) + 3 * Math.floor((z + 640) / BLOCK);
    if (far && k % 3 === 0 && cell(a) === cell(b)) islet.line(0x10, [a[0], 0, a[1]], [b[0], 0, b[1]], [12, 12]);
  });
}
const free = (x, z) => pathDistance(x, z) > 30 && away(x, z, HUT) > 125 && away(x, z, TOWER) > 80 && away(x, z,
    ARCH) > 130 && Math.abs(x - JETTY[0]) > 50;
for (let k = 0, count = 0; count < 12 && k < 400; k++) {
  const angle = count * 2 * Math.PI / 12 + between(-0.15, 0.15), r = between(520, 700), x = MIDDLE + r * Math.cos(angle),
      z = MIDDLE + r * Math.sin(angle), y = height(x, z);
  if (y > 5 && y < 32 && free(x, z)) palm(x, z, between(72, 108)), count++;
}
for (const [x, z] of [[400, 190], [655, 275], [700, 60], [255, 640], [560, 650]]) palm(x, z, between(80, 112));
for (let k = 0, count = 0; count < 22 && k < 900; k++) {
  const x = between(-330, 970), z = between(-330, 900);
  if (height(x, z) > 26 && slope(x, z)[1] > 0.9 && free(x, z)) plant(x, z, between(15, 26), between(22, 36)), count++;
}
for (const [x, z, size] of [[-40, 420, 26], [-6, 396, 17], [268, 352, 22], [820, 700, 20], [-290, 560, 28], [-250, 600, 15], [930, 170,
    24], [150, 905, 19],
                            [640, 930, 22], [470, -290, 26], [440, -330, 15], [-300, 20, 24], [1040, 480, 30], [1075, 450, 17]])
  boulder(islet, x, height(x, z), z, size);

// ---- the cave ---------------------------------------------------------------------------------------

const cave = new Place(CAVE, ["cavern", "stone", "water", "crystal", "sand"]);
const LAKE = [850, 800], PAD = [420, 470];
const capsule = (x, z, [ax, az], [bx, bz], radius) => {
  const d = [bx - ax, bz - az], t = clamp(((x - ax) * d[0] + (z - az) * d[1]) / (d[0] ** 2 + d[1] ** 2 || 1));
  return Math.hypot(x - ax - t * d[0], z - az - t * d[1]) - radius;
};
const hollow = (x, z) => Math.min(capsule(x, z, [420, 480], [560, 560], 230), capsule(x, z, [560, 560], [850, 790], 300), capsule(x, z,
    [860, 400], [960, 380], 150),
  capsule(x, z, [800, 560], [880, 400], 120), capsule(x, z, [330, 900], [420, 920], 140), capsule(x, z, [480, 640], [400, 880],
      90)) + 22 * noise(x / 90, z / 90, 64, 201);
const crystals = [[560, 330, [0.3, 0.95, 1]], [930, 350, [1, 0.45, 0.9]], [1020, 690, [0.35, 1, 0.7]], [640, 850, [0.5, 0.6, 1]], [330,
    930, [1, 0.75, 0.35]], [760, 500, [0.4, 0.9, 1]], [880, 1030, [0.8, 0.5, 1]]];
function floor(x, z) {
  let y = 10 * noise(x / 100, z / 100, 64, 202) + 62 * smooth(-90, 0, hollow(x, z));
  y -= 64 * smooth(190, 90, away(x, z, LAKE) + 20 * noise(x / 60, z / 60, 64, 203));
  return CAVE.rise + y + (4 - y) * smooth(110, 60, away(x, z, PAD));
}
const roof = (x, z) => CAVE.rise + 62 + 150 * smooth(10, -190, hollow(x, z)) + 22 * noise(x / 70, z / 70, 64, 204) * smooth(-20, -120,
    hollow(x, z));
function glow(x, y, z, normal) {
  let light = add([0.2, 0.21, 0.29], [0.07, 0.08, 0.1], normal[1]);
  for (const [cx, cz, color] of crystals) {
    const to = [cx - x, floor(cx, cz) + 40 - y, cz - z], far = Math.hypot(...to);
    light = add(light, color, 1.15 * clamp(0.45 + 0.55 * dot(to, normal) / Math.max(far, 1)) / (1 + (far / 120) ** 2));
  }
  const [px, pz] = PAD; // daylight falls on the pad
  return add(light, [0.9, 0.86, 0.7], 0.8 * smooth(170, 20, Math.hypot(px - x, pz - z)) * smooth(-0.4, 0.6, normal[1]));
}
const cave_step = BLOCK / CAVE.quads, cave_across = 2 * CAVE.quads;
const cave_points = grid(cave_across + 1, cave_across + 1, (i, j) => {
  let x = i * cave_step, z = j * cave_step;
  const d = hollow(x, z), gx = (hollow(x + 1, z) - hollow(x - 1, z)) / 2, gz = (hollow(x, z + 1) - hollow(x, z - 1)) / 2;
  if (Math.abs(d) < 40) { // onto the wall, though not out of the block
    if (i % CAVE.quads) x -= clamp(gx * d, -28, 28);
    if (j % CAVE.quads) z -= clamp(gz * d, -28, 28);
  }
  return {x: Math.round(x * 8) / 8, z: Math.round(z * 8) / 8, inside: d < 40};
});
const cave_at = (i, j) => cave_points[i + j * (cave_across + 1)];
const open = (i, j) => i >= 0 && j >= 0 && i < cave_across && j < cave_across && [[0, 0], [1, 0], [0, 1], [1, 1]].every(([a,
    b]) => cave_at(i + a, j + b).inside);
cave_points.forEach((v, k) => {
  const i = k % (cave_across + 1), j = Math.floor(k / (cave_across + 1)), rim = [[0, 0], [-1, 0], [0, -1], [-1, -1]].some(([a,
      b]) => !open(i + a, j + b));
  const eighth = y => Math.round(y * 8) / 8, low = eighth(floor(v.x, v.z)), high = eighth(Math.max(roof(v.x, v.z), low + 20));
  const up = unit([floor(v.x - 8, v.z) - floor(v.x + 8, v.z), 16, floor(v.x, v.z - 8) - floor(v.x, v.z + 8)]);
  const down = unit([roof(v.x + 8, v.z) - roof(v.x - 8, v.z), -16, roof(v.x, v.z + 8) - roof(v.x, v.z - 8)]);
  v.low = {y: low, color: glow(v.x, low, v.z, up)};
  v.high = rim ? v.low : {y: high, color: grey(glow(v.x, high, v.z, down), 0.85)};
});
cave.each((block, left, top) => {
  const first = [left / cave_step, top / cave_step];
  for (const part of ["low", "high"])
    for (let j = 0; j < CAVE.quads; j++) {
      const row = grid(2, CAVE.quads + 1, (upper, i) => ({i: first[0] + i, j: first[1] + j + 1 - upper}));
      if (part === "high") for (let k = 0; k < row.length; k += 2) [row[k], row[k + 1]] = [row[k + 1], row[k]]; // seen from below
      const at = v => cave_at(v.i, v.j), here = v => [at(v).x - left, at(v)[part].y, at(v).z - top];
      strips(block, row, three => open(Math.min(...three.map(v => v.i)),
          Math.min(...three.map(v => v.j))) ? part === "low" && three.every(v => at(v).low.y < CAVE.rise - 2) ? "sand" : "cavern" : "",
        (v, own) => ({p: here(v), t: [(at(v).x - left) / 160, (at(v).z - top) / 160], c: grey(at(v)[part].color,
            own === "sand" ? 0.8 : 1.05)}));
      for (let k = 0; part === "low" && k + 2 < row.length; k++) {
        const three = row.slice(k, k + 3), [a, b, c] = three;
        if (open(Math.min(...three.map(v => v.i)), Math.min(...three.map(v => v.j)))) block.collide("magic_cave", (k % 2 ? [a, b,
            c] : [a, c, b]).map(here));
      }
    }
});
{ // the lake
  const parts = 8, size = 400 / parts, y = CAVE.rise - 10;
  for (let i = 0; i < parts; i++)
    for (let j = 0; j < parts; j++) {
      const square = [[i, j + 1], [i + 1, j + 1], [i + 1, j], [i, j]].map(([a, b]) => [LAKE[0] - 200 + a * size, y,
          LAKE[1] - 200 + b * size]);
      if (square.every(p => floor(p[0], p[2]) > y + 2)) continue;
      cave.face("water", square.map(p => ({p, t: [p[0] / 80, p[2] / 80], c: [...add([0.1, 0.45, 0.6], glow(...p, [0, 1, 0]), 0.45),
          0.5]})));
      cave.solid("water", square);
    }
}
for (const [cx, cz, color] of crystals)
  for (let k = 0; k < 3; k++) {
    const angle = between(0, 6.28), out = k ? between(12, 26) : 0, tall = (k ? between(26, 46) : between(70, 92)), thick = tall * 0.16,
        lean = k ? 0.45 : 0.1;
    const [dx, , dz] = turn(angle, [out, 0, 0]), base = [cx + dx, floor(cx + dx, cz + dz) - 6, cz + dz], tip = turn(angle, [lean * tall,
        tall, 0]);
    const ring = (t, wide) => Array.from({length: 4}, (_, i) => add(add(base, tip, t), turn(angle + i * Math.PI / 2, [wide, 0, 0])));
    const low = ring(0, thick), high = ring(0.72, thick * 0.9), point = add(base, tip);
    const light = (n, d) => grey(add(color, [0.22, 0.22, 0.22], n[0] - n[2]), d);
    for (let i = 0; i < 4; i++) {
      const n = (i + 1) % 4;
      quad(cave, "crystal", [low[i], low[n], high[n], high[i]], {size: 40, dim: [0.7, 1.1], light});
      cave.face("crystal", [high[i], high[n], point].map((p, m) => ({p, t: [m / 3, m === 2 ? 0 : 0.5], c: mix(color, [1, 1, 1],
          m === 2 ? 0.75 : 0.15)})));
      cave.solid("magic_cave", [low[i], low[n], point]);
    }
  }
{ // the pad that leads up, and pillars around it
  const [x, z] = PAD, y = CAVE.rise + 8, lit = (n, d = 1, p = [x, y, z]) => grey(glow(...p, n), d);
  const rim = Array.from({length: 10}, (_, k) => add([x, y, z], turn(k * Math.PI / 5, [40, 0, 0])));
  rim.forEach((a, k) => {
    const b = rim[(k + 1) % 10];
    cave.face("stone", [[x, y, z], a, b].map((p, i) => ({p, t: [(p[0] - x) / 40, (p[2] - z) / 40], c: i ? [0.95, 0.92, 0.8] : [0.6,
        0.95, 1]})));
    quad(cave, "stone", [add(a, [0, -12, 0]), add(b, [0, -12, 0]), b, a], {light: lit});
    cave.solid("stone", [[x, y, z], a, b]);
  });
  for (let k = 0; k < 5; k++) {
    const [dx, , dz] = turn(k * 2 * Math.PI / 5 + 0.6, [82, 0, 0]), tall = k === 2 ? 30 : 84;
    box(cave, "stone", [x + dx, CAVE.rise - 2, z + dz], [9, tall, 9], {yaw: k, light: lit, surface: "stone"});
    if (k !== 2) box(cave, "stone", [x + dx, CAVE.rise - 2 + tall, z + dz], [12, 6, 12], {yaw: k, light: lit, floor: true});
  }
}
for (const [x, z, size] of [[610, 660, 20], [700, 380, 26], [1010, 930, 30], [500, 760, 16], [960, 470, 14], [640, 960, 24]])
  boulder(cave, x, floor(x, z), z, size, [1, 1, 1], (n, d, p) => grey(glow(...p, n), d));
cave.line(0x10, [690, CAVE.rise - 10, 790], [740, CAVE.rise - 10, 660], [14, 14]);
cave.line(0x0D, [380, CAVE.rise, 700], [470, CAVE.rise, 720], [30, 44]);

// ---- objects ----------------------------------------------------------------------------------------

const WORDS = {curve: 13, setuppoint: 8, LGTPointLig: 16, LargeCrate: 9, SmallBasket: 9, MagicPlant: 8, TrigPln: 20, sfxPlayer: 9,
    TrickyWarp: 8, fuelCell: 9,
  CampFire: 8, smallfern: 8, WarpPoint: 9, BlueMushroo: 8, DustMoteSou: 12};
let serial = 0x1D000;
const round = p => p.map(v => Math.round(v * 4) / 4);
function put(place, type, [x, z, up = 0], parameters, {load = "near_player", bound = 40, cull = 100, acts = [0, 0]} = {}) {
  const y = (place === islet ? Math.max(0, height(x, z)) : floor(x, z)) + up, id = ++serial;
  place.objects.push({type, acts_0: acts[0], load_flags: load, acts_1: acts[1], bound, cull_distance: cull, position: round([x, y, z]),
      id, parameters});
  return id;
}
function path(place, kind, points, closed, up) {
  const first = serial + 1, last = serial + points.length;
  points.forEach(([x, z], k) => {
    const y = up ?? (place === islet ? height(x, z) : floor(x, z)), next = points[(k + 1) % points.length], id = ++serial;
    const links = [id < last ? id + 1 : closed ? first : NOBODY, id > first ? id - 1 : closed ? last : NOBODY, NOBODY, NOBODY];
    const yaw = Math.round(Math.atan2(next[0] - x, next[1] - z) * 128 / Math.PI);
    place.objects.push({type: "curve", walk_group: 1, link_walk_groups: [1, 1, 0, 0], position: round([x, y, z]), id,
        parameters: {action: 0, kind, unknown_1A: 0,
      blocked_links: 0, links, yaw: Math.min(127, yaw), pitch: 0, tangent_length: 20, unknown_2F: 0,
      ...(kind === "companion" ? {required: -1, forbidden: -1} : {unknown_30: "ffffffff"})}});
  });
}
const light = (place, at, color, far, brightness = 200) => put(place, "LGTPointLig", at, {rotation_xy: [0, 0], color, event: 0,
    enable: -1, brightness, spot_mode: 0, near: 20, far,
  fade_speed: 0, target_color: [0, 0, 0], flags: 0, unknown_2B: 0, priority: 1, unknown_2D: 0, fade_frames: 0, enabled: 1,
      unknown_31: 0, rotation_speed: [0, 0],
  glow_scale: 100, glow_texture: 0, glow_color: [...color, 160], glow: 1, affects_aabb_light_selection: 0}, {load: "level_object", bound: 60});
const trigger = (place, at, size, commands, rotation, id) => put(place, "TrigPln", at, {
  commands: Array.from({length: 8}, (_, k) => ({flags: 0, command: 0, parameter_1: 0, parameter_2: 0, ...commands[k]})), trigger_id: id,
      size, rotation,
  unknown_3F: zeros(4), target: "player", activate: -1, delay: 0, gates: [-1, -1, -1, -1]}, {load: "level_object"});
const crate = (place, at, rotation_y, drop, more) => put(place, "LargeCrate", at, {rotation_y, drop, unknown_1A: 0, respawn_minutes: 5,
    broken: -1, unknown_20: zeros(4)}, more);
const basket = (place, at, rotation_y, subtype, more) => put(place, "SmallBasket", at, {rotation_y, subtype, unknown_1A: 0,
    respawn_minutes: 3, gone: -1, leash: 0, unknown_22: zeros(2)}, more);
const gem = (place, at, rotation_y, more) => put(place, "MagicPlant", at, {regrow_time: 600, unknown_1A: 0, gem: 1, model: 0,
    rotation_y, unknown_1E: zeros(2)}, more);
const start = (place, at, act, index, rotation_y) => put(place, "setuppoint", at, {act, index, unknown_1A: 0, rotation_y,
    object_groups: 7}, {load: "by_code", bound: 0});
const sound = (place, at, number) => put(place, "sfxPlayer", at, {bit: -1, sound: number, flags: 1, mode: 0, delay_seconds: [0, 0],
    channel: 0, unknown_21: 0, second_sound: 0}, {load: "level_object"});
const warpPoint = number => ({yaw: 0, arrival_warp_id: number, target_warp: 0, sequence: 0, enabled: 0, mode: 0, radius: 0,
    save_point_armed: 0, bit: 0, unknown_22: zeros(2)});
const group = number => ({load: "grouped", bound: number});

const [hut_x, hut_z] = HUT, lift = (x, z, y) => [x, z, y - Math.max(0, height(x, z))];
start(islet, lift(JETTY[0], 1150, 15), 1, 0, -128);
start(islet, [ARCH[0] + 20, ARCH[1] + 90], 2, 1, 0);
light(islet, lift(hut_x - 8, hut_z + 58, height(hut_x, hut_z) + 42), [255, 190, 96], 130);
light(islet, lift(JETTY[0] + 50, 1215, 40), [255, 204, 120], 160);
light(islet, lift(TOWER[0], TOWER[1], height(...TOWER) + 130), [255, 214, 140], 120);
light(islet, [HILL[0], HILL[1], 30], [120, 230, 255], 190);
trigger(islet, [ARCH[0], ARCH[1] + 10, 24], [26, 30, 4], [{flags: 1, command: 6, parameter_1: 0, parameter_2: 1}], [0, 0], 1);
trigger(islet, lift(JETTY[0], 880, 30), [24, 30, 4], [{flags: 3, command: 2, parameter_1: 4}], [0, 0], 2);
trigger(islet, [390, 545, 20], [40, 30, 4], [{flags: 1, command: 18, parameter_1: 1}, {flags: 1, command: 18, parameter_1: 2}], [0, 0],
    3);
put(islet, "WarpPoint", [HILL[0], HILL[1], 6], warpPoint(2), {load: "level_object"});
put(islet, "CampFire", [500, 600], {bit: 0, scale_percent: 0, unknown_1B: zeros(5)}, {load: "level_object"});
put(islet, "TrickyWarp", [300, 520], {unknown_18: zeros(2), rotation_y: 64, unknown_1B: zeros(5)});
put(islet, "TrickyWarp", [160, 380], {unknown_18: zeros(2), rotation_y: 192, unknown_1B: zeros(5)});
put(islet, "fuelCell", lift(TOWER[0], TOWER[1] - 16, height(...TOWER) + 100), {unknown_18: zeros(6), collected: 421, visible: -1,
    unknown_22: zeros(2)});
sound(islet, [330, 1010], 612);
sound(islet, [LAGOON[0], LAGOON[1]], 615);
for (let k = 0; k < 10; k++) {
  const angle = k * 0.63 + 0.2, x = LAGOON[0] + 190 * Math.cos(angle), z = LAGOON[1] + 190 * Math.sin(angle);
  put(islet, "smallfern", [x, z], {roll: [0, 44, 88][k % 3], pitch: 0, yaw: 0, scale: [64, 80][k % 2], flags_lo: [],
      proximity_radius_half: 0, flags_hi: [], unknown_1F: 0});
}
for (const [dx, dz, yaw] of [[-84, 30, 10], [-86, -10, 60], [78, -24, -20]]) crate(islet, [hut_x + dx, hut_z + dz], yaw, 1);
crate(islet, lift(JETTY[0] - 42, 1170, 15), 0, 2);
crate(islet, lift(JETTY[0] - 40, 1205, 15), 30, 1);
for (const [dx, dz] of [[80, 34], [92, 20], [-60, 74]]) basket(islet, [hut_x + dx, hut_z + dz], 12, 1);
for (const [x, z] of [[250, 470], [470, 330], [640, 330], [180, 560], [820, 430]]) gem(islet, [x, z], 32 * (x % 8), group(1));
basket(islet, lift(JETTY[0] + 44, 1175, 15), 40, 2, group(2));
basket(islet, lift(TOWER[0] + 20, TOWER[1] - 20, height(...TOWER) + 96), 0, 3, group(2));
gem(islet, [HILL[0] + 40, HILL[1] + 16], 0, group(3));
path(islet, "companion", [[365, 850], [362, 740], [362, 660], [388, 560], [280, 470], [200, 425], [116, 384]], false);
path(islet, "companion", [[410, 535], [560, 520], [690, 506]], false);
path(islet, "fish", Array.from({length: 8}, (_, k) => [LAGOON[0] + 62 * Math.cos(k * Math.PI / 4),
    LAGOON[1] + 62 * Math.sin(k * Math.PI / 4)]), true, -12);
path(islet, "flying_enemy", Array.from({length: 10}, (_, k) => [HILL[0] + 190 * Math.cos(k * Math.PI / 5),
    HILL[1] + 190 * Math.sin(k * Math.PI / 5)]), true, 340);

start(cave, [PAD[0] + 70, PAD[1] + 20], 1, 0, 64);
for (const [x, z, color] of crystals) light(cave, [x + 10, z + 10, 52], color.map(byte), 220);
light(cave, [PAD[0], PAD[1], 120], [255, 236, 190], 170);
trigger(cave, [PAD[0], PAD[1], 20], [36, 40, 36], [{flags: 1, command: 6, parameter_1: 1, parameter_2: 0}], [0, 0], 4);
put(cave, "WarpPoint", [PAD[0], PAD[1], 4], warpPoint(1), {load: "level_object"});
put(cave, "DustMoteSou", [620, 600, 60], {rotation_zyx: [0, 0, 0], effect: 3, effect_parameters: [0, 0], unknown_1E: zeros(2),
    scale: 1.5, bit: -1, spread: [120, 60, 120],
  flags: 0, burst: 4, unknown_2B: zeros(5)}, {load: "level_object"});
sound(cave, [LAKE[0], LAKE[1], 20], 640);
for (const [x, z] of [[480, 700], [900, 460], [700, 900], [1000, 820]])
  put(cave, "BlueMushroo", [x, z], {object_type: 0, lunge_distance: 40, gone: -1, scale: 32, unknown_1D: zeros(2), retreat_distance: 80},
      {bound: 30});
for (const [x, z] of [[370, 880], [420, 930]]) gem(cave, [x, z], 64, group(1));
basket(cave, [340, 880], 0, 2, group(1));
path(cave, "companion", [[470, 500], [560, 590], [640, 640], [700, 560], [830, 460], [930, 400]], false);
path(cave, "fish", Array.from({length: 6}, (_, k) => [LAKE[0] + 80 * Math.cos(k * Math.PI / 3),
    LAKE[1] + 80 * Math.sin(k * Math.PI / 3)]), true, CAVE.rise - 30);

// ---- files ------------------------------------------------------------------------------------------

const width = object => 4 * WORDS[object.type], sizeOf = place => place.objects.reduce((sum, object) => sum + width(object), 0);
const EMPTY = {mod: 255, sub: 0, layer_row: 127};
const stub = (unpacked_size, packed_size) => ({magic: 0xFACEFEED, unpacked_size, extra_size: 0, packed_size, unknown_10: 24,
    unknown_14: 28, unknown_18: 0, unknown_1C: 0});
const NEAR = {a: [0, 0, 0, 0], b: [0, 0, 0, 0]}, NEVER = {a: [1, 1, 0, 0], b: [1, 1, 0, 0]};
function mapOf(place, under) {
  const count = place.columns * place.rows, all = at => [-(at % place.columns), -Math.floor(at / place.columns),
      place.columns - 1 - at % place.columns, place.rows - 1 - Math.floor(at / place.columns)];
  const rects = grid(place.columns, place.rows, (i, j) => ({a: all(i + j * place.columns), b: [0, 0, 0, 0], c: [0, 0, 0, 0], d: [0, 0,
      0, 0]}));
  const none = {two_below: NEVER, one_below: NEVER, one_above: NEVER, two_above: NEVER};
  return {form: "full", columns: place.columns, rows: place.rows, origin_x: place.origin[0], origin_z: place.origin[1],
      object_list_size: sizeOf(place), unknown_0A: 0,
    unknown_0C: [0, 0, 0, 0], object_count: place.objects.length, layer_row_count: 1, unknown_20: zeros(24),
    cells: Array.from({length: count}, (_, sub) => ({mod: place.mod, sub, layer_row: 0})), cell_rects: rects, visible_cell_rects: rects,
    layer_rects: [{...none, [under]: NEAR}], visible_layer_rects: [none], object_list: stub(sizeOf(place), place.packed)};
}
const places = [cave, islet]; // by directory
const counts = Array(DIRECTORIES + 1).fill(0);
places.forEach(place => counts.fill(place.blocks.length + counts[place.mod], place.mod + 1));
const NOTHING = {x: [0, 0], y: [0, 0], z: [0, 0], flags: 0, heights: [0, 0], type: 0, parameter: 0, unknown_12: 0};
const padded = lines => { // the room of a block is a multiple of 32 bytes, and lines of 20 fill it
  const count = Math.floor(Math.ceil(lines.length * 20 / 32) * 32 / 20);
  return [...lines, ...Array(count - lines.length).fill(NOTHING)];
};
const warp = (place, x, z, layer, angle) => ({position: round([x, (place === islet ? height(x, z) : floor(x, z)) + 4, z]), layer, angle});
const warps = [warp(cave, PAD[0] + 60, PAD[1] + 30, -1, 64), warp(islet, ARCH[0], ARCH[1] + 60, 0, 0), warp(islet, HILL[0] + 34,
    HILL[1] + 20, 0, 32)];
warps.push({position: [JETTY[0], 19, 1150], layer: 0, angle: 128});
const names = {29: "Islet", 54: "Cave of the Islet"};
const files = {
  "MAPINFO.bin": ["sfa-mapinfo", {maps: Array.from({length: MAPS}, (_, m) => ({name: names[m] ?? "", type: m < 75 ? "map" : "sub_map",
      unknown_1D: 6, object_type: 0}))}],
  "globalma.bin": ["sfa-globalma", {placements: [{grid_x: 0, grid_z: 0, layer: 0, map: 29, links: [54, -1]}, {grid_x: 0, grid_z: 0,
      layer: -1, map: 54, links: [29, -1]}],
    tail: "ffffffff0000ffffffffffff" + zeros(28)}],
  "TRKBLK.tab": ["sfa-trkblk", {first_blocks: counts, end_mark: 0xFFFF, tail: zeros(10)}],
  "WARPTAB.bin": ["sfa-warptab", {warps: Array.from({length: 128}, (_, k) => warps[k] ?? {position: [0, 0, 0], layer: 0, angle: 0})}],
  "HITS.bin": ["sfa-hits", {blocks: places.flatMap(place => place.lines.map(lines => ({lines: padded(lines)})))}],
};
for (const place of places) {
  const ungrouped = place.objects.filter(o => o.type !== "curve" && o.load_flags !== "grouped");
  const grouped = place.objects.filter(o => o.load_flags === "grouped").sort((a, b) => a.bound - b.bound);
  place.objects = [...ungrouped, ...grouped, ...place.objects.filter(o => o.type === "curve")];
  files[`${place.list}.romlist.zlb`] = ["sfa-romlist", {wrapper: "zlb", objects: place.objects}];
  const before = Array(counts[place.mod]).fill({present: false});
  files[`${place.directory}/mod${place.file}.zlb.bin`] = ["sfa-blocks", {blocks: [...before,
      ...place.blocks.map(block => ({present: true, packed: {wrapper: "zlb", block: block.json()}}))]}];
  files[`${place.directory}/TEX1.bin`] = ["sfa-textures", {textures: place.bank.map(name => textures[name].entry)}];
}
files["MAPS.bin"] = ["sfa-maps", {maps: Array.from({length: MAPS}, (_, m) => m === 29 ? mapOf(islet,
    "one_below") : m === 54 ? mapOf(cave, "one_above") : {form: "stub_only", object_list: stub(0, 0)})}];

// JSON with short things on a line, and many of them
function show(value, indent = "") {
  const flat = JSON.stringify(value);
  if (flat.length < 150 || typeof value !== "object") return flat;
  const inner = indent.length < 3 ? indent + " " : indent;
  if (!Array.isArray(value)) return `{\n${Object.entries(value).map(([k, v]) => `${inner}"${k}":${show(v,
      inner)}`).join(",\n")}\n${indent}}`;
  const lines = [];
  for (const part of value.map(v => show(v, inner))) {
    if (lines.length && lines.at(-1).length + part.length < 150 && !part.includes("\n")) lines[lines.length - 1] += `,${part}`;
    else lines.push(part);
  }
  return `[\n${lines.map(line => inner + line).join(",\n")}\n${indent}]`;
}
const target = process.argv[2] ?? "samples/islet";
for (const [name, [format, content]] of Object.entries(files)) {
  const file = `${target}/${name}.json`;
  mkdirSync(file.slice(0, file.lastIndexOf("/")), {recursive: true});
  writeFileSync(file, show({$format: format, ...content}) + "\n");
}
