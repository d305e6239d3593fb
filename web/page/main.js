// SPDX-License-Identifier: MIT
/** The page: assembles its parts. */
import { followAddress } from './address.js';
import { App } from './app.js';
import { byId, el, iconButton, kept, size, some } from './dom.js';
import { makeEdit } from './edit.js';
import { makeFindings } from './findings.js';
import { makeInspector } from './inspector.js';
import { makeKeys } from './keys.js';
import { laterPane, once } from './later.js';
import { makeLayout } from './layout.js';
import { makeMap } from './map.js';
import { isServed, openedFiles } from './opened.js';
import { makePathField } from './pathfield.js';
import { Session } from './session.js';
import { takeFiles } from './take.js';
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

const session = new Session(app, edit, merging);
/** @type {Session['open']} */ const openFiles = (...given) => session.open(...given);
const openSample = (/** @type {string} */ id) => session.openSample(id);
takeFiles(app, session, edit);
const path = makePathField(app, view);

app.on('open', () => {
    const [first] = app.documents;
    byId('file-name').textContent = app.nameOf(0);
    byId('file-about').textContent = app.compared ? `compared with ${app.compared.old}` : `${first?.format.title ?? ''} · ${app.documents.length > 1 ? some(app.documents.length, 'document') : size(first?.size ?? 0)}`;
    document.title = `${app.nameOf(0)} · mapstone`;
    layout.opened();
    byId('app').dataset.plain = app.options.plain ? 'yes' : '';
    if (app.options.plain) layout.show('bytes', true);
});
// The pictures pane appears if a document has images.
app.on('open', () => app.emit('pictures', app.documents.some(({ images }) => images > 0)));
app.on('scene', ({ scene, again }) => {
    if (again || scene?.triangles || !app.documents.some(({ images }) => images > 0)) return;
    byId('app').dataset.plain = 'yes';
    layout.show('pictures', true);
});
app.on('things', () => (byId('status-things').textContent = some(app.things.length, 'thing')));
app.on('findings', () => app.say(`${app.nameOf(0)} is open: ${some(app.things.length, 'thing')}, ${findings.summary()}.`));

app.on('select', () => {
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
app.on('to-pane', (id) => layout.show(id, true));
app.on('flip-theme', layout.flipTheme);
app.on('flip-contrast', layout.flipContrast);
app.on('open-level', (level) => session.open(app.files, { level }));
app.on('close', () => session.close());

makeKeys(app, { view, map, tree, findings, inspector, layout, edit, open: () => byId('pick-files').click(), path });
for (const id of ['start-theme']) byId(id).addEventListener('click', () => layout.flipTheme());
byId('start-keys').addEventListener('click', () => app.emit('keys'));
byId('start').hidden = false;

if (isServed())
    openedFiles().then(({ files, named }) => session.open(files, { named })).catch((error) => session.refuse([], error, {}));
else if ('serviceWorker' in navigator && location.protocol.startsWith('http') && !('mapstoneParts' in globalThis)) navigator.serviceWorker.register(new URL('../offline.js', import.meta.url)).catch(() => undefined); // without it the page needs the network

followAddress(app, view, session, edit);
// Drafts of closed tabs are offered.
if (kept('drafts') && !isServed()) import('./drafts.js').then(({ offer }) => offer(openFiles));

export { app, map, openFiles, openSample, view };
