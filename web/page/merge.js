// SPDX-License-Identifier: MIT
/** Another version of the level, merged into the open one: its conflicts as a list, where clicks resolve them. */
import { ask } from './ask.js';
import { brief } from './changes.js';
import { data, el, phone, some } from './dom.js';
import { boxOf } from './matrix.js';
import { Rows } from './rows.js';
import { addStyles } from './styles.js';

/** @typedef {import('../mapstone.js').Conflict} Conflict */
/** @typedef {import('../mapstone.js').Choice} Choice */
/** @typedef {import('./matrix.js').Vector} Vector */

const nouns = { value: '', 'removed-by-ours': 'ours removed it', 'removed-by-theirs': 'theirs removed it', ambiguous: 'similar elements cannot be distinguished' };

/** A value as one line of text. @param {unknown} value @param {string} none @param {unknown} [other]  a value that it must be distinguishable from */
function words(value, none, other) {
    if (value === undefined) return none;
    const json = JSON.stringify(value), same = json === JSON.stringify(other), short = brief(value), text = short === null || (!same && short === brief(other)) ? json : short;
    return `${text.length > 90 ? `${text.slice(0, 87)}…` : text}${same ? ', other elements' : ''}`;
}
/** The complete value, for a tooltip. @param {unknown} value */
const whole = (value) => (value === undefined ? '' : JSON.stringify(value, null, 1).slice(0, 2000));

/** The value for typed text, of the same type as another value. @param {string} text @param {unknown} like */
export function valueOf(text, like) {
    if (typeof like === 'string') return text;
    const inList = Array.isArray(like) && !text.trim().startsWith('[');
    try {
        return JSON.parse(inList ? `[${text}]` : text);
    } catch {
        return text; // the library reports the expected type
    }
}

/** On a phone a conflict has two lines: the path and the base, then what can be chosen. */
const styles = `
.conflict { display: grid !important; grid-template-columns: 14px minmax(120px, 2fr) minmax(60px, 1fr) repeat(2, minmax(90px, 1.5fr)) 84px; align-items: center; gap: 10px !important; }
.conflict.head { padding: 6px 12px; font-size: 12px; color: var(--text-2); border-bottom: 1px solid var(--line); }
.conflict > *, .conflict button { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.conflict button { display: block; max-width: 100%; padding: 2px 8px; font-size: 12px; }
.conflict [aria-pressed=true] { background: var(--primary); color: var(--on-primary); font-weight: 600; }
.conflict .value { margin: 0; padding: 0; }
@media ${phone} {
    .conflict { grid-template: auto 44px / 14px repeat(2, minmax(0, 1fr)) 84px; gap: 0 10px !important; }
    .conflict > .key { grid-column: 2 / 4; }
    .conflict > :nth-child(4) { grid-column: 2; }
    .conflict button { width: 100%; min-height: 40px; }
    .conflict.head { grid-template-rows: auto; }
    .conflict.head > :nth-child(-n + 3) { display: none; }
    .conflicts + .changes-foot { flex-wrap: wrap; }
    .conflicts + .changes-foot > :first-child { flex: 0 0 100%; }
}`;

/** @param {HTMLInputElement} input @returns {import('./worker.js').Given[]} */
const filesOf = (input) => [...(input.files ?? [])].map((file) => ({ name: file.name, file }));

/** @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view @param {{took: (answer: any, step: import('./drafts.js').Step) => Promise<void>, refuse: (why: string) => void}} edit */
export function makeMerge(app, view, edit) {
    /** The running merge: the document's number, its conflicts, the choices, and the names of the sides. @type {{doc: number, conflicts: Conflict[], choices: Map<string, Choice>, names: Record<string, string>} | null} */ let now = null;
    const rows = new Rows({ label: 'Conflicts', role: 'grid', height: 34, make, key, act: (index, event) => !(event.target instanceof Element && event.target.closest('button')) && reveal(index) });
    rows.element.classList.add('conflicts');
    const small = matchMedia(phone), fit = () => rows.resize(small.matches ? 84 : 34);
    addStyles(styles);
    small.addEventListener('change', fit);
    fit();
    const head = el('div.conflict.head', { 'aria-hidden': 'true' }), foot = el('div.changes-foot'), status = el('span', { role: 'status', title: 'Click the side to keep; click the path to show it.' });
    const element = el('div.column', {}, head, rows.element, foot);
    foot.append(status, el('span.grow'), ...[['ours', 'All open: ours'], ['theirs', 'All open: theirs']].map(([side = '', label = '']) => el('button', { type: 'button', 'data-all': side, onclick: () => decideAll(/** @type {'ours'} */ (side)) }, label)), el('button', { type: 'button', onclick: end }, 'Done'));

    /** @param {number} index */
    function make(index) {
        const one = now?.conflicts[index];
        if (!one) return el('div');
        const { resolved, label = '' } = one, cell = { role: 'gridcell' };
        /** @param {'ours' | 'theirs'} side */
        const button = (side) => el('span', cell, el('button.data', { type: 'button', 'data-side': side, 'aria-pressed': String(resolved === side), title: whole(one[side]) || nouns[one.conflict], onclick: () => choose(one, side) }, side === 'ours' && one.changed ? `${one.changed.replace('properties.', '')} ` : '', words(one[side], one.conflict === `removed-by-${side}` ? 'removed' : 'needs it', one[side === 'ours' ? 'theirs' : 'ours'])));
        const own = /** @type {any} */ (now?.choices.get(one.path))?.value;
        const made = el('div.conflict', { role: 'row', 'aria-rowindex': index + 1 }, el('span', { ...cell, class: resolved ? 'd-moved' : 'd-open', title: resolved ?? 'open: ours is kept' }, resolved ? '✓' : '!'), el('span.key', { ...cell, title: one.path }, label ? el('b', {}, `${label} `) : null, one.path.replace('.properties.', ' ')),
            el('span.value', { ...cell, title: whole(one.base) }, words(one.base, 'not there')), button('ours'), button('theirs'),
            el('span', cell, one.conflict === 'value' ? el('button.data', { type: 'button', 'data-side': 'value', 'aria-pressed': String(resolved === 'value'), title: 'Another value instead of both', onclick: () => type(one) }, resolved === 'value' ? words(own, '') : 'Value…') : null));
        made.classList.toggle('decided', Boolean(resolved));
        return made;
    }
    /** @param {KeyboardEvent} event @param {number} index */
    function key(event, index) {
        const one = now?.conflicts[index], side = /** @type {const} */ ({ o: 'ours', t: 'theirs' })[event.key];
        if (!one || (!side && event.key !== 'v') || event.ctrlKey || event.metaKey) return false;
        event.stopPropagation(); // T also goes to the tree
        if (side) choose(one, side);
        else if (one.conflict === 'value') type(one);
        return true;
    }

    /** Shows the place of a conflict. @param {number} index */
    async function reveal(index) {
        const one = now?.conflicts[index];
        if (!one || !now) return;
        rows.active = index;
        if (one.now) return app.select({ doc: now.doc, path: one.now }, { from: 'conflicts', jump: true, fly: true });
        const found = await app.library.call('elsewhere', 'place', one.path).catch(() => null), { low, high } = boxOf(found?.corners ?? found?.at ?? []);
        if (!found) return app.say(`${one.path} is not in the result, and has no place in the base.`);
        spot = /** @type {Vector} */ (low.map((value, axis) => (value + (high[axis] ?? value)) / 2));
        view.flyToBox(/** @type {Vector} */ (low.map((value) => value - 3)), /** @type {Vector} */ (high.map((value) => value + 3)));
        app.say(`${one.path} is not in the result: this is where it was.`);
    }
    /** The place of an element that is missing from the result, if it was looked up. @type {Vector | null} */ let spot = null;

    /** @param {Conflict} one @param {Choice} how  if it is the current choice, the conflict is open again */
    function choose(one, how) {
        const choices = new Map(now?.choices);
        if (choices.get(one.path) === how) choices.delete(one.path);
        else choices.set(one.path, how);
        return decide(choices);
    }
    /** @param {'ours' | 'theirs'} side */
    function decideAll(side) {
        const choices = new Map(now?.choices);
        for (const one of now?.conflicts ?? []) if (!one.resolved) choices.set(one.path, side);
        return decide(choices);
    }
    /** Asks for a value to use instead of both. @param {Conflict} one */
    async function type(one) {
        const input = /** @type {HTMLInputElement} */ (el('input.data', { type: 'text', 'aria-label': 'Value', size: 48, spellcheck: 'false' }));
        input.value = typeof one.ours === 'string' ? one.ours : JSON.stringify(one.ours);
        input.addEventListener('keydown', (event) => event.key === 'Enter' && /** @type {HTMLElement | null} */ (input.closest('dialog')?.querySelector('[data-answer=take]'))?.click());
        if (await ask(`A value for ${one.path}`, [el('p', {}, 'Ours has ', data(words(one.ours, '')), ', theirs ', data(words(one.theirs, '')), '.'), el('p', {}, input)], { take: 'Take it' })) await choose(one, { value: valueOf(input.value, one.ours) });
    }

    /** Merges again with these choices. @param {Map<string, Choice>} choices */
    async function decide(choices) {
        if (!now || element.inert) return;
        element.inert = true;
        try {
            await take(await app.ask('Merging', 'elsewhere', 'decide', [...choices]));
        } catch (error) {
            edit.refuse(/** @type {Error} */ (error).message);
        } finally {
            element.inert = false;
        }
        rows.element.focus({ preventScroll: true });
    }

    /** @param {any} answer  of decide in elsewhere.js */
    async function take(answer) {
        if (!now) return;
        Object.assign(now, { conflicts: answer.conflicts, choices: new Map(answer.choices) });
        spot = null;
        show();
        if (answer.why) edit.refuse(answer.why);
        await edit.took(answer, { file: app.documents[answer.doc]?.name ?? '', operations: [], options: { label: answer.past.steps[answer.past.position - 1]?.label, patch: answer.patch ?? '' } });
        view.draw();
    }

    function show() {
        const { conflicts = [], names = {} } = now ?? {}, open = conflicts.filter((one) => !one.resolved).length;
        app.conflicts = open;
        head.replaceChildren(...['', 'Path in the base', names.base ?? '', `Ours: ${app.nameOf(now?.doc ?? 0)}`, `Theirs: ${names.theirs ?? ''}`, ''].map((text) => el('span', { title: text }, text)));
        status.textContent = open ? `${open} of ${some(conflicts.length, 'conflict')} open; ours is kept.` : `${conflicts.length === 1 ? 'The conflict is' : `All ${conflicts.length} conflicts are`} resolved. Save writes the result.`;
        for (const button of foot.querySelectorAll('[data-all]')) button.toggleAttribute('disabled', !open);
        rows.set(conflicts.length);
        app.emit('merging', now);
    }

    /** Shows the result of a merge, and its conflicts. @param {any} answer @param {Record<string, string>} names  of the base and theirs */
    async function begin(answer, names) {
        now = { doc: answer.doc, conflicts: [], choices: new Map(), names };
        await take(answer);
        if (answer.conflicts.length) return app.emit('to-pane', 'conflicts');
        end();
        app.say(`Merged ${names.theirs}, without conflicts.`);
        app.emit('to-pane', 'changes');
    }

    function end() {
        app.library.call('elsewhere', 'end');
        app.emit('merging', null);
    }

    /** Asks which versions are to be merged. @param {string} [why]  why the chosen files are not sufficient */
    async function start(why) {
        const doc = app.selected?.doc ?? 0, edited = app.documents[doc]?.edited, input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (el(`input#merge-${id}`, { type: 'file', multiple: true })), theirs = input('theirs'), base = input('base');
        const answer = await ask(`Merge another version into ${app.nameOf(doc)}`, [el('p', {}, 'The open level is yours. Theirs is the other version, and the base is the version that both started from.'), why ? el('p.diagnosis', { role: 'alert' }, why) : null,
            el('p', {}, el('label', { for: 'merge-theirs' }, 'Theirs '), theirs), el('p', {}, el('label', { for: 'merge-base' }, 'Base '), base), edited ? el('p.where', {}, 'The base defaults to the file as you opened it.') : null], { merge: 'Merge' });
        const [files, older] = [filesOf(theirs), filesOf(base)];
        if (!answer) return;
        if (!files.length) return start('Choose the other version.');
        if (!older.length && !edited) return start('Choose the base: the open level is unchanged, so the file as opened cannot be the base.');
        const names = { theirs: files[0]?.name ?? '', base: older[0]?.name ?? 'Base: as opened' };
        if (older.length) names.base = `Base: ${names.base}`;
        try {
            await begin(await app.ask('Merging', 'elsewhere', 'merge', doc, older.length ? older : null, files, `merge ${names.theirs}`), names);
        } catch (error) {
            edit.refuse(/** @type {Error} */ (error).message);
        }
    }

    view.overlays.push((context, at) => {
        if (!now) return;
        const points = now.conflicts.filter((one) => !one.resolved && one.now).map((one) => app.thingOf({ doc: now?.doc ?? 0, path: one.now })?.world);
        for (const world of [...points, spot]) {
            const point = world && at(/** @type {Vector} */ (world)), theme = view.theme();
            if (!point) continue;
            context.fillStyle = theme.warn ?? '';
            context.strokeStyle = theme.void ?? '';
            context.lineWidth = 2;
            context.beginPath();
            context.moveTo(point[0], point[1] - 11);
            context.lineTo(point[0] + 11, point[1] + 8);
            context.lineTo(point[0] - 11, point[1] + 8);
            context.closePath();
            context.fill();
            context.stroke();
            context.fillStyle = theme.void ?? '';
            context.font = 'bold 12px sans-serif';
            context.textAlign = 'center';
            context.fillText('!', point[0], point[1] + 6);
            context.textAlign = 'start';
        }
    });
    app.on('merging', (what) => {
        if (what) return;
        now = spot = null;
        app.conflicts = 0;
        view.draw();
    });
    app.on('open', () => app.emit('merging', null));
    return { element, focus: () => rows.element.focus(), begin, start };
}
