// SPDX-License-Identifier: MIT
/** The bytes of a file, or the unpacked content of some of them: fields coloured by kind, the selection, and the meaning of a byte. */
import { same } from './app.js';
import { count, data, eachFrame, el, hex, icon, isWithin, some } from './dom.js';
import { makeByteTools } from './byte-tools.js';
import { Rows } from './rows.js';

/** @typedef {import('../mapstone.js').Field} Field */
/** @typedef {import('../mapstone.js').Place} Place */
/** @typedef {import('./app.js').Where} Where */

/** Bytes per request. */
const pageBytes = 4096;

/** The kinds of bytes, as their classes in the style sheet, and their names. */
export const kinds = /** @type {const} */ ({
    number: 'number', text: 'text', enum: 'enum or flags', reference: 'reference', derived: 'count, size, derived', unknown: 'meaning unknown', packed: 'packed', padding: 'padding',
});

/** @param {Field} field @returns {keyof typeof kinds} */
export function kindOf(field) {
    if (field.class === 'packed') return 'packed';
    if (field.class === 'padding' || field.class === 'gap') return 'padding';
    if (field.class === 'derived') return 'derived';
    if (field.class === 'raw' || /^unknown|^unused|^reserved/.test(field.name)) return 'unknown';
    const { meaning } = /** @type {any} */ (field);
    if (meaning && meaning in kinds) return meaning;
    if (field.type === 'text') return 'text';
    if (field.type === 'bool' || (field.type === 'integer' && /\s\S/.test(field.text ?? '')) || /flag|enum/.test(field.kind ?? '')) return 'enum';
    return field.type === 'bytes' ? 'unknown' : 'number';
}

/** Other interpretations of bytes. @param {Uint8Array} bytes @returns {[string, string][]} */
export function readings(bytes) {
    const all = new Uint8Array(8), view = new DataView(all.buffer);
    all.set(bytes.subarray(0, 8));
    /** @type {[string, string][]} */ const list = [['u8, s8', `${view.getUint8(0)}, ${view.getInt8(0)}`]];
    if (bytes.length >= 2) list.push(['u16 little, big', `${view.getUint16(0, true)}, ${view.getUint16(0)}`]);
    if (bytes.length >= 4) list.push(['u32 little, big', `${view.getUint32(0, true)}, ${view.getUint32(0)}`], ['f32 little, big', `${Number(view.getFloat32(0, true).toPrecision(6))}, ${Number(view.getFloat32(0).toPrecision(6))}`]);
    list.push(['bits', [...bytes.subarray(0, 2)].map((one) => one.toString(2).padStart(8, '0')).join(' ')]);
    return list;
}

/** @param {import('./app.js').App} app */
export function makeBytes(app) {
    /** The shown bytes: a file of a document, or the unpacked content of some of its bytes. */
    let doc = 0, file = 0, packed = -1, size = 0, perRow = 16, cursor = -1;
    /** @type {Map<number, {bytes: Uint8Array, fields: Field[]} | null>} */ const pages = new Map();
    /** @type {Place[]} */ let chosen = [];
    /** @type {Place[]} */ let around = [];
    /** The last search result. */ let hit = { offset: -1, length: 0 };
    const rows = new Rows({ label: 'Bytes', role: 'grid', height: 20, make, key });
    rows.element.classList.add('hex');
    const strip = /** @type {HTMLCanvasElement} */ (el('canvas.strip', { 'aria-hidden': 'true', height: 10 }));
    const heading = el('div.hex-heading'), says = el('div.hex-says', { role: 'status' });
    const goTo = /** @type {HTMLInputElement} */ (el('input', { type: 'text', placeholder: 'Go to 0x…', 'aria-label': 'Go to an offset', size: 10, spellcheck: 'false' }));
    const legend = el('ul.legend', { 'aria-label': 'Kinds of bytes' }, ...Object.entries(kinds).map(([kind, name]) => el('li', {}, el(`span.k-${kind}`, {}, '00'), name)));
    const element = el('div.hex-pane', {}, el('div.hex-top', {}, strip, heading), el('div.hex-main', {}, rows.element, el('div.hex-side', { tabindex: 0, role: 'group', 'aria-label': 'About this byte' }, says, legend)));

    /** @param {number} offset */
    function pageAt(offset) {
        const number = Math.floor(offset / pageBytes);
        const found = pages.get(number);
        if (found === undefined) {
            pages.set(number, null);
            if (pages.size > 64) for (const old of [...pages.keys()].slice(0, 16)) if (old !== number) pages.delete(old);
            const asked = `${doc}/${file}/${packed}`;
            app.library.call('fields', doc, { file, packed, offset: number * pageBytes, length: Math.min(pageBytes, size - number * pageBytes) }).then((page) => {
                if (asked !== `${doc}/${file}/${packed}`) return;
                pages.set(number, page);
                if (cursor >= 0 && Math.floor(cursor / pageBytes) === number) describe(fieldAt(cursor), cursor);
                redraw();
            }, () => pages.delete(number));
        }
        return found ?? null;
    }

    /** The field of a byte, if it has been loaded. @param {number} offset @returns {Field | undefined} */
    function fieldAt(offset) {
        const fields = pageAt(offset)?.fields ?? [];
        let low = 0, high = fields.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (/** @type {Field} */ (fields[middle]).offset <= offset) low = middle + 1;
            else high = middle;
        }
        const found = fields[low - 1];
        return found && offset < found.offset + found.length ? found : undefined;
    }

    /** @param {Place[]} places @param {number} offset */
    const covers = (places, offset) => places.some((one) => one.file === file && (packed >= 0 ? one.kind === 'packed' && one.offset === packed && offset >= (one.inner ?? 0) && offset < (one.inner ?? 0) + (one.innerLength ?? 0)
        : one.kind !== 'made' && offset >= (one.offset ?? 0) && offset < (one.offset ?? 0) + (one.length ?? 0)));

    /** @param {number} index */
    function make(index) {
        const first = index * perRow, page = pageAt(first), made = el('div', { role: 'row', 'aria-rowindex': index + 1 }, el('span.offset', { role: 'rowheader' }, first.toString(16).padStart(8, '0')));
        const cells = el('span.cells-hex'), text = el('span.ascii', { 'aria-hidden': 'true' });
        for (let offset = first; offset < Math.min(first + perRow, size); offset++) {
            const value = page?.bytes[offset % pageBytes], field = page ? fieldAt(offset) : undefined, kind = field ? kindOf(field) : 'number';
            const begins = field && (offset === field.offset || offset === first), ends = field && offset === field.offset + field.length - 1;
            const state = covers(chosen, offset) ? '.chosen' : covers(around, offset) ? '.around' : '';
            const name = field ? `${hex(offset)}, ${value?.toString(16).padStart(2, '0')}, ${field.name}, ${kinds[kind]}${field.text ? `, ${field.text}` : ''}` : `${hex(offset)}${value === undefined ? '' : `, ${value.toString(16).padStart(2, '0')}`}`;
            const here = `${offset === cursor ? '.cursor' : ''}${offset >= hit.offset && offset < hit.offset + hit.length ? '.hit' : ''}`;
            cells.append(el(`span.k-${kind}${state}${begins ? '.first' : ''}${ends ? '.last' : ''}${here}`, { role: 'gridcell', 'aria-label': name, 'data-offset': offset }, value === undefined ? '··' : value.toString(16).padStart(2, '0')));
            text.append(el(`span${state}${here}`, { 'data-offset': offset }, value !== undefined && value > 32 && value < 127 ? String.fromCharCode(value) : '·'));
            if (offset % 8 === 7) cells.append(' ');
        }
        made.append(cells, text);
        return made;
    }

    const redraw = eachFrame(() => {
        rows.draw(true);
        drawStrip();
    });
    const tools = makeByteTools(app, {
        state: () => ({ doc, file, packed, size, cursor }), fieldAt, redraw,
        async reach(offset, length, inPacked = packed, inFile = file) {
            await show(doc, inFile, inPacked);
            hit = { offset, length };
            await go(offset);
        },
    });
    const further = [el('span.grow'), ...tools.elements, goTo];

    let showing = 0;
    /** Shows a file, or the unpacked content of some of its bytes. @param {number} newDoc @param {number} newFile @param {number} [newPacked] @param {boolean} [again] also if it is shown already */
    async function show(newDoc, newFile, newPacked = -1, again = false) {
        const mine = ++showing;
        if (doc === newDoc && file === newFile && packed === newPacked && size && !again) return;
        const { files } = app.documents[newDoc] ?? { files: [] }, whole = files[newFile]?.size ?? 0;
        /** @type {Field | undefined} */ let run;
        if (newPacked >= 0) [run] = (await app.library.call('fields', newDoc, { file: newFile, offset: newPacked, length: 1 })).fields;
        if (mine !== showing) return;
        [doc, file, packed, cursor, size] = [newDoc, newFile, newPacked, -1, run ? (run.unpackedSize ?? 0) : whole];
        pages.clear();
        if (run)
            heading.replaceChildren(icon('packed'), `Stored at ${hex(packed)}: ${count(run.length)} bytes that unpack to ${count(size)}. Offsets below are offsets in the unpacked data.`, el('button.plain', { type: 'button', onclick: () => show(doc, file) }, 'The file'), ...further);
        else
            heading.replaceChildren(data(files[file]?.name || app.nameOf(doc)), ` ${some(whole, 'byte')}`, ...(files.length > 1 ? files.map((one, index) => el('button.plain', { type: 'button', onclick: () => show(doc, index) }, one.name || `file ${index + 1}`)) : []), ...further);
        rows.element.setAttribute('aria-rowcount', String(Math.ceil(size / perRow)));
        rows.set(Math.ceil(size / perRow));
        drawStrip();
    }

    /** Draws the overview of the file, with a mark at the selection. */
    function drawStrip() {
        const wide = Math.max(1, strip.clientWidth), context = /** @type {CanvasRenderingContext2D} */ (strip.getContext('2d')), style = getComputedStyle(document.documentElement);
        strip.width = wide;
        context.fillStyle = style.getPropertyValue('--hover');
        context.fillRect(0, 2, wide, 6);
        const mark = (/** @type {Place[]} */ places, /** @type {string} */ color) => {
            context.fillStyle = style.getPropertyValue(color);
            for (const one of places) {
                const at = packed >= 0 ? (one.inner ?? 0) : (one.offset ?? 0), length = packed >= 0 ? (one.innerLength ?? 0) : (one.length ?? 0);
                if (one.file === file && one.kind !== 'made') context.fillRect((at / Math.max(1, size)) * wide, 0, Math.max(2, (length / Math.max(1, size)) * wide), 10);
            }
        };
        context.fillStyle = style.getPropertyValue('--note');
        for (const one of tools.bookmarks()) if (one.file === file && one.packed === packed) context.fillRect((one.offset / Math.max(1, size)) * wide, 0, 2, 10);
        mark(around, '--select-fill');
        mark(chosen, '--select');
    }

    /** @param {Uint8Array} bytes */
    const otherReadings = (bytes) => el('dl.facts', {}, ...readings(bytes).flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]));

    /** Writes the panel next to the bytes. @param {Field | undefined} field @param {number} offset */
    function describe(field, offset) {
        if (says.contains(document.activeElement) && offset !== cursor) return; // the user is typing a byte
        const known = offset >= 0 && offset === cursor ? pageAt(offset)?.bytes[offset % pageBytes] : undefined;
        if (!field) return says.replaceChildren(el('p', {}, size && !app.documents[doc]?.format.id ? 'The format of this file is unknown, so its fields are too.' : 'Point at a byte to see its meaning.'), ...(known === undefined ? [] : [otherReadings(pageAt(offset)?.bytes.subarray(offset % pageBytes, (offset % pageBytes) + 8) ?? new Uint8Array())]));
        const begin = field.offset % pageBytes, bytes = pageAt(field.offset)?.bytes.subarray(begin, begin + Math.min(8, field.length)) ?? new Uint8Array();
        says.replaceChildren(el('p.data', {}, `${some(field.length, 'byte')} at ${hex(field.offset)}${offset === field.offset ? '' : `, this is ${hex(offset)}`}`), el('p', {}, el('b.data', {}, field.name)),
            el('p', {}, `${kinds[kindOf(field)]}${field.kind ? `, ${field.kind}` : ''}${field.text ? ': ' : ''}`, data(field.text ?? '')), el('p.data', {}, field.path),
            field.class === 'packed' && field.unpackedSize ? el('button', { type: 'button', onclick: () => show(doc, file, field.offset) }, `Show the ${count(field.unpackedSize)} unpacked bytes`) : '', known !== undefined && field.class === 'field' ? tools.editor(offset, known) : '', otherReadings(bytes));
    }

    /** @param {Event} event */
    const offsetOf = (event) => {
        const cell = event.target instanceof Element ? event.target.closest('[data-offset]') : null;
        return cell ? Number(cell.getAttribute('data-offset')) : -1;
    };
    /** Selects the field of a byte. @param {number} offset */
    function choose(offset) {
        const field = fieldAt(offset);
        cursor = offset;
        rows.active = Math.floor(offset / perRow);
        describe(field, offset);
        if (field) app.select({ doc, path: field.path }, { from: 'bytes' });
        redraw();
    }
    rows.element.addEventListener('click', (event) => {
        const offset = offsetOf(event);
        if (offset >= 0) choose(offset);
    });
    rows.element.addEventListener('pointermove', (event) => {
        const offset = offsetOf(event), field = offset >= 0 ? fieldAt(offset) : undefined;
        if (field) describe(field, offset);
        app.hover(field ? { doc, path: field.path } : null, 'bytes');
    });
    rows.element.addEventListener('pointerleave', () => app.hover(null, 'bytes'));

    /** @param {KeyboardEvent} event */
    function key(event) {
        const by = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perRow, ArrowDown: perRow, PageUp: -perRow * 16, PageDown: perRow * 16 })[event.key];
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? size - 1 : by === undefined ? -1 : Math.max(0, Math.min(size - 1, Math.max(0, cursor) + by));
        if (to >= 0) {
            cursor = to;
            rows.active = Math.floor(to / perRow);
            rows.reveal(rows.active, true);
            describe(fieldAt(to), to);
            redraw();
        } else if (event.key === 'Enter' && cursor >= 0) choose(cursor);
        else if (event.key === 'F2' && cursor >= 0) {
            event.stopPropagation(); // in other panes the key edits the value
            describe(fieldAt(cursor), cursor);
            /** @type {HTMLInputElement | null} */ (says.querySelector('input.byte'))?.select();
        }
        else return false;
        return true;
    }

    /** Goes to an offset, and selects the field there. @param {number} offset */
    async function go(offset) {
        if (!(offset >= 0 && offset < size)) return app.say(`The file ends at ${hex(size)}.`);
        rows.reveal(Math.floor(offset / perRow));
        const answer = await app.library.call('fields', doc, { file, packed, offset, length: 1 });
        cursor = offset;
        rows.active = Math.floor(offset / perRow);
        if (answer.fields[0]) app.select({ doc, path: answer.fields[0].path }, { from: 'bytes', jump: true });
        redraw();
    }
    goTo.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') go(Number.parseInt(goTo.value, /^0x/i.test(goTo.value) || /[a-f]/i.test(goTo.value) ? 16 : 10));
    });
    /** Shows a byte of the file, and selects its field. @param {number} offset */
    async function reveal(offset) {
        await show(app.selected?.doc ?? 0, 0);
        app.emit('to-pane', 'bytes');
        await go(offset);
    }

    let turn = 0;
    /** @param {{from?: string}} how */
    async function follow({ from = '' } = {}) {
        const mine = ++turn, where = app.selected;
        if (!where?.path) {
            chosen = around = [];
            if (where) await show(where.doc, 0);
        } else {
            const thing = app.thingOf(where);
            const [own, whole] = await Promise.all([app.library.call('spans', where).catch(() => []), thing && thing.path !== where.path ? app.library.call('spans', { doc: thing.doc, path: thing.path }).catch(() => []) : []]);
            if (mine !== turn || !same(where, app.selected)) return;
            chosen = own;
            around = whole;
            const [first] = chosen;
            if (from !== 'bytes') {
                if (first && first.kind !== 'made') await show(where.doc, first.file ?? 0, first.kind === 'packed' ? (first.offset ?? -1) : -1);
                else if (!size || doc !== where.doc) await show(where.doc, 0);
                const at = first?.kind === 'packed' ? first.inner : first?.offset;
                if (at !== undefined && first?.kind !== 'made') {
                    cursor = at;
                    rows.reveal(Math.floor(at / perRow));
                    rows.active = Math.floor(at / perRow);
                    describe(fieldAt(at), at);
                }
            }
            if (!first || first.kind === 'made') says.replaceChildren(el('p', {}, 'This value is computed. It has no bytes.'));
        }
        drawStrip();
        redraw();
    }
    function begin() {
        size = 0;
        hit = { offset: -1, length: 0 };
        chosen = around = [];
        pages.clear();
        describe(undefined, 0);
        return show(0, 0, -1, true);
    }
    app.on('open', begin);
    app.on('select', follow);
    app.on('edited', () => {
        show(doc, file, packed, true).then(() => follow({ from: 'bytes' }));
    });
    app.on('hover', ({ from }) => {
        if (from === 'bytes' || !app.hovered) return;
        for (const cell of rows.element.querySelectorAll('[role=gridcell]')) {
            const field = fieldAt(Number(cell.getAttribute('data-offset')));
            cell.classList.toggle('hovered', Boolean(field && app.hovered && app.hovered.doc === doc && field.path && isWithin(field.path, app.hovered.path)));
        }
    });
    new ResizeObserver(() => {
        // As many bytes a row as leave room for the text.
        const width = rows.element.clientWidth, next = width && width < 700 ? 8 : 16;
        element.classList.toggle('narrow', width > 0 && width < 440);
        if (next !== perRow) {
            const seen = cursor >= 0 ? cursor : Math.floor(rows.first * perRow);
            perRow = next;
            rows.set(Math.ceil(size / perRow));
            rows.active = Math.floor(seen / perRow);
            rows.reveal(rows.active);
        }
        drawStrip();
    }).observe(element);
    if (app.documents.length) begin().then(() => follow());
    return { element, focus: () => rows.element.focus(), go, reveal, show };
}
