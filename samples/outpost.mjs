// SPDX-License-Identifier: MIT
// Makes samples/outpost.json, the sample level: node samples/outpost.mjs > samples/outpost.json
import {GAME, LIGHTS, entity, light, place, printLevel, prop, property, text, zonesOf} from "./zones.mjs";

const zones = zonesOf([
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
]);

const materials = ["materials/outpost/floor.material", "materials/outpost/ceiling.material",
                   "materials/outpost/wall.material", "materials/outpost/trim.material"];

const crate = (x, y, z, yaw) => prop("generic/crate_01", x, y, z, yaw);
const barrel = (x, y, z) => prop("generic/barrel_01", x, y, z);
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

printLevel(zones, materials, objects);
