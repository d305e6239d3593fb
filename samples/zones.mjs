// SPDX-License-Identifier: MIT
// Levels made of zones: boxes with a floor and a ceiling; walls stand wherever two zones differ or nothing is beside
// one. A zone's `look` are the numbers of the materials of its floor, ceiling, walls, and of steps.

export const zonesOf = rows => rows.map(([name, x0, z0, x1, z1, floor, ceiling, look = [0, 1, 2, 3]]) =>
  ({name, x0, z0, x1, z1, floor, ceiling, look}));

// ---- entities ---------------------------------------------------------------------------------------

export const property = (name, type, value) => ({name, type, animated: false, value: [value].flat()});
const layerWords = bit => [0, 1, 2, 3, 4, 5, 6, 7].map(i => i === bit >> 5 ? 2 ** (bit & 31) : 0);
export function entity(class_name, layer, origin, angles, ...properties) {
  return {has_layers: true, layer_masks: layerWords(layer), group: "none", class_name,
          properties: [property("origin", "distance", origin), property("angles", "angle", angles), ...properties],
          extras: []};
}
export const [PROPS, LIGHTS, GAME] = [0, 1, 2];
export const text = (name, value) => property(name, "string", value);
export const light = (x, y, z, color, distance, intensity) => entity("light_point", LIGHTS, [x, y, z], [0, 0, 0],
  property("color", "color", color), property("distance", "distance", distance),
  property("intensity", "real", intensity), property("casts_shadows", "bool", true));
export const place = (name, x, y, z, sx, sy, sz) => entity("location", GAME, [x, y, z], [0, 0, 0],
  property("scale", "real", [sx, sy, sz]), text("name", name), property("showOnMinimap", "bool", true));
export const prop = (model, x, y, z, yaw = 0, scale = 1) => entity("prop_static", PROPS, [x, y, z], [0, 0, yaw],
  property("scale", "real", [scale, scale, scale]), property("model", "file_name", `models/props/${model}.model`));

// ---- the level ---------------------------------------------------------------------------------------

// one line for what is short, so that the file stays readable
function show(value, indent = "") {
  const flat = JSON.stringify(value);
  if (flat.length < 100 || typeof value !== "object") return flat.replaceAll(/([,:])(?=["\[{\dtfn-])/g, "$1 ");
  const inner = indent + " ";
  if (Array.isArray(value)) return `[\n${value.map(v => inner + show(v, inner)).join(",\n")}\n${indent}]`;
  return `{\n${Object.entries(value).map(([k, v]) => `${inner}"${k}": ${show(v, inner)}`).join(",\n")}\n${indent}}`;
}
const viewports = `<?xml version="1.0" encoding="UTF-8"?>
<viewports>
  <viewport>
    <render_mode>textured</render_mode>
    <view>perspective</view>
  </viewport>
</viewports>
`;
// Prints the level as JSON.
export function printLevel(zones, materials, objects) {
  const polygons = []; // {points, material, ceiling}
  for (const z of zones) {
    polygons.push({points: [[z.x0, z.floor, z.z0], [z.x0, z.floor, z.z1], [z.x1, z.floor, z.z1], [z.x1, z.floor, z.z0]],
                   material: z.look[0]});
    polygons.push({points: [[z.x0, z.ceiling, z.z0], [z.x1, z.ceiling, z.z0], [z.x1, z.ceiling, z.z1],
                            [z.x0, z.ceiling, z.z1]],
                   material: z.look[1], ceiling: true});
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
          wall(a, b, z.floor, z.ceiling, z.look[2]);
          continue;
        }
        wall(a, b, z.floor, Math.max(z.floor, other.floor), z.look[3]);
        wall(a, b, Math.min(z.ceiling, other.ceiling), z.ceiling, z.look[2]);
      }
    }
  }

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
  const used = [...new Set(polygons.map(p => p.material))]; // as the editor writes them, in the order of their first use
  const faces = polygons.map(p => ({
    angle: 0, offset: [0, 0], scale: [0.5, 0.5], mapping_group: "none", material: used.indexOf(p.material),
    loops: [p.loop.map((a, i) => directedEdge(a, p.loop[(i + 1) % p.loop.length]))],
  }));
  const triangles = polygons.map(p => triangulate(p.loop).map(t => ({vertices: t, normals: [0, 0, 0]})));
  const ceilings = polygons.map((p, i) => p.ceiling ? i : -1).filter(i => i >= 0);
  const layer = (name, id) => ({name, visible: true, color: [255, 255, 255, 255], id});
  const level = {
    $format: "ns2-level", version: 10,
    mesh: {
      materials: used.map(i => materials[i]), vertices: vertices.map(p => ({position: p, smooth: 0})), edges, faces,
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
  console.log(show(level));
}
