// SPDX-License-Identifier: MIT
// Lines of JSON for readers that look at the first 20,480 rows: versions.mjs COMMAND WORK FILE-OR-DIRECTORY... For each
// format the file with the fewest columns is first, with 20,500 rows, then all others; and the reverse. DuckDB must read
// them with its defaults, and have every value that is not null.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [command, work, ...operands] = process.argv.slice(2);
const FIRST = 20500;
let passed = 0, failed = 0;

const database = await DuckDBInstance.create(':memory:');
const db = await database.connect();
const number = async (sql) => Number((await db.runAndReadAll(sql)).getRows()[0][0]);
function mapstone(...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
  } catch (error) {
    if (error.status === 4) return error.stdout; // damaged files were left out
    throw error;
  }
}

function look(path, options) {
  let text;
  try {
    text = mapstone('table', '-q', ...options, path);
  } catch {
    return null; // it has no list at all
  }
  const keys = new Set();
  let values = 0, rows = 0;
  for (const line of text.split('\n')) {
    if (!line) continue;
    rows++;
    for (const [key, value] of Object.entries(JSON.parse(line)))
      if (value !== null) { keys.add(key); values++; }
  }
  return { path, text, rows, values, keys };
}

async function read(what, files) {
  const path = join(work, 'versions.jsonl'), out = openSync(path, 'w');
  const keys = new Set();
  let values = 0;
  files.forEach((file, i) => {
    const times = i ? 1 : Math.ceil(FIRST / file.rows);
    for (let k = 0; k < times; k++) writeSync(out, file.text);
    values += file.values * times;
    file.keys.forEach((key) => keys.add(key));
  });
  closeSync(out);
  try {
    await db.run(`CREATE OR REPLACE TABLE v AS SELECT * FROM '${path}'`);
    await db.run(`COPY v TO '${path}.parquet' (FORMAT parquet)`);
    const terms = [...keys].map((key) => `count("${key.replaceAll('"', '""')}")`);
    const found = await number(`SELECT ${terms.join(' + ')} FROM v`);
    if (found !== values) throw new Error(`${found} of ${values} values`);
    passed++;
  } catch (error) {
    failed++;
    console.log(`not ok ${what}: ${error.message.slice(0, 500)}`);
  }
}

// Texts that look like something else, as the only ones of the first rows. DuckDB's defaults take some for dates or UUIDs, so those
// are read with the columns obtained as the page describes.
const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'data.md'), 'utf8');
const recipe = /^columns=\$\((.*)\)$/m.exec(page)[1].replace(/^mapstone/, '"$0"');
const columns = execFileSync('bash', ['-c', recipe, command], { encoding: 'utf8' }).trim();
const object = (name) => ({ has_layers: false, group: 0, class_name: name, extras: [], properties: [{ name: 'name', type: 'string', animated: false, value: [name] }] });

function rowsOfMade(name, options) {
  const json = join(work, 'look.json'), level = join(work, 'look.level');
  const mesh = { triangles: { ghost_vertices: [], smoothed_normals: [], triangle_count: 0, faces: [] } };
  writeFileSync(json, JSON.stringify({ $format: 'ns2-level', version: 10, mesh, objects: [object(name)] }));
  mapstone('convert', '-q', '--lenient', '--force', json, '-o', level);
  return mapstone('table', '-q', ...options, level);
}

async function lookAlike(text, options, how) {
  const path = join(work, 'look.ndjson'), kind = options.length ? 'class' : 'class_name';
  writeFileSync(path, rowsOfMade(text, options).repeat(FIRST) + rowsOfMade('plain', options));
  try {
    const from = `FROM read_json('${path}'${how})`;
    const found = await number(`SELECT count(*) FILTER (${kind} = '${text}') * 10 + count(*) FILTER (${kind} = 'plain') ${from}`);
    if (found !== FIRST * 10 + 1) throw new Error(`${found}`);
    passed++;
  } catch (error) {
    failed++;
    console.log(`not ok ${text} ${options.join(' ')}: ${error.message.slice(0, 300)}`);
  }
}

const entity = ['--relation', 'entity', '--to', 'ndjson'];
for (const text of ['16+216', '123', '-1.5', '1e5', '0x10', 'true', 'null', 'nan', 'NaN'])
  for (const options of [[], entity]) await lookAlike(text, options, '');
for (const text of ['2024-01-01', '1-1-1', '12:30:00', '2024-01-01T10:00:00Z', '550e8400-e29b-41d4-a716-446655440000', 'Infinity'])
  await lookAlike(text, entity, `, columns={${columns}}`);

const list = join(work, 'versions.files');
mapstone('table', '-q', '--relation', 'file', '--to', 'ndjson', '-o', list, ...operands);
const byFormat = new Map();
for (const line of readFileSync(list, 'utf8').trim().split('\n')) {
  const { format, name } = JSON.parse(line);
  byFormat.set(format, [...(byFormat.get(format) ?? []), name]);
}
for (const [format, names] of byFormat)
  for (const options of [[], ['--relation', 'entity'], ['--relation', 'record']]) {
    const files = names.map((name) => look(name, options)).filter((file) => file?.rows);
    if (!files.length) continue;
    files.sort((a, b) => a.keys.size - b.keys.size);
    const what = `${format} ${options.join(' ')}`;
    await read(`${what}, fewest columns first`, files);
    await read(`${what}, most columns first`, files.reverse());
  }
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
