// SPDX-License-Identifier: MIT
/** The address of the page: what is selected, the camera, and the name of the file. */
import { byId, el } from './dom.js';
import { isServed } from './opened.js';
import { samples } from './samples.js';

/**
 * Keeps the address up to date, and follows the one that the page was opened with.
 * @param {import('./app.js').App} app @param {{cameraText: () => string, setCamera: (text: string) => void}} view
 * @param {import('./session.js').Session} session @param {{refuse: (why: string) => void}} edit
 */
export function followAddress(app, view, session, edit) {
    let restoring = false;
    /** The subject of the address: the open file, or the sample. @type {() => [string, string]} */
    const about = () => (app.options.sample ? ['sample', app.options.sample] : ['level', app.nameOf(0)]);
    /** @param {boolean} [jump] */
    function writeHash(jump = false) {
        if (restoring || !app.documents.length) return;
        const { selected } = app, parts = [];
        if (selected) parts.push(`path=${encodeURIComponent(selected.path)}`);
        if (selected?.doc) parts.push(`file=${encodeURIComponent(app.documents[selected.doc]?.name ?? '')}`);
        parts.push(`camera=${view.cameraText()}`, about().map(encodeURIComponent).join('='));
        const hash = `#${parts.join('&')}`;
        if (jump) history.pushState(null, '', hash);
        else history.replaceState(null, '', hash);
    }
    function readHash() {
        const given = new URLSearchParams(location.hash.slice(1)), path = given.get('path'), camera = given.get('camera'), file = given.get('file');
        if (!isAbout(given)) return;
        restoring = true;
        if (path !== null && app.documents.length) app.select({ doc: Math.max(0, app.documents.findIndex((one) => one.name === file)), path }, { from: 'address' });
        if (camera) view.setCamera(camera);
        restoring = false;
    }
    /** Whether an address can refer to the open level. @param {URLSearchParams} given */
    function isAbout(given) {
        const [name, value] = about();
        return (!given.has('sample') && !given.has('level')) || given.get(name) === value;
    }
    /** Follows an address: within the open level, to a sample, or by showing which file it needs. */
    async function followLink() {
        const given = new URLSearchParams(location.hash.slice(1)), sample = given.get('sample'), level = given.get('level');
        if (isServed() || (app.documents.length && isAbout(given))) return readHash();
        if (sample && samples.some((one) => one.id === sample)) {
            first = true;
            return session.openSample(sample);
        }
        if (!level) return;
        const words = `This link points at ${given.get('path') || 'a view'} in ${level}. Open that file to go there.`;
        first = true;
        if (app.documents.length) edit.refuse(words);
        else byId('zone-state').replaceChildren(el('p', { role: 'status' }, words));
    }
    addEventListener('popstate', () => followLink());
    // The address applies to the first level that is opened.
    let first = true;
    app.on('framed', () => {
        if (first) readHash();
        else writeHash();
        first = false;
    });
    app.on('address', () => writeHash());
    app.on('select', ({ jump }) => writeHash(jump));
    followLink().catch((error) => session.refuse([], error, {}));
}
