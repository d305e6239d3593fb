// SPDX-License-Identifier: MIT
/** Keeps changes on this computer until they are saved or discarded, so that they survive when a tab is reloaded, closed or lost. */
import { ask } from './ask.js';
import { byId, el, kept, some } from './dom.js';

/** @typedef {{file: string, operations: (string | Record<string, unknown>)[], options: Record<string, unknown>}} Step  one edit; `file`: the name of its document; options may have a `patch` instead of operations */
/** @typedef {import('./worker.js').Given} Given */
/**
 * @typedef {object} Draft
 * @property {string} name        of the level
 * @property {string} of          identifies the files, without their content
 * @property {object} options     the options that they were opened with
 * @property {Step[]} steps
 * @property {number} position    the number of steps that were not undone
 */

/** The most bytes of files that are stored with their changes; for larger files, only the changes are. */
const most = 256 << 20;

/** The result of a request. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

/** @type {Promise<IDBDatabase> | undefined} */ let opened;
/** An object store: `drafts`, or the `files` of each. @param {'drafts' | 'files'} name @param {IDBTransactionMode} [mode] */
async function store(name, mode = 'readonly') {
    opened ??= new Promise((resolve, reject) => {
        const request = indexedDB.open('mapstone', 1);
        request.onupgradeneeded = () => ['drafts', 'files'].forEach((one) => request.result.createObjectStore(one));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    return (await opened).transaction(name, mode).objectStore(name);
}

/** An identity that is the same whenever the same files are opened. @param {Given[]} files */
const identity = (files) => JSON.stringify(files.map(({ name, file }) => [name, file instanceof Uint8Array ? file.length : file.size, file instanceof File ? file.lastModified : 0]));

/** @param {string} id */
async function forget(id) {
    await done((await store('drafts', 'readwrite')).delete(id));
    await done((await store('files', 'readwrite')).delete(id));
    kept('drafts', (await done((await store('drafts')).count())) ? 'some' : '');
}

/** Drafts that are not open in any tab, the newest first. @returns {Promise<[string, Draft][]>} */
async function left() {
    const locks = await navigator.locks?.query(), busy = new Set(locks?.held?.map(({ name }) => name)), drafts = await store('drafts');
    const [ids, all] = await Promise.all([done(drafts.getAllKeys()), done(drafts.getAll())]);
    return ids.flatMap((id, index) => (busy.has(`mapstone ${id}`) ? [] : [/** @type {[string, Draft]} */ ([String(id), all[index]])])).reverse();
}

/** This tab's draft, which other tabs do not touch while it is open. It begins with the time, by which drafts are sorted. */
const own = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
/** Whether its files are stored. */ let hasFiles = false;
/** Whether this tab holds the lock that other tabs see. */ let held = false;
/** The last write: they run in order. */ let last = Promise.resolve();

/** Stores unsaved changes; null if there are none. @param {import('./app.js').App} app @param {{steps: Step[], position: number} | null} made */
export function keep(app, made) {
    const { files, options } = app, name = app.nameOf(0);
    last = last.then(async () => {
        if (!made) {
            if (hasFiles) await forget(own);
            hasFiles = false;
            return;
        }
        if (!hasFiles) {
            if (!held) navigator.locks?.request(`mapstone ${own}`, () => new Promise(() => undefined));
            held = true;
            const bytes = files.reduce((sum, { file }) => sum + (file instanceof Uint8Array ? file.length : file.size), 0);
            await done((await store('files', 'readwrite')).put(bytes > most ? null : files, own));
            hasFiles = true;
            kept('drafts', 'some');
        }
        await done((await store('drafts', 'readwrite')).put({ name, of: identity(files), options, ...made }, own));
    }).catch((error) => app.say(`The changes could not be stored on this computer: ${error.message}`));
    return last;
}

/** @param {Draft} draft */
const words = ({ name, position }) => `${name} has ${some(position, 'change')} that ${position === 1 ? 'was' : 'were'} not saved`;

/**
 * Offers drafts of closed tabs on the start page.
 * @param {(files: Given[], options: object, draft: Draft) => Promise<boolean>} open  returns whether all changes were made again
 */
export async function offer(open) {
    const zone = byId('drafts'), all = await left().catch(() => []);
    zone.replaceChildren(...(await Promise.all(all.map(async ([id, draft]) => {
        const files = await done((await store('files')).get(id));
        const go = async () => {
            if (!(await open(files, draft.options, draft))) return;
            await forget(id);
            row.remove();
        };
        const row = el('p.draft', { role: 'status' }, el('span', {}, files ? `${words(draft)}.` : `${words(draft)}. Open it again to continue.`), el('span.grow'),
            files ? el('button.primary', { type: 'button', onclick: go }, 'Continue') : null, el('button', { type: 'button', onclick: async () => (await forget(id), row.remove()) }, 'Discard them'));
        return row;
    }))));
}

/** Offers the draft of the open files, if there is one. @param {Given[]} files @param {(steps: Step[], position: number) => Promise<boolean>} restore  returns whether all changes were made again */
export async function bringBack(files, restore) {
    const [id, draft] = (await left().catch(() => [])).find(([, one]) => one.of === identity(files)) ?? [];
    if (!id || !draft) return;
    const answer = await ask(words(draft), [el('p', {}, 'They are stored on this computer.')], { back: 'Restore them', lose: 'Discard them' }, 'Later');
    if (answer === 'lose' || (answer === 'back' && (await restore(draft.steps, draft.position)))) await forget(id);
}
