// SPDX-License-Identifier: MIT
/** Symbols of classes: a colour and a shape, the same in all panes. */

const space = 'http://www.w3.org/2000/svg';

/** The shapes on a field of -8..8, in the order of the renderer. */
export const shapes = [
    'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z', 'M-5 -5h10v10h-10z', 'M0 -6.5L6.5 0L0 6.5L-6.5 0z', 'M0 -6L6.5 5H-6.5z', 'M0 6L6.5 -5H-6.5z',
    'M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z', 'M-3 -5.2h6l3 5.2l-3 5.2h-6l-3 -5.2z', 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0zM-2.5 0a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1 -5 0z',
    'M-6 -3.5L-3.5 -6L0 -2.5L3.5 -6L6 -3.5L2.5 0L6 3.5L3.5 6L0 2.5L-3.5 6L-6 3.5L-2.5 0z', 'M-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z',
];

/** The colour of a class's symbol. @param {number} color */
export const colorOf = (color) => (color > 6 ? 'var(--text-3)' : `var(--c${color})`);

/** @param {import('./app.js').App} app @param {number} index the class */
export function symbolOf(app, index) {
    const one = app.classes[index], svg = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
    svg.setAttribute('class', 'symbol');
    svg.setAttribute('viewBox', '-8 -8 16 16');
    svg.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', shapes[one?.shape ?? 9] ?? '');
    path.style.fill = colorOf(one?.color ?? 7);
    path.setAttribute('fill-rule', 'evenodd');
    svg.append(path);
    return svg;
}
