// SPDX-License-Identifier: MIT
// Makes samples/outpost-game/, a small root of a game for samples/outpost.json: its materials, textures and
// models, as JSON: node samples/outpost-game.mjs samples/outpost-game. Each file has the name of the one that it
// becomes, and .json. Everything in it is made here.
import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

const SIDE = 64;
const random = (seed => () => {
  seed = seed + 0x6d2b79f5 | 0;
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
})(11);
const root = process.argv[2] ?? "samples/outpost-game";
function write(name, value) {
  const path = join(root, name + ".json");
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, JSON.stringify(value) + "\n");
}

// ---- patterns: colour and height at each pixel ------------------------------------------------------------

// Smooth noise that repeats at the edges.
function noise(cells) {
  const grid = Array.from({length: cells * cells}, random);
  const at = (x, y) => grid[(y % cells) * cells + x % cells];
  return (x, y) => {
    const u = x / SIDE * cells, v = y / SIDE * cells, i = Math.floor(u), k = Math.floor(v);
    const ease = t => t * t * (3 - 2 * t), s = ease(u - i), t = ease(v - k);
    return (at(i, k) * (1 - s) + at(i + 1, k) * s) * (1 - t) + (at(i, k + 1) * (1 - s) + at(i + 1, k + 1) * s) * t;
  };
}
const coarse = noise(6), fine = noise(24);
const dirt = (x, y) => 0.75 + 0.3 * coarse(x, y) * (0.6 + 0.4 * fine(x, y));
const shade = (color, by) => color.map(c => Math.max(0, Math.min(255, c * by)));
// How far a place is from the edges of its tile.
const edge = (x, y, w, h) => Math.min(x % w, w - 1 - x % w, y % h, h - 1 - y % h);
const rivet = (x, y, size) => {
  const dx = Math.min(x % size, size - x % size) - 4.5, dy = Math.min(y % size, size - y % size) - 4.5;
  return Math.max(0, 1 - Math.hypot(dx, dy) / 2.4);
};

const patterns = {
  floor(x, y) {
    const seam = edge(x, y, 32, 32) < 1, lane = (x + y) % 8 < 2 && edge(x, y, 32, 32) > 5;
    const height = seam ? 0 : lane ? 0.85 : 0.6;
    return {color: shade([112, 116, 122], dirt(x, y) * (seam ? 0.35 : lane ? 1.12 : 0.92)), height};
  },
  ceiling(x, y) {
    const slot = edge(x, y, 64, 32) > 5 && y % 8 < 3;
    return {color: shade([92, 96, 104], dirt(x, y) * (slot ? 0.3 : 1)), height: slot ? 0.1 : 0.7};
  },
  wall(x, y) {
    const near = edge(x, y, 64, 32), seam = near < 1, rim = near < 3, bump = rivet(x, y % 32 * 2, 64);
    const strip = y % 64 > 44 && y % 64 < 50 && !rim;
    const color = strip ? [196, 120, 52] : [132, 146, 150];
    return {color: shade(color, dirt(x, y) * (seam ? 0.3 : rim ? 0.8 : 1) * (1 + 0.3 * bump)),
            height: seam ? 0 : rim ? 0.45 : 0.65 + 0.35 * bump};
  },
  trim(x, y) {
    const stripe = (x + y) % 32 < 16, near = Math.min(y, SIDE - 1 - y);
    const color = near < 8 ? [84, 88, 94] : stripe ? [226, 178, 44] : [44, 44, 48];
    return {color: shade(color, dirt(x, y)), height: near < 8 ? 0.9 : 0.5};
  },
  crate(x, y) {
    const near = edge(x, y, 64, 64), frame = near < 8, seam = near === 8 || near === 0;
    const cross = !frame && (Math.abs(x - y) < 5 || Math.abs(x + y - 63) < 5);
    const board = !frame && !cross && y % 11 === 0;
    const color = frame ? [122, 128, 112] : cross ? [112, 118, 102] : [92, 104, 84];
    return {color: shade(color, dirt(x, y) * (seam || board ? 0.45 : 1)), height: seam ? 0 : frame || cross ? 0.8 : 0.5};
  },
  barrel(x, y) {
    const ring = y % 21 < 3, band = y > 24 && y < 40, glow = band && (x + 3 * y) % 24 < 12;
    const color = ring ? [70, 74, 80] : glow ? [214, 96, 40] : band ? [40, 42, 46] : [150, 62, 40];
    return {color: shade(color, dirt(x, y) * (ring ? 1.1 : 1)), height: ring ? 0.9 : 0.5, glow: glow ? 0.35 : 0};
  },
};

// ---- textures: DXT1 with all smaller levels -----------------------------------------------------------------

const pixels = of => Array.from({length: SIDE * SIDE}, (_, i) => of(i % SIDE, Math.floor(i / SIDE)));
function half(image, side) {
  return Array.from({length: side * side / 4}, (_, i) => {
    const x = i % (side / 2) * 2, y = Math.floor(i / (side / 2)) * 2;
    const four = [y * side + x, y * side + x + 1, (y + 1) * side + x, (y + 1) * side + x + 1].map(k => image[k]);
    return [0, 1, 2].map(c => four.reduce((sum, p) => sum + p[c], 0) / 4);
  });
}
const pack = ([r, g, b]) => Math.round(r / 255 * 31) << 11 | Math.round(g / 255 * 63) << 5 | Math.round(b / 255 * 31);
const unpack = v => [(v >> 11) / 31 * 255, (v >> 5 & 63) / 63 * 255, (v & 31) / 31 * 255];
const apart = (a, b) => a.reduce((sum, c, i) => sum + (c - b[i]) ** 2, 0);
function block(texels) {
  // the ends of the line are the two texels that are farthest apart
  let ends = [texels[0], texels[0]];
  for (const a of texels) for (const b of texels) if (apart(a, b) > apart(...ends)) ends = [a, b];
  let [first, second] = ends.map(pack);
  if (first < second) [first, second] = [second, first];
  if (first === second) second = first ? first - 1 : (first = 1, 0);
  const [a, b] = [first, second].map(unpack);
  const colors = [a, b, a.map((c, i) => (2 * c + b[i]) / 3), a.map((c, i) => (c + 2 * b[i]) / 3)];
  let bits = 0n;
  texels.forEach((t, i) => {
    const distances = colors.map(c => apart(c, t));
    bits |= BigInt(distances.indexOf(Math.min(...distances))) << BigInt(2 * i);
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
function texture(name, image) {
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
// x and y are slopes; green points down the texture
function normals(of) {
  const height = (x, y) => of((x + SIDE) % SIDE, (y + SIDE) % SIDE).height;
  return pixels((x, y) => {
    const n = [height(x - 1, y) - height(x + 1, y), height(x, y - 1) - height(x, y + 1), 1], size = Math.hypot(...n);
    return n.map(v => (v / size * 0.5 + 0.5) * 255);
  });
}

function material(folder, name, shader) {
  const of = patterns[name], path = `${folder}/${name}`;
  const values = [["shader", `shaders/${shader}.surface_shader`], ["albedoMap", `${path}.dds`],
                  ["normalMap", `${path}_normal.dds`]];
  texture(`${path}.dds`, pixels((x, y) => of(x, y).color));
  texture(`${path}_normal.dds`, normals(of));
  if (shader.endsWith("emissive")) {
    values.push(["emissiveMap", `${path}_emissive.dds`]);
    texture(`${path}_emissive.dds`, pixels((x, y) => shade(of(x, y).color, of(x, y).glow ?? 0)));
  }
  write(`${path}.material`, {$format: "spark-material", values: values.map(([name, value]) => ({name, value}))});
}
for (const name of ["floor", "ceiling", "wall", "trim"]) material("materials/outpost", name, "Level");
material("models/props/generic", "crate", "Model");
material("models/props/generic", "barrel", "Model_emissive");

// ---- models -------------------------------------------------------------------------------------------------

function model(name, materials, corners, triangles) {
  const low = [0, 1, 2].map(k => Math.min(...corners.map(c => c.position[k])));
  const high = [0, 1, 2].map(k => Math.max(...corners.map(c => c.position[k])));
  const none = Array.from({length: 4}, () => ({weight: 0, index: 0}));
  write(`${name}.model`, {
    $format: "spark-model", version: 7,
    vertices: corners.map(({position, normal, tangent, binormal, uv}) =>
      ({position, normal, tangent, binormal, uv, color: [255, 255, 255, 255], bones: none})),
    indices: triangles.flat(),
    face_sets: [{material: 0, first_face: 0, face_count: triangles.length, palette: []}], bones: [], materials,
    collision_reps: {reps: [{solid_count: 0, first_solid: 0, joint_count: 0, first_joint: 0, pair_count: 0, first_pair: 0}],
                     names: [{name: "default", rep: 0}]},
    bounding_box: {centre: low.map((l, k) => (l + high[k]) / 2), half_size: low.map((l, k) => (high[k] - l) / 2)}});
}
// A flat side of four corners: from its upper left one along u (right) and v (down).
function side(corners, triangles, from, u, v) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = a => a.map(c => c / Math.hypot(...a));
  const normal = unit(cross(v, u)), first = corners.length;
  for (const [s, t] of [[0, 0], [0, 1], [1, 1], [1, 0]])
    corners.push({position: from.map((c, k) => c + s * u[k] + t * v[k]), normal, tangent: unit(u), binormal: unit(v), uv: [s, t]});
  triangles.push([first, first + 1, first + 2], [first, first + 2, first + 3]);
}
{
  const corners = [], triangles = [], h = 0.5;
  side(corners, triangles, [-h, 1, h], [1, 0, 0], [0, -1, 0]); // seen from +Z
  side(corners, triangles, [h, 1, h], [0, 0, -1], [0, -1, 0]);
  side(corners, triangles, [h, 1, -h], [-1, 0, 0], [0, -1, 0]);
  side(corners, triangles, [-h, 1, -h], [0, 0, 1], [0, -1, 0]);
  side(corners, triangles, [-h, 1, -h], [1, 0, 0], [0, 0, 1]);
  side(corners, triangles, [-h, 0, h], [1, 0, 0], [0, 0, -1]);
  model("models/props/generic/crate_01", ["models/props/generic/crate.material"], corners, triangles);
}
{
  const corners = [], triangles = [], SIDES = 16, radius = 0.35, height = 1;
  const round = i => [Math.sin(i / SIDES * 2 * Math.PI), Math.cos(i / SIDES * 2 * Math.PI)];
  for (let i = 0; i <= SIDES; i++) {
    const [x, z] = round(i);
    for (const t of [0, 1])
      corners.push({position: [x * radius, height * (1 - t), z * radius], normal: [x, 0, z], tangent: [z, 0, -x],
                    binormal: [0, -1, 0], uv: [2 * i / SIDES, t]});
  }
  for (let i = 0; i < SIDES; i++)
    triangles.push([2 * i, 2 * i + 1, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 2]);
  for (const [y, up] of [[height, 1], [0, -1]]) {
    const first = corners.length;
    for (let i = 0; i < SIDES; i++) {
      const [x, z] = round(i);
      corners.push({position: [x * radius, y, z * radius], normal: [0, up, 0], tangent: [1, 0, 0], binormal: [0, 0, up],
                    uv: [0.5 + x / 2, 0.1 + up * z / 20]});
    }
    for (let i = 1; i + 1 < SIDES; i++)
      triangles.push(up > 0 ? [first, first + i, first + i + 1] : [first, first + i + 1, first + i]);
  }
  model("models/props/generic/barrel_01", ["models/props/generic/barrel.material"], corners, triangles);
}
