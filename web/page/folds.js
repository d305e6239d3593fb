// SPDX-License-Identifier: MIT
/** Which columns of the page are open; what the user opens or closes is remembered. */
import { kept } from './dom.js';

/** The columns that are open by default. The others open when they are needed. @type {Record<string, boolean>} */
const usual = { left: true, map: true, right: false, dock: false };

export class Folds {
    /** @type {Map<string, HTMLElement[]>} */ #buttons = new Map();
    #frame;
    #changed;

    /** @param {HTMLElement} frame  has a data attribute for each column @param {(name: string, open: boolean) => void} changed */
    constructor(frame, changed) {
        this.#frame = frame;
        this.#changed = changed;
        for (const name of Object.keys(usual)) this.#apply(name, this.#said(name) ?? usual[name] ?? true);
    }

    /** The user's choice for a column. @param {string} name */
    #said(name) {
        const value = kept(`fold-${name}`);
        return value ? value === 'open' : undefined;
    }

    /** @param {string} name @param {boolean} open */
    #apply(name, open) {
        this.#frame.dataset[name] = open ? 'open' : 'closed';
        for (const button of this.#buttons.get(name) ?? []) button.setAttribute('aria-expanded', String(open));
    }

    /** @param {string} name */
    isOpen(name) {
        return this.#frame.dataset[name] === 'open';
    }

    /** Opens or closes a column, and remembers the choice. @param {string} name @param {boolean} open */
    set(name, open) {
        kept(`fold-${name}`, open ? 'open' : 'closed');
        if (open !== this.isOpen(name)) this.#turn(name, open);
    }

    /** @param {string} name @param {boolean} open */
    #turn(name, open) {
        this.#apply(name, open);
        this.#changed(name, open);
        // If there is room for only one of them, the other closes.
        const other = { left: 'right', right: 'left' }[name];
        if (!other || !matchMedia('(min-width: 768px) and (max-width: 1023px)').matches) return;
        const on = !open && other === 'left' && this.#said(other) !== false;
        if (on === this.isOpen(other)) return;
        this.#apply(other, on);
        this.#changed(other, on);
    }

    /** @param {string} name */
    flip(name) {
        this.set(name, !this.isOpen(name));
    }

    /** Opens a column for now, unless the user has closed it. @param {string} name */
    suggest(name) {
        if (this.isOpen(name) || this.#said(name) === false) return;
        this.#turn(name, true);
    }

    /** Buttons that show whether their columns are open. @param {[string, HTMLElement][]} all @returns {HTMLElement[]} */
    buttons(all) {
        return all.map(([name, button]) => {
            this.#buttons.set(name, [...(this.#buttons.get(name) ?? []), button]);
            this.#apply(name, this.isOpen(name));
            return button;
        });
    }
}
