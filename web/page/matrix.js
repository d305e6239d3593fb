// SPDX-License-Identifier: MIT
/** Vectors of three numbers, matrices of 16 (column-major), and the camera. */

/** @typedef {[number, number, number]} Vector */

/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vector} a @param {number} by @returns {Vector} */
export const times = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vector} a */
export const length = (a) => Math.hypot(...a);

/** The box around points, which are three numbers each. @param {Float32Array | number[]} points @returns {{low: Vector, high: Vector}} */
export function boxOf(points) {
    /** @type {Vector} */ const low = [Infinity, Infinity, Infinity], high = /** @type {Vector} */ ([-Infinity, -Infinity, -Infinity]);
    points.forEach((/** @type {number} */ value, /** @type {number} */ index) => {
        const axis = /** @type {0 | 1 | 2} */ (index % 3);
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
    });
    return { low, high };
}

/** @param {Float32Array} a @param {Float32Array} b */
export function multiply(a, b) {
    const to = new Float32Array(16);
    for (let column = 0; column < 4; column++)
        for (let row = 0; row < 4; row++) {
            let sum = 0;
            for (let i = 0; i < 4; i++) sum += /** @type {number} */ (a[4 * i + row]) * /** @type {number} */ (b[4 * column + i]);
            to[4 * column + row] = sum;
        }
    return to;
}

/** A point in clip coordinates. @param {Float32Array} m @param {Vector} p @returns {[number, number, number, number]} */
export function project(m, [x, y, z]) {
    const at = (/** @type {number} */ row) => /** @type {number} */ (m[row]) * x + /** @type {number} */ (m[4 + row]) * y + /** @type {number} */ (m[8 + row]) * z + /** @type {number} */ (m[12 + row]);
    return [at(0), at(1), at(2), at(3)];
}

/** The camera looks from `pivot`, `distance` away, in the direction of yaw (0: to -Z) and pitch (negative: down). */
export class Camera {
    /** @type {Vector} */ pivot = [0, 0, 0];
    distance = 10;
    yaw = 0;
    pitch = -0.6;
    /** Vertical angle of view. */ fov = 0.3;
    /** @type {'perspective' | 'parallel'} */ kind = 'perspective';

    /** @returns {Vector} */
    get forward() {
        const flat = Math.cos(this.pitch);
        return [Math.sin(this.yaw) * flat, Math.sin(this.pitch), -Math.cos(this.yaw) * flat];
    }
    /** @returns {Vector} */
    get right() {
        return [Math.cos(this.yaw), 0, Math.sin(this.yaw)];
    }
    get up() {
        return cross(this.right, this.forward);
    }
    get position() {
        return minus(this.pivot, times(this.forward, this.distance));
    }

    /** The distances of the near and far planes. @param {number} reach  the radius of the level @returns {[number, number]} */
    planes(reach) {
        return [Math.max(0.02, Math.min(this.distance / 50, reach / 200)), this.distance + 3 * reach + 10];
    }

    /** @param {number} aspect @param {number} reach */
    matrix(aspect, reach) {
        const f = this.forward, r = this.right, u = this.up, p = this.position;
        const look = new Float32Array([r[0], u[0], -f[0], 0, r[1], u[1], -f[1], 0, r[2], u[2], -f[2], 0, -dot(r, p), -dot(u, p), dot(f, p), 1]);
        const [near, far] = this.planes(reach);
        const tall = 1 / Math.tan(this.fov / 2);
        const see = new Float32Array([tall / aspect, 0, 0, 0, 0, tall, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
        return multiply(see, look);
    }

    /** The direction of sight through a point of the view, by -1..1 across and up. @param {number} x @param {number} y @param {number} aspect @returns {Vector} */
    ray(x, y, aspect) {
        const tall = Math.tan(this.fov / 2);
        const to = plus(this.forward, plus(times(this.right, x * tall * aspect), times(this.up, y * tall)));
        return times(to, 1 / length(to));
    }

    /** Looks at a box from the present direction. @param {Vector} low @param {Vector} high @param {number} aspect @param {number} [share] */
    frame(low, high, aspect, share = 0.9) {
        this.pivot = times(plus(low, high), 0.5);
        const f = this.forward, r = this.right, u = this.up, tall = Math.tan(this.fov / 2) * share;
        let distance = 0.5;
        for (let corner = 0; corner < 8; corner++) {
            const to = minus([corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]], this.pivot);
            distance = Math.max(distance, Math.abs(dot(to, r)) / (tall * aspect) - dot(to, f), Math.abs(dot(to, u)) / tall - dot(to, f));
        }
        this.distance = distance;
    }

    /**
     * Looks at points from the present direction, as near as possible with all of them visible.
     * @param {Float32Array} points @param {number} wide @param {number} high  pixels of the view @param {[number, number, number, number]} around  margins: left, top, right, below
     */
    fit(points, wide, high, [left, top, right, below]) {
        const focal = high / 2 / Math.tan(this.fov / 2), axes = [this.right, this.up, this.forward];
        // The limits of a point's sideways offset per distance: the edges of the free area, relative to the middle of the view.
        const edges = [[wide / 2 - right, wide / 2 - left], [high / 2 - top, high / 2 - below]].map((pair) => pair.map((one) => one / focal));
        const most = [[-Infinity, -Infinity], [-Infinity, -Infinity]];
        for (let i = 0; i < points.length; i += 3) {
            const [x = 0, y = 0, z = 0] = axes.map((axis) => axis[0] * (points[i] ?? 0) + axis[1] * (points[i + 1] ?? 0) + axis[2] * (points[i + 2] ?? 0));
            for (const [axis, value] of [x, y].entries())
                for (const side of [0, 1]) /** @type {number[]} */ (most[axis])[side] = Math.max(most[axis]?.[side] ?? 0, (side ? -value : value) - (edges[axis]?.[side] ?? 0) * z);
        }
        const depths = [0, 1].map((axis) => -((most[axis]?.[0] ?? 0) + (most[axis]?.[1] ?? 0)) / ((edges[axis]?.[0] ?? 0) + (edges[axis]?.[1] ?? 0))), depth = Math.min(...depths);
        // Along the other axis the remaining room is divided equally.
        const [x = 0, y = 0] = [0, 1].map((axis) => ((most[axis]?.[0] ?? 0) + (edges[axis]?.[0] ?? 0) * depth - ((most[axis]?.[1] ?? 0) + (edges[axis]?.[1] ?? 0) * depth)) / 2);
        const eye = plus(plus(times(this.right, x), times(this.up, y)), times(this.forward, depth));
        let middle = 0;
        for (let i = 0; i < points.length; i += 3) middle += dot(minus([points[i] ?? 0, points[i + 1] ?? 0, points[i + 2] ?? 0], eye), this.forward) / (points.length / 3);
        this.distance = Math.max(0.5, middle);
        this.pivot = plus(eye, times(this.forward, this.distance));
    }

    state() {
        return { pivot: this.pivot, distance: this.distance, yaw: this.yaw, pitch: this.pitch };
    }

    /** @param {{pivot: Vector, distance: number, yaw: number, pitch: number}} state */
    set({ pivot, distance, yaw, pitch }) {
        Object.assign(this, { pivot: [...pivot], distance, yaw, pitch });
    }
}
