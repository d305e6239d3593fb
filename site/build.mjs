// SPDX-License-Identifier: MIT
// Makes the site: build.mjs COMMAND TARGET      (in the top directory)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { headerPage } from './headers.mjs';
import { helpPage } from './help.mjs';

const [command, target] = process.argv.slice(2);
const run = (...given) => execFileSync(command, given, { encoding: 'utf8', maxBuffer: 1 << 28 });
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** Anchors in the form of other viewers of the documents, such as GitHub. */
const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');

const commands = [...run('help').split('\nFormats')[0].split('\nCommands')[1].matchAll(/^ {2}(\S+) {2,}(.*(?:\n {14}.*)*)/gm)]
    .map(([, name, text]) => ({ name, text: text.replace(/\s+/g, ' ') }));
const formats = run('spec', '--json').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const headers = fs.readdirSync('include/mapstone').filter((name) => name.endsWith('.h')).sort();
const documents = [...fs.readdirSync('docs').filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
    ...fs.readdirSync('docs/games').map((name) => `docs/games/${name}`),
    'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'web/README.md', 'python/README.md', 'cli/README.md',
    ...fs.readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.md')).sort().map((name) => `src/${name}`)];
const viewed = fs.existsSync('web/dist/index.html');

/** The address of a project file on the site. */
const places = new Map(documents.map((file) => [file, `docs/${file.replace(/^docs\//, '').replaceAll('/', '-').replace(/\.md$/, '.html')}`]));
for (const { format } of formats) places.set(`docs/formats/${format}.md`, `formats/${format}.html`);
places.set('docs/formats', 'formats/index.html');

function write(file, content) {
    fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    fs.writeFileSync(path.join(target, file), content);
}

const sections = [['docs/README.html#get-it', 'Get it'], ['docs/index.html', 'How do I'], ['commands/index.html', 'Commands'], ['formats/index.html', 'Formats'], ['manual/index.html', 'Library'],
    ...(viewed ? [['view/index.html', 'Open a level']] : [])];

/** The entries for search.html: [address, title of the page, heading, words]. */
const index = [];
const plain = (html) => html.replace(/<[^>]*>/g, ' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
function addToIndex(file, title, main) {
    for (const part of main.split(/(?=<h[1-3][ >])/)) {
        const [, attributes = '', text] = part.match(/^<h[1-3]([^>]*)>(.*?)<\/h[1-3]>/s) ?? [];
        if (text === undefined) continue;
        const id = attributes.match(/ id="([^"]*)"/)?.[1];
        const words = new Set(plain(part).toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu));
        index.push([`${file}${id ? `#${id}` : ''}`, title, plain(text), [...words].join(' ')]);
    }
}

/** Adds links to a page's sections if it has many. */
function withContents(main) {
    const found = [...main.matchAll(/<h2[^>]* id="([^"]*)"[^>]*>(.*?)<\/h2>/gs)];
    if (found.length < 6 || found.some(([, id]) => id === 'contents') || main.includes('class="contents"')) return main;
    const list = found.map(([, id, text]) => `<li><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`).join('\n');
    return main.replace(/<\/h1>/, `</h1>\n<nav class="contents" aria-label="Contents"><ul class="columns">\n${list}\n</ul></nav>`);
}

/** Writes a page. `up` is the path from it to the site's top. */
function page(file, title, html) {
    // Scrollable parts can be reached by keyboard; an empty heading becomes a plain cell.
    const main = html.replaceAll('<div class="table">', '<div class="table" role="group" aria-label="Table" tabindex="0">')
        .replaceAll('<pre>', '<pre tabindex="0">').replace(/<th([^>]*)><\/th>/g, '<td$1></td>');
    const up = '../'.repeat(file.split('/').length - 1);
    if (file !== 'search.html') addToIndex(file, title, main);
    const links = sections.map(([to, name]) => `<a href="${up}${to}"${!to.includes('#') && file.split('/')[0] === to.split('/')[0] && up ? ' aria-current="true"' : ''}>${name}</a>`);
    write(file, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}${file === 'index.html' ? '' : ' - mapstone'}</title>
<link rel="stylesheet" href="${up}style.css">
<link rel="icon" href="data:,">
</head>
<body>
<header><nav aria-label="Site"><a class="home" href="${up}index.html">mapstone</a> ${links.join(' ')}
<form action="${up}search.html" role="search"><input type="search" name="q" aria-label="Search the site" placeholder="Search"></form></nav></header>
<main>
${withContents(main)}</main>
<footer>mapstone, MIT licence. Made of the project's own documents, tables and headers.</footer>
</body>
</html>
`);
}

/** The site's address of a file that a document links to; files other than pages are copied. */
function place(from, address) {
    const [file, anchor] = address.split('#');
    const found = path.posix.normalize(path.posix.join(path.posix.dirname(from), file));
    const up = '../'.repeat(places.get(from).split('/').length - 1);
    if (!file) return address;
    if (!places.has(found)) {
        if (!fs.statSync(found).isFile()) throw new Error(`${from} links to ${address}`);
        places.set(found, `files/${path.posix.basename(found)}`);
        fs.mkdirSync(path.join(target, 'files'), { recursive: true });
        fs.copyFileSync(found, path.join(target, places.get(found)));
    }
    return up + places.get(found) + (anchor ? `#${anchor}` : '');
}

const markdown = new MarkdownIt({ html: true, linkify: false });
const isOutside = (address) => /^[a-z]+:/.test(address);
const inner = (tokens, at) => tokens[at + 1].children.map((one) => one.content).join('');
markdown.core.ruler.push('places', (state) => {
    const seen = new Map();
    state.tokens.forEach((token, at) => {
        if (token.type === 'heading_open') {
            const name = slug(inner(state.tokens, at)), before = seen.get(name) ?? 0;
            seen.set(name, before + 1);
            token.attrSet('id', before ? `${name}-${before}` : name);
            state.env.headings.push({ level: Number(token.tag[1]), id: token.attrGet('id'), text: inner(state.tokens, at) });
        }
        for (const child of token.children ?? []) {
            for (const name of ['href', 'src']) {
                const address = child.attrGet(name);
                if (address && !isOutside(address)) child.attrSet(name, place(state.env.file, address));
            }
            if (child.type === 'image') child.attrSet('loading', 'lazy');
            if (child.type === 'html_inline') child.content = child.content.replace(/src="([^"]*)"/, (_, address) => `src="${place(state.env.file, address)}"`);
        }
        if (token.type === 'html_block') token.content = token.content.replace(/src="([^"]*)"/g, (_, address) => `src="${place(state.env.file, address)}"`);
    });
});
markdown.renderer.rules.table_open = () => '<div class="table">\n<table>\n';
markdown.renderer.rules.table_close = () => '</table>\n</div>\n';

fs.rmSync(target, { recursive: true, force: true });
fs.mkdirSync(target, { recursive: true });
fs.copyFileSync('site/style.css', path.join(target, 'style.css'));

// ---- documents ----------------------------------------------------------------------------------------
const headings = new Map();
for (const file of documents) {
    const env = { file, headings: [] };
    const html = markdown.render(fs.readFileSync(file, 'utf8'), env);
    headings.set(file, env.headings);
    page(places.get(file), env.headings[0].text, html);
}

/** The address and title of a section of a document. */
function section(address) {
    const [file, anchor] = address.split('#');
    const heading = headings.get(file)?.find((one) => (anchor ? one.id === anchor : one.level === 1));
    if (!heading) throw new Error(`there is no ${address}`);
    return [`${places.get(file)}${anchor ? `#${anchor}` : ''}`, heading.text];
}
const tasks = JSON.parse(fs.readFileSync('site/tasks.json', 'utf8')).map(({ task, text, commands: names, sections: list }) => {
    for (const name of names) if (!commands.some((one) => one.name === name)) throw new Error(`there is no command ${name}`);
    return { task, text, names, list: list.map(section) };
});
const cards = (up, level) => `<ul class="cards">\n${tasks.map(({ task, text, names, list }) => `<li id="${slug(task)}"><${level}>${task}</${level}>
<p>${escape(text)}</p>
<ul>${list.map(([to, title]) => `<li><a href="${up}${to}">${escape(title)}</a></li>`).join('\n')}</ul>
<p>${names.map((name) => `<a href="${up}commands/${name}.html"><code>${name}</code></a>`).join(' ')}</p></li>`).join('\n')}\n</ul>\n`;
page('docs/index.html', 'How do I', `<h1>How do I</h1>\n${cards('../', 'h2')}<h2>All documents</h2>\n<ul class="columns">
${documents.map((file) => `<li><a href="../${places.get(file)}">${escape(headings.get(file)[0].text)}</a></li>`).join('\n')}\n</ul>\n`);

// ---- commands, formats, headers -----------------------------------------------------------------------
const list = (rows) => `<div class="table"><table><tbody>\n${rows.map(([to, name, text]) => `<tr><td><a href="${to}"><code>${name}</code></a></td><td>${escape(text)}</td></tr>`).join('\n')}\n</tbody></table></div>\n`;
for (const { name, text } of commands)
    page(`commands/${name}.html`, `mapstone ${name}`, `<h1>mapstone ${name}</h1>\n<p>${escape(text[0].toUpperCase() + text.slice(1))}.</p>\n${helpPage(run('help', name), escape)}`);
page('commands/index.html', 'Commands', `<h1>Commands</h1>\n${list(commands.map(({ name, text }) => [`${name}.html`, name, text]))}<h2>Options that many share</h2>\n${helpPage(run('help', 'options'), escape)}`);

for (const { format } of formats) {
    const html = run('spec', '--as', 'html', format);
    page(`formats/${format}.html`, html.match(/<title>(.*)<\/title>/)[1].replaceAll('&amp;', '&'), html.split('<main>\n')[1].split('</main>')[0]);
}
page('formats/index.html', 'Formats', `<h1>Formats</h1>\n<p>Every field: its offset, unit, meaning, values, and how that is known. The same tables read and write the files.</p>\n${list(formats.map(({ format, title, name }) => [`${format}.html`, format, title ?? name ?? '']))}`);

const summary = (text) => text.replace(/^\/\* SPDX.*\n/, '').match(/^\/\*\s*\n? ?\*? ?([\s\S]*?[.:])[\s*]/)?.[1].replace(/\s*\n \* ?/g, ' ') ?? '';
for (const name of headers)
    page(`manual/${name.replace('.h', '.html')}`, `mapstone/${name}`, `<h1>mapstone/${name}</h1>\n${headerPage(fs.readFileSync(`include/mapstone/${name}`, 'utf8'), escape, slug)}`);
page('manual/index.html', 'Library', `<h1>The library</h1>\n<p>The public headers are its manual; <a href="../docs/README.html#the-library">the README</a> shows how it begins, and <code>examples/</code> has seven programs.</p>\n${list(headers.map((name) => [name.replace('.h', '.html'), name, summary(fs.readFileSync(`include/mapstone/${name}`, 'utf8'))]))}`);

// ---- the first page -----------------------------------------------------------------------------------
const readme = fs.readFileSync('README.md', 'utf8');
const introduction = readme.match(/^\*\*mapstone opens[\s\S]*?(?=^!\[)/m)[0];
const shown = ['README.md', ...documents.filter((file) => file.startsWith('docs/games/'))];
const pictures = shown.flatMap((from) => [...fs.readFileSync(from, 'utf8').matchAll(/^!\[([^\]]*)\]\(([^)]*images\/[^)]*)\)/gm)].map(([, text, file]) => {
    const address = place(from, file).replace(/^(\.\.\/)+/, '');
    return { address, html: `<li><a href="${address}"><img src="${address}" alt="${escape(text)}" loading="lazy"></a><p>${escape(text)}</p></li>` };
})).filter(({ address }, at, all) => all.findIndex((one) => one.address === address) === at).map(({ html }) => html);
const games = documents.filter((file) => file.startsWith('docs/games/')).map((file) => {
    const text = plain(markdown.renderInline(fs.readFileSync(file, 'utf8').split('\n\n').find((part, at) => at && /^\w/.test(part)).replace(/\n/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')));
    return `<li><h3><a href="${places.get(file)}">${escape(headings.get(file)[0].text)}</a></h3>\n<p>${escape(text.split(' The examples ')[0])}</p></li>`;
}).join('\n');
page('index.html', 'mapstone: levels of old games, exact to the byte', `<h1>Levels of old games, exact to the byte</h1>
${pictures[0].replace(/<li><a/, '<p class="first"><a').replace(/<p>[^<]*<\/p><\/li>/, '</p>')}
${markdown.render(introduction, { file: 'README.md', headings: [] })}<p><a href="docs/README.html#get-it">How to get it</a>, <a href="docs/gallery.html">all pictures and the commands that make them</a>.</p>
<h2>Games</h2>\n<ul class="cards">\n${games}\n</ul>
<h2>How do I</h2>\n${cards('', 'h3')}<h2>Pictures</h2>\n<ul class="cards pictures">\n${pictures.slice(1).join('\n')}\n</ul>\n<h2>Formats</h2>
${list(formats.map(({ format, title, name }) => [`formats/${format}.html`, format, title ?? name ?? '']))}`);

// ---- search -------------------------------------------------------------------------------------------
fs.writeFileSync(path.join(target, 'search-index.js'), `globalThis.searchIndex = ${JSON.stringify(index)};\n`);
fs.copyFileSync('site/search.js', path.join(target, 'search.js'));
page('search.html', 'Search', `<h1>Search</h1>
<p><label for="query">Words, or their beginnings</label> <input type="search" id="query" autocomplete="off"></p>
<p id="said" role="status"></p>
<ul id="found" class="found"></ul>
<noscript><p>The search is a script, which this browser does not run.</p></noscript>
<script src="search-index.js"></script>
<script src="search.js"></script>
`);

if (viewed) fs.cpSync('web/dist', path.join(target, 'view'), { recursive: true });
console.log(`${target}/index.html`);
