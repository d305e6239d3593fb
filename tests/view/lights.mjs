// SPDX-License-Identifier: MIT
// The sample level with N additional lights in a grid over it, as JSON:
//   node lights.mjs N <samples/outpost.json
import { readFileSync } from 'node:fs';

const level = JSON.parse(readFileSync(0));
const pattern = JSON.stringify(level.objects.find((object) => object.class_name === 'light_point'));
const count = Number(process.argv[2]);
const side = Math.ceil(Math.sqrt(count));
for (let i = 0; i < count; i++) {
  const light = JSON.parse(pattern);
  const origin = light.properties.find((property) => property.name === 'origin');
  origin.value = [-20 + (67 * (i % side)) / side, 3, -28 + (66 * Math.floor(i / side)) / side];
  level.objects.push(light);
}
process.stdout.write(JSON.stringify(level));
