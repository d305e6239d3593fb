// SPDX-License-Identifier: MIT
/** Choosing one of many from a list: the possible names of a number, or the elements that it can refer to. */
import { byId, count, el } from './dom.js';
import { Rows } from './rows.js';

/** @typedef {{value: unknown, name: string, words?: string}} Choice */

/** @type {HTMLElement | null} */ let opened = null;

/** Closes the list, if there is one. */
export function closePicker() {
    opened?.remove();
    opened = null;
}

/**
 * Shows a list below a button; typing filters it. Enter or a click takes an entry, Esc takes none.
 * @param {HTMLElement} button
 * @param {{label: string, choices: Choice[], current: unknown, take: (choice: Choice) => unknown, more?: (Node | null)[]}} how
 */
export function openPicker(button, { label, choices, current, take, more = [] }) {
    closePicker();
    let shown = choices;
    const input = /** @type {HTMLInputElement} */ (el('input', { type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-autocomplete': 'list', 'aria-label': `${label}: type to find`, placeholder: 'Type to find', spellcheck: 'false', autocomplete: 'off' }));
    const found = el('span.found', { role: 'status' });
    const rows = new Rows({ label, role: 'listbox', height: 28, make, act: (index, event) => (event.type === 'click' || /** @type {KeyboardEvent} */ (event).key === 'Enter') && choose(index) });
    rows.element.id = 'picker-list';
    rows.element.tabIndex = -1;
    input.setAttribute('aria-controls', 'picker-list');
    const box = el('div.menu.picker', { role: 'dialog', 'aria-label': label }, el('div.picker-top', {}, input, found), rows.element, ...more.map((one) => one && el('div.picker-more', {}, one)));

    /** @param {number} index */
    function make(index) {
        const one = shown[index], on = index === rows.active;
        if (!one) return el('div');
        const made = el('div', { role: 'option', 'aria-selected': String(on), title: one.words }, el('span.key', {}, one.name), one.words ? el('span.value', {}, one.words) : null);
        if (on) made.classList.add('cursor');
        if (one.value === current) made.append(el('span.mark', { title: 'now' }, '•'));
        return made;
    }
    /** @param {number} index */
    function choose(index) {
        const one = shown[index];
        if (!one) return;
        end();
        take(one);
    }
    function end() {
        closePicker();
        button.focus();
    }
    /** @param {number} to */
    function move(to) {
        rows.active = Math.max(0, Math.min(shown.length - 1, to));
        rows.reveal(rows.active, true);
        rows.draw(true);
        input.setAttribute('aria-activedescendant', rows.element.getAttribute('aria-activedescendant') ?? '');
    }
    function filter() {
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        shown = choices.filter(({ name, words: more = '' }) => words.every((word) => name.toLowerCase().includes(word) || more.toLowerCase().includes(word)));
        found.textContent = shown.length === choices.length ? count(shown.length) : `${count(shown.length)} of ${count(choices.length)}`;
        rows.set(shown.length);
        move(Math.max(0, shown.findIndex(({ value }) => value === current)));
    }
    input.addEventListener('input', filter);
    box.addEventListener('keydown', (event) => {
        const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
        if (event.key === 'Escape') end();
        else if (event.key === 'Enter' && event.target === input) choose(rows.active);
        else if (by && event.target === input) move(rows.active + by);
        else return event.stopPropagation();
        event.preventDefault();
        event.stopPropagation();
    });
    byId('floats').append(box);
    opened = box;
    const at = button.getBoundingClientRect();
    rows.element.style.height = `${Math.min(320, Math.max(56, 28 * choices.length))}px`;
    box.style.left = `${Math.max(4, Math.min(innerWidth - box.offsetWidth - 4, at.right - box.offsetWidth))}px`;
    box.style.top = `${Math.max(4, Math.min(innerHeight - box.offsetHeight - 4, at.bottom + 2))}px`;
    filter();
    input.focus();
}

// A press elsewhere closes the list.
globalThis.addEventListener?.('pointerdown', (event) => opened && !opened.contains(/** @type {Node} */ (event.target)) && closePicker(), true);
