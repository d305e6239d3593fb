// SPDX-License-Identifier: MIT
/** The worker that owns the library, the open level and its bytes. The page uses `call` of library.js. */
import { Mapstone, slicesOf } from '../mapstone.js';
import { bake, markStrays, vertexBytes, worldMatrices } from './bake.js';
import { extentOf, straysOf } from './extent.js';
import { lightOf, meanOf } from './lamps.js';
import { cross, length, minus, plus, times } from './matrix.js';
import { lookPrint, meshNodes, surfacePrint } from './prints.js';
import { Served } from './served.js';
import { farSectors } from './world.js';

/** @typedef {import('../mapstone.js').Document} Document */
/** A file on a web server that serves parts of it. @typedef {{url: string, name: string, size: number}} Remote */
/** @typedef {{name: string, file: Blob | Uint8Array | Remote}} Given */
/** @typedef {{level?: string, map?: string, salvage?: boolean, named?: string, sample?: string, plain?: boolean}} Options  `level`: which of the files; `plain`: only bytes, whatever the format; `named`: like `level`, but it may be an archive, and the others then just accompany it */
/** A value: the document's number, and its path. @typedef {{doc: number, path: string}} Where */

const scope = /** @type {any} */ (globalThis);

/** @type {import('../mapstone.js').Mapstone | undefined} */ let library;
/** Modules, loaded or loading, by their names: `look` shows levels, `mapstone` has everything. @type {Map<string, Promise<WebAssembly.Module>>} */ const modules = new Map();
/** The module to load first. A page served by the command loads the complete one: the command may have ended before the first edit. */ let firstModule = 'look';
/** @type {Given[]} */ let given = [];
/** The members of the archive or disc image, if one was given. @type {{name: string, size: number, format?: string}[]} */ let held = [];
/** @type {import('../mapstone.js').Level[]} */ let levels = [];
/** @type {Document[]} */ let documents = [];
/** The level of each document, and its index there. @type {{level: import('../mapstone.js').Level, index: number}[]} */ let owners = [];
/** A function that opens a level, in any instance of the library. @typedef {(of: import('../mapstone.js').Mapstone) => import('../mapstone.js').Level} Opener */
/** The function that opened each level. @type {WeakMap<import('../mapstone.js').Level, Opener>} */ const openers = new WeakMap();
/** The steps of all levels, in order; `count`: their number of steps in the level's history. @type {{level: import('../mapstone.js').Level, label: string, doc: number, id: number, count: number}[]} */ let steps = [];
let position = 0, lastStep = 0;
/** The older level that the open one is compared with. @type {import('../mapstone.js').Level | null} */ let older = null;
/** Levels that are merged into the open one. @type {import('../mapstone.js').Level[]} */ let aside = [];
/** A cache of the results of `axes`. @type {Map<string, {columns: (number[] | null)[], whole: boolean}>} */ let axesOf = new Map();
/**
 * The scene that the page shows, without its arrays, and the numbers of its vertices.
 * @typedef {{scene: import('../mapstone.js').Scene, baked: Omit<ReturnType<typeof bake>, 'vertices'>, floats: Float32Array, matrices: Float64Array, print: string, lookPrint: string, means: number[][], fences: import('./extent.js').Fences | null}} Shown
 */
/** @type {Shown | null} */ let shown = null;
/** The chosen map, in a file that contains several. @type {string | undefined} */ let map;

/**
 * A file of the page, read by slices when the library needs them.
 * @param {Given['file']} file
 * @returns {import('../mapstone.js').Source}
 */
function source(file) {
    if (file instanceof Uint8Array) return file;
    return file instanceof Blob ? slicesOf(file) : new Served(file);
}

/** @param {Given} one @param {number} [length] */
async function firstBytes({ file }, length = 4096) {
    if (file instanceof Uint8Array) return file.subarray(0, length);
    return file instanceof Blob ? new Uint8Array(await file.slice(0, length).arrayBuffer()) : new Served(file).first(length);
}

/** @param {Given['file']} file */
const sizeOf = (file) => (file instanceof Uint8Array ? file.length : file.size);

/** @param {number} index @returns {Document} */
function document(index) {
    const found = documents[index];
    if (!found) throw new Error('This document is not open.');
    return found;
}

/** The documents' descriptions for the page. */
const summaries = () => documents.map((one) => one.information);

const level = () => {
    const [first] = levels;
    if (!first) throw new Error('Nothing is open.');
    return first;
};

/** @param {string} one @param {string} other */
const sameFile = (one, other) => one === other || one.endsWith(`/${other}`);

/** The values of a record or list, as an outline. @param {Where} where @param {number} [first] @param {number} [count] */
const tree = ({ doc, path }, first = 0, count = 200) => document(doc).tree(path, { first, count });

/** The part of the scene that contains a triangle of the picture. @param {number} triangle */
function partOf(triangle) {
    const parts = shown?.baked.parts ?? [];
    let low = 0, high = parts.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (/** @type {any} */ (parts[middle]).first <= triangle) low = middle + 1;
        else high = middle;
    }
    return parts[low - 1];
}

/** The number of the document of a file that a scene names, which is opened if necessary; -1 if there is none. @param {string | undefined} file @returns {number} */
function documentOf(file) {
    if (!file) return 0;
    const found = documents.findIndex((one) => {
        const { name, files } = one.information;
        return sameFile(name, file) || files.some((each) => sameFile(each.name, file));
    });
    if (found >= 0) return found;
    const name = [...held, ...given].find((one) => sameFile(one.name, file))?.name;
    if (!library || !name) return -1;
    const at = documents.length, files = given;
    addLevel((of) => of.openFiles(new Map(files.map((one) => [one.name, source(one.file)])), { name }));
    return at;
}

/** Whether a path is equal to another one, or below it. @param {string} path @param {string} above */
const isWithin = (path, above) => path === above || above === '' || (path.startsWith(above) && '.[@'.includes(path[above.length] ?? ''));

/** @param {Uint8Array} bytes */
async function digest(bytes) {
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {any} */ (bytes)));
    return [...sum].map((one) => one.toString(16).padStart(2, '0')).join('');
}

/** Opens a level. @param {Opener} open */
function openBy(open) {
    if (!library) throw new Error('The library could not be loaded.');
    const level = open(library);
    openers.set(level, open);
    return level;
}

/** Opens a level, and adds its documents to the list. @param {Opener} open */
function addLevel(open) {
    const level = openBy(open);
    levels.push(level);
    level.documents.forEach((one, index) => {
        documents.push(one);
        owners.push({ level, index });
    });
    return level;
}

/** Loads the module of that name. @param {string} name @returns {Promise<WebAssembly.Module>} */
function moduleOf(name) {
    const known = modules.get(name) ?? fetch(new URL(`../${name}.wasm`, import.meta.url)).then(async (response) => {
        if (!response.ok) throw new Error(`${name}.wasm could not be loaded.`);
        return response.headers.get('content-type') === 'application/wasm' ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
    });
    modules.set(name, known);
    known.catch(() => modules.delete(name)); // the next attempt may succeed
    return known;
}

/** Opens the levels again in the complete module, unless they are in it. There are no edits yet that could be lost. */
async function whole() {
    const module = await moduleOf('mapstone');
    if (!library || library.module === module) return;
    const was = { library, levels, documents, owners, older };
    try {
        [library, levels, documents, owners, older] = [new Mapstone(module), [], [], [], null];
        for (const one of was.levels) addLevel(/** @type {Opener} */ (openers.get(one)));
        if (was.older) older = openBy(/** @type {Opener} */ (openers.get(was.older)));
    } catch (error) {
        ({ library, levels, documents, owners, older } = was);
        throw error;
    }
    for (const one of [...was.levels, ...(was.older ? [was.older] : [])]) one.close();
    spare = undefined;
}

/** @param {number} doc */
function owner(doc) {
    const found = owners[doc];
    if (!found) throw new Error('This document is not open.');
    return found;
}

/** The steps for the page. */
const past = () => ({ steps: steps.map(({ label, doc, id }) => ({ label, doc, id })), position });

/** Records a step. @param {number} doc @param {string} label @param {number} [count] */
function addStep(doc, label, count = 1) {
    steps.splice(position, Infinity, { level: owner(doc).level, label, doc, id: ++lastStep, count });
    position++;
}

/** Undoes or redoes one step. @param {'undo' | 'redo'} way */
function go(way) {
    const step = steps[way === 'undo' ? position - 1 : position];
    for (let i = 0; i < (step?.count ?? 0); i++) step?.level.history()[way]();
    if (step) position += way === 'undo' ? -1 : 1;
    return { step: step && { label: step.label, doc: step.doc }, past: past(), documents: summaries() };
}

/** Opens files next to the open level. @param {Given[]} files */
function openAside(files) {
    const [only] = files, level = openBy((own) => (files.length === 1 && only ? own.open(source(only.file), { name: only.name }) : own.openFiles(new Map(files.map((one) => [one.name, source(one.file)])))));
    aside.push(level);
    return level;
}

/** Closes the levels opened by `openAside`. */
function closeAside() {
    for (const one of aside) one.close();
    aside = [];
}
/** The interface for elsewhere.js. @typedef {typeof inside} Inside */
const inside = {
    owner, openAside, closeAside, addStep, go, past, summaries, source, sceneOptions: () => sceneOptions(), level: () => level(),
    /** A second copy of a level, as it was opened. @param {import('../mapstone.js').Level} of */
    again(of) {
        const made = openBy(/** @type {Opener} */ (openers.get(of)));
        aside.push(made);
        return made;
    },
    /** The number of the last step; 0 if there is none. */
    last: () => steps[position - 1]?.id ?? 0,
    /** The number of the step to redo, if there is one. */
    next: () => steps[position]?.id ?? 0,
};

/** Which triangles are single-sided. @param {import('../mapstone.js').Scene} scene @param {Omit<ReturnType<typeof bake>, 'vertices'>} baked */
function singleSided({ materials }, { batches, triangles }) {
    const single = new Uint8Array(triangles);
    for (const { material, first, count } of batches) if (materials[material]?.doubleSided === false) single.fill(1, first, first + count);
    return (/** @type {number} */ triangle) => single[triangle] === 1;
}

/** Names and positions of places, each name once. @param {import('../mapstone.js').Scene} scene @param {Float64Array} matrices */
function placesOf(scene, matrices) {
    /** @type {Map<string, number[]>} */ const found = new Map();
    scene.nodes.forEach(({ label }, index) => label && !found.has(label) && found.set(label, [...matrices.subarray(12 * index + 9, 12 * index + 12)]));
    return [...found].map(([name, at]) => ({ name, at }));
}

/** The lighting of a scene, and the extent to be framed. @param {import('../mapstone.js').Scene} scene @param {Float64Array} matrices @param {Float32Array} floats @param {Omit<ReturnType<typeof bake>, 'vertices'>} baked @param {number[][]} [means]  of its images */
function lookOf(scene, matrices, floats, baked, means = scene.images.map(meanOf)) {
    const of = { floats, words: vertexBytes / 4, triangles: baked.seen, batches: baked.batches, isSingle: singleSided(scene, baked) };
    const things = scene.nodes.flatMap(({ role }, index) => (['entity', 'light', 'camera'].includes(role) ? [[...matrices.subarray(12 * index + 9, 12 * index + 12)]] : []));
    const extent = extentOf(of, things, scene.gridStep);
    return { extent, look: lightOf(scene, matrices, of, extent, means) };
}

/** Frees the arrays of a scene that only drawing needs: the page has them. @param {import('../mapstone.js').Scene} scene */
function forgetArrays(scene) {
    for (const mesh of scene.meshes)
        for (const one of mesh.primitives) Object.assign(one, { positions: new Float32Array(), normals: undefined, texcoords: undefined, colors: undefined, ...(one.indices ? { indices: new Uint32Array() } : null), ...(one.elements ? { elements: one.elements.slice() } : null) });
    for (const one of scene.images) one.pixels = new Uint8Array();
}

/** Converts a point from a node's coordinates to the world's. @param {Float64Array} m @param {number[]} point */
const inWorld = (m, [x = 0, y = 0, z = 0]) => [0, 1, 2].map((row) => (m[row] ?? 0) * x + (m[3 + row] ?? 0) * y + (m[6 + row] ?? 0) * z + (m[9 + row] ?? 0));

/** @param {number} length @param {number} axis @param {number} value */
const columnOf = (length, axis, value) => Array.from({ length }, (_, each) => (each === axis ? value : 0));

/** The first byte that differs, and the number of differing bytes. @param {Uint8Array} now @param {Uint8Array} old */
function differing(now, old) {
    let first = 0;
    const shorter = Math.min(now.length, old.length);
    while (first < shorter && now[first] === old[first]) first++;
    if (first === shorter && now.length === old.length) return null;
    let bytes = Math.abs(now.length - old.length);
    if (bytes) {
        let tail = 0;
        while (tail < shorter - first && now[now.length - 1 - tail] === old[old.length - 1 - tail]) tail++;
        bytes = Math.max(now.length, old.length) - first - tail;
    } else for (let i = first; i < shorter; i++) bytes += Number(now[i] !== old[i]);
    return { first, bytes };
}

const nothing = () => ({ given: [], held: [], levels: [], documents: [], owners: [], steps: [], position: 0, older: null, aside: [], axesOf: new Map(), shown: null, map: undefined });
/** The complete state of the open level. */
const everything = () => ({ library, given, held, levels, documents, owners, steps, position, older, aside, axesOf, shown, map });
/** @param {ReturnType<typeof everything>} all */
const restore = (all) => ({ library, given, held, levels, documents, owners, steps, position, older, aside, axesOf, shown, map } = all);

/** A newly opened level, until the page replaces the open one with it. @type {ReturnType<typeof everything> | null} */ let candidate = null;
/** An instance of the library without an open level. @type {import('../mapstone.js').Mapstone | undefined} */ let spare;

function close() {
    for (const one of levels) one.close();
    older?.close();
    closeAside();
    restore({ library, ...nothing() });
}

/** Closes a newly opened level that is not wanted. */
function dropCandidate() {
    if (!candidate) return;
    const open = everything();
    restore(candidate);
    candidate = null;
    close();
    if (library !== open.library) spare = library;
    restore(open);
}

/** The files that the library reads: if an archive is named, it alone. @param {import('../mapstone.js').Mapstone} of @param {Given[]} files @param {string | undefined} named */
function meant(of, files, named) {
    const one = files.find(({ name }) => name === named), inside = one ? of.members(new Map([[one.name, source(one.file)]]), { identify: false }) : [];
    return one && (inside.length !== 1 || inside[0]?.name !== one.name) ? [one] : files;
}

/** The files whose formats are recognized by their first bytes. @param {import('../mapstone.js').Mapstone} of @param {Given[]} files */
async function identified(of, files) {
    const known = [];
    for (let i = 0; i < files.length; i += 16) {
        const some = files.slice(i, i + 16), heads = await Promise.all(some.map((one) => firstBytes(one)));
        for (const [index, { name, file }] of some.entries()) {
            const format = of.identify(heads[index] ?? new Uint8Array(), name, sizeOf(file));
            if (format) known.push({ name, id: format.id, title: format.title, size: sizeOf(file) });
        }
    }
    return known;
}

/** Opens files in an instance without an open level. @param {import('../mapstone.js').Mapstone} of @param {Given[]} all @param {Options} options */
async function openIn(of, all, options) {
    const files = (given = meant(of, all, options.named)), [only] = files, { salvage = false, level: wanted = files.length > 1 ? options.named : undefined } = options;
    if (!only) throw new Error('There is no file.');
    if (options.plain) {
        const { plainLevel } = await import('./plain.js');
        addLevel(() => plainLevel(source(only.file), only.name));
        return { known: [], files: [only.name], documents: summaries(), warnings: [] };
    }
    const sources = new Map(files.map((one) => [one.name, source(one.file)]));
    held = files.length === 1 ? of.members(sources) : [];
    const archive = held.length > 1 || (held.length === 1 && held[0]?.name !== only.name), titles = new Map(of.formats().map(({ id, title }) => [id, title]));
    const known = archive ? held.flatMap(({ name, size, format: id }) => (id ? [{ name, id, title: titles.get(id) ?? id, size }] : [])) : await identified(of, files);
    if (archive && !known.length) throw new Error(`None of the ${held.length} files in ${only.name} has a known format.`);
    if (!archive) held = [];
    const far = archive ? null : farSectors(known, wanted), name = far ? undefined : wanted, answer = { known, files: files.map((one) => one.name) };
    for (const one of far?.out ?? []) sources.delete(one);
    let opened;
    if (files.length === 1 && !archive) opened = addLevel((own) => own.open(source(only.file), { name: only.name, salvage }));
    else {
        try {
            opened = addLevel((own) => own.openFiles(sources, { name, salvage }));
        } catch (error) {
            const { status, finding } = /** @type {any} */ (error);
            const [one, two] = known;
            if (!wanted && status === 'wrong argument' && files.length === 2 && one && two && one.id === two.id) {
                const [oldFile, newFile] = files;
                older = openBy((own) => own.open(source(/** @type {Given} */ (oldFile).file), { name: one.name.replace(/^A\//, ''), salvage }));
                opened = addLevel((own) => own.open(source(/** @type {Given} */ (newFile).file), { name: two.name.replace(/^B\//, ''), salvage }));
                return { ...answer, documents: summaries(), warnings: opened.warnings, compared: { old: one.name, now: two.name } };
            }
            const first = known.find((one) => (far ? one.name === far.middle : String(finding?.expected ?? '').includes(one.name)));
            if (name || status !== 'wrong argument' || !first) throw error;
            opened = addLevel((own) => own.openFiles(sources, { name: first.name, salvage })); // the page lists the others
        }
    }
    map = options.map;
    const warnings = [...opened.warnings];
    if (far) warnings.push({ code: '', severity: 'information', path: '', message: `${far.sectors - far.out.size} of ${far.sectors} sectors are open, around ${far.middle}: more do not fit into the memory of a browser. Choose another in the list of files, at the upper left.` });
    return { ...answer, documents: summaries(), warnings };
}

/** A value in a few words: its name, or its JSON. @param {any} value */
function brief(value) {
    const named = value && typeof value === 'object' && !Array.isArray(value) ? (value.class_name ?? value.name) : value, text = typeof named === 'string' ? named : JSON.stringify(named ?? value);
    return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** @template T @param {() => T} read */
function orNull(read) {
    try {
        return read();
    } catch {
        return null;
    }
}

/** The page's options for scenes. */
const sceneOptions = () => ({ noMarkers: true, maxTexture: 1024, map });

/** The methods that the page can call; an answer can list buffers to be transferred instead of copied. */
const methods = {
    /**
     * Opens the only level of files, or the named one, next to the open level, until `take` or `drop`.
     * @param {Given[]} files @param {Options} options
     */
    async open(files, options) {
        library ??= new Mapstone(await moduleOf(firstModule));
        dropCandidate();
        Served.forget();
        const open = everything(), of = open.levels.length ? (spare ?? new Mapstone(library.module)) : library;
        restore({ ...nothing(), library: of });
        try {
            const result = await openIn(of, files, options);
            candidate = everything();
            if (of === spare) spare = undefined;
            return { result };
        } catch (error) {
            close();
            // A failure may have left the instance in a bad state.
            if (of === open.library) open.library = new Mapstone(of.module);
            else spare = undefined;
            throw error;
        } finally {
            restore(open);
        }
    },

    /** Replaces the open level with the newly opened one. */
    take() {
        if (!candidate) throw new Error('Nothing was opened.');
        const next = candidate, before = library;
        candidate = null;
        close();
        if (before !== next.library) spare = before;
        restore(next);
        return { result: null };
    },

    /** Keeps the open level, and closes the newly opened one. */
    drop() {
        dropCandidate();
        return { result: null };
    },

    /** Closes the open level. */
    close() {
        close();
        return { result: null };
    },

    /** The documents, including those that were opened to show something in them. */
    documents: () => ({ result: summaries() }),

    /** The size of the library's memory, in bytes. */
    memory: () => ({ result: library?.memory ?? 0 }),

    tree: (/** @type {Where} */ where, /** @type {number} */ first, /** @type {number} */ count) => ({ result: tree(where, first, count) }),
    get: (/** @type {Where} */ { doc, path }) => ({ result: document(doc).get(path) }),
    entities() {
        /** @type {Map<string, number>} */ const found = new Map();
        return { result: level().entities().map((one) => {
            const doc = found.get(one.file) ?? documentOf(one.file);
            found.set(one.file, doc);
            return { ...one, doc };
        }) };
    },

    /** Values and fields that match a text. @param {string} text @param {number} most */
    find: async (text, most) => ({ result: (await import('./values.js')).findValues(documents, `${position}/${steps[position - 1]?.id}`, text, most) }),

    /** The descriptions of values; null for those without one. @param {number} doc @param {string[]} paths */
    describe: (doc, paths) => ({ result: paths.map((path) => orNull(() => document(doc).describe(path))) }),

    /** The references from a value or, with `inwards`, to it. @param {Where} where @param {boolean} [inwards] */
    references: ({ doc, path }, inwards = false) => ({ result: orNull(() => document(doc).references(path, { inwards })) ?? [] }),

    /** Findings of every document, with its number. */
    check() {
        return { result: documents.flatMap((one, doc) => one.check({ information: true }).findings.map((finding) => ({ ...finding, doc }))) };
    },

    /**
     * The scene for the page's renderer; `again`: after an edit; if the surfaces are the same, only the rest is returned.
     * @param {{noTextures?: boolean, older?: boolean, again?: boolean}} given
     */
    scene({ older: old = false, again = false, ...options }) {
        const scene = (old && older ? older : level()).scene({ ...sceneOptions(), ...options });
        const matrices = worldMatrices(scene.nodes), print = surfacePrint(scene, matrices), { name, format, unitMetres, minimum, maximum, materials } = scene;
        const links = scene.links.map(({ from, to }) => [inWorld(matrices, from), inWorld(matrices, to)]), rest = { links, places: placesOf(scene, matrices), name, format, unitMetres, minimum, maximum };
        if (again && !old && shown?.print === print) {
            const moved = new Map(meshNodes(shown.scene.nodes).map((node, index) => [node, meshNodes(scene.nodes)[index] ?? -1]));
            shown.baked.parts.forEach((one) => (one.node = moved.get(one.node) ?? -1));
            forgetArrays(scene);
            shown = { ...shown, scene, matrices };
            return { result: { ...rest, same: true } };
        }
        // After an edit, the light follows later, and the extent of the level is kept.
        const { vertices, ...baked } = bake(scene), floats = new Float32Array(vertices), before = again && !old ? shown : null, made = before ? null : lookOf(scene, matrices, floats, baked), fences = made?.extent.fences ?? before?.fences ?? null;
        const strays = made?.extent.strays ?? (fences ? straysOf({ floats, words: vertexBytes / 4, triangles: baked.seen }, fences) : new Uint8Array());
        markStrays(vertices, strays);
        const images = scene.images.map((one) => ({ name: one.name, width: one.width, height: one.height, pixels: one.pixels.slice() })), means = scene.images.map(meanOf);
        if (!old) shown = { scene, baked, floats: floats.slice(), matrices, print, lookPrint: made ? lookPrint(scene, matrices) : '', means, fences };
        forgetArrays(scene);
        const seen = made ? { look: made.look, points: made.extent.points, steep: made.extent.steep } : null;
        return { result: { ...baked, ...rest, ...seen, vertices, materials, images }, transfer: [vertices, ...(made?.look.light?.cells.map((one) => one.buffer) ?? []), ...images.map((one) => one.pixels.buffer)] };
    },

    /** The light and the strays, after things were moved or lamps changed; null if they are the same. */
    look() {
        const print = shown && lookPrint(shown.scene, shown.matrices);
        if (!shown || print === shown.lookPrint) return { result: null };
        shown.lookPrint = print ?? '';
        const { extent: { strays, points, steep, fences }, look } = lookOf(shown.scene, shown.matrices, shown.floats, shown.baked, shown.means);
        shown.fences = fences;
        return { result: { strays, points, steep, look }, transfer: [...(look.light?.cells.map((one) => one.buffer) ?? [])] };
    },

    /** The value that a triangle comes from. @param {number} triangle */
    origin(triangle) {
        const part = partOf(triangle), origin = part && shown?.scene.originOf(part.node, part.primitive, triangle - part.first);
        if (!origin) return { result: null };
        const { layer = '', role = '' } = shown?.baked.groups[part.group] ?? {};
        return { result: { doc: documentOf(origin.file), path: origin.path, layer, role } };
    },

    /** Runs of triangles that come from a value or its contents. @param {Where} where @param {number} most */
    triangles({ doc, path }, most = 20000) {
        /** @type {number[]} */ const runs = [];
        if (!shown || !path) return { result: runs };
        const { scene, baked } = shown, files = new Map();
        const fits = (/** @type {string | undefined} */ file) => {
            if (!files.has(file ?? '')) files.set(file ?? '', documentOf(file) === doc);
            return files.get(file ?? '');
        };
        for (const one of baked.parts) {
            const node = scene.nodes[one.node], part = scene.meshes[node?.mesh ?? -1]?.primitives[one.primitive];
            const origin = part?.source ?? node?.source;
            if (!part || !origin || !fits(origin.file ?? node?.source?.file)) continue;
            const list = origin.path, index = part.source && part.elements ? undefined : origin.index;
            const own = index === undefined ? list : `${list}[${index}]`;
            if (isWithin(own, path) || (node?.source?.path && isWithin(node.source.index === undefined ? node.source.path : `${node.source.path}[${node.source.index}]`, path))) {
                runs.push(one.first, one.count);
            } else if (part.source && part.elements && path.startsWith(`${list}[`)) {
                const wanted = Number.parseInt(path.slice(list.length + 1), 10);
                if (!/^\d+\]/.test(path.slice(list.length + 1))) continue;
                for (let i = 0; i < one.count && runs.length < 2 * most; i++) if (part.elements[i] === wanted) runs.push(one.first + i, 1);
            } else if (index !== undefined && isWithin(path, own) && path !== list) runs.push(one.first, one.count);
        }
        return { result: runs };
    },

    /** The box around runs of triangles; the mean of the directions that they face, by area: as long as they agree; and the middle of the largest triangle. @param {number[]} runs */
    bounds(runs) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], front = [0, 0, 0], words = vertexBytes / 4;
        const place = (/** @type {number} */ corner) => /** @type {import('./matrix.js').Vector} */ ([0, 1, 2].map((axis) => shown?.floats[corner * words + axis] ?? 0));
        let area = 0, largest = 0, on = front;
        for (let run = 0; run < runs.length; run += 2) {
            const first = 3 * (runs[run] ?? 0), end = first + 3 * (runs[run + 1] ?? 0);
            for (let corner = first; corner < end; corner += 3) {
                const a = place(corner), b = place(corner + 1), c = place(corner + 2);
                for (const at of [a, b, c])
                    for (let axis = 0; axis < 3; axis++) {
                        low[axis] = Math.min(/** @type {number} */ (low[axis]), /** @type {number} */ (at[axis]));
                        high[axis] = Math.max(/** @type {number} */ (high[axis]), /** @type {number} */ (at[axis]));
                    }
                const normal = cross(minus(b, a), minus(c, a));
                const size = length(normal);
                area += size;
                if (size > largest) [largest, on] = [size, times(plus(plus(a, b), c), 1 / 3)];
                for (let axis = 0; axis < 3; axis++) front[axis] = (front[axis] ?? 0) + (normal[axis] ?? 0);
            }
        }
        return { result: low[0] === Infinity ? null : { low, high, front: front.map((value) => value / (area || 1)), on } };
    },

    /** The library's picture from above. @param {import('../mapstone.js').PictureOptions} options */
    picture(options) {
        const picture = level().picture({ map, ...options });
        return { result: picture, transfer: [picture.pixels.buffer] };
    },

    /** The bytes of a value. @param {Where} where */
    spans: ({ doc, path }) => ({ result: document(doc).at(path) }),

    /** Bytes of a file, or of the unpacked content of some of them, with their fields. @param {number} doc @param {import('../mapstone.js').Range} range */
    fields(doc, range) {
        const bytes = document(doc).bytes(range);
        return { result: { bytes, fields: document(doc).fields(range) }, transfer: [bytes.buffer] };
    },

    /** The nearest match of bytes or a text at or after an offset, or before it; otherwise in the rest of the file; null if there is none. @param {number} doc @param {{file: number, packed: number}} place @param {string} text @param {number} from @param {boolean} backwards */
    async seek(doc, place, text, from, backwards) {
        const { seek, wantedOf } = await import('./seek.js'), one = document(doc), wanted = wantedOf(text), read = (/** @type {number} */ offset, /** @type {number} */ length) => one.bytes({ ...place, offset, length });
        if (!wanted) return { result: null };
        const [run] = place.packed >= 0 ? one.fields({ file: place.file, offset: place.packed, length: 1 }) : [], size = run?.unpackedSize ?? one.information.files[place.file]?.size ?? 0;
        const first = seek(read, size, wanted, from, backwards), at = first < 0 ? seek(read, size, wanted, backwards ? size : 0, backwards) : first;
        return { result: at < 0 ? null : { at, length: wanted.bytes.length, wrapped: first < 0 } };
    },

    /** Loads the module that edits levels, before it is needed. */
    async warm() {
        await moduleOf('mapstone').catch(() => undefined); // the first edit reports why it could not be loaded
        return { result: null };
    },

    /**
     * Applies operations as one step, all or none. `also`: operations on other documents of the level; `patch`: a patch instead of operations.
     * @param {number} doc @param {import('../mapstone.js').Operation[]} operations
     * @param {import('../mapstone.js').EditOptions & {label?: string, also?: {doc: number, operations: import('../mapstone.js').Operation[]}[], patch?: string}} options
     */
    async edit(doc, operations, { also = [], patch, ...options }) {
        await whole();
        const history = owner(doc).level.history(), [first] = operations, label = options.label ?? (typeof first === 'string' ? first : `${first?.op} ${first?.path}`);
        /** @type {Pick<ReturnType<typeof history.edit>, 'changes' | 'findings' | 'step'>[]} */ const made = [];
        const count = () => made.filter(({ step }) => step).length;
        try {
            if (patch) {
                history.applyPatch(patch, { document: owner(doc).index, label, force: true });
                made.push({ changes: [], findings: [], step: history.steps.at(-1) ?? null });
            } else for (const one of [{ doc, operations }, ...also]) made.push(history.edit(one.operations, { ...options, document: owner(one.doc).index, label }));
        } catch (error) {
            if (count()) steps.length = position;
            for (let i = count(); i > 0; i--) history.undo();
            throw error;
        }
        if (count()) addStep(doc, label, count());
        return { result: { changes: made.flatMap((one) => one.changes), findings: made.flatMap((one) => one.findings), past: past(), documents: summaries() } };
    },

    /** An image stored in a document; `at`: the offset of its pixels in the file if it has one byte for each, or -1. @param {number} doc @param {number} index @param {number} [level]  a mip level */
    async image(doc, index, level) {
        await whole();
        const image = document(doc).image(index, level), { placeOf } = await import('./rebyte.js');
        return { result: { ...image, at: image.palette ? placeOf(document(doc).save(), image.pixels) : -1 }, transfer: [image.pixels.buffer] };
    },

    /** The classes of the game. @param {number} doc */
    async classes(doc) {
        await whole();
        return { result: document(doc).classes() };
    },

    /** Changes made elsewhere: `act` is a function of elsewhere.js. @param {string} act @param {...any} rest */
    async elsewhere(act, ...rest) {
        await whole();
        return { result: await /** @type {any} */ (await import('./elsewhere.js'))[act](inside, ...rest) };
    },

    /**
     * How moves of a thing in the file's coordinates appear in the world: for each of the file's axes the vector of a move by 1, in metres (null: it
     * cannot be moved along it), and whether it moves by whole numbers only. A second copy of the level is moved to find out.
     * @param {Where} where
     */
    async axes({ doc, path }) {
        await whole();
        const key = `${doc}|${path.replace(/\[[^\]]*\]$/, '')}`, { level: of, index } = owner(doc);
        let found = axesOf.get(key);
        if (!found) {
            const copy = openBy(/** @type {Opener} */ (openers.get(of))), one = copy.documents[index] ?? copy, { name } = one.information;
            const at = () => copy.entities().find((each) => each.path === path && (!each.file || sameFile(name, each.file)))?.world ?? [0, 0, 0];
            /** @param {number[]} by @returns {number[] | null} */
            const moved = (by) => {
                const before = at();
                try {
                    one.edit(`move ${path} by ${by.join(',')}`, { force: true });
                } catch {
                    return null;
                }
                const after = at(), to = after.map((value, axis) => value - (before[axis] ?? 0));
                return to.some((value) => Math.abs(value) > 1e-9) ? to : null;
            };
            try {
                /** @type {(number[] | null)[]} */ let columns = [];
                for (let count = 3; count > 1 && !columns.some(Boolean); count--) columns = Array.from({ length: count }, (_, axis) => moved(columnOf(count, axis, 1)));
                const free = columns.findIndex((each) => each !== null);
                axesOf.set(key, (found = { columns, whole: free < 0 || !moved(columnOf(columns.length, free, 0.25)) }));
            } finally {
                copy.close();
            }
        }
        return { result: found };
    },

    undo: () => ({ result: go('undo') }),
    redo: () => ({ result: go('redo') }),

    /** The differences from the files as they were opened, or from the older level. */
    async changes() {
        if (older) await whole();
        if (older) {
            const changes = older.diff(document(0)).map((change) => ({ doc: 0, change }));
            return { result: { changes, olderThings: older.entities(), digests: [{ doc: 0, old: await digest(older.save()), now: await digest(document(0).save()) }] } };
        }
        const edited = documents.map((one, doc) => ({ one, doc })).filter(({ one }) => one.information.edited);
        const changes = edited.flatMap(({ doc }) => owner(doc).level.history().changes({ document: owner(doc).index }).map((change) => ({ doc, change })));
        const digests = [];
        for (const { one, doc } of edited.slice(0, 4)) digests.push({ doc, old: await digest(original(doc).save()), now: await digest(one.save()) });
        return { result: { changes, digests } };
    },

    /**
     * The triangles of the level, and of the older one, that belong to differences; and the corners of removed ones.
     * @param {{added: string[], changed: string[], removed: string[], before: string[]}} paths  `before`: the paths of changed elements in the older one
     */
    async marks({ added, changed, removed, before }) {
        if (!older || !shown) return { result: null };
        const { runsOf, cornersOf } = await import('./marks.js'), scene = older.scene(sceneOptions()), { vertices, parts } = bake(scene), now = { scene: shown.scene, parts: shown.baked.parts }, then = { scene, parts }, gone = runsOf(then, removed);
        const ghosts = cornersOf(new Float32Array(vertices), vertexBytes / 4, gone, 3000);
        return { result: { now: { added: runsOf(now, added), changed: runsOf(now, changed) }, then: { removed: gone, changed: runsOf(then, before) }, ghosts }, transfer: [ghosts.buffer] };
    },

    /** The patch that turns the original file into the document. @param {number} doc */
    async patch(doc) {
        await whole();
        return { result: older ? older.patchTo(document(0)) : owner(doc).level.history().patch({ document: owner(doc).index }) };
    },

    /** A document as exact JSON. @param {number} doc */
    async json(doc) {
        await whole();
        return { result: document(doc).dump() };
    },

    /** The level as a glTF model; `forEditing`: a model that can be imported again. @param {boolean} [forEditing] */
    async model(forEditing = false) {
        await whole();
        const bytes = level().model('glb', { map, noMarkers: !forEditing, forEditing });
        return { result: bytes, transfer: [bytes.buffer] };
    },

    /** The number of the document of a file, which is opened if necessary; -1 if there is none. @param {string} name */
    documentOf(name) {
        const open = documents.findIndex((one) => one.information.name === name);
        return { result: open < 0 ? documentOf(name) : open };
    },

    /** The matches of a selector in all documents. @param {string} text @param {number} most */
    matches(text, most) {
        /** @type {{doc: number, path: string, text: string}[]} */ const rows = [];
        let count = 0, /** @type {any} */ why;
        for (const [doc, one] of documents.entries())
            try {
                const found = one.get(text), all = Array.isArray(found) && found.every((each) => typeof each?.path === 'string' && 'value' in each) ? found : [{ path: one.tree(text, { count: 0 }).row.path, value: found }];
                if (!all.length) one.tree(text, { count: 0 }); // throws the reason why nothing matches
                count += all.length;
                for (const { path, value } of all.slice(0, most - rows.length)) rows.push({ doc, path, text: brief(value) });
            } catch (error) {
                why ??= error;
            }
        if (!count && why) throw why;
        return { result: { count, rows } };
    },

    /** All bytes of a file, their digest, and their difference from the original. @param {number} doc @param {number} [file] */
    async save(doc, file = 0) {
        const one = document(doc), bytes = one.save(file);
        return { result: { bytes, digest: await digest(bytes), differing: one.information.edited ? differing(bytes, original(doc).save(file)) : null }, transfer: [bytes.buffer] };
    },
};

/** A document as it was opened. @param {number} doc @returns {Document} */
function original(doc) {
    const { level: of, index } = owner(doc), { original: before } = of.history();
    return before.documents[index] ?? before;
}

/** @param {any} error */
const reason = (error) => ({ message: String(error?.message ?? error), finding: error?.finding, details: error?.details, status: error?.status });

// Requests run in order: opening waits for files.
let last = Promise.resolve();
scope.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.wasm && !modules.size) for (const name of ['look', 'mapstone']) modules.set(name, modules.get('look') ?? WebAssembly.compile(data.wasm)); // a single-file page has one module
    if (data.first) firstModule = data.first;
    if (!data.id) return void moduleOf(firstModule).catch(() => undefined); // starts loading
    last = last.then(async () => {
        try {
            const method = /** @type {any} */ (methods)[data.method];
            if (!method) throw new Error(`The worker has no ${data.method}.`);
            const { result, transfer = [] } = await method(...data.given);
            scope.postMessage({ id: data.id, result }, transfer);
        } catch (error) {
            scope.postMessage({ id: data.id, error: reason(error) });
        }
    });
};
