// SPDX-License-Identifier: MIT
/** Keys that work everywhere, and the list of all of them. */
import { parentPath, byId, el } from './dom.js';

/** The list of keys. */
const help = [
    ['/ or Ctrl K', 'Find a path, class, name, value or 0x offset'], ['F6, Shift F6', 'Next, previous pane'], ['F', 'Fly to the selection; Shift F to all'],
    ['Arrows', 'Turn the view; move in tree, table, bytes'], ['W A S D, Q E', 'Fly; Shift fast, Alt slow'], ['[ and ]', 'Things by distance (view)'],
    ['F8, Shift F8', 'Next, previous finding'], ['Enter', 'Open the selection in a list'], ['F2', 'Change its value, or the byte'], ['Alt up, Alt down', 'Previous, next element of the list'],
    ['M B T I L', 'To map, bytes, tree, inspector, findings'], ['Shift T, B, I', 'Open or close the left, lower, right panes'], ['1 to 8', 'Views: overview, from above, sides'], ['H, Shift H', 'Hide the class of the selection; show all'],
    ['Ctrl Z, Ctrl Shift Z', 'Undo, redo'], ['Ctrl C, Ctrl V', 'Copy, paste elements, also into another level'], ['Ctrl D, Delete', 'Duplicate, remove'], ['Ctrl S, Ctrl Shift S', 'Save, save as a patch'], ['O T V', 'Ours, theirs, a value (conflicts)'], ['Ctrl O', 'Open'], ['Esc', 'Step out: field, thing, nothing'], ['?', 'These keys'],
];

/** @param {import('./app.js').App} app @param {any} parts */
export function makeKeys(app, parts) {
    const { view, layout, findings } = parts;
    const dialog = /** @type {HTMLDialogElement} */ (el('dialog#keys', { 'aria-label': 'Keys' }, el('h2', {}, 'Keys'), el('dl.facts', {}, ...help.flatMap(([key = '', does = '']) => [el('dt', {}, el('kbd', {}, key)), el('dd.words', {}, does)])),
        el('p', {}, el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'))));
    byId('floats').append(dialog);
    app.on('keys', () => dialog.showModal());

    /** Selects the next element of the list that contains the selected value. @param {number} by */
    async function sibling(by) {
        const { selected } = app;
        if (!selected) return;
        let path = selected.path;
        while (path && !path.endsWith(']')) path = parentPath(path);
        const index = Number.parseInt(path.slice(path.lastIndexOf('[') + 1), 10), list = parentPath(path);
        if (!Number.isFinite(index)) return;
        const { row } = await app.rows({ doc: selected.doc, path: list }, 0, 1), next = index + by;
        if (next >= 0 && next < (row.count ?? 0)) app.select({ doc: selected.doc, path: `${list}[${next}]` }, { from: 'keys' });
    }

    function stepOut() {
        const { selected } = app, thing = app.thingOf(selected);
        if (app.cancelPick() || !selected) return;
        if (app.others.length) return app.select(selected, { from: 'keys' });
        const up = thing && thing.path !== selected.path ? thing.path : parentPath(selected.path);
        app.select(thing && thing.path === selected.path ? null : up ? { doc: selected.doc, path: up } : null, { from: 'keys' });
    }

    addEventListener('keydown', (event) => {
        const { key } = event, command = event.ctrlKey || event.metaKey, target = event.target instanceof Element ? event.target : null;
        const typing = target?.closest('input:not([type=checkbox]):not([type=range]), select, textarea, dialog') ?? null;
        const open = !byId('app').hidden && !byId('app').inert;
        /** @type {Record<string, () => void>} */ const always = {
            'Ctrl+o': parts.open, 'Ctrl+k': () => parts.path.focus(), F8: () => findings.step(1), 'Shift+F8': () => findings.step(-1), F6: () => layout.nextPane(1), 'Shift+F6': () => layout.nextPane(-1),
            'Ctrl+z': () => app.emit('undo'), 'Ctrl+Shift+z': () => app.emit('redo'), 'Ctrl+y': () => app.emit('redo'), 'Ctrl+s': () => app.emit('save'), 'Ctrl+Shift+s': () => app.emit('save-patch'), 'Ctrl+d': () => app.emit('duplicate'),
            'Alt+ArrowUp': () => sibling(-1), 'Alt+ArrowDown': () => sibling(1), F2: () => app.selected && app.emit('change-value', app.selected), 'Shift+F10': () => app.emit('menu', { element: document.activeElement }),
        };
        /** @type {Record<string, () => void>} */ const plain = {
            '/': () => parts.path.focus(), '?': () => app.emit('keys'), f: () => view.frameSelection(), 'Shift+f': () => view.frameAll(), Escape: stepOut, m: () => layout.to('map'), b: () => layout.to('bytes'), t: () => layout.to('tree'),
            'Shift+t': () => layout.folds.flip('left'), 'Shift+b': () => layout.folds.flip('dock'), 'Shift+i': () => layout.folds.flip('right'),
            i: () => layout.to('inspector'), l: () => layout.to('findings'), h: () => app.emit('hide'), 'Shift+h': () => app.emit('show-all'), g: () => app.emit('gizmo', 'move'), r: () => app.emit('gizmo', 'rotate'), Delete: () => app.emit('remove'),
        };
        const name = `${command ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey && key !== '?' ? 'Shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`;
        const act = (open || name === 'Ctrl+o' ? always[name] : undefined) ?? (!typing && !layout.noKeys && (open || key === '?') ? plain[name] : undefined);
        if (!act || (typing && ['Ctrl+z', 'Ctrl+Shift+z', 'Ctrl+y', 'Ctrl+d', 'Shift+F10'].includes(name))) return;
        event.preventDefault();
        act();
    });
}
