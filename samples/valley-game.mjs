// SPDX-License-Identifier: MIT
// Makes samples/valley-game/, a small root of a game for samples/valley.json: models and textures as JSON, materials as they
// are: node samples/valley-game.mjs samples/valley-game. Everything in it is made here. Units are the game's, 38.4 to a metre;
// Z is up, and the origin of a model is what it stands on.
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {edge, noise, pixels, randomFrom, shade, texture, writerOf} from "./textures.mjs";

const root = process.argv[2] ?? "samples/valley-game", random = randomFrom(21), write = writerOf(root);
const coarse = noise(6, random), fine = noise(24, random);
const dirt = (x, y) => 0.72 + 0.36 * coarse(x, y) * (0.55 + 0.45 * fine(x, y));

// ---- patterns: the colour at each pixel, or null for a hole ---------------------------------------------------

const stripes = (x, y, color, dark, cells) => shade(Math.floor(x / cells + 3 * coarse(x, y)) % 2 ? color : dark, dirt(x, y));
const patterns = {
  bark: (x, y) => shade(edge(x + Math.floor(4 * coarse(x, y)), y, 16, 64) < 2 ? [58, 42, 30] : [112, 84, 58], dirt(x, y)),
  palm: (x, y) => shade(y % 16 < 3 ? [84, 70, 48] : [138, 116, 80], dirt(x, y)),
  leaves: (x, y) => fine(x, y) + 0.35 * coarse(y, x) < 0.42 ? null : shade([58, 112, 44], 0.55 + 0.9 * fine(y, x)),
  // one leaf from left to right, with ribs
  frond(x, y) {
    const off = Math.abs(y - 31.5), wide = 30 * Math.sin(Math.PI * Math.min(1, (x + 6) / 66)), rib = off < 1.5;
    if (off > wide || (!rib && off > 0.25 * wide && (x + Math.floor(off)) % 8 < 2)) return null;
    return shade(rib ? [126, 150, 70] : [64, 122, 48], 0.7 + 0.5 * fine(x, y));
  },
  rock: (x, y) => shade([124, 120, 112], dirt(x, y) * (Math.abs(coarse(x, y) - 0.5) < 0.03 ? 0.6 : 1)),
  moss: (x, y) => shade(coarse(x, y) > 0.5 ? [92, 116, 66] : [120, 116, 106], dirt(x, y)),
  ruin(x, y) {
    const row = Math.floor(y / 16), seam = edge(x + (row % 2) * 16, y, 32, 16) < 1;
    return shade(seam ? [78, 70, 58] : coarse(x, y) > 0.66 ? [110, 122, 76] : [168, 152, 122], dirt(x, y));
  },
  carving(x, y) {
    const rim = edge(x, y, 64, 64) < 6, u = x % 16 - 7.5, v = y % 16 - 7.5;
    const cut = !rim && (Math.hypot(u, v) < 5 && Math.hypot(u, v) > 3 || Math.hypot(u, v) < 1.5);
    return shade(rim ? [140, 124, 98] : cut ? [88, 76, 60] : [172, 152, 116], dirt(x, y));
  },
  cave: (x, y) => shade([104, 92, 82], dirt(x, y) * (0.85 + 0.3 * Math.sin(y / 3 + 5 * coarse(x, y)))),
  metal: (x, y) => shade(edge(x, y, 32, 32) < 1 ? [62, 64, 68] : [126, 128, 132], dirt(x, y)),
  gold: (x, y) => shade([224, 176, 64], 0.75 + 0.4 * fine(x, y)),
  wood: (x, y) => shade(y % 16 < 1 ? [62, 46, 32] : [134, 100, 64], dirt(x, y)),
  glow: (x, y) => shade([96, 214, 255], 0.55 + 0.6 * Math.abs(Math.sin(Math.hypot(x - 31.5, y - 31.5) / 3 + 2 * coarse(x, y)))),
  gem: (x, y) => shade([120, 210, 255], 0.7 + 0.6 * coarse(x, y)),
  cross(x, y) {
    const [u, v] = [Math.abs(x - 31.5), Math.abs(y - 31.5)];
    return u < 7 && v < 22 || v < 7 && u < 22 ? [206, 44, 40] : shade([232, 230, 222], dirt(x, y));
  },
  shells: (x, y) => shade(y % 32 < 10 ? [214, 176, 84] : [176, 52, 40], dirt(x, y)),
  water: (x, y) => shade([62, 124, 148], 0.7 + 0.5 * Math.abs(Math.sin(y / 5 + 4 * coarse(x, y)))),
  scales: (x, y) => shade(edge(x + (Math.floor(y / 8) % 2) * 4, y, 8, 8) < 1 ? [70, 78, 42] : [124, 136, 66], dirt(x, y)),
  stalker: (x, y) => stripes(x, y, [96, 66, 112], [58, 44, 76], 8),
  fur: (x, y) => shade([150, 108, 68], 0.7 + 0.5 * fine(x, y)),
  skin: (x, y) => shade([176, 128, 92], 0.85 + 0.25 * coarse(x, y)),
  cloth: (x, y) => shade((x + y) % 8 < 1 ? [72, 76, 54] : [98, 102, 72], dirt(x, y)),
  fish: (x, y) => shade(y > 36 ? [206, 206, 196] : [92, 124, 146], 0.8 + 0.4 * fine(x, y)),
};
for (const [name, of] of Object.entries(patterns)) texture(write, `textures/valley/${name}.dds`, pixels(of));

// ---- materials ------------------------------------------------------------------------------------------------

const HOLES = ["leaves", "frond"], BRIGHT = ["glow", "gem"];
function materials(model, names) {
  const text = names.map(name => [`material ${name} {`, `\tshader "progs/${BRIGHT.includes(name) ? "worldFullbright" : "world"}"`,
    ...HOLES.includes(name) ? ["\tsort masked", "\talphatest", "\tcull none"]
      : name === "water" ? ["\tsort water", "\tblend", "\tcull none", "\tcolor_diffuse \"1.0 1.0 1.0 0.6\""] : ["\tsort default", "\tcull back"],
    ...BRIGHT.includes(name) ? ["\tfullbright"] : [], "\tdepthtest", "",
    `\tsampler "diffuse" 0 "textures/valley/${name}.dds" {`, "\t\tfilter linear", "\t\twrap repeat", "\t}", "}", ""].join("\n")).join("\n");
  mkdirSync(join(root, "materials"), {recursive: true});
  writeFileSync(join(root, "materials", `mat_${model}.kmat`), text);
}

// ---- shapes: each adds corners and triangles, counter-clockwise, to the surface of its material ------------------

const round = v => Math.round(v * 1000) / 1000;
const minus = (a, b) => a.map((c, i) => c - b[i]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => a.map(c => c / (Math.hypot(...a) || 1));

// A flat face of three or four corners with their places in the texture.
function face(surface, corners, uv) {
  const normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))), first = surface.vertices.length;
  corners.forEach((position, i) => surface.vertices.push({position: position.map(round), uv: uv[i].map(round), normal: normal.map(round)}));
  for (let i = 2; i < corners.length; i++) surface.triangles.push([first, first + i - 1, first + i]);
}
const SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]];
// A box around the middle (x, y) from height z, `size` wide, deep, tall; textures repeat every `grain` units (0: fit).
const box = (x, y, z, [w, d, h], grain = 0) => surface => {
  const [x0, x1, y0, y1, z0, z1] = [x - w / 2, x + w / 2, y - d / 2, y + d / 2, z, z + h];
  const put = (corners, across, up) => face(surface, corners, SQUARE.map(([u, v]) => grain ? [u * across / grain, v * up / grain] : [u, v]));
  put([[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]], w, h);
  put([[x1, y1, z0], [x0, y1, z0], [x0, y1, z1], [x1, y1, z1]], w, h);
  put([[x0, y1, z0], [x0, y0, z0], [x0, y0, z1], [x0, y1, z1]], d, h);
  put([[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]], d, h);
  put([[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]], w, d);
  put([[x0, y1, z0], [x1, y1, z0], [x1, y0, z0], [x0, y0, z0]], w, d);
};
// Rings [x, y, z, radius] one above the other, joined; a radius of 0 is a tip. `wobble`: how uneven they are.
const lathe = (rings, sides = 8, repeats = 2, wobble = 0) => surface => {
  const uneven = Array.from({length: sides}, () => 1 + wobble * (random() * 2 - 1));
  const at = ([x, y, z, r], i) => {
    const angle = i / sides * 2 * Math.PI, by = r * uneven[i % sides];
    return [x + by * Math.cos(angle), y + by * Math.sin(angle), z];
  };
  for (let k = 0; k + 1 < rings.length; k++)
    for (let i = 0; i < sides; i++) {
      const u = [i, i + 1].map(n => n / sides * repeats), v = [k, k + 1].map(n => n / (rings.length - 1) * repeats);
      const [low, high] = [rings[k], rings[k + 1]];
      if (high[3] === 0) face(surface, [at(low, i), at(low, i + 1), at(high, i)], [[u[0], v[0]], [u[1], v[0]], [u[0], v[1]]]);
      else if (low[3] === 0) face(surface, [at(low, i), at(high, i + 1), at(high, i)], [[u[0], v[0]], [u[1], v[1]], [u[0], v[1]]]);
      else face(surface, [at(low, i), at(low, i + 1), at(high, i + 1), at(high, i)], [[u[0], v[0]], [u[1], v[0]], [u[1], v[1]], [u[0], v[1]]]);
    }
};
// A leaf from a point outwards: `lift` is how high its middle and its tip are.
const leaf = (x, y, z, angle, length, width, lift) => surface => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)], at = (out, across, up) => [x + c * out - s * across, y + s * out + c * across, z + up];
  const steps = [[0, 0], [0.5, lift[0]], [1, lift[1]]];
  for (let i = 0; i < 2; i++) {
    const [[a, low], [b, high]] = [steps[i], steps[i + 1]];
    face(surface, [at(a * length, -width / 2, low), at(b * length, -width / 2, high), at(b * length, width / 2, high), at(a * length, width / 2, low)],
      [[a, 0], [b, 0], [b, 1], [a, 1]]);
  }
};
const around = (count, of) => Array.from({length: count}, (_, i) => of(i / count * 2 * Math.PI + random() * 0.5, i));

// ---- models: parts [material, shape] ---------------------------------------------------------------------------

function model(name, parts, actor = false) {
  const surfaces = new Map();
  for (const [material, shape] of parts) {
    if (!surfaces.has(material))
      surfaces.set(material, {material: `materials/mat_${name}/${material}`, triangles: [], vertices: []});
    shape(surfaces.get(material));
  }
  const corners = [...surfaces.values()].flatMap(s => s.vertices.map(v => v.position));
  const bound = of => [0, 1, 2].map(k => of(...corners.map(c => c[k])));
  write(`models/${name}.bin`, {$format: "turok-model", version: 1, bounds_min: actor ? bound(Math.min) : [0, 0, 0],
    bounds_max: actor ? bound(Math.max) : [0, 0, 0], nodes: [{children: [], variants: [0], objects: [[...surfaces.values()]]}]});
  materials(name, [...surfaces.keys()]);
}
const crown = (z, radius, height) => [[0, 0, z, radius * 0.5], [0, 0, z + height * 0.25, radius], [0, 0, z + height * 0.7, radius * 0.8], [0, 0, z + height, 0]];
model("tree_palm01", [["palm", lathe([[0, 0, 0, 20], [6, 0, 260, 14], [22, 0, 520, 12], [46, 0, 690, 10]], 7, 4)],
  ...around(9, angle => ["frond", leaf(46, 0, 690, angle, 230, 90, [46, -70])])]);
model("tree_jungle03", [["bark", lathe([[0, 0, 0, 44], [0, 0, 40, 26], [-8, 4, 420, 20]], 8, 3)],
  ...around(4, angle => ["leaves", lathe(crown(360, 74, 190).map(([x, y, z, r], i) => [60 * Math.cos(angle), 60 * Math.sin(angle), z + 20 * (i % 2), r]), 8, 3, 0.2)]),
  ["leaves", lathe(crown(480, 92, 260), 9, 3, 0.2)]]);
model("tree_tall03", [["bark", lathe([[0, 0, 0, 34], [0, 0, 30, 22], [0, 0, 560, 10]], 8, 5)],
  ...[0, 1, 2, 3].flatMap(k => around(6, angle => ["frond", leaf(0, 0, 330 + 105 * k, angle + k, 150 - 28 * k, 84 - 12 * k, [10, -46])])),
  ["leaves", lathe(crown(600, 52, 140), 8, 2, 0.2)]]);
model("fern01", around(8, angle => ["frond", leaf(0, 0, 0, angle, 84, 44, [58, 34])]));
model("fern02", [...around(6, angle => ["frond", leaf(0, 0, 0, angle, 66, 40, [76, 70])]), ...around(5, angle => ["frond", leaf(0, 0, 0, angle, 96, 48, [34, 6])])]);
const stone = (w, h) => [[0, 0, -h * 0.2, w * 0.9], [0, 0, h * 0.25, w], [w * 0.1, 0, h * 0.7, w * 0.72], [w * 0.1, 0, h, 0]];
model("rock03", [["rock", lathe(stone(96, 130), 7, 2, 0.25)]]);
model("stone02", [["moss", lathe(stone(88, 96), 6, 2, 0.3)], ["rock", lathe(stone(46, 60).map(([x, y, z, r]) => [x + 80, y + 24, z, r]), 6, 1, 0.3)]]);
model("boulder02", [["rock", lathe([[0, 0, -20, 70], [0, 0, 40, 100], [0, 0, 100, 82], [0, 0, 136, 0]], 9, 2, 0.15)]]);
model("stalagmite01", [["cave", lathe([[0, 0, -6, 48], [0, 0, 30, 34], [4, 0, 110, 16], [6, 2, 200, 0]], 8, 3, 0.2)]]);
model("stalagmite02", [["cave", lathe([[0, 0, -6, 36], [0, 0, 90, 14], [-2, 3, 170, 0]], 7, 3, 0.2)],
  ["cave", lathe([[40, 18, -6, 22], [42, 18, 90, 0]], 6, 2, 0.2)], ["cave", lathe([[-34, 22, -6, 20], [-34, 24, 70, 0]], 6, 2, 0.2)]]);
model("ruin_pillar01", [["ruin", box(0, 0, 0, [110, 110, 36], 64)], ["ruin", lathe([[0, 0, 36, 42], [0, 0, 380, 36]], 10, 4)], ["carving", box(0, 0, 380, [110, 110, 48])]]);
model("ruin_pillar03", [["ruin", box(0, 0, 0, [110, 110, 36], 64)], ["ruin", lathe([[0, 0, 36, 42], [0, 0, 210, 40], [14, 4, 240, 20], [18, 4, 246, 0]], 10, 3, 0.1)],
  ["ruin", lathe([[96, 40, 0, 30], [110, 44, 34, 30], [112, 44, 36, 0]], 8, 2, 0.1)]]);
model("ruin_block03", [["ruin", box(0, 0, 0, [120, 120, 90], 64)], ["carving", box(-6, 4, 90, [100, 96, 80])], ["moss", box(-6, 4, 170, [104, 100, 10], 64)]]);

// ---- actors ------------------------------------------------------------------------------------------------------

const actor = (name, parts) => model(`dyn_${name}`, parts, true);
const person = (body, legs, more = []) => [[legs, box(-9, 0, 0, [13, 15, 56], 32)], [legs, box(9, 0, 0, [13, 15, 56], 32)], [body, box(0, 0, 56, [38, 21, 50], 32)],
  ["skin", box(-25, 0, 58, [10, 12, 46], 32)], ["skin", box(25, 0, 58, [10, 12, 46], 32)], ["skin", box(0, -1, 108, [17, 19, 24])], ...more];
const beast = (skin, more = []) => [[skin, box(-11, 6, 0, [11, 15, 50], 32)], [skin, box(11, 6, 0, [11, 15, 50], 32)],
  [skin, lathe([[0, 30, 46, 6], [0, 14, 50, 19], [0, 2, 78, 22], [0, -12, 104, 13], [0, -16, 118, 0]], 8, 3)],
  [skin, lathe([[0, 24, 56, 0], [0, 40, 56, 10], [0, 66, 66, 0]], 6, 2)], [skin, box(0, -24, 106, [16, 34, 17], 32)], ...more];
actor("turok", person("cloth", "fur", [["bark", box(0, 13, 64, [10, 8, 66])], ["fur", box(0, 2, 124, [19, 21, 12])]]));
actor("human_grunt01", person("cloth", "cloth", [["metal", box(18, -22, 82, [7, 48, 9], 32)], ["cloth", box(0, 0, 128, [20, 22, 8], 32)]]));
actor("monster_raptor", beast("scales"));
actor("monster_stalker", beast("stalker", [["gem", box(0, -42, 112, [11, 3, 4])]]));
actor("animals_deer01", [...[[-10, -24], [10, -24], [-10, 24], [10, 24]].map(([x, y]) => ["fur", box(x, y, 0, [7, 8, 58], 32)]), ["fur", box(0, 0, 54, [28, 66, 34], 32)],
  ["fur", box(0, -36, 78, [14, 17, 38], 32)], ["fur", box(0, -48, 104, [14, 30, 17], 32)], ["bark", box(-8, -40, 120, [3, 3, 22])], ["bark", box(8, -40, 120, [3, 3, 22])]]);
actor("animal_fish01", [["fish", box(0, -2, 4, [9, 22, 13])], ["fish", box(0, -16, 6, [6, 6, 8])], ["fish", box(0, 14, 5, [3, 12, 13])]]);
actor("lifeforce_1", [["gem", lathe([[0, 0, 0, 0], [0, 0, 14, 12], [0, 0, 30, 0]], 6, 1)]]);
actor("health_small01", [["cross", box(0, 0, 0, [24, 24, 24])], ["metal", box(0, 0, 24, [10, 4, 6])]]);
actor("ammo_shells01", [["shells", box(-6, 0, 0, [10, 22, 20])], ["shells", box(6, 0, 0, [10, 22, 20])]]);
actor("ammo_clip01", [["metal", box(0, 0, 0, [10, 24, 16])], ["gold", box(0, -2, 16, [6, 16, 4])]]);
for (const [i, gem] of ["gold", "gem"].entries())
  actor(`misc_key0${i + 1}`, [["gold", lathe([[0, 0, 0, 18], [0, 0, 8, 18], [0, 0, 9, 0]], 8, 1)], ["gold", box(0, 0, 9, [8, 8, 34])], [gem, lathe([[0, 0, 36, 0], [0, 0, 48, 14], [0, 0, 60, 0]], 6, 1)]]);
actor("gate_panel", [["ruin", box(0, 0, 0, [34, 18, 46], 32)], ["carving", box(0, 0, 46, [40, 20, 24])]]);
actor("gate_door", [["wood", box(0, 0, 0, [170, 14, 190], 64)], ...[20, 90, 160].map(z => ["metal", box(0, 0, z, [180, 22, 14], 64)])]);
actor("portal01", [["ruin", box(-38, 0, 0, [14, 90, 140], 64)], ["ruin", box(38, 0, 0, [14, 90, 140], 64)], ["carving", box(0, 0, 140, [90, 90, 20])], ["glow", box(0, 0, 2, [62, 6, 136])]]);
actor("lift01", [["metal", box(0, 0, 0, [120, 120, 22], 32)], ...[[-54, -54], [54, -54], [-54, 54], [54, 54]].map(([x, y]) => ["gold", box(x, y, 22, [12, 12, 8])])]);
actor("lever01", [["ruin", box(0, 0, 0, [20, 20, 10], 32)], ["metal", box(0, 4, 10, [4, 4, 24])], ["gold", lathe([[0, 4, 32, 0], [0, 4, 36, 5], [0, 4, 40, 0]], 6, 1)]]);
actor("bridge_log", [["bark", box(0, 0, 0, [30, 160, 26], 64)], ["moss", box(0, 0, 26, [24, 150, 4], 64)]]);
actor("turret01", [["metal", lathe([[0, 0, 0, 30], [0, 0, 30, 22], [0, 0, 44, 22]], 8, 3)], ["metal", box(0, 0, 44, [40, 40, 30], 32)], ["metal", box(0, -34, 54, [10, 30, 10], 32)], ["gem", box(0, -21, 70, [14, 3, 5])]]);
actor("pressure_plate02", [["ruin", box(0, 0, 0, [60, 60, 5], 32)], ["carving", box(0, 0, 5, [46, 46, 3])]]);
actor("water_waves", [["water", box(0, 0, 0, [300, 300, 1.5], 64)]]);
