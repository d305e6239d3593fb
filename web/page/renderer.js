// SPDX-License-Identifier: MIT
/** Draws a baked scene and its symbols with WebGL2, and finds the object at a point. */
import { isUnseen, vertexBytes } from './bake.js';

/** @typedef {import('./matrix.js').Vector} Vector */
/**
 * @typedef {object} Look
 * @property {Float32Array} clip    the camera's matrix
 * @property {Vector} eye
 * @property {number} mode          one of `modes`
 * @property {number} cut           height in metres above which nothing is drawn
 * @property {boolean} wire
 * @property {boolean} ceilings     whether triangles that face down are drawn
 * @property {[number, number, number]} background
 * @property {boolean} strays       whether triangles far from the others are drawn
 * @property {Vector} right         of the camera
 * @property {[number, number]} planes  distances of the near and far planes
 * @property {number} focal         width in pixels of an object 1 m wide at a distance of 1 m
 * @property {boolean} smooth       whether edges are smooth
 */

/** How surfaces are shown. */
export const modes = ['game', 'quiet', 'material', 'normals'];

const surfaceVertex = `#version 300 es
in vec3 position; in vec4 normal; in vec2 texcoord; in vec4 color;
uniform mat4 clip; uniform bool strays;
out vec3 world; out vec3 facing; out vec2 place; out vec4 tint; out vec3 corner; flat out uint id;
invariant gl_Position;
void main() {
    world = position; facing = normal.xyz; place = texcoord; tint = vec4(color.rgb * color.rgb, color.a);
    int which = gl_VertexID % 3;
    corner = vec3(which == 0, which == 1, which == 2);
    id = uint(gl_VertexID / 3) + 1u;
    gl_Position = normal.w > 0.5 && !strays ? vec4(2, 2, 2, 1) : clip * vec4(position, 1.0);
}`;

const surfaceCommon = `#version 300 es
precision highp float; precision highp int;
in vec3 world; in vec3 facing; in vec2 place; in vec4 tint; in vec3 corner; flat in uint id;
uniform sampler2D image; uniform bool hasImage, placeholder, masked, ceilings, unlit; uniform vec4 color; uniform vec3 eye; uniform float cut, cutoff;
vec4 texel() { return hasImage ? texture(image, place) : vec4(1); }
void leave_out() {
    if (world.y > cut) discard;
    if (!ceilings && normalize(facing).y < -0.5) discard;
    if (masked && texel().a * tint.a < cutoff) discard;
}
`;

/**
 * Lights surfaces as src/export/shade.c does: by the level's lamps, or else by one over the viewer's left shoulder and the sky.
 * @param {boolean} whole  nothing is discarded, and there are no lines, so that the depth test can run before shading
 */
const surfaceFragment = (whole) => `${surfaceCommon}
precision highp sampler3D;
uniform int mode; uniform bool wire, lamps; uniform vec3 quiet, right, lampLow, lampSize; uniform float opacity, prelit, painted, rest; uniform sampler3D mean, from;
out vec4 shown;
void main() {
    ${whole ? '' : 'leave_out();'}
    vec3 n = normalize(facing), to = normalize(eye - world);
    float front = dot(n, to);
    if (front < 0.0) n = -n;
    float light = 0.34 + 0.3 * abs(front) + 0.26 * clamp(0.3 - 0.7 * dot(n, right), 0.0, 1.0) + 0.22 * clamp(n.y, 0.0, 1.0);
    vec4 t = texel();
    // Squares are near enough to linear light, and roots to what is shown.
    vec3 base = mode == 0 ? t.rgb * t.rgb * (placeholder ? quiet : color.rgb) * tint.rgb : mode == 2 ? color.rgb * tint.rgb : quiet;
    if (mode == 0) {
        float brighter = unlit ? prelit : hasImage && !placeholder ? painted : 1.0;
        base *= brighter / (1.0 + clamp(base, 0.0, 1.0) * (brighter - 1.0));
    }
    if (unlit && mode == 0) light = 0.6 + light * 0.4;
    else if (lamps && mode < 2) {
        vec3 at = (world + n * 0.2 - lampLow) / lampSize;
        light = 0.7 + light * 0.3;
        base *= texture(mean, at).rgb * max(0.0, 1.0 + dot(texture(from, at).xyz, n)) + rest;
        base *= (1.0 + base / 9.0) / (1.0 + base);
    }
    shown = vec4(sqrt(clamp(base * 0.94 + 0.012, 0.0, 1.0)) * min(light, 1.08), mode == 0 ? t.a * tint.a * color.a : mode == 2 ? color.a : 1.0);
    if (mode == 3) shown = vec4(normalize(facing) * 0.5 + 0.5, 1);
    if (mode != 0) shown.a = 1.0;
    shown.a *= opacity;
    ${whole ? '' : `vec3 width = fwidth(corner);
    vec3 edge = smoothstep(vec3(0), width * 1.3, corner);
    float line = 1.0 - min(min(edge.x, edge.y), edge.z);
    if (wire) shown.rgb = mix(shown.rgb, dot(shown.rgb, vec3(0.33)) > 0.5 ? vec3(0) : vec3(1), line * 0.55);`}
}`;

// Copies the surfaces into the picture, darker where faces meet and where one hides another. The stored depth is linear on a plane.
const edgeVertex = '#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }';
const edgeFragment = `#version 300 es
precision highp float; precision highp sampler2D;
uniform sampler2D surfaces, depths; uniform vec2 planes, size; uniform float focal, strength;
out vec4 shown;
float away(float d) { return planes.x * planes.y / (planes.y - d * (planes.y - planes.x)); }
void main() {
    ivec2 last = textureSize(depths, 0) - 1, at = min(last, ivec2(gl_FragCoord.xy * vec2(last + 1) / size));
    float d = texelFetch(depths, at, 0).r, z = away(d), edge = 0.0;
    shown = texelFetch(surfaces, at, 0);
    gl_FragDepth = d;
    if (d == 1.0 || strength == 0.0) return;
    for (int axis = 0; axis < 2; axis++) {
        ivec2 by = axis == 0 ? ivec2(1, 0) : ivec2(0, 1);
        float before = texelFetch(depths, max(at - by, ivec2(0)), 0).r, after = texelFetch(depths, min(at + by, last), 0).r;
        if (before == 1.0 || after == 1.0) { edge += 0.5; continue; }
        // How far it is from a plane, in pixels; depths are multiples of 6e-8, which is much where they are far away.
        float bend = max(0.0, abs((before - d) + (after - d)) - 2.4e-7) * z * (planes.y - planes.x) / (planes.x * planes.y) * focal;
        edge += clamp(bend - 0.4, 0.0, 1.0) * 0.3 + clamp(bend / 8.0 - 0.35, 0.0, 1.0) * 0.5;
    }
    shown.rgb *= 1.0 - strength * min(edge, 1.0);
}`;

const depthFragment = '#version 300 es\nvoid main() {}';

const idFragment = `${surfaceCommon}
out vec4 shown;
void main() {
    leave_out();
    shown = vec4(id & 255u, (id >> 8) & 255u, (id >> 16) & 255u, (id >> 24) & 255u) / 255.0;
}`;

// A fill over the marked surface.
const markFragment = `${surfaceCommon}
uniform vec4 mark;
out vec4 shown;
void main() {
    leave_out();
    vec3 width = fwidth(corner);
    vec3 edge = smoothstep(vec3(0), width * 2.0, corner);
    float line = 1.0 - min(min(edge.x, edge.y), edge.z);
    shown = vec4(mark.rgb, mark.a + (1.0 - mark.a) * line * 0.7);
}`;

const symbolVertex = `#version 300 es
in vec3 position; in vec4 look;
uniform mat4 clip;
flat out vec4 how; flat out uint id; flat out float points;
uniform uint firstId;
void main() {
    how = look;
    id = firstId + uint(gl_VertexID);
    gl_Position = clip * vec4(position, 1.0);
    points = look.y > 8.5 ? look.z * 0.6 : look.z;
    gl_PointSize = points;
    gl_Position.z -= 0.0004 * gl_Position.w;
}`;

const symbolCommon = `#version 300 es
precision highp float; precision highp int;
flat in vec4 how; flat in uint id; flat in float points;
float box(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0); }
float triangle(vec2 p) { p.y += 0.12; return max(abs(p.x) * 0.87 + p.y * 0.5, -p.y) - 0.32; }
float shape(vec2 p, int which) {
    if (which == 0) return length(p) - 0.62;
    if (which == 1) return box(p, vec2(0.54));
    if (which == 2) return abs(p.x) + abs(p.y) - 0.76;
    if (which == 3) return triangle(vec2(p.x, -p.y)) - 0.12;
    if (which == 4) return triangle(p) - 0.12;
    if (which == 5) return min(box(p, vec2(0.72, 0.24)), box(p, vec2(0.24, 0.72)));
    if (which == 6) return max(abs(p.x) * 0.87 + abs(p.y) * 0.5, abs(p.y)) - 0.62;
    if (which == 7) return abs(length(p) - 0.48) - 0.18;
    if (which == 8) { vec2 q = vec2(p.x + p.y, p.x - p.y) * 0.7071; return min(box(q, vec2(0.76, 0.22)), box(q, vec2(0.22, 0.76))); }
    return length(p) - 0.6;
}
`;

const symbolFragment = `${symbolCommon}
uniform vec3 colors[8]; uniform vec3 casing; uniform float opacity;
out vec4 shown;
void main() {
    float pixel = 2.0 / points, distance = shape(gl_PointCoord * 2.0 - 1.0, int(how.y + 0.5));
    float inside = smoothstep(pixel, -pixel, distance), around = smoothstep(pixel, -pixel, distance - 1.6 * pixel);
    shown = vec4(mix(casing, colors[int(how.x + 0.5)], inside), around * opacity);
    if (shown.a < 0.02) discard;
}`;

const symbolIdFragment = `${symbolCommon}
out vec4 shown;
void main() {
    if (shape(gl_PointCoord * 2.0 - 1.0, int(how.y + 0.5)) > 4.0 / points) discard;
    shown = vec4(id & 255u, (id >> 8) & 255u, (id >> 16) & 255u, (id >> 24) & 255u) / 255.0;
}`;

/** A stable hash of a text. @param {string} text */
export function hash(text) {
    let sum = 2166136261;
    for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16777619) >>> 0;
    return sum;
}

/** CIELCh as sRGB, 0..1. @param {number} l @param {number} c @param {number} h @returns {[number, number, number]} */
function fromLch(l, c, h) {
    const y = (l + 16) / 116, x = y + (c * Math.cos(h)) / 500, z = y - (c * Math.sin(h)) / 200;
    const cube = (/** @type {number} */ t) => (t > 6 / 29 ? t ** 3 : (3 * (6 / 29) ** 2 * (t - 4 / 29)));
    const [X, Y, Z] = [0.9505 * cube(x), cube(y), 1.089 * cube(z)];
    const encode = (/** @type {number} */ v) => Math.min(1, Math.max(0, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
    return [encode(3.2406 * X - 1.5372 * Y - 0.4986 * Z), encode(-0.9689 * X + 1.8758 * Y + 0.0415 * Z), encode(0.0557 * X - 0.204 * Y + 1.057 * Z)];
}

/** The quiet colour of a material: the stable hue of its name. @param {string} name @param {boolean} light */
export function quietColor(name, light) {
    const number = hash(name);
    return fromLch((light ? 65 : 45) + ((number >>> 9) % 1000) / (light ? 58 : 66), 4 + ((number >>> 5) % 9), ((number % 3600) / 1800) * Math.PI);
}

/** Whether the processor does the drawing: smooth edges then take a quarter of its time. */
function isSoftware() {
    const gl = document.createElement('canvas').getContext('webgl2'), names = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl?.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Renderer {
    #gl;
    /** @type {Record<string, WebGLProgram>} */ #programs = {};
    /** @type {Map<WebGLProgram, Map<string, WebGLUniformLocation | null>>} */ #uniforms = new Map();
    /** @type {any} */ #scene = null;
    /** @type {WebGLBuffer | null} */ #vertices = null;
    /** @type {WebGLVertexArrayObject | null} */ #surfaces = null;
    /** @type {WebGLVertexArrayObject | null} */ #points = null;
    /** @type {WebGLBuffer | null} */ #pointBuffer = null;
    #pointCount = 0;
    /** @type {WebGLTexture[]} */ #textures = [];
    /** Images that replace missing ones. @type {Set<number>} */ #placeholders = new Set();
    /** The shown runs of triangles, for each batch. @type {[number, number][][]} */ #runs = [];
    /** @type {WebGLFramebuffer | null} */ #target = null;
    /** @type {(WebGLTexture | WebGLRenderbuffer)[]} */ #targetParts = [];
    #targetSize = [0, 0];
    /** The targets of surfaces: a picture and, for smooth edges, a multisampled one. @type {{size: number[], picture: WebGLFramebuffer, color: WebGLTexture, depth: WebGLTexture, smooth: WebGLFramebuffer | null, samples: WebGLRenderbuffer[]} | null} */ #stage = null;
    /** The light of lamps, and its direction. @type {WebGLTexture[]} */ #lamps = [];
    /** Runs of marked triangles. @type {number[]} */ selected = [];
    /** @type {number[]} */ hovered = [];
    /** Triangles that differ between two levels. @type {{runs: number[], color: [number, number, number]}[]} */ tints = [];
    light = false;
    /** Whether the processor does the drawing: edges are then smooth only in still pictures. */ slow = false;
    /** Whether collision and helpers are shown in levels that also have other surfaces. */ unseen = false;
    /** Colours of classes. @type {[number, number, number][]} */ colors = [];
    /** The number of draw calls of the last frame. */ calls = 0;

    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, preserveDrawingBuffer: true, powerPreference: 'high-performance' });
        if (!gl) throw new Error('This browser does not support 3D. Map, tree, bytes and table all work.');
        this.#gl = gl;
        this.slow = isSoftware();
        this.#programs = {
            surface: this.#program(surfaceVertex, surfaceFragment(false)),
            whole: this.#program(surfaceVertex, surfaceFragment(true)),
            ids: this.#program(surfaceVertex, idFragment),
            depth: this.#program(surfaceVertex, depthFragment),
            edges: this.#program(edgeVertex, edgeFragment),
            mark: this.#program(surfaceVertex, markFragment),
            symbols: this.#program(symbolVertex, symbolFragment),
            symbolIds: this.#program(symbolVertex, symbolIdFragment),
        };
    }

    /** @param {string} vertex @param {string} fragment */
    #program(vertex, fragment) {
        const gl = this.#gl, made = gl.createProgram();
        for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
            const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(made, shader);
        }
        ['position', 'normal', 'texcoord', 'color'].forEach((name, index) => gl.bindAttribLocation(made, index, name));
        if (vertex === symbolVertex) gl.bindAttribLocation(made, 1, 'look');
        gl.linkProgram(made);
        if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
            throw new Error(`The graphics card refuses a program: ${gl.getProgramInfoLog(made)}${(gl.getAttachedShaders(made) ?? []).map((one) => gl.getShaderInfoLog(one)).join(' ')}`);
        this.#uniforms.set(made, new Map());
        return made;
    }

    /** @param {WebGLProgram} program @param {string} name */
    #at(program, name) {
        const known = /** @type {Map<string, any>} */ (this.#uniforms.get(program));
        if (!known.has(name)) known.set(name, this.#gl.getUniformLocation(program, name));
        return known.get(name);
    }

    /** Replaces the scene. @param {any} scene  from the worker, or null */
    setScene(scene) {
        const gl = this.#gl;
        for (const texture of [...this.#textures, ...this.#lamps]) gl.deleteTexture(texture);
        this.#textures = this.#lamps = [];
        gl.deleteBuffer(this.#vertices);
        gl.deleteVertexArray(this.#surfaces);
        this.selected = [];
        this.hovered = [];
        this.#scene = scene && { ...scene, vertices: null, images: null };
        this.#runs = [];
        if (!scene) return;
        this.#vertices = gl.createBuffer();
        this.#surfaces = gl.createVertexArray();
        gl.bindVertexArray(this.#surfaces);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertices);
        gl.bufferData(gl.ARRAY_BUFFER, scene.vertices, gl.STATIC_DRAW);
        const attribute = (/** @type {number} */ index, /** @type {number} */ size, /** @type {number} */ type, /** @type {boolean} */ normal, /** @type {number} */ offset) => {
            gl.enableVertexAttribArray(index);
            gl.vertexAttribPointer(index, size, type, normal, vertexBytes, offset);
        };
        attribute(0, 3, gl.FLOAT, false, 0);
        attribute(1, 4, gl.BYTE, true, 12);
        attribute(2, 2, gl.FLOAT, false, 16);
        attribute(3, 4, gl.UNSIGNED_BYTE, true, 24);
        gl.bindVertexArray(null);
        this.#textures = scene.images.map((/** @type {any} */ image) => this.#texture(image, scene.materials.find((/** @type {any} */ one) => scene.images[one.image] === image)));
        this.#lamps = (scene.look.light?.cells ?? []).map((/** @type {Float32Array} */ cells) => this.#volume(cells, scene.look.light.counts));
        this.#placeholders = new Set(scene.images.flatMap((/** @type {any} */ one, /** @type {number} */ index) => (one.name === 'placeholder' ? [index] : [])));
        this.showGroups(this.hiddenOf(scene));
    }

    /** The groups of a scene that players do not see, unless they are shown. @param {any} scene @returns {Set<number>} */
    hiddenOf({ groups, seen, triangles }) {
        return new Set(this.unseen || seen === triangles ? [] : groups.flatMap((/** @type {any} */ one, /** @type {number} */ index) => (isUnseen(one) ? [index] : [])));
    }

    /** @param {Float32Array} cells  four numbers each @param {number[]} counts */
    #volume(cells, [x = 1, y = 1, z = 1]) {
        const gl = this.#gl, made = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_3D, made);
        gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA16F, x, y, z, 0, gl.RGBA, gl.FLOAT, cells);
        for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_3D, name, gl.LINEAR);
        for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R]) gl.texParameteri(gl.TEXTURE_3D, name, gl.CLAMP_TO_EDGE);
        return made;
    }

    /** @param {{width: number, height: number, pixels: Uint8Array}} image @param {any} material */
    #texture(image, material) {
        const gl = this.#gl, made = gl.createTexture(), wraps = { repeat: gl.REPEAT, clamp: gl.CLAMP_TO_EDGE, mirror: gl.MIRRORED_REPEAT };
        gl.bindTexture(gl.TEXTURE_2D, made);
        if (image.width && image.height && image.pixels.length) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, image.width, image.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, image.pixels);
        else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([128, 128, 128, 255]));
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, material?.nearest ? gl.NEAREST : gl.LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, wraps[/** @type {'repeat'} */ (material?.wrapS ?? 'repeat')]);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, wraps[/** @type {'repeat'} */ (material?.wrapT ?? 'repeat')]);
        return made;
    }

    /** Shows all groups of the scene except the hidden ones. @param {Set<number>} hidden @param {(node: number) => boolean} [hides] */
    showGroups(hidden, hides) {
        const parts = this.#scene?.parts ?? [];
        let next = 0;
        this.#runs = (this.#scene?.batches ?? []).map((/** @type {any} */ batch) => {
            /** @type {[number, number][]} */ const runs = [];
            for (; next < parts.length && parts[next].first < batch.first + batch.count; next++) {
                const { group, first, count, node } = parts[next], last = runs.at(-1);
                if (hidden.has(group) || hides?.(node)) continue;
                if (last && last[0] + last[1] === first) last[1] += count;
                else runs.push([first, count]);
            }
            return runs;
        });
    }

    /**
     * Symbols: x, y, z, then colour, shape, size in pixels, and a spare number.
     * @param {Float32Array} points
     */
    setSymbols(points) {
        const gl = this.#gl;
        this.#pointCount = points.length / 7;
        this.#pointBuffer ??= gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, this.#pointBuffer);
        gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
        if (this.#points) return;
        this.#points = gl.createVertexArray();
        gl.bindVertexArray(this.#points);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 28, 0);
        gl.enableVertexAttribArray(1);
        gl.vertexAttribPointer(1, 4, gl.FLOAT, false, 28, 12);
        gl.bindVertexArray(null);
    }

    /** @param {WebGLProgram} program @param {Look} look */
    #use(program, look) {
        const gl = this.#gl, at = (/** @type {string} */ name) => this.#at(program, name);
        gl.useProgram(program);
        gl.uniformMatrix4fv(at('clip'), false, look.clip);
        gl.uniform1f(at('cut'), look.cut);
        gl.uniform3fv(at('eye'), look.eye);
        gl.uniform1i(at('ceilings'), Number(look.ceilings));
        gl.uniform1i(at('mode'), look.mode);
        gl.uniform1i(at('wire'), Number(look.wire));
        gl.uniform1f(at('opacity'), 1);
        gl.uniform1i(at('strays'), Number(look.strays));
        if (at('lamps')) this.#useLamps(program, look);
    }

    /** @param {WebGLProgram} program @param {Look} look */
    #useLamps(program, look) {
        const gl = this.#gl, at = (/** @type {string} */ name) => this.#at(program, name), { light, prelit, painted } = this.#scene.look;
        gl.uniform1i(at('lamps'), Number(Boolean(light)));
        gl.uniform3fv(at('right'), look.right);
        gl.uniform1f(at('prelit'), prelit);
        gl.uniform1f(at('painted'), painted);
        gl.uniform1f(at('rest'), light?.rest ?? 0);
        gl.uniform3fv(at('lampLow'), light?.low ?? [0, 0, 0]);
        gl.uniform3fv(at('lampSize'), light?.size ?? [1, 1, 1]);
        for (const [index, name] of ['mean', 'from'].entries()) {
            gl.activeTexture(gl.TEXTURE1 + index);
            gl.bindTexture(gl.TEXTURE_3D, this.#lamps[index] ?? null);
            gl.uniform1i(at(name), 1 + index);
        }
        gl.activeTexture(gl.TEXTURE0);
    }

    /** @param {WebGLProgram} program @param {Look} look @param {[number, number][][]} runs */
    #surfacesWith(program, look, runs) {
        const gl = this.#gl, scene = this.#scene, { surface, whole } = /** @type {Record<'surface' | 'whole', WebGLProgram>} */ (this.#programs), shows = program === surface;
        const plain = shows && look.cut === Infinity && look.ceilings && !look.wire;
        if (plain) {
            this.#depths(look);
            this.#use(whole, look);
        }
        this.#use(program, look);
        gl.bindVertexArray(this.#surfaces);
        scene.batches.forEach((/** @type {any} */ batch, /** @type {number} */ index) => {
            const some = runs[index] ?? [];
            if (!some.length) return;
            const material = scene.materials[batch.material], texture = material && this.#textures[material.image ?? -1];
            const glassy = batch.unseen && scene.seen < scene.triangles, blends = (material?.alphaMode === 'blend' || glassy) && shows, masked = Boolean(texture) && material?.alphaMode === 'mask', used = plain && !masked ? whole : program;
            const at = (/** @type {string} */ name) => this.#at(used, name);
            gl.useProgram(used);
            if (blends) {
                gl.enable(gl.BLEND);
                gl.depthMask(false);
            }
            gl.bindTexture(gl.TEXTURE_2D, texture ?? null);
            // It often coincides with a surface that players see.
            gl[glassy ? 'enable' : 'disable'](gl.POLYGON_OFFSET_FILL);
            gl.polygonOffset(-1, -2);
            gl.uniform1f(at('opacity'), glassy ? 0.5 : 1);
            gl.uniform1i(at('hasImage'), Number(Boolean(texture)));
            gl.uniform1i(at('placeholder'), Number(this.#placeholders.has(material?.image)));
            gl[material?.doubleSided === false ? 'enable' : 'disable'](gl.CULL_FACE);
            gl.uniform1i(at('masked'), Number(masked));
            gl.uniform1f(at('cutoff'), material?.alphaCutoff || 0.5);
            gl.uniform1i(at('unlit'), Number(Boolean(material?.unlit)));
            const [r = 1, g = 1, b = 1, a = 1] = material?.color ?? [];
            gl.uniform4f(at('color'), r, g, b, blends && !glassy ? a : 1);
            gl.uniform3fv(at('quiet'), quietColor(material?.name ?? '', this.light).map((one) => one ** 2));
            for (const [first, count] of some) {
                gl.drawArrays(gl.TRIANGLES, 3 * first, 3 * count);
                this.calls++;
            }
            if (blends) {
                gl.disable(gl.BLEND);
                gl.depthMask(true);
            }
        });
        gl.depthFunc(gl.LESS);
        gl.disable(gl.CULL_FACE);
        gl.disable(gl.POLYGON_OFFSET_FILL);
    }

    /** Draws the depth of all opaque surfaces, so that hidden ones are not shaded. @param {Look} look */
    #depths(look) {
        const gl = this.#gl, scene = this.#scene;
        this.#use(/** @type {WebGLProgram} */ (this.#programs.depth), look);
        gl.bindVertexArray(this.#surfaces);
        gl.colorMask(false, false, false, false);
        scene.batches.forEach((/** @type {any} */ batch, /** @type {number} */ index) => {
            const material = scene.materials[batch.material];
            if ((material && material.alphaMode !== 'opaque') || batch.unseen) return;
            gl[material?.doubleSided === false ? 'enable' : 'disable'](gl.CULL_FACE);
            for (const [first, count] of this.#runs[index] ?? []) gl.drawArrays(gl.TRIANGLES, 3 * first, 3 * count);
        });
        gl.colorMask(true, true, true, true);
        gl.depthFunc(gl.LEQUAL);
    }

    /** Draws triangles over the same ones of the scene. @param {Look} look @param {number[]} runs @param {[number, number, number, number]} color */
    #mark(look, runs, color) {
        if (!runs.length) return;
        const gl = this.#gl, program = /** @type {WebGLProgram} */ (this.#programs.mark);
        this.#use(program, look);
        gl.bindVertexArray(this.#surfaces);
        gl.uniform4fv(this.#at(program, 'mark'), color);
        gl.uniform1i(this.#at(program, 'hasImage'), 0);
        gl.uniform1i(this.#at(program, 'masked'), 0);
        gl.enable(gl.BLEND);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(-1, -8);
        gl.depthFunc(gl.LEQUAL);
        gl.depthMask(false);
        for (let i = 0; i < runs.length; i += 2) gl.drawArrays(gl.TRIANGLES, 3 * (runs[i] ?? 0), 3 * (runs[i + 1] ?? 0));
        gl.depthMask(true);
        gl.disable(gl.POLYGON_OFFSET_FILL);
        gl.disable(gl.BLEND);
    }

    /** @param {WebGLProgram} program @param {Look} look @param {number} opacity */
    #symbols(program, look, opacity) {
        const gl = this.#gl;
        this.#use(program, look);
        gl.bindVertexArray(this.#points);
        gl.uniform1ui(this.#at(program, 'firstId'), (this.#scene?.triangles ?? 0) + 1);
        gl.uniform1f(this.#at(program, 'opacity'), opacity);
        gl.uniform3fv(this.#at(program, 'casing'), this.light ? [1, 1, 1] : [0.03, 0.035, 0.045]);
        const colors = this.colors.flat();
        if (colors.length && this.#at(program, 'colors')) gl.uniform3fv(this.#at(program, 'colors'), colors);
        gl.drawArrays(gl.POINTS, 0, this.#pointCount);
        this.calls++;
    }

    /** @param {number} width @param {number} height @param {number} samples */
    #makeStage(width, height, samples) {
        const gl = this.#gl, size = [width, height, samples];
        if (this.#stage && size.every((one, index) => this.#stage?.size[index] === one)) return this.#stage;
        this.#freeStage();
        const texture = (/** @type {number} */ format) => {
            const made = gl.createTexture();
            gl.bindTexture(gl.TEXTURE_2D, made);
            gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
            for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
            return made;
        };
        const buffer = (/** @type {number} */ format, /** @type {number} */ to) => {
            const made = gl.createRenderbuffer();
            gl.bindRenderbuffer(gl.RENDERBUFFER, made);
            gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
            gl.framebufferRenderbuffer(gl.FRAMEBUFFER, to, gl.RENDERBUFFER, made);
            return made;
        };
        const picture = gl.createFramebuffer(), color = texture(gl.RGBA8), depth = texture(gl.DEPTH_COMPONENT24), smooth = samples ? gl.createFramebuffer() : null;
        gl.bindFramebuffer(gl.FRAMEBUFFER, picture);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, color, 0);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth, 0);
        gl.bindFramebuffer(gl.FRAMEBUFFER, smooth ?? picture);
        return (this.#stage = { size, picture, color, depth, smooth, samples: smooth ? [buffer(gl.RGBA8, gl.COLOR_ATTACHMENT0), buffer(gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT)] : [] });
    }

    #freeStage() {
        const gl = this.#gl, stage = this.#stage;
        for (const one of [stage?.picture, stage?.smooth]) gl.deleteFramebuffer(one ?? null);
        for (const one of [stage?.color, stage?.depth]) gl.deleteTexture(one ?? null);
        for (const one of stage?.samples ?? []) gl.deleteRenderbuffer(one);
        this.#stage = null;
    }

    /** Draws the surfaces, with darker edges. @param {Look} look */
    #surfacesIn(look) {
        // If the processor does the drawing, moving pictures have a quarter of the pixels.
        const gl = this.#gl, share = this.slow && !look.smooth ? 0.5 : 1, [width = 1, height = 1] = [gl.canvas.width, gl.canvas.height].map((one) => Math.ceil(one * share)), { surface, edges } = /** @type {Record<'surface' | 'edges', WebGLProgram>} */ (this.#programs);
        const stage = this.#makeStage(width, height, look.smooth ? Math.min(4, gl.getParameter(gl.MAX_SAMPLES)) : 0);
        gl.bindFramebuffer(gl.FRAMEBUFFER, stage.smooth ?? stage.picture);
        gl.viewport(0, 0, width, height);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        this.#surfacesWith(surface, look, this.#runs);
        if (stage.smooth) {
            gl.bindFramebuffer(gl.READ_FRAMEBUFFER, stage.smooth);
            gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, stage.picture);
            gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT, gl.NEAREST);
        }
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, gl.canvas.width, gl.canvas.height);
        gl.useProgram(edges);
        gl.uniform2f(this.#at(edges, 'size'), gl.canvas.width, gl.canvas.height);
        for (const [index, [name, texture]] of /** @type {[string, WebGLTexture][]} */ ([['surfaces', stage.color], ['depths', stage.depth]]).entries()) {
            gl.activeTexture(gl.TEXTURE0 + index);
            gl.bindTexture(gl.TEXTURE_2D, texture);
            gl.uniform1i(this.#at(edges, name), index);
        }
        gl.activeTexture(gl.TEXTURE0);
        gl.uniform2fv(this.#at(edges, 'planes'), look.planes);
        gl.uniform1f(this.#at(edges, 'focal'), look.focal * share);
        gl.uniform1f(this.#at(edges, 'strength'), look.mode === 3 || look.wire ? 0 : 0.45);
        gl.bindVertexArray(null);
        gl.depthFunc(gl.ALWAYS);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.depthFunc(gl.LESS);
    }

    /** @param {Look} look @param {[number, number, number]} selection  the colour */
    draw(look, selection) {
        const gl = this.#gl, { width, height } = gl.canvas, programs = /** @type {any} */ (this.#programs);
        this.calls = 0;
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, width, height);
        gl.clearColor(...look.background, 1);
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LESS);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
        if (this.#scene) {
            this.#surfacesIn(look);
            for (const { runs, color } of this.tints) this.#mark(look, runs, [...color, 0.4]);
            this.#mark(look, this.hovered, [...selection, 0.16]);
            this.#mark(look, this.selected, [...selection, 0.42]);
        } else gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        if (!this.#pointCount) return;
        gl.enable(gl.BLEND);
        gl.depthMask(false);
        gl.depthFunc(gl.GREATER);
        this.#symbols(programs.symbols, look, 0.22);
        gl.depthFunc(gl.LEQUAL);
        this.#symbols(programs.symbols, look, 1);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
    }

    #makeTarget() {
        const gl = this.#gl, { width, height } = gl.canvas;
        if (this.#target && this.#targetSize[0] === width && this.#targetSize[1] === height) return;
        gl.deleteFramebuffer(this.#target);
        for (const part of this.#targetParts) part instanceof WebGLTexture ? gl.deleteTexture(part) : gl.deleteRenderbuffer(part);
        this.#target = gl.createFramebuffer();
        const color = gl.createTexture(), depth = gl.createRenderbuffer();
        gl.bindTexture(gl.TEXTURE_2D, color);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
        gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
        gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, color, 0);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
        this.#targetParts = [color, depth];
        this.#targetSize = [width, height];
    }

    /**
     * The object at a pixel, counted from the upper left: a triangle, a symbol, or nothing.
     * @param {Look} look @param {number} x @param {number} y @param {number} [around]  distance in pixels at which symbols are also found
     * @returns {{triangle: number} | {symbol: number} | null}
     */
    pick(look, x, y, around = 3) {
        const gl = this.#gl, { height } = gl.canvas, programs = /** @type {any} */ (this.#programs), side = 2 * around + 1;
        this.#makeTarget();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target);
        gl.viewport(0, 0, gl.canvas.width, height);
        gl.enable(gl.SCISSOR_TEST);
        const left = Math.round(x) - around, low = height - 1 - Math.round(y) - around;
        gl.scissor(left, low, side, side);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LESS);
        if (this.#scene) this.#surfacesWith(programs.ids, look, this.#runs);
        if (this.#pointCount) this.#symbols(programs.symbolIds, look, 1);
        const pixels = new Uint8Array(4 * side * side);
        gl.readPixels(left, low, side, side, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        gl.disable(gl.SCISSOR_TEST);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        const triangles = this.#scene?.triangles ?? 0, ids = new Uint32Array(pixels.buffer), middle = ids[around * side + around] ?? 0;
        if (middle > triangles) return { symbol: middle - triangles - 1 };
        const near = ids.find((one) => one > triangles);
        if (near) return { symbol: near - triangles - 1 };
        return middle ? { triangle: middle - 1 } : null;
    }

    /** Frees its resources. */
    close() {
        this.setScene(null);
        this.setSymbols(new Float32Array());
        this.#freeStage();
    }
}
