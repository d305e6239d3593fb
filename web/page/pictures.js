// SPDX-License-Identifier: MIT
/** Images stored in a file, such as texture pages: all of them as thumbnails, one of them enlarged, its palette, and the byte of each pixel. */
import { count, data, el, hex, phone, some } from './dom.js';
import { addStyles } from './styles.js';

const styles = `
.pictures { display: grid; grid-template-columns: 250px minmax(0, 1fr); height: 100%; }
.pictures-list { overflow: auto; display: flex; flex-wrap: wrap; align-content: start; gap: 6px; padding: 8px; border-right: 1px solid var(--line); }
.pictures .small { width: 108px; min-height: 60px; padding: 5px; border: 1px solid transparent; border-radius: 6px; display: flex; flex-direction: column; align-items: center; overflow: hidden; font: 11px/16px var(--mono); cursor: pointer; }
.pictures .small[aria-selected=true] { border-color: var(--select); background: var(--select-fill); }
.pictures-bar { display: flex; gap: 12px; align-items: center; padding: 2px 12px; }
.pictures-area { flex: 1; overflow: auto; min-height: 0; padding: 8px; }
.pictures canvas { image-rendering: pixelated; background: repeating-conic-gradient(#777 0 25%, #999 0 50%) 0 0 / 16px 16px; }
@media ${phone} {
    .pictures { grid-template: 30% minmax(0, 1fr) / minmax(0, 1fr); }
    .pictures-list { border-right: 0; border-bottom: 1px solid var(--line); }
}`;

/** @typedef {{name: string, width: number, height: number, levels: number, palette: Uint8Array | null, pixels: Uint8Array, at: number}} Image  `at`: the offset of its pixels in the file if it has one byte for each; otherwise -1 */

/** The size of a thumbnail in pixels. */
const small = 96;

/** @param {Image} image */
function rgbaOf({ width, height, palette, pixels }) {
    const rgba = new Uint8ClampedArray(4 * width * height);
    if (!palette) rgba.set(pixels.subarray(0, rgba.length));
    else pixels.forEach((index, at) => rgba.set(palette.subarray(4 * index, 4 * index + 4), 4 * at));
    return rgba;
}
/** A colour as text. @param {ArrayLike<number>} rgba @param {number} at */
const colorOf = (rgba, at) => `#${[0, 1, 2].map((one) => (rgba[at + one] ?? 0).toString(16).padStart(2, '0')).join('')}${rgba[at + 3] === 255 ? '' : `, ${Math.round((rgba[at + 3] ?? 0) / 2.55)} % opaque`}`;

/** @param {import('./app.js').App} app */
export function makePictures(app) {
    addStyles(styles);
    const list = el('div.pictures-list', { role: 'listbox', 'aria-label': 'Pictures', tabindex: 0 }), canvas = /** @type {HTMLCanvasElement} */ (el('canvas', { role: 'img', tabindex: 0 }));
    const status = el('p.where.data', { role: 'status' }), palette = el('div.palette', { role: 'img' }), zoomed = /** @type {HTMLInputElement} */ (el('input', { type: 'range', min: 1, max: 16, step: 1, value: 2, 'aria-label': 'Zoom' })), levels = /** @type {HTMLSelectElement} */ (el('select', { 'aria-label': 'Mip level', hidden: true }));
    const area = el('div.pictures-area', { tabindex: 0, role: 'group', 'aria-label': 'Picture' }, canvas), element = el('div.pictures', {}, list, el('div.column', {}, el('div.pictures-bar', {}, levels, zoomed, status), area, palette));
    /** @type {{doc: number, index: number}[]} */ let all = [];
    /** @type {Image | null} */ let shown = null;
    let rgba = new Uint8ClampedArray(), chosen = 0, turn = 0;

    /** @param {HTMLCanvasElement} to @param {Image} image */
    function draw(to, image) {
        const pixels = rgbaOf(image);
        [to.width, to.height] = [image.width, image.height];
        if (image.width && image.height) to.getContext('2d')?.putImageData(new ImageData(pixels, image.width, image.height), 0, 0);
        return pixels;
    }
    const read = (/** @type {number} */ at, level = 0) => /** @type {Promise<Image>} */ (app.ask('Reading the picture', 'image', all[at]?.doc, all[at]?.index, level));

    // Thumbnails are made when they become visible.
    const seen = new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) {
            if (!isIntersecting) continue;
            seen.unobserve(target);
            const at = Number(/** @type {HTMLElement} */ (target).dataset.at);
            read(at).then((image) => {
                const thumb = /** @type {HTMLCanvasElement} */ (el('canvas'));
                draw(thumb, image);
                thumb.style.maxWidth = thumb.style.maxHeight = `${small}px`;
                target.replaceChildren(thumb, el('span', {}, image.name), el('small', {}, `${image.width} × ${image.height}`));
            }).catch((error) => target.append(el('small', {}, error.message)));
        }
    }, { root: list, rootMargin: '200px' });

    /** @param {number} at @param {number} [level]  of its mip levels */
    async function show(at, level = 0) {
        const mine = ++turn;
        chosen = at;
        for (const [index, one] of [...list.children].entries()) one.setAttribute('aria-selected', String(index === at));
        list.children[at]?.scrollIntoView({ block: 'nearest' });
        const image = await read(at, level).catch((error) => ((status.textContent = error.message), null));
        if (mine !== turn || !image) return;
        shown = image;
        levels.hidden = image.levels < 2;
        levels.replaceChildren(...Array.from({ length: image.levels }, (_, one) => el('option', { value: one, selected: one === level }, one ? `Level ${one}` : 'The image')));
        rgba = draw(canvas, image);
        canvas.setAttribute('aria-label', `${image.name}, ${image.width} by ${image.height} pixels`);
        const colors = (image.palette?.length ?? 0) / 4;
        palette.hidden = !colors;
        palette.setAttribute('aria-label', `Palette of ${some(colors, 'colour')}`);
        palette.replaceChildren(...Array.from({ length: colors }, (_, index) => {
            const made = el('i', { title: `${index}: ${colorOf(image.palette ?? [], 4 * index)}` });
            made.style.background = `rgb(${[...(image.palette ?? []).slice(4 * index, 4 * index + 3)].join(' ')} / ${(image.palette?.[4 * index + 3] ?? 255) / 255})`;
            return made;
        }));
        size();
        tell(null);
    }
    function size() {
        canvas.style.width = `${(shown?.width ?? 0) * Number(zoomed.value)}px`;
    }
    zoomed.addEventListener('input', size);
    levels.addEventListener('change', () => show(chosen, Number(levels.value)));

    /** The pixel under the pointer. @param {MouseEvent} event */
    function pixelOf({ offsetX, offsetY }) {
        if (!shown) return null;
        const x = Math.floor((offsetX * shown.width) / canvas.clientWidth), y = Math.floor((offsetY * shown.height) / canvas.clientHeight);
        return x < 0 || y < 0 || x >= shown.width || y >= shown.height ? null : { x, y, at: y * shown.width + x };
    }
    /** Describes a pixel. @param {{x: number, y: number, at: number} | null} pixel */
    function tell(pixel) {
        if (!shown) return;
        const { name, width, height, at } = shown, index = pixel && shown.palette ? shown.pixels[pixel.at] : undefined;
        status.replaceChildren(...(pixel ? [`${pixel.x}, ${pixel.y}: ${index === undefined ? '' : `${index}, `}${colorOf(rgba, 4 * pixel.at)}${at < 0 ? '' : `, byte ${hex(at + pixel.at)}: a click shows it`}`] : [data(name), ` ${count(width)} × ${count(height)}${shown.palette ? `, ${some(shown.palette.length / 4, 'colour')}` : ''}${at < 0 ? '' : ', one byte per pixel'}`]));
    }
    canvas.addEventListener('pointermove', (event) => tell(pixelOf(event)));
    canvas.addEventListener('pointerleave', () => tell(null));
    canvas.addEventListener('click', (event) => {
        const pixel = pixelOf(event);
        if (!pixel || !shown || shown.at < 0) return;
        app.emit('to-pane', 'bytes');
        app.emit('offset', shown.at + pixel.at);
    });
    list.addEventListener('click', (event) => {
        const one = event.target instanceof Element && /** @type {HTMLElement | null} */ (event.target.closest('[data-at]'));
        if (one) show(Number(one.dataset.at));
    });
    list.addEventListener('keydown', (event) => {
        const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        show(Math.max(0, Math.min(all.length - 1, chosen + by)));
    });

    function fill() {
        all = app.documents.flatMap(({ images }, doc) => Array.from({ length: images }, (_, index) => ({ doc, index })));
        seen.disconnect();
        shown = null;
        list.replaceChildren(...all.map(({ index }, at) => el('div.small', { role: 'option', 'data-at': at, 'aria-selected': 'false' }, el('span', {}, `[${index}]`))));
        for (const one of list.children) seen.observe(one);
        if (all.length) show(0);
    }
    app.on(['open', 'edited'], fill);
    fill();
    return { element, focus: () => list.focus() };
}
