// SPDX-License-Identifier: MIT
// Opens the page that `render --tiles` writes in headless Chromium:  node tiles.mjs SECONDS DIR PICTURE.png
// Fits the level, zooms in by the wheel over its first name, moves by a key and hides the names; checks which tiles
// and names are shown each time, and writes what is seen after zooming. Exit status 1 if anything is not as it should be.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const flags = ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--disable-gpu', '--window-size=1000,700'];

// Runs in the page, after its own script, whose names it sees.
const probe = `
const frames = (n) => new Promise((done) => { const next = () => n-- ? requestAnimationFrame(next) : done(); next(); });
const loaded = async () => {
  await frames(3);
  await Promise.all([...tiles.values()].map((tile) => tile.complete ? null
    : new Promise((done) => { tile.addEventListener('load', done); tile.addEventListener('error', done); })));
  await frames(2);
};
const seen = () => ({
  zooms: [...new Set([...tiles.keys()].map((key) => Number(key.split('/')[0])))],
  tiles: [...tiles.values()].filter((tile) => tile.naturalWidth).length,
  names: labels.filter((one) => !one.label.hidden).length, scale});
async function picture() {
  const canvas = document.createElement('canvas');
  canvas.width = map.clientWidth;
  canvas.height = map.clientHeight;
  const to = canvas.getContext('2d');
  to.imageSmoothingEnabled = false;
  for (const tile of tiles.values())
    if (tile.naturalWidth)
      to.drawImage(tile, parseFloat(tile.style.left), parseFloat(tile.style.top), parseFloat(tile.style.width),
        parseFloat(tile.style.height));
  to.font = '12px sans-serif';
  to.textAlign = 'center';
  for (const one of labels)
    if (!one.label.hidden) {
      to.fillStyle = getComputedStyle(one.label).color;
      to.fillText(one.label.textContent, parseFloat(one.label.style.left), parseFloat(one.label.style.top) - 4);
    }
  return new Promise((done) => canvas.toBlob(done));
}
(async () => {
  const result = {level: {width: level.width, height: level.height, last: level.last, names: level.labels.length}};
  await loaded();
  result.fitted = seen();
  const first = labels[0] ?? {x: level.width / 2, y: level.height / 2};
  for (let i = 0; i < 12 && scale < 1; i++) {
    map.dispatchEvent(new WheelEvent('wheel', {deltaY: -400, cancelable: true,
      clientX: (first.x - left) * scale, clientY: (first.y - top_) * scale}));
    await frames(2);
  }
  await loaded();
  result.zoomed = seen();
  await fetch('/picture', {method: 'POST', body: await picture()});
  const before = left;
  dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
  await loaded();
  result.moved = (left - before) * scale;
  names.click();
  await loaded();
  result.nameless = seen();
  await fetch('/result', {method: 'POST', body: JSON.stringify(result)});
})().catch((error) => fetch('/error', {method: 'POST', body: String(error.stack ?? error)}));
`;

function serve(directory, done) {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    if (request.method === 'POST') {
      const parts = [];
      for await (const part of request) parts.push(part);
      response.end();
      done(name, Buffer.concat(parts));
      return;
    }
    try {
      let bytes = await readFile(path.join(directory, path.normalize(name === '/' ? '/index.html' : name)));
      if (name === '/') bytes = bytes.toString().replace('</script>\n</body>', () => `${probe}</script>\n</body>`);
      response.writeHead(200, { 'content-type': name === '/' ? 'text/html' : 'image/png' });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const [seconds, directory, picture] = process.argv.slice(2);
if (!(Number(seconds) > 0) || !picture) {
  console.error('usage: node tiles.mjs SECONDS DIR PICTURE.png');
  process.exit(2);
}
const profile = await mkdtemp(path.join(tmpdir(), 'tiles-'));
let finish, seen;
const end = new Promise((resolve) => (finish = resolve));
const server = await serve(directory, (name, bytes) => {
  if (name === '/picture') seen = bytes;
  else finish(name === '/result' ? { result: JSON.parse(bytes) } : { error: bytes.toString() });
});
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = spawn('chromium', [...flags, `--user-data-dir=${profile}`, address], { stdio: 'ignore', detached: true });
browser.on('error', (error) => finish({ error: error.message }));
const timer = setTimeout(() => finish({ error: `no result within ${seconds} s` }), seconds * 1000);
const { result, error } = await end;
clearTimeout(timer);
try {
  process.kill(-browser.pid, 'SIGKILL'); // it and its children
} catch {
  // it has ended by itself
}
server.closeAllConnections();
server.close();
await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
const wrong = [];
const must = (fact, text) => fact || wrong.push(text);
if (error) {
  wrong.push(error);
} else {
  await writeFile(picture, seen);
  console.log(JSON.stringify(result));
  const { level, fitted, zoomed, moved, nameless } = result;
  must(fitted.tiles > 0, 'no tile of the whole level is shown');
  must(fitted.names === level.names, 'not all names of the whole level are shown');
  must(zoomed.scale >= 1 && zoomed.zooms.length === 1 && zoomed.zooms[0] === level.last, 'zooming in shows other tiles');
  must(zoomed.tiles > 0, 'no tile of full size is shown');
  must(!level.names || (zoomed.names > 0 && zoomed.names <= level.names), 'the name that was zoomed to is not shown');
  must(Math.abs(moved - 100) < 1, 'the key does not move the level');
  must(nameless.names === 0, 'names are shown although they are switched off');
}
for (const text of wrong) console.error(`${directory}: ${text}`);
process.exitCode = wrong.length ? 1 : 0;
