// SPDX-License-Identifier: MIT
// Makes samples/outpost.json, the sample level: node samples/outpost.mjs > samples/outpost.json
// Zones are boxes with a floor and a ceiling; walls stand wherever two zones differ or nothing is beside one.

const zones = [
  // name, x0, z0, x1, z1, floor, ceiling
  ["Hub", 0, 0, 16, 16, 0, 6],
  ["North passage", 6, 16, 10, 24, 0, 3.5],
  ["Laboratory", 2, 24, 11, 38, 0, 5],
  ["Laboratory step", 11, 24, 12, 38, 0.6, 5],
  ["Laboratory gallery", 12, 24, 20, 38, 1.2, 5],
  ["East passage", 16, 6, 20, 10, 0, 4],
  ...[0, 1, 2, 3, 4].map(i => ["Stairs", 20 + i, 6, 21 + i, 10, 0.4 * (i + 1), 4 + 0.4 * (i + 1)]),
  ["Hangar", 25, 0, 31, 18, 2, 11],
  ["Hangar", 31, 0, 41, 5, 2, 11],
  ["Hangar pit", 31, 5, 41, 13, 0.5, 11],
  ["Hangar", 31, 13, 41, 18, 2, 11],
  ["Hangar", 41, 0, 47, 18, 2, 11],
  ["Vent", 20, 33, 36, 35, 2, 3.4],
  ["Vent", 34, 18, 36, 33, 2, 3.4],
  ["South passage", 6, -4, 10, 0, 0, 3.5],
  ...[0, 1, 2, 3].map(i => ["Stairs", 6, -5 - i, 10, -4 - i, -0.5 * (i + 1), 3.5 - 0.5 * (i + 1)]),
  ["Reactor", -4, -28, 5, -8, -2, 6],
  ["Reactor", 5, -28, 11, -21, -2, 6],
  ["Reactor core", 5, -21, 11, -15, 1.5, 6],
  ["Reactor", 5, -15, 11, -8, -2, 6],
  ["Reactor", 11, -28, 20, -8, -2, 6],
  ["Airlock", -8, 4, 0, 12, 0, 4],
  ["Overlook", -20, 0, -8, 16, 0.3, 8],
].map(([name, x0, z0, x1, z1, floor, ceiling]) => ({name, x0, z0, x1, z1, floor, ceiling}));

const materials = ["materials/outpost/floor.material", "materials/outpost/ceiling.material",
                   "materials/outpost/wall.material", "materials/outpost/trim.material"];
const [FLOOR, CEILING, WALL, TRIM] = [0, 1, 2, 3];

// ---- polygons ---------------------------------------------------------------------------------------

const polygons = []; // {points, material, ceiling}
for (const z of zones) {
  polygons.push({points: [[z.x0, z.floor, z.z0], [z.x0, z.floor, z.z1], [z.x1, z.floor, z.z1], [z.x1, z.floor, z.z0]],
                 material: FLOOR});
  polygons.push({points: [[z.x0, z.ceiling, z.z0], [z.x1, z.ceiling, z.z0], [z.x1, z.ceiling, z.z1],
                          [z.x0, z.ceiling, z.z1]],
                 material: CEILING, ceiling: true});
}
// Each side of a zone, cut where the neighbour changes. `a` to `b` runs so that the zone is on the left.
function sides(z) {
  return [
    {from: [z.x0, z.z0], to: [z.x1, z.z0], beside: o => o.z1 === z.z0, range: o => [o.x0, o.x1], axis: 0},
    {from: [z.x1, z.z0], to: [z.x1, z.z1], beside: o => o.x0 === z.x1, range: o => [o.z0, o.z1], axis: 1},
    {from: [z.x1, z.z1], to: [z.x0, z.z1], beside: o => o.z0 === z.z1, range: o => [o.x0, o.x1], axis: 0},
    {from: [z.x0, z.z1], to: [z.x0, z.z0], beside: o => o.x1 === z.x0, range: o => [o.z0, o.z1], axis: 1},
  ];
}
function wall(a, b, low, high, material) {
  if (high - low < 1e-6) return;
  polygons.push({points: [[b[0], low, b[1]], [a[0], low, a[1]], [a[0], high, a[1]], [b[0], high, b[1]]].reverse(),
                 material});
}
for (const z of zones) {
  for (const side of sides(z)) {
    const others = zones.filter(o => o !== z && side.beside(o));
    const begin = side.from[side.axis], end = side.to[side.axis];
    const inside = v => (v - begin) * (v - end) < 0;
    const cuts = [...new Set([begin, end, ...others.flatMap(side.range).filter(inside)])]
      .sort((p, q) => (p - q) * Math.sign(end - begin));
    for (let i = 0; i + 1 < cuts.length; i++) {
      const middle = (cuts[i] + cuts[i + 1]) / 2;
      const other = others.find(o => side.range(o)[0] < middle && middle < side.range(o)[1]);
      const at = v => side.axis === 0 ? [v, side.from[1]] : [side.from[0], v];
      const [a, b] = [at(cuts[i]), at(cuts[i + 1])];
      if (!other || other.floor >= z.ceiling || other.ceiling <= z.floor) {
        wall(a, b, z.floor, z.ceiling, WALL);
        continue;
      }
      wall(a, b, z.floor, Math.max(z.floor, other.floor), TRIM);
      wall(a, b, Math.min(z.ceiling, other.ceiling), z.ceiling, WALL);
    }
  }
}

// ---- vertices, edges, faces -------------------------------------------------------------------------

const key = p => p.map(v => Math.round(v * 1000)).join(",");
const vertices = [], vertexIndex = new Map();
function vertex(p) {
  if (!vertexIndex.has(key(p))) {
    vertexIndex.set(key(p), vertices.length);
    vertices.push(p);
  }
  return vertexIndex.get(key(p));
}
polygons.forEach(p => p.points.forEach(vertex));
// Where a corner of one polygon lies on the side of another, that side gets the corner too.
function between(a, b, p) {
  const d = [0, 1, 2].filter(k => Math.abs(a[k] - b[k]) > 1e-6);
  return d.length === 1 && [0, 1, 2].every(k => d[0] === k || Math.abs(a[k] - p[k]) < 1e-6) &&
    (p[d[0]] - a[d[0]]) * (p[d[0]] - b[d[0]]) < -1e-9;
}
for (const p of polygons) {
  const loop = [];
  p.points.forEach((a, i) => {
    const b = p.points[(i + 1) % p.points.length];
    const distance = q => Math.hypot(q[0] - a[0], q[1] - a[1], q[2] - a[2]);
    loop.push(a, ...vertices.filter(q => between(a, b, q)).sort((q, r) => distance(q) - distance(r)));
  });
  p.loop = loop.map(vertex);
}
const edges = [], edgeIndex = new Map();
function directedEdge(a, b) {
  if (edgeIndex.has(`${b},${a}`)) return {flipped: true, edge: edgeIndex.get(`${b},${a}`)};
  if (!edgeIndex.has(`${a},${b}`)) {
    edgeIndex.set(`${a},${b}`, edges.length);
    edges.push({vertices: [a, b], smooth: 0});
  }
  return {flipped: false, edge: edgeIndex.get(`${a},${b}`)};
}
// The polygons are boxes seen in their plane: clip ears, passing over corners on straight sides.
function triangulate(loop) {
  const points = loop.slice(), triangles = [];
  const cross = (a, b, c) => {
    const [p, q, r] = [a, b, c].map(i => vertices[i]);
    const u = [0, 1, 2].map(k => q[k] - p[k]), v = [0, 1, 2].map(k => r[k] - q[k]);
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  };
  const size = v => Math.hypot(...v);
  const area = loop => size(loop.slice(2).map((c, i) => cross(loop[0], loop[i + 1], c))
    .reduce((sum, v) => sum.map((x, k) => x + v[k]), [0, 0, 0]));
  while (points.length > 3) {
    const n = points.length;
    // all corners are convex or flat: take the largest ear that leaves something
    let best = -1, largest = 1e-9;
    for (let i = 0; i < n; i++) {
      const ear = size(cross(points[(i + n - 1) % n], points[i], points[(i + 1) % n]));
      if (ear > largest && area(points.filter((_, k) => k !== i)) > 1e-9) [best, largest] = [i, ear];
    }
    triangles.push([points[(best + n - 1) % n], points[best], points[(best + 1) % n]]);
    points.splice(best, 1);
  }
  triangles.push(points);
  return triangles;
}
const faces = polygons.map(p => ({
  angle: 0, offset: [0, 0], scale: [0.5, 0.5], mapping_group: "none", material: p.material,
  loops: [p.loop.map((a, i) => directedEdge(a, p.loop[(i + 1) % p.loop.length]))],
}));
const triangles = polygons.map(p => triangulate(p.loop).map(t => ({vertices: t, normals: [0, 0, 0]})));

// ---- entities ---------------------------------------------------------------------------------------

const property = (name, type, value) => ({name, type, animated: false, value: [value].flat()});
const layerWords = bit => [0, 1, 2, 3, 4, 5, 6, 7].map(i => i === bit >> 5 ? 2 ** (bit & 31) : 0);
function entity(class_name, layer, origin, angles, ...properties) {
  return {has_layers: true, layer_masks: layerWords(layer), group: "none", class_name,
          properties: [property("origin", "distance", origin), property("angles", "angle", angles), ...properties],
          extras: []};
}
const [PROPS, LIGHTS, GAME] = [0, 1, 2];
const text = (name, value) => property(name, "string", value);
const light = (x, y, z, color, distance, intensity) => entity("light_point", LIGHTS, [x, y, z], [0, 0, 0],
  property("color", "color", color), property("distance", "distance", distance),
  property("intensity", "real", intensity), property("casts_shadows", "bool", true));
const crate = (x, y, z, yaw) => entity("prop_static", PROPS, [x, y, z], [0, 0, yaw],
  property("scale", "real", [1, 1, 1]), property("model", "file_name", "models/props/generic/crate_01.model"));
const barrel = (x, y, z) => entity("prop_static", PROPS, [x, y, z], [0, 0, 0],
  property("scale", "real", [1, 1, 1]), property("model", "file_name", "models/props/generic/barrel_01.model"));
const place = (name, x, y, z, sx, sy, sz) => entity("location", GAME, [x, y, z], [0, 0, 0],
  property("scale", "real", [sx, sy, sz]), text("name", name), property("showOnMinimap", "bool", true));
const objects = [
  ...[[3, 3], [3, 13], [13, 3]].map(([x, z]) => entity("ready_room_start", GAME, [x, 0.1, z], [0, 0, 0.8])),
  entity("ns2_gamerules", GAME, [8, 1, 8], [0, 0, 0]),
  entity("tech_point", GAME, [8, 0, 8], [0, 0, 0], property("teamNumber", "choice", 1)),
  entity("tech_point", GAME, [44, 2, 9], [0, 0, 1.5707964], property("teamNumber", "choice", 2)),
  entity("resource_point", GAME, [6, 0, 34], [0, 0, 0]),
  entity("resource_point", GAME, [36, 0.5, 9], [0, 0, 0]),
  entity("resource_point", GAME, [-14, 0.3, 8], [0, 0, 0]),
  entity("power_point", GAME, [15.7, 1.5, 2], [0, 0, -1.5707964]),
  entity("power_point", GAME, [26, 3.5, 17.7], [0, 0, 3.1415927]),
  entity("minimap_extents", GAME, [13.5, 4, 5], [0, 0, 0], property("scale", "real", [140, 30, 140])),
  place("Hub", 8, 3, 8, 16, 6, 16), place("Laboratory", 11, 2.5, 31, 18, 5, 14), place("Hangar", 36, 6, 9, 22, 10, 18),
  place("Reactor", 8, 2, -18, 24, 8, 20), place("Overlook", -14, 4, 8, 12, 8, 16),
  light(8, 5.4, 8, [1, 0.95, 0.85], 20, 6), light(8, 3, 20, [0.7, 0.85, 1], 10, 3),
  light(7, 4.5, 31, [0.7, 0.9, 1], 16, 5), light(16, 4.5, 31, [0.7, 0.9, 1], 14, 4),
  light(36, 10, 9, [1, 0.9, 0.7], 30, 9), light(8, 5.5, -18, [0.4, 1, 0.6], 24, 8), light(-14, 7, 8, [1, 0.8, 0.6], 18, 5),
  entity("light_spot", LIGHTS, [36, 10.8, 9], [0, 1.5707964, 0], property("color", "color", [1, 0.85, 0.6]),
         property("distance", "distance", 16), property("intensity", "real", 12),
         property("innerAngle", "angle", 0.6), property("outerAngle", "angle", 1.1)),
  entity("light_ambient", LIGHTS, [8, 3, 8], [0, 0, 0], property("color", "color", [0.2, 0.22, 0.25]),
         property("distance", "distance", 120), property("intensity", "real", 1)),
  crate(28, 2, 3, 0.2), crate(28.6, 2, 4.4, 0.9), crate(30, 2, 15, 0), crate(44, 2, 16, 0.4), crate(42.4, 2, 16.4, 0),
  crate(3, 0, 26, 0.1), crate(4.4, 0, 26, 0), crate(-18, 0.3, 2, 0.3), crate(1.4, 0, 14.6, 0),
  barrel(14.6, -2, -10), barrel(15.6, -2, -10.6), barrel(-2, -2, -26), barrel(-1, -2, -26.4), barrel(18.6, -2, -26),
  entity("func_door", GAME, [-0.1, 0, 8], [0, 0, 1.5707964], text("name", "airlock_door"),
         property("startsOpen", "bool", false)),
  entity("logic_button", GAME, [1, 1.2, 3], [0, 0, 0], text("name", "airlock_button"), text("output1", "airlock_door"),
         property("enabled", "bool", true)),
];

// ---- the level --------------------------------------------------------------------------------------

const ceilings = polygons.map((p, i) => p.ceiling ? i : -1).filter(i => i >= 0);
const layer = (name, id) => ({name, visible: true, color: [255, 255, 255, 255], id});
const viewports = `<?xml version="1.0" encoding="UTF-8"?>
<viewports>
  <viewport>
    <render_mode>textured</render_mode>
    <view>perspective</view>
  </viewport>
</viewports>
`;
const level = {
  $format: "ns2-level", version: 10,
  mesh: {
    materials, vertices: vertices.map(p => ({position: p, smooth: 0})), edges, faces,
    face_layers: {format: 2, faces: faces.map(() => ({has_layers: false}))},
    mapping_groups: [],
    geometry_groups: {vertex_groups: [], edge_groups: [], face_groups: [{id: 1, indices: ceilings}]},
    triangles: {ghost_vertices: [], smoothed_normals: [],
                triangle_count: triangles.reduce((n, t) => n + t.length, 0), faces: triangles},
  },
  objects,
  layers: [layer("Props", PROPS), layer("Lights", LIGHTS), layer("Game", GAME)],
  groups: [{name: "CommanderInvisible", visible: true, color: [80, 160, 255, 255], id: 1}],
  viewports,
};
// one line for what is short, so that the file stays readable
function show(value, indent = "") {
  const flat = JSON.stringify(value);
  if (flat.length < 100 || typeof value !== "object") return flat.replaceAll(/([,:])(?=["\[{\dtfn-])/g, "$1 ");
  const inner = indent + " ";
  if (Array.isArray(value)) return `[\n${value.map(v => inner + show(v, inner)).join(",\n")}\n${indent}]`;
  return `{\n${Object.entries(value).map(([k, v]) => `${inner}"${k}": ${show(v, inner)}`).join(",\n")}\n${indent}}`;
}
console.log(show(level));
