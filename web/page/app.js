// SPDX-License-Identifier: MIT
/** The open level and the selection, for all panes; events announce changes. */
import { Library } from './library.js';
import { byId, isWithin, parentPath } from './dom.js';

/** @typedef {{doc: number, path: string}} Where  a value: its document's number, and its path */
/** @typedef {import('../mapstone.js').Row & {mixed?: boolean, means?: string}} Row  `mixed`: several elements are shown whose values differ; `means`: the type of a value that has a name */
/** @typedef {import('../mapstone.js').Entity & {doc: number}} Entity */
/** @typedef {import('../mapstone.js').Finding & {doc: number}} Finding */
/** @typedef {Entity & {class: number}} Thing  an entity; `class` is an index into `classes` */
/** @typedef {{name: string, count: number, color: number, shape: number, hidden: boolean}} ThingClass */
/** @typedef {import('../mapstone.js').Document['information']} Information */

/** Milliseconds after the last edit until findings and changes are listed. */
const patience = 150;

/** @param {Where | null} a @param {Where | null} b */
export const same = (a, b) => a === b || (a !== null && b !== null && a.doc === b.doc && a.path === b.path);

/**
 * The events, with what they tell.
 * @typedef {object} Events
 * @property {void} open  a level has opened, in place of the previous one
 * @property {void} closed  it has closed
 * @property {void} documents  further files of it are open
 * @property {{scene: any, error?: any, again?: boolean, older?: boolean}} scene  its surfaces: `again` after an edit; `older`: of the level that it is compared with
 * @property {any} look  its light, and the part of it to be framed
 * @property {void} things
 * @property {void} findings
 * @property {void} edited  values have changed
 * @property {void} settled  all results of the last edit are shown
 * @property {void} changes  its differences from the file have changed
 * @property {Selecting} select  something else is selected
 * @property {{from: string}} hover  the pointer is on something else
 * @property {string} pick  the user is asked to choose something; '' if no more
 * @property {{row: Row, where: Where}} shown  the inspector shows a value
 * @property {boolean} placed  whether the selection has a place in the level
 * @property {{layers: Set<string>, groups: Set<number>}} show  what is hidden
 * @property {any[]} groups  the layers of its surfaces
 * @property {boolean} unseen  whether what players do not see is shown
 * @property {number} cut  the height of the cut
 * @property {number} colours  the way to colour surfaces
 * @property {void} camera  the view was drawn
 * @property {void} framed  the camera shows the whole level
 * @property {void} address  the address should follow
 * @property {void} theme
 * @property {void} folded  panes were opened or closed
 * @property {boolean} expanded  whether the map is in the middle
 * @property {boolean} pictures  whether the level has images
 * @property {any} merging  the running merge, or null
 * @property {import('./changes.js').Row} show-removed  the place of a removed element is wanted
 * @property {{blob: Blob, name: string}} download
 * @property {'move' | 'rotate'} gizmo
 * @property {number} offset  a byte is wanted
 * @property {string} to-pane
 * @property {string} open-level  another file of the same set
 * @property {At} menu
 * @property {At} forms
 * @property {Where | null} change-value
 * @property {void} add-folder
 * @property {void} close
 * @property {void} compare
 * @property {void} copy
 * @property {void} duplicate
 * @property {void} expand
 * @property {void} flip-contrast
 * @property {void} flip-theme
 * @property {void} frame
 * @property {void} hide
 * @property {void} keys
 * @property {void} merge
 * @property {void} paste
 * @property {void} redo
 * @property {void} remove
 * @property {void} save
 * @property {void} save-patch
 * @property {void} show-all
 * @property {void} undo
 */
/** @typedef {{element?: Element | null, x?: number, y?: number}} At  where a menu opens: at an element, or at a point of the window */
/** @typedef {{from: string, jump: boolean, fly: boolean}} Selecting  the pane that has selected; whether the browser's history gets an entry; whether the view flies there */

export class App {
    library = new Library();
    /** @type {Information[]} */ documents = [];
    /** @type {{name: string, id: string, title: string, size: number}[]} */ known = [];
    /** @type {import('./worker.js').Given[]} */ files = [];
    /** The options that they were opened with. @type {import('./worker.js').Options} */ options = {};
    /** The names of two files that are compared. @type {{old: string, now: string} | null} */ compared = null;
    /** @type {import('../mapstone.js').Finding[]} */ warnings = [];
    /** @type {Thing[]} */ things = [];
    /** @type {ThingClass[]} */ classes = [];
    /** @type {Finding[] | null} */ findings = null;
    /** @type {Where | null} */ selected = null;
    /** The other selected values, if several are selected. @type {Where[]} */ others = [];
    /** @type {Where | null} */ hovered = null;
    /** The number of unresolved conflicts of a merge. */ conflicts = 0;
    /** Layers whose things cannot be clicked or moved. @type {Set<string>} */ locked = new Set();
    /** @type {Map<string, Set<(detail: any) => void>>} */ #listeners = new Map();
    /** @type {Map<string, Thing>} */ #thingAt = new Map();
    /** @type {Map<string, Promise<{row: Row, rows: Row[]}>>} */ #rows = new Map();
    #work = 0;

    /** @template {keyof Events} Name @param {Name | Name[]} names @param {(detail: Events[Name]) => void} act */
    on(names, act) {
        for (const name of [names].flat()) {
            if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
            this.#listeners.get(name)?.add(act);
        }
    }

    /** @template {keyof Events} Name @param {Name} name @param {Events[Name] extends void ? [] : [detail: Events[Name]]} detail */
    emit(name, ...[detail]) {
        for (const act of this.#listeners.get(name) ?? []) act(detail);
    }

    /**
     * Calls the worker, and shows a note if the call takes long.
     * @param {string} work  the note in the status line
     * @param {string} method @param {...any} given
     */
    async ask(work, method, ...given) {
        const number = ++this.#work, status = byId('status-work');
        const timer = setTimeout(() => number === this.#work && (status.textContent = `${work}…`), 200);
        try {
            return await this.library.call(method, ...given);
        } finally {
            clearTimeout(timer);
            if (number === this.#work || !this.library.pending) status.textContent = '';
        }
    }

    /**
     * Shows the level that the worker has opened, in place of the previous one.
     * @param {import('./worker.js').Given[]} given @param {any} opened  the worker's answer @param {import('./worker.js').Options} options
     */
    async show(given, { documents, warnings, known, compared = null, files }, options) {
        const meant = new Set(files);
        await this.library.call('take');
        this.#set({ documents, warnings, known, compared, options, files: given.filter(({ name }) => meant.has(name)) });
        this.emit('open');
    }

    /** Closes the level. */
    async close() {
        this.#set({});
        this.emit('closed');
        await this.library.call('close');
    }

    /** @param {Partial<App>} what  the members that describe the new level */
    #set(what) {
        Object.assign(this, { documents: [], warnings: [], known: [], compared: null, files: [], options: {}, things: [], classes: [], findings: null, selected: null, others: [], hovered: null, ...what });
        this.#thingAt.clear();
        this.#rows.clear();
        this.#edits++;
        clearTimeout(this.#waiting);
        this.settled = true;
    }

    /** Loads everything that the panes show of a level. */
    async load() {
        await this.loadScene();
        await this.loadThings();
        await this.loadFindings();
    }

    /** After an edit, updates the panes and the picture at once; the rest follows when there has been no edit for a moment. */
    async refresh() {
        const mine = ++this.#edits;
        this.#rows.clear();
        clearTimeout(this.#waiting);
        this.settled = false;
        // Both are requested at once. The panes need the things; the surfaces may arrive later.
        const things = this.loadThings(), scene = this.loadScene(true);
        await things;
        if (mine === this.#edits) this.emit('edited');
        await scene;
        if (mine !== this.#edits) return;
        this.#waiting = window.setTimeout(() => this.#follow(mine), patience);
    }
    /** The number of edits so far, and the timer for the work after a pause. */ #edits = 0;
    #waiting = 0;
    /** Whether all results of edits are shown. */ settled = true;
    /** Further work after edits, in addition to the light and the findings. @type {(() => Promise<void>)[]} */ afterwards = [];

    /** Updates what depends on edits, in order, until there is another edit. @param {number} mine */
    async #follow(mine) {
        for (const act of [() => this.#loadLook(), () => this.loadFindings(), ...this.afterwards]) {
            if (mine !== this.#edits) return;
            await act();
        }
        if (mine !== this.#edits) return;
        this.settled = true;
        this.emit('settled');
    }
    async #loadLook() {
        const look = await this.library.call('look').catch(() => null);
        if (look) this.emit('look', look);
    }

    async loadScene(again = false) {
        try {
            this.emit('scene', { scene: await this.ask(again ? 'Drawing' : 'Making the picture', 'scene', { again }), again });
        } catch (error) {
            this.emit('scene', { scene: null, error, again });
        }
    }

    async loadThings() {
        /** @type {Entity[]} */ let entities = [];
        try {
            entities = (await this.ask('Listing things', 'entities')).filter((/** @type {Entity} */ one) => one.doc >= 0);
        } catch {
            // a format without a scene
        }
        const counts = new Map();
        for (const { className } of entities) counts.set(className, (counts.get(className) ?? 0) + 1);
        const hidden = new Set(this.classes.filter((one) => one.hidden).map((one) => one.name));
        const colors = document.documentElement.classList.contains('light') ? 5 : 7;
        this.classes = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name, count], index) => ({
            name, count, hidden: hidden.has(name),
            color: index < 9 * colors ? index % colors : 7,
            // a dot for a class of more than half of all things, and once all pairs of colour and shape are used
            shape: count > entities.length / 2 && entities.length > 20 ? 9 : index < 9 * colors ? index % 9 : 9,
        }));
        const classOf = new Map(this.classes.map((one, index) => [one.name, index]));
        await this.#syncDocuments(Math.max(0, ...entities.map((one) => one.doc)));
        this.things = entities.map((one) => ({ ...one, class: classOf.get(one.className) ?? 0 }));
        this.#thingAt = new Map(this.things.map((one) => [`${one.doc}|${one.path}`, one]));
        this.#holders = new Set();
        for (const { doc, path } of this.things)
            for (let up = parentPath(path); up; up = parentPath(up)) {
                const around = up.endsWith(']') ? undefined : this.#thingAt.get(`${doc}|${up}`);
                if (around) this.#holders.add(around);
            }
        this.emit('things');
    }

    /** Fetches the documents that the worker has opened in the meantime. @param {number} doc  a document that must exist */
    async #syncDocuments(doc) {
        if (doc < this.documents.length) return;
        this.documents = await this.library.call('documents');
        this.emit('documents');
    }

    /** The number of a file's document, which is opened if necessary; -1 if there is none. @param {string} name @returns {Promise<number>} */
    async documentOf(name) {
        const doc = await this.library.call('documentOf', name);
        await this.#syncDocuments(doc);
        return doc;
    }

    /** The value that a triangle represents, and its layer. @param {number} triangle @returns {Promise<(Where & {layer: string, role: string}) | null>} */
    async origin(triangle) {
        const where = await this.library.call('origin', triangle);
        if (!where || where.doc < 0) return null;
        await this.#syncDocuments(where.doc);
        return where;
    }

    async loadFindings() {
        try {
            this.findings = await this.ask('Checking', 'check');
        } catch {
            this.findings = [];
        }
        this.emit('findings');
    }

    /** The thing that a value belongs to: the value itself or its nearest enclosing value that is a thing. @param {Where | null} where @returns {Thing | undefined} */
    thingOf(where) {
        for (let path = where?.path ?? ''; where && path; path = parentPath(path)) {
            const found = this.#thingAt.get(`${where.doc}|${path}`);
            if (found && (path === where.path || !this.holdsOthers(found))) return found;
        }
        return undefined;
    }

    /** Whether a thing is a record that contains the level's other things, such as one with the players' start position: its contents are not part of the thing. @param {Thing} thing */
    holdsOthers(thing) {
        return this.#holders.has(thing);
    }
    /** @type {Set<Thing>} */ #holders = new Set();

    /** The list element that is, or contains, a value. @param {Where} where @returns {Where | null} */
    elementOf(where) {
        let path = this.thingOf(where)?.path ?? where.path;
        while (path && !path.endsWith(']')) path = parentPath(path);
        return path ? { doc: where.doc, path } : null;
    }

    /**
     * Rows of the outline, cached until something changes.
     * @param {Where} where @param {number} [first] @param {number} [count]
     * @returns {Promise<{row: Row, rows: Row[]}>}
     */
    rows(where, first = 0, count = 200) {
        const key = `${where.doc}|${where.path}|${first}|${count}`;
        let found = this.#rows.get(key);
        if (!found) {
            found = /** @type {Promise<any>} */ (this.library.call('tree', where, first, count));
            found.catch(() => this.#rows.delete(key));
            if (this.#rows.size > 2000) this.#rows.clear();
            this.#rows.set(key, found);
        }
        return found;
    }

    /**
     * Selects a value in all panes. `jump`: add an entry to the browser's history.
     * @param {Where | null} where
     * @param {{from?: string, jump?: boolean, fly?: boolean, add?: boolean}} [how]
     */
    select(where, { from = '', jump = false, fly = false, add = false } = {}) {
        if (this.#picking) return void this.#endPick(where);
        if (add && where && this.selected) {
            const known = this.others.findIndex((one) => same(one, where));
            if (known >= 0) this.others.splice(known, 1);
            else if (!same(where, this.selected)) {
                this.others.push(this.selected);
                this.selected = where;
            }
        } else {
            this.selected = where;
            this.others = [];
        }
        this.emit('select', { from, jump, fly });
    }

    /** The choice that the user is asked for, and its receiver. @type {{what: string, take: (where: Where) => string} | null} */ #picking = null;

    /** Asks the user to choose a value in any pane. @param {string} what @param {(where: Where) => string} take  returns the reason for refusing it, or '' */
    pick(what, take) {
        this.#picking = { what, take };
        this.emit('pick', `Choose ${what}: click one. Esc ends this.`);
    }

    /** Stops waiting for a choice, unless the chosen value is refused. @param {Where | null} where */
    #endPick(where) {
        const waiting = this.#picking;
        this.#picking = null;
        const why = (where && waiting?.take(where)) || '';
        if (why) this.#picking = waiting;
        this.emit('pick', why && `${why} Choose ${waiting?.what}. Esc ends this.`);
    }

    /** Stops waiting for a choice; returns whether there was one to wait for. */
    cancelPick() {
        const waited = this.#picking !== null;
        if (waited) this.#endPick(null);
        return waited;
    }

    /** All selected values. */
    get selection() {
        return this.selected ? [...this.others, this.selected] : [];
    }

    /** @param {Where | null} where @param {string} from */
    hover(where, from) {
        if (same(where, this.hovered)) return;
        this.hovered = where;
        this.emit('hover', { from });
    }

    /** The findings about a value or its contents. @param {Where} where */
    findingsOf({ doc, path }) {
        return (this.findings ?? []).filter((one) => one.doc === doc && isWithin(one.path, path));
    }

    /** Sets a value; returns the reason if it is refused. @param {Where} where @param {unknown} value @returns {Promise<string>} */
    async set({ doc, path }, value) {
        return this.edit(doc, [{ op: 'set', path, new: value }], { label: `${path} = ${typeof value === 'string' ? value : JSON.stringify(value)}` });
    }

    /** Applies operations as one step; returns the reason if they are refused. Set by edit.js. @type {(doc: number, operations: (string | Record<string, unknown>)[], options?: {label?: string, cascade?: boolean, force?: boolean, also?: {doc: number, operations: string[]}[]}) => Promise<string>} */
    edit = async () => 'Nothing is open.';

    /** The value in the file, if it has changed since. @type {((where: Where) => string | undefined) | undefined} */ was;
    /** Restores the value in the file. @type {((where: Where) => void) | undefined} */ putBack;

    /** The name of a document, without its folders. @param {number} doc */
    nameOf(doc) {
        return (this.documents[doc]?.name ?? '').split('/').at(-1) ?? '';
    }

    /** Announces a text to screen readers. @param {string} text */
    say(text) {
        byId('live').textContent = text;
    }
}
