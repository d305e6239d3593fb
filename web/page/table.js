// SPDX-License-Identifier: MIT
/** All things with a position, a row each: the contents of the 3D view as text. */
import { count, el, hex, icon } from './dom.js';
import { Rows } from './rows.js';
import { symbolOf } from './symbols.js';

/** @typedef {import('./app.js').Thing} Thing */

/** Parses a filter: words, or "class = ls_*_pile". @param {string} text @returns {(one: Thing) => boolean} */
export function filterOf(text) {
    const parts = text.trim().toLowerCase().split(/\s*&\s*/).filter(Boolean).map((part) => {
        const [, name = '', wanted = ''] = /^(class|name|layer|path|role)\s*[=~:]\s*(.*)$/.exec(part) ?? [];
        const pattern = new RegExp(`^${(name ? wanted : `*${part}*`).replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
        return (/** @type {Thing} */ one) => (name ? [/** @type {any} */ (one)[name === 'class' ? 'className' : name]] : [one.className, one.name, one.path, one.layer]).some((value) => pattern.test(String(value).toLowerCase()));
    });
    return (one) => parts.every((part) => part(one));
}

/** Rows as comma-separated values (RFC 4180). @param {(string | number)[][]} rows */
export const csvOf = (rows) => rows.map((row) => row.map((one) => (/[",\r\n]/.test(String(one)) ? `"${String(one).replaceAll('"', '""')}"` : one)).join(',')).join('\r\n') + '\r\n';

/** @param {import('./app.js').App} app */
export function makeTable(app) {
    const columns = /** @type {const} */ (['path', 'className', 'name', 'layer', 'x', 'y', 'z']);
    const titles = { path: 'Path', className: 'Class', name: 'Name', layer: 'Layer', x: 'x, m', y: 'y, m', z: 'z, m' };
    const widths = 'minmax(120px, 2fr) minmax(120px, 2fr) minmax(80px, 2fr) minmax(60px, 1fr) 80px 80px 80px 90px';
    /** @type {Thing[]} */ let shown = [];
    /** @type {typeof columns[number]} */ let by = 'path';
    let down = false;
    const filter = /** @type {HTMLInputElement} */ (el('input', { type: 'search', placeholder: 'class = light_*', 'aria-label': 'Filter the table', spellcheck: 'false' })), counted = el('span.found', { role: 'status' });
    const head = el('div#table-head.columns', { role: 'row' });
    const rows = new Rows({ label: 'Things', role: 'grid', height: 24, make, act });
    const empty = el('div.empty', { hidden: true });
    const element = el('div.column', {}, el('div.table-top', {}, el('div.search', {}, icon('search'), filter), counted, el('span.grow'), el('button.quiet', { type: 'button', onclick: save }, 'Save as CSV')), head, empty, rows.element);
    head.style.gridTemplateColumns = widths;
    rows.element.setAttribute('aria-owns', 'table-head');

    /** @param {Thing} one @param {typeof columns[number]} column */
    const valueOf = (one, column) => (column === 'x' ? one.world[0] : column === 'y' ? one.world[1] : column === 'z' ? one.world[2] : one[column]) ?? '';

    function heads() {
        head.replaceChildren(...columns.map((column) => el('span', { role: 'columnheader', 'aria-sort': column === by ? (down ? 'descending' : 'ascending') : 'none' }, el(`button${column.length === 1 ? '.right' : ''}`, { type: 'button', onclick: () => sortBy(column) }, titles[column], column === by ? (down ? ' ↓' : ' ↑') : ''))), el('span', { role: 'columnheader' }, 'Offset'));
    }
    /** @param {typeof columns[number]} column */
    function sortBy(column) {
        down = column === by && !down;
        by = column;
        fill();
    }
    const collator = new Intl.Collator('en', { numeric: true });
    function fill() {
        const lets = filterOf(filter.value);
        shown = app.things.filter(lets);
        shown.sort((a, b) => {
            const x = valueOf(a, by), y = valueOf(b, by), way = down ? -1 : 1;
            return way * (typeof x === 'number' && typeof y === 'number' ? x - y : a.doc - b.doc || collator.compare(String(x), String(y)));
        });
        counted.textContent = shown.length === app.things.length ? count(shown.length) : `${count(shown.length)} of ${count(app.things.length)}`;
        empty.hidden = shown.length > 0;
        empty.replaceChildren(app.things.length ? 'No row matches. ' : 'Nothing in this file has a position. The tree shows all of it.', app.things.length ? el('button.plain', { type: 'button', onclick: () => ((filter.value = ''), fill()) }, 'Clear the filter') : '');
        rows.element.setAttribute('aria-rowcount', String(shown.length));
        heads();
        rows.set(shown.length);
    }

    /** Saves the rows shown, in their order. */
    function save() {
        app.emit('download', { blob: new Blob([csvOf([[...columns], ...shown.map((one) => columns.map((column) => (column === 'path' && app.documents.length > 1 ? `${app.nameOf(one.doc)}:${one.path}` : valueOf(one, column))))])], { type: 'text/csv' }), name: `${app.nameOf(0).replace(/\.[^.]*$/, '')}.csv` });
    }

    /** @param {Thing} one */
    const isHere = (one) => app.selection.some((where) => app.thingOf(where) === one);

    /** @param {number} index */
    function make(index) {
        const one = shown[index];
        if (!one) return el('div');
        const here = isHere(one), offset = el('span.found');
        const made = el('div.cells', { role: 'row', 'aria-rowindex': index + 1, 'aria-selected': String(here) }, el('span', { role: 'gridcell' }, app.documents.length > 1 ? `${app.nameOf(one.doc)}:${one.path}` : one.path),
            el('span', { role: 'gridcell' }, symbolOf(app, one.class), ' ', one.className), el('span', { role: 'gridcell' }, one.name === one.className ? '' : one.name), el('span', { role: 'gridcell' }, one.layer),
            ...one.world.map((value) => el('span.right', { role: 'gridcell' }, value.toFixed(2))), offset);
        made.style.gridTemplateColumns = widths;
        if (here) made.classList.add('selected');
        if (app.thingOf(app.hovered) === one) made.classList.add('hovered');
        app.rows({ doc: one.doc, path: one.path }, 0, 1).then(({ row }) => (offset.textContent = row.place?.offset === undefined ? '' : hex(row.place.offset)), () => undefined);
        return made;
    }

    /** @param {number} index @param {Event} event */
    function act(index, event) {
        const one = shown[index];
        if (!one) return;
        const { ctrlKey = false, metaKey = false, shiftKey = false } = /** @type {any} */ (event);
        if (shiftKey && event.type === 'click') for (let i = Math.min(rows.active, index); i <= Math.max(rows.active, index); i++) {
            const each = shown[i];
            if (each && !isHere(each)) app.select({ doc: each.doc, path: each.path }, { from: 'table', add: true });
        } else app.select({ doc: one.doc, path: one.path }, { from: 'table', add: ctrlKey || metaKey });
        rows.active = index;
        if (event instanceof KeyboardEvent && event.key === 'Enter') app.emit('frame');
    }

    filter.addEventListener('input', fill);
    rows.element.addEventListener('pointermove', (event) => {
        const one = shown[rows.indexOf(event)];
        app.hover(one ? { doc: one.doc, path: one.path } : null, 'table');
    });
    rows.element.addEventListener('pointerleave', () => app.hover(null, 'table'));
    rows.element.addEventListener('dblclick', () => app.emit('frame'));
    app.on('things', fill);
    app.on('hover', ({ from }) => from !== 'table' && rows.draw(true));
    app.on('select', ({ from }) => {
        const at = app.selected ? shown.findIndex((one) => isHere(one)) : -1;
        rows.draw(true);
        if (from !== 'table' && at >= 0) {
            rows.active = at;
            rows.reveal(at);
        }
    });
    fill();
    return { element, focus: () => rows.element.focus(), filter, fill };
}
