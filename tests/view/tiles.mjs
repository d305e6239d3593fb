// SPDX-License-Identifier: MIT
// Opens the page that `render --tiles` writes in headless Chromium:  node tiles.mjs SECONDS DIR PICTURE.png [WIDTHxHEIGHT]
// Fits the level, zooms in by the wheel over its first name, moves by a key, zooms by two fingers and hides the names;
// checks which tiles and names are shown each time and that no name covers another, and writes the view after zooming.
// Exit status 1 if a check fails.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const flags = ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--disable-gpu'];

// Runs in the page, after its own script, whose names are visible.
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
  names: labels.filter((one) => one.label).length, first: Boolean(labels[0]?.label), covered: covered(), scale,
  window: [map.clientWidth, map.clientHeight], text: document.getElementById('count').textContent});
// Pairs of names that cover each other, or the bar, as the browser has laid them out.
function covered() {
  const boxes = [...map.querySelectorAll('span'), bar].map((one) => one.getBoundingClientRect());
  const both = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > .5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > .5;
  return boxes.reduce((sum, a, i) => sum + boxes.slice(0, i).filter((b) => both(a, b)).length, 0);
}
const touch = (type, id, x, y) => map.dispatchEvent(new PointerEvent(type,
  {pointerId: id, pointerType: 'touch', clientX: x, clientY: y, buttons: type === 'pointerup' ? 0 : 1, bubbles: true}));
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
    if (one.label) {
      const box = one.label.getBoundingClientRect(), style = getComputedStyle(one.label);
      to.fillStyle = style.backgroundColor;
      to.fillRect(box.left, box.top, box.width, box.height);
      to.fillStyle = style.color;
      to.fillText(one.label.textContent, (box.left + box.right) / 2, box.bottom - 4);
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
  touch('pointerdown', 1, 100, 200);
  touch('pointerdown', 2, 200, 200);
  const [held, wide] = [left + 100 / scale, scale];
  touch('pointermove', 2, 150, 200);
  result.pinched = {scale: scale / wide, held: (left + 100 / scale - held) * scale};
  touch('pointerup', 2, 150, 200);
  touch('pointermove', 1, 130, 200);
  result.pinched.moved = (held - left - 100 / scale) * scale;
  touch('pointerup', 1, 130, 200);
  names.click();
  await loaded();
  result.nameless = seen();
  await fetch('/result', {method: 'POST', body: JSON.stringify(result)});
})().catch((error) => fetch('/error', {method: 'POST', body: String(error.stack ?? error)}));
`;

// The page's policy is kept, but admits the probe and its messages as well.
function withProbe(page) {
  const sum = createHash('sha256').update(probe).digest('base64');
  return page.replace('script-src ', `connect-src 'self'; script-src 'sha256-${sum}' `)
    .replace('</script>\n</body>', () => `</script>\n<script>${probe}</script>\n</body>`);
}

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
      const html = name === '/' || name === '/index.html';
      let bytes = name === '/' ? frame : await readFile(path.join(directory, path.normalize(name)));
      if (name === '/index.html') bytes = withProbe(bytes.toString());
      response.writeHead(200, { 'content-type': html ? 'text/html' : 'image/png' });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const [seconds, directory, picture, size = '1000x700'] = process.argv.slice(2);
if (!(Number(seconds) > 0) || !picture || !/^\d+x\d+$/.test(size)) {
  console.error('usage: node tiles.mjs SECONDS DIR PICTURE.png [WIDTHxHEIGHT]');
  process.exit(2);
}
const [width, height] = size.split('x').map(Number);
// Chromium's own window cannot be as narrow as a phone's.
const frame = `<!DOCTYPE html><body style="margin: 0"><iframe src="/index.html"
  style="border: 0; width: ${width}px; height: ${height}px"></iframe>`;
const profile = await mkdtemp(path.join(tmpdir(), 'tiles-'));
let finish, seen;
const end = new Promise((resolve) => (finish = resolve));
const server = await serve(directory, (name, bytes) => {
  if (name === '/picture') seen = bytes;
  else finish(name === '/result' ? { result: JSON.parse(bytes) } : { error: bytes.toString() });
});
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = spawn('chromium', [...flags, `--window-size=${Math.max(width, 600)},${height + 200}`, `--user-data-dir=${profile}`, address], { stdio: 'ignore', detached: true });
browser.on('error', (error) => finish({ error: error.message }));
const timer = setTimeout(() => finish({ error: `no result within ${seconds} s` }), seconds * 1000);
const { result, error } = await end;
clearTimeout(timer);
try {
  process.kill(-browser.pid, 'SIGKILL'); // it and its children
} catch {
  // it has ended on its own
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
  const { level, fitted, zoomed, moved, pinched, nameless } = result;
  must(fitted.tiles > 0, 'no tile of the whole level is shown');
  must(fitted.window.join('x') === size, `the window has ${fitted.window.join('x')} pixels`);
  must(!level.names || fitted.names > 0, 'no name of the whole level is shown');
  must(fitted.names === level.names || fitted.text === `${fitted.names} of ${level.names} names`, 'names that are left out are not counted');
  must(fitted.covered === 0 && zoomed.covered === 0, 'a name covers another');
  must(zoomed.scale >= 1 && zoomed.zooms.length === 1 && zoomed.zooms[0] === level.last, 'zooming in shows other tiles');
  must(zoomed.tiles > 0, 'no tile of full size is shown');
  must(!level.names || zoomed.first, 'the name that was zoomed to is not shown');
  must(Math.abs(moved - 100) < 1, 'the key does not move the level');
  must(Math.abs(pinched.scale - .5) < .01 && Math.abs(pinched.held) < 1 && Math.abs(pinched.moved - 30) < 1,
    'two fingers, or the one that stays, do not hold the level');
  must(nameless.names === 0, 'names are shown although they are switched off');
}
for (const text of wrong) console.error(`${directory}: ${text}`);
process.exitCode = wrong.length ? 1 : 0;
