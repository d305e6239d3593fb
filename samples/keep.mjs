// SPDX-License-Identifier: MIT
// Makes samples/keep/, a level of Revenant's form: six sectors as JSON, the types of its things (class.def) and
// where its exits lead (exit.def): node samples/keep.mjs samples/keep. Everything in it is made here.
import {mkdirSync, writeFileSync} from "node:fs";

const LEVEL = 7, FIRST = [10, 10], SECTORS = [3, 2], SECTOR = 1024, TILE = 64; // units; 32 are a metre
const random = (seed => () => {
  seed = seed + 0x6d2b79f5 | 0;
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
})(7);
const between = (low, high) => Math.floor(low + random() * (high - low));

// ---- types ------------------------------------------------------------------------------------------

// class: [statistics, statistics of objects, types]; a statistic is [name, code, default, minimum, maximum]
const classes = {
  item: [[["Value", "VALU", 0, 0, 1000]], [], {Bucket: [2], Anvil: [60], Loom: [45], Barrel: [8]}],
  weapon: [[["Damage", "DAMG", 4, 0, 100], ["Value", "VALU", 0, 0, 1000]], [], {"Warden's Sword": [14, 320], Billhook: [9, 40]}],
  food: [[["Value", "VALU", 1, 0, 100]], [], {Loaf: [2], "Honey Cake": [5]}],
  container: [[], [["Locked", "LOCK", 0, 0, 1], ["Difficulty", "PICK", 0, 0, 100]], {"Iron Chest": [], Cupboard: [], Sack: []}],
  lightsource: [[["Hours", "HOUR", 8, 0, 99]], [], {Torch: [8], Brazier: [40], Lantern: [20]}],
  money: [[], [["Amount", "AMNT", 1, 0, 10000]], {Farthings: []}],
  tile: [[], [], Object.fromEntries(["MeadowOld", "Meadow1", "Field2", "Beck2", "LakeWide", "CausewayBig", "CausewayWide",
    "CourtA", "HallA", "Stone1", "RampartOld", "BastionA", "PalisadeA", "BrambleWide", "TreeBig", "Birch1", "HollyBig", "Rushes"].map(n => [n, []]))],
  exit: [[], [], {Gate: [], Trapdoor: []}],
  character: [[["Health", "HLTH", 50, 1, 500], ["Wakefulness", "WAKE", 10, 0, 20], ["Temper", "TEMP", 5, 0, 10]], [],
              {Warden: [180, 14, 6], Guard: [90, 12, 7], Smith: [120, 10, 4], Weaver: [50, 10, 2], Ferryman: [70, 9, 3], Heron: [8, 18, 9]}],
  trap: [[], [], {"Loose Flagstone": []}],
  key: [[], [], {"Cellar Key": []}],
  scroll: [[], [], {Letter: []}],
};
const classNumber = {item: 0, weapon: 1, food: 4, container: 5, lightsource: 6, money: 8, tile: 9, exit: 10, character: 12,
                     trap: 13, key: 16, scroll: 22};
const ids = {}, classOf = {};
let text = "// The types of things in the sample level. Made by samples/keep.mjs.\r\n\r\nUnique Type ID = 0x0100\r\n";
let serial = 0;
for (const [name, [stats, objectStats, types]] of Object.entries(classes)) {
  const block = (title, lines) => `\t${title}\r\n\tBEGIN\r\n${lines.map(line => `\t\t${line}\r\n`).join("")}\tEND\r\n`;
  text += `\r\nCLASS "${name.toUpperCase()}"\r\nBEGIN\r\n`;
  for (const [title, list] of [["STATS", stats], ["OBJSTATS", objectStats]])
    if (list.length) text += block(title, list.map(stat => stat.join(" ")));
  text += block("TYPES", Object.entries(types).map(([type, values]) => {
    ids[type] = 0x5a000000 + classNumber[name] * 0x10000 + serial++;
    classOf[type] = name;
    const imagery = `Keep\\${type.replaceAll(/\W/g, "")}.I2D`;
    return `"${type}" "${imagery}" 0x${ids[type].toString(16)} {${values}} {${objectStats.map(stat => stat[2])}}`;
  }));
  text += "END\r\n";
}

// ---- objects ----------------------------------------------------------------------------------------

const flag = (...names) => names.reduce((sum, name) => sum + 2 ** {immobile: 0, light: 2, ai: 5, invisible: 7, animate: 14,
  pulse: 15, complex: 17, notify: 18, nowalk: 22, nocollision: 24, invulnerable: 28}[name], 0);
let mapIndex = 70000;
// what: {name, at: [x, y, z] in tiles and units, facing, flags, stats, light, frame, inventory, text}
function make(type, what, carried = -1) {
  const flags = flag(...what.flags ?? []), kind = classOf[type], person = kind === "character", has = name => (what.flags ?? []).includes(name);
  const [x, y, z] = what.at ?? [0, 0, 0];
  const position = what.at ? [FIRST[0] * SECTOR + Math.round(x * TILE), FIRST[1] * SECTOR + Math.round(y * TILE), z] : [0, 0, 0];
  return {
    object_version: person ? 4 : 0, class: kind, unique_id: ids[type],
    ...(person ? {complex_version: 1, instance_version: 0} : {}),
    name: what.name ?? "", flags, position, ...(has("immobile") ? {} : {velocity: [0, 0, 0]}), state: 0,
    inventory_number: carried < 0 ? -1 : 0, inventory_index: carried, shadow: -1, rotation_x: 0, rotation_y: 0,
    rotation_z: what.facing ?? 0, map_index: kind === "tile" ? -1 : mapIndex++, ...(has("animate") ? {frame: what.frame ?? 0, frame_rate: 1} : {}),
    group: what.group ?? 0, stats: Object.entries(what.stats ?? {}).map(([id, value]) => ({value, id})),
    ...(what.light ? {light: {flags: 0, position: [0, 0, what.light[5] ?? 20], color: what.light.slice(0, 3), intensity: what.light[3],
                              multiplier: what.light[4]}} : {}),
    ...(person ? {action: 1, root_state: what.root_state ?? "still", recovery_times: [0, 0, 0], last_poison: -1,
                  teleport_position: [-1, -1, -1], teleport_level: -1} : {}),
    ...(kind === "exit" ? {exit_flags: what.exit_flags ?? 1} : {}), ...(kind === "weapon" ? {poison: 0} : {}),
    ...(kind === "scroll" ? {text: what.text} : {}),
    ...(what.inventory ? {inventory: what.inventory.map(([carriedType, more = {}], i) => make(carriedType, more, i))} : {}),
  };
}
const objects = [];
const add = (type, what) => objects.push(make(type, what));

// ---- the ground -------------------------------------------------------------------------------------

const WIDE = SECTORS[0] * 16, HIGH = SECTORS[1] * 16; // tiles
const inside = (x, y, x0, y0, x1, y1) => x >= x0 && x < x1 && y >= y0 && y < y1;
const beckAt = y => 7 + Math.round(2.2 * Math.sin(y / 5) + Math.sin(y / 2.3));
const laneAt = x => 15 + (x < 14 ? Math.round(Math.sin(x / 3)) : 0);
function groundAt(x, y) {
  const keep = inside(x, y, 17, 7, 35, 25), moat = inside(x, y, 16, 6, 36, 26) && !keep;
  const lane = (y === laneAt(x) || y === laneAt(x) + 1) && x < 22 || x > 32 && x < 43 && (y === 15 || y === 16);
  if (lane && (moat || inside(x, y, beckAt(y), 0, beckAt(y) + 3, HIGH))) return "CausewayWide"; // a bridge
  if (moat) return "LakeWide";
  if (inside(x, y, 23, 12, 30, 20)) return "HallA";
  if (keep) return inside(x, y, 22, 11, 31, 21) || y === 15 || y === 16 ? "Stone1" : "CourtA";
  if (lane) return "CausewayBig";
  if (x >= beckAt(y) && x < beckAt(y) + 3) return "Beck2";
  if (inside(x, y, 38, 21, 46, 30)) return "Field2";
  if (inside(x, y, 41, 5, 45, 9) || inside(x, y, 42, 12, 47, 19)) return "Stone1";
  return "meadow";
}
const done = new Set();
for (let y = 0; y < HIGH; y++)
  for (let x = 0; x < WIDE; x++) {
    if (done.has(`${x},${y}`)) continue;
    const square = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]], type = groundAt(x, y);
    if (type === "meadow" && x % 2 === 0 && y % 2 === 0 && square.every(([u, v]) => groundAt(u, v) === "meadow")) {
      square.forEach(place => done.add(String(place)));
      add("MeadowOld", {at: [x + 1, y + 1, 0], flags: ["immobile"]});
    } else {
      const water = ["Beck2", "LakeWide"].includes(type);
      add(type === "meadow" ? "Meadow1" : type, {at: [x + 0.5, y + 0.5, water ? -8 : type === "CausewayWide" ? 4 : 0],
                                                flags: water ? ["immobile", "nowalk"] : ["immobile"]});
    }
  }

// ---- the keep ---------------------------------------------------------------------------------------

// Walls are courses of masonry, one above the other.
function course(type, x, y, from, to, step = 16) {
  for (let z = from; z <= to; z += step) add(type, {at: [x + 0.5, y + 0.5, z], flags: ["immobile", "nowalk"]});
}
const gate = (x, y) => y >= 15 && y < 17 && (x === 17 || x === 34);
for (let y = 7; y < 25; y++)
  for (let x = 17; x < 35; x++) {
    const rim = x === 17 || x === 34 || y === 7 || y === 24, corner = (x < 19 || x > 32) && (y < 9 || y > 22);
    if (corner) course("BastionA", x, y, 16, 144, 32);
    else if (rim && gate(x, y)) course("RampartOld", x, y, 80, 96);
    else if (rim) course("RampartOld", x, y, 16, 96, 40);
  }
for (let y = 12; y < 20; y++)
  for (let x = 23; x < 30; x++) {
    const rim = x === 23 || x === 29 || y === 12 || y === 19, door = x === 23 && (y === 15 || y === 16);
    if (rim && !door) course("Stone1", x, y, 16, 128, 56);
    if (inside(x, y, 27, 13, 29, 15)) course("BastionA", x, y, 144, 208, 64);
  }

// ---- what lives and stands there --------------------------------------------------------------------

const torch = [255, 176, 84, 200, 40];
for (const [x, y] of [[16.6, 14.6], [16.6, 17.4], [35.4, 14.6], [35.4, 17.4], [22.6, 14.6], [22.6, 17.4]])
  add("Torch", {at: [x, y, 48], flags: ["immobile", "light", "animate"], light: torch});
for (const [x, y] of [[20.5, 10], [31.5, 10], [20.5, 22], [31.5, 22]])
  add("Brazier", {at: [x, y, 0], flags: ["immobile", "light", "pulse"], light: [255, 120, 60, 255, 60, 32]});
add("Lantern", {name: "Study Lantern", at: [26, 14, 20], flags: ["immobile", "light"], light: [140, 190, 255, 180, 28]});
add("Lantern", {name: "Ferry Lantern", at: [10.6, 22.5, 24], flags: ["immobile", "light"], light: [120, 255, 200, 160, 28]});

add("Warden", {name: "Aldis the Warden", at: [27, 16, 0], facing: 192, flags: ["ai", "complex", "invulnerable"],
               stats: {HLTH: 200, WAKE: 16, TEMP: 6},
               inventory: [["Warden's Sword", {flags: ["animate"]}], ["Cellar Key", {name: "Key with a Bent Tooth"}],
                           ["Farthings", {stats: {AMNT: 240}}]]});
add("Guard", {name: "Brusk", at: [18.5, 14.5, 0], facing: 192, flags: ["ai"], group: 1, stats: {HLTH: 95}, inventory: [["Billhook"]]});
add("Guard", {name: "Tolly", at: [18.5, 17.5, 0], facing: 192, flags: ["ai"], group: 1, stats: {TEMP: 9}, inventory: [["Billhook"], ["Loaf"]]});
add("Guard", {name: "Old Wen", at: [32.5, 16, 0], facing: 64, flags: ["ai"], group: 1, root_state: "asleep", stats: {WAKE: 1}});
add("Smith", {name: "Marrah", at: [43, 6.5, 0], facing: 128, flags: ["ai"], stats: {HLTH: 130}});
add("Weaver", {name: "Pell", at: [44.5, 14, 0], facing: 10, flags: ["ai"]});
add("Ferryman", {name: "Odo", at: [10.8, 23, 0], facing: 160, flags: ["ai"], inventory: [["Farthings", {stats: {AMNT: 12}}]]});
add("Heron", {at: [6.2, 4.5, 0], facing: 70, flags: ["ai", "nocollision"]});
add("Heron", {at: [8.6, 28, 0], facing: 200, flags: ["ai", "nocollision"]});

add("Gate", {name: "To_West_Road", at: [0.6, 15.8, 0], flags: ["immobile", "notify"], exit_flags: 1});
add("Gate", {name: "To_East_Woods", at: [47.4, 20, 0], flags: ["immobile", "notify"], exit_flags: 1});
add("Trapdoor", {name: "To_Cellar", at: [24.8, 18.2, 0], flags: ["immobile"], exit_flags: 0});

add("Iron Chest", {name: "Warden's Chest", at: [28.3, 18.3, 0], flags: [], stats: {LOCK: 1, PICK: 60},
                   inventory: [["Farthings", {stats: {AMNT: 900}}],
                               ["Letter", {name: "Unsent Letter", text: "The beck rises. Send no more carts by the west road."}],
                               ["Sack", {name: "Small Sack", inventory: [["Honey Cake"], ["Honey Cake"], ["Cellar Key"]]}]]});
add("Cupboard", {at: [45.8, 13, 0], flags: ["immobile"], inventory: [["Loaf"], ["Loaf"], ["Lantern", {flags: []}]]});
add("Sack", {at: [42.4, 23.5, 0], flags: []});
add("Loose Flagstone", {at: [25.5, 16.5, 0], flags: ["immobile", "invisible"]});
add("Anvil", {at: [42.2, 7.5, 0], flags: ["immobile"]});
add("Loom", {at: [44.5, 16.5, 0], flags: ["immobile"]});
add("Bucket", {at: [20, 19, 0]});
for (const [x, y] of [[31, 20], [31.5, 20.5], [32, 20], [20.5, 12]]) add("Barrel", {at: [x, y, 0], flags: ["immobile"]});

// huts
for (const [x0, y0, x1, y1, door] of [[41, 5, 45, 9, "41,7"], [42, 12, 47, 19, "42,15"]])
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++)
      if ((x === x0 || x === x1 - 1 || y === y0 || y === y1 - 1) && `${x},${y}` !== door) course("PalisadeA", x, y, 16, 56, 40);

// woods: crowns side by side, some higher than others
for (let y = 0; y < HIGH; y++)
  for (let x = 0; x < WIDE; x++) {
    const deep = Math.max(y < 5 && x > 11 ? 5 - y : 0, x < 4 ? 4 - x : 0, y > 27 && x > 12 && x < 37 ? y - 27 : 0);
    if (!deep || groundAt(x, y) !== "meadow" || random() > 0.4 + deep * 0.15) continue;
    const high = Math.sin(x * 0.9 + y * 2.1) > 0;
    add(high ? "TreeBig" : "BrambleWide", {at: [x + 0.5, y + 0.5, high ? 56 : 32], flags: ["immobile"]});
  }
// single trees where nothing else is
for (let i = 0; i < 700; i++) {
  const x = random() * WIDE, y = random() * HIGH, far = Math.hypot(x - 26, y - 16);
  const near = [[0, 0], [0.4, 0], [-0.4, 0], [0, 0.4], [0, -0.4]].map(([u, v]) => groundAt(Math.floor(x + u), Math.floor(y + v)));
  if (far < 14 || near.some(g => g !== "meadow") || random() > 0.15) continue;
  add(["Birch1", "HollyBig"][between(0, 2)], {at: [x, y, between(0, 3) * 8], flags: ["immobile"]});
}
for (let y = 1; y < HIGH; y += 0.7)
  for (const side of [-0.35, 3.3])
    if (random() < 0.75 && groundAt(Math.floor(beckAt(Math.floor(y)) + side), Math.floor(y)) === "meadow")
      add("Rushes", {at: [beckAt(Math.floor(y)) + side + random() * 0.1, y + random() * 0.3, 0], flags: ["immobile"]});

// ---- sectors ----------------------------------------------------------------------------------------

// The bytes of a person as the hash has them: without what is carried.
function bytesOf(o) {
  const bytes = [];
  const put = size => (...values) => values.forEach(v => { for (let i = 0; i < size; i++) bytes.push(Math.floor(v / 2 ** (8 * i)) & 255); });
  const [u8, i16, i32] = [put(1), put(2), put(4)];
  const string = (s, high) => u8(s.length, ...[...s].map(c => c.charCodeAt(0) | high));
  u8(o.complex_version, o.instance_version);
  string(o.name, 0x80);
  i32(o.flags, ...o.position, ...o.velocity);
  i16(o.state, o.inventory_number, o.inventory_index);
  i32(o.shadow);
  u8(o.rotation_x, o.rotation_y, o.rotation_z);
  i32(o.map_index);
  u8(o.group, o.stats.length);
  for (const stat of o.stats) {
    i32(stat.value);
    u8(...[...stat.id].map(c => c.charCodeAt(0) | 0x80));
  }
  u8(o.action);
  string(o.root_state, 0);
  i32(...o.recovery_times, o.last_poison, ...o.teleport_position, o.teleport_level);
  const body = bytes.splice(0);
  i16(o.object_version, classNumber[o.class]);
  i32(o.unique_id);
  i16(body.length, 0);
  return [...bytes, ...body];
}
// Adler-32 whose bytes have signs and whose sums wrap.
function stateHash(numbers, people) {
  let a = 1, b = 0;
  const piece = bytes => {
    for (let at = 0; at < bytes.length; at += 5552) {
      for (const byte of bytes.slice(at, at + 5552)) {
        a = a + (byte << 24 >> 24) >>> 0;
        b = b + a >>> 0;
      }
      a %= 65521;
      b %= 65521;
    }
  };
  numbers.forEach(n => piece([n & 255, n >> 8 & 255, n >> 16 & 255, n >> 24 & 255]));
  people.map(bytesOf).forEach(piece);
  return ((b << 16 | a) >>> 0) || 0xf0f0f0f0;
}
const directory = process.argv[2] ?? ".";
mkdirSync(directory, {recursive: true});
for (let sy = FIRST[1]; sy < FIRST[1] + SECTORS[1]; sy++)
  for (let sx = FIRST[0]; sx < FIRST[0] + SECTORS[0]; sx++) {
    const list = objects.filter(o => o.position[0] >> 10 === sx && o.position[1] >> 10 === sy);
    list.push({object_version: -1}, {object_version: -1}); // empty slots, as editors leave them
    const people = list.filter(o => o.class === "character");
    const head = {$format: "revenant-sector", version: 15, state_hash: stateHash([LEVEL, sx, sy, list.length], people)};
    const lines = list.map(o => JSON.stringify(o)).join(",\n");
    writeFileSync(`${directory}/${LEVEL}_${sx}_${sy}.json`, `${JSON.stringify(head).slice(0, -1)},"objects":[\n${lines}]}\n`);
  }
writeFileSync(`${directory}/class.def`, text);
writeFileSync(`${directory}/exit.def`, ["To_West_Road (13200, 10900, 0) level 3 mapindex 0 ambient 12 (255, 240, 220)",
  "To_East_Woods (10300, 11500, 0) level 8 mapindex 0 ambient 8 (200, 255, 210)",
  "To_Cellar (10752, 10752, 0) level 9 mapindex 0 ambient 2 (120, 120, 160)", ""].join("\r\n"));
