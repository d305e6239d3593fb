// SPDX-License-Identifier: MIT
/** Changing the level: operations as steps, the list of changes, undo and redo, saving, and the menus for all of it. */
import { ask } from './ask.js';
import { brief, pathOfChange, placeOf, rowsOf } from './changes.js';
import { byId, count, data, el, hex, icon, iconButton, kept, parentPath, size, some } from './dom.js';
import { once } from './later.js';
import { isServed } from './opened.js';
import { openPicker } from './picker.js';
import { Rows } from './rows.js';

/** @typedef {import('./app.js').Where} Where */

/** Elements of one change that are selected together. */
const selectedMost = 50;

/** @param {import('./app.js').App} app */
export function makeEdit(app) {
    /** @type {{steps: {label: string, doc: number, id: number}[], position: number}} */ let past = { steps: [], position: 0 };
    /** @type {import('./changes.js').One[]} */ let changes = [];
    /** When two levels are compared: the entities of the older one. @type {import('./app.js').Entity[]} */ let olderThings = [];
    /** The values in the file, by document and path. @type {Map<string, string>} */ const was = new Map();
    /** The last step when the files were saved; 0: not saved since they were opened. */ let saved = 0;
    /** The documents that were saved. @type {Set<number>} */ const written = new Set();
    /** Files that the page is allowed to write, by document and number. @type {Map<string, any>} */ const handles = new Map();
    /** The edits of the steps. @type {import('./drafts.js').Step[]} */ let journal = [];
    const drafts = once(() => import('./drafts.js'));
    /** Stores unsaved changes on this computer until they are saved. Files shown by `mapstone view` leave nothing in the browser. */
    async function keep() {
        if (!isServed() && !app.compared) (await drafts()).keep(app, isUnsaved() ? { steps: journal, position: past.position } : null);
    }
    const undo = iconButton('undo', 'Undo', () => go('undo'), 'Ctrl Z'), redo = iconButton('redo', 'Redo', () => go('redo'), 'Ctrl Shift Z');
    const saveButton = el('button#save', { type: 'button', onclick: () => save() }, icon('save'), el('span#save-text', {}, 'Saved'));
    const said = el('button.quiet', { type: 'button', onclick: () => app.emit('to-pane', 'changes') });
    const more = iconButton('more', 'More', () => menu({ element: more }), 'Shift F10');
    for (const one of [undo, redo]) one.classList.add('phone');
    byId('acts').append(undo, redo, said, saveButton, more);

    // ---- the list of changes -----------------------------------------------------------------------------------

    /** The changes as rows. @type {import('./changes.js').Row[]} */ let shown = [];
    const rows = new Rows({ label: 'Changes', role: 'grid', height: 28, make, act: (index) => {
        const one = shown[index];
        if (!one) return;
        if (one.kind === 'removed') return app.compared ? app.emit('show-removed', one) : app.say('It is no longer in the level.');
        one.paths.slice(0, selectedMost).forEach((path, at) => app.select({ doc: one.doc, path: one.paths.length > 1 || one.all.length > 1 ? path : (one.all[0]?.path ?? path) }, { from: 'changes', jump: at === 0, fly: at === Math.min(one.paths.length, selectedMost) - 1, add: at > 0 }));
    } });
    const empty = el('div.empty', { role: 'status' }, 'No changes since you opened the file.'), foot = el('div.changes-foot', { hidden: true });
    const element = el('div.column', {}, empty, rows.element, foot);
    /** @param {number} index */
    function make(index) {
        const one = shown[index];
        if (!one) return el('div');
        const { kind, label, words } = one, sets = one.all.filter(({ change }) => (change.op ?? 'set') === 'set');
        const cell = { role: 'gridcell' }, where = app.documents.length > 1 ? `${app.nameOf(one.doc)}:${placeOf(one)}` : placeOf(one);
        return el('div', { role: 'row', 'aria-rowindex': index + 1, title: words }, el(`span.d-${kind}`, { ...cell, title: kind }, { added: '+', removed: '−', changed: '=', moved: '→' }[kind]), label ? el('b.data', cell, label) : null, el('span.key', cell, where),
            el('span.value', cell, words), sets.length ? el('span', cell, el('button.plain', { type: 'button', onclick: (/** @type {Event} */ event) => (event.stopPropagation(), putBackAll(sets)) }, 'revert')) : null);
    }

    async function readChanges() {
        const answer = await app.library.call('changes').catch((error) => ({ changes: [], error: error.message }));
        olderThings = answer.olderThings ?? [];
        changes = answer.changes.map((/** @type {any} */ one) => ({ ...one, path: pathOfChange(one.change) }));
        was.clear();
        for (const { doc, change, path } of changes) if (change.op === 'set') was.set(`${doc}|${path}`, brief(change.old) ?? JSON.stringify(change.old).slice(0, 60));
        empty.hidden = changes.length > 0;
        empty.textContent = answer.error ?? (app.compared ? 'These files are the same, byte for byte.' : past.position ? 'The steps cancel each other: the file is unchanged.' : 'No changes since you opened the file.');
        foot.hidden = !changes.length;
        foot.replaceChildren(...(changes.length ? [el('span', {}, app.compared ? `${app.compared.old} → ${app.compared.now}` : some(past.position, 'step'), ' · sha256 ', data((answer.digests?.[0]?.old ?? '').slice(0, 12)), ' → ', data((answer.digests?.[0]?.now ?? '').slice(0, 12))), el('span.grow'), el('button', { type: 'button', onclick: () => savePatch() }, 'Save as a patch')] : []));
        shown = rowsOf(changes);
        rows.element.setAttribute('aria-rowcount', String(shown.length));
        rows.set(shown.length);
        show();
        app.emit('changes');
    }

    function show() {
        undo.toggleAttribute('disabled', !past.position);
        redo.toggleAttribute('disabled', past.position >= past.steps.length);
        undo.title = past.position ? `Undo: ${past.steps[past.position - 1]?.label} (Ctrl Z)` : 'Undo (Ctrl Z)';
        redo.title = past.position < past.steps.length ? `Redo: ${past.steps[past.position]?.label} (Ctrl Shift Z)` : 'Redo (Ctrl Shift Z)';
        said.textContent = changes.length ? some(changes.length, 'change') : '';
        said.hidden = !changes.length;
        const lost = isUnsaved();
        saveButton.classList.toggle('primary', lost);
        byId('save-text').textContent = lost ? 'Save' : 'Saved';
    }

    const lastStep = () => past.steps[past.position - 1]?.id ?? 0;
    /** Whether the open level differs from its files. */
    const isUnsaved = () => app.documents.length > 0 && lastStep() !== saved && (saved !== 0 || app.documents.some((one) => one.edited));

    /** Whether the level may be closed: its changes are saved or discarded. @param {string} [next]  the name of the file to be opened instead */
    async function mayLose(next) {
        if (!isUnsaved()) return true;
        const answer = await ask(`${app.nameOf(Math.max(0, app.documents.findIndex((one) => one.edited)))} has changes that are not saved`, [el('p', {}, next ? `Opening ${next} ends editing it.` : 'Closing it ends editing it.')],
            { save: next ? 'Save and open' : 'Save and close', lose: 'Without saving' });
        return answer === 'lose' || (answer === 'save' && (await save()));
    }

    // ---- steps -------------------------------------------------------------------------------------------------

    /** Shows a step made by the worker. @param {{past: typeof past, documents: import('./app.js').Information[]}} answer @param {import('./drafts.js').Step} step */
    async function took(answer, step) {
        past = answer.past;
        app.documents = answer.documents;
        journal = [...journal.slice(0, past.position - 1), step];
        show();
        keep();
        await app.refresh();
    }

    /**
     * Applies operations as one step; returns the reason if they are refused, otherwise "".
     * @param {number} doc @param {(string | Record<string, unknown>)[]} operations
     * @param {{label?: string, cascade?: boolean, force?: boolean, also?: {doc: number, operations: string[]}[]}} [options]  `also`: operations on other documents of the level
     */
    async function edit(doc, operations, options = {}) {
        try {
            const answer = await app.ask('Changing', 'edit', doc, operations, options), file = (/** @type {number} */ of) => answer.documents[of]?.name ?? '';
            await took(answer, { file: file(doc), operations, options: options.also ? { ...options, also: options.also.map((one) => ({ file: file(one.doc), operations: one.operations })) } : options });
            return '';
        } catch (error) {
            return String(/** @type {Error} */ (error).message);
        }
    }

    /** @param {'undo' | 'redo'} way */
    async function go(way) {
        const answer = await app.ask(way === 'undo' ? 'Undoing' : 'Redoing', way);
        if (!answer.step) return app.say(`Nothing to ${way}.`);
        past = answer.past;
        app.documents = answer.documents;
        app.say(`${way === 'undo' ? 'Undone' : 'Redone'}: ${answer.step.label}`);
        show();
        keep();
        await app.refresh();
    }

    /** Repeats the steps of a draft. @param {import('./drafts.js').Step[]} steps @param {number} position  the number of steps that had not been undone */
    async function restore(steps, position) {
        let why = '';
        for (const [index, { file, operations, options }] of steps.entries()) {
            try {
                const also = await Promise.all(/** @type {any[]} */ (options.also ?? []).map(async (one) => ({ ...one, doc: await app.documentOf(one.file) })));
                const answer = await app.ask('Restoring the changes', 'edit', await app.documentOf(file), operations, { ...options, also });
                past = answer.past;
                app.documents = answer.documents;
            } catch (error) {
                why = `${index} of ${some(steps.length, 'change')} could be restored. ${/** @type {Error} */ (error).message}`;
                break;
            }
            journal.push({ file, operations, options });
        }
        while (past.position > position) ({ past, documents: app.documents } = await app.library.call('undo'));
        show();
        keep();
        await app.refresh();
        if (why) refuse(why);
        else app.say(`${some(position, 'change is', 'changes are')} restored.`);
        return !why;
    }

    /** Restores the value in the file. @param {Where} where */
    const putBack = ({ doc, path }) => putBackAll(changes.filter((each) => each.doc === doc && each.path === path));
    /** Restores values of a document. @param {import('./changes.js').One[]} all */
    async function putBackAll(all) {
        const [first] = all;
        if (!first) return;
        const why = await edit(first.doc, all.map(({ path, change }) => ({ op: 'set', path, new: change.old })), { label: `revert ${first.path}` });
        if (why) refuse(why);
    }

    /** Reports a refusal that cannot be reported in place. @param {string} why */
    function refuse(why) {
        const note = el('div.float.refusal', { role: 'alert' }, icon('error'), why, iconButton('close', 'Close', () => note.remove()));
        byId('view').append(note);
        setTimeout(() => note.remove(), 20000);
    }

    async function duplicate() {
        const all = app.selection.map((one) => app.elementOf(one)).filter((one) => one !== null);
        const [first] = all;
        if (!first) return app.say('The selection is not an element of a list.');
        const why = await edit(first.doc, all.filter((one) => one.doc === first.doc).sort((a, b) => b.path.localeCompare(a.path, 'en', { numeric: true })).map(({ path }) => ({ op: 'duplicate', path })), { label: `duplicate ${first.path}` });
        if (why) return refuse(why);
        const index = Number.parseInt(first.path.slice(first.path.lastIndexOf('[') + 1), 10);
        app.select({ doc: first.doc, path: `${parentPath(first.path)}[${index + 1}]` }, { from: 'edit' });
    }

    /** Removes the selected elements, after listing the consequences. */
    async function remove() {
        const all = app.selection.map((one) => app.elementOf(one)).filter((one) => one !== null), [first] = all;
        if (!first) return app.say('The selection is not an element of a list.');
        const operations = all.filter((one) => one.doc === first.doc).sort((a, b) => b.path.localeCompare(a.path, 'en', { numeric: true })).map(({ path }) => ({ op: 'remove', path }));
        const tried = await app.ask('Trying', 'edit', first.doc, operations, { dryRun: true, cascade: true }).catch((error) => ({ error }));
        if (tried.error) return refuse(tried.error.message);
        const more = tried.changes.filter((/** @type {any} */ one) => !operations.some(({ path }) => path === one.path)), notes = [...more.map((/** @type {any} */ one) => `${one.path}: ${{ set: 'changes', add: 'is added', remove: 'is also removed', move: 'moves' }[/** @type {'set'} */ (one.change)]}`), ...tried.findings.map((/** @type {any} */ one) => `${one.path}: ${one.message}`)];
        if (notes.length && !(await ask(`Removes ${operations.map(({ path }) => path).join(', ')}`, [el('p', {}, `${some(notes.length, 'consequence')}:`), el('ul.data', {}, ...notes.slice(0, 12).map((one) => el('li', {}, one)), notes.length > 12 ? el('li', {}, `and ${count(notes.length - 12)} more`) : null)], { remove: 'Remove' }))) return;
        const why = await edit(first.doc, operations, { label: `remove ${first.path}`, cascade: true });
        if (why) return refuse(why);
        app.select(null, { from: 'edit' });
    }

    /** Adds an element to the list of the selected one; missing values are taken from a similar element. */
    async function add() {
        const where = app.selected && app.elementOf(app.selected);
        if (!where) return app.say('Select an element of the list first.');
        const why = await edit(where.doc, [`add ${parentPath(where.path)}`]);
        if (why) refuse(why);
    }

    // ---- saving --------------------------------------------------------------------------------------------------

    /** Saves the edited documents, or the first document if there are none; returns whether all were saved. */
    async function save() {
        const wanted = app.documents.map((one, doc) => ({ one, doc })).filter(({ one, doc }) => one.edited || written.has(doc)), until = lastStep();
        for (const { one, doc } of wanted.length ? wanted : [{ one: app.documents[0], doc: 0 }]) {
            for (const [file, { name }] of (one?.files ?? []).entries()) {
                const answer = await app.ask('Saving', 'save', doc, file);
                const as = (name || one?.name || 'level').split('/').at(-1) ?? 'level';
                if (!(await write(answer.bytes, as, `${doc}/${file}`))) return false;
                const { differing } = answer;
                app.say(`Saved ${as}.`);
                byId('status-work').textContent = differing ? `Saved. ${some(differing.bytes, 'byte')} ${differing.bytes === 1 ? 'differs' : 'differ'}, starting at ${hex(differing.first)}; all other bytes are unchanged.` : 'Saved. All bytes equal the original.';
            }
            written.add(doc);
        }
        saved = until;
        show();
        keep();
        return true;
    }

    /** Writes to the chosen file, or as a download. @param {Uint8Array} bytes @param {string} name @param {string} key */
    async function write(bytes, name, key) {
        const picker = /** @type {any} */ (globalThis).showSaveFilePicker;
        const blob = new Blob([/** @type {any} */ (bytes)]);
        if (!picker) {
            app.emit('download', { blob, name });
            return true;
        }
        try {
            const handle = handles.get(key) ?? (await picker({ suggestedName: name }));
            handles.set(key, handle);
            const stream = await handle.createWritable();
            await stream.write(blob);
            await stream.close();
            return true;
        } catch (error) {
            if (/** @type {Error} */ (error).name !== 'AbortError') refuse(String(error));
            return false;
        }
    }

    async function savePatch() {
        for (const [doc, one] of app.documents.entries()) {
            if (!one.edited && !(app.compared && doc === 0)) continue;
            const text = await app.ask('Making the patch', 'patch', doc).catch((error) => refuse(error.message));
            if (text) await write(new TextEncoder().encode(text), `${app.nameOf(doc)}.patch`, `${doc}/patch`);
        }
    }

    // ---- menus ---------------------------------------------------------------------------------------------------

    /** @type {HTMLElement | null} */ let opened = null;
    function closeMenu() {
        opened?.remove();
        opened = null;
    }
    /** @param {import('./app.js').At} at @param {([string, string, () => void] | null)[]} [items] */
    function menu(at, items) {
        closeMenu();
        const { selected } = app, box = at.element?.getBoundingClientRect(), before = /** @type {HTMLElement | null} */ (document.activeElement);
        items ??= [
            ...(selected ? /** @type {([string, string, () => void] | null)[]} */ ([
                ['Fly to it', 'F', () => app.emit('frame')], ['Change its value', 'F2', () => app.emit('change-value', selected)], ['Copy its path', '', () => navigator.clipboard?.writeText(selected.path)],
                ['Copy its value as JSON', '', async () => navigator.clipboard?.writeText(JSON.stringify(await app.library.call('get', selected)))], null, ['Copy', 'Ctrl C', () => app.emit('copy')], ['Paste', 'Ctrl V', () => app.emit('paste')], ['Duplicate', 'Ctrl D', duplicate], ['Add one like it', '', add], ['Remove', 'Delete', remove], ['Hide its class', 'H', () => app.emit('hide')], null,
            ]) : []),
            ['Save', 'Ctrl S', save], ['Save as a patch', 'Ctrl Shift S', savePatch], ['Save in another form', '', () => app.emit('forms', at)], ['Open another', 'Ctrl O', () => byId('pick-files').click()], ['Open a folder', '', () => byId('pick-folder').click()], null,
            ['Light or dark', '', () => app.emit('flip-theme')], ['More contrast', '', () => app.emit('flip-contrast')], [kept('keys') === 'off' ? 'Single keys on' : 'Single keys off', '', () => kept('keys', kept('keys') === 'off' ? 'on' : 'off')], ['All keys', '?', () => app.emit('keys')],
        ];
        const list = el('div.menu', { role: 'menu', 'aria-label': 'Menu' }, ...items.map((item) => (item ? el('button', { type: 'button', role: 'menuitem', onclick: () => (closeMenu(), item[2]()) }, item[0], item[1] ? el('kbd', {}, item[1]) : null) : el('hr'))));
        byId('floats').append(list);
        list.style.left = `${Math.max(4, Math.min(innerWidth - list.offsetWidth - 4, at.x ?? box?.left ?? 0))}px`;
        list.style.top = `${Math.max(4, Math.min(innerHeight - list.offsetHeight - 4, at.y ?? box?.bottom ?? 0))}px`;
        const buttons = [...list.querySelectorAll('button')];
        buttons[0]?.focus();
        list.addEventListener('keydown', (event) => {
            const now = buttons.indexOf(/** @type {any} */ (document.activeElement)), by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (event.key === 'Escape' || event.key === 'Tab') {
                closeMenu();
                before?.focus();
            } else if (by) buttons[(now + by + buttons.length) % buttons.length]?.focus();
            else return;
            event.preventDefault();
            event.stopPropagation();
        });
        opened = list;
    }
    /** Lists the other given files, to open one of them. */
    const chooseLevel = () => openPicker(byId('file-menu'), {
        label: 'Files', current: app.documents[0]?.name, take: ({ value }) => app.emit('open-level', String(value)),
        choices: app.known.map(({ name, title, size: bytes }) => ({ value: name, name, words: `${title}, ${size(bytes)}` })),
    });
    addEventListener('pointerdown', (event) => opened && !opened.contains(/** @type {Node} */ (event.target)) && closeMenu(), true);
    byId('file-menu').addEventListener('click', () => menu({ element: byId('file-menu') }, [
        ...(app.known.length > 1 && !app.compared ? [/** @type {[string, string, () => void]} */ ([`Choose among ${some(app.known.length, 'file')}`, '', chooseLevel]), null] : []), ['Open another', 'Ctrl O', () => byId('pick-files').click()], ['Open a folder', '', () => byId('pick-folder').click()], ['Add a folder', '', () => app.emit('add-folder')], ...(app.files.length === 1 ? [/** @type {[string, string, () => void]} */ (['Compare with an older file', '', () => app.emit('compare')])] : []), ...(app.compared ? [] : [/** @type {[string, string, () => void]} */ (['Merge another version', '', () => app.emit('merge')])]), ['Close', '', () => app.emit('close')],
    ]));

    app.edit = edit;
    app.afterwards.push(readChanges);
    app.was = ({ doc, path }) => was.get(`${doc}|${path}`);
    app.putBack = putBack;
    const picking = el('div.float.refusal.picking', { role: 'status', hidden: true });
    byId('view').append(picking);
    app.on('pick', (/** @type {string} */ text) => {
        picking.textContent = text;
        picking.hidden = !text;
    });
    app.on('menu', (at) => menu(at));
    app.on('undo', () => go('undo'));
    app.on('redo', () => go('redo'));
    app.on('save', save);
    app.on('save-patch', savePatch);
    app.on('duplicate', duplicate);
    app.on('remove', remove);
    /** Clears the state of the closed level. */
    function forget() {
        past = { steps: [], position: 0 };
        saved = 0;
        written.clear();
        if (journal.length) keep();
        journal = [];
    }
    app.on('closed', forget);
    app.on('open', () => {
        forget();
        changes = [];
        shown = [];
        was.clear();
        handles.clear();
        empty.hidden = false;
        rows.set(0);
        foot.hidden = true;
        show();
        app.emit('changes');
        if (app.compared) readChanges().then(() => app.emit('to-pane', 'changes'));
    });
    addEventListener('beforeunload', (event) => isUnsaved() && event.preventDefault());
    byId('right').addEventListener('focusin', () => app.documents.length && app.library.call('warm'));
    show();
    return { element, menu, write, focus: () => rows.element.focus(), counted: () => changes.length, edit, took, go, refuse, restore, mayLose, get changes() { return changes; }, get rows() { return shown; }, get olderThings() { return olderThings; }, get past() { return past; } };
}
