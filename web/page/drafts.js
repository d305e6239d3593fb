// SPDX-License-Identifier: MIT
/** Keeps changes on this computer until they are saved or given up: a tab that is reloaded, closed or lost loses none of them. */
import { byId, el, kept, some } from './dom.js';

/** @typedef {{file: string, operations: (string | Record<string, unknown>)[], options: Record<string, unknown>}} Step  what one did; `file`: of which document; options may have a `patch` instead of operations */
/** @typedef {import('./worker.js').Given} Given */
/**
 * @typedef {object} Draft
 * @property {string} name        of the level
 * @property {string} of          what the files are, without their content
 * @property {object} options     how they were opened
 * @property {Step[]} steps
 * @property {number} position    how many of them were not undone
 */

/** Bytes of files that are kept with their changes; of larger ones only the changes are. */
const most = 256 << 20;

/** The result of a request. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

/** @type {Promise<IDBDatabase> | undefined} */ let opened;
/** What is kept: `drafts`, and the `files` of each. @param {'drafts' | 'files'} name @param {IDBTransactionMode} [mode] */
async function store(name, mode = 'readonly') {
    opened ??= new Promise((resolve, reject) => {
        const request = indexedDB.open('mapstone', 1);
        request.onupgradeneeded = () => ['drafts', 'files'].forEach((one) => request.result.createObjectStore(one));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    return (await opened).transaction(name, mode).objectStore(name);
}

/** What two openings of the same files have in common. @param {Given[]} files */
const identity = (files) => JSON.stringify(files.map(({ name, file }) => [name, file instanceof Uint8Array ? file.length : file.size, file instanceof File ? file.lastModified : 0]));

/** @param {string} id */
async function forget(id) {
    await done((await store('drafts', 'readwrite')).delete(id));
    await done((await store('files', 'readwrite')).delete(id));
    kept('drafts', (await done((await store('drafts')).count())) ? 'some' : '');
}

/** Drafts that no open tab works on. @returns {Promise<[string, Draft][]>} */
async function left() {
    const locks = await navigator.locks?.query(), busy = new Set(locks?.held?.map(({ name }) => name)), drafts = await store('drafts');
    const [ids, all] = await Promise.all([done(drafts.getAllKeys()), done(drafts.getAll())]);
    return ids.flatMap((id, index) => (busy.has(`mapstone ${id}`) ? [] : [/** @type {[string, Draft]} */ ([String(id), all[index]])]));
}

/** This tab's draft, which others leave alone while it is open. */
const own = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
/** Whether its files are kept. */ let hasFiles = false;
/** Whether others see that this tab is open. */ let held = false;
/** One after the other. */ let last = Promise.resolve();

/** Keeps what was changed; null: there is nothing that is not saved. @param {import('./app.js').App} app @param {{steps: Step[], position: number} | null} made */
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
    }).catch((error) => app.say(`The changes are not kept on this computer: ${error.message}`));
    return last;
}

/** @param {Draft} draft */
const words = ({ name, position }) => `${name} has ${some(position, 'change')} that ${position === 1 ? 'was' : 'were'} not saved`;

/**
 * Offers what was left, on the start page.
 * @param {(files: Given[], options: object, draft: Draft) => Promise<boolean>} open  whether all of them were made again
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
        const row = el('p.draft', { role: 'status' }, el('span', {}, files ? `${words(draft)}.` : `${words(draft)}. Open it again to go on.`), el('span.grow'),
            files ? el('button.primary', { type: 'button', onclick: go }, 'Go on') : null, el('button', { type: 'button', onclick: async () => (await forget(id), row.remove()) }, 'Give them up'));
        return row;
    }))));
}

/** The draft of files that are open, if it was left, and what forgets it. @param {Given[]} files @returns {Promise<{draft: Draft, words: string, forget: () => Promise<void>} | null>} */
export async function draftOf(files) {
    const found = (await left().catch(() => [])).find(([, one]) => one.of === identity(files));
    return found ? { draft: found[1], words: words(found[1]), forget: () => forget(found[0]) } : null;
}
