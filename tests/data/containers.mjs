// SPDX-License-Identifier: MIT
// The same rows in SQLite, Parquet, lines of JSON and CSV: containers.mjs COMMAND WORK FILE-OR-DIRECTORY...
// DuckDB compares them, both ways and with their types; hyparquet and parquet-wasm count the rows and add the numbers.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import * as arrow from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';

const [command, work, ...operands] = process.argv.slice(2);
const relations = ['file', 'entity', 'property', 'relation', 'asset', 'finding', 'record'];
const TYPES = { int64: 'BIGINT', double: 'DOUBLE', text: 'VARCHAR' };
let passed = 0, failed = 0;

function check(good, what) {
  if (good) passed++;
  else { failed++; console.log(`not ok ${what}`); }
}

const database = await DuckDBInstance.create(':memory:');
const db = await database.connect();
async function rows(sql) {
  return (await db.runAndReadAll(sql)).getRows();
}
async function number(sql) {
  return Number((await rows(sql))[0][0]);
}

function mapstone(...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  } catch (error) {
    if (error.status === 4) return error.stdout; // damaged files were left out
    throw new Error(`mapstone ${args.join(' ')}: ${error.stderr}`);
  }
}

function columnsOf(relation, format) {
  const text = mapstone('spec', ...(format ? [format] : []), '--as', 'table');
  return text.trim().split('\n').slice(1).map((line) => /^1,([^,]+),("(?:[^"]|"")*"|[^,]*),(\w+),/.exec(line))
    .filter((found) => found[1] === relation).map((found) => [found[2].replace(/^"(.*)"$/, '$1'), TYPES[found[3]]]);
}

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
const structOf = (columns) => `{${columns.map(([name, type]) => `${quoted(name)}: '${type}'`).join(', ')}}`;

async function compare(relation, format, files, table) {
  const at = (ending) => join(work, `${relation}.${ending}`);
  const columns = columnsOf(relation, format);
  for (const ending of ['parquet', 'ndjson', 'csv'])
    mapstone('table', '-q', '--relation', relation, '--to', ending, '-o', at(ending), ...files);
  execFileSync('python3', [join(import.meta.dirname, 'sqlite_csv.py'), join(work, 'levels.db'), table, at('sqlite.csv'), ...files]);
  const what = `${relation}${format ? ` of ${format}` : ''}`;
  const readers = {
    parquet: `read_parquet(${quoted(at('parquet'))})`,
    ndjson: `read_json(${quoted(at('ndjson'))}, format='newline_delimited', columns=${structOf(columns)}, maximum_object_size=100000000)`,
    csv: `read_csv(${quoted(at('csv'))}, header=true, delim=',', quote='"', escape='"', allow_quoted_nulls=false, auto_detect=false, max_line_size=100000000, columns=${structOf(columns)})`,
    sqlite: `read_csv(${quoted(at('sqlite.csv'))}, header=true, delim=',', quote='"', escape='"', allow_quoted_nulls=false, auto_detect=false, max_line_size=100000000, columns=${structOf(columns)})`,
  };
  const types = (await rows(`DESCRIBE SELECT * FROM ${readers.parquet}`)).map(([name, type]) => [name, type]);
  check(JSON.stringify(types) === JSON.stringify(columns), `${what}: the types of Parquet are ${JSON.stringify(types)}`);
  await db.run(`CREATE OR REPLACE TABLE p AS SELECT * FROM ${readers.parquet}`);
  const count = await number('SELECT count(*) FROM p');
  for (const other of ['ndjson', 'csv', 'sqlite']) {
    try {
      await db.run(`CREATE OR REPLACE TABLE o AS SELECT * FROM ${readers[other]}`);
      const more = await number('SELECT count(*) FROM (SELECT * FROM p EXCEPT ALL SELECT * FROM o)');
      const less = await number('SELECT count(*) FROM (SELECT * FROM o EXCEPT ALL SELECT * FROM p)');
      check(more === 0 && less === 0, `${what}: ${more} of ${count} rows are not in ${other}, ${less} are only there`);
    } catch (error) {
      check(false, `${what}: DuckDB cannot read ${other}: ${error.message.slice(0, 600)}`);
    }
  }
  // DuckDB's reading of lines of JSON without given types.
  try {
    if (statSync(at('ndjson')).size)
      await db.run(`COPY (SELECT * FROM read_json(${quoted(at('ndjson'))}, maximum_object_size=100000000)) TO ${quoted(at('copy.parquet'))} (FORMAT parquet)`);
    check(true, '');
  } catch (error) {
    check(false, `${what}: DuckDB's defaults refuse the lines of JSON: ${error.message.slice(0, 400)}`);
  }
  await others(what, at('parquet'), columns, count);
  return count;
}

const sum = (values) => values.reduce((total, value) => total + (value == null ? 0 : 1), 0);

// Readers of Parquet that are independent of DuckDB.
async function others(what, path, columns, count) {
  const bytes = readFileSync(path);
  const file = { byteLength: bytes.byteLength, slice: (from, to) => bytes.buffer.slice(bytes.byteOffset + from, bytes.byteOffset + (to ?? bytes.byteLength)) };
  const found = await parquetReadObjects({ file });
  const table = arrow.tableFromIPC(readParquet(new Uint8Array(bytes)).intoIPCStream());
  check(found.length === count && table.numRows === count, `${what}: hyparquet has ${found.length}, parquet-wasm ${table.numRows} of ${count} rows`);
  for (const [name] of columns) {
    const known = await number(`SELECT count("${name}") FROM p`);
    const mine = sum(found.map((row) => row[name])), column = table.getChild(name);
    check(mine === known && column.length - column.nullCount === known, `${what}: values of ${name}: ${known}, hyparquet ${mine}, parquet-wasm ${column.length - column.nullCount}`);
  }
}

mapstone('table', '-q', '--update', '-o', join(work, 'levels.db'), ...operands);
for (const relation of relations.slice(0, 6)) await compare(relation, null, operands, relation);
mapstone('table', '-q', '--relation', 'file', '--to', 'ndjson', '-o', join(work, 'files.ndjson'), ...operands);
const files = readFileSync(join(work, 'files.ndjson'), 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
for (const format of [...new Set(files.map((one) => one.format))]) {
  const names = files.filter((one) => one.format === format).map((one) => one.name);
  await compare('record', format, names, `record_${format.replaceAll('-', '_')}`);
  // the plain table, as before relations were added
  const plain = join(work, 'plain.jsonl');
  const listed = names.filter((name) => { // some have no list at all
    try { return mapstone('table', '-q', name).length; } catch { return false; }
  });
  if (listed.length) mapstone('table', '-q', '-o', plain, ...listed);
  try {
    if (listed.length) await db.run(`COPY (SELECT * FROM read_json(${quoted(plain)}, maximum_object_size=100000000)) TO ${quoted(`${plain}.parquet`)} (FORMAT parquet)`);
    check(true, '');
  } catch (error) {
    check(false, `plain table of ${format}: ${error.message.slice(0, 400)}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
