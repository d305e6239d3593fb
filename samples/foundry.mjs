// SPDX-License-Identifier: MIT
// Makes samples/foundry.json, a level with many props, for pictures: node samples/foundry.mjs > samples/foundry.json
// Its game is samples/outpost-game.
import {GAME, LIGHTS, entity, light, place, printLevel, prop, property, zonesOf} from "./zones.mjs";

const materials = ["plate", "ceiling", "panel", "trim", "floor", "wall", "coolant", "dark"]
  .map(name => `materials/outpost/${name}.material`);
const [PLATE, CEILING, PANEL, TRIM, FLOOR, WALL, COOLANT, DARK] = materials.keys();
const hall = [PLATE, CEILING, PANEL, TRIM], room = [FLOOR, CEILING, WALL, DARK], pool = [COOLANT, CEILING, DARK, DARK];

const zones = zonesOf([
  // name, x0, z0, x1, z1, floor, ceiling, look
  ["Gallery", 0, 0, 17, 3, 2, 8, hall],
  ...[0, 1, 2, 3].map(i => ["Stairs", 17, 3 + i, 20, 4 + i, 1.6 - 0.4 * i, 8, hall]),
  ["Gallery", 17, 0, 20, 3, 2, 8, hall],
  ["Furnace", 0, 3, 5, 18, 0, 8, hall], ["Furnace", 5, 3, 15, 5.5, 0, 8, hall], ["Furnace", 5, 14.5, 15, 18, 0, 8, hall],
  ["Furnace", 15, 3, 17, 18, 0, 8, hall], ["Furnace", 17, 7, 20, 18, 0, 8, hall],
  ["Pool", 5, 5.5, 15, 14.5, -1, 8, pool],
  ["Door", 20, 0.5, 21, 2.5, 2, 4.6, room], ["Control", 21, 0, 31, 8, 2, 6, room],
  ["Door", 20, 12, 21, 15, 0, 3.4, room], ["Storage", 21, 10, 32, 22, 0, 6, room],
  ["Gate", 6, 18, 14, 19, 0, 4.5, hall], ...[0, 1, 2].map(i => ["Steps", 6, 19 + i, 14, 20 + i, -0.4 * (i + 1), 6, hall]),
  ["Dock", 1, 22, 19, 32, -1.2, 6, hall], ["Dock", 1, 19, 6, 22, -1.2, 6, hall], ["Dock", 14, 19, 19, 22, -1.2, 6, hall],
  ["Door", -1, 7, 0, 10, 0, 3.4, room], ["Generator", -11, 2, -1, 16, 0, 6, room],
]);

const QUARTER = Math.PI / 2, TEAL = [0.25, 0.9, 1], WARM = [1, 0.72, 0.4], COLD = [0.6, 0.8, 1], FIRE = [1, 0.42, 0.12],
      ALARM = [1, 0.12, 0.08], PALE = [1, 0.95, 0.85];
const turned = yaw => Number(yaw.toFixed(6));
// A lamp on a wall shines into the room; at yaw 0 it hangs on a wall at low z.
const lamp = (x, y, z, yaw, color, range = 7, power = 5) => {
  const [dx, dz] = [Math.round(Math.sin(yaw)), Math.round(Math.cos(yaw))];
  return [prop("outpost/lamp_01", x, y, z, turned(yaw)), light(x + 0.5 * dx, y, z + 0.5 * dz, color, range, power)];
};
const row = (count, make) => Array.from({length: count}, (_, i) => make(i)).flat();

const objects = [
  // the furnace over its pool, bridges to it, pillars around
  prop("outpost/furnace_01", 10, -1, 10), light(10, 4.5, 10, FIRE, 13, 9), light(10, 1, 12.6, FIRE, 6, 6),
  prop("outpost/walkway_01", 6.25, 0, 10, turned(QUARTER)), prop("outpost/walkway_01", 13.75, 0, 10, turned(QUARTER)),
  prop("outpost/walkway_01", 10, 0, 6.75), prop("outpost/walkway_01", 10, 0, 13.25),
  light(6.4, -0.3, 7, TEAL, 5.5, 5), light(13.6, -0.3, 7, TEAL, 5.5, 5), light(6.4, -0.3, 13, TEAL, 5.5, 5),
  light(13.6, -0.3, 13, TEAL, 5.5, 5),
  ...[[3.6, 4.6], [16.4, 4.6], [3.6, 15.6], [16.4, 15.6]].map(([x, z]) => prop("outpost/pillar_01", x, 0, z)),
  ...row(5, i => prop("outpost/railing_01", 1.5 + 3 * i + (i > 2 ? 0.5 : 0), 2, 2.9)),
  ...row(4, i => lamp(2.5 + 4.5 * i, 5.2, 0.05, 0, WARM, 7.5, 6)),
  ...row(3, i => lamp(0.05, 4.6, 4 + 5.5 * i, QUARTER, WARM, 7.5, 6)),
  ...row(5, i => prop("outpost/pipe_01", 2 + 4 * i, 6.6, 0.4)), ...row(5, i => prop("outpost/pipe_01", 2 + 4 * i, 7.2, 0.35)),
  ...row(4, i => prop("outpost/pipe_01", 0.4, 6.6, 2 + 4 * i, turned(QUARTER))),
  prop("outpost/tank_01", 1.5, 0, 16.4), prop("outpost/tank_01", 3.5, 0, 17), prop("generic/barrel_01", 5.4, 0, 17.4),
  prop("generic/barrel_01", 6.1, 0, 16.9), prop("generic/crate_01", 18.8, 0, 9.2, 0.2), prop("generic/crate_01", 18.9, 1, 9.2, 0.5),
  prop("generic/crate_01", 18.6, 0, 10.6, 0.1), prop("outpost/console_01", 1, 2, 0.9, 0), prop("outpost/console_01", 8.6, 2, 0.9, 0),
  // control
  ...row(4, i => prop("outpost/console_01", 22.6 + 2.3 * i, 2, 0.9)),
  ...row(2, i => prop("outpost/console_01", 21.9, 2, 4 + 2.3 * i, turned(QUARTER))), prop("outpost/table_01", 27, 2, 4.6),
  light(27, 3.6, 4.6, TEAL, 5, 6), ...row(3, i => lamp(23 + 3.2 * i, 4.9, 0.05, 0, COLD, 6.5, 5)), light(26, 4.8, 5, COLD, 9, 3),
  // storage
  prop("outpost/container_01", 23.2, 0, 12, 0), prop("outpost/container_02", 26, 0, 12.2, 0), prop("outpost/container_01", 26, 2.4, 12, 0),
  prop("outpost/container_02", 29.8, 0, 14, turned(QUARTER)), prop("outpost/container_01", 29.2, 0, 19.6, turned(QUARTER)),
  ...[[22.4, 20.6], [23.6, 20.8], [22.6, 19.4]].map(([x, z], i) => prop("generic/crate_01", x, 0, z, 0.15 * i)),
  prop("generic/crate_01", 22.9, 1, 20.5, 0.3), ...row(4, i => prop("generic/barrel_01", 25.2 + 0.8 * i, 0, 21.3)),
  ...row(3, i => lamp(23 + 3.6 * i, 4.6, 10.05, 0, PALE, 8, 5)), ...row(3, i => lamp(21.05, 4.6, 11.2 + 5 * i, QUARTER, PALE, 8, 5)),
  light(30.6, 1.6, 21, ALARM, 6, 7),
  // dock
  prop("outpost/container_02", 3.6, -1.2, 25, 0), prop("outpost/container_02", 3.6, 1.2, 25, 0), prop("outpost/container_01", 6.6, -1.2, 24.6, 0),
  prop("outpost/container_01", 16.4, -1.2, 28, turned(QUARTER)), prop("outpost/tank_01", 17.6, -1.2, 20.6), prop("outpost/tank_01", 15.4, -1.2, 20.2),
  ...row(3, i => lamp(1.05, 3, 21 + 4.4 * i, QUARTER, WARM, 8, 5)), ...[[2.8, 19.05], [16.6, 19.05]].flatMap(([x, z]) => lamp(x, 3, z, 0, WARM, 8, 5)),
  ...[[11, 25.2], [12.3, 25], [11.5, 26.4], [8, 30.6], [9.2, 30.4]].map(([x, z], i) => prop("generic/crate_01", x, -1.2, z, 0.12 * i)),
  ...[[13.4, 30.6], [14.1, 30.2], [14.8, 30.7]].map(([x, z]) => prop("generic/barrel_01", x, -1.2, z)), light(10, 2.6, 26, PALE, 11, 4),
  // generator
  ...[[-8.6, 5], [-8.6, 9], [-8.6, 13]].flatMap(([x, z]) => [prop("outpost/generator_01", x, 0, z), light(x + 1.8, 1.6, z, [0.45, 1, 0.35], 5, 6)]),
  ...row(2, i => prop("outpost/pipe_01", -9 + 4 * i, 4.8, 2.4)), ...row(3, i => prop("outpost/pipe_01", -10.6, 4.8, 4 + 4 * i, turned(QUARTER))),
  prop("outpost/console_01", -4, 0, 2.9), prop("outpost/console_01", -1.9, 0, 2.9), ...lamp(-3, 3.8, 2.05, 0, COLD, 7, 4), light(-4, 4.6, 11, COLD, 9, 3),
  ...[[-3, 14.6], [-4.2, 14.8]].map(([x, z]) => prop("generic/barrel_01", x, 0, z)),
  // the game
  place("Furnace", 10, 4, 9, 20, 8, 18), place("Control", 26, 4, 4, 10, 4, 8), place("Storage", 26.5, 3, 16, 11, 6, 12),
  place("Dock", 10, 2, 26, 18, 7, 13), place("Generator", -6, 3, 9, 10, 6, 14),
  entity("tech_point", GAME, [10, -1.2, 28.4], [0, 0, 0], property("teamNumber", "choice", 1)),
  entity("tech_point", GAME, [26, 2, 6.6], [0, 0, 0], property("teamNumber", "choice", 2)),
  entity("resource_point", GAME, [26.4, 0, 17.4], [0, 0, 0]), entity("resource_point", GAME, [-4, 0, 8.5], [0, 0, 0]),
  entity("power_point", GAME, [0.3, 1.4, 12.6], [0, 0, turned(QUARTER)]), entity("ready_room_start", GAME, [10, -1.1, 29.5], [0, 0, turned(2 * QUARTER)]),
  entity("light_ambient", LIGHTS, [10, 4, 12], [0, 0, 0], property("color", "color", [0.5, 0.6, 0.75]),
         property("distance", "distance", 90), property("intensity", "real", 6)),
];

printLevel(zones, materials, objects);
