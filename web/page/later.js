// SPDX-License-Identifier: MIT
/** Parts of the page that are loaded when they are first needed. */
import { el } from './dom.js';

/** Runs a function once, and returns the same result from then on. @template T @param {() => Promise<T>} act @returns {() => Promise<T>} */
export function once(act) {
    /** @type {Promise<T> | undefined} */ let done;
    return () => (done ??= act());
}

/** A pane whose code is loaded when it is shown. @param {() => Promise<{element: HTMLElement, focus: () => void}>} load */
export function laterPane(load) {
    const element = el('div.column'), loaded = once(async () => {
        const made = await load();
        element.replaceChildren(made.element);
        return made;
    });
    return { element, load: loaded, focus: () => void loaded().then((made) => made.focus()) };
}
