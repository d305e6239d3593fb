// SPDX-License-Identifier: MIT
/** The controls that float over the 3D view. */
import { byId, el, icon, iconButton } from './dom.js';

const turnHint = 'Drag to turn · right-drag to move · wheel to zoom · F to frame';

/**
 * @param {import('./app.js').App} app @param {import('./stage.js').Stage} stage @param {import('./flight.js').Flight} flight
 * @param {{setSymbols: () => void, setUnseen: () => void, toSelection: () => void, screenshot: () => void}} view
 */
export function makeToolbar(app, stage, flight, { setSymbols, setUnseen, toSelection, screenshot }) {
    const { look } = stage;
    const turnButton = el('button.icon-button', { type: 'button', 'aria-pressed': 'true', title: 'Drag turns the level', 'aria-label': 'Turn', onclick: () => setFlying(false) }, icon('orbit'));
    const flyButton = el('button.icon-button', { type: 'button', 'aria-pressed': 'false', title: 'Drag looks around; W A S D and Q E move', 'aria-label': 'Fly', onclick: () => setFlying(true) }, icon('fly'));
    /** @param {boolean} on */
    function setFlying(on) {
        turnButton.setAttribute('aria-pressed', String(!on));
        flyButton.setAttribute('aria-pressed', String(on));
        byId('status-hint').textContent = on ? 'Drag to look · W A S D, Q E to fly · Shift for fast' : turnHint;
        flight.setFlying(on);
    }
    app.on('colours', (/** @type {number} */ mode) => {
        look.mode = mode;
        stage.draw();
    });
    /** @param {string} name @param {string} label @param {() => boolean} flip @param {boolean} on */
    function toggle(name, label, flip, on) {
        const made = iconButton(name, label, () => {
            made.setAttribute('aria-pressed', String(flip()));
            stage.draw();
        });
        made.setAttribute('aria-pressed', String(on));
        return made;
    }
    const wire = toggle('wire', 'Wireframe', () => (look.wire = !look.wire), false);
    const unseen = toggle('layers', 'Show collision and helpers', () => {
        look.unseen = !look.unseen;
        setUnseen();
        app.emit('unseen', look.unseen);
        return look.unseen;
    }, false);
    const ceilings = toggle('eye-off', 'Hide ceilings', () => !(look.ceilings = !look.ceilings), false);
    const cutRange = /** @type {HTMLInputElement} */ (el('input', { type: 'range', min: 0, max: 100, value: 100, 'aria-label': 'Cut by height' })), cutSays = el('output', {}, 'no cut');
    const cutPlace = el('span.cut-place', { hidden: true }, cutRange, cutSays);
    const cut = toggle('cut', 'Cut by height', () => {
        cutPlace.hidden = !cutPlace.hidden;
        if (cutPlace.hidden) setCut(Infinity);
        return !cutPlace.hidden;
    }, false);
    /** @param {number} height */
    function setCut(height) {
        look.cut = height;
        cutSays.textContent = height === Infinity ? 'no cut' : `${height.toFixed(1)} m`;
        setSymbols();
        app.emit('cut', height);
    }
    cutRange.addEventListener('input', () => {
        const [low, high] = [stage.scene?.minimum[1] ?? 0, stage.scene?.maximum[1] ?? 1], share = Number(cutRange.value) / 100;
        setCut(share >= 1 ? Infinity : low + (high - low) * share);
    });
    byId('status-hint').textContent = turnHint;
    stage.place.append(
        el('div.float.top-left', { role: 'toolbar', 'aria-label': 'View' }, turnButton, flyButton, wire, unseen, ceilings, cut, cutPlace),
        el('div.float.top-right', { role: 'toolbar', 'aria-label': 'Camera' }, iconButton('frame', 'Fly to the selection', () => toSelection(), 'F'),
            iconButton('home', 'Overview', () => flight.toAll(), '1'), iconButton('camera', 'Picture of this view', () => screenshot())),
    );

    return {
        /** Shows the state for another level. @param {boolean} hides  whether the level has surfaces that players do not see */
        show(hides) {
            unseen.setAttribute('aria-pressed', String(look.unseen));
            unseen.hidden = !hides;
        },
    };
}
