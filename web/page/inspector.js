// SPDX-License-Identifier: MIT
/** The selection: its fields as controls by their types, the place of its bytes, findings about it. */
import { same } from './app.js';
import { fieldOf, makeControls } from './control.js';
import { byId, count, data, el, hex, icon, iconButton, isWithin, kept, parentPath, prose, size, some } from './dom.js';
import { byMeaning, describe, mayBePairs, most, pairsOf } from './fields.js';
import { layersOf } from './layers.js';
import { makeSeveral } from './several.js';
import { symbolOf } from './symbols.js';

/** @typedef {import('./app.js').Where} Where */
/** @typedef {import('./app.js').Row} Row */

/** The most references that are shown. */
const mostLinks = 12;

/** The place of a value, in words. @param {Row} row */
export function placeText({ place }) {
    if (!place || place.kind === 'made') return 'computed, no bytes';
    const whole = some(place.length ?? 0, 'byte');
    if (place.kind === 'packed') return `${some(place.innerLength ?? 0, 'byte')} at ${hex(place.inner ?? 0)} in the data packed at ${hex(place.offset ?? 0)}`;
    return `${whole} at ${hex(place.offset ?? 0)}${place.file ? ` of file ${place.file + 1}` : ''}`;
}

/** @param {import('./app.js').App} app */
export function makeInspector(app) {
    const place = byId('inspector');
    let turn = 0;

    /** Sets a value, and shows the reason if it is refused. @param {Where} where @param {unknown} value @param {HTMLElement} field */
    async function commit(where, value, field) {
        field.querySelector('.why')?.remove();
        const refused = await app.set(where, value);
        if (refused) {
            field.append(el('p.why', { role: 'alert' }, refused));
            field.querySelector('input')?.classList.add('refused');
        }
    }

    const control = makeControls(app, commit), several = makeSeveral(app);

    /** @param {Where} where @param {Row} row @param {import('../mapstone.js').Description | null} [known] */
    function field(where, row, known) {
        const made = fieldOf(where, row, control, known, () => app.select(where, { from: 'inspector' }));
        if (same(app.selected, where)) made.classList.add('selected');
        const was = app.was?.(where);
        if (was !== undefined) made.append(el('p.was', {}, 'in the file: ', data(was), ' · ', el('button', { type: 'button', onclick: () => app.putBack?.(where) }, 'revert')));
        return made;
    }

    /** @param {Where} where */
    function findingCards(where) {
        return app.findingsOf(where).filter((one) => isWithin(one.path, where.path)).slice(0, 5).map((one) => el(`div.finding-card.${one.severity}`, {}, el('b', {}, icon(one.severity === 'error' ? 'error' : 'warning'), ` ${one.message}`),
            one.found ? el('span', {}, 'found ', data(one.found)) : null, one.expected ? el('span', {}, ' · expected ', data(one.expected)) : null, el('div.data', {}, one.code)));
    }

    function summary() {
        const [first] = app.documents, errors = app.findings?.filter((one) => one.severity === 'error').length ?? 0, warnings = app.findings?.filter((one) => one.severity === 'warning').length ?? 0;
        if (!first) return place.replaceChildren();
        const facts = el('dl.facts');
        const fact = (/** @type {string} */ name, /** @type {string} */ text) => facts.append(el('dt', {}, name), el('dd', {}, text));
        fact('format', `${first.format.title}, version ${first.version}`);
        fact('size', `${count(first.size)} bytes`);
        for (const one of first.files.length > 1 ? first.files : []) fact('file', `${one.name} ${size(one.size)}`);
        if (app.documents.length > 1) fact('documents', count(app.documents.length));
        fact('things', count(app.things.length));
        fact('classes', count(app.classes.length));
        fact('findings', app.findings ? `${some(errors, 'error')}, ${some(warnings, 'warning')}` : 'checking…');
        place.replaceChildren(el('div.card', {}, el('h2', {}, app.nameOf(0)), el('p.where', {}, 'Nothing is selected. Click something in the view, the tree or the table.')), el('div.card', {}, el('h3', {}, 'File'), facts),
            ...(app.warnings.length ? [el('div.card', {}, el('h3', {}, 'Warnings on opening'), ...app.warnings.slice(0, 8).map((one) => el('p.where', {}, one.message)))] : []));
    }

    /**
     * Cards of the fields of an element: those that users edit and, folded, counts, sizes and unknown ones.
     * @param {Where} where @param {Row} holder @param {Row[]} rows @param {(import('../mapstone.js').Description | null)[]} known @param {Set<string>} elsewhere @param {HTMLElement | null} layers
     */
    function fieldCards({ doc }, holder, rows, known, elsewhere, layers) {
        const made = (/** @type {{row: Row, known: any}} */ one) => field({ doc, path: one.row.path }, one.row, one.known);
        if (holder.type === 'list') return [el('div.card', {}, el('h3', {}, `${count(holder.count ?? 0)} of them`), ...rows.map((row, index) => made({ row, known: known[index] })))];
        const { main, rest } = byMeaning(rows, known, elsewhere), shown = main.filter(({ row }) => !layers || row.name !== 'layer_masks').map(made);
        if (!shown.length && !elsewhere.size) return [el('div.card', {}, el('h3', {}, 'Fields'), ...rest.map(made))];
        const books = /** @type {HTMLDetailsElement} */ (el('details.card.books', {}, el('summary', {}, el('h3', {}, 'Counts, sizes and unknown fields'), el('span.where', {}, count(rest.length))), ...rest.map(made)));
        books.open = kept('books') === 'open' || rest.some(({ row }) => app.selected && isWithin(app.selected.path, row.path) && !elsewhere.has(row.name));
        books.firstElementChild?.addEventListener('click', () => kept('books', books.open ? '' : 'open'));
        return [...(shown.length || layers ? [el('div.card', {}, el('h3', {}, 'Fields'), ...shown, layers)] : []), ...(rest.length ? [books] : [])];
    }

    /** References from and to a value. @param {Where} where */
    async function links(where) {
        const [out, into] = await Promise.all([app.library.call('references', where), app.library.call('references', where, true)]);
        /** @param {string} title @param {{path: string, to: string}[]} all @param {'path' | 'to'} end */
        const card = (title, all, end) => all.length ? el('div.card.links', {}, el('h3', {}, title), ...all.slice(0, mostLinks).map((one) => el('p.where', {}, end === 'to' ? el('span.data', {}, `${one.path.slice(where.path.length).replace(/^\./, '') || one.path.split('.').at(-1)} → `) : null,
            el('button.plain.data', { type: 'button', onclick: () => app.select({ doc: where.doc, path: one[end] }, { from: 'inspector', jump: true, fly: true }) }, one[end]))), all.length > mostLinks ? el('p.where', {}, `and ${count(all.length - mostLinks)} more`) : null) : null;
        return [card('Names', out, 'to'), card('Named by', into, 'path')].filter((one) => one !== null);
    }

    async function show() {
        const mine = ++turn, where = app.selected;
        if (!where) return summary();
        try {
            if (app.selection.length > 1) {
                const cards = await several(app.selection);
                if (mine !== turn) return;
                place.replaceChildren(...cards);
                app.emit('shown', { where, row: (await app.rows(where, 0, most)).row });
                return;
            }
            const own = await app.rows(where, 0, most);
            const parent = own.row.type === 'record' || own.row.type === 'list' ? where : { doc: where.doc, path: parentPath(where.path) };
            const holder = parent === where ? own : await app.rows(parent, 0, most), shown = holder.rows.length ? holder.rows : [own.row];
            const known = await describe(app, where, shown);
            if (mine !== turn) return;
            const thing = app.thingOf(where);
            const whole = thing && app.holdsOthers(thing), name = thing && !whole ? thing.name || thing.className : (own.row.label || where.path.split('.').at(-1) || app.nameOf(where.doc));
            const title = el('h2', {}, thing && !whole ? symbolOf(app, thing.class) : null, el('span', {}, name), thing && !whole && thing.name && thing.name !== thing.className ? el('small.data', {}, thing.className) : null, el('span.grow'),
                iconButton('frame', 'Fly to it', () => app.emit('frame'), 'F'), iconButton('more', 'Actions', () => app.emit('menu', { element: title }), 'Shift F10'));
            const head = el('div.card', {}, title, el('p.where', {}, el('span.data', {}, where.path || app.nameOf(where.doc)), ` · ${placeText(own.row)}`), own.row.documentation ? el('p.where', {}, ...prose(own.row.documentation)) : null, noPlace, ...findingCards(where));
            noPlace.hidden = !placeless(where);
            const cards = [head];
            if (thing && thing.path !== parent.path) {
                const [x = 0, y = 0, z = 0] = thing.world;
                cards.push(el('div.card', {}, el('h3', {}, 'Belongs to'), el('button.plain.data', { type: 'button', onclick: () => app.select({ doc: thing.doc, path: thing.path }, { from: 'inspector' }) }, thing.path), el('p.where.data', {}, `${x.toFixed(2)} ${y.toFixed(2)} ${z.toFixed(2)} m`)));
            } else if (thing) {
                const [x = 0, y = 0, z = 0] = thing.world;
                cards.push(el('div.card', {}, el('h3', {}, whole ? `Place of ${thing.name || thing.className}` : 'Place'), el('dl.facts', {}, el('dt', {}, 'in the world'), el('dd', {}, `${x.toFixed(2)} ${y.toFixed(2)} ${z.toFixed(2)} m`), ...(thing.layer ? [el('dt', {}, 'layer'), el('dd', {}, thing.layer)] : []))));
            }
            const rest = (holder.row.count ?? 0) - holder.rows.length;
            if (holder.rows.length) {
                // Lists of names and values are further fields: properties of Natural Selection 2.
                const lists = await Promise.all(holder.rows.filter(mayBePairs).map(async ({ name, path }) => ({ name, pairs: await pairsOf(app, { doc: where.doc, path }) }))), named = lists.filter(({ pairs }) => pairs.length);
                const about = await Promise.all(named.map(({ pairs }) => describe(app, where, pairs))), layers = await layersOf(app, parent, holder.rows, known);
                if (mine !== turn) return;
                cards.push(...fieldCards(where, holder.row, holder.rows, known, new Set(named.map(({ name }) => name)), layers));
                cards.splice(cards.length - Number(cards.at(-1)?.classList.contains('books')), 0, ...named.map(({ name, pairs }, index) => el('div.card', {}, el('h3', {}, name), ...pairs.map((one, at) => field({ doc: where.doc, path: one.path }, one, about[index]?.[at])))));
                if (rest > 0) cards.push(el('div.card', {}, el('p.where', {}, `${count(rest)} more in the tree`)));
            } else cards.push(el('div.card', {}, field(where, own.row, known[0])));
            const scroll = place.parentElement?.scrollTop ?? 0, active = document.activeElement, focused = active instanceof HTMLElement && place.contains(active) ? active.dataset.path : undefined;
            place.replaceChildren(...cards);
            if (focused) [...place.querySelectorAll('[data-path]')].find((/** @type {HTMLElement} */ one) => one.dataset.path === focused)?.focus({ preventScroll: true });
            if (place.parentElement) place.parentElement.scrollTop = same(where, last) ? scroll : 0;
            if (!same(where, last)) place.querySelector('.field.selected')?.scrollIntoView({ block: 'nearest' });
            last = where;
            app.emit('shown', { where, row: own.row });
            const further = await links(parent);
            if (mine === turn) place.append(...further);
        } catch (error) {
            if (mine !== turn) return;
            place.replaceChildren(el('div.card', {}, el('h2', {}, where.path), el('p.diagnosis', { role: 'alert' }, String(/** @type {Error} */ (error).message))));
        }
    }
    /** The note that the selection has no place in the level. */
    const noPlace = el('p.where.no-place', { hidden: true }, 'It has no place in the level.');
    /** The value for which the view found no place. @type {Where | null} */ let nowhere = null;
    const placeless = (/** @type {Where} */ where) => where.path !== '' && same(nowhere, where);
    app.on('placed', (/** @type {boolean} */ placed) => {
        nowhere = placed ? null : app.selected;
        noPlace.hidden = placed;
    });
    /** @type {Where | null} */ let last = null;
    /** Whether the user is typing into a field: typed text is not replaced. */ let typing = false;
    place.addEventListener('input', (/** @type {Event} */ event) => (typing = event.target instanceof HTMLInputElement && event.target.type === 'text'));
    for (const name of ['change', 'focusout']) place.addEventListener(name, () => (typing = false));
    app.on(['open', 'select', 'edited', 'findings', 'things', 'changes'], () => (typing && same(app.selected, last) ? undefined : show()));
    app.on('change-value', async () => {
        await show();
        /** @type {HTMLElement | null} */ (place.querySelector('.field.selected input') ?? place.querySelector('.field input'))?.focus();
    });
    return { show, focus: () => /** @type {HTMLElement | null} */ (place.querySelector('input, button'))?.focus() };
}
