// SPDX-License-Identifier: MIT
/** The ways of the camera: flights, views of a box or of the whole level, and steps by pixels. */
import { Camera, dot, length, minus, plus, times } from './matrix.js';

/** @typedef {import('./matrix.js').Vector} Vector */

/** The direction of `render --oblique`. */
const oblique = /** @type {const} */ ([-Math.PI / 4, (-40 * Math.PI) / 180]);
/** The camera's pitch in views that are higher than wide. */
const uprightPitch = -1.17;
/** The angle of view while flying: that of natural vision. */
const flyingFov = 1;

export class Flight {
    /** @type {import('./stage.js').Stage} */ #stage;
    #camera;
    #frame = 0;
    /** The camera of the last automatic overview, to detect whether the user has moved it. */ #untouched = '';

    /** @param {import('./stage.js').Stage} stage */
    constructor(stage) {
        this.#stage = stage;
        this.#camera = stage.camera;
    }

    /** @param {{pivot: Vector, distance: number, yaw: number, pitch: number}} to @param {boolean} [now] */
    to(to, now = false) {
        const camera = this.#camera;
        this.stop();
        if (now || matchMedia('(prefers-reduced-motion: reduce)').matches) {
            camera.set(to);
            return this.#stage.draw();
        }
        const from = camera.state(), began = performance.now(), far = length(minus(to.pivot, from.pivot)) / Math.max(1, this.#stage.reach);
        const time = 250 + 350 * Math.min(1, far);
        const around = Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
        const step = () => {
            const t = Math.min(1, (performance.now() - began) / time), s = t * t * (3 - 2 * t);
            camera.set({
                pivot: plus(from.pivot, times(minus(to.pivot, from.pivot), s)), distance: from.distance * (to.distance / from.distance) ** s,
                yaw: from.yaw + around * s, pitch: from.pitch + (to.pitch - from.pitch) * s,
            });
            this.#stage.draw();
            this.#frame = t < 1 ? requestAnimationFrame(step) : 0;
        };
        step();
    }
    stop() {
        cancelAnimationFrame(this.#frame);
    }

    /** The camera that shows the level as large as possible next to the controls that float over it. @param {number} yaw @param {number} pitch */
    #overview(yaw, pitch) {
        const { scene, wide, high, aspect } = this.#stage, to = new Camera(), narrow = wide < 768, seen = scene?.points ?? new Float32Array();
        const points = pitch < oblique[1] - 0.01 && seen.length ? Float32Array.from([...seen, ...scene?.steep ?? []]) : seen;
        Object.assign(to, { yaw, pitch });
        if (points.length) to.fit(points, wide, high, narrow ? [8, 72, 8, 8] : [52, 6, 52, 6]);
        else to.frame(scene?.minimum ?? [-10, -10, -10], scene?.maximum ?? [10, 10, 10], aspect);
        return to;
    }

    /** Flies to an overview of the level. @param {number} [yaw] @param {number} [pitch] @param {boolean} [now] */
    toAll(yaw, pitch = oblique[1], now = false) {
        const upright = yaw === undefined && this.#stage.aspect < 0.8;
        // An upright view looks down more steeply, and along a long level.
        let to = this.#overview(yaw ?? oblique[0], upright ? uprightPitch : pitch);
        if (upright)
            for (const turn of [0, -Math.PI / 2]) {
                const other = this.#overview(turn, uprightPitch);
                if (other.distance < to.distance * 0.85) to = other;
            }
        this.to(to.state(), now);
        if (now) this.#untouched = this.text;
    }
    /** Whether the camera is where the last immediate overview has put it. */
    get isUntouched() {
        return this.#untouched === this.text;
    }

    /** Views by number: overview, from above, six sides, the last one. @param {number} number */
    toView(number) {
        const [yaw, pitch] = [oblique, [0, -1.55], [0, -0.05], [Math.PI, -0.05], [Math.PI / 2, -0.05], [-Math.PI / 2, -0.05], [-oblique[0], oblique[1]], [2.5, oblique[1]]][number - 1] ?? oblique;
        this.toAll(yaw, pitch);
    }

    /** The camera that shows a box: as it looks now, or at what faces a direction. @param {Vector} low @param {Vector} high @param {Vector} [front] */
    ofBox(low, high, front) {
        const to = new Camera(), room = Math.max(1.5, length(minus(high, low)) * 0.15), { yaw, pitch } = this.#camera, margin = /** @type {Vector} */ ([room, room, room]);
        Object.assign(to, { yaw, pitch: Math.min(-0.25, pitch) });
        if (front) Object.assign(to, { yaw: Math.hypot(front[0], front[2]) < 0.1 ? yaw : Math.atan2(-front[0], front[2]), pitch: -Math.asin(front[1] / length(front)) });
        to.frame(minus(low, margin), plus(high, margin), this.#stage.aspect, 0.7);
        return to.state();
    }

    /** Moves the camera sideways by pixels at the pivot's distance. @param {number} x @param {number} y */
    moveBy(x, y) {
        const camera = this.#camera, step = (2 * camera.distance * Math.tan(camera.fov / 2)) / this.#stage.high;
        camera.pivot = plus(camera.pivot, plus(times(camera.right, -x * step), times(camera.up, y * step)));
    }

    /** @param {number} x @param {number} y  pixels */
    turnBy(x, y) {
        const camera = this.#camera, { flying } = this.#stage.look, eye = camera.position, speed = flying ? 0.004 : 0.006;
        camera.yaw += (flying ? x : -x) * speed;
        camera.pitch = Math.max(-1.55, Math.min(1.55, camera.pitch - y * speed));
        if (flying) camera.pivot = plus(eye, times(camera.forward, camera.distance));
    }

    /** Zooms towards, or away from, a point of the view. @param {number} by @param {number} x @param {number} y  pixels */
    nearBy(by, x, y) {
        const camera = this.#camera, { wide, high, aspect, reach } = this.#stage;
        const towards = camera.ray((2 * x) / wide - 1, 1 - (2 * y) / high, aspect), before = camera.distance;
        camera.distance = Math.max(0.3, Math.min(6 * reach + 50, before * by));
        const ahead = dot(towards, camera.forward);
        camera.pivot = plus(camera.pivot, times(minus(times(towards, 1 / ahead), camera.forward), before - camera.distance));
        if (camera.distance === 0.3 && by < 1) camera.pivot = plus(camera.pivot, times(camera.forward, reach * 0.01));
    }

    /** Changes between turning the level and flying through it. @param {boolean} on */
    setFlying(on) {
        const camera = this.#camera, { look, reach } = this.#stage, eye = camera.position, before = Math.tan(camera.fov / 2);
        look.flying = on;
        camera.fov = on ? flyingFov : new Camera().fov;
        if (on && camera.distance > reach / 4) {
            camera.distance = Math.max(2, reach / 8);
            camera.pivot = plus(eye, times(camera.forward, camera.distance));
        } else camera.distance *= before / Math.tan(camera.fov / 2);
        this.#stage.draw();
    }

    /** The camera as text, for the address. */
    get text() {
        const { pivot, distance, yaw, pitch } = this.#camera;
        return [...pivot, distance].map((one) => Number(one.toFixed(2))).concat([yaw, pitch].map((one) => Number(one.toFixed(3)))).join(',');
    }
    /** Takes such a text; returns whether it is one. @param {string} text */
    take(text) {
        const [x = NaN, y = NaN, z = NaN, distance = NaN, yaw = NaN, pitch = NaN] = text.split(',').map(Number);
        if (![x, y, z, distance, yaw, pitch].every(Number.isFinite) || distance <= 0) return false;
        this.#camera.set({ pivot: [x, y, z], distance, yaw, pitch });
        return true;
    }
}
