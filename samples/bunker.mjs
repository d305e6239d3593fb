// SPDX-License-Identifier: MIT
// Makes samples/bunker.json, a level of Alien Trilogy's form, and samples/bunker-textures.json, its textures:
// node samples/bunker.mjs samples. Rooms are rectangles of cells; walls stand wherever two cells differ or
// nothing is beside one. Everything in it, pictures too, is made here.
import {writeFileSync} from "node:fs";
import {colors, indexOf} from "./bunker-colors.mjs";

const COLUMNS = 24, ROWS = 20, CELL = 512, STEP = 32; // units; 256 are a metre
const PIXEL = 8; // units of a pixel on walls and floors
const random = (seed => () => {
  seed = seed + 0x6d2b79f5 | 0;
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
})(7);

// ---- textures ---------------------------------------------------------------------------------------

const pages = [0, 1].map(() => new Uint8Array(256 * 256));
const names = {}; // of what is drawn: {page, x, y, width, height}
// draw(x, y) gives [ramp, shade from 0 to 1], or null where nothing is
function picture(name, page, x, y, width, height, draw) {
  names[name] = {page, x, y, width, height};
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const made = draw(u, v);
      if (!made) continue;
      pages[page][(y + v) * 256 + x + u] = indexOf(...made);
    }
}
const speck = amount => (random() - 0.5) * amount * 0.5;
// the shade of a plate with lit upper left and dark lower right edges
function plate(u, v, width, height, shade) {
  if (u === 0 || v === 0) return shade + 0.22;
  if (u === width - 1 || v === height - 1) return shade - 0.3;
  return shade;
}
const rivet = (u, v, width, height) => [4, width - 5].includes(u) && [4, height - 5].includes(v);
const stripe = (u, v) => (u + v) % 16 < 8 ? ["yellow", 0.85] : ["black", 0.4];

const glyphs = {
  A: "01110 10001 10001 11111 10001 10001 10001", C: "01111 10000 10000 10000 10000 10000 01111",
  E: "11111 10000 10000 11110 10000 10000 11111", I: "11111 00100 00100 00100 00100 00100 11111",
  N: "10001 11001 10101 10101 10011 10001 10001", O: "01110 10001 10001 10001 10001 10001 01110",
  R: "11110 10001 10001 11110 10100 10010 10001", S: "01111 10000 10000 01110 00001 00001 11110",
  T: "11111 00100 00100 00100 00100 00100 00100", W: "10001 10001 10001 10101 10101 11011 10001",
  X: "10001 10001 01010 00100 01010 10001 10001", 7: "11111 00001 00010 00100 01000 01000 01000",
};
// whether a text has ink at a pixel
function ink(text, scale, left, top, u, v) {
  const x = Math.floor((u - left) / scale), y = Math.floor((v - top) / scale), glyph = text[Math.floor(x / 6)];
  return x >= 0 && y >= 0 && y < 7 && x % 6 < 5 && glyph && glyphs[glyph] ? glyphs[glyph].split(" ")[y][x % 6] === "1" : false;
}

const wallPicture = (name, x, ramp, band) => picture(name, 0, x, 0, 64, 128, (u, v) => {
  if (v >= 116) return ["black", plate(u, v - 116, 64, 12, 0.55) + speck(0.06)];
  if (v >= 76 && v < 84) return [band, plate(u, v - 76, 64, 8, 0.75) + speck(0.04)];
  const top = v < 76, row = top ? v % 38 : v - 84, height = top ? 38 : 32;
  const shade = plate(u % 32, row, 32, height, 0.62) + speck(0.07) - (v > 84 ? (v - 84) * 0.004 : 0);
  return rivet(u % 32, row, 32, height) ? ["steel", 0.9] : [ramp, shade];
});
wallPicture("wall steel", 0, "steel", "blue");
wallPicture("wall concrete", 64, "concrete", "amber");
wallPicture("wall olive", 128, "olive", "yellow");
picture("wall reactor", 0, 192, 0, 64, 128, (u, v) => {
  const pipe = Math.floor(u / 16), within = u % 16, round = Math.sin((within + 0.5) / 16 * Math.PI);
  if (v % 32 < 4) return ["steel", 0.35 + 0.5 * round + speck(0.04)];
  return [pipe === 1 ? "rust" : pipe === 3 ? "green" : "teal", 0.2 + 0.55 * round + speck(0.06)];
});
picture("floor tread", 0, 0, 128, 64, 64, (u, v) => {
  const bump = (u + v) % 8 < 2 && (u - v + 64) % 16 < 8 || (u - v + 64) % 8 < 2 && (u + v) % 16 >= 8;
  return ["steel", plate(u, v, 64, 64, 0.46) + (bump ? 0.16 : 0) + speck(0.05)];
});
picture("floor concrete", 0, 64, 128, 64, 64, (u, v) => ["concrete", plate(u % 32, v % 32, 32, 32, 0.56) + speck(0.1)]);
picture("floor hazard", 0, 128, 128, 64, 64, (u, v) =>
  u < 6 || v < 6 || u > 57 || v > 57 ? stripe(u, v) : ["steel", plate(u - 6, v - 6, 52, 52, 0.4) + speck(0.05)]);
picture("floor wood", 0, 192, 128, 64, 64, (u, v) => {
  const board = Math.floor(v / 8), seam = v % 8 === 0 || (u + board * 23) % 64 === 0;
  return ["wood", seam ? 0.3 : 0.56 + (board * 37 % 5) * 0.03 + speck(0.08)];
});
picture("ceiling", 0, 0, 192, 64, 64, (u, v) => ["steel", plate(u % 32, v % 32, 32, 32, 0.36) + speck(0.04)]);
picture("ceiling lamp", 0, 64, 192, 64, 64, (u, v) =>
  u > 11 && u < 52 && v > 23 && v < 40 ? ["white", 0.95 - Math.abs(v - 31.5) * 0.02]
    : ["steel", plate(u, v, 64, 64, 0.36) + speck(0.04)]);
picture("crate", 0, 128, 192, 64, 64, (u, v) => {
  const frame = u < 7 || v < 7 || u > 56 || v > 56 || Math.abs(u - v) < 4;
  return ["rust", frame ? plate(u, v, 64, 64, 0.75) + speck(0.08) : 0.45 + (u % 8 === 0 ? -0.15 : 0) + speck(0.08)];
});
picture("machine", 0, 192, 192, 64, 64, (u, v) =>
  u > 8 && u < 56 && v > 14 && v < 50 && v % 5 < 3 ? ["black", 0.25]
    : [v < 8 ? "yellow" : "olive", plate(u, v, 64, 64, 0.55) + speck(0.06)]);

const sign = (name, x, y, text, ramp, scale = 3) => picture(name, 1, x, y, 128, 32, (u, v) => {
  if (u < 2 || v < 2 || u > 125 || v > 29) return ["white", 0.8];
  const left = Math.floor((128 - text.length * 6 * scale + scale) / 2), top = Math.floor((32 - 7 * scale) / 2);
  return ink(text, scale, left, top, u, v) ? ["white", 1] : [ramp, 0.42 + speck(0.03)];
});
sign("sign EXIT 7", 0, 0, "EXIT 7", "green");
sign("sign REACTOR", 128, 0, "REACTOR", "red");
sign("sign CREW", 0, 32, "CREW", "blue");
sign("sign STORES", 128, 32, "STORES", "amber");
picture("door", 1, 0, 64, 32, 96, (u, v) => {
  if (v > 40 && v < 56) return stripe(u, v);
  if (u > 28) return ["black", 0.3];
  if (v > 14 && v < 32 && u > 6 && u < 24) return ["cyan", 0.35 + (v - 14) * 0.015];
  return ["steel", plate(u, v, 32, 96, 0.6) + speck(0.05)];
});
picture("door edge", 1, 32, 64, 16, 96, (u, v) => ["steel", plate(u, v % 32, 16, 32, 0.4) + speck(0.04)]);
picture("riser", 1, 48, 64, 64, 16, (u, v) => v < 3 ? ["yellow", 0.8] : ["steel", 0.35 + speck(0.06)]);
picture("railing", 1, 48, 80, 64, 32, (u, v) =>
  v < 3 || v > 12 && v < 15 || u % 32 < 3 ? ["yellow", v < 3 ? 0.9 : 0.65] : null);
picture("grating", 1, 112, 64, 64, 64, (u, v) =>
  u % 8 < 2 || v % 8 < 2 || u > 61 || v > 61 ? ["steel", u % 8 === 0 || v % 8 === 0 ? 0.75 : 0.5] : null);
picture("lift top", 1, 176, 64, 64, 64, (u, v) => {
  const far = Math.max(Math.abs(u - 31.5), Math.abs(v - 31.5));
  if (far > 26) return stripe(u, v);
  const arrow = v > 13 && v < 32 ? v - 13 : v > 31 && v < 50 ? 6 : 0;
  return Math.abs(u - 31.5) < arrow ? ["white", 0.85] : ["steel", 0.42 + speck(0.05)];
});
picture("seven", 1, 0, 160, 64, 64, (u, v) =>
  ink("7", 7, 15, 8, u, v) ? ["yellow", 0.85 + speck(0.08)] : ["concrete", plate(u % 32, v % 32, 32, 32, 0.56) + speck(0.1)]);
// frames of what is animated
for (let frame = 0; frame < 3; frame++) {
  picture(`screen ${frame}`, 1, 64 + 32 * frame, 160, 32, 32, (u, v) => {
    if (u < 2 || v < 2 || u > 29 || v > 29) return ["black", 0.5];
    const wave = 16 + 8 * Math.sin((u + frame * 9) * 0.45) * (1 - frame * 0.2);
    return Math.abs(v - wave) < 1.3 ? ["green", 1] : v % 7 === 0 || u % 7 === 0 ? ["green", 0.35] : ["green", 0.14];
  });
  picture(`core ${frame}`, 1, 160 + 32 * frame, 160, 32, 96, (u, v) => {
    const pulse = 0.5 + 0.5 * Math.cos((v / 32 + frame / 3) * 2 * Math.PI), rim = u < 3 || u > 28;
    return rim ? ["steel", 0.55] : ["green", 0.45 + 0.5 * pulse * Math.sin((u + 0.5) / 32 * Math.PI)];
  });
}
for (let frame = 0; frame < 2; frame++)
  picture(`switch ${frame}`, 1, 64 + 32 * frame, 192, 32, 32, (u, v) =>
    Math.hypot(u - 15.5, v - 15.5) < 8 ? [frame ? "green" : "red", 0.95 - Math.hypot(u - 12, v - 12) * 0.03]
      : u < 3 || v < 3 || u > 28 || v > 28 ? stripe(u, v) : ["steel", 0.5 + speck(0.04)]);
picture("bunk", 1, 0, 224, 64, 32, (u, v) =>
  u < 14 ? ["white", 0.8 + speck(0.05)] : ["blue", 0.5 + (u % 16 === 0 ? -0.15 : 0) + speck(0.05)]);
picture("pipe", 1, 64, 224, 64, 16, (u, v) => [u % 32 < 4 ? "steel" : "rust", 0.25 + 0.6 * Math.sin((v + 0.5) / 16 * Math.PI)]);

// Rectangles: parts of the pictures, numbered when all are known.
const rectangles = new Map();
function texture(name, left = 0, top = 0, width, height) {
  const p = names[name];
  const r = {page: p.page, x: p.x + left, y: p.y + top, width_minus_1: (width ?? p.width) - 1,
             height_minus_1: (height ?? p.height) - 1};
  const key = JSON.stringify(r);
  if (!rectangles.has(key)) rectangles.set(key, r);
  return rectangles.get(key);
}

// ---- rooms ------------------------------------------------------------------------------------------

const themes = {
  steel: {wall: "wall steel", ground: "floor tread"}, concrete: {wall: "wall concrete", ground: "floor concrete"},
  crew: {wall: "wall olive", ground: "floor wood"}, reactor: {wall: "wall reactor", ground: "floor tread"},
  hazard: {wall: "wall steel", ground: "floor hazard"},
};
const [WHITE, WARM, BLUE, GREEN, RED, AMBER, VIOLET] = [0, 1, 2, 3, 4, 5, 6];
// name, x0, y0, x1, y1, floor, ceiling (steps of 1/8 m), theme, light; stairs: the way up and the floor there
const rooms = [
  ["Hall", 1, 11, 8, 16, 16, 48, "steel", BLUE],
  ["Hall stairs", 3, 8, 4, 11, 16, 64, "concrete", WHITE, "north", 40],
  ["Crew corridor", 3, 6, 4, 8, 40, 64, "concrete", WHITE],
  ["Crew", 1, 1, 7, 6, 40, 72, "crew", WARM],
  ["Gallery corridor", 7, 3, 11, 4, 40, 64, "concrete", WHITE],
  ["Gallery", 11, 1, 13, 8, 40, 84, "hazard", WHITE],
  ["Gallery stairs", 13, 1, 16, 2, 16, 84, "reactor", GREEN, "west", 40],
  ["Reactor", 13, 2, 19, 8, 16, 84, "reactor", GREEN],
  ["Reactor", 16, 1, 19, 2, 16, 84, "reactor", GREEN],
  ["Reactor pit", 15, 3, 18, 6, 8, 84, "hazard", GREEN],
  ["Store corridor", 14, 8, 15, 11, 16, 40, "concrete", WHITE],
  ["Stores", 11, 11, 20, 16, 16, 48, "concrete", AMBER],
  ["Store corridor", 8, 13, 11, 14, 16, 40, "concrete", WHITE],
  ["Lift", 20, 13, 21, 14, 16, 76, "steel", WHITE],
  ["Control", 21, 11, 24, 16, 48, 76, "steel", VIOLET],
  ["Exit corridor", 19, 4, 20, 5, 16, 40, "concrete", RED],
  ["Exit", 20, 1, 23, 7, 16, 48, "concrete", RED],
  ["Pump stairs", 4, 16, 5, 17, 8, 40, "concrete", WHITE, "north", 16],
  ["Pumps", 1, 17, 8, 20, 8, 36, "hazard", AMBER],
  ["Niche", 8, 18, 9, 19, 8, 32, "concrete", RED],
].map(([name, x0, y0, x1, y1, floor, ceiling, theme, light, up, top]) =>
  ({name, x0, y0, x1, y1, floor, ceiling, light, up, top, ...themes[theme]}));
rooms.forEach(room => room.zone = 1 << [...new Set(rooms.map(r => r.name))].indexOf(room.name) % 16);
const cells = [];
for (let y = 0; y < ROWS; y++)
  for (let x = 0; x < COLUMNS; x++) {
    // what stands later in the list is cut into what stands before it
    const room = rooms.findLast(r => x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1);
    cells.push({x, y, room, quads: [], trigger: 0, shape: 0});
  }
const cellAt = (x, y) => x < 0 || y < 0 || x >= COLUMNS || y >= ROWS ? undefined : cells[y * COLUMNS + x];

// Four slices of stairs; elsewhere all are the floor. Slices go along x or y, with it.
function slices(cell) {
  const {room} = cell;
  if (!room.up) return [0, 0, 0, 0].map(() => room.floor);
  const along = ["west", "east"].includes(room.up) ? cell.x - room.x0 : cell.y - room.y0;
  const length = ["west", "east"].includes(room.up) ? room.x1 - room.x0 : room.y1 - room.y0;
  return [0, 1, 2, 3].map(i => {
    const part = (along * 4 + i + 0.5) / (length * 4), rise = ["west", "north"].includes(room.up) ? 1 - part : part;
    return Math.round(room.floor + rise * (room.top - room.floor));
  });
}
const runsAlongX = cell => ["west", "east"].includes(cell.room.up);
// Floors along a side, west to east or north to south.
function floorsOn(cell, side) {
  const s = slices(cell);
  if (!cell.room.up) return s;
  if (runsAlongX(cell) === ["north", "south"].includes(side)) return s;
  const end = ["north", "west"].includes(side) ? s[0] : s[3];
  return [end, end, end, end];
}

// ---- lights -----------------------------------------------------------------------------------------

const LEVELS = 8; // of brightness, of each colour
const lightColors = [[128, 128, 124], [128, 108, 84], [88, 108, 128], [88, 128, 100], [128, 80, 72], [128, 108, 76],
                     [112, 90, 128]];
const lamps = [[2, 12], [6, 12], [4, 14], [2, 14], [6, 14], [3, 7], [3, 10], [2, 2], [5, 4], [2, 4], [5, 2], [8, 3],
               [10, 3], [12, 2], [12, 6], [14, 3], [18, 6], [14, 6], [18, 2], [16, 4], [14, 9], [12, 12], [15, 14], [18, 12],
               [12, 14], [18, 14], [15, 12], [9, 13], [20, 13], [22, 12], [22, 14], [21, 2], [21, 5], [4, 18], [2, 18],
               [6, 18], [8, 18]];
function lightAt(room, point) {
  const [x, z] = [point[0] / CELL + COLUMNS / 2 - 0.5, point[2] / CELL + ROWS / 2 - 0.5];
  const near = Math.min(...lamps.filter(([u, v]) => u >= room.x0 - 2 && u < room.x1 + 2 && v >= room.y0 - 2 && v < room.y1 + 2)
    .map(([u, v]) => Math.hypot(u - x, v - z)));
  return room.light * LEVELS + Math.max(1, Math.min(LEVELS - 1, Math.round(LEVELS - 0.7 - near * 1.25)));
}
const light = (on_color, more = {}) => ({off_color: [0, 0, 0], on_color, corner_color: [0, 0, 0], corner_color_2: [0, 0, 0],
                                         timers: [0, 0, 0, 0], mode: "static", on: 1, variant: 0, variant_max: 0, ...more});
const lights = [];
for (const color of lightColors)
  for (let level = 0; level < LEVELS; level++)
    lights.push(light(color.map(v => Math.round(v * (0.5 + 0.5 * level / (LEVELS - 1))))));
const [ALARM, SWITCHED, GLOW] = [lights.length, lights.length + 1, lights.length + 2];
lights.push(light([160, 40, 30], {off_color: [60, 10, 10], timers: [0, 8, 8, 0], mode: "blinking"}));
lights.push(light([150, 150, 140], {off_color: [70, 60, 60], on: 0}));
lights.push(light([160, 160, 160]));
while (lights.length < 128) lights.push(light([128, 128, 128]));

// ---- faces ------------------------------------------------------------------------------------------

const vertices = [], vertexIndex = new Map();
function vertex([x, y, z]) {
  const key = [x, y, z].map(Math.round).join();
  if (!vertexIndex.has(key)) {
    vertexIndex.set(key, vertices.length);
    const [i, j, k] = key.split(",").map(Number);
    vertices.push({x: i, y: j, z: k});
  }
  return vertexIndex.get(key);
}
const PLAIN = 0, TRIANGLE = 1, MIRRORED = 2, DOUBLE_SIDED = 4, ANIMATED = 8, DESTRUCTIBLE = 26;
const worldX = x => (x - COLUMNS / 2) * CELL, worldZ = y => (y - ROWS / 2) * CELL;
// Corners: lower left, lower right, upper right, upper left, as who sees it sees them.
function face(cell, points, picture, flags = PLAIN, lit) {
  const centre = [0, 1, 2].map(k => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  cell.quads.push({vertices: [...points.map(vertex), -1].slice(0, 4), texture: picture, draw_flags: flags,
                   light: lit ?? lightAt(cell.room, centre)});
}
const flat = (x0, z0, x1, z1, y, down) => down ? [[x0, y, z0], [x1, y, z0], [x1, y, z1], [x0, y, z1]]
  : [[x0, y, z1], [x1, y, z1], [x1, y, z0], [x0, y, z0]];
// From one point on the ground to another, seen with the first to the left.
const upright = ([ax, az], [bx, bz], low, high) => [[ax, low, az], [bx, low, bz], [bx, high, bz], [ax, high, az]];

function wall(cell, from, to, low, high, base, name) {
  const width = Math.hypot(to[0] - from[0], to[1] - from[1]), tall = names[name].height * PIXEL;
  // the picture stands on the room's floor and repeats upward
  for (let bottom = low; bottom < high;) {
    const within = (bottom - base) % tall, top = Math.min(high, bottom + tall - within);
    const pixels = (top - bottom) / PIXEL;
    const part = texture(name, 0, names[name].height - within / PIXEL - pixels, Math.min(64, Math.round(width / PIXEL)), pixels);
    face(cell, upright(from, to, bottom, top), part);
    bottom = top;
  }
}
const diagonals = new Map([["1,11", "north west"], ["7,11", "north east"], ["1,15", "south west"], ["7,15", "south east"],
                           ["6,1", "north east"], ["18,7", "south east"], ["22,6", "south east"],
                           ["20,6", "south west"]]);
const patches = new Map([["4,13", "seven"]]);
const lampCells = new Set(lamps.map(String));

for (const cell of cells) {
  if (!cell.room) continue;
  const {x, y, room} = cell, x0 = worldX(x), x1 = x0 + CELL, z0 = worldZ(y), z1 = z0 + CELL;
  const floor = room.floor * STEP, ceiling = room.ceiling * STEP, cut = diagonals.get(`${x},${y}`);
  const floorTexture = texture(patches.get(`${x},${y}`) ?? room.ground);
  const ceilingTexture = texture(lampCells.has(`${x},${y}`) ? "ceiling lamp" : "ceiling");
  const sides = {north: [[x0, z0], [x1, z0], 0, -1], south: [[x1, z1], [x0, z1], 0, 1],
                 west: [[x0, z1], [x0, z0], -1, 0], east: [[x1, z0], [x1, z1], 1, 0]};
  if (cut) {
    // the corner that is left is opposite the one that is cut off
    cell.shape = {"north west": 25, "north east": 26, "south east": 27, "south west": 28}[cut];
    const ring = [[x0, z1], [x1, z1], [x1, z0], [x0, z0]];
    const away = {"north west": 3, "north east": 2, "south east": 1, "south west": 0}[cut], kept = (away + 2) % 4;
    const before = ring[(kept + 3) % 4], after = ring[(kept + 1) % 4], at = (p, h) => [p[0], h, p[1]];
    face(cell, [after, before, ring[kept]].map(p => at(p, floor)), floorTexture, TRIANGLE);
    face(cell, [before, after, ring[kept]].map(p => at(p, ceiling)), ceilingTexture, TRIANGLE);
    const wide = names[room.wall].height * PIXEL;
    for (let low = floor; low < ceiling; low += wide) {
      const high = Math.min(ceiling, low + wide);
      face(cell, upright(before, after, low, high), texture(room.wall, 0, 128 - (high - low) / PIXEL, 64, (high - low) / PIXEL));
    }
    for (const side of cut.split(" ")) delete sides[side];
  } else {
    if (room.up) {
      cell.shape = 0x2d + ["north", "east", "south", "west"].indexOf(room.up);
      slices(cell).forEach((h, i, all) => {
        const alongX = runsAlongX(cell), near = i * CELL / 4, far = near + CELL / 4;
        const [a, b, c, d] = alongX ? [x0 + near, z0, x0 + far, z1] : [x0, z0 + near, x1, z0 + far];
        face(cell, flat(a, b, c, d, h * STEP), alongX ? texture("floor tread", 0, 0, 16, 64) : texture("floor tread", 0, 0, 64, 16));
        if (i === 3) return;
        const low = Math.min(h, all[i + 1]) * STEP, high = Math.max(h, all[i + 1]) * STEP, ascending = all[i + 1] > h;
        // a riser faces the lower slice
        const [from, to] = alongX ? ascending ? [[c, z0], [c, z1]] : [[c, z1], [c, z0]]
          : ascending ? [[x1, d], [x0, d]] : [[x0, d], [x1, d]];
        face(cell, upright(from, to, low, high), texture("riser", 0, 0, 64, Math.min(16, (high - low) / PIXEL)));
      });
    } else {
      face(cell, flat(x0, z0, x1, z1, floor), floorTexture);
    }
    face(cell, flat(x0, z0, x1, z1, ceiling, true), ceilingTexture);
  }
  for (const [side, [from, to, dx, dy]] of Object.entries(sides)) {
    const other = cellAt(x + dx, y + dy), opposite = {north: "south", south: "north", west: "east", east: "west"}[side];
    const own = floorsOn(cell, side);
    if (!other?.room || other.room.floor >= room.ceiling || other.room.ceiling <= Math.min(...own)) {
      // one wall, down to the lowest slice
      wall(cell, from, to, Math.min(...own) * STEP, ceiling, Math.min(...own) * STEP, room.wall);
      continue;
    }
    const theirs = floorsOn(other, opposite), reversed = ["south", "west"].includes(side);
    const even = own.every(h => h === own[0]) && theirs.every(h => h === theirs[0]), parts = even ? 1 : 4;
    for (let i = 0; i < parts; i++) {
      const slice = reversed ? parts - 1 - i : i;
      const at = k => [0, 1].map(n => from[n] + (to[n] - from[n]) * k / parts);
      const low = own[slice] * STEP, high = theirs[slice] * STEP;
      if (high > low && high - low <= 128)
        face(cell, upright(at(i), at(i + 1), low, high), texture("riser", 0, 0, 64 / parts, (high - low) / PIXEL));
      else if (high > low)
        wall(cell, at(i), at(i + 1), low, high, low, room.wall);
    }
    if (other.room.ceiling < room.ceiling)
      wall(cell, from, to, other.room.ceiling * STEP, ceiling, floor, room.wall);
  }
}

// ---- what stands in the rooms -----------------------------------------------------------------------

// Places are given in cells, heights in steps.
const holder = (x, y) => cellAt(Math.floor(x), Math.floor(y));
function block(x0, y0, x1, y1, low, high, side, top = side, lit) {
  const cell = holder((x0 + x1) / 2, (y0 + y1) / 2), [a, b, c, d] = [worldX(x0), worldZ(y0), worldX(x1), worldZ(y1)];
  const part = (name, width, height) => texture(name, 0, 0, Math.min(names[name].width, Math.max(4, Math.round(width / PIXEL))),
    Math.min(names[name].height, Math.max(4, Math.round(height / PIXEL))));
  for (const [from, to] of [[[a, d], [c, d]], [[c, b], [a, b]], [[a, b], [a, d]], [[c, d], [c, b]]])
    face(cell, upright(from, to, low * STEP, high * STEP),
      part(side, Math.hypot(to[0] - from[0], to[1] - from[1]), (high - low) * STEP), PLAIN, lit);
  face(cell, flat(a, b, c, d, high * STEP), part(top, c - a, d - b), PLAIN, lit);
}
// Pictures on walls stand a little in front of them.
function onNorthWall(x0, x1, y, low, high, what, flags, lit) {
  const z = worldZ(y) + 8;
  face(holder((x0 + x1) / 2, y), upright([worldX(x0), z], [worldX(x1), z], low * STEP, high * STEP), what, flags, lit);
}
function onWestWall(y0, y1, x, low, high, what, flags, lit) {
  const at = worldX(x) + 8;
  face(holder(x, (y0 + y1) / 2), upright([at, worldZ(y1)], [at, worldZ(y0)], low * STEP, high * STEP), what, flags, lit);
}
function onFloor(x0, y0, x1, y1, height, what, lit) {
  face(holder((x0 + x1) / 2, (y0 + y1) / 2), flat(worldX(x0), worldZ(y0), worldX(x1), worldZ(y1), height * STEP + 4), what,
    PLAIN, lit);
}
const SCREENS = 0, CORE = 1, SWITCH = 2; // animators

onNorthWall(20.2, 22.8, 1, 30, 40.4, texture("sign EXIT 7"), PLAIN, GLOW);
onFloor(20.1, 3.2, 22.9, 3.9, 16, texture("sign EXIT 7"), GLOW);
onWestWall(2.6, 4.4, 1, 58, 65.2, texture("sign CREW"), PLAIN, GLOW);
onNorthWall(14.4, 17.6, 1, 60, 72.8, texture("sign REACTOR"), PLAIN, GLOW);
onNorthWall(11.3, 13.8, 11, 33, 43, texture("sign STORES"), PLAIN, GLOW);
// bunks, a table
for (const y of [1.15, 2.5, 4.7]) block(1.3, y, 2.5, y + 0.6, 40, 44, "bunk");
block(4.1, 2.6, 5.3, 3.6, 40, 46, "crate", "floor wood");
// the railing of the gallery, the core in the pit
for (let y = 2; y < 8; y++)
  face(cellAt(12, y), upright([worldX(13) - 8, worldZ(y + 1)], [worldX(13) - 8, worldZ(y)], 40 * STEP, 48 * STEP),
    texture("railing"), DOUBLE_SIDED);
for (let i = 0; i < 8; i++) {
  const at = k => {
    const turn = (k - 0.5) * Math.PI / 4;
    return [worldX(16.5) + 400 * Math.cos(turn), worldZ(4.5) - 400 * Math.sin(turn)];
  };
  for (let low = 8; low < 84; low += 19)
    face(cellAt(16, 4), upright(at(i), at(i + 1), low * STEP, (low + 19) * STEP), CORE, ANIMATED, GLOW);
}
cellAt(16, 4).shape = 20;
for (const [x, y] of [[15.5, 3.5], [17.5, 3.5], [15.5, 5.5], [17.5, 5.5]]) block(x - 0.2, y - 0.2, x + 0.2, y + 0.2, 8, 24, "machine", "lift top");
// grids over the corners of the pit's edge
for (const [x, y] of [[14, 3], [18, 5]])
  face(cellAt(x, y), flat(worldX(x), worldZ(y), worldX(x + 1), worldZ(y + 1), 34 * STEP), texture("grating"), DOUBLE_SIDED);
// stores: shelves, pillars, a pipe
for (const [x, y, high] of [[11.2, 11.2, 30], [12.3, 11.2, 24], [13.1, 15, 24], [18.2, 15.05, 24], [19.05, 15.05, 32], [16.2, 15.1, 24]])
  for (let low = 16; low < high; low += 8) block(x, y, x + 0.9, y + 0.9, low, Math.min(high, low + 8), "crate");
for (const x of [13.5, 17.5]) block(x - 0.15, 13.35, x + 0.15, 13.65, 16, 48, "wall steel");
for (let x = 11; x < 20; x++) if (x !== 14) block(x, 11.02, x + 1, 11.2, 45, 47, "pipe");
// control: desks below screens
for (const x of [21.15, 22.15, 23.15]) {
  onNorthWall(x, x + 0.7, 11, 60, 71, SCREENS, ANIMATED, GLOW);
  block(x - 0.1, 11.02, x + 0.8, 11.5, 48, 55, "machine", "lift top");
}
onWestWall(2.25, 2.75, 20, 26, 34, SWITCH, ANIMATED, GLOW);
onWestWall(12.25, 12.75, 11, 26, 34, SWITCH, ANIMATED, GLOW);
// pumps; the wall in front of the niche
for (const x of [1.4, 3, 5.6]) block(x, 17.2, x + 1.1, 18.1, 8, 19, "machine");
for (let x = 1; x < 8; x++) if (x !== 4) block(x, 17.02, x + 1, 17.2, 24, 27, "pipe");
face(cellAt(7, 18), upright([worldX(8) - 8, worldZ(18)], [worldX(8) - 8, worldZ(19)], 8 * STEP, 32 * STEP),
  texture("wall steel", 0, 32, 64, 96), DESTRUCTIBLE);

// ---- models -----------------------------------------------------------------------------------------

function model(name, faces) {
  const points = [], index = new Map(), quads = [];
  for (const [corners, picture, flags = PLAIN] of faces)
    quads.push({vertices: corners.map(p => {
      if (!index.has(String(p))) {
        index.set(String(p), points.length);
        points.push({x: p[0], y: p[1], z: p[2]});
      }
      return index.get(String(p));
    }), texture: picture, kind: flags === 2 ? 11 : flags === 1 ? 2 : 0});
  const last = quads.at(-1); // the game draws up to this one
  last.kind = ["last_of_model", ...(last.kind ? [last.kind] : [])];
  return {name, quads, vertices: points};
}
// two leaves, the right one the mirrored picture, and the edges
const doorModel = name => model(name, [48, -48].flatMap(z => {
  const side = Math.sign(z), at = (x, low, high) => upright([side * x, z], [side * (x + 256), z], low, high);
  return [[at(-256, 0, 768), texture("door")], [at(0, 0, 768), texture("door"), MIRRORED]];
}).concat([[flat(-256, -48, 256, 48, 768), texture("door edge", 0, 0, 16, 32)]]));
const liftModel = model("L000", [
  [upright([-256, 240], [256, 240], 48, 304), texture("railing"), DOUBLE_SIDED],
  [upright([256, -240], [-256, -240], 48, 304), texture("railing"), DOUBLE_SIDED],
  [flat(-256, -256, 256, 256, 48), texture("lift top")],
  ...[[[-256, 256], [256, 256]], [[256, 256], [256, -256]], [[256, -256], [-256, -256]], [[-256, -256], [-256, 256]]]
    .map(([from, to]) => [upright(from, to, 0, 48), texture("riser", 0, 0, 64, 6)]),
]);
const doorModels = [doorModel("D000"), doorModel("D001")];

// ---- things -----------------------------------------------------------------------------------------

const pickup = (x, y, type, amount, dropped = 0) => ({x, y, type, amount, multiplier: 1, trigger_threshold: dropped,
                                                      amount_copy: amount});
const pickups = [
  pickup(2, 3, "shotgun", 1), pickup(5, 1, "shotgun_cartridges", 8), pickup(6, 4, "medi_kit", 20),
  pickup(12, 4, "battery", 1), pickup(23, 12, "auto_mapper", 1), pickup(22, 15, "identity_tag", 1),
  pickup(8, 18, "smart_gun", 1), pickup(7, 19, "derm_patch", 10), pickup(2, 15, "pistol_clip", 15),
  pickup(15, 15, "pistol_clip", 15, 1), pickup(12, 15, "shotgun_cartridges", 8, 1), pickup(18, 12, "hypo_pack", 5, 1),
];
const monster = (type, x, y, rotation, health, more = {}) => ({
  type, x, y, z: 255, rotation, health, drop: 255, unknown_07: 0, trigger_threshold: 0, unknown_09: 0,
  unknown_0a: [0, 0, 0, 0], speed: 100, unknown_10: [0, 0, 0, 0], ...more});
const monsters = [
  monster("face_hugger", 6, 14, "west", 1), monster("face_hugger", 16, 13, "west", 1),
  monster("dog_alien", 18, 13, "west", 12, {trigger_threshold: 1}), monster("warrior_drone", 14, 6, "north", 20, {drop: 11}),
  monster("warrior_drone", 22, 13, "west", 20, {trigger_threshold: 1}), monster("colonist", 5, 4, "south", 5),
  monster("horizontal_steam_vent", 6, 19, "north", 1), monster("egg", 3, 19, "north", 3),
];
const box = (x, y, type, drop_first = 255, drop_type = "pickup", rotation = "north") => ({
  x, y, type, drop_type, unknown_04: 1, unknown_05: type === "box" || type === "barrel" ? 10 : 0, drop_first, drop_second: 255,
  unknown_08: 1, unknown_09: 1, unknown_0a: 0, unknown_0b: 0, unknown_0c: 0, unknown_0d: 0, rotation, unknown_0f: 0});
const boxes = [
  box(15, 15, "box", 9), box(12, 14, "box", 10), box(17, 11, "double_box"), box(19, 12, "box"),
  box(7, 17, "barrel"), box(7, 19, "barrel"), box(1, 19, "barrel"), box(14, 12, "barrel"), box(18, 2, "barrel"), box(17, 2, "barrel"),
  box(11, 12, "animated_small_switch", 255, "pickup", "east"), box(20, 2, "animated_small_switch", 255, "pickup", "east"),
  box(8, 18, "destructible_wall", 255, "pickup", "west"),
];
const door = (x, y, rotation, model, lock = "open", open_time = 150) => ({x, y, unknown_02: 0, open_time, lock, unknown_05: 0,
                                                                          rotation, model});
const doors = [door(9, 13, "east", 0), door(14, 9, "north", 0), door(8, 3, "west", 0), door(19, 4, "east", 1, "locked", 0),
               door(3, 7, "south", 0)];
const lifts = [{x: 20, y: 13, z: 16, unknown_03: 0, unknown_05: 0, unknown_06: 1, unknown_07: 1, unknown_08: 60, unknown_09: 0,
                unknown_0a: 0, model: 0, unknown_0d: 0, unknown_0e: 0, unknown_0f: 0}];
const nodes = [[3, 13], [6, 13], [12, 13], [15, 13], [18, 13], [22, 13], [14, 6], [12, 4], [8, 3], [4, 4], [3, 7], [18, 4],
               [21, 4], [4, 18]];
const ways = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [3, 6], [6, 7], [6, 11], [11, 12], [7, 8], [8, 9], [9, 10], [10, 0], [0, 13]];
const path_nodes = nodes.map(([x, y], i) => {
  const links = ways.filter(w => w.includes(i)).map(([a, b]) => a === i ? b : a);
  return {x, y, alternate: 0, links: [...links, 255, 255, 255, 255].slice(0, 4)};
});

// What stepping on cells does: a chain of commands each.
const commands = [], triggers = [{mask: 0, first_command: 255, uses: 255, unknown_03: 0}];
function trigger(uses, places, ...chain) {
  triggers.push({mask: 1, first_command: commands.length, uses, unknown_03: 0});
  chain.forEach(([operation, target, amount = 1], i) =>
    commands.push({operation, next: i + 1 < chain.length ? commands.length + 1 : 255, amount, target}));
  places.forEach(([x, y]) => { cellAt(x, y).trigger = triggers.length - 1; });
}
trigger(255, [[8, 13], [10, 13]], ["open_door", 0], ["light", SWITCHED]);
trigger(255, [[14, 10]], ["open_door", 1], ["light", ALARM]);
trigger(255, [[7, 3], [9, 3]], ["open_door", 2]);
trigger(1, [[11, 12]], ["switch_off_box", 10], ["animate_texture", SWITCH], ["wake_monster", 2], ["move_lift", 0]);
trigger(1, [[23, 15]], ["unlock_door", 3], ["wake_monster", 4]);
trigger(255, [[3, 6]], ["open_door", 4]);
trigger(1, [[21, 5]], ["end_level", 0]);
const empty = {mask: 0, first_command: 255, uses: 255, unknown_03: 0};
while (triggers.length < 64) triggers.push(empty);
while (commands.length < 64) commands.push({operation: "light", next: 255, amount: 255, target: 0});

// ---- the level --------------------------------------------------------------------------------------

// The rectangles of a page are one list; a texture is an index through both.
const lists = pages.map((_, page) => [...rectangles.values()].filter(r => r.page === page));
for (const frames of [["screen", 3], ["core", 3], ["switch", 2]])
  for (let i = 0; i < frames[1]; i++) {
    const made = texture(`${frames[0]} ${i}`);
    if (!lists[made.page].includes(made)) lists[made.page].push(made);
  }
const order = lists.flat();
const number = what => typeof what === "number" ? what : order.indexOf(what);
const numbered = quads => quads.map(q => ({...q, texture: number(q.texture)}));
const quads = [];
const cellRecords = cells.map(cell => {
  const {x, y, room} = cell;
  if (!room)
    return {first_quad: -1, unknown_04: 0, path_node: 0, unknown_07: 0, zone_mask: 0, shape: 0, floor: 0, ceiling: 0, light: 0, trigger: 0};
  const first_quad = quads.length;
  quads.push(...numbered(cell.quads));
  const last = quads[quads.length - 1];
  last.light = ["last_of_run", last.light];
  const far = nodes.map(([u, v]) => Math.hypot(u - x, v - y));
  return {first_quad, unknown_04: 0, path_node: far.indexOf(Math.min(...far)), unknown_07: 0, zone_mask: room.zone, shape: cell.shape,
          floor: Math.min(...slices(cell)), ceiling: room.ceiling, light: room.light * LEVELS + 5, trigger: cell.trigger};
});
quads.push({vertices: [-1, -1, -1, -1], texture: 0xffff, draw_flags: 255, light: ["last_of_run", 127]});
const SPEED = 0x8006, LOOP = 0x8001;
const steps = (program, name, count) => [...[...Array(count).keys()].flatMap(i =>
  [{program, value: number(texture(`${name} ${i}`))}, {program, value: SPEED}]), {program, value: LOOP}];
const masks = [0, 0];
const types = ["egg", "face_hugger", "chest_burster", "bambi", "dog_alien", "warrior_drone", "queen", "ceiling_warrior_drone",
               "ceiling_dog_alien", "colonist", "guard", "soldier", "synthetic", "handler", "unused", "horizontal_steam_vent"];
for (const m of monsters) {
  const bit = types.indexOf(m.type);
  masks[bit < 15 ? 0 : 1] |= 1 << bit % 15;
}
const level = {
  $format: "alien-map",
  map: {
    grid_columns: COLUMNS, grid_rows: ROWS, start_x: 2, start_y: 13, start_angle: "east", enemy_mask: masks[0],
    vent_mask: masks[1], vertices, quads, cells: cellRecords, path_nodes, monsters, pickups, boxes, doors, lifts, triggers,
    commands, lights,
    texture_animators: [SCREENS, CORE, SWITCH].map(program => ({program, variant: 0, variant_max: program === SWITCH ? 1 : 0})),
    texture_animation_words: [...steps(SCREENS, "screen", 3), ...steps(CORE, "core", 3), ...steps(SWITCH, "switch", 2)],
  },
  door_models: doorModels.map(m => ({...m, quads: numbered(m.quads)})),
  lift_models: [{...liftModel, quads: numbered(liftModel.quads)}],
};
const textures = {
  $format: "alien-gfx",
  $order: ["information", ...pages.flatMap(() => ["pages", "palettes", "rectangle_lists"])],
  information: {page_width: 256, page_height: 256, bits: 8, rectangle_count: order.length, unknown_08: 2, unknown_0a: 2,
                unknown_0c: 6, unknown_0e: 1},
  pages: pages.map((pixels, i) => ({name: `TP0${i}`, pixels: Buffer.from(pixels).toString("hex")})),
  palettes: pages.map((_, i) => ({name: `CL0${i}`, unknown_00: [1, 0], colors})),
  rectangle_lists: lists.map((list, i) => ({name: `BX0${i}`, rectangles: list, ...(list.length % 2 ? {} : {padding: "0000"})})),
};
// one line for what is short, so that the file stays readable
function show(value, indent = "") {
  const text = JSON.stringify(value);
  if (text.length < 120 || typeof value !== "object") return text;
  const inner = indent + " ";
  if (Array.isArray(value) && typeof value[0] === "number") return text;
  if (Array.isArray(value)) return `[\n${value.map(v => inner + (text.length > 4000 && !("quads" in v) ? JSON.stringify(v) : show(v, inner))).join(",\n")}\n${indent}]`;
  return `{\n${Object.entries(value).map(([k, v]) => `${inner}"${k}": ${show(v, inner)}`).join(",\n")}\n${indent}}`;
}
const directory = process.argv[2] ?? ".";
writeFileSync(`${directory}/bunker.json`, show(level) + "\n");
writeFileSync(`${directory}/bunker-textures.json`, show(textures) + "\n");
