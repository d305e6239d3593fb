// SPDX-License-Identifier: MIT
/** Imports a model of the level that was edited in another program: lists the changes, and applies them as one step. */
import { ask } from './ask.js';
import { count, el, icon, some } from './dom.js';

/** @typedef {import('./worker.js').Given} Given */
/** @typedef {import('./elsewhere.js').Imported} Imported */
/** @typedef {import('./app.js').App} App */

/** The most lines of a list. */
const most = 300;

/** @param {string} label @param {(Node | string)[][]} lines */
const list = (label, lines) => el('ul.brought.data', { tabindex: 0, 'aria-label': label }, ...lines.slice(0, most).map((one) => el('li', {}, ...one)), lines.length > most ? el('li', {}, `and ${count(lines.length - most)} more`) : null);

/** Asks the user for files; empty if none were chosen. @returns {Promise<Given[]>} */
const choose = () => new Promise((resolve) => {
    const input = /** @type {HTMLInputElement} */ (el('input', { type: 'file', multiple: true }));
    input.addEventListener('change', () => resolve([...(input.files ?? [])].map((file) => ({ name: file.name, file }))));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
});

/** @param {Given['file']} file @returns {Promise<string>} a data URI */
const dataUri = (file) => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(/** @type {string} */ (reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(new Blob([/** @type {BlobPart} */ (file)]));
});

/**
 * A model with its buffers, which a .gltf may have in files next to it, and the other files: neither its own nor its textures.
 * @param {Given} model @param {Given[]} files @returns {Promise<{given: Given, rest: Given[]}>}
 */
export async function whole(model, files) {
    const others = files.filter((one) => one !== model), own = new Set();
    if (!/\.gltf$/i.test(model.name)) return { given: model, rest: others };
    /** @param {{uri?: string}} of */
    const fileOf = ({ uri }) => {
        const name = uri && !uri.startsWith('data:') && decodeURIComponent(uri).split('/').at(-1), found = others.find((one) => one.name.split('/').at(-1) === name);
        if (found) own.add(found);
        return found;
    };
    try {
        const json = JSON.parse(await new Blob([/** @type {BlobPart} */ (model.file)]).text());
        for (const image of json.images ?? []) fileOf(image);
        for (const buffer of json.buffers ?? []) {
            const found = fileOf(buffer);
            if (found) buffer.uri = await dataUri(found.file);
        }
        return { given: { name: model.name, file: new TextEncoder().encode(JSON.stringify(json)) }, rest: others.filter((one) => !own.has(one)) };
    } catch {
        return { given: model, rest: others }; // the library says what is wrong
    }
}

/** Describes the changes to the user. @param {import('./app.js').App} app @param {Imported} found */
function about(app, { lines, count: number, findings, why, older }) {
    const operations = lines.map(({ doc, text, label }) => [...(app.documents.length > 1 ? [`${app.nameOf(doc)}: `] : []), text.length > 200 ? `${text.slice(0, 197)}…` : text, ...(label ? [' ', el('b', {}, label)] : [])]);
    const notes = findings.map(({ path, message }) => [...(path ? [el('b', {}, path), ' '] : []), message]);
    return [
        older ? el('p', {}, 'The model is of an earlier version of the level. Its changes are merged into the open level.') : null,
        number ? el('p', {}, `${some(number, 'operation')}, as one step of undo:`) : el('p', {}, 'The model has no changes that apply to the level.'),
        number ? list('Operations', operations) : null,
        notes.length ? el('p', {}, `${some(notes.length, 'value or element is', 'values or elements are')} rounded or left out:`) : null, notes.length ? list('Rounded or left out', notes) : null,
        why ? el('p.diagnosis', { role: 'alert' }, icon('error'), why) : null,
    ];
}

/**
 * Imports a model into the open level after confirmation; returns whether it was imported.
 * @param {import('./app.js').App} app @param {{edit: App['edit'], refuse: (why: string) => void}} edit @param {() => Promise<{begin: (answer: any, names: Record<string, string>) => Promise<void>}>} merging @param {Given} given @param {Given[]} [base]  the version that it was exported from
 * @returns {Promise<boolean>}
 */
export async function importModel(app, edit, merging, given, base) {
    const name = given.name.split('/').at(-1) ?? given.name, level = app.nameOf(0), end = () => app.library.call('elsewhere', 'end');
    app.emit('merging', null);
    /** @type {Imported} */ let found;
    try {
        found = await app.ask('Comparing the model', 'elsewhere', 'importModel', given, base);
    } catch (error) {
        const { message, finding } = /** @type {import('./library.js').Refusal} */ (error), other = finding?.reason === 'other-base';
        const answer = await ask(`${name} is not imported`, [el('p.diagnosis', { role: 'alert' }, icon('error'), message), other ? el('p', {}, 'Choose the version that it was exported from, to merge the changes.') : null], other ? { base: 'Choose that version' } : {}, 'Close');
        const files = answer ? await choose() : [];
        return files.length > 0 && importModel(app, edit, merging, given, files);
    }
    const can = found.count > 0 && !found.why;
    if (!(await ask(`Changes by ${name} in ${level}`, about(app, found), can ? { apply: found.older ? 'Merge' : 'Apply' } : {}, can ? 'Cancel' : 'Close'))) {
        await end();
        return false;
    }
    const label = `import ${name}`, [first, ...also] = found.parts;
    if (found.older) {
        try {
            await (await merging()).begin(await app.ask('Merging', 'elsewhere', 'mergeImported', label), { theirs: name, base: base?.[0]?.name ?? 'the file as opened' });
        } catch (error) {
            edit.refuse(/** @type {Error} */ (error).message);
            return false;
        }
        return true;
    }
    const why = first ? await edit.edit(first.doc, first.operations, { label, also }) : '';
    if (why) edit.refuse(why);
    else app.say(`Imported ${name}: ${some(found.count, 'operation')}.`);
    if (!why) app.emit('to-pane', 'changes');
    return !why;
}
