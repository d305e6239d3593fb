// SPDX-License-Identifier: MIT
/** Text and drawings over the view: names, counts, brackets, arrows. Uses the theme's colours. */

/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {Record<string, string>} Theme */
/** @typedef {[number, number]} Spot */
/** @typedef {[number, number, number, number]} Box  left, top, width, height */

/** Draws names next to a place, each on its own background: on its right, or on its left where they are cut off there. @param {Context} context @param {Theme} theme @param {Spot} at @param {[text: string, back: string, front: string][]} names */
export function chips(context, theme, at, names) {
    context.font = `12px ${theme.mono}`;
    context.textBaseline = 'middle';
    const widths = names.map(([text]) => context.measureText(text).width + 12), all = widths.reduce((sum, one) => sum + one, 0);
    let x = at[0] + 22 + all > context.canvas.clientWidth - 4 ? Math.max(4, at[0] - 22 - all) : at[0] + 22;
    for (const [index, [text, back, front]] of names.entries()) {
        const wide = widths[index] ?? 0;
        context.fillStyle = back;
        context.beginPath();
        context.roundRect(x, at[1] - 10, wide, 20, 3);
        context.fill();
        context.fillStyle = front;
        context.fillText(text, x + 6, at[1] + 0.5);
        x += wide;
    }
}

/** Draws lines twice: a dark casing, then the line itself. @param {Context} context @param {Path2D} path @param {[number, string][]} strokes */
function cased(context, path, strokes) {
    for (const [wide, ink] of strokes) {
        context.lineWidth = wide;
        context.strokeStyle = ink;
        context.stroke(path);
    }
}

/** @param {Context} context @param {Theme} theme @param {Spot} at @param {boolean} hovered */
export function brackets(context, theme, at, hovered) {
    const r = 14, c = 6, path = new Path2D();
    for (const [sx = 1, sy = 1] of [[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
        const x = at[0] + sx * r, y = at[1] + sy * r;
        path.moveTo(x - sx * c, y);
        path.lineTo(x, y);
        path.lineTo(x, y - sy * c);
    }
    context.setLineDash(hovered ? [2, 2] : []);
    cased(context, path, [[hovered ? 2 : 5, theme.void ?? ''], [hovered ? 1 : 2.5, theme.select ?? '']]);
    context.setLineDash([]);
}

/** @param {Context} context @param {Theme} theme @param {Spot | null} from @param {Spot | null} to @param {string} ink */
export function arrow(context, theme, from, to, ink) {
    if (!from || !to) return;
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]), tip = (/** @type {number} */ turn) => /** @type {Spot} */ ([to[0] - 10 * Math.cos(angle + turn), to[1] - 10 * Math.sin(angle + turn)]), path = new Path2D();
    path.moveTo(...from);
    path.lineTo(...to);
    path.moveTo(...tip(0.4));
    path.lineTo(...to);
    path.lineTo(...tip(-0.4));
    cased(context, path, [[4, theme.void ?? ''], [1.5, ink]]);
}

/** @param {Context} context @param {Theme} theme @param {string} text @param {Spot} at @param {string} ink */
export function outlined(context, theme, text, [x, y], ink) {
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = theme.void ?? '';
    context.strokeText(text, x, y);
    context.fillStyle = ink;
    context.fillText(text, x, y);
}

/**
 * Writes names, except where they would overlap others.
 * @param {Context} context @param {Theme} theme @param {{text: string, at: Spot, middle?: boolean}[]} names  the first ones win; `middle`: the name of a place, written over it @param {Box[]} taken @param {number} most
 */
export function labels(context, theme, names, taken, most) {
    context.textBaseline = 'middle';
    let written = 0;
    for (const { text, at, middle } of names) {
        if (written >= most) break;
        context.font = `${middle ? '600 12px' : '11px'} ${theme.mono}`;
        const wide = context.measureText(text).width, left = middle ? at[0] - wide / 2 : at[0] + 10;
        /** @type {Box} */ const box = [left - 2, at[1] - 8, wide + 4, 16];
        if (left < 4 || left + wide > context.canvas.clientWidth - 4 || taken.some((other) => box[0] < other[0] + other[2] && other[0] < box[0] + box[2] && box[1] < other[1] + other[3] && other[1] < box[1] + box[3])) continue;
        taken.push(box);
        written++;
        outlined(context, theme, text, [left, at[1]], theme[middle ? 'text' : 'text-2'] ?? '');
    }
}

/** Writes the number of things that a symbol represents. @param {Context} context @param {Theme} theme @param {import('./gather.js').Gathered[]} all @param {Box[]} taken  receives the boxes of symbols */
export function counts(context, theme, all, taken) {
    context.font = `600 10px ${theme.mono}`;
    context.textBaseline = 'middle';
    for (const { x, y, size, members } of all) {
        if (members.length > 1) outlined(context, theme, String(members.length), [x + size / 2 + 1, y - size / 2 + 1], theme.text ?? '');
        taken.push([x - size / 2, y - size / 2, size, size]);
    }
}
