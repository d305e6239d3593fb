// SPDX-License-Identifier: MIT
/** Opens files, one opening after the other. The state is in the attribute `data-session` of the page, and on the start page. */
import { ask } from './ask.js';
import { byId, el, kept, size, some } from './dom.js';
import { isServed } from './opened.js';
import { sampleBytes, samples } from './samples.js';

/** @typedef {import('./worker.js').Given} Given */
/** @typedef {import('./worker.js').Options} Options */
/** @typedef {import('./drafts.js').Draft} Draft */
/** @typedef {'closed' | 'opening' | 'open' | 'refused'} State  while files are opening, and after they were refused, a level may still be open */

export class Session {
    #app;
    #edit;
    #merging;
    /** The last opening; resolves to whether the files opened. */ #last = Promise.resolve(true);

    /**
     * @param {import('./app.js').App} app
     * @param {ReturnType<typeof import('./edit.js').makeEdit>} edit @param {Parameters<typeof import('./import.js').importModel>[2]} merging
     */
    constructor(app, edit, merging) {
        this.#app = app;
        this.#edit = edit;
        this.#merging = merging;
        app.on('open', () => this.#enter('open'));
    }

    /** Enters a state, with what the start page shows of it. @param {State} state @param {...Node} shown */
    #enter(state, ...shown) {
        document.body.dataset.session = state;
        byId('app').inert = state === 'opening';
        byId('app').hidden = !this.#app.documents.length;
        byId('start').hidden = this.#app.documents.length > 0;
        byId('zone-state').replaceChildren(...shown);
    }

    /** Opens files after the previous ones; resolves to whether they opened. @param {Given[]} files @param {Options} [options] @param {Draft} [draft]  their stored changes */
    open(files, options = {}, draft = undefined) {
        return (this.#last = this.#last.then(() => this.#openNow(files, options, draft)));
    }

    /** Opens files; the open level stays until they are open, and its changes are saved or discarded. @param {Given[]} files @param {Options} options @param {Draft} [draft] @returns {Promise<boolean>} */
    async #openNow(files, options, draft) {
        if (!files.length) return false;
        const app = this.#app, edit = this.#edit;
        const [one, two] = files, models = options.plain ? [] : files.filter(({ name }) => /\.(glb|gltf)$/i.test(name)), [model] = models;
        if (model && models.length === 1) {
            const { importModel, whole } = await import('./import.js'), { given, rest } = await whole(model, files);
            if (rest.length === (app.documents.length ? 0 : 1)) return (!rest.length || (await this.#openNow(rest, options))) && importModel(app, edit, this.#merging, given);
        }
        if (files.length === 2 && one && two && one.name === two.name) files = [{ ...one, name: `A/${one.name}` }, { ...two, name: `B/${two.name}` }];
        this.#enter('opening', ...this.#progress(files));
        try {
            const opened = await app.ask('Opening', 'open', files, options);
            if (await edit.mayLose((options.level ?? options.named ?? files[0]?.name ?? '').split('/').at(-1))) await app.show(files, opened, options);
            else {
                await app.library.call('drop');
                this.#enter(app.documents.length ? 'open' : 'closed');
                return false;
            }
        } catch (error) {
            await this.refuse(files, /** @type {any} */ (error), options);
            return false;
        }
        await app.load();
        if (draft) return edit.restore(draft.steps, draft.position);
        if (kept('drafts') && !isServed()) await (await import('./drafts.js')).bringBack(app.files, edit.restore);
        return true;
    }

    /** What the start page shows while files are opening. @param {Given[]} files */
    #progress(files) {
        const whole = size(files.reduce((sum, { file }) => sum + (file instanceof Uint8Array ? file.length : file.size), 0));
        return [el('p', {}, files.length === 1 ? `Opening ${files[0]?.name}, ${whole}` : `Opening ${some(files.length, 'file')}, ${whole}`), el('div.bar', { role: 'progressbar', 'aria-label': 'Opening' }, el('i')),
            el('button', { type: 'button', onclick: () => this.#app.library.restart() }, 'Cancel')];
    }

    /** Shows why files do not open, and what can be done. @param {Given[]} files @param {import('./library.js').Refusal} why @param {Options} options */
    async refuse(files, why, options) {
        this.#enter('refused');
        const { name, shown, ways } = await (await import('./refusal.js')).refusalOf(files, why, options);
        if (!this.#app.documents.length) return this.#enter('refused', el('p.data', {}, name), ...shown, el('div.ways', {}, ...Object.values(ways).map((way) => el('button', { type: 'button', onclick: () => this.open(way.files, way.options) }, way.label))));
        const way = ways[await ask(`${name} does not open`, shown, Object.fromEntries(Object.entries(ways).map(([key, { label }]) => [key, label])), 'Close')];
        this.#enter('open');
        if (way) await this.#openNow(way.files, way.options);
    }

    /** @param {string} id */
    async openSample(id) {
        const sample = samples.find((one) => one.id === id);
        if (!sample) throw new Error(`The sample ${id} does not exist.`);
        const files = await Promise.all(sample.files.map(async (name) => ({ name, file: await sampleBytes(name) })));
        await this.open(files, { level: sample.level, map: sample.map, sample: id });
    }

    /** Closes the level, if its changes are saved or discarded. */
    async close() {
        if (!(await this.#edit.mayLose())) return;
        const closing = this.#app.close();
        this.#enter('closed');
        document.title = 'mapstone';
        await closing;
    }
}
