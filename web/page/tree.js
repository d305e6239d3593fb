// SPDX-License-Identifier: MIT
/** The outline of the documents, which is read as lines are opened. */
import { same } from './app.js';
import { count, el, icon, isWithin } from './dom.js';
import { symbolOf } from './symbols.js';
import { Rows } from './rows.js';

/** @typedef {import('./app.js').Where} Where */
/**
 * @typedef {object} Line  a value, or a run of a long list's elements
 * @property {Where} where
 * @property {number} depth
 * @property {import('./app.js').Row | null} row  null: not read yet
 * @property {string} name
 * @property {boolean} open
 * @property {number} first  the first element, of a run or of a page of a list
 * @property {number} count  the number of elements
 * @property {boolean} run
 */

/** Longer lists open as runs. */
const runLength = 1000;

/** @param {import('./app.js').App} app */
export function makeTree(app) {
    /** @type {Line[]} */ let lines = [];
    const rows = new Rows({ label: 'Tree of the file', role: 'tree', make, key, act: (index, event) => choose(index, event) });
    rows.element.classList.add('tree');
    rows.element.id = 'tree';
    const element = el('div.column', {}, rows.element);

    /** @param {Line} line */
    const isParent = (line) => line.run || !line.row || ((line.row.type === 'record' || line.row.type === 'list') && line.row.count !== 0);

    /** @param {number} index */
    function make(index) {
        const line = /** @type {Line} */ (lines[index]), { row } = line;
        const mark = app.findings?.find((one) => one.doc === line.where.doc && (line.run ? false : isWithin(one.path, line.where.path) && one.severity !== 'information'));
        const twist = isParent(line) ? el(`span.twist${line.open ? '.open' : ''}`, {}, icon('down')) : el('span.twist');
        const thing = row?.type === 'record' ? app.thingOf(line.where) : undefined;
        const value = line.run ? '' : !row ? '' : row.type === 'list' ? (row.value === undefined ? count(row.count ?? 0) : (row.text ?? '')) : row.type === 'record' ? (row.label ?? '') : (row.text ?? '');
        const made = el('div', {
            role: 'treeitem', 'aria-level': line.depth + 1, 'aria-expanded': isParent(line) ? String(line.open) : undefined,
            title: [line.where.path, row?.kind, row?.unit, row?.documentation].filter(Boolean).join(' · '),
        }, twist, thing && thing.path === line.where.path && !app.holdsOthers(thing) ? symbolOf(app, thing.class) : null, row?.place?.kind === 'packed' && line.depth < 3 ? icon('packed') : null,
        el('span.key', {}, line.name), mark ? el(`span.mark-${mark.severity}`, { title: mark.message }, icon(mark.severity === 'error' ? 'error' : 'warning')) : null,
        el('span.value', {}, row?.unit && row.type !== 'list' ? `${value} ${row.unit}` : value));
        made.style.paddingLeft = `${4 + 14 * line.depth}px`;
        const chosen = app.selected, here = app.selection.some((one) => same(one, line.where)) && !line.run;
        made.setAttribute('aria-selected', String(here));
        if (here) made.classList.add('selected');
        else if (chosen && !line.run && chosen.doc === line.where.doc && isWithin(chosen.path, line.where.path) && line.open) made.classList.add('above');
        if (same(app.hovered, line.where) && !line.run) made.classList.add('hovered');
        return made;
    }

    /** The lines inside a value. @param {Line} line @returns {Promise<Line[]>} */
    async function inside(line) {
        const length = line.run ? line.count : (line.row?.count ?? 0), list = line.run || line.row?.type === 'list';
        if (list && length > runLength && !line.run) {
            return Array.from({ length: Math.ceil(length / runLength) }, (_, index) => {
                const first = index * runLength, some = Math.min(runLength, length - first);
                return { where: line.where, depth: line.depth + 1, row: null, name: `[${first}..${first + some - 1}]`, open: false, first, count: some, run: true };
            });
        }
        const answer = await app.rows(line.where, line.run ? line.first : 0, Math.max(1, Math.min(length || runLength, runLength)));
        if (!line.run) line.row = answer.row;
        return answer.rows.map((row) => ({ where: { doc: line.where.doc, path: row.path }, depth: line.depth + 1, row, name: row.name, open: false, first: 0, count: 0, run: false }));
    }

    /** @param {Line} line */
    async function open(line) {
        if (line.open || !isParent(line)) return;
        line.open = true;
        const more = await inside(line), at = lines.indexOf(line);
        if (at >= 0 && lines[at + 1]?.depth !== line.depth + 1) lines.splice(at + 1, 0, ...more);
    }

    /** @param {Line} line */
    function close(line) {
        line.open = false;
        const at = lines.indexOf(line);
        let end = at + 1;
        while ((lines[end]?.depth ?? 0) > line.depth) end++;
        lines.splice(at + 1, end - at - 1);
    }

    /** @param {number} index @param {Event} event */
    async function choose(index, event) {
        const line = lines[index];
        if (!line) return;
        rows.active = index;
        const twisted = event.target instanceof Element && event.target.closest('.twist');
        if ((twisted || line.run) && event.type === 'click') return toggle(line);
        if (event.type === 'keydown' && /** @type {KeyboardEvent} */ (event).key === 'Enter' && same(app.selected, line.where)) return toggle(line);
        if (!line.run) app.select(line.where, { from: 'tree', add: /** @type {any} */ (event).ctrlKey || /** @type {any} */ (event).metaKey });
    }

    /** @param {Line} line */
    async function toggle(line) {
        if (line.open) close(line);
        else await open(line);
        rows.set(lines.length);
    }

    /** @param {KeyboardEvent} event @param {number} index */
    function key(event, index) {
        const line = lines[index];
        if (!line) return false;
        if (event.key === 'ArrowRight' && isParent(line) && !line.open) toggle(line);
        else if (event.key === 'ArrowLeft' && line.open) toggle(line);
        else if (event.key === 'ArrowLeft' && line.depth) {
            let up = index;
            while (up > 0 && (lines[up]?.depth ?? 0) >= line.depth) up--;
            rows.active = up;
            rows.reveal(up, true);
            choose(up, event);
        } else return false;
        return true;
    }

    /** Opens the values around a value, and returns the index of its line. @param {Where} where */
    async function find(where) {
        let at = lines.findIndex((one) => one.where.doc === where.doc && one.depth === 0 && isWithin(where.path, one.where.path));
        while (at >= 0) {
            const line = /** @type {Line} */ (lines[at]);
            if (!line.run && line.where.path === where.path) return at;
            await open(line);
            let next = -1;
            for (let i = lines.indexOf(line) + 1; (lines[i]?.depth ?? 0) > line.depth; i++) {
                const one = /** @type {Line} */ (lines[i]);
                if (one.depth !== line.depth + 1) continue;
                const number = one.run ? Number.parseInt(where.path.slice(one.where.path.length + 1), 10) : 0;
                if (one.run ? number >= one.first && number < one.first + one.count : isWithin(where.path, one.where.path)) next = i;
            }
            if (next < 0) return lines.indexOf(line);
            at = next;
        }
        return -1;
    }

    let resets = 0;
    async function reset() {
        const kept = app.documents, mine = ++resets;
        /** @type {Line[]} */ let fresh = kept.map((one, doc) => ({ where: { doc, path: '' }, depth: 0, row: null, name: kept.length > 1 ? app.nameOf(doc) : (one.name.split('/').at(-1) ?? ''), open: false, first: 0, count: 0, run: false }));
        const [only] = fresh;
        if (fresh.length === 1 && only) fresh = (await inside(only)).map((one) => ({ ...one, depth: 0 }));
        if (mine !== resets) return;
        // both at once: rows may be drawn at any time, and their number must match the lines
        lines = fresh;
        rows.active = 0;
        rows.set(lines.length);
    }

    /** After an edit: opens the same lines again, as far as they still exist. */
    async function again() {
        const opened = new Set(lines.filter((one) => one.open).map((one) => `${one.where.doc}|${one.where.path}|${one.run ? one.first : ''}`));
        const { scrollTop } = rows.element;
        await reset();
        for (let i = 0; i < lines.length; i++) {
            const line = /** @type {Line} */ (lines[i]);
            if (opened.has(`${line.where.doc}|${line.where.path}|${line.run ? line.first : ''}`)) await open(line);
        }
        rows.set(lines.length);
        rows.element.scrollTop = scrollTop;
    }

    let turn = 0;
    /** @param {{from?: string}} how */
    async function follow({ from = '' } = {}) {
        const mine = ++turn, where = app.selected;
        if (where && from !== 'tree') {
            const at = await find(where);
            if (mine !== turn) return;
            if (at >= 0) rows.active = at;
            rows.set(lines.length);
            if (at >= 0) rows.reveal(at);
        } else rows.draw(true);
    }

    rows.element.addEventListener('pointermove', (event) => {
        const line = lines[rows.indexOf(event)];
        app.hover(line && !line.run ? line.where : null, 'tree');
    });
    rows.element.addEventListener('pointerleave', () => app.hover(null, 'tree'));
    rows.element.addEventListener('dblclick', (event) => {
        const line = lines[rows.indexOf(event)];
        if (line && !line.run) app.emit('change-value', line.where);
    });
    app.on('open', reset);
    app.on(['edited', 'documents'], async () => {
        await again();
        await follow();
    });
    app.on('select', follow);
    app.on('findings', () => rows.draw(true));
    app.on('things', () => rows.draw(true));
    app.on('hover', ({ from }) => from !== 'tree' && rows.draw(true));
    return { element, focus: () => rows.element.focus(), reveal: () => follow(), rows };
}
