// SPDX-License-Identifier: MIT
/** The path field at the top: the path of the selection, and search. */
import { same } from './app.js';
import { byId, copy, el, iconButton, parentPath, steps } from './dom.js';
import { once } from './later.js';

/** @param {import('./app.js').App} app @param {{focus: () => void}} view */
export function makePathField(app, view) {
    const searching = once(async () => (await import('./search.js')).makeSearch(app, byId('path')));
    const pathInput = byId('path'), crumbs = byId('crumbs');
    // On a phone the field is opened by a button.
    const searchButton = iconButton('search', 'Find', () => {
        const on = byId('app').dataset.search !== 'yes';
        byId('app').dataset.search = on ? 'yes' : '';
        if (on) pathInput.focus();
    });
    searchButton.classList.add('phone-only');
    byId('acts').prepend(searchButton);
    app.on('select', () => (byId('app').dataset.search = ''));
    function showPath() {
        const where = app.selected, all = steps(where?.path ?? '');
        pathInput.value = where?.path ?? '';
        crumbs.replaceChildren();
        if (app.documents.length > 1 && where) crumbs.append(el('button', { type: 'button', tabindex: -1, onclick: () => app.select({ doc: where.doc, path: '' }, { from: 'path' }) }, app.nameOf(where.doc)), el('i', {}, '›'));
        all.forEach((name, index) => {
            let path = where?.path ?? '';
            for (let i = all.length - 1; i > index; i--) path = parentPath(path);
            crumbs.append(el('button', { type: 'button', tabindex: -1, title: path, onclick: () => app.select({ doc: where?.doc ?? 0, path }, { from: 'path' }) }, name));
            if (index < all.length - 1) crumbs.append(el('i', {}, '›'));
        });
        if (!all.length) crumbs.textContent = '';
        crumbs.hidden = !all.length;
    }
    crumbs.addEventListener('click', (/** @type {Event} */ event) => event.target === crumbs && pathInput.focus());
    byId('copy-path').addEventListener('click', () => copy(app.selected?.path ?? ''));
    pathInput.addEventListener('focus', () => {
        pathInput.select();
        searching().then((made) => (found = made));
    });
    /** The search list below the field, once it is loaded. @type {Awaited<ReturnType<typeof searching>> | undefined} */ let found;
    pathInput.addEventListener('keydown', async (/** @type {KeyboardEvent} */ event) => {
        if (found?.key(event)) return;
        if (event.key === 'Escape') {
            showPath();
            view.focus();
        } else if (event.key === 'Enter') {
            event.preventDefault();
            await search(pathInput.value.trim(), event.shiftKey);
        }
    });

    /** Selects by a path, an offset, a class or a name. @param {string} text @param {boolean} [backwards] */
    async function search(text, backwards = false) {
        if (!text) return;
        const doc = app.selected?.doc ?? 0;
        if (/^0x[\da-f]+$/i.test(text)) return app.emit('offset', Number.parseInt(text, 16));
        try {
            const { row } = await app.rows({ doc, path: text }, 0, 1);
            found?.close();
            return app.select({ doc, path: row.path || text }, { from: 'path', jump: true });
        } catch {
            // not a path
        }
        const wanted = text.replace(/^class:/, '').toLowerCase(), byClass = text.startsWith('class:');
        const all = app.things.filter((one) => one.className.toLowerCase().includes(wanted) || (!byClass && (one.name.toLowerCase().includes(wanted) || one.path.toLowerCase().includes(wanted))));
        const now = all.findIndex((one) => same(app.selected, { doc: one.doc, path: one.path })), next = all[(now + (backwards ? -1 : 1) + all.length) % all.length];
        if (!next) return (await searching()).none(text);
        found?.close();
        app.select({ doc: next.doc, path: next.path }, { from: 'path', jump: true });
        app.say(`${all.indexOf(next) + 1} of ${all.length}: ${next.path}`);
    }
    app.on(['open', 'select'], showPath);
    return pathInput;
}
