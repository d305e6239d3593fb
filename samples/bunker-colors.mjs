// SPDX-License-Identifier: MIT
// The palette that the bunker's textures, models and sprites share: 15 ramps of 16 shades, from index 1 on; index 0 is
// transparent.
const ramps = [["steel", 196, 204, 214], ["concrete", 190, 184, 170], ["rust", 196, 120, 72], ["yellow", 250, 206, 60],
  ["black", 60, 60, 66], ["blue", 90, 150, 236], ["green", 96, 220, 130], ["red", 240, 84, 68],
  ["white", 250, 250, 244], ["cyan", 120, 240, 250], ["amber", 255, 170, 60], ["olive", 150, 160, 110],
  ["wood", 186, 146, 96], ["violet", 190, 130, 240], ["teal", 90, 160, 160]];
const rampNumber = Object.fromEntries(ramps.map(([name], i) => [name, i]));
export const colors = [0x7c1f];
for (const [, ...rgb] of ramps)
  for (let shade = 0; shade < 16; shade++) {
    const [r, g, b] = rgb.map(v => Math.min(31, Math.round(v / 255 * 31 * (0.12 + 0.88 * shade / 15))));
    colors.push(r | g << 5 | b << 10);
  }
while (colors.length < 256) colors.push(0);
// The colour of a ramp at a shade from 0 to 1.
export const indexOf = (ramp, shade) => 1 + rampNumber[ramp] * 16 + Math.max(0, Math.min(15, Math.round(shade * 15)));
