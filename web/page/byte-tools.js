// SPDX-License-Identifier: MIT
/** Tools of the byte pane: search, bookmarks, and changing a byte through its field. */
import { el, hex, iconButton, kept, some } from './dom.js';
import { openPicker } from './picker.js';
import { isLittle, valueOf } from './rebyte.js';

/** @typedef {import('../mapstone.js').Field} Field */
/** @typedef {{doc: number, file: number, packed: number, size: number, cursor: number}} State */
/** A bookmark. @typedef {{file: number, packed: number, offset: number, name: string}} Bookmark */

/** @param {import('./app.js').App} app @param {{state: () => State, fieldAt: (offset: number) => Field | undefined, reach: (offset: number, length: number, packed?: number, file?: number) => Promise<void>, redraw: () => void}} pane */
export function makeByteTools(app, { state, fieldAt, reach, redraw }) {
    const find = /** @type {HTMLInputElement} */ (el('input', { type: 'search', placeholder: 'Find text or de ad', 'aria-label': 'Find text or bytes', title: 'Text, "text", or bytes such as de ad be ef. Enter: next, Shift Enter: previous', size: 16, spellcheck: 'false' }));
    const found = el('span.found', { role: 'status' });

    /** @param {boolean} backwards */
    async function seek(backwards) {
        const { doc, file, packed, cursor } = state(), text = find.value;
        if (!text.trim()) return;
        try {
            const hit = await app.ask('Searching', 'seek', doc, { file, packed }, text, backwards ? cursor : cursor + 1, backwards);
            found.textContent = hit ? (hit.wrapped ? `from the ${backwards ? 'end' : 'beginning'} again` : '') : 'not in this file';
            if (hit) await reach(hit.at, hit.length);
        } catch (error) {
            found.textContent = /** @type {Error} */ (error).message;
        }
    }
    find.addEventListener('keydown', (event) => event.key === 'Enter' && seek(event.shiftKey));
    find.addEventListener('input', () => (found.textContent = ''));

    // ---- bookmarks -----------------------------------------------------------------------------------------------

    const place = () => `bookmarks.${app.documents[state().doc]?.name ?? ''}.${app.documents[state().doc]?.size ?? 0}`;
    /** @returns {Bookmark[]} */
    function bookmarks() {
        try {
            return JSON.parse(kept(place()) || '[]');
        } catch {
            return [];
        }
    }
    /** Adds a bookmark at the cursor, or removes it. */
    function flip() {
        const { file, packed, cursor } = state(), all = bookmarks(), own = all.findIndex((one) => one.file === file && one.packed === packed && one.offset === cursor);
        if (cursor < 0) return app.say('Choose a byte first.');
        if (own >= 0) all.splice(own, 1);
        else all.push({ file, packed, offset: cursor, name: fieldAt(cursor)?.path ?? '' });
        kept(place(), JSON.stringify(all.sort((one, other) => one.offset - other.offset)));
        app.say(own >= 0 ? `Bookmark at ${hex(cursor)} removed.` : `Bookmark at ${hex(cursor)}.`);
        redraw();
    }
    const list = iconButton('down', 'Bookmarks', () => openPicker(list, {
        label: 'Bookmarks', current: null, take: ({ value }) => {
            const one = /** @type {Bookmark} */ (value);
            reach(one.offset, 1, one.packed, one.file);
        },
        choices: bookmarks().map((one) => ({ value: one, name: `${one.packed >= 0 ? 'unpacked ' : ''}${hex(one.offset)}`, words: one.name })), more: bookmarks().length ? [] : [el('span.where', {}, 'None yet: choose a byte, then press the button next to this one.')],
    }));
    list.setAttribute('aria-haspopup', 'dialog');
    const mark = iconButton('plus', 'Bookmark this byte', flip);

    // ---- changing a byte -----------------------------------------------------------------------------------------

    /** Sets a byte by changing the value of its field; returns the reason if it is refused. @param {number} offset @param {number} byte @returns {Promise<string>} */
    async function set(offset, byte) {
        const { doc, file, packed } = state(), field = fieldAt(offset);
        if (!field) return 'This byte does not belong to a field.';
        if (field.class !== 'field') return field.class === 'derived' ? 'It is computed from other values.' : 'It is not stored as a value.';
        const read = () => app.library.call('fields', doc, { file, packed, offset: field.offset, length: field.length }), { bytes } = await read(), wanted = Uint8Array.from(bytes);
        wanted[offset - field.offset] = byte;
        const value = valueOf(field, wanted, isLittle(field, bytes) ?? (await order()), await app.library.call('get', { doc, path: field.path }));
        if (value === undefined) return 'No value of the field has these bytes.';
        const why = await app.edit(doc, [{ op: 'set', path: field.path, new: value }], { label: `${field.path}: byte ${hex(offset)} = ${byte.toString(16).padStart(2, '0')}` });
        if (why) return why;
        const after = await read();
        if (wanted.every((one, index) => after.bytes[index] === one)) return '';
        app.emit('undo');
        return 'The field cannot hold these bytes.';
    }
    /** Whether numbers are little-endian, by the first number that shows it. */
    async function order() {
        const { doc, file, packed, size } = state(), { bytes, fields } = await app.library.call('fields', doc, { file, packed, offset: 0, length: Math.min(size, 1 << 16) });
        for (const one of fields) {
            const little = one.class === 'field' && one.offset + one.length <= bytes.length ? isLittle(one, bytes.subarray(one.offset, one.offset + one.length)) : null;
            if (little !== null) return little;
        }
        return true;
    }

    /** An input that changes a byte. @param {number} offset @param {number} byte */
    function editor(offset, byte) {
        const before = byte.toString(16).padStart(2, '0'), why = el('p.why', { role: 'alert', hidden: true });
        const input = /** @type {HTMLInputElement} */ (el('input.byte', { type: 'text', 'aria-label': `Byte at ${hex(offset)}, hexadecimal`, maxlength: 2, size: 2, spellcheck: 'false', autocomplete: 'off' }));
        input.value = before;
        input.addEventListener('keydown', async (event) => {
            event.stopPropagation();
            if (event.key === 'Escape') input.value = before;
            if (event.key !== 'Enter' || input.value === before) return;
            why.textContent = /^[\da-f]{1,2}$/i.test(input.value) ? await set(offset, Number.parseInt(input.value, 16)) : 'Enter two hexadecimal digits.';
            why.hidden = !why.textContent;
            input.classList.toggle('refused', !why.hidden);
        });
        return el('div.byte-edit', {}, el('label', {}, 'Byte ', input), why);
    }

    return { elements: [find, found, mark, list], editor, set, bookmarks, title: () => some(bookmarks().length, 'bookmark') };
}
