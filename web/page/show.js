// SPDX-License-Identifier: MIT
/** Which classes and layers are shown: check lists with counts. */
import { isUnseen } from './bake.js';
import { count, el, icon } from './dom.js';
import { symbolOf } from './symbols.js';

/** @param {import('./app.js').App} app */
export function makeShow(app) {
    /** @type {Set<string>} */ const hiddenLayers = new Set();
    /** @type {{layer: string, role: string, className: string, triangles: number}[]} */ let groups = [];
    /** Whether the switch of the view leaves out what players do not see. */ let unseen = true;
    const isOff = (/** @type {{role: string}} */ one) => !unseen && isUnseen(one);
    const search = /** @type {HTMLInputElement} */ (el('input', { type: 'search', placeholder: 'Class, name, type or path', 'aria-label': 'Find classes and layers', spellcheck: 'false' }));
    const list = el('div.show-list', { tabindex: -1 });
    const colours = /** @type {HTMLSelectElement} */ (el('select', { 'aria-label': 'Colours', title: 'How surfaces are shown' }));
    for (const [index, name] of ['As in the game', 'Quiet', 'By material', 'Normals'].entries()) colours.append(new Option(name, String(index)));
    colours.addEventListener('change', () => app.emit('colours', Number(colours.value)));
    const element = el('div.column', {}, el('div.search', {}, icon('search'), search), el('label.show-colours', {}, 'Colours', colours), list);

    /** What geometry belongs to: its layer, or what it is. @param {{layer: string, role: string}} one */
    const layerOf = ({ layer, role }) => layer || { geometry: 'Geometry', collision: 'Collision', helper: 'Helpers', entity: 'Models', light: 'Lights', camera: 'Cameras', group: 'Groups' }[role] || role;

    function apply() {
        const hiddenClasses = new Set(app.classes.filter((one) => one.hidden).map((one) => one.name));
        const hidden = new Set(groups.flatMap((one, index) => (isOff(one) || hiddenLayers.has(layerOf(one)) || (one.className && hiddenClasses.has(one.className)) ? [index] : [])));
        app.emit('show', { layers: new Set(hiddenLayers), groups: hidden });
    }

    /** @param {string} name @param {number} number @param {boolean} on @param {(on: boolean) => void} set @param {() => void} only @param {Element | null} symbol @param {boolean} [partly] */
    function line(name, number, on, set, only, symbol, partly = false) {
        const box = /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox' }));
        box.checked = on;
        box.indeterminate = partly;
        const made = el('label.show-row', { title: 'Alt+click: only this' }, box, symbol, el('span.key.data', {}, name), el('span.value.data', {}, count(number)));
        made.addEventListener('click', (event) => {
            if (!event.altKey) return;
            event.preventDefault();
            only();
            fill();
            apply();
        });
        box.addEventListener('change', () => {
            set(box.checked);
            fill();
            apply();
        });
        return made;
    }

    /** @param {string} title @param {(on: boolean) => void} all @param {(() => void) | null} odd */
    function heading(title, all, odd) {
        const button = (/** @type {string} */ name, /** @type {() => void} */ act) => el('button.plain', { type: 'button', onclick: () => (act(), fill(), apply()) }, name);
        return el('div.show-heading', {}, el('b', {}, title), el('span.grow'), button('All', () => all(true)), button('None', () => all(false)), odd ? button('With findings', odd) : null);
    }

    function fill() {
        const wanted = search.value.trim().toLowerCase(), active = document.activeElement, at = [...list.querySelectorAll('input')].indexOf(/** @type {any} */ (active));
        const classes = app.classes.map((one, index) => ({ one, index })).filter(({ one, index }) => !wanted || one.name.toLowerCase().includes(wanted) || app.things.some((thing) => thing.class === index && (thing.name.toLowerCase().includes(wanted) || thing.path.includes(wanted))));
        const layers = new Map();
        for (const one of app.things) layers.set(layerOf(one), (layers.get(layerOf(one)) ?? 0) + 1);
        for (const one of groups) if (!layers.has(layerOf(one)) && !isOff(one)) layers.set(layerOf(one), groups.reduce((sum, each) => sum + (layerOf(each) === layerOf(one) ? each.triangles : 0), 0));
        const odd = new Set((app.findings ?? []).filter((one) => one.severity !== 'information').map((one) => app.thingOf({ doc: one.doc, path: one.path })?.class));
        const shownLayers = [...layers].filter(([name]) => !wanted || name.toLowerCase().includes(wanted));
        list.replaceChildren(
            ...(classes.length ? [heading('Classes', (on) => classes.forEach(({ one }) => (one.hidden = !on)), () => app.classes.forEach((one, index) => (one.hidden = !odd.has(index))))] : [el('p.empty', {}, app.classes.length ? 'No class matches.' : 'No classes in this format.')]),
            ...classes.map(({ one, index }) => line(one.name || '(none)', one.count, !one.hidden, (on) => (one.hidden = !on), () => app.classes.forEach((each) => (each.hidden = each !== one)), symbolOf(app, index))),
            ...(shownLayers.length ? [heading('Layers', (on) => shownLayers.forEach(([name]) => (on ? hiddenLayers.delete(name) : hiddenLayers.add(name))), null)] : []),
            ...shownLayers.map(([name, number]) => line(name, number, !hiddenLayers.has(name), (on) => (on ? hiddenLayers.delete(name) : hiddenLayers.add(name)), () => shownLayers.forEach(([each]) => (each === name ? hiddenLayers.delete(each) : hiddenLayers.add(each))), icon('layers'))),
        );
        if (at >= 0) list.querySelectorAll('input')[at]?.focus();
    }

    search.addEventListener('input', fill);
    for (const name of ['things', 'findings']) app.on(name, fill);
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
