// SPDX-License-Identifier: MIT
// Draws .glb files with three.js in headless Chromium:  node view.mjs SECONDS FILE.glb FILE.png [FILE.glb FILE.png]...
// Each file gets a browser of its own and that many seconds, from its start to the picture. Exit status 1 if one
// fails.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const flags = [
  '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', // WebGL without a graphics card
];
const types = { '.html': 'text/html', '.js': 'text/javascript', '.glb': 'model/gltf-binary' };

// The page, three.js and the model; the page posts its result.
function serve(model, done) {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname;
    if (request.method === 'POST') {
      const parts = [];
      for await (const part of request) parts.push(part);
      response.end();
      done(name, Buffer.concat(parts));
      return;
    }
    const file =
      name === '/' ? path.join(here, 'view.html')
      : name === '/model.glb' ? model
      : name.startsWith('/three/') ? path.join(here, 'node_modules', path.normalize(name))
      : null;
    try {
      const bytes = await readFile(file);
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function view(model, picture, seconds) {
  const profile = await mkdtemp(path.join(tmpdir(), 'view-'));
  let finish;
  const result = new Promise((resolve) => (finish = resolve));
  const server = await serve(model, (name, bytes) =>
    finish(name === '/picture' ? { bytes } : { error: bytes.toString() }));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const browser = spawn('chromium', [...flags, `--user-data-dir=${profile}`, address], { stdio: 'ignore', detached: true });
  browser.on('error', (error) => finish({ error: error.message }));
  const timer = setTimeout(() => finish({ error: `no picture within ${seconds} s` }), seconds * 1000);
  const began = Date.now();
  const { bytes, error } = await result;
  clearTimeout(timer);
  try {
    process.kill(-browser.pid, 'SIGKILL'); // it and its children
  } catch {
    // it has ended on its own
  }
  server.closeAllConnections();
  server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  if (error) throw new Error(error);
  await writeFile(picture, bytes);
  return (Date.now() - began) / 1000;
}

const [seconds, ...files] = process.argv.slice(2);
if (!(Number(seconds) > 0) || !files.length || files.length % 2) {
  console.error('usage: node view.mjs SECONDS FILE.glb FILE.png [FILE.glb FILE.png]...');
  process.exit(2);
}
for (let i = 0; i < files.length; i += 2) {
  try {
    const took = await view(files[i], files[i + 1], Number(seconds));
    console.log(`${files[i]}: drawn after ${took.toFixed(1)} s`);
  } catch (error) {
    console.error(`${files[i]}: ${error.message}`);
    process.exitCode = 1;
  }
}
