// SPDX-License-Identifier: MIT
// Lists the entities of a level, and saves a copy in which the first of a class has moved up by a metre:
//   node entities.mjs maps/a.level [CLASS OUT.level]
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { open } from 'mapstone';

const [file = '', wanted, out] = process.argv.slice(2);
const level = await open(await readFile(file), { name: basename(file) });
for (const { path, className, name, world } of level.entities())
    console.log(path, className, name, world.map((metres) => metres.toFixed(2)).join(' '));
const one = level.entities().find(({ className }) => className === wanted);
if (one && out) {
    const { changes } = level.edit(`move ${one.path} by 0,1,0`);
    console.log(changes);
    await writeFile(out, level.save());
}
level.close();
