// SPDX-License-Identifier: MIT
/** Making elements, icons, and words for numbers and paths. */

/**
 * An element: el('button.plain', {type: 'button', onclick}, 'text', child). The name contains class and id; among the
 * properties, functions are listeners, true sets an attribute, and false and undefined omit it.
 * @param {string} name
 * @param {Record<string, any> | Node | string | null} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function el(name, properties, ...children) {
    const [, tag = 'div', id, classes = ''] = /^([a-z0-9]*)(?:#([\w-]+))?((?:\.[\w-]+)*)$/.exec(name) ?? [];
    const made = document.createElement(tag || 'div');
    if (id) made.id = id;
    if (classes) made.className = classes.slice(1).replaceAll('.', ' ');
    if (properties instanceof Node || typeof properties === 'string') children.unshift(properties);
    else
        for (const [key, value] of Object.entries(properties ?? {})) {
            if (typeof value === 'function') made.addEventListener(key.slice(2), value);
            else if (value === true) made.setAttribute(key, '');
            else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, String(value));
        }
    for (const child of children) if (child) made.append(child);
    return made;
}

/**
 * The element of the page with an id.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no #${id}`);
    return found;
}

const svgSpace = 'http://www.w3.org/2000/svg';

/**
 * An icon from the sheet in index.html.
 * @param {string} name
 */
export function icon(name) {
    const svg = document.createElementNS(svgSpace, 'svg'), use = document.createElementNS(svgSpace, 'use');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    use.setAttribute('href', `#i-${name}`);
    svg.append(use);
    return svg;
}

/**
 * A button that shows an icon, with its name and key as its tooltip.
 * @param {string} name @param {string} label @param {() => void} act @param {string} [key]
 */
export function iconButton(name, label, act, key) {
    const made = el('button.icon-button', { type: 'button', 'aria-label': label, title: key ? `${label} (${key})` : label, onclick: act });
    if (key) made.setAttribute('aria-keyshortcuts', key.replaceAll('Ctrl ', 'Control+').replaceAll(' ', '+'));
    made.append(icon(name));
    return made;
}

/** Text from the file, in a monospaced font. @param {string} text */
export const data = (text) => el('span.data', {}, text);

/** A sentence of the library; names in backquotes appear as text from the file. @param {string} text */
export const prose = (text) => text.split('`').map((part, index) => (index % 2 ? data(part) : part));

const grouped = new Intl.NumberFormat('en-GB');
/** 12,345 @param {number} number */
export const count = (number) => grouped.format(number);
/** "1 thing", "12 things" @param {number} number @param {string} one @param {string} [many] */
export const some = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
/** 0x7ef78 @param {number} offset */
export const hex = (offset) => `0x${offset.toString(16)}`;

/** "515 KB" @param {number} bytes */
export function size(bytes) {
    if (bytes < 1000) return some(bytes, 'byte');
    const [unit, power] = bytes < 1e6 ? ['KB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
    const number = bytes / Number(power);
    return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${unit}`;
}

/** A number in few characters. @param {number} number */
export const short = (number) => (Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(6))));

/**
 * The steps of a path: "a.b[3].c" is a, b, [3], c.
 * @param {string} path
 */
export const steps = (path) => path.match(/\[[^\]]*\]|[^.[]+|\./g)?.filter((one) => one !== '.') ?? [];

/** The path without its last step; "" for a single step. @param {string} path */
export function parentPath(path) {
    const end = path.endsWith(']') ? path.lastIndexOf('[') : path.lastIndexOf('.');
    return end > 0 ? path.slice(0, end) : '';
}

/** Whether `path` is `above` or below it. @param {string} path @param {string} above */
export const isWithin = (path, above) => path === above || above === '' || (path.startsWith(above) && '.[@'.includes(path[above.length] ?? ''));

/** The window of a phone, as in style.css. */
export const phone = '(max-width: 767px)';
export const isPhone = () => matchMedia(phone).matches;

/**
 * Calls at most once a frame.
 * @template {any[]} T
 * @param {(...given: T) => void} act
 * @returns {(...given: T) => void}
 */
export function eachFrame(act) {
    let waiting = 0;
    /** @type {T} */ let last;
    return (...given) => {
        last = given;
        if (waiting) return;
        waiting = requestAnimationFrame(() => {
            waiting = 0;
            act(...last);
        });
    };
}

/** Copies a text. @param {string} text */
export const copy = (text) => navigator.clipboard?.writeText(text).catch(() => undefined);

/** Reads or stores a setting in the browser. @param {string} name @param {string} [value] */
export function kept(name, value) {
    try {
        if (value !== undefined) localStorage.setItem(`mapstone.${name}`, value);
        return localStorage.getItem(`mapstone.${name}`);
    } catch {
        return null; // a page without storage
    }
}
