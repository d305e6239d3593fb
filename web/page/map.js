// SPDX-License-Identifier: MIT
/** The level from above: the library's picture, with symbols, the selection, and the direction of the camera. */
import { byId, eachFrame, el, iconButton } from './dom.js';
import { gather } from './gather.js';
import { outlined } from './over.js';
import { layerOf } from './show.js';
import { shapes } from './symbols.js';

/** @typedef {import('./matrix.js').Vector} Vector */

/** A colour component on a light map: like paper, not like night. @param {number} part */
const paleOf = (part) => 255 - 0.55 * (255 - part);

/** @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view */
export function makeMap(app, view) {
    const place = byId('map');
    const canvas = /** @type {HTMLCanvasElement} */ (el('canvas', { tabindex: 0, role: 'img', 'aria-label': 'Map from above. The table lists its contents.' }));
    const area = el('div.map-area', {}, canvas);
    const swap = iconButton('swap', 'Map in the middle', () => app.emit('expand'), 'M M');
    place.append(el('div.pane-title', {}, 'From above', el('span.grow'), swap), area);
    /** @type {({picture: ImageBitmap} & import('../mapstone.js').PicturePlace) | null} */ let shown = null;
    /** Pan and zoom: the picture's pixel in the middle, and screen pixels per picture pixel. */
    let middle = [0, 0], zoom = 1;
    const paths = shapes.map((one) => new Path2D(one));
    let turn = 0, wanted = true;
    /** Functions that draw over the map. @type {((context: CanvasRenderingContext2D, at: (world: number[]) => [number, number]) => void)[]} */ const overlays = [];

    /** World coordinates as pixels of the screen. @param {number[]} world @returns {[number, number]} */
    function onMap([x = 0, y = 0, z = 0]) {
        const { left, top, scale, right, down } = shown ?? { left: 0, top: 0, scale: 1, right: [1, 0, 0], down: [0, 0, 1] };
        const along = (/** @type {number[]} */ [a = 0, b = 0, c = 0]) => a * x + b * y + c * z;
        return [((along(right) - left) * scale - (middle[0] ?? 0)) * zoom + canvas.clientWidth / 2, ((along(down) - top) * scale - (middle[1] ?? 0)) * zoom + canvas.clientHeight / 2];
    }

    const isLight = () => document.documentElement.classList.contains('light');
    /** Whether the map is pale. */ let pale = false;
    async function load() {
        pale = isLight();
        const mine = ++turn;
        wanted = false;
        const width = Math.min(2048, Math.max(640, Math.round(canvas.clientWidth * 2)));
        try {
            const { pixels, ...picture } = await app.ask('Drawing the map', 'picture', { view: 'above', width, noEntities: true, noLegend: true, noGrid: true, noLabels: true, transparent: true, cut: Number.isFinite(view.look.cut) ? view.look.cut : 0 });
            if (isLight()) for (let at = 0; at < pixels.length; at++) if (at % 4 < 3) pixels[at] = paleOf(pixels[at]);
            const bitmap = await createImageBitmap(new ImageData(pixels, picture.width, picture.height));
            if (mine !== turn) return bitmap.close();
            const first = !shown;
            shown?.picture.close();
            shown = { picture: bitmap, ...picture.place, scale: picture.place.scale || 1 };
            if (first) fit();
        } catch {
            shown = null;
        }
        draw();
    }

    function fit() {
        if (!shown || !canvas.clientWidth) return;
        middle = [shown.picture.width / 2, shown.picture.height / 2];
        zoom = Math.min(canvas.clientWidth / shown.picture.width, canvas.clientHeight / shown.picture.height);
    }

    /** The position and size of a thing's symbol. @param {number} index @returns {[number, number, number] | null} */
    function spot(index) {
        const thing = app.things[index], [x, y] = onMap(thing?.world ?? []);
        return x < -8 || y < -8 || x > canvas.clientWidth + 8 || y > canvas.clientHeight + 8 ? null : [x, y, Math.min(12, Math.max(8, (shown?.scale ?? 1) * zoom))];
    }

    const draw = eachFrame(() => {
        if (!canvas.clientWidth) return;
        if (wanted && app.documents.length && view.scene) load();
        const ratio = Math.min(2, devicePixelRatio || 1), wide = Math.round(canvas.clientWidth * ratio), high = Math.round(canvas.clientHeight * ratio);
        if (canvas.width !== wide || canvas.height !== high) {
            canvas.width = wide;
            canvas.height = high;
            fit();
        }
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')), style = getComputedStyle(document.documentElement);
        const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = `600 10px ${color('mono')}`;
        context.textBaseline = 'middle';
        context.fillStyle = color('void');
        context.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
        if (!shown) return;
        const x = canvas.clientWidth / 2 - (middle[0] ?? 0) * zoom, y = canvas.clientHeight / 2 - (middle[1] ?? 0) * zoom;
        context.imageSmoothingEnabled = zoom < 1.5;
        context.drawImage(shown.picture, x, y, shown.picture.width * zoom, shown.picture.height * zoom);
        const casing = color('void'), colors = [0, 1, 2, 3, 4, 5, 6].map((one) => color(`c${one}`)).concat(color('text-3'));
        // Overlapping ones are drawn as one symbol; after zooming in there is room for all.
        for (const { index, x: px, y: py, size, members } of gather(view.withSymbols(), (each) => spot(each))) {
            const of = app.classes[app.things[index]?.class ?? 0], sized = size / 16;
            context.setTransform(ratio * sized, 0, 0, ratio * sized, ratio * px, ratio * py);
            context.lineWidth = 3;
            context.strokeStyle = casing;
            context.fillStyle = colors[of?.color ?? 7] ?? '';
            const path = paths[of?.shape ?? 9] ?? new Path2D();
            context.stroke(path);
            context.fill(path, 'evenodd');
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            if (members.length > 1) outlined(context, { void: casing }, String(members.length), [px + size / 2, py - size / 2], color('text'));
        }
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        drawCamera(context, color('text'), casing);
        const select = color('select');
        for (const [one, dashed] of /** @type {[import('./app.js').Where | null, boolean][]} */ ([...app.selection.map((where) => [where, false]), [app.hovered, true]])) {
            const thing = app.thingOf(one);
            if (!thing) continue;
            const [px, py] = onMap(thing.world);
            context.setLineDash(dashed ? [2, 2] : []);
            for (const [wide, ink] of /** @type {[number, string][]} */ ([[dashed ? 2 : 5, casing], [dashed ? 1 : 2.5, select]])) {
                context.lineWidth = wide;
                context.strokeStyle = ink;
                context.strokeRect(px - 9, py - 9, 18, 18);
            }
        }
        context.setLineDash([]);
        for (const one of overlays) one(context, onMap);
    });

    /** @param {CanvasRenderingContext2D} context @param {string} ink @param {string} casing */
    function drawCamera(context, ink, casing) {
        const { position, yaw, distance, fov } = view.camera, [x, y] = onMap(position), long = Math.max(16, Math.min(80, distance * (shown?.scale ?? 1) * zoom)), wide = Math.atan(Math.tan(fov / 2) * view.aspect());
        context.beginPath();
        context.moveTo(x + long * Math.sin(yaw - wide), y - long * Math.cos(yaw - wide));
        context.lineTo(x, y);
        context.lineTo(x + long * Math.sin(yaw + wide), y - long * Math.cos(yaw + wide));
        for (const [line, color] of /** @type {[number, string][]} */ ([[3, casing], [1.2, ink]])) {
            context.lineWidth = line;
            context.strokeStyle = color;
            context.stroke();
        }
        context.beginPath();
        context.arc(x, y, 3.5, 0, 7);
        context.fillStyle = ink;
        context.fill();
    }

    /** The nearest thing to a point of the map, within some pixels. @param {number} x @param {number} y */
    function thingAt(x, y) {
        let best = null, least = 12;
        for (const one of app.things) {
            const [px, py] = onMap(one.world), away = Math.hypot(px - x, py - y);
            if (away < least && !app.classes[one.class]?.hidden && !app.locked.has(layerOf(one))) {
                best = one;
                least = away;
            }
        }
        return best;
    }

    /** @type {{x: number, y: number} | null} */ let down = null;
    let dragged = false;
    canvas.addEventListener('pointerdown', (event) => {
        canvas.setPointerCapture(event.pointerId);
        down = { x: event.offsetX, y: event.offsetY };
        dragged = false;
    });
    canvas.addEventListener('pointermove', (event) => {
        const hit = thingAt(event.offsetX, event.offsetY);
        if (!down) return app.hover(hit && { doc: hit.doc, path: hit.path }, 'map');
        if (!dragged && Math.hypot(event.offsetX - down.x, event.offsetY - down.y) < 4) return;
        dragged = true;
        middle = [(middle[0] ?? 0) - (event.offsetX - down.x) / zoom, (middle[1] ?? 0) - (event.offsetY - down.y) / zoom];
        down = { x: event.offsetX, y: event.offsetY };
        draw();
    });
    canvas.addEventListener('pointerup', (event) => {
        if (!dragged) {
            const hit = thingAt(event.offsetX, event.offsetY);
            if (hit) app.select({ doc: hit.doc, path: hit.path }, { from: 'map' });
            else if (shown) {
                const x = ((event.offsetX - canvas.clientWidth / 2) / zoom + (middle[0] ?? 0)) / shown.scale + shown.left;
                const z = ((event.offsetY - canvas.clientHeight / 2) / zoom + (middle[1] ?? 0)) / shown.scale + shown.top;
                view.flyTo({ ...view.camera.state(), pivot: [x, view.camera.pivot[1], z] });
            }
        }
        down = null;
    });
    canvas.addEventListener('pointerleave', () => app.hover(null, 'map'));
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const by = 1.0015 ** -event.deltaY, x = event.offsetX - canvas.clientWidth / 2, y = event.offsetY - canvas.clientHeight / 2;
        middle = [(middle[0] ?? 0) + x / zoom - x / (zoom * by), (middle[1] ?? 0) + y / zoom - y / (zoom * by)];
        zoom *= by;
        draw();
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
        const step = 40 / zoom, by = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] })[event.key];
        if (by) middle = [(middle[0] ?? 0) + (by[0] ?? 0), (middle[1] ?? 0) + (by[1] ?? 0)];
        else if (event.key === '+' || event.key === '-') zoom *= event.key === '+' ? 1.2 : 1 / 1.2;
        else return;
        event.preventDefault();
        draw();
    });

    const later = () => {
        wanted = true;
        draw();
    };
    app.on('open', () => {
        shown?.picture.close();
        shown = null;
        draw();
    });
    app.on('findings', () => (app.settled ? later() : undefined));
    app.on('settled', later);
    app.on('expanded', (/** @type {boolean} */ on) => swap.setAttribute('aria-pressed', String(on)));
    let cutting = 0;
    app.on('cut', () => {
        clearTimeout(cutting);
        cutting = window.setTimeout(later, 200);
    });
    app.on('theme', () => (pale === isLight() ? draw() : later()));
    app.on(['things', 'select', 'hover', 'camera', 'show'], () => draw());
    new ResizeObserver(() => draw()).observe(area);
    return { canvas, onMap, draw, overlays, focus: () => canvas.focus() };
}
