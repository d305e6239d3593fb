// SPDX-License-Identifier: MIT
/** What the parts of the 3D view share: the canvas, the camera, the level, and where its points are on the screen. */
import { byId, el } from './dom.js';
import { Camera, boxOf, length, minus, project } from './matrix.js';

/** @typedef {import('./matrix.js').Vector} Vector */

export class Stage {
    place = byId('view');
    /** Takes the pointer and the keys; the level is drawn on it, as long as the browser keeps its graphics context. */
    canvas = /** @type {HTMLCanvasElement} */ (el('canvas#scene', { tabindex: 0, role: 'application', 'aria-label': '3D view', 'aria-describedby': 'view-says' }));
    /** Text and signs. */ over = /** @type {HTMLCanvasElement} */ (el('canvas.over', { 'aria-hidden': 'true' }));
    camera = new Camera();
    look = { mode: 0, cut: Infinity, wire: false, ceilings: true, flying: false, unseen: false };
    /** The open level, as the worker gives it. @type {any} */ scene = null;
    /** @type {Record<string, string>} */ theme = {};
    /** The box around the level without strays. */ inner = { low: [0, 0, 0], high: [0, 0, 0] };
    /** Device pixels per CSS pixel; 0: as the screen has. */ fixedRatio = 0;
    /** Draws soon. */ draw = () => {};
    /** @type {Float32Array} */ #clip = new Float32Array(16);

    get ratio() {
        return this.fixedRatio || Math.min(2, devicePixelRatio || 1);
    }
    get wide() {
        return this.canvas.clientWidth;
    }
    get high() {
        return this.canvas.clientHeight;
    }
    get aspect() {
        return this.wide / Math.max(1, this.high);
    }
    /** The radius of the level. */
    get reach() {
        return this.scene ? Math.max(1, length(minus(this.scene.maximum, this.scene.minimum)) / 2) : 10;
    }
    /** The width in pixels of an object 1 m wide at a distance of 1 m. */
    get focal() {
        return this.high / 2 / Math.tan(this.camera.fov / 2);
    }

    /** Takes the camera's position for `project` and `onScreen`. */
    aim() {
        return (this.#clip = this.camera.matrix(this.aspect, this.reach));
    }
    /** A point of the world in clip coordinates. @param {Vector} point */
    project(point) {
        return project(this.#clip, point);
    }
    /** A point in clip coordinates, in CSS pixels of the view. @param {[number, number, number, number]} clip @returns {[number, number]} */
    pixels([x, y, , w]) {
        return [((x / w + 1) / 2) * this.wide, ((1 - y / w) / 2) * this.high];
    }
    /** A point of the world in CSS pixels of the view; null unless it is in front of the camera. @param {Vector} point @returns {[number, number] | null} */
    onScreen(point) {
        const clip = this.project(point);
        return clip[3] > 0.01 ? this.pixels(clip) : null;
    }

    /** Measures the level again. */
    measure() {
        this.inner = boxOf(this.scene.points);
    }
    /** Whether the camera is inside the level, where its sky is shown. */
    isInside() {
        return this.camera.position.every((value, axis) => value > (this.inner.low[axis] ?? 0) && value < (this.inner.high[axis] ?? 0));
    }
}
