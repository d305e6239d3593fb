// SPDX-License-Identifier: MIT
/** A list of rows of one height, of which only the visible ones exist. */
import { el } from './dom.js';

let lists = 0;
/** Browsers do not scroll further than this. */
const tallest = 12e6;

export class Rows {
    #space = el('div.space');
    /** @type {Map<number, HTMLElement>} */ #shown = new Map();
    #count = 0;
    #height;
    #make;
    #name = `list-${++lists}`;
    /** The list's focused row. */ active = 0;

    /**
     * @param {{label: string, height?: number, role?: string, make: (index: number) => HTMLElement,
     *          key?: (event: KeyboardEvent, index: number) => boolean | void, act?: (index: number, event: Event) => void}} how
     */
    constructor({ label, height = 24, role = 'listbox', make, key, act }) {
        this.#height = height;
        this.#make = make;
        this.element = el('div.rows', { tabindex: 0, role, 'aria-label': label }, this.#space);
        this.element.addEventListener('scroll', () => this.draw(), { passive: true });
        new ResizeObserver(() => this.draw()).observe(this.element);
        this.element.addEventListener('keydown', (event) => this.#key(event, key, act));
        if (act)
            this.element.addEventListener('click', (event) => {
                const index = this.indexOf(event);
                if (index >= 0) act(index, event);
            });
    }

    /** The row of an event; -1 if none. @param {Event} event */
    indexOf(event) {
        const row = event.target instanceof Element ? event.target.closest('.row') : null;
        return row instanceof HTMLElement && this.element.contains(row) ? Number(row.dataset.index) : -1;
    }

    get count() {
        return this.#count;
    }

    /** Gives all rows another height. @param {number} height */
    resize(height) {
        this.#height = height;
        this.set(this.#count);
    }

    /** @param {KeyboardEvent} event @param {((event: KeyboardEvent, index: number) => boolean | void) | undefined} key @param {((index: number, event: Event) => void) | undefined} act */
    #key(event, key, act) {
        if (event.target !== this.element || event.altKey || (event.ctrlKey && event.key !== 'Home' && event.key !== 'End')) return;
        if (key?.(event, this.active)) return event.preventDefault();
        const page = Math.max(1, Math.floor(this.element.clientHeight / this.#height) - 1);
        const to = /** @type {Record<string, number>} */ ({ ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: this.#count - 1 })[event.key];
        if (to !== undefined) {
            event.preventDefault();
            this.active = Math.max(0, Math.min(this.#count - 1, to));
            this.reveal(this.active, true);
            this.draw(true);
            act?.(this.active, event);
        } else if ((event.key === 'Enter' || event.key === ' ') && act) {
            event.preventDefault();
            act(this.active, event);
        }
    }

    /** Scroll distance per row: less than a row's height if browsers could not scroll all rows. */
    get #step() {
        return Math.min(this.#height, tallest / Math.max(1, this.#count));
    }

    /** The first visible row. */
    get first() {
        return Math.floor(this.element.scrollTop / this.#step);
    }

    /** Sets the number of rows, and makes the visible ones again. @param {number} count */
    set(count) {
        this.#count = count;
        this.active = Math.max(0, Math.min(this.active, count - 1));
        this.#space.style.height = `${count * this.#step}px`;
        this.draw(true);
    }

    /** Scrolls to a row that is out of sight: to a third from the top, or just far enough to show it. @param {number} index @param {boolean} [just] */
    reveal(index, just = false) {
        const { clientHeight, scrollTop } = this.element, top = index * this.#step;
        if (top >= scrollTop && top + this.#height <= scrollTop + clientHeight) return;
        this.element.scrollTop = !just ? top - clientHeight / 3 : top < scrollTop ? top : top + this.#height - clientHeight;
    }

    /** @param {boolean} [all] also replace existing rows */
    draw(all = false) {
        const { clientHeight, scrollTop } = this.element, step = this.#step, first = Math.max(0, Math.floor(scrollTop / step) - 2);
        const last = clientHeight ? Math.min(this.#count, first + Math.ceil(clientHeight / this.#height) + 5) : 0;
        for (const [index, row] of this.#shown)
            if (all || index < first || index >= last) {
                row.remove();
                this.#shown.delete(index);
            }
        for (let index = first; index < last; index++) {
            if (this.#shown.has(index)) continue;
            const row = this.#make(index);
            row.classList.add('row');
            row.dataset.index = String(index);
            row.id ||= `${this.#name}-${index}`;
            row.style.top = `${first * step + (index - first) * this.#height}px`;
            row.style.height = `${this.#height}px`;
            this.#shown.set(index, row);
            this.#space.append(row);
        }
        this.element.setAttribute('aria-activedescendant', this.#shown.get(this.active)?.id ?? '');
    }
}
