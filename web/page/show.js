// SPDX-License-Identifier: MIT
/** Which classes and layers are shown: check lists with counts. */
import { isUnseen } from './bake.js';
import { count, el, icon, iconButton } from './dom.js';
import { symbolOf } from './symbols.js';

/** The most things that are listed of a layer. */
const few = 200;
const controls = 'input, button';

/** The layer of a thing: its own, or its role. @param {{layer: string, role: string}} one */
export const layerOf = ({ layer, role }) => layer || { geometry: 'Geometry', collision: 'Collision', helper: 'Helpers', entity: 'Models', light: 'Lights', camera: 'Cameras', group: 'Groups' }[role] || role;

/** @param {import('./app.js').App} app */
export function makeShow(app) {
    /** @type {Set<string>} */ const hiddenLayers = new Set();
    /** @type {{layer: string, role: string, className: string, triangles: number}[]} */ let groups = [];
    /** Whether the switch of the view shows surfaces that players do not see. */ let unseen = true;
    const isOff = (/** @type {{role: string}} */ one) => !unseen && isUnseen(one);
    const search = /** @type {HTMLInputElement} */ (el('input', { type: 'search', placeholder: 'Class, name, type or path', 'aria-label': 'Find classes and layers', spellcheck: 'false' }));
    const list = el('div.show-list', { tabindex: -1 });
    const colours = /** @type {HTMLSelectElement} */ (el('select', { 'aria-label': 'Colours', title: 'How surfaces are shown' }));
    for (const [index, name] of ['As in the game', 'Quiet', 'By material', 'Normals'].entries()) colours.append(new Option(name, String(index)));
    colours.addEventListener('change', () => app.emit('colours', Number(colours.value)));
    const element = el('div.column', {}, el('div.search', {}, icon('search'), search), el('label.show-colours', {}, 'Colours', colours), list);

    function apply() {
        const hiddenClasses = new Set(app.classes.filter((one) => one.hidden).map((one) => one.name));
        const hidden = new Set(groups.flatMap((one, index) => (isOff(one) || hiddenLayers.has(layerOf(one)) || (one.className && hiddenClasses.has(one.className)) ? [index] : [])));
        app.emit('show', { layers: new Set(hiddenLayers), groups: hidden });
    }

    /**
     * A class or layer with a box, and its buttons.
     * @param {{name: string, number: number, on: boolean, set: (on: boolean) => void, only: () => void, symbol: Element | null}} of @param {HTMLElement | null} [before] @param {(HTMLElement | null)[]} after
     */
    function line({ name, number, on, set, only, symbol }, before = null, ...after) {
        const box = /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox' }));
        box.checked = on;
        const alone = () => {
            only();
            fill();
            apply();
        };
        const label = el('label', { title: 'Alt+click: only this' }, box, symbol, el('span.key.data', {}, name));
        label.addEventListener('click', (event) => {
            if (!event.altKey) return;
            event.preventDefault();
            alone();
        });
        box.addEventListener('change', () => {
            set(box.checked);
            fill();
            apply();
        });
        return el('div.show-row', {}, before, label, el('span.value.data', {}, count(number)), iconButton('eye', `Only ${name}`, alone), ...after);
    }

    /** A layer as a folder: its things, and buttons to show it alone and to lock it. @param {string} name @param {number} number @param {string[]} all  the layers that are listed */
    function folder(name, number, all) {
        const things = app.things.filter((one) => layerOf(one) === name), open = things.length > 0 && opened.has(name);
        const twist = el(`button.icon-button.twist${open ? '.open' : ''}`, { type: 'button', 'aria-expanded': String(open), 'aria-label': `Things on ${name}`, hidden: !things.length, onclick: () => flip(opened, name) }, icon('down'));
        const lock = iconButton('lock', app.locked.has(name) ? `Unlock ${name}` : `Lock ${name}: its things cannot be clicked or moved`, () => flip(app.locked, name));
        lock.setAttribute('aria-pressed', String(app.locked.has(name)));
        const made = line({ name, number, on: !hiddenLayers.has(name), set: (on) => hiddenLayers[on ? 'delete' : 'add'](name), only: () => all.forEach((each) => hiddenLayers[each === name ? 'delete' : 'add'](each)), symbol: icon('layers') }, twist, lock);
        const inside = open ? things.slice(0, few).map((one) => el('button.show-thing', { type: 'button', 'aria-current': String(app.thingOf(app.selected) === one), onclick: () => app.select({ doc: one.doc, path: one.path }, { from: 'show' }) }, symbolOf(app, one.class), el('span.data', {}, one.name || one.className || one.path))) : [];
        return [made, ...inside, open && things.length > few ? el('p.show-more', {}, `and ${count(things.length - few)} more in the table`) : null];
    }
    /** Layers whose things are listed. @type {Set<string>} */ const opened = new Set();
    /** @param {Set<string>} of @param {string} name */
    function flip(of, name) {
        if (!of.delete(name)) of.add(name);
        fill();
    }

    /** @param {string} title @param {(on: boolean) => void} all @param {(() => void) | null} odd */
    function heading(title, all, odd) {
        const button = (/** @type {string} */ name, /** @type {() => void} */ act) => el('button.plain', { type: 'button', onclick: () => (act(), fill(), apply()) }, name);
        return el('div.show-heading', {}, el('b', {}, title), el('span.grow'), button('All', () => all(true)), button('None', () => all(false)), odd ? button('With findings', odd) : null);
    }

    function fill() {
        const wanted = search.value.trim().toLowerCase(), active = document.activeElement, at = [...list.querySelectorAll(controls)].indexOf(/** @type {any} */ (active)), { scrollTop } = list;
        const classes = app.classes.map((one, index) => ({ one, index })).filter(({ one, index }) => !wanted || one.name.toLowerCase().includes(wanted) || app.things.some((thing) => thing.class === index && (thing.name.toLowerCase().includes(wanted) || thing.path.includes(wanted))));
        const layers = new Map();
        for (const one of app.things) layers.set(layerOf(one), (layers.get(layerOf(one)) ?? 0) + 1);
        for (const one of groups) if (!layers.has(layerOf(one)) && !isOff(one)) layers.set(layerOf(one), groups.reduce((sum, each) => sum + (layerOf(each) === layerOf(one) ? each.triangles : 0), 0));
        const odd = new Set((app.findings ?? []).filter((one) => one.severity !== 'information').map((one) => app.thingOf({ doc: one.doc, path: one.path })?.class));
        const shownLayers = [...layers].filter(([name]) => !wanted || name.toLowerCase().includes(wanted));
        list.replaceChildren(
            ...(classes.length ? [heading('Classes', (on) => classes.forEach(({ one }) => (one.hidden = !on)), () => app.classes.forEach((one, index) => (one.hidden = !odd.has(index))))] : [el('p.empty', {}, app.classes.length ? 'No class matches.' : 'No classes in this format.')]),
            ...classes.map(({ one, index }) => line({ name: one.name || '(none)', number: one.count, on: !one.hidden, set: (on) => (one.hidden = !on), only: () => app.classes.forEach((each) => (each.hidden = each !== one)), symbol: symbolOf(app, index) })),
            ...(shownLayers.length ? [heading('Layers', (on) => shownLayers.forEach(([name]) => hiddenLayers[on ? 'delete' : 'add'](name)), null)] : []),
            ...shownLayers.flatMap(([name, number]) => folder(name, number, shownLayers.map(([each]) => each))).filter((one) => one !== null),
        );
        list.scrollTop = scrollTop;
        if (at >= 0) /** @type {HTMLElement | undefined} */ (list.querySelectorAll(controls)[at])?.focus({ preventScroll: true });
    }

    search.addEventListener('input', fill);
    app.on(['things', 'findings'], fill);
    app.on('groups', (/** @type {typeof groups} */ given) => {
        groups = given;
        fill();
        apply();
    });
    app.on('unseen', (/** @type {boolean} */ on) => {
        unseen = on;
        fill();
        apply();
    });
    app.on('open', () => {
        hiddenLayers.clear();
        opened.clear();
        app.locked.clear();
        groups = [];
        fill();
    });
    app.on('hide', () => {
        const one = app.classes[app.thingOf(app.selected)?.class ?? -1];
        if (!one) return;
        one.hidden = true;
        fill();
        apply();
        app.say(`${one.name} is hidden; Shift H shows all.`);
    });
    app.on('show-all', () => {
        for (const one of app.classes) one.hidden = false;
        hiddenLayers.clear();
        fill();
        apply();
    });
    return { element, focus: () => search.focus(), counted: () => app.classes.length };
}
