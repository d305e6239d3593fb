// SPDX-License-Identifier: MIT
// Fails if a PNG (8 bits, RGB or RGBA) is blank:  node picture-check.mjs FILE [MIN_PERCENT]
// At least MIN_PERCENT (1) of the pixels must differ visibly from the one at the top left.
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const [file, minimum = '1'] = process.argv.slice(2);
const bytes = readFileSync(file);
if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error(`${file}: not a PNG`);
let width, height, channels;
const parts = [];
for (let at = 8; at < bytes.length; ) {
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  const data = bytes.subarray(at + 8, at + 8 + size);
  if (type === 'IHDR') {
    width = data.readUInt32BE(0);
    height = data.readUInt32BE(4);
    channels = { 2: 3, 6: 4 }[data[9]];
    if (data[8] !== 8 || !channels || data[12]) throw new Error(`${file}: not 8 bit RGB or RGBA`);
  } else if (type === 'IDAT') parts.push(data);
  at += size + 12;
}

const raw = inflateSync(Buffer.concat(parts));
const stride = width * channels;
let above = new Uint8Array(stride);
let differ = 0;
let corner;
for (let y = 0; y < height; y++) {
  const filter = raw[y * (stride + 1)];
  const row = new Uint8Array(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
  for (let i = 0; i < stride; i++) {
    const left = i >= channels ? row[i - channels] : 0;
    const up = above[i];
    const corner = i >= channels ? above[i - channels] : 0;
    const p = left + up - corner;
    const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
    const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
    row[i] += [0, left, up, (left + up) >> 1, paeth][filter];
  }
  corner ??= row.slice(0, channels);
  for (let x = 0; x < width; x++)
    for (let k = 0; k < channels; k++)
      if (Math.abs(row[x * channels + k] - corner[k]) > 8) {
        differ++;
        break;
      }
  above = row;
}
const percent = (100 * differ) / (width * height);
console.log(`${file}: ${width} x ${height}, ${percent.toFixed(1)} % of the pixels differ from the background`);
process.exitCode = percent >= Number(minimum) ? 0 : 1;
