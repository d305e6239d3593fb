// SPDX-License-Identifier: MIT
/** The page: assembles the panes, opens files, and maintains the address. */
import { App, same } from './app.js';
import { ask } from './ask.js';
import { byId, copy, el, icon, iconButton, kept, parentPath, size, some, steps } from './dom.js';
import { makeEdit } from './edit.js';
import { makeFindings } from './findings.js';
import { makeInspector } from './inspector.js';
import { makeKeys } from './keys.js';
import { laterPane, once } from './later.js';
import { makeLayout } from './layout.js';
import { makeMap } from './map.js';
import { filesOfDrop, filesOfInput } from './files.js';
import { isServed, openedFiles } from './opened.js';
import { sampleBytes, samplePicture, samples } from './samples.js';
import { makeShow } from './show.js';
import { makeTree } from './tree.js';
import { makeView } from './view.js';

const app = new App();
const view = makeView(app);
const map = makeMap(app, view);
const tree = makeTree(app);
const findings = makeFindings(app);
const inspector = makeInspector(app);
const show = makeShow(app), edit = makeEdit(app);
const bytesPart = once(async () => (await import('./bytes.js')).makeBytes(app)), bytes = laterPane(bytesPart), table = laterPane(async () => (await import('./table.js')).makeTable(app));
const gizmo = once(async () => (await import('./gizmo.js')).makeGizmo(app, view, edit)), compare = once(async () => (await import('./compare.js')).makeCompare(app, view, edit, map));
const merging = once(async () => (await import('./merge.js')).makeMerge(app, view, edit)), conflicts = laterPane(merging);
const addButton = iconButton('plus', 'Add a thing where the view looks', async () => (await import('./add.js')).makeAdd(app, view, edit).choose(addButton));
addButton.id = 'add';
addButton.append('Add');
byId('acts').querySelector('#save')?.before(addButton);
// A level without things has nothing to copy, unless the game's classes are known.
app.on('things', () => (addButton.hidden = !app.things.some(({ role, path }) => role !== 'geometry' && path.endsWith(']')) && app.documents[0]?.format.id !== 'ns2-level'));
app.on('merge', async () => (await merging()).start());
const searching = once(async () => (await import('./search.js')).makeSearch(app, byId('path')));
app.on('select', () => app.thingOf(app.selected) && gizmo());
app.on('gizmo', async (to) => (await gizmo()).flip(to));
app.on('open', () => app.compared && compare());
app.on('offset', async (offset) => (await bytesPart()).reveal(offset));
const layout = makeLayout(app, {
    left: [{ id: 'tree', name: 'Tree', icon: 'tree', ...tree }, { id: 'show', name: 'Show', icon: 'layers', ...show, badge: show.counted }],
    dock: [{ id: 'bytes', name: 'Bytes', icon: 'bytes', ...bytes }, { id: 'findings', name: 'Findings', icon: 'warning', ...findings, badge: findings.counted },
        { id: 'table', name: 'Table', icon: 'grid', ...table }, { id: 'changes', name: 'Changes', icon: 'changes', ...edit, badge: edit.counted }, { id: 'conflicts', name: 'Conflicts', icon: 'swap', ...conflicts, badge: () => app.conflicts, during: 'merging' }, { id: 'pictures', name: 'Pictures', icon: 'eye', ...laterPane(async () => (await import('./pictures.js')).makePictures(app)), during: 'pictures' }],
    view, map, inspector,
});

// ---- opening -----------------------------------------------------------------------------------------------------

/** @typedef {import('./worker.js').Given} Given */
/** @typedef {import('./worker.js').Options} Options */
/** @typedef {import('./drafts.js').Draft} Draft */

/** The last opening: files open in order; resolves to whether they opened. */
let last = Promise.resolve(true);
/** Opens files after the previous ones. @param {Given[]} files @param {Options} [options] @param {Draft} [draft]  their stored changes */
const openFiles = (files, options = {}, draft = undefined) => (last = last.then(() => openNow(files, options, draft)));

/** Opens files; the open level stays until they are open, and its changes are saved or discarded. @param {Given[]} files @param {Options} options @param {Draft} [draft] @returns {Promise<boolean>} */
async function openNow(files, options, draft) {
    if (!files.length) return false;
    const [one, two] = files, models = options.plain ? [] : files.filter(({ name }) => /\.(glb|gltf)$/i.test(name)), [model] = models;
    if (model && models.length === 1) {
        const { importModel, whole } = await import('./import.js'), { given, rest } = await whole(model, files);
        if (rest.length === (app.documents.length ? 0 : 1)) return (!rest.length || (await openNow(rest, options))) && importModel(app, edit, merging, given);
    }
    if (files.length === 2 && one && two && one.name === two.name) files = [{ ...one, name: `A/${one.name}` }, { ...two, name: `B/${two.name}` }];
    showOpening(files);
    /** @type {import('./library.js').Refusal | undefined} */ let why;
    try {
        const opened = await app.ask('Opening', 'open', files, options);
        if (await edit.mayLose((options.level ?? options.named ?? files[0]?.name ?? '').split('/').at(-1))) await app.show(files, opened, options);
        else {
            await app.library.call('drop');
            return false;
        }
    } catch (error) {
        why = /** @type {any} */ (error);
    } finally {
        byId('app').inert = false;
        byId('zone-state').replaceChildren();
    }
    if (why) {
        await showRefusal(files, why, options);
        return false;
    }
    await app.load();
    if (draft) return edit.restore(draft.steps, draft.position);
    if (kept('drafts') && !isServed()) await bringBack();
    return true;
}

/** Offers stored changes of the open level. */
async function bringBack() {
    const found = await (await import('./drafts.js')).draftOf(app.files);
    if (!found) return;
    const answer = await ask(found.words, [el('p', {}, 'They are stored on this computer.')], { back: 'Restore them', lose: 'Discard them' }, 'Later');
    if (answer === 'lose' || (answer === 'back' && (await edit.restore(found.draft.steps, found.draft.position)))) await found.forget();
}

/** Shows that files are being opened; meanwhile the open level cannot be changed. @param {Given[]} files */
function showOpening(files) {
    byId('app').inert = true;
    if (app.documents.length) return;
    const whole = size(files.reduce((sum, { file }) => sum + (file instanceof Uint8Array ? file.length : file.size), 0));
    byId('zone-state').replaceChildren(el('p', {}, files.length === 1 ? `Opening ${files[0]?.name}, ${whole}` : `Opening ${some(files.length, 'file')}, ${whole}`), el('div.bar', { role: 'progressbar', 'aria-label': 'Opening' }, el('i')),
        el('button', { type: 'button', onclick: () => app.library.restart() }, 'Cancel'));
}

/** The first bytes of a file. @param {Given} one */
async function firstOf({ file }) {
    return file instanceof Uint8Array ? file.subarray(0, 256) : file instanceof Blob ? new Uint8Array(await file.slice(0, 256).arrayBuffer()) : new Uint8Array();
}

/** Shows why files do not open, and what can be done. @param {Given[]} files @param {import('./library.js').Refusal} why @param {Options} options */
async function showRefusal(files, why, options) {
    const name = options.level ?? options.named ?? files[0]?.name ?? '', diagnosis = el('p.diagnosis', { role: 'alert' }, icon('error'), why.message);
    const one = files.find((each) => each.name === name) ?? files[0], said = one && why.status === 'unknown format' ? el('p.seems', {}, (await import('./seems.js')).seems(name, await firstOf(one))) : null;
    /** Choices for the user, with the options to open the files with. @type {Record<string, [string, Options]>} */ const ways = {
        ...(why.status === 'damaged' && !options.salvage ? { salvage: ['Show what can be read', { ...options, salvage: true }] } : null), ...(one && !options.plain ? { plain: ['Show its bytes', { plain: true }] } : null),
    };
    if (app.documents.length) {
        const way = ways[await ask(`${name} does not open`, [diagnosis, said], Object.fromEntries(Object.entries(ways).map(([key, [label]]) => [key, label])), 'Close')];
        if (way) await openNow(way[1].plain && one ? [one] : files, way[1]);
        return;
    }
    byId('zone-state').replaceChildren(el('p.data', {}, name), diagnosis, said ?? '', el('div.ways', {}, ...Object.values(ways).map(([label, how]) => el('button', { type: 'button', onclick: () => openFiles(how.plain && one ? [one] : files, how) }, label))));
}

/** @param {string} id */
async function openSample(id) {
    const sample = samples.find((one) => one.id === id);
    if (!sample) throw new Error(`There is no sample ${id}.`);
    const files = await Promise.all(sample.files.map(async (name) => ({ name, file: await sampleBytes(name) })));
    await openFiles(files, { level: sample.level, map: sample.map, sample: id });
}

const pickFiles = byId('pick-files'), pickFolder = byId('pick-folder');
for (const input of [pickFiles, pickFolder])
    input.addEventListener('change', async () => {
        const chosen = filesOfInput(input);
        input.value = '';
        const [now] = app.files, [old] = chosen;
        if (comparing && now && old) {
            comparing = false;
            return void (await openFiles([old, now]));
        }
        await openFiles(adding ? [...app.files, ...chosen] : chosen, adding && app.documents[0] ? { level: app.documents[0].name } : {});
        adding = false;
    });
let adding = false, comparing = false;
byId('choose-files').addEventListener('click', () => ((comparing = false), pickFiles.click()));
byId('choose-folder').addEventListener('click', () => pickFolder.click());
pickFiles.addEventListener('cancel', () => (comparing = false));
app.on('compare', () => {
    comparing = true;
    pickFiles.click();
});
app.on('add-folder', () => {
    adding = true;
    pickFolder.click();
});

const veil = el('div.drop-veil', { hidden: true }, 'Drop to open');
document.body.append(veil);
addEventListener('dragover', (event) => {
    event.preventDefault();
    veil.hidden = byId('app').hidden;
    byId('zone').classList.add('over');
});
addEventListener('dragleave', (event) => {
    if (event.relatedTarget) return;
    veil.hidden = true;
    byId('zone').classList.remove('over');
});
addEventListener('drop', async (event) => {
    event.preventDefault();
    veil.hidden = true;
    byId('zone').classList.remove('over');
    if (event.dataTransfer) await openFiles(await filesOfDrop(event.dataTransfer));
});
const clip = once(() => import('./clip.js'));
/** Whether text is being edited or selected: copying then applies to the text. @param {Event} event */
const isText = (event) => app.documents.length === 0 || (event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null) || String(getSelection()) !== '';
addEventListener('copy', async (event) => {
    if (isText(event)) return;
    event.preventDefault();
    (await clip()).copyElements(app);
});
addEventListener('paste', async (event) => {
    const files = [...(event.clipboardData?.files ?? [])].map((file) => ({ name: file.name, file })), text = event.clipboardData?.getData('text/plain') ?? '';
    if (files.length) await openFiles(files);
    else if (!isText(event)) (await clip()).pasteElements(app, edit.refuse, text);
});
app.on('copy', async () => (await clip()).copyElements(app));
app.on('paste', async () => (await clip()).pasteElements(app, edit.refuse));

for (const sample of samples) {
    const button = el('button.sample', { type: 'button', id: `sample-${sample.id}`, onclick: () => openSample(sample.id).catch((error) => showRefusal([], error, {})) }, el('img', { src: samplePicture(sample.id), alt: '', width: 100, height: 70 }), el('b', {}, sample.name), el('small', {}, sample.game));
    byId('samples').append(button);
}

app.on('open', () => {
    const [first] = app.documents;
    byId('start').hidden = true;
    byId('app').hidden = false;
    byId('file-name').textContent = app.nameOf(0);
    byId('file-about').textContent = app.compared ? `compared with ${app.compared.old}` : `${first?.format.title ?? ''} · ${app.documents.length > 1 ? some(app.documents.length, 'document') : size(first?.size ?? 0)}`;
    document.title = `${app.nameOf(0)} · mapstone`;
    layout.opened();
    byId('app').dataset.plain = app.options.plain ? 'yes' : '';
    if (app.options.plain) layout.show('bytes', true);
    showAddress();
});
// The pictures pane appears if a document has images.
app.on('open', () => app.emit('pictures', app.documents.some(({ images }) => images > 0)));
app.on('scene', ({ scene, again }) => {
    if (again || scene?.triangles || !app.documents.some(({ images }) => images > 0)) return;
    byId('app').dataset.plain = 'yes';
    layout.show('pictures');
});
app.on('things', () => (byId('status-things').textContent = some(app.things.length, 'thing')));
app.on('findings', () => app.say(`${app.nameOf(0)} is open: ${some(app.things.length, 'thing')}, ${findings.summary()}.`));

// ---- the path field ------------------------------------------------------------------------------------------------

const pathInput = byId('path'), crumbs = byId('crumbs');
// On a phone the field is opened by a button.
const searchButton = iconButton('search', 'Find', () => {
    const on = byId('app').dataset.search !== 'yes';
    byId('app').dataset.search = on ? 'yes' : '';
    if (on) pathInput.focus();
});
searchButton.classList.add('phone-only');
byId('acts').prepend(searchButton);
app.on('select', () => (byId('app').dataset.search = ''));
function showAddress() {
    const where = app.selected, all = steps(where?.path ?? '');
    pathInput.value = where?.path ?? '';
    crumbs.replaceChildren();
    if (app.documents.length > 1 && where) crumbs.append(el('button', { type: 'button', tabindex: -1, onclick: () => app.select({ doc: where.doc, path: '' }, { from: 'path' }) }, app.nameOf(where.doc)), el('i', {}, '›'));
    all.forEach((name, index) => {
        let path = where?.path ?? '';
        for (let i = all.length - 1; i > index; i--) path = parentPath(path);
        crumbs.append(el('button', { type: 'button', tabindex: -1, title: path, onclick: () => app.select({ doc: where?.doc ?? 0, path }, { from: 'path' }) }, name));
        if (index < all.length - 1) crumbs.append(el('i', {}, '›'));
    });
    if (!all.length) crumbs.textContent = '';
    crumbs.hidden = !all.length;
}
crumbs.addEventListener('click', (/** @type {Event} */ event) => event.target === crumbs && pathInput.focus());
byId('copy-path').addEventListener('click', () => copy(app.selected?.path ?? ''));
pathInput.addEventListener('focus', () => {
    pathInput.select();
    searching().then((made) => (found = made));
});
/** The search list below the field, once it is loaded. @type {Awaited<ReturnType<typeof searching>> | undefined} */ let found;
pathInput.addEventListener('keydown', async (/** @type {KeyboardEvent} */ event) => {
    if (found?.key(event)) return;
    if (event.key === 'Escape') {
        showAddress();
        view.focus();
    } else if (event.key === 'Enter') {
        event.preventDefault();
        await search(pathInput.value.trim(), event.shiftKey);
    }
});

/** Goes to a path, an offset, a class or a name. @param {string} text @param {boolean} [backwards] */
async function search(text, backwards = false) {
    if (!text) return;
    const doc = app.selected?.doc ?? 0;
    if (/^0x[\da-f]+$/i.test(text)) return app.emit('offset', Number.parseInt(text, 16));
    try {
        const { row } = await app.rows({ doc, path: text }, 0, 1);
        found?.close();
        return app.select({ doc, path: row.path || text }, { from: 'path', jump: true });
    } catch {
        // not a path
    }
    const wanted = text.replace(/^class:/, '').toLowerCase(), byClass = text.startsWith('class:');
    const all = app.things.filter((one) => one.className.toLowerCase().includes(wanted) || (!byClass && (one.name.toLowerCase().includes(wanted) || one.path.toLowerCase().includes(wanted))));
    const now = all.findIndex((one) => same(app.selected, { doc: one.doc, path: one.path })), next = all[(now + (backwards ? -1 : 1) + all.length) % all.length];
    if (!next) return (await searching()).none(text);
    found?.close();
    app.select({ doc: next.doc, path: next.path }, { from: 'path', jump: true });
    app.say(`${all.indexOf(next) + 1} of ${all.length}: ${next.path}`);
}

// ---- the address of the page ----------------------------------------------------------------------------------------

let restoring = false;
/** The subject of the address: the open file, or the sample. @type {() => [string, string]} */
const about = () => (app.options.sample ? ['sample', app.options.sample] : ['level', app.nameOf(0)]);
/** @param {boolean} [jump] */
function writeHash(jump = false) {
    if (restoring || !app.documents.length) return;
    const { selected } = app, parts = [];
    if (selected) parts.push(`path=${encodeURIComponent(selected.path)}`);
    if (selected?.doc) parts.push(`file=${encodeURIComponent(app.documents[selected.doc]?.name ?? '')}`);
    parts.push(`camera=${view.cameraText()}`, about().map(encodeURIComponent).join('='));
    const hash = `#${parts.join('&')}`;
    if (jump) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
}
function readHash() {
    const given = new URLSearchParams(location.hash.slice(1)), path = given.get('path'), camera = given.get('camera'), file = given.get('file');
    if (!isAbout(given)) return;
    restoring = true;
    if (path !== null && app.documents.length) app.select({ doc: Math.max(0, app.documents.findIndex((one) => one.name === file)), path }, { from: 'address' });
    if (camera) view.setCamera(camera);
    restoring = false;
}
/** Whether an address can refer to the open level. @param {URLSearchParams} given */
function isAbout(given) {
    const [name, value] = about();
    return (!given.has('sample') && !given.has('level')) || given.get(name) === value;
}
/** Follows an address: within the open level, to a sample, or by showing which file it needs. */
async function followLink() {
    const given = new URLSearchParams(location.hash.slice(1)), sample = given.get('sample'), level = given.get('level');
    if (isServed() || (app.documents.length && isAbout(given))) return readHash();
    if (sample && samples.some((one) => one.id === sample)) {
        first = true;
        return openSample(sample);
    }
    if (!level) return;
    const words = `This link points at ${given.get('path') || 'a view'} in ${level}. Open that file to go there.`;
    first = true;
    if (app.documents.length) edit.refuse(words);
    else byId('zone-state').replaceChildren(el('p', { role: 'status' }, words));
}
addEventListener('popstate', () => followLink());
// The address applies to the first level that is opened.
let first = true;
app.on('framed', () => {
    if (first) readHash();
    else writeHash();
    first = false;
});
app.on('address', () => writeHash());
app.on('select', ({ jump }) => {
    showAddress();
    writeHash(jump);
    const { selected } = app;
    byId('status-path').textContent = selected?.path ?? '';
    if (!selected) byId('status-bytes').textContent = '';
});
app.on('shown', ({ row, where }) => {
    const { place } = row;
    byId('status-bytes').textContent = !place || place.kind === 'made' ? '' : `${place.kind === 'packed' ? 'unpacked ' : ''}0x${(place.inner ?? place.offset ?? 0).toString(16)} · ${some(place.innerLength ?? place.length ?? 0, 'byte')}`;
    app.say(`Selected ${where.path}${row.text ? `, ${row.text}` : ''}`);
});

/** Saves a blob as a download. @param {{blob: Blob, name: string}} what */
function download({ blob, name }) {
    const link = /** @type {HTMLAnchorElement} */ (el('a', { download: name }));
    link.href = URL.createObjectURL(blob);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
app.on('download', download);
app.on('frame', () => view.frameSelection());
app.on('forms', async (at) => (await import('./forms.js')).showForms(app, view, edit, at));
app.on('to-pane', layout.show);
app.on('flip-theme', layout.flipTheme);
app.on('flip-contrast', layout.flipContrast);
app.on('open-level', (level) => openFiles(app.files, { level }));
app.on('close', async () => {
    if (!(await edit.mayLose())) return;
    byId('app').hidden = true;
    byId('start').hidden = false;
    byId('zone-state').replaceChildren();
    document.title = 'mapstone';
    await app.close();
});

makeKeys(app, { view, map, tree, findings, inspector, layout, edit, open: () => pickFiles.click(), path: pathInput });
for (const id of ['start-theme']) byId(id).addEventListener('click', () => layout.flipTheme());
byId('start-keys').addEventListener('click', () => app.emit('keys'));
byId('start').hidden = false;

if (isServed())
    openedFiles().then(({ files, named }) => openFiles(files, { named })).catch((error) => showRefusal([], error, {}));
else if ('serviceWorker' in navigator && location.protocol.startsWith('http') && !('mapstoneParts' in globalThis)) navigator.serviceWorker.register(new URL('../offline.js', import.meta.url)).catch(() => undefined); // without it the page needs the network

followLink().catch((error) => showRefusal([], error, {}));
// Drafts of closed tabs are offered.
if (kept('drafts') && !isServed()) import('./drafts.js').then(({ offer }) => offer(openFiles));

export { app, map, openFiles, openSample, view };
