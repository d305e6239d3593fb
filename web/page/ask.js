// SPDX-License-Identifier: MIT
/** Modal questions. */
import { byId, el } from './dom.js';

/**
 * Asks, and waits for the answer: the name of a choice, or '' for none. The first choice is the default.
 * @param {string} title @param {(Node | null)[]} text @param {Record<string, string>} choices  the labels of their buttons, by their names @param {string} [none]  the label of the button for none of them
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
