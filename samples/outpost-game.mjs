// SPDX-License-Identifier: MIT
// Makes samples/outpost-game/, a small root of a game for samples/outpost.json and samples/foundry.json: their materials,
// textures and models, as JSON: node samples/outpost-game.mjs samples/outpost-game. Each file has the name of the one that it
// becomes, and .json. Everything in it is made here.
import {SIDE, edge, noise, pixels, randomFrom, shade, texture, writerOf} from "./textures.mjs";

const random = randomFrom(11), write = writerOf(process.argv[2] ?? "samples/outpost-game");

// ---- patterns: colour and height at each pixel ------------------------------------------------------------

const coarse = noise(6, random), fine = noise(24, random);
const dirt = (x, y) => 0.75 + 0.3 * coarse(x, y) * (0.6 + 0.4 * fine(x, y));
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
  plate(x, y) {
    const seam = edge(x, y, 64, 64) < 1, u = (x + y) % 16, v = (x - y + 64) % 16;
    const stud = (x + y >> 4) + (x - y + 64 >> 4) & 1 ? Math.abs(u - 8) < 2 && Math.abs(v - 8) < 5
                                                      : Math.abs(v - 8) < 2 && Math.abs(u - 8) < 5;
    return {color: shade([104, 104, 106], dirt(x, y) * (seam ? 0.3 : stud ? 1.25 : 0.9)), height: seam ? 0 : stud ? 1 : 0.5};
  },
  panel(x, y) {
    const low = y > 47, rib = !low && x % 16 < 3, seam = edge(x, y, 32, 64) < 1 || y === 47, strip = y > 5 && y < 9 && x % 32 > 5 && x % 32 < 26;
    const color = low ? [86, 78, 70] : strip ? [178, 164, 128] : rib ? [132, 124, 112] : [112, 106, 98];
    return {color: shade(color, dirt(x, y) * (seam ? 0.35 : 1)), height: seam ? 0 : rib ? 0.9 : low ? 0.7 : 0.5};
  },
  dark(x, y) {
    const seam = edge(x, y, 32, 16) < 1;
    return {color: shade([66, 68, 74], dirt(x, y) * (seam ? 0.4 : 1)), height: seam ? 0 : 0.6};
  },
  coolant(x, y) {
    const wave = Math.abs(coarse(x, y) - 0.5) + 0.5 * Math.abs(fine(x, y) - 0.5), bright = Math.max(0, 1 - 4 * wave);
    return {color: shade([24, 120, 138], 0.5 + bright), height: 0.5 + 0.3 * bright, glow: 0.35 + 0.4 * bright};
  },
  metal(x, y) {
    const seam = edge(x, y, 32, 32) < 1;
    return {color: shade([124, 128, 134], dirt(x, y) * (seam ? 0.5 : 1)), height: seam ? 0.2 : 0.6};
  },
  copper(x, y) {
    const ring = x % 32 < 4;
    return {color: shade(ring ? [96, 92, 88] : [168, 104, 66], dirt(x, y)), height: ring ? 0.9 : 0.5};
  },
  lamp(x, y) {
    const pane = edge(x, y, 64, 64) > 7;
    return {color: pane ? [255, 240, 210] : shade([90, 92, 96], dirt(x, y)), height: 0.5, glow: pane ? 0.9 : 0};
  },
  screen(x, y) {
    const rim = edge(x, y, 64, 64) < 4, text = y % 8 > 2 && y % 8 < 6 && x > 7 && x < 12 + (y * 7919 >> 3) % 34 && y < 40;
    const graph = y > 42 && y < 58 && x > 7 && x < 56 && y > 58 - 14 * coarse(x, 20);
    const color = rim ? [52, 54, 60] : text ? [120, 230, 255] : graph ? [255, 170, 70] : [10, 46, 62];
    return {color, height: rim ? 0.8 : 0.5, glow: rim ? 0 : text || graph ? 0.9 : 0.6};
  },
  orange(x, y) {
    return container(x, y, [206, 104, 40]);
  },
  blue(x, y) {
    return container(x, y, [58, 100, 158]);
  },
  hot(x, y) {
    const rib = x % 16 < 4, seam = y % 32 < 3, heat = 0.55 + 0.45 * coarse(x, y);
    const color = rib || seam ? [70, 64, 60] : [255 * heat, 150 * heat * heat, 40 * heat];
    return {color, height: rib || seam ? 0.9 : 0.4, glow: rib || seam ? 0 : 0.9};
  },
  live(x, y) {
    const cell = y % 16 > 3 && y % 16 < 12 && x % 32 > 4 && x % 32 < 28;
    return {color: cell ? [120, 255, 96] : shade([74, 80, 78], dirt(x, y)), height: cell ? 0.3 : 0.6, glow: cell ? 0.8 : 0};
  },
  grate(x, y) {
    const rim = edge(x, y, 64, 64) < 3, bar = x % 8 < 3 || y % 16 < 3;
    return {color: shade([126, 122, 112], dirt(x, y) * (bar || rim ? 1 : 0.3)), height: 0.5, solid: rim || bar};
  },
};
function container(x, y, color) {
  const rim = y < 6 || y > 57, ridge = !rim && x % 8 < 4;
  return {color: shade(color, dirt(x, y) * (rim ? 0.7 : ridge ? 1.1 : 0.8)), height: rim ? 0.8 : ridge ? 0.9 : 0.4};
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
  texture(write, `${path}.dds`, pixels((x, y) => of(x, y).color));
  texture(write, `${path}_normal.dds`, normals(of));
  if (shader.endsWith("emissive")) {
    values.push(["emissiveMap", `${path}_emissive.dds`]);
    texture(write, `${path}_emissive.dds`, pixels((x, y) => shade(of(x, y).color, of(x, y).glow ?? 0)));
  }
  if (shader.endsWith("alpha")) {
    values.push(["opacityMap", `${path}_opacity.dds`]);
    texture(write, `${path}_opacity.dds`, pixels((x, y) => of(x, y).solid ? [255, 255, 255] : [0, 0, 0]));
  }
  write(`${path}.material`, {$format: "spark-material", values: values.map(([name, value]) => ({name, value}))});
}
for (const name of ["floor", "ceiling", "wall", "trim"]) material("materials/outpost", name, "Level");
material("models/props/generic", "crate", "Model");
material("models/props/generic", "barrel", "Model_emissive");
for (const name of ["plate", "panel", "dark"]) material("materials/outpost", name, "Level");
material("materials/outpost", "coolant", "Level_emissive");
for (const name of ["metal", "copper", "orange", "blue"]) material("models/props/outpost", name, "Model");
for (const name of ["lamp", "screen", "hot", "live"]) material("models/props/outpost", name, "Model_emissive");
material("models/props/outpost", "grate", "Model_alpha");

// ---- models -------------------------------------------------------------------------------------------------

// `sets` are the numbers of triangles of each material.
function model(name, materials, corners, triangles, sets = [triangles.length]) {
  const low = [0, 1, 2].map(k => Math.min(...corners.map(c => c.position[k])));
  const high = [0, 1, 2].map(k => Math.max(...corners.map(c => c.position[k])));
  const none = Array.from({length: 4}, () => ({weight: 0, index: 0}));
  write(`${name}.model`, {
    $format: "spark-model", version: 7,
    vertices: corners.map(({position, normal, tangent, binormal, uv}) =>
      ({position, normal, tangent, binormal, uv, color: [255, 255, 255, 255], bones: none})),
    indices: triangles.flat(),
    face_sets: sets.map((face_count, i) =>
      ({material: i, first_face: sets.slice(0, i).reduce((a, b) => a + b, 0), face_count, palette: []})), bones: [], materials,
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

// ---- models of several parts --------------------------------------------------------------------------------

// Parts are boxes [material, low corner, high corner], which show their texture once a metre or `fit` it, and tubes
// [material, "x" or "y", middle, radius, length].
const round = v => Math.round(v * 1e4) / 1e4;
function assembly(name, parts) {
  const used = [...new Set(parts.map(([material]) => material))], corners = [], triangles = [], sets = [];
  for (const material of used) {
    const before = triangles.length;
    for (const [of, ...shape] of parts)
      if (of === material) (typeof shape[0] === "string" ? tube : box)(corners, triangles, ...shape);
    sets.push(triangles.length - before);
  }
  for (const c of corners)
    for (const key of ["position", "normal", "tangent", "binormal", "uv"]) c[key] = c[key].map(round);
  const path = material => material === "trim" ? "materials/outpost/trim" : `models/props/outpost/${material}`;
  model(`models/props/outpost/${name}`, used.map(material => `${path(material)}.material`), corners, triangles, sets);
}
function box(corners, triangles, [x0, y0, z0], [x1, y1, z1], fit = false) {
  const [w, h, d] = [x1 - x0, y1 - y0, z1 - z0];
  const put = (from, u, v, across, down) => {
    const first = corners.length;
    side(corners, triangles, from, u, v);
    for (const c of corners.slice(first)) c.uv = fit ? c.uv : [c.uv[0] * across, c.uv[1] * down];
  };
  put([x0, y1, z1], [w, 0, 0], [0, -h, 0], w, h);
  put([x1, y1, z1], [0, 0, -d], [0, -h, 0], d, h);
  put([x1, y1, z0], [-w, 0, 0], [0, -h, 0], w, h);
  put([x0, y1, z0], [0, 0, d], [0, -h, 0], d, h);
  put([x0, y1, z0], [w, 0, 0], [0, 0, d], w, d);
  if (y0 > 0) put([x0, y0, z1], [w, 0, 0], [0, 0, -d], w, d);
}
function tube(corners, triangles, axis, [cx, cy, cz], radius, length, repeats = 2) {
  const SIDES = 12, first = corners.length;
  // along, and two across, right-handed: across, along x across
  const [a, b, c] = axis === "y" ? [[0, 1, 0], [0, 0, 1], [1, 0, 0]] : [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const circle = i => [Math.cos(i / SIDES * 2 * Math.PI), Math.sin(i / SIDES * 2 * Math.PI)];
  const rim = (i, t) => {
    const [s, r] = circle(i);
    return [0, 1, 2].map(k => [cx, cy, cz][k] + a[k] * t + (b[k] * s + c[k] * r) * radius);
  };
  for (let i = 0; i <= SIDES; i++) {
    const [s, r] = circle(i), normal = [0, 1, 2].map(k => b[k] * s + c[k] * r);
    for (const t of [length / 2, -length / 2])
      corners.push({position: rim(i, t), normal, tangent: [0, 1, 2].map(k => c[k] * s - b[k] * r), binormal: a.map(v => -v),
                    uv: [repeats * i / SIDES, t > 0 ? 0 : length / 2]});
  }
  for (let i = 0; i < SIDES; i++) {
    const p = first + 2 * i;
    triangles.push([p, p + 1, p + 3], [p, p + 3, p + 2]);
  }
  for (const t of [length / 2, -length / 2]) {
    const start = corners.length, up = Math.sign(t);
    for (let i = 0; i < SIDES; i++) {
      const [s, r] = circle(i);
      corners.push({position: rim(i, t), normal: a.map(v => v * up), tangent: b, binormal: c.map(v => v * up),
                    uv: [0.5 + s * radius / 2, 0.5 + r * radius / 2]});
    }
    for (let i = 1; i + 1 < SIDES; i++)
      triangles.push(up > 0 ? [start, start + i, start + i + 1] : [start, start + i + 1, start + i]);
  }
}
assembly("lamp_01", [["metal", [-0.35, -0.16, 0], [0.35, 0.16, 0.1]], ["lamp", [-0.28, -0.1, 0.1], [0.28, 0.1, 0.2], true]]);
assembly("pillar_01", [["metal", [-0.45, 0.5, -0.45], [0.45, 5.5, 0.45]], ["trim", [-0.6, 0, -0.6], [0.6, 0.5, 0.6], true],
                       ["metal", [-0.7, 5.5, -0.7], [0.7, 6, 0.7]], ["lamp", [-0.5, 3.2, -0.5], [0.5, 3.45, 0.5], true]]);
assembly("pipe_01", [["copper", "x", [0, 0, 0], 0.22, 4, 1], ["metal", "x", [-1.9, 0, 0], 0.32, 0.2, 1]]);
assembly("railing_01", [["metal", [-1.5, 0.95, -0.05], [1.5, 1.05, 0.05]], ["metal", [-1.5, 0.5, -0.03], [1.5, 0.56, 0.03]],
                        ...[-1.45, 0, 1.45].map(x => ["metal", [x - 0.05, 0, -0.05], [x + 0.05, 0.95, 0.05]])]);
assembly("walkway_01", [["grate", [-0.9, -0.1, -1.3], [0.9, 0, 1.3]], ...[-0.9, 0.84].flatMap(x =>
  [["metal", [x, 0.9, -1.3], [x + 0.06, 0.98, 1.3]], ...[-1.3, 1.2].map(z => ["metal", [x, 0, z], [x + 0.06, 0.9, z + 0.1]])])]);
assembly("furnace_01", [["trim", "y", [0, 0.5, 0], 2.3, 1, 12], ["metal", "y", [0, 1.3, 0], 2, 0.6, 12], ["hot", "y", [0, 3.2, 0], 1.6, 3.2, 6],
                        ["metal", "y", [0, 3.2, 0], 1.75, 0.3, 10], ["metal", "y", [0, 5.1, 0], 2, 0.6, 12], ["metal", "y", [0, 6.2, 0], 0.8, 1.6, 4],
                        ...[[1, 0], [-1, 0], [0, 1], [0, -1]].map(([x, z]) =>
                          ["metal", [x * 1.9 - 0.2, 0, z * 1.9 - 0.2], [x * 1.9 + 0.2, 5.4, z * 1.9 + 0.2]])]);
assembly("tank_01", [["metal", "y", [0, 1.4, 0], 0.8, 2.2, 5], ["trim", "y", [0, 1.2, 0], 0.82, 0.5, 4], ["metal", "y", [0, 2.6, 0], 0.5, 0.2, 4],
                     ["copper", "y", [0, 2.9, 0], 0.12, 0.4, 1], ...[[0.5, 0.5], [-0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]].map(([x, z]) =>
                       ["metal", [x - 0.1, 0, z - 0.1], [x + 0.1, 0.4, z + 0.1]])]);
assembly("console_01", [["metal", [-0.9, 0, -0.4], [0.9, 0.85, 0.4]], ["screen", [-0.8, 0.85, -0.35], [0.8, 1.75, -0.2], true],
                        ["live", [-0.7, 0.85, 0], [0.7, 0.92, 0.3], true], ["metal", [-0.9, 0.85, -0.45], [0.9, 1.85, -0.35]]]);
assembly("table_01", [["metal", "y", [0, 0.35, 0], 0.7, 0.7, 4], ["metal", "y", [0, 0.8, 0], 1.5, 0.2, 8], ["screen", [-0.9, 0.9, -0.9], [0.9, 0.96, 0.9], true]]);
for (const [i, color] of ["orange", "blue"].entries())
  assembly(`container_0${i + 1}`, [[color, [-1.15, 0.1, -1.9], [1.15, 2.3, 1.9]], ...[-1.2, 1].flatMap(x => [-2, 1.8].map(z =>
    ["metal", [x, 0, z], [x + 0.2, 2.4, z + 0.2]]))]);
assembly("generator_01", [["metal", [-1.4, 0, -1.2], [1.4, 0.5, 1.2]], ["trim", [-1.45, 0.5, -1.25], [1.45, 0.7, 1.25]], ["live", "x", [0, 1.55, 0], 0.85, 1.8, 4],
                          ["metal", "x", [1.1, 1.55, 0], 1.05, 0.4, 6], ["metal", "x", [-1.1, 1.55, 0], 1.05, 0.4, 6], ["copper", "y", [-0.6, 2.7, 0], 0.2, 1, 1]]);
