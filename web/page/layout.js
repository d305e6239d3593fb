// SPDX-License-Identifier: MIT
/** Tabs, splitters, the theme, and the places of the panes. */
import { byId, count, el, icon, iconButton, isPhone, kept, phone } from './dom.js';
import { Folds } from './folds.js';

/** @typedef {{id: string, name: string, icon: string, element: HTMLElement, focus: () => void, badge?: () => number, load?: () => Promise<unknown>, during?: 'merging' | 'pictures'}} Pane  `load`: called before it is shown; `during`: the event that carries its content, if there is any */

/** @param {import('./app.js').App} app @param {{left: Pane[], dock: Pane[], view: any, map: any, inspector: any}} panes */
export function makeLayout(app, panes) {
    const root = document.documentElement;
    /** @type {Map<string, {tab: HTMLElement, panel: HTMLElement, pane: Pane, group: Pane[]}>} */ const all = new Map();
    for (const [place, group] of /** @type {[string, Pane[]][]} */ ([['left', panes.left], ['dock', panes.dock]])) {
        const tabs = byId(`${place}-tabs`), panels = byId(`${place}-panels`);
        for (const pane of group) {
            const badge = pane.badge ? el('span.badge', { hidden: true }) : null;
            const tab = el('button', { type: 'button', role: 'tab', id: `tab-${pane.id}`, 'aria-controls': `panel-${pane.id}`, onclick: () => press(pane.id) }, icon(pane.icon), pane.name, badge);
            const panel = el('div', { role: 'tabpanel', id: `panel-${pane.id}`, 'aria-labelledby': `tab-${pane.id}`, hidden: true }, pane.element);
            tabs.append(tab);
            panels.append(panel);
            all.set(pane.id, { tab, panel, pane, group });
            if (pane.during) {
                tab.hidden = true;
                app.on(pane.during, (on) => {
                    tab.hidden = !on;
                    if (!on && !panel.hidden) choose(group[0]?.id ?? '');
                });
            }
            if (badge)
                app.on(['findings', 'things', 'edited', 'changes', 'open', 'merging'], () => {
                    const number = pane.badge?.() ?? 0;
                    badge.textContent = count(number);
                    badge.hidden = !number;
                });
        }
        tabs.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
            const there = group.filter((one) => !all.get(one.id)?.tab.hidden), by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0, now = there.findIndex((one) => all.get(one.id)?.tab === document.activeElement);
            const next = there[(now + by + there.length) % there.length];
            if (!by || !next) return;
            event.preventDefault();
            show(next.id);
            all.get(next.id)?.tab.focus();
        });
        if (group[0]) choose(group[0].id);
    }

    /** Which columns are closed. */
    const folds = new Folds(byId('app'), (name, open) => {
        if (name === 'dock') placeTabs(open);
        if (name === 'map' && !open) swap(false);
        if (open) loadSeen();
        app.emit('folded');
    });
    /** Loads the visible panes. */
    function loadSeen() {
        for (const [id, { panel, pane }] of all) if (!panel.hidden && folds.isOpen(columnOf(id))) pane.load?.();
    }
    /** While the lower panes are closed, their tabs are in the status line. @param {boolean} open */
    function placeTabs(open) {
        const tabs = byId('dock-bar'), active = document.activeElement;
        byId(open ? 'dock' : 'status').prepend(tabs);
        if (active instanceof HTMLElement && tabs.contains(active)) active.focus();
    }
    placeTabs(folds.isOpen('dock'));
    queueMicrotask(loadSeen);
    const fold = { left: 'Tree and map', dock: 'Bytes, findings, table, changes', right: 'Selection' }, keys = { left: 'Shift T', dock: 'Shift B', right: 'Shift I' };
    byId('acts').prepend(...folds.buttons(Object.entries(fold).map(([name, label]) => [name, iconButton(`fold-${name}`, label, () => folds.flip(name), keys[/** @type {'left'} */ (name)])])));
    byId('dock-bar').append(...folds.buttons([['dock', iconButton('down', 'Lower panes', () => folds.flip('dock'))]]));
    byId('map').querySelector('.pane-title')?.append(...folds.buttons([['map', iconButton('down', 'Map', () => folds.flip('map'))]]));
    // The selection is shown, unless the user has closed its column.
    app.on('select', () => app.selected && folds.suggest('right'));

    /** The column that a pane is in. @param {string} id */
    const columnOf = (id) => (id === 'inspector' ? 'right' : id === 'map' || panes.left.some((one) => one.id === id) ? 'left' : 'dock');

    /** Shows a pane, and its column. @param {string} id @param {boolean} [onPhone]  also on a phone */
    function show(id, onPhone = false) {
        if (onPhone && isPhone()) showOnPhone(id);
        folds.set(columnOf(id), true);
        if (id === 'map') folds.set('map', true);
        if (all.has(id)) choose(id);
        loadSeen();
    }

    /** A tab was pressed: chooses its pane, or closes a lower pane that is shown already. @param {string} id */
    function press(id) {
        if (isPhone()) return showOnPhone(id);
        const column = columnOf(id), chosen = !all.get(id)?.panel.hidden;
        if (column === 'dock' && chosen && folds.isOpen('dock')) folds.set('dock', false);
        else show(id);
    }

    /** Shows a pane of its group. @param {string} id */
    function choose(id) {
        const chosen = all.get(id);
        for (const pane of chosen?.group ?? []) {
            const one = all.get(pane.id), on = one === chosen;
            if (one) one.panel.hidden = !on;
            if (on) one?.tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            one?.tab.setAttribute('aria-selected', String(on));
            one?.tab.setAttribute('tabindex', on ? '0' : '-1');
        }
    }

    /** The visible panes that can get the focus, and their elements. @returns {[{focus: () => void}, HTMLElement][]} */
    const seen = () => /** @type {[any, HTMLElement][]} */ ([[panes.view, byId('view')], ...[...all.values()].filter((one) => !one.panel.hidden).map((one) => [one.pane, one.panel]), [panes.map, byId('map')], [panes.inspector, byId('right')]]).filter(([, place]) => place.offsetParent !== null);
    /** @param {number} by */
    function nextPane(by) {
        const list = seen(), at = list.findIndex(([, place]) => place.contains(document.activeElement));
        list[(at + by + list.length) % list.length]?.[0].focus();
    }

    /** Puts the map into the middle and the view in its place, or swaps them back. @param {boolean} on */
    function swap(on) {
        if (on === (frame.dataset.middle === 'map')) return;
        const map = byId('map'), view = byId('view'), active = /** @type {HTMLElement | null} */ (document.activeElement);
        app.emit('expanded', on);
        frame.dataset.middle = on ? 'map' : '';
        if (on) folds.set('map', true);
        byId('middle').prepend(on ? map : view);
        byId('left').append(on ? view : map);
        if (active && (map.contains(active) || view.contains(active))) active.focus();
    }
    app.on('expand', () => swap(frame.dataset.middle !== 'map'));
    // On a phone each of them fills the window.
    matchMedia(phone).addEventListener('change', ({ matches }) => (matches ? swap(false) : placeTabs(folds.isOpen('dock'))));

    /** Goes to a pane; if it is the map and has the focus already, moves it to the middle or back. @param {string} id */
    function to(id) {
        if (id === 'map' && byId('map').contains(document.activeElement)) swap(frame.dataset.middle !== 'map');
        show(id);
        (id === 'map' ? panes.map : id === 'inspector' ? panes.inspector : all.get(id)?.pane)?.focus();
    }

    // ---- phones: one pane at a time, the inspector as a sheet ----------------------------------------------------

    const pages = byId('phone-tabs'), frame = byId('app');
    /** @param {string} id  of a pane, or of a page: bytes have their own, other lower panes share one */
    function showOnPhone(id) {
        const page = panes.left.some((one) => one.id === id) ? 'tree' : id !== 'bytes' && panes.dock.some((one) => one.id === id) ? 'findings' : id;
        frame.dataset.phone = page;
        if (page === 'findings') placeTabs(true);
        if (all.has(id)) choose(id);
        all.get(id)?.pane.load?.();
        for (const tab of pages.children) tab.setAttribute('aria-pressed', String(tab.getAttribute('data-id') === page));
    }
    for (const [id, name, sign] of /** @type {const} */ ([['view', '3D', 'cube'], ['map', 'Map', 'map'], ['tree', 'Tree', 'tree'], ['findings', 'Lists', 'grid'], ['bytes', 'Bytes', 'bytes']]))
        pages.append(el('button', { type: 'button', 'data-id': id, 'aria-pressed': 'false', onclick: () => showOnPhone(id) }, icon(sign), name));
    showOnPhone('view');
    const sheet = el('button.sheet-handle', { type: 'button', 'aria-label': 'Show more or less', onclick: () => (frame.dataset.sheet = frame.dataset.sheet === 'tall' ? '' : 'tall') });
    byId('right').prepend(sheet);
    app.on('select', () => (frame.dataset.selected = app.selected ? 'yes' : ''));

    // ---- sizes -----------------------------------------------------------------------------------------------

    /** @param {string} id @param {string} name @param {number} from @param {() => number} to @param {'x' | 'y'} axis @param {1 | -1} sign */
    function splitter(id, name, from, to, axis, sign) {
        const handle = byId(id), now = () => Number.parseFloat(getComputedStyle(root).getPropertyValue(`--${name}`)) || from;
        /** @param {number} pixels */
        const set = (pixels) => {
            const size = Math.round(Math.max(from, Math.min(to(), pixels)));
            root.style.setProperty(`--${name}`, `${size}px`);
            handle.setAttribute('aria-valuenow', String(size));
            kept(name, String(size));
        };
        handle.setAttribute('aria-valuemin', String(from));
        handle.setAttribute('aria-valuemax', String(Math.round(to())));
        handle.setAttribute('aria-valuenow', String(now()));
        /** @type {{at: number, size: number} | null} */ let drag = null;
        handle.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
            handle.setPointerCapture(event.pointerId);
            drag = { at: axis === 'x' ? event.clientX : event.clientY, size: now() };
        });
        handle.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => drag && set(drag.size + sign * ((axis === 'x' ? event.clientX : event.clientY) - drag.at)));
        handle.addEventListener('pointerup', () => (drag = null));
        handle.addEventListener('dblclick', () => {
            root.style.removeProperty(`--${name}`);
            kept(name, '');
        });
        handle.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
            const by = { ArrowLeft: -16, ArrowUp: -16, ArrowRight: 16, ArrowDown: 16 }[event.key];
            if (!by) return;
            event.preventDefault();
            set(now() + sign * by);
        });
        const before = Number(kept(name));
        if (before) set(before);
    }
    splitter('split-left', 'left', 200, () => 480, 'x', 1);
    splitter('split-right', 'right', 280, () => 480, 'x', -1);
    splitter('split-dock', 'dock', 120, () => innerHeight * 0.7, 'y', -1);
    splitter('split-map', 'map', 100, () => innerHeight * 0.7, 'y', -1);

    // ---- colours ---------------------------------------------------------------------------------------------

    const prefers = matchMedia('(prefers-color-scheme: light)'), contrast = matchMedia('(prefers-contrast: more)');
    function applyTheme() {
        root.classList.toggle('light', (kept('theme') || (prefers.matches ? 'light' : 'dark')) === 'light');
        root.classList.toggle('contrast', kept('contrast') === 'more' || (kept('contrast') !== 'normal' && contrast.matches));
        app.emit('theme');
    }
    prefers.addEventListener('change', applyTheme);
    contrast.addEventListener('change', applyTheme);
    applyTheme();

    return {
        show, to, nextPane, kept, folds,
        opened() {
            if (isPhone()) showOnPhone('view');
            if (!panes.view.draws && !isPhone()) swap(true);
            panes.view.draw();
        },
        flipTheme() {
            kept('theme', root.classList.contains('light') ? 'dark' : 'light');
            applyTheme();
        },
        flipContrast() {
            kept('contrast', root.classList.contains('contrast') ? 'normal' : 'more');
            applyTheme();
        },
        get noKeys() {
            return kept('keys') === 'off';
        },
    };
}
