// SPDX-License-Identifier: MIT
// Makes the sample level of the Turok remaster, as JSON:
//   node samples/valley.mjs > valley.json && mapstone convert valley.json -o valley.map
// A valley is cut out of a grid of squares by a distance that is negative inside; corners near its border are
// moved onto it. Regions of the grid become areas. x is east, y is north, z is up.

// shapes count in spans of 2.5 m; the grid is a little finer
const SPAN = 96, STEP = 0.88, COLUMNS = 56, ROWS = 48, NONE = 0xFFFF;

let state = 12345;
function random() { // mulberry32
  state = state + 0x6D2B79F5 | 0;
  let t = Math.imul(state ^ state >>> 15, 1 | state);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
}
const between = (low, high) => low + random() * (high - low);
const pick = list => list[Math.floor(random() * list.length)];
const round = value => Math.round(value * 100) / 100 + 0;
const smooth = (low, high, value) => {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
};
const waves = (x, y) => Math.sin(x * 0.61 + y * 0.23) + Math.sin(x * 0.27 - y * 0.53 + 1) + 0.6 * Math.sin(x * 0.9 + y * 0.8);

// ---- shapes, in spans -------------------------------------------------------------------------------

const capsule = (x, y, ax, ay, bx, by, radius) => {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const t = length ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy) - radius;
};
const arena = (x, y) => capsule(x, y, 28, 35, 28, 35, 5.6);
const cave = (x, y) => Math.min(capsule(x, y, 6, 6, 13, 5, 4.4), capsule(x, y, 6, 6, 7, 13, 1.5));
const portal = (x, y) => capsule(x, y, 44, 34, 44, 34, 3.4);
const plateau = (x, y) => capsule(x, y, 40, 10, 42, 9, 6.6);
const inside = (x, y) => Math.min(
  capsule(x, y, 10, 20, 26, 22, 8.4), capsule(x, y, 26, 22, 40, 21, 7.6), plateau(x, y), arena(x, y), cave(x, y), portal(x, y),
  capsule(x, y, 25, 22, 28, 35, 3.4), capsule(x, y, 41, 24, 44, 34, 1.6), capsule(x, y, 22, 16, 20, 6, 3.2),
) + 0.3 * waves(x * 1.3, y * 1.3);
// the river comes from the south and leaves through the north-west
const river = (x, y) => Math.min(capsule(x, y, 20, 2, 22.5, 14, 0), capsule(x, y, 22.5, 14, 19, 21, 0), capsule(x, y, 19, 21, 12, 31, 0)) -
  0.3 * Math.sin(y * 0.7);
const lava = (x, y) => capsule(x, y, 36.5, 24.5, 38, 25, 1.6);
const pit = (x, y) => capsule(x, y, 28, 35, 28, 35, 1.4);

const WATER = -40, POOL = -92, BRIDGE = {row: 23, west: 17, east: 29, rise: 34};
function height(x, y) {
  const border = -inside(x, y), bank = river(x, y);
  let z = 14 * waves(x, y) + 150 * smooth(2.6, 0.2, border);    // rims rise
  z += 120 * smooth(1.2, -0.8, plateau(x, y));                  // a terrace with a steep edge
  z -= 130 * smooth(2.6, 0.5, bank);
  z = z * smooth(-1.5, 0.2, cave(x, y)) + (-60 + 8 * waves(x * 2, y * 2)) * (1 - smooth(-1.5, 0.2, cave(x, y)));
  z -= 60 * smooth(0.5, -2.4, capsule(x, y, 12.5, 4.6, 13, 4.6, 2));
  z -= 46 * smooth(0.8, -0.6, lava(x, y)) + 300 * smooth(0.4, -0.4, pit(x, y));
  z += 40 * smooth(2, 5, capsule(x, y, 28, 35, 28, 35, 0)) * smooth(0.5, -1, arena(x, y));
  const end = column => capsule(x, y, column * STEP, BRIDGE.row * STEP, column * STEP, (BRIDGE.row + 1) * STEP, 0.6);
  const ends = Math.min(end(BRIDGE.west), end(BRIDGE.east));
  return z + (20 - z) * smooth(1, 0, ends);                     // level ground where the bridge ends
}

// ---- areas ------------------------------------------------------------------------------------------

const flag = Object.fromEntries(["water", "block", "toggle", "cliff", "climb", "one_sided", "ceiling", "crawl", "enter_crawl",
  "hidden", "entered", "secret", "restricted", "slope_test", "death_pit", "mapped", "event", "repeatable", "teleport", "damage",
  "draw_sky", "teleport_air", "lava", "event_sound", "anti_gravity", "ladder", "checkpoint", "save_game"].map((name, i) => [name, 2 ** i]));
const OPEN = flag.draw_sky + 2 ** 30;
const areas = [];
const area = (automap_color, flags, more = {}) => areas.push({
  flags, fog_color: [96, 118, 104, 255], water_color: [26, 84, 122, 150], fog_far: 1536, water_far: 900, fog_start: 750, water_start: 120,
  water_height: 0, sky_height: 125, sky_speed: 100, blend_length: 1, arguments: [10050, 0, 10150, 10, 10000, 1024],
  floor_impact: "default", wall_impact: "stone", ambience: 1, automap_color, music: "jungle", cull_bits: 255, unknown_3e: [0, 0], ...more,
}) - 1;
const dark = {fog_color: [30, 28, 40, 255], fog_far: 900, ambience: 3, music: "caves", floor_impact: "stone"};
const A = {
  west: area("green", OPEN), east: area("green", OPEN), north: area("green", OPEN, {sky_height: 190}),
  rim: area("brown", OPEN), river: area("blue", OPEN + flag.water, {water_height: WATER, floor_impact: "water"}),
  bank: area("yellow", OPEN), bridge: area("orange", OPEN + flag.one_sided, {floor_impact: "metal"}),
  terrace: area("white", OPEN, {music: "ruins", floor_impact: "stone"}),
  stairs: area("brown", OPEN + flag.climb), cave: area("purple", flag.ceiling, dark),
  crawl: area("pink", flag.ceiling + flag.crawl + flag.enter_crawl, dark),
  pool: area("cyan", flag.ceiling + flag.water, {...dark, water_height: POOL, floor_impact: "water"}),
  lava: area("red", OPEN + flag.damage + flag.lava, {floor_impact: "lava", arguments: [10050, 0, 10150, 10, 25, 512]}),
  arena: area("pink", OPEN, {music: "boss_battle"}),
  gate: area("white", OPEN + flag.event, {arguments: [10050, 0, 10150, 310, 10000, 1024]}),
  pit: area("black", OPEN + flag.death_pit), portal: area("cyan", OPEN + flag.teleport, {arguments: [10060, 2, 10150, 10, 10000, 1024]}),
  checkpoint: area("yellow", OPEN + flag.checkpoint, {arguments: [10050, 0, 1, 10, 10000, 1024]}),
  secret: area("purple", flag.ceiling + flag.secret, dark),
};
function areaOf(x, y, z, steep) {
  if (cave(x, y) < 0.6 && y < 13.5 && x < 18)
    return y > 9.5 ? A.crawl : z < POOL - 4 ? A.pool : x < 4.5 ? A.secret : A.cave;
  if (pit(x, y) < 0.3) return A.pit;
  if (lava(x, y) < 0.3) return A.lava;
  if (z < WATER - 6 && river(x, y) < 4) return A.river;
  if (capsule(x, y, 44, 34, 44, 34, 1.9) < 0) return A.portal;
  if (capsule(x, y, 26.4, 28.5, 28.6, 28.5, 0.9) < 0) return A.gate;
  if (capsule(x, y, 33, 20, 33, 20, 1.3) < 0) return A.checkpoint;
  if (arena(x, y) < -0.4) return A.arena;
  if (plateau(x, y) < 1.3 && plateau(x, y) > -1 && steep && x < 38) return A.stairs;
  if (plateau(x, y) < -0.4) return A.terrace;
  if (inside(x, y) > -1.7) return A.rim;
  if (river(x, y) < 3 && z < 2) return A.bank;
  return y > 29 ? A.north : x < 22 ? A.west : A.east;
}

// ---- floors -----------------------------------------------------------------------------------------

const vertices = [], corners = new Map();
const vertex = (x, y, z, ceiling = 0) =>
  vertices.push({position: [x * SPAN, y * SPAN, z].map(round), ceiling: round(ceiling)}) - 1;
for (let row = 0; row <= ROWS; row++)
  for (let column = 0; column <= COLUMNS; column++) {
    let x = column * STEP, y = row * STEP, distance = inside(x, y);
    // towards the border, or a little anywhere
    const gx = (inside(x + 0.1, y) - distance) / 0.1, gy = (inside(x, y + 0.1) - distance) / 0.1;
    if (Math.abs(distance) < 0.55) {
      x -= gx * distance * 0.95;
      y -= gy * distance * 0.95;
    } else if (row < BRIDGE.row - 1 || row > BRIDGE.row + 2) {
      x += between(-0.13, 0.13);
      y += between(-0.13, 0.13);
    }
    if (distance >= 0.55) continue;
    const z = height(x, y);
    corners.set(`${column},${row}`, {x, y, z, ceiling: cave(x, y) < 2.4 && y < 16 && x < 21 ? Math.max(z, POOL) + 120 + 25 * waves(x, y) : 0});
  }
const used = key => {
  const c = corners.get(key);
  return c.index ??= vertex(c.x, c.y, c.z, c.ceiling);
};
const sectors = [], places = []; // places: middle of each sector
function normalOf(p) {
  const u = [0, 1, 2].map(k => p[1][k] - p[0][k]), v = [0, 1, 2].map(k => p[2][k] - p[0][k]);
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}
function sector(points, forced, order) {
  const p = points.map(i => vertices[i].position);
  const [x, y, z] = [0, 1, 2].map(k => (p[0][k] + p[1][k] + p[2][k]) / 3);
  const normal = normalOf(p);
  const steep = normal[2] / Math.hypot(...normal) < 0.66;
  const set = forced ?? areaOf(x / SPAN, y / SPAN, z, steep);
  const own = areas[set].flags % 65536 + (steep && set !== A.stairs && set !== A.pit ? flag.cliff : 0);
  sectors.push({sector_set: set, flags: own, vertices: points, links: [NONE, NONE, NONE], draw_order: order ?? 100 + Math.min(199, Math.max(0, 100 - Math.round(z)))});
  places.push([x, y, z]);
}
const abutment = (column, row) => row === BRIDGE.row && (column === BRIDGE.west || column === BRIDGE.east - 1);
for (let row = 0; row < ROWS; row++)
  for (let column = 0; column < COLUMNS; column++) {
    if (abutment(column, row)) continue;
    const quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([i, j]) => `${column + i},${row + j}`);
    const halves = (column + row) % 2 ? [[0, 1, 2], [0, 2, 3]] : [[0, 1, 3], [1, 2, 3]];
    for (const half of halves) {
      const three = half.map(k => corners.get(quad[k]));
      if (three.every(c => c) && normalOf(three.map(c => [c.x, c.y, c.z]))[2] > 0.02) // not those without width
        sector(half.map(k => used(quad[k])));
    }
  }
// the bridge stands over the river; its ends are the ground's corners
let before = [0, 1].map(j => used(`${BRIDGE.west},${BRIDGE.row + j}`));
for (let column = BRIDGE.west + 1; column <= BRIDGE.east; column++) {
  const arch = Math.sin(Math.PI * (column - BRIDGE.west) / (BRIDGE.east - BRIDGE.west));
  const next = [0, 1].map(j => column === BRIDGE.east ? used(`${column},${BRIDGE.row + j}`)
    : vertex(column * STEP, (BRIDGE.row + j) * STEP, 20 + BRIDGE.rise * arch));
  sector([before[0], next[0], next[1]], A.bridge, 0);
  sector([before[0], next[1], before[1]], A.bridge, 0);
  before = next;
}
// link e is over the edge between vertices e and e + 2
const edges = new Map();
sectors.forEach((s, i) => [0, 1, 2].forEach(e => {
  const key = [s.vertices[e], s.vertices[(e + 2) % 3]].sort((a, b) => a - b).join();
  edges.set(key, [...edges.get(key) ?? [], [i, e]]);
}));
for (const [a, b] of edges.values())
  if (b) {
    sectors[a[0]].links[a[1]] = b[0];
    sectors[b[0]].links[b[1]] = a[0];
  }

// ---- things -----------------------------------------------------------------------------------------

const members = set => sectors.flatMap((s, i) => s.sector_set === set && !(s.flags & flag.cliff) ? [i] : []);
function spot(index) { // somewhere in a sector
  const p = sectors[index].vertices.map(i => vertices[i].position);
  let a = between(0.1, 0.8), b = between(0.1, 0.8);
  if (a + b > 0.9) [a, b] = [0.9 - a * 0.9, 0.9 - b * 0.9].map(t => Math.max(0.05, t / 2));
  return [0, 1, 2].map(k => round(p[0][k] + a * (p[1][k] - p[0][k]) + b * (p[2][k] - p[0][k])));
}
const nearest = (x, y) => places.reduce((best, p, i) =>
  Math.hypot(p[0] / SPAN - x, p[1] / SPAN - y) < Math.hypot(places[best][0] / SPAN - x, places[best][1] / SPAN - y) ? i : best, 0);
const turned = ([wide, deep, tall], yaw) => { // box around a turned box, standing on its origin
  const x = round((Math.abs(Math.cos(yaw)) * wide + Math.abs(Math.sin(yaw)) * deep) / 2);
  const y = round((Math.abs(Math.sin(yaw)) * wide + Math.abs(Math.cos(yaw)) * deep) / 2);
  return {bounds_min: [-x, -y, 0], bounds_max: [x, y, round(tall)]};
};

const meshes = [];
function mesh(model, size, index, scale = 0.35, solid = true) {
  const yaw = between(-Math.PI, Math.PI);
  meshes.push({model: `models/${model}.bin`, record: {
    origin: spot(index), scale: [scale, scale, scale].map(round), rotation: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)].map(v => Math.round(v * 1e6) / 1e6),
    ...turned(size.map(v => v * scale / 0.35), yaw), texture: -1, flags: solid ? 1 : 0, sector: -1,
    collision_radius: solid ? round(size[0] / 3) : 0, collision_height: solid ? round(size[2]) : 0, cull_bits: -1}});
}
const scatter = (sets, count, models, size, low, high, solid) => {
  const choice = sets.flatMap(members);
  for (let i = 0; i < count; i++) mesh(pick(models), size, pick(choice), round(between(low, high)), solid);
};
scatter([A.west, A.east, A.north], 90, ["tree_palm01", "tree_jungle03", "tree_tall03"], [60, 60, 260], 0.28, 0.5, true);
scatter([A.west, A.east, A.north, A.bank], 110, ["fern01", "fern02"], [50, 44, 36], 0.25, 0.45, false);
scatter([A.rim, A.arena, A.bank], 60, ["rock03", "stone02", "boulder02"], [70, 56, 48], 0.25, 0.6, true);
scatter([A.terrace], 36, ["ruin_pillar01", "ruin_pillar03", "ruin_block03"], [42, 42, 150], 0.3, 0.45, true);
scatter([A.cave, A.secret], 24, ["stalagmite01", "stalagmite02"], [34, 30, 70], 0.25, 0.5, true);

const actors = [];
function actor(type, model, index, more = {}) {
  const yaw = round(more.yaw ?? between(-3.1, 3.1)), size = more.size ?? [68, 60, 136];
  const {size: _, animation, ...fields} = more;
  actors.push({model: model && `models/dyn_${model}.bin`, animation: animation ?? "", record: {
    type, origin: spot(index), scale: [0.5, 0.5, 0.5], yaw, sector: index,
    ...(model ? turned(size, yaw) : {bounds_min: [1e30, 1e30, 1e30], bounds_max: [-1e30, -1e30, -1e30]}),
    sight_range_squared: 513802.25, sight_fov: 2.0943952, loud_range_squared: 2359296, quiet_range_squared: 41943.04,
    attack_range_squared: 262144, fly_height: 307.2, collision_width: 25.6, collision_wall_width: 25.6, collision_height: 71.68,
    collision_dead_height: 30.72, melee_range_squared: 15099.494, leash_radius_squared: 2359296, trigger_delay: 0, species_mask: -1,
    spawn_flags_1: 1 + 8 + 2 ** 17, spawn_flags_2: 0, spawn_flags_3: 0, health: 100, tid: 100, target_tid: 0, max_regenerations: 0,
    attack_chance: 50, trigger_animation: 0, variant: 0, texture: -1, parameter_1: 0, parameter_2: 0, ...fields, yaw}});
}
const at = (type, model, x, y, more) => actor(type, model, nearest(x, y), more);
const many = (type, model, sets, count, more) => {
  const choice = sets.flatMap(members);
  for (let i = 0; i < count; i++) actor(type, model, pick(choice), typeof more === "function" ? more(i) : more);
};
at("turok", "turok", 5, 21, {yaw: -1.5, health: 100});
many("ai_raptor", "monster_raptor", [A.west, A.east], 9, {animation: "anims/raptor_anim.bin"});
many("ai_grunt", "human_grunt01", [A.east, A.terrace], 8, {animation: "anims/grunt_anim.bin", spawn_flags_1: 1 + 4 + 8});
many("ai_animal", "animals_deer01", [A.west, A.north], 6, {animation: "anims/deer_anim.bin", health: 40});
many("ai_fish", "animal_fish01", [A.river, A.pool], 7, {animation: "anims/fish_anim.bin", health: 5, size: [20, 40, 20]});
many("ai_stalker", "monster_stalker", [A.arena], 4, i => ({animation: "anims/stalker_anim.bin", tid: 310, target_tid: i ? 0 : 320}));
many("pickup_coin1", "lifeforce_1", [A.west, A.bank, A.cave], 22, {size: [24, 24, 30], health: 1});
many("pickup_smallhealth", "health_small01", [A.east, A.terrace, A.cave], 7, {size: [24, 24, 30]});
many("pickup_shells", "ammo_shells01", [A.east, A.terrace, A.arena], 6, {size: [24, 24, 20]});
many("pickup_clip", "ammo_clip01", [A.west, A.cave], 5, {size: [24, 24, 20]});
at("pickup_key1", "misc_key01", 3.4, 5.4, {tid: 201, target_tid: 301, size: [40, 40, 60]});
at("pickup_key2", "misc_key02", 43, 8, {tid: 202, target_tid: 301, size: [40, 40, 60]});
at("dynamic_gatekeypanel", "gate_panel", 24.6, 27.6, {tid: 301, target_tid: 302, size: [40, 20, 70]});
at("dynamic_door", "gate_door", 27.6, 29.6, {tid: 302, yaw: 0, size: [180, 24, 200]});
at("dynamic_portal", "portal01", 44, 34, {tid: 320, size: [90, 90, 160]});
at("dynamic_lift", "lift01", 37, 15, {tid: 330, size: [120, 120, 30]});
at("dynamic_generic", "lever01", 35, 17.4, {tid: 331, target_tid: 330, size: [20, 20, 40]});
at("dynamic_mover", "bridge_log", 19.5, 24.5, {tid: 340, size: [30, 160, 30]});
at("dynamic_generic", "lever01", 14, 23, {tid: 341, target_tid: 340, size: [20, 20, 40]});
at("ai_turret", "turret01", 36, 9, {tid: 350, size: [60, 60, 80]});
at("ai_turret", "turret01", 45, 12.6, {tid: 350, size: [60, 60, 80]});
at("dynamic_generic", "pressure_plate02", 40, 6, {tid: 351, target_tid: 350, size: [60, 60, 8]});
at("water", "water_waves", 13, 29, {size: [300, 300, 2], health: 0});

// ---- the grid of meshes -----------------------------------------------------------------------------

const [WIDTH, HEIGHT] = [7, 6];
const box = list => [0, 1].map(k => [Math.min(...list.map(m => m.record.origin[k] + m.record.bounds_min[k])),
                                     Math.max(...list.map(m => m.record.origin[k] + m.record.bounds_max[k]))]);
const lattice = box(meshes), cells = Array.from({length: WIDTH * HEIGHT}, () => []);
const pitch = [WIDTH, HEIGHT].map((n, k) => (lattice[k][1] - lattice[k][0]) / n);
for (const m of meshes) {
  const [cx, cy] = [0, 1].map(k => Math.min([WIDTH, HEIGHT][k] - 1, Math.floor((m.record.origin[k] - lattice[k][0]) / pitch[k])));
  cells[cy * WIDTH + cx].push(m);
}
const bounds = cells.map((list, i) => list.length ? box(list).map(([low, high]) => [low - 10.24, high + 10.24])
  : [i % WIDTH, Math.floor(i / WIDTH)].map((n, k) => [lattice[k][0] + n * pitch[k], lattice[k][0] + n * pitch[k]]));

// ---- the level --------------------------------------------------------------------------------------

const level = {
  $format: "turok-map", version: 1,
  world: {sun_direction: [-0.48, 0.36, 0.8], sun_color: [1, 0.94, 0.82, 1], ambient_color: [0.3, 0.32, 0.36, 1]},
  sky_material: "skies/skyMaterials/valley",
  collision: {vertices, sector_sets: areas, sectors},
  grid_bounds: {size: [WIDTH, HEIGHT], minimums: bounds.map(b => b.map(r => round(r[0]))), maximums: bounds.map(b => b.map(r => round(r[1])))},
  grid_sections: cells.map(list => list.length ? {static_meshes: list.map(m => m.record), models: list.map(m => m.model)} : {}),
  actors: {records: actors.map(a => a.record), models: actors.map(a => a.model), animations: actors.map(a => a.animation)},
};
function show(value, indent = "") { // a line for each record
  const flat = JSON.stringify(value);
  if (flat.length < 100 || indent.length > 2 || typeof value !== "object") return flat;
  const inner = indent + " ";
  if (Array.isArray(value)) return `[\n${value.map(v => inner + show(v, inner)).join(",\n")}\n${indent}]`;
  return `{\n${Object.entries(value).map(([k, v]) => `${inner}"${k}": ${show(v, inner)}`).join(",\n")}\n${indent}}`;
}
console.log(show(level));
