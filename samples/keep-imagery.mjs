// SPDX-License-Identifier: MIT
// Makes samples/keep-imagery/, the pictures of the things in samples/keep, as JSON of Revenant's form:
// node samples/keep-imagery.mjs samples/keep-imagery. Everything in it is made here: boxes, balls and cones are
// projected point by point, as the game's own tools did with models.
import {mkdirSync, writeFileSync} from "node:fs";

// ---- colours: 15 of a kind, from dark to light ---------------------------------------------------------

const kinds = {grass: [86, 116, 48], deep: [52, 88, 44], field: [150, 128, 62], water: [52, 98, 122], road: [146, 124, 92],
  stone: [132, 128, 120], court: [116, 110, 98], wood: [118, 82, 48], bark: [88, 70, 54], flame: [255, 170, 60],
  iron: [92, 96, 108], skin: [214, 164, 124], red: [158, 52, 44], blue: [60, 80, 150], sack: [170, 146, 100], white: [224, 222, 214]};
const SHADES = 15, names = Object.keys(kinds), palette = [[0, 0, 0]];
for (const name of names)
  for (let shade = 0; shade < SHADES; shade++)
    palette.push(kinds[name].map(c => Math.min(248, Math.round(c * (0.3 + shade / (SHADES - 1) * 1.1))) & 0xF8));
while (palette.length < 256) palette.push([0, 0, 0]);
const color = (kind, light) => 1 + names.indexOf(kind) * SHADES + Math.max(0, Math.min(SHADES - 1, Math.round(light * (SHADES - 1))));

// ---- drawing -------------------------------------------------------------------------------------------

// The map's x runs down-right, y down-left, each two pixels across for one down; heights shrink by 0.867.
const SCALE = 0.867, DEPTH = 512;
class Picture {
  points = new Map();
  put(x, y, z, kind, light) {
    const key = `${Math.floor(x - y)},${Math.floor((x + y) / 2 - z * SCALE)}`, depth = DEPTH - (x + y) * SCALE - z / 2;
    if (!(this.points.get(key)?.depth < depth)) this.points.set(key, {depth, color: color(kind, light)});
  }
  // The visible sides of a box around a place, from height `low` to `high`; `pattern` shades a point of a side.
  box(kind, x, y, wide, long, low, high, pattern = () => 0) {
    const x1 = x + wide / 2, y1 = y + long / 2, step = 0.5;
    for (let a = -wide / 2 + step / 2; a < wide / 2; a += step)
      for (let b = -long / 2 + step / 2; b < long / 2; b += step)
        this.put(x + a, y + b, high, kind, 0.72 + pattern(x + a, y + b, "top"));
    for (let z = low; z < high; z += step) {
      for (let a = -wide / 2 + step / 2; a < wide / 2; a += step) this.put(x + a, y1, z, kind, 0.5 + pattern(x + a, z, "left"));
      for (let b = -long / 2 + step / 2; b < long / 2; b += step) this.put(x1, y + b, z, kind, 0.34 + pattern(y + b, z, "right"));
    }
  }
  // A body turned around the vertical: `radius` by height.
  turned(kind, x, y, low, high, radius, pattern = () => 0) {
    for (let z = low; z <= high; z += 0.5)
      for (let angle = -0.8; angle < 2.4; angle += 0.4 / Math.max(1, radius(z))) {
        const r = radius(z), slope = (radius(Math.min(high, z + 1)) - r) * -0.12;
        this.put(x + r * Math.cos(angle), y + r * Math.sin(angle), z, kind,
                 0.52 + 0.16 * Math.sin(angle - 0.8) + slope + pattern(angle * r, z));
      }
  }
  ball(kind, x, y, z, r, flat = 1, pattern) {
    this.turned(kind, x, y, z - r * flat, z + r * flat, h => Math.sqrt(Math.max(0, r * r - ((h - z) / flat) ** 2)), pattern);
  }
}

const noise = (x, y) => ((Math.imul(Math.floor(x), 374761393) + Math.imul(Math.floor(y), 668265263)) >>> 13 & 255) / 255 - 0.5;
const speckled = (size, strength) => (a, b) => noise(a / size, b / size) * strength;
const masonry = (wide, high) => (a, b) => {
  const row = Math.floor(b / high), across = a / wide + (row & 1) / 2;
  return (b - row * high < 1.2 || (across - Math.floor(across)) * wide < 1.2 ? -0.22 : noise(across, row) * 0.12);
};
const planks = wide => a => (a / wide - Math.floor(a / wide)) * wide < 1 ? -0.2 : noise(a / wide, 3) * 0.1;
const waves = (a, b) => Math.sin(a / 5 + Math.sin(b / 9) * 2) > 0.82 ? 0.16 : 0;

// ---- pictures ------------------------------------------------------------------------------------------

const floor = (kind, side, depth, pattern) => p => p.box(kind, 0, 0, side, side, -depth, 0, pattern);
const person = (kind, tall, hat) => p => {
  p.turned(kind, 0, 0, 0, tall * 0.78, z => 8 - 3.5 * z / tall);
  p.ball("skin", 0, 0, tall * 0.88, tall * 0.1);
  if (hat) p.turned(hat, 0, 0, tall * 0.92, tall * 1.08, z => (tall * 1.08 - z) * 0.8);
};
const tree = (kind, trunk, r, flat) => p => {
  p.turned("bark", 0, 0, -trunk, 8, () => 4);
  p.ball(kind, 0, 0, r * flat * 0.6, r, flat, speckled(6, 0.3));
};
const light = (post, flame) => p => {
  p.turned("iron", 0, 0, 0, post, z => 2 + 2 * (z > post - 4));
  p.turned("flame", 0, 0, post, post + flame, z => flame / 3 * (1 - (z - post) / flame), (_, z) => (z - post) / flame / 3);
};
const chest = (kind, wide, long, high) => p => p.box(kind, 0, 0, wide, long, 0, high, planks(6));
const small = (kind, r) => p => p.ball(kind, 0, 0, r, r);
const pictures = {
  MeadowOld: floor("grass", 128, 10, speckled(8, 0.12)), Meadow1: floor("grass", 64, 10, speckled(8, 0.12)),
  Field2: floor("field", 64, 10, (a, b, side) => side === "top" && b / 8 - Math.floor(b / 8) < 0.4 ? -0.16 : 0),
  Beck2: floor("water", 64, 6, waves), LakeWide: floor("water", 64, 6, waves),
  CausewayBig: floor("road", 64, 10, speckled(10, 0.16)), CausewayWide: floor("wood", 64, 6, planks(8)),
  CourtA: floor("court", 64, 10, masonry(32, 16)), HallA: floor("wood", 64, 10, planks(10)),
  Stone1: floor("stone", 64, 56, masonry(22, 14)), RampartOld: floor("stone", 64, 40, masonry(16, 10)),
  BastionA: floor("stone", 64, 64, masonry(21, 16)), PalisadeA: floor("wood", 64, 40, planks(7)),
  BrambleWide: tree("deep", 32, 34, 0.6), TreeBig: tree("deep", 56, 40, 0.9), Birch1: tree("grass", 16, 24, 1.3),
  HollyBig: p => { p.turned("bark", 0, 0, -16, 6, () => 3); p.turned("deep", 0, 0, 4, 70, z => (70 - z) * 0.42, speckled(5, 0.25)); },
  Rushes: p => { for (const [x, y, z] of [[-4, 1, 20], [0, -3, 26], [3, 3, 22], [5, -1, 17]]) p.turned("grass", x, y, 0, z, h => 1.2 - h / 40); },
  Torch: light(34, 12), Brazier: light(22, 16), Lantern: light(12, 8),
  Gate: p => { for (const y of [-22, 22]) p.box("stone", 0, y, 10, 10, 0, 80, masonry(10, 10)); p.box("stone", 0, 0, 12, 56, 80, 92, masonry(14, 12)); },
  Trapdoor: floor("wood", 40, 2, planks(8)), LooseFlagstone: floor("stone", 30, 2, masonry(30, 30)),
  IronChest: chest("iron", 20, 30, 18), Cupboard: chest("wood", 16, 34, 60), Sack: small("sack", 9), Bucket: p => p.turned("wood", 0, 0, 0, 12, z => 5 + z / 6, planks(4)),
  Barrel: p => p.turned("wood", 0, 0, 0, 26, z => 9 + 2 * Math.sin(z / 26 * Math.PI), planks(4)), Anvil: p => { p.box("wood", 0, 0, 12, 12, 0, 10); p.box("iron", 0, 0, 10, 24, 10, 18); },
  Loom: p => { for (const y of [-16, 16]) p.box("wood", 0, y, 4, 4, 0, 48); p.box("white", 0, 0, 3, 30, 10, 44, planks(3)); },
  Warden: person("blue", 60, "iron"), Guard: person("red", 58, "iron"), Smith: person("iron", 58), Weaver: person("white", 54, "red"), Ferryman: person("sack", 56, "wood"),
  Heron: p => { p.turned("iron", 0, 0, 0, 14, () => 1); p.ball("white", 0, 0, 20, 8, 0.7); p.turned("white", -5, -5, 22, 38, () => 1.5); },
  WardensSword: chest("iron", 3, 24, 2), Billhook: chest("wood", 3, 26, 2), Loaf: small("field", 5), HoneyCake: small("flame", 4), Farthings: small("flame", 3), CellarKey: chest("iron", 3, 8, 1), Letter: floor("white", 10, 1),
};
const lit = new Set(["Torch", "Brazier", "Lantern"]);

// ---- writing -------------------------------------------------------------------------------------------

const SIDE = 64, RUN = 254, COPY = 255, CLEAR = 0x7F7F;
// A block row by row: runs, skipped pixels, single ones. The markers are no colours; depths have a high byte, which
// `COPY 0 high` sets.
function pack(rows, deep) {
  const bytes = [];
  let high = 0;
  for (const row of rows) {
    for (let i = 0, next; i < SIDE; i = next) {
      for (next = i + 1; next < SIDE && row[next] === row[i];) next++;
      if (deep && row[i] >> 8 !== high) bytes.push(COPY, 0, high = row[i] >> 8);
      const value = row[i] & 255, length = next - i;
      if (!deep && value === 0) bytes.push(RUN, 128 + length);
      else if (length > 3 || value === RUN || value === COPY) bytes.push(RUN, length, value);
      else bytes.push(...Array(length).fill(value));
    }
    bytes.push(RUN, 0);
  }
  return bytes.map(b => b.toString(16).padStart(2, "0")).join("");
}
function plane(width, height, at, clear, deep, base) {
  const across = Math.ceil(width / SIDE), down = Math.ceil(height / SIDE), blocks = [];
  for (let i = 0; i < across * down; i++) {
    const rows = Array.from({length: SIDE}, (_, y) => Array.from({length: SIDE}, (_, x) => {
      const column = i % across * SIDE + x, row = Math.floor(i / across) * SIDE + y;
      return column < width && row < height ? at(column, row) : clear;
    }));
    blocks.push(rows.flat().every(value => value === clear) ? {empty: true}
                : {id: base + i + 1 + (deep ? 256 : 0), run_marker: RUN, copy_marker: COPY, stream: pack(rows, deep)});
  }
  return {form: "blocks", blocks_type: 5, blocks_across: across, blocks_down: down, blocks};
}
const directory = process.argv[2] ?? ".";
mkdirSync(directory, {recursive: true});
Object.entries(pictures).forEach(([name, draw], number) => {
  const picture = new Picture();
  draw(picture);
  const places = [...picture.points.keys()].map(key => key.split(",").map(Number));
  const left = Math.min(...places.map(p => p[0])), top = Math.min(...places.map(p => p[1]));
  const width = Math.max(...places.map(p => p[0])) - left + 1, height = Math.max(...places.map(p => p[1])) - top + 1;
  const at = (x, y) => picture.points.get(`${x + left},${y + top}`), base = (number + 1) * 0x1000;
  const flags = [lit.has(name) ? "lit" : "unlit"];
  const document = {
    $format: "revenant-image",
    states: [{name: "still", flags, animation_flags: [], frames: 0, width, height, registration_x: -left, registration_y: -top,
      registration_z: DEPTH, animation_registration_x: 0, animation_registration_y: 0, animation_registration_z: 0, walkmap_x: 0,
      walkmap_y: 0, walkmap_z: 0, walkmap_width: 0, walkmap_length: 0, walkmap_height: 0, inventory_animation_flags: [],
      inventory_frames: 0, still: 0, slot_flags: flags}],
    bitmaps: [{width, height, registration_x: 0, registration_y: 0, flags: ["bits_8", "depth", "packed", "blocks"], draw_mode: 3328,
      key_color: 0, pixels: plane(width, height, (x, y) => at(x, y)?.color ?? 0, 0, false, base),
      planes: [{kind: "palette", form: "colors", colors_15: palette.map(([r, g, b]) => r >> 3 << 10 | g >> 3 << 5 | b >> 3),
                colors: palette.map(([r, g, b]) => r | g << 8 | b << 16)},
               {kind: "depth", ...plane(width, height, (x, y) => { const point = at(x, y); return point ? Math.round(point.depth) & 0xFFFF : CLEAR; },
                                        CLEAR, true, base)}]}],
    animations: [],
  };
  writeFileSync(`${directory}/${name}.json`, `${JSON.stringify(document)}\n`);
});
