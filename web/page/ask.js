// SPDX-License-Identifier: MIT
/** Questions that have to be answered before anything else is done. */
import { byId, el } from './dom.js';

/**
 * Asks, and waits for the answer: the name of a choice, or '' of none of them. The first choice is the usual one.
 * @param {string} title @param {(Node | null)[]} text @param {Record<string, string>} choices  what their buttons say, by their names @param {string} [none]  what the button for none of them says
 * @returns {Promise<string>}
 */
export function ask(title, text, choices, none = 'Cancel') {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    return new Promise((resolve) => {
        const buttons = [...Object.entries(choices), ['', none]].map(([name = '', says = '']) => el('button', { type: 'button', 'data-answer': name, onclick: () => end(name) }, says));
        buttons[0]?.classList.add('primary');
        const dialog = /** @type {HTMLDialogElement} */ (el('dialog', { 'aria-label': title }, el('h2', {}, title), ...text, el('p.zone-buttons', {}, ...buttons)));
        /** @param {string} answer */
        const end = (answer) => {
            dialog.remove();
            before?.focus();
            resolve(answer);
        };
        dialog.addEventListener('cancel', () => end(''));
        byId('floats').append(dialog);
        dialog.showModal();
    });
}
