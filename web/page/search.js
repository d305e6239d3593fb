// SPDX-License-Identifier: MIT
/** Search results for the text in the path field, in a list below it: paths, offsets, classes, things, values. */
import { byId, count, el, icon, parentPath, some, steps } from './dom.js';
import { Rows } from './rows.js';
import { symbolOf } from './symbols.js';

/** @typedef {{kind: string, name: string, words: string, symbol: Element, take: () => void}} Hit */

/** The most results of each kind. */
const most = 40, height = 28;

/** Paths that begin with the text. @param {import('./app.js').App} app @param {string} text @returns {Promise<Hit[]>} */
async function pathsOf(app, text) {
    const doc = app.selected?.doc ?? 0, parent = /[.[]/.test(text) ? parentPath(text.replace(/\[?[^.[\]]*$/, (end) => (end.startsWith('[') ? '[0]' : end || 'x'))) : '';
    const lists = await Promise.all([app.rows({ doc, path: text }, 0, 1).then(({ row }) => [row]), app.rows({ doc, path: parent }, 0, 200).then(({ rows }) => rows.filter((row) => row.path.toLowerCase().startsWith(text.toLowerCase())))].map((one) => one.catch(() => [])));
    const rows = [...new Map(lists.flat().filter((row) => row.path).map((row) => [row.path, row])).values()];
    return rows.slice(0, most).map((row) => ({ kind: 'Paths', name: row.path, words: row.text ?? row.label ?? (row.count === undefined ? '' : count(row.count)), symbol: icon('tree'), take: () => app.select({ doc, path: row.path }, { from: 'path', jump: true }) }));
}

/** Classes and things whose names contain the text. @param {import('./app.js').App} app @param {string} text @returns {Hit[]} */
function thingsOf(app, text) {
    const only = text.startsWith('class:'), wanted = text.replace(/^class:/, '').trim().toLowerCase(), go = (/** @type {import('./app.js').Thing} */ one) => app.select({ doc: one.doc, path: one.path }, { from: 'path', jump: true, fly: true });
    const classes = app.classes.flatMap((one, index) => (one.name.toLowerCase().includes(wanted) ? [{ kind: 'Classes', name: one.name, words: some(one.count, 'thing'), symbol: symbolOf(app, index), take: () => nextOf(app, index, go) }] : []));
    const things = only ? [] : app.things.filter((one) => one.name && one.name !== one.className && one.name.toLowerCase().includes(wanted)).map((one) => ({ kind: 'Things', name: one.name, words: `${one.className} · ${one.path}`, symbol: symbolOf(app, one.class), take: () => go(one) }));
    return [...classes, ...things];
}

/** Selects the next thing of a class. @param {import('./app.js').App} app @param {number} index @param {(one: import('./app.js').Thing) => void} go */
function nextOf(app, index, go) {
    const all = app.things.filter((one) => one.class === index), now = app.thingOf(app.selected), next = all[(all.indexOf(/** @type {import('./app.js').Thing} */ (now)) + 1) % all.length];
    if (next) go(next);
}

/** The most matches of a selector that are listed, and that are selected together. */
const mostMatches = 1000, mostSelected = 200, together = 'All of these';
/** Whether a text is one of the library's selectors: brackets with more than an index, or a star. @param {string} text */
export const isSelector = (text) => /\[(?!\d*\]?$|\d+\])|\*/.test(text);
/** The position in a selector that an error refers to: that of the text quoted in the message, or of the last step of the path. @param {string} text @param {{message?: string, path?: string}} why */
export function columnOf(text, { message = '', path = '' }) {
    const [, quoted = ''] = / at "(.*)"$/s.exec(message) ?? [];
    if (quoted && text.endsWith(quoted)) return text.length - quoted.length;
    return path && text.startsWith(path) ? path.length - (steps(path).at(-1)?.length ?? 0) : 0;
}

/** @param {import('./app.js').App} app @param {HTMLInputElement} input */
export function makeSearch(app, input) {
    /** @type {(Hit | {heading: string, count: number})[]} */ let lines = [];
    let turn = 0, shownFor = '', cursor = -1, timer = 0;
    const rows = new Rows({ label: 'Found', role: 'listbox', height, make, act: (index, event) => event.type === 'click' && take(index) });
    rows.element.id = 'found-list';
    rows.element.tabIndex = -1;
    const says = el('p.found-says', { role: 'status' }), box = el('div.menu.found-box', { hidden: true }, says, rows.element);
    byId('floats').append(box);
    for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'found-list' })) input.setAttribute(name, value);

    /** @param {number} index */
    function make(index) {
        const line = lines[index];
        if (!line) return el('div');
        if ('heading' in line) return el('div.group-row', { role: 'presentation' }, line.heading, el('span.badge', {}, count(line.count)));
        const made = el('div', { role: 'option', 'aria-selected': String(index === cursor), title: `${line.name} ${line.words}` }, line.symbol, el('span.key', {}, line.name), el('span.value', {}, line.words));
        if (index === cursor) made.classList.add('cursor');
        return made;
    }

    /** @param {number} index */
    function take(index) {
        const line = lines[index];
        if (!line || 'heading' in line) return false;
        close();
        line.take();
        return true;
    }

    function close() {
        turn++;
        clearTimeout(timer);
        box.hidden = true;
        input.setAttribute('aria-expanded', 'false');
        input.removeAttribute('aria-activedescendant');
    }

    /** @param {number} by */
    function move(by) {
        let to = cursor;
        do to += by; while (lines[to] && 'heading' in /** @type {object} */ (lines[to]));
        if (!lines[to]) return;
        cursor = to;
        rows.active = to;
        rows.reveal(to, true);
        rows.draw(true);
        input.setAttribute('aria-activedescendant', rows.element.getAttribute('aria-activedescendant') ?? '');
    }

    /** @param {Hit[]} hits @param {Record<string, number>} counts @param {string} text @param {boolean} done */
    function show(hits, counts, text, done) {
        const kinds = [...new Set(hits.map((one) => one.kind))], all = kinds.reduce((sum, kind) => sum + (kind === together ? 0 : counts[kind] ?? hits.filter((one) => one.kind === kind).length), 0);
        lines = kinds.flatMap((kind) => {
            const own = hits.filter((one) => one.kind === kind);
            return [{ heading: kind, count: counts[kind] ?? own.length }, ...own.slice(0, kind in counts ? mostMatches : most)];
        });
        shownFor = box.dataset.for = text;
        cursor = -1;
        says.textContent = all ? `${count(all)} found · Enter selects the first, ↑ ↓ choose` : done ? `No name or value matches “${text}”. Try part of a name, or an offset such as 0x10.` : 'Looking…';
        const at = /** @type {HTMLElement} */ (input.parentElement).getBoundingClientRect();
        box.hidden = false;
        box.style.left = `${at.left}px`;
        box.style.top = `${at.bottom + 4}px`;
        box.style.width = `${at.width}px`;
        rows.element.hidden = !lines.length;
        rows.element.style.height = `${Math.min(420, innerHeight - at.bottom - 90, height * lines.length)}px`;
        input.setAttribute('aria-expanded', 'true');
        rows.set(lines.length);
        move(1);
    }

    /** Lists the matches of a selector, or shows what is wrong with it, and where. @param {string} text @param {number} mine */
    async function select(text, mine) {
        /** @type {{count: number, rows: {doc: number, path: string, text: string}[]} | null} */ let found = null;
        /** @type {any} */ let why;
        try {
            found = await app.ask('Searching', 'matches', text, mostMatches);
        } catch (error) {
            why = error;
        }
        if (mine !== turn) return;
        const rows = found?.rows ?? [], all = rows.slice(0, mostSelected);
        /** @type {Hit[]} */ const hits = rows.map(({ doc, path, text: words }) => ({ kind: 'Matches', name: app.documents.length > 1 ? `${app.nameOf(doc)}:${path}` : path, words, symbol: icon('tree'), take: () => app.select({ doc, path }, { from: 'path', jump: true, fly: true }) }));
        if (all.length > 1) hits.push({ kind: together, name: rows.length > all.length ? `Select the first ${all.length}` : `Select all ${all.length}`, words: '', symbol: icon('layers'), take: () => all.forEach(({ doc, path }, index) => app.select({ doc, path }, { from: 'path', add: index > 0 })) });
        show(hits, { 'Matches': found?.count ?? 0, [together]: all.length }, text, true);
        if (!why) return;
        const at = columnOf(text, why.finding ?? {}), mark = el('mark', {}, text.slice(at, at + Math.max(1, text.length - at)) || ' ');
        says.replaceChildren(why.finding?.message ?? why.message, why.finding?.expected ? ` Expected: ${why.finding.expected}.` : '', el('code.found-where', {}, text.slice(0, at), mark), el('span', {}, ` column ${at + 1}`));
    }

    async function find() {
        const mine = ++turn, text = input.value.trim();
        if (!text || !app.documents.length) return close();
        if (isSelector(text)) return select(text, mine);
        const offset = /^0x[\da-f]+$/i.test(text) ? Number.parseInt(text, 16) : -1;
        /** @type {Hit[]} */ const bytes = offset < 0 ? [] : [{ kind: 'Bytes', name: text, words: 'the byte at this offset, and its field', symbol: icon('bytes'), take: () => app.emit('offset', offset) }];
        const paths = text.startsWith('class:') || offset >= 0 ? [] : await pathsOf(app, text), near = [...bytes, ...paths, ...(offset < 0 ? thingsOf(app, text) : [])];
        if (mine !== turn) return;
        show(near, {}, text, false);
        if (text.startsWith('class:') || text.length < 2 || offset >= 0) return show(near, {}, text, true);
        const values = await app.library.call('find', text, most).catch(() => ({ count: 0, rows: [] }));
        if (mine !== turn) return;
        const known = new Set(paths.map((one) => one.name));
        show([...near, ...values.rows.filter((/** @type {any} */ one) => !known.has(one.path)).map((/** @type {any} */ one) => ({ kind: 'Values', name: one.path, words: one.text, symbol: icon('search'), take: () => app.select({ doc: one.doc, path: one.path }, { from: 'path', jump: true }) }))], { Values: values.count }, text, true);
    }

    input.addEventListener('input', () => {
        clearTimeout(timer);
        timer = window.setTimeout(find, 120);
    });
    input.addEventListener('blur', () => setTimeout(() => document.activeElement !== input && !box.contains(document.activeElement) && close(), 150));
    box.addEventListener('pointerdown', (event) => event.preventDefault()); // the field keeps the focus
    // Text that was typed while this module was loading.
    if (document.activeElement === input && input.value !== (app.selected?.path ?? '')) find();
    return {
        close,
        /** Handles a key in the field; false if it does nothing. @param {KeyboardEvent} event */
        key(event) {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (box.hidden) return false;
            if (by) move(by);
            else if (event.key === 'Escape') close();
            else if (event.key !== 'Enter' || event.shiftKey || shownFor !== input.value.trim() || !take(cursor)) return false;
            event.preventDefault();
            return true;
        },
        /** Shows that nothing was found. @param {string} text */
        none: (text) => show([], {}, text, true),
    };
}
