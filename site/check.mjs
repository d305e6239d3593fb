// SPDX-License-Identifier: MIT
// Follows all links and anchors of the site, and checks its required parts: check.mjs COMMAND SITE
// The last line counts tests.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const [command, site] = process.argv.slice(2);
const run = (...given) => execFileSync(command, given, { encoding: 'utf8', maxBuffer: 1 << 28 });
let passed = 0, failed = 0;
const result = (good, text) => {
    if (good) passed++;
    else failed++;
    if (!good) console.log(`not ok ${text}`);
};

const pages = fs.readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html') && !name.startsWith('view/'));
const texts = new Map(pages.map((name) => [name, fs.readFileSync(path.join(site, name), 'utf8')]));
const anchors = new Map([...texts].map(([name, text]) => [name, [...text.matchAll(/ id="([^"]*)"/g)].map((one) => one[1])]));
for (const [name, text] of texts) {
    result(new Set(anchors.get(name)).size === anchors.get(name).length, `${name}: an anchor occurs twice`);
    result(/<h1[ >]/.test(text) && /<title>[^<]+<\/title>/.test(text), `${name}: no heading or title`);
    result(text.includes('width=device-width'), `${name}: not made for phones`);
    for (const [, tag, attributes] of text.matchAll(/<(a|img|link|script|iframe|source|video)\b([^>]*)>/g)) {
        const address = attributes.match(/\b(?:href|src)="([^"]*)"/)?.[1].replaceAll('&amp;', '&');
        if (address === undefined) continue;
        if (/^[a-z]+:/.test(address)) { // the reader may follow it, but the page must not fetch it
            result(address.startsWith('data:') || (tag === 'a' && address.startsWith('https:')), `${name}: fetches ${address}`);
            continue;
        }
        const [file, anchor] = address.split('#');
        const to = file ? path.posix.normalize(path.posix.join(path.posix.dirname(name), decodeURIComponent(file))) : name;
        result(fs.existsSync(path.join(site, to)), `${name}: ${address} is not there`);
        if (anchor) result(anchors.get(to)?.includes(decodeURIComponent(anchor)), `${name}: ${address}: no such anchor`);
        if (tag === 'img') result(/ alt="[^"]+"/.test(attributes), `${name}: a picture without words: ${address}`);
    }
}

const style = fs.readFileSync(path.join(site, 'style.css'), 'utf8');
result(!/url\(|@import/.test(style) && style.includes('prefers-color-scheme: dark'), 'style.css');
const commands = [...run('help', '--completion', 'fish').matchAll(/-a ['"]?([a-z-]+)['"]? -d/g)].map((one) => one[1]);
result(commands.length >= 20, `commands: ${commands.length}`);
const words = (text) => text.replace(/<[^>]*>/g, ' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
for (const name of commands) result(words(texts.get(`commands/${name}.html`) ?? '').includes(words(run('help', name).replace(/^- /gm, '').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))), `the page of ${name} does not say what its help says`);
for (const name of commands) result(texts.get(`commands/${name}.html`)?.includes(`usage: mapstone ${name}`), `no page of the command ${name}`);
for (const line of run('spec', '--json').split('\n').filter(Boolean)) {
    const { format } = JSON.parse(line), text = texts.get(`formats/${format}.html`);
    result(text?.includes('<h2 id="Codes">') && (text.match(/<tr>/g) ?? []).length > 2, `no page of the format ${format}`);
}
for (const name of fs.readdirSync('include/mapstone')) {
    const text = texts.get(`manual/${name.replace('.h', '.html')}`);
    const functions = [...fs.readFileSync(`include/mapstone/${name}`, 'utf8').matchAll(/^MST_API[^(;]*\b(mst_\w+)\(/gm)].map((one) => one[1]);
    for (const one of functions) result(text?.includes(`${one}(`), `${name}: the manual lacks ${one}`);
    result(text !== undefined, `no page of ${name}`);
}
// the search, with likely queries
const sandbox = vm.createContext({ URLSearchParams });
for (const name of ['search-index.js', 'search.js']) vm.runInContext(fs.readFileSync(path.join(site, name), 'utf8'), sandbox);
const found = (query) => vm.runInContext(`find(globalThis.searchIndex, ${JSON.stringify(query)})`, sandbox).map((one) => one[0]);
for (const address of new Set(found('e').concat(found('a')))) {
    const [file, anchor] = address.split('#');
    result(texts.has(file) && (!anchor || anchors.get(file).includes(anchor)), `the search finds ${address}, which is not there`);
}
for (const [query, wanted] of [['merge', 'commands/merge.html'], ['turok', 'docs/games-turok.html'], ['conflict git', 'docs/git.html'], ['exit code', 'docs/command.html'],
    ['mst_open_file', 'manual/'], ['door lift alien', 'formats/alien-map.html'], ['windows', 'docs/PLATFORMS.html'], ['intensity', 'docs/'], ['render tiles', 'commands/render.html'],
    ['python column', 'docs/python-README.html'], ['TUROK-LINK-ONEWAY', 'formats/turok-map.html'], ['contact sheet', 'docs/']])
    result(found(query).slice(0, 10).some((one) => one.startsWith(wanted)), `the search for '${query}' does not find ${wanted}: ${found(query).slice(0, 10).join(' ')}`);
result(found('xyzzyx').length === 0 && found('').length === 0 && found('__proto__ <script>').length === 0, 'the search finds what is not there');
result(fs.statSync(path.join(site, 'search-index.js')).size < 2e6, 'the index of the search is large');
for (const [name, text] of texts) result(text.includes('role="search"'), `${name}: no search`);
const first = texts.get('index.html');
for (const task of ['Inspect', 'Fix', 'Move', 'Compare', 'Script', 'Share', 'Convert', 'Mine', 'Preserve']) result(first.includes(`<h3>${task}</h3>`), `no task ${task}`);
for (const game of fs.readdirSync('docs/games')) result(first.includes(`docs/games-${game.replace('.md', '.html')}`), `no link to ${game}`);
result(first.indexOf('<h2>Games') < first.indexOf('<h2>How do I'), 'the games are not first');
result((first.match(/<img /g) ?? []).length >= 10, 'no pictures on the first page');
if (fs.existsSync('web/dist/index.html')) result(fs.existsSync(path.join(site, 'view/index.html')) && first.includes('view/index.html'), 'the page is not at view/');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
