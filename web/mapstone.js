// SPDX-License-Identifier: MIT
/**
 * Opens, checks, shows, edits, compares and saves game levels, in Node and in browsers. The work is done by
 * mapstone.wasm, which is libmapstone; nothing leaves the machine.
 *
 *     import { open } from 'mapstone';
 *     const level = await open(bytes, { name: 'a.level' });
 *     level.set('objects[0].class_name', 'location');
 *     const edited = level.save();
 *     level.close();
 *
 * Paths, selectors, edit scripts, patches and JSON are the same as in the command (`mapstone help`). A failing call throws a
 * MapstoneError and changes nothing.
 *
 * @module
 */

/**
 * @typedef {Uint8Array | ArrayBuffer | Slices} Source  bytes, or an object that reads slices of them on demand
 * @typedef {object} Slices
 * @property {number} size
 * @property {(offset: number, length: number) => Uint8Array} read
 *
 * @typedef {Record<string, Source> | Map<string, Source>} Files  by name, with '/' between directories
 *
 * @typedef {object} OpenOptions
 * @property {string} [name]      the file's name: some formats are recognized only by it
 * @property {Files} [sidecars]   files that belong to it: textures, the other file of a pair, further sectors
 * @property {string} [format]    an id; otherwise the content decides
 * @property {boolean} [salvage]  open a damaged file as far as possible; `warnings` lists the parts left out
 * @property {boolean} [lenient]  for JSON: missing values are zero or empty
 *
 * @typedef {object} Format
 * @property {string} id
 * @property {string} title
 * @property {string} extensions  separated by spaces
 * @property {string} versions
 * @property {string} rows        the lists that tables show, separated by spaces
 *
 * @typedef {object} Finding  a diagnosis, as `mapstone check --json` prints it
 * @property {'information' | 'warning' | 'error'} severity
 * @property {string} code
 * @property {string} path
 * @property {string} message
 * @property {string} [status]
 * @property {string} [file]
 * @property {number} [offset]
 * @property {number} [length]
 * @property {number} [inner_offset]  in the unpacked content of the bytes at `offset`
 * @property {string} [offset_file]
 * @property {string} [expected]
 * @property {string} [found]
 *
 * @typedef {object} Place  the place of bytes: in a file, in unpacked content of one, or in none
 * @property {'made' | 'file' | 'packed'} kind
 * @property {number} [file]
 * @property {number} [offset]
 * @property {number} [length]
 * @property {number} [inner]
 * @property {number} [innerLength]
 *
 * @typedef {object} Range  bytes of a document's file
 * @property {number} [file]
 * @property {number} offset
 * @property {number} [length]
 * @property {number} [packed]  offset of packed bytes: the range is in their unpacked content
 *
 * @typedef {object} Field  a field in the bytes of a file
 * @property {number} offset  of the whole field, in the file or the unpacked content
 * @property {number} length
 * @property {string} path    of the value; for bytes without a path, of the value that they belong to
 * @property {string} name    of the field; for other bytes their kind: "count", "padding"
 * @property {'field' | 'derived' | 'padding' | 'gap' | 'raw' | 'packed'} class
 * @property {number} [unpackedSize]  of packed bytes
 * @property {Row['type']} [type]     for a value, as in its row
 * @property {string} [kind]
 * @property {string} [text]
 *
 * @typedef {object} Description  facts about a value; for a list of numbers, about each of them
 * @property {string} path
 * @property {string} name
 * @property {Row['type']} type
 * @property {string} kind
 * @property {string} [unit]
 * @property {string} [documentation]
 * @property {number} [count]
 * @property {'parts' | 'number' | 'text' | 'named' | 'flags' | 'element' | 'derived' | 'unknown'} meaning
 * @property {{value: number, name: string, words?: string}[]} [names]  for flags `value` is the bit's number
 * @property {{list: string, path?: string, key?: string, bits?: boolean, none?: number}} [refers]  it refers to an element of the list at `path`, by the
 *                                   value of its field `key`, else by its index; `bits`: each bit refers to one; `none`: the value for none
 * @property {number} [minimum]  the least value that it can store
 * @property {number} [maximum]
 * @property {number} [limit]    the most bytes of a text
 * @property {boolean} derived   it is computed from other values and cannot be set
 * @property {boolean} place     it has a position: operations move it
 * @property {boolean} turns     and rotate it
 *
 * @typedef {{path: string, to: string}} Reference  a number that refers to an element, and the element
 *
 * @typedef {object} Row  a value in an outline
 * @property {string} name
 * @property {string} path
 * @property {'none' | 'bool' | 'integer' | 'real' | 'text' | 'bytes' | 'record' | 'list'} type
 * @property {string} kind  the format's name of the type: "u32", "f32[3]"
 * @property {string} [unit]
 * @property {string} [documentation]
 * @property {number} [count]  elements of a list, fields of a record
 * @property {string} [label]  distinguishes a record from others: its class or name
 * @property {string} [text]   the value in a few words
 * @property {unknown} [value] of scalars and short lists
 * @property {Place} [place]
 *
 * @typedef {object} Change
 * @property {'set' | 'add' | 'remove' | 'move'} change
 * @property {string} path
 * @property {unknown} [old]
 * @property {unknown} [new]
 *
 * @typedef {string | Record<string, unknown>} Operation  a line of an edit script, or {op, path, new, ...}
 *
 * @typedef {object} EditOptions
 * @property {boolean} [each]       selectors may match several values
 * @property {boolean} [cascade]    references to removed elements are cleared or removed
 * @property {boolean} [keepLoose]  keep elements that only removed ones referred to
 * @property {boolean} [force]      apply even if there are new errors
 * @property {boolean} [dryRun]     change nothing
 *
 * @typedef {object} Conflict  a conflict of a merge, in the form of `mapstone conflicts --json`
 * @property {'value' | 'removed-by-ours' | 'removed-by-theirs' | 'ambiguous'} conflict
 * @property {string} path        in the base document
 * @property {string} now         in the result; '' if it is missing there
 * @property {string} [label]     the element's name
 * @property {string} [changed]   of an element that theirs removed: the path, below it, of the value that ours changed
 * @property {'ours' | 'theirs' | 'value'} [resolved]  the choice that resolved it
 * @property {unknown} [base]
 * @property {unknown} [ours]
 * @property {unknown} [theirs]
 *
 * @typedef {'ours' | 'theirs' | {value: unknown}} Choice  how to resolve a conflict
 *
 * @typedef {object} Entity
 * @property {string} className
 * @property {string} name
 * @property {string} layer
 * @property {string} role
 * @property {number[]} position  in the file's coordinates
 * @property {number[]} rotation  a quaternion x, y, z, w
 * @property {number[]} world     in metres, Y up
 * @property {string} file
 * @property {string} path
 * @property {number} node        of the scene without markers
 *
 * @typedef {object} Origin  the source of a node or triangle
 * @property {string} path
 * @property {string} [file]   "" or none: the level's first document
 * @property {number} [index]  the element of the list at `path`
 *
 * @typedef {object} SceneNode
 * @property {string} name
 * @property {'group' | 'geometry' | 'collision' | 'helper' | 'entity' | 'light' | 'camera'} role
 * @property {string} [className]
 * @property {string} [layer]
 * @property {string} [label]
 * @property {string} [tag]
 * @property {number} [parent]
 * @property {number} [mesh]
 * @property {number} [light]
 * @property {number} [camera]
 * @property {'x' | 'y' | 'z'} [facing]  the local axis that an entity faces along
 * @property {number[]} translation
 * @property {number[]} rotation
 * @property {number[]} scale
 * @property {Origin} [source]
 *
 * @typedef {object} Primitive  triangles of one material
 * @property {number} [material]
 * @property {number} vertexCount
 * @property {number} indexCount
 * @property {Float32Array} positions
 * @property {Float32Array} [normals]
 * @property {Float32Array} [texcoords]
 * @property {Float32Array} [colors]
 * @property {Uint32Array} [indices]
 * @property {(number | null)[]} minimum  of the positions
 * @property {(number | null)[]} maximum
 * @property {Uint32Array} [elements]  for each triangle the element of the list at `source`
 * @property {Origin} [source]
 *
 * @typedef {{name: string, primitives: Primitive[]}} Mesh
 *
 * @typedef {object} Material
 * @property {string} name
 * @property {number[]} color  linear
 * @property {number} [image]
 * @property {'repeat' | 'clamp' | 'mirror'} wrapS
 * @property {'repeat' | 'clamp' | 'mirror'} wrapT
 * @property {'opaque' | 'mask' | 'blend'} alphaMode
 * @property {number} alphaCutoff
 * @property {boolean} nearest
 * @property {boolean} doubleSided
 * @property {boolean} unlit
 *
 * @typedef {{name: string, width: number, height: number, pixels: Uint8Array}} Image
 * @typedef {{name: string, kind: 'point' | 'spot' | 'directional', color: number[], intensity: number, range: number, innerAngle: number, outerAngle: number}} Light  angles: of a spot, from its axis, radians
 *
 * @typedef {{name: string, verticalFov: number, near: number, far: number}} Camera  far 0: infinite
 * @typedef {{kind: 'link' | 'wall', from: number[], to: number[]}} Line  in the coordinates of the root's children
 *
 * @typedef {object} PicturePlace  maps the world to the picture: a point's pixel is (right . point - left) * scale across,
 *                                 and (down . point - top) * scale down
 * @property {number[]} right  of length 1, in the scene's world
 * @property {number[]} down
 * @property {number[]} near   towards the viewer
 * @property {number} left     metres
 * @property {number} top
 * @property {number} scale    pixels a metre; 0: the picture is empty
 *
 * @typedef {object} SceneOptions
 * @property {string} [map]          one map of a file that contains several
 * @property {number} [maxTexture]   the largest side of textures
 * @property {boolean} [noMarkers]   no boxes for entities
 * @property {boolean} [noAssets]    do not search for models and materials
 * @property {boolean} [noTextures]
 * @property {boolean} [splitLayers]
 *
 * @typedef {object} PictureOptions
 * @property {'above' | 'oblique' | 'dimetric'} [view]  by default the one that suits the level
 * @property {string} [map]
 * @property {number} [width]
 * @property {number} [height]
 * @property {number} [cut]  from above: leave out everything above this height, in metres
 * @property {boolean} [noEntities]
 * @property {boolean} [noLegend]
 * @property {boolean} [noGrid]
 * @property {boolean} [noLabels]
 * @property {boolean} [transparent]  without a background
 *
 * @typedef {object} ConvertOptions
 * @property {'big' | 'little'} [byteOrder]
 * @property {number} [version]
 * @property {string} [format]
 * @property {boolean} [allowLoss]  leave out what the format cannot store
 */

/** A refusal by the library, with its diagnosis. */
export class MapstoneError extends Error {
    /** @param {Finding} why @param {Record<string, any>[]} [details] */
    constructor(why, details = []) {
        const place = why.path ? `${why.path}: ` : '';
        const compared = [why.expected && `expected ${why.expected}`, why.found && `found ${why.found}`].filter(Boolean);
        super(`${place}${why.message}${compared.length ? ` (${compared.join(', ')})` : ''}${why.code ? ` [${why.code}]` : ''}`);
        this.name = 'MapstoneError';
        /** "damaged", "no such path", "refused", ... */
        this.status = why.status ?? '';
        this.code = why.code;
        this.path = why.path;
        /** The first byte concerned, if there is one. */
        this.offset = why.offset;
        this.finding = why;
        /** Further reports: changes of a patch that do not apply, references to an element. */
        this.details = details;
    }
}

// ---- values --------------------------------------------------------------------------------------------------

/**
 * JSON as the library reads it: numbers that JSON lacks are strings, integers can have 64 bits.
 * @param {unknown} value
 * @returns {string}
 */
function toJson(value) {
    if (typeof value === 'bigint') return value >= 0n && value > 2n ** 53n ? `"0x${value.toString(16)}"` : String(value);
    if (typeof value === 'number') {
        if (Object.is(value, -0)) return '-0.0';
        return Number.isFinite(value) ? String(value) : `"${value}"`;
    }
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(/** @type {any} */ (value), toJson).join(',')}]`;
    if (value && typeof value === 'object')
        return `{${Object.entries(value).filter(([, one]) => one !== undefined).map(([key, one]) => `${JSON.stringify(key)}:${toJson(one)}`).join(',')}}`;
    return JSON.stringify(value ?? null);
}

/** @param {string} lines @returns {any[]} */
const fromLines = (lines) => lines.split('\n').filter(Boolean).map((line) => JSON.parse(line));

/**
 * The sum of the bits whose conditions hold.
 * @param {...unknown} conditions
 */
const flags = (...conditions) => conditions.reduce((/** @type {number} */ sum, condition, bit) => sum + (condition ? 1 << bit : 0), 0);

// ---- the module ----------------------------------------------------------------------------------------------

/**
 * @typedef {object} GivenFile
 * @property {Uint8Array} name
 * @property {number} size
 * @property {(offset: number, length: number) => Uint8Array} read
 */

/** @param {string} name @param {Source} source @returns {GivenFile} */
function givenFile(name, source) {
    const encoded = new TextEncoder().encode(name);
    if (!(source instanceof Uint8Array) && !(source instanceof ArrayBuffer)) return { name: encoded, size: source.size, read: (offset, length) => source.read(offset, length) };
    const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
    return { name: encoded, size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

const wasiSuccess = 0, wasiBadFile = 8;

/** An instance of the library, with its own memory. */
export class Mapstone {
    /** @type {Record<string, any>} */
    #exports;
    /** @type {Map<number, GivenFile[]>} */
    #sets = new Map();
    #lastSet = 0;
    #answer = 0;
    /** @type {unknown} */
    #thrown = null;
    #ended = false;

    /** Makes further instances. @readonly */
    module;

    /** @param {WebAssembly.Module} module */
    constructor(module) {
        this.module = module;
        this.#exports = new WebAssembly.Instance(module, { mapstone: this.#files(), wasi_snapshot_preview1: this.#system(module) }).exports;
        this.#exports._initialize();
        this.#answer = this.#exports.web_answer();
    }

    /** The imports by which the module reads the given files. */
    #files() {
        /** @param {number} set @param {number} index */
        const file = (set, index) => /** @type {GivenFile} */ (this.#sets.get(set)?.[index]);
        return {
            file_name: (/** @type {number} */ set, /** @type {number} */ index, /** @type {number} */ to, /** @type {number} */ capacity) => {
                const { name } = file(set, index);
                this.#bytes(to, capacity).set(name.subarray(0, capacity));
                return name.length;
            },
            file_size: (/** @type {number} */ set, /** @type {number} */ index) => file(set, index).size,
            file_read: (/** @type {number} */ set, /** @type {number} */ index, /** @type {number} */ offset, /** @type {number} */ to, /** @type {number} */ count) => {
                try {
                    const bytes = file(set, index).read(offset, count);
                    if (bytes.length !== count) return 0;
                    this.#bytes(to, count).set(bytes);
                    return 1;
                } catch (error) {
                    this.#thrown ??= error;
                    return 0;
                }
            },
        };
    }

    /**
     * A system without files: the part of WASI that needs none.
     * @param {WebAssembly.Module} module
     */
    #system(module) {
        /** @type {Record<string, (...numbers: any[]) => any>} */
        const system = {};
        for (const one of WebAssembly.Module.imports(module)) if (one.module === 'wasi_snapshot_preview1') system[one.name] = () => wasiBadFile;
        const view = () => new DataView(this.#exports.memory.buffer);
        system.environ_sizes_get = (count, size) => {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return wasiSuccess;
        };
        system.environ_get = () => wasiSuccess;
        system.clock_time_get = (_clock, _precision, to) => {
            view().setBigUint64(to, BigInt(Date.now()) * 1000000n, true);
            return wasiSuccess;
        };
        system.random_get = (to, size) => {
            globalThis.crypto.getRandomValues(this.#bytes(to, size));
            return wasiSuccess;
        };
        system.proc_exit = (code) => {
            throw new Error(`the library has ended (${code})`);
        };
        return system;
    }

    /** @param {number} at @param {number} size */
    #bytes(at, size) {
        return new Uint8Array(this.#exports.memory.buffer, at, size);
    }

    /** @param {Uint8Array} bytes with any terminator @returns {number} */
    #put(bytes) {
        const at = this.#exports.web_take(bytes.length);
        if (!at) throw new MapstoneError({ severity: 'error', status: 'no memory', code: '', path: '', message: `not enough memory for ${bytes.length} bytes` });
        this.#bytes(at, bytes.length).set(bytes);
        return at;
    }

    /**
     * Calls a function whose first argument is the answer; strings and bytes become addresses.
     * @param {string} name
     * @param {...(number | string | Uint8Array)} given
     * @returns {number} its result
     */
    call(name, ...given) {
        if (this.#ended) throw new Error('the library has ended');
        /** @type {number[]} */
        const taken = [];
        this.#thrown = null;
        try {
            const numbers = given.map((one) => {
                if (typeof one === 'number') return one;
                const at = this.#put(typeof one === 'string' ? new TextEncoder().encode(`${one}\0`) : one);
                taken.push(at);
                return at;
            });
            this.#exports.web_answer_clear(this.#answer);
            const result = this.#exports[name](this.#answer, ...numbers);
            for (const at of taken) this.#exports.web_drop(at);
            return result;
        } catch (error) {
            this.#ended = !(error instanceof MapstoneError);
            throw error;
        }
    }

    /**
     * The same for a function that returns a status: throws if it failed.
     * @param {string} name
     * @param {...(number | string | Uint8Array)} given
     */
    run(name, ...given) {
        if (this.call(name, ...given) !== 0) this.fail();
    }

    /** @returns {never} */
    fail() {
        if (this.#thrown) throw this.#thrown;
        const [why, ...details] = fromLines(this.text());
        throw new MapstoneError(why, details);
    }

    /** A copy of the answer. */
    bytes() {
        const size = this.#exports.web_answer_size(this.#answer);
        return this.#bytes(this.#exports.web_answer_data(this.#answer), size).slice();
    }

    /** The answer as text. */
    text() {
        const size = this.#exports.web_answer_size(this.#answer);
        return new TextDecoder().decode(this.#bytes(this.#exports.web_answer_data(this.#answer), size));
    }

    /** The size of its memory in bytes. */
    get memory() {
        return this.#exports.memory.buffer.byteLength;
    }

    /** @returns {Format[]} */
    formats() {
        this.run('web_formats');
        return JSON.parse(this.text());
    }

    /**
     * The format of a file, by its first bytes (4096 are enough); null if none matches.
     * @param {Uint8Array} first
     * @param {string} [name]
     * @param {number} [size] of the file
     * @returns {Format | null}
     */
    identify(first, name = '', size = first.length) {
        const some = first.subarray(0, 4096);
        return this.call('web_identify', some, some.length, size, name) === 0 ? JSON.parse(this.text()) : null;
    }

    /**
     * Opens a file and the files that belong to it. The bytes must not change until the level is closed.
     * @param {Source} source
     * @param {OpenOptions} [options]
     */
    open(source, options = {}) {
        const name = options.name ?? 'level';
        const sidecars = options.sidecars instanceof Map ? [...options.sidecars] : Object.entries(options.sidecars ?? {});
        return this.#open([[name, source], ...sidecars.filter(([one]) => one !== name)], name, '', options);
    }

    /**
     * Opens a level from several files, such as a folder, or from an archive (.zip, .kpf) or disc image if that is the only file:
     * the only level, or the level of the file `name`, or the sectors of the level `level`.
     * @param {Files} files
     * @param {OpenOptions & {level?: string}} [options]
     */
    openFiles(files, options = {}) {
        return this.#open(files instanceof Map ? [...files] : Object.entries(files), options.name ?? '', options.level ?? '', options);
    }

    /**
     * The members of an archive (.zip, .kpf) or disc image, if it is the only file, else the files; each with its format, if its
     * first bytes match one. Only the necessary parts are read.
     * @param {Files} files
     * @param {{identify?: boolean}} [options]
     * @returns {{name: string, size: number, format?: string}[]}
     */
    members(files, { identify = true } = {}) {
        const set = ++this.#lastSet, all = files instanceof Map ? [...files] : Object.entries(files);
        this.#sets.set(set, all.map(([one, source]) => givenFile(one, source)));
        try {
            this.run('web_members', set, all.length, Number(identify));
            return fromLines(this.text());
        } finally {
            this.#sets.delete(set);
        }
    }

    /**
     * @param {[string, Source][]} files
     * @param {string} name
     * @param {string} level
     * @param {OpenOptions} options
     */
    #open(files, name, level, options) {
        const set = ++this.#lastSet;
        this.#sets.set(set, files.map(([one, source]) => givenFile(one, source)));
        const how = flags(options.salvage, true, options.lenient);
        const opened = this.call('web_open', set, files.length, name, options.format ?? '', level, how);
        const again = () => this.#open(files, name, level, options);
        if (opened) return new Level({ library: this, address: opened }, fromLines(this.text()), () => this.#sets.delete(set), again);
        this.#sets.delete(set);
        return this.fail();
    }

    /** @param {number} opened @returns {number} */
    count(opened) {
        return this.#exports.web_count(opened);
    }

    /** @param {number} opened */
    close(opened) {
        if (!this.#ended) this.#exports.web_close(opened);
    }

    /** The memory of a step, in bytes. @param {number} step @returns {number} */
    stepSize(step) {
        return this.#exports.web_step_size(step);
    }

    /** @param {number} step */
    dropStep(step) {
        if (!this.#ended) this.#exports.web_step_drop(step);
    }
}

// ---- documents -----------------------------------------------------------------------------------------------

/**
 * An open level in the module's memory, which its documents share.
 * @typedef {{library: Mapstone, address: number}} Opened
 */

/** A document of a level: the content of one file, or of a pair. */
export class Document {
    #of;
    #index;

    /** @param {Opened} of @param {number} index */
    constructor(of, index) {
        this.#of = of;
        this.#index = index;
    }

    /** @returns {number} */
    get #address() {
        if (!this.#of.address) throw new Error('the level is closed');
        return this.#of.address;
    }

    /** @param {string} name @param {...(number | string | Uint8Array)} given */
    #run(name, ...given) {
        this.#of.library.run(name, this.#address, this.#index, ...given);
        return this.#of.library;
    }

    /** The address and index of another document, for a call. @param {Document} other @returns {[number, number]} */
    #other(other) {
        if (other.#of.library !== this.#of.library) throw new Error('the documents are of different instances of the library');
        return [other.#address, other.#index];
    }

    /**
     * Its name, format, version, files, whether it was edited.
     * @returns {{name: string, format: Format, version: number, size: number, edited: boolean, salvaged: boolean, images: number,
     *            files: {name: string, size: number}[]}}
     */
    get information() {
        return JSON.parse(this.#run('web_document').text());
    }

    /**
     * The value at a path; for a selector (objects[class_name=location]) a list of {path, value}.
     * @param {string} path
     * @returns {any}
     */
    get(path) {
        return JSON.parse(this.#run('web_get', path).text());
    }

    /**
     * Replaces the value at a path.
     * @param {string} path
     * @param {unknown} value
     */
    set(path, value) {
        this.#run('web_set', path, toJson(value));
    }

    /**
     * Applies operations, all or none; refuses if the level has new errors.
     * @param {Operation | Operation[]} operations
     * @param {EditOptions} [options]
     * @returns {{changes: Change[], findings: Finding[]}}
     */
    edit(operations, options = {}) {
        const lines = (Array.isArray(operations) ? operations : [operations]).map((one) => (typeof one === 'string' ? one : toJson(one)));
        const script = new TextEncoder().encode(`${lines.join('\n')}\n`);
        const how = flags(options.each, options.cascade, options.keepLoose, options.force, options.dryRun);
        const all = fromLines(this.#run('web_edit', script, script.length, how).text());
        return { changes: all.filter((one) => one.change), findings: all.filter((one) => !one.change) };
    }

    /**
     * An image that it stores, such as a texture page; `information.images` is their number. Without a palette its pixels are
     * RGBA, otherwise indices into the palette, which is RGBA. Of `levels` mip levels the first one is the image.
     * @param {number} index @param {number} [level]
     * @returns {{name: string, width: number, height: number, levels: number, palette: Uint8Array | null, pixels: Uint8Array}}
     */
    image(index, level = 0) {
        const bytes = this.#run('web_image', index, level).bytes(), head = new DataView(bytes.buffer), [width = 0, height = 0, colors = 0, levels = 0] = [0, 4, 8, 12].map((at) => head.getUint32(at, true)), begin = 48 + 4 * colors;
        return { name: new TextDecoder().decode(bytes.subarray(16, 48)).split('\0')[0] ?? '', width, height, levels, palette: colors ? bytes.slice(48, begin) : null, pixels: bytes.slice(begin) };
    }

    /** The classes of the game, for `add`; empty if they are not known. @returns {string[]} */
    classes() {
        return this.#run('web_classes').text().split(' ').filter(Boolean);
    }

    /**
     * @param {{information?: boolean, assets?: boolean}} [options]  also report information; missing files
     * @returns {{errors: number, warnings: number, information: number, findings: Finding[]}}
     */
    check(options = {}) {
        /** @type {Finding[]} */
        const findings = fromLines(this.#run('web_check', flags(options.information, options.assets)).text());
        const count = (/** @type {string} */ severity) => findings.filter((one) => one.severity === severity).length;
        return { errors: count('error'), warnings: count('warning'), information: count('information'), findings };
    }

    /**
     * A value and some of its elements or fields, for an outline that grows as it is opened.
     * @param {string} [path]  "" is the document
     * @param {{first?: number, count?: number}} [options]
     * @returns {{row: Row, rows: Row[]}}
     */
    tree(path = '', { first = 0, count = 100 } = {}) {
        return JSON.parse(this.#run('web_tree', path, first, count).text());
    }

    /**
     * Facts about a value, for panels that edit it.
     * @param {string} path
     * @returns {Description}
     */
    describe(path) {
        const found = JSON.parse(this.#run('web_describe', path).text());
        // The list is in one of the records that contain the value.
        for (let around = path; found.refers && around && !found.refers.path; ) {
            around = around.replace(/(\.?[^.[\]]+|\[[^\]]*\])$/, '');
            const list = around ? `${around}.${found.refers.list}` : found.refers.list;
            if (list !== path.replace(/\[[^\]]*\]$/, '') && this.#of.library.call('web_tree', this.#address, this.#index, list, 0, 0) === 0) found.refers.path = list;
        }
        return found;
    }

    /**
     * The numbers in a value that refer to elements; `inwards`: all numbers that refer to the element at the path.
     * @param {string} path
     * @param {{inwards?: boolean}} [options]
     * @returns {Reference[]}
     */
    references(path, { inwards = false } = {}) {
        return fromLines(this.#run('web_references', path, Number(inwards)).text());
    }

    /**
     * The runs of bytes of a value, in its order; none if it is computed.
     * @param {string} path
     * @returns {Place[]}
     */
    at(path) {
        return JSON.parse(this.#run('web_at', path).text());
    }

    /**
     * The fields in a range of bytes, in order: each byte has one. Those at the ends are complete.
     * @param {Range} range
     * @returns {Field[]}
     */
    fields({ file = 0, offset, length = 1, packed = -1 }) {
        return fromLines(this.#run('web_fields', file, offset, length, packed).text());
    }

    /**
     * The field of a byte; null if there is no such byte.
     * @param {number} offset
     * @param {{file?: number, packed?: number}} [options]
     * @returns {Field | null}
     */
    pathAt(offset, options = {}) {
        return this.fields({ ...options, offset, length: 1 })[0] ?? null;
    }

    /**
     * The current bytes of a file, or of unpacked content; fewer at its end.
     * @param {Range} range
     */
    bytes({ file = 0, offset, length = 1, packed = -1 }) {
        return this.#run('web_bytes', file, offset, length, packed).bytes();
    }

    /**
     * A value as exact JSON, as `mapstone dump` writes it: `open` makes the same file from it.
     * @param {string} [path]  "" is the document
     * @param {{compact?: boolean}} [options]
     */
    dump(path = '', { compact = false } = {}) {
        return this.#run('web_dump', path, Number(compact)).text();
    }

    /**
     * The document in another byte order, version or format, and the losses.
     * @param {ConvertOptions} options
     * @returns {{bytes: Uint8Array, losses: Finding[]}}
     */
    convert(options) {
        const library = this.#run('web_convert', options.byteOrder ?? '', options.version ?? -1, options.format ?? '', Number(options.allowLoss ?? false));
        const bytes = library.bytes(), size = new DataView(bytes.buffer).getUint32(0, true);
        return { bytes: bytes.slice(4 + size), losses: fromLines(new TextDecoder().decode(bytes.subarray(4, 4 + size))) };
    }

    /**
     * The operations that lead to another document, as `mapstone diff --json` prints them.
     * @param {Document} now
     * @param {{all?: boolean}} [options]  also differences that do not change the content
     * @returns {Record<string, any>[]}
     */
    diff(now, { all = false } = {}) {
        return fromLines(this.#run('web_diff', ...this.#other(now), flags(all)).text());
    }

    /**
     * The differences as text, as `mapstone diff` prints them.
     * @param {Document} now
     * @param {{all?: boolean}} [options]
     */
    diffText(now, { all = false } = {}) {
        return this.#run('web_diff', ...this.#other(now), flags(all, true)).text();
    }

    /**
     * For History: begins a step, ends it, or undoes or redoes it.
     * @param {'begin' | 'end' | 'swap'} what
     * @param {number} [step]
     * @returns {number}
     */
    step(what, step = 0) {
        if (what === 'begin') {
            const made = this.#of.library.call('web_step_begin', this.#address, this.#index);
            return made || this.#of.library.fail();
        }
        this.#of.library.run(`web_step_${what}`, step, this.#address, this.#index);
        return step;
    }

    /**
     * The patch from this document to another one, as text.
     * @param {Document} now
     * @param {{withData?: boolean}} [options]  even if it has to contain bytes of the game
     */
    patchTo(now, { withData = false } = {}) {
        return this.#run('web_patch_make', ...this.#other(now), Number(withData)).text();
    }

    /**
     * Applies a patch; returns the changes that do not apply. Refuses if the level has new errors, unless `force` is set.
     * @param {string} text
     * @param {{reverse?: boolean, partial?: boolean, force?: boolean}} [options]
     * @returns {Record<string, any>[]}
     */
    patch(text, { reverse = false, partial = false, force = false } = {}) {
        const bytes = new TextEncoder().encode(text);
        return fromLines(this.#run('web_patch', bytes, bytes.length, flags(reverse, partial, force)).text());
    }

    /**
     * Merges the changes from `base` to `theirs` into this document, as `mapstone merge` does; conflicts keep this document's
     * side, unless a choice for their paths decides them.
     * @param {Document} base
     * @param {Document} theirs
     * @param {Map<string, Choice>} [choices]  by the paths of conflicts
     * @returns {Conflict[]}
     */
    merge(base, theirs, choices = new Map()) {
        const text = new TextEncoder().encode([...choices].map(([path, one]) => (typeof one === 'string' ? `${one[0]}${path}\0` : `v${path}\0${toJson(one.value)}\0`)).join(''));
        const all = fromLines(this.#run('web_merge', ...this.#other(base), ...this.#other(theirs), text, text.length).text()), places = all.filter((one) => 'now' in one);
        return all.filter((one) => one.conflict).map((one, index) => ({ ...one, now: places[index]?.now ?? '' }));
    }

    /**
     * The current bytes of the file.
     * @param {number} [file]  which file of a pair
     */
    save(file = 0) {
        return this.#run('web_save', file).bytes();
    }
}

/** A scene for a renderer. Right-handed, Y up, in metres under node 0; triangles counter-clockwise. */
export class Scene {
    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        const size = new DataView(bytes.buffer).getUint32(0, true), begin = 4 + size;
        const all = JSON.parse(new TextDecoder().decode(bytes.subarray(4, begin)));
        /** @type {string} */ this.name = all.name;
        /** @type {string} */ this.format = all.format;
        /** @type {number} */ this.unitMetres = all.unitMetres;
        /** @type {number[]} */ this.minimum = all.minimum;
        /** @type {number[]} */ this.maximum = all.maximum;
        /** @type {SceneNode[]} */ this.nodes = all.nodes;
        /** @type {Material[]} */ this.materials = all.materials;
        /** @type {Light[]} */ this.lights = all.lights;
        /** @type {Camera[]} */ this.cameras = all.cameras;
        const lines = /** @type {Line[]} */ (all.lines);
        /** Arrows from entities to the entities that they act on. */
        this.links = lines.filter(({ kind }) => kind === 'link');
        /** Impassable lines. */
        this.walls = lines.filter(({ kind }) => kind === 'wall');
        /** Nodes that overlap when seen from above. @type {number[]} */ this.storeys = all.storeys;
        /** The edge of the level's grid squares in metres; 0: none. @type {number} */ this.gridStep = all.gridStep;
        /** Whether it is a single object, not a level. @type {boolean} */ this.object = all.object;
        const floats = (/** @type {number | undefined} */ at, /** @type {number} */ count) => (at === undefined ? undefined : new Float32Array(bytes.buffer, begin + at, count));
        const numbers = (/** @type {number | undefined} */ at, /** @type {number} */ count) => (at === undefined ? undefined : new Uint32Array(bytes.buffer, begin + at, count));
        /** @type {Mesh[]} */
        this.meshes = all.meshes.map((/** @type {any} */ mesh) => ({
            name: mesh.name,
            primitives: mesh.primitives.map((/** @type {any} */ one) => ({
                ...one,
                positions: floats(one.positions, 3 * one.vertexCount) ?? new Float32Array(),
                normals: floats(one.normals, 3 * one.vertexCount),
                texcoords: floats(one.texcoords, 2 * one.vertexCount),
                colors: floats(one.colors, 4 * one.vertexCount),
                indices: numbers(one.indices, one.indexCount),
                elements: numbers(one.elements, Math.floor((one.indices === undefined ? one.vertexCount : one.indexCount) / 3)),
            })),
        }));
        /** @type {Image[]} */
        this.images = all.images.map((/** @type {any} */ one) => ({
            ...one,
            pixels: new Uint8Array(bytes.buffer, begin + (one.pixels ?? 0), one.pixels === undefined ? 0 : 4 * one.width * one.height),
        }));
    }

    /**
     * The nodes that come from a value or its contents.
     * @param {string} path
     * @param {string} [file]
     */
    nodesOf(path, file = '') {
        return this.nodes.flatMap(({ source }, index) => {
            if (!source || (source.file ?? '') !== file) return [];
            const own = source.index === undefined ? source.path : `${source.path}[${source.index}]`;
            return own === path || (own.startsWith(path) && /^[.[@]/.test(own.slice(path.length))) ? [index] : [];
        });
    }

    /**
     * The source of a triangle of a node's mesh; null if unknown.
     * @param {number} node
     * @param {number} primitive
     * @param {number} triangle
     * @returns {{file: string, path: string} | null}
     */
    originOf(node, primitive, triangle) {
        const shown = this.nodes[node], part = this.meshes[shown?.mesh ?? -1]?.primitives[primitive];
        const own = part?.source, source = own ?? shown?.source;
        if (!shown || !part || !source || triangle >= (part.indices ? part.indexCount : part.vertexCount) / 3) return null;
        const index = own && part.elements ? part.elements[triangle] : source.index;
        return { file: source.file ?? shown.source?.file ?? '', path: index === undefined ? source.path : `${source.path}[${index}]` };
    }
}

/** An open level: its first document, with everything that belongs to it. */
export class Level extends Document {
    #of;
    #release;

    #again;
    /** @type {History | undefined} */
    #history;

    /** @param {Opened} of @param {Finding[]} warnings @param {() => void} release @param {() => Level} again */
    constructor(of, warnings, release, again) {
        super(of, 0);
        this.#of = of;
        this.#release = release;
        this.#again = again;
        /** Problems that did not prevent opening. */
        this.warnings = warnings;
    }

    /** @param {string} name @param {...(number | string | Uint8Array)} given */
    #run(name, ...given) {
        if (!this.#of.address) throw new Error('the level is closed');
        this.#of.library.run(name, this.#of.address, ...given);
        return this.#of.library;
    }

    /** All its documents, such as sectors; the first is equivalent to the level itself. */
    get documents() {
        const { library, address } = this.#of;
        return Array.from({ length: address ? library.count(address) : 0 }, (_, index) => new Document(this.#of, index));
    }

    /** Its edits as steps that can be undone: always the same object. */
    history() {
        this.#history ??= new History(this, this.#again, this.#of);
        return this.#history;
    }

    /** Everything with a position: objects, lights, cameras. @returns {Entity[]} */
    entities() {
        return JSON.parse(this.#run('web_entities').text());
    }

    /** @param {SceneOptions} [options] */
    scene(options = {}) {
        const how = flags(options.noMarkers, options.noAssets, options.noTextures, options.splitLayers);
        return new Scene(this.#run('web_scene', options.map ?? '', options.maxTexture ?? 0, how).bytes());
    }

    /**
     * A glTF model, as `mapstone convert` writes it: .glb, or self-contained .gltf.
     * @param {'glb' | 'gltf'} [kind]
     * @param {SceneOptions & {maxLights?: number, forEditing?: boolean}} [options]  `forEditing`: for `importModel`
     */
    model(kind = 'glb', options = {}) {
        const how = flags(options.noMarkers, options.noAssets, options.noTextures, options.splitLayers, options.forEditing);
        return this.#run('web_model', options.map ?? '', Number(kind === 'gltf'), options.maxLights ?? 0, how).bytes();
    }

    /**
     * The edits made in another program to a model that was exported with `forEditing`: operations for `edit`, for each document
     * that they change. The level is not changed. `findings`: anything rounded or left out.
     * @param {Uint8Array} model  .glb, or self-contained .gltf
     * @returns {{parts: {document: number, operations: string[]}[], findings: Finding[]}}
     */
    importModel(model) {
        const all = fromLines(this.#run('web_import', model, model.length).text());
        return { parts: all.filter((one) => 'script' in one).map(({ document, script }) => ({ document, operations: script.trim().split('\n') })), findings: all.filter((one) => !('script' in one)) };
    }

    /** @param {PictureOptions} options @param {number} png */
    #draw(options, png) {
        const view = options.view ? ['above', 'oblique', 'dimetric'].indexOf(options.view) : -1;
        const how = flags(options.noEntities, options.noLegend, options.noGrid, options.noLabels, png, options.transparent);
        return this.#run('web_picture', options.map ?? '', view, options.width ?? 0, options.height ?? 0, options.cut ?? 0, how).bytes();
    }

    /**
     * A picture, as ImageData takes it, and the mapping of the world to it.
     * @param {PictureOptions} [options]
     */
    picture(options = {}) {
        const bytes = this.#draw(options, 0), head = new DataView(bytes.buffer);
        const numbers = Array.from({ length: 12 }, (_, index) => head.getFloat64(8 + 8 * index, true));
        const [left = 0, top = 0, scale = 0] = numbers.slice(9);
        /** @type {PicturePlace} */
        const place = { right: numbers.slice(0, 3), down: numbers.slice(3, 6), near: numbers.slice(6, 9), left, top, scale };
        return { width: head.getUint32(0, true), height: head.getUint32(4, true), place, pixels: new Uint8ClampedArray(bytes.buffer, 104) };
    }

    /**
     * The picture as a PNG.
     * @param {PictureOptions} [options]
     */
    png(options = {}) {
        return this.#draw(options, 1);
    }

    /** Frees its memory. It and its documents can no longer be used. */
    close() {
        const { library, address } = this.#of;
        this.#history?.close();
        this.#of.address = 0;
        if (!address) return;
        library.close(address);
        this.#release();
    }
}

/**
 * @typedef {object} Step  an edit that can be undone
 * @property {string} label
 * @property {number} document    index of the document
 * @property {Operation[]} operations
 * @property {Change[]} changes
 */

/** The edits of a level as steps; any number of them can be undone and redone, byte for byte. */
export class History {
    #level;
    #again;
    #of;
    /** @type {Level | undefined} */
    #original;
    /** @type {(Step & {address: number})[]} */
    #steps = [];
    #position = 0;

    /** @param {Level} level @param {() => Level} again @param {Opened} of */
    constructor(level, again, of) {
        this.#level = level;
        this.#again = again;
        this.#of = of;
    }

    /** The level as it was opened. */
    get original() {
        this.#original ??= this.#again();
        return this.#original;
    }

    /** All steps, undone ones last. @returns {Step[]} */
    get steps() {
        return this.#steps.map(({ address: _, ...step }) => step);
    }

    /** The number of steps that are not undone. */
    get position() {
        return this.#position;
    }

    get canUndo() {
        return this.#position > 0;
    }

    get canRedo() {
        return this.#position < this.#steps.length;
    }

    /** The memory of its steps, in bytes. */
    get memory() {
        return this.#steps.reduce((sum, { address }) => sum + this.#of.library.stepSize(address), 0);
    }

    /** @param {number} index @returns {Document} */
    #document(index) {
        const found = this.#level.documents[index];
        if (!found) throw new Error(`there is no document ${index}`);
        return found;
    }

    /**
     * Changes a document as one step; undone steps are dropped.
     * @template T @param {number} index @param {string} label @param {(document: Document) => T} act
     * @param {(made: T) => Partial<Step>} [what]  further members of the step
     */
    #step(index, label, act, what = () => ({})) {
        const document = this.#document(index), address = document.step('begin');
        try {
            const made = act(document);
            document.step('end', address);
            for (const { address: gone } of this.#steps.splice(this.#position)) this.#of.library.dropStep(gone);
            const step = { label, document: index, operations: [], changes: [], ...what(made) };
            this.#steps.push({ ...step, address });
            this.#position++;
            return { made, step };
        } catch (error) {
            this.#of.library.dropStep(address);
            throw error;
        }
    }

    /**
     * Like the document's `edit`, as one step; undone steps can no longer be redone.
     * @param {Operation | Operation[]} operations
     * @param {EditOptions & {document?: number, label?: string}} [options]
     * @returns {{changes: Change[], findings: Finding[], step: Step | null}}  without a step nothing was changed
     */
    edit(operations, options = {}) {
        const list = Array.isArray(operations) ? operations : [operations], index = options.document ?? 0;
        if (options.dryRun) return { ...this.#document(index).edit(list, options), step: null };
        const label = options.label ?? (typeof list[0] === 'string' ? list[0] : toJson(list[0]));
        const { made, step } = this.#step(index, label, (document) => document.edit(list, options), ({ changes }) => ({ operations: list, changes }));
        return { ...made, step };
    }

    /**
     * Like the document's `merge`, as one step.
     * @param {Document} base
     * @param {Document} theirs
     * @param {{choices?: Map<string, Choice>, document?: number, label?: string}} [options]
     */
    merge(base, theirs, { choices, document = 0, label = 'merge' } = {}) {
        return this.#step(document, label, (one) => one.merge(base, theirs, choices)).made;
    }

    /**
     * Like the document's `patch`, as one step.
     * @param {string} text
     * @param {{reverse?: boolean, partial?: boolean, force?: boolean, document?: number, label?: string}} [options]
     */
    applyPatch(text, { document = 0, label = 'patch', ...options } = {}) {
        return this.#step(document, label, (one) => one.patch(text, options)).made;
    }

    /** @param {number} at @param {number} by @returns {Step | null} */
    #go(at, by) {
        const step = this.#steps[at];
        if (!step) return null;
        this.#document(step.document).step('swap', step.address);
        this.#position += by;
        return this.steps[at] ?? null;
    }

    /** Undoes the last step; null if there is none. */
    undo() {
        return this.#go(this.#position - 1, -1);
    }

    /** Redoes the last undone step; null if there is none. */
    redo() {
        return this.#go(this.#position, 1);
    }

    /**
     * Restores the value at a path from when the level was opened, as a step.
     * @param {string} path
     * @param {EditOptions & {document?: number, label?: string}} [options]
     */
    revert(path, options = {}) {
        const old = this.#documentOf(this.original, options.document ?? 0).dump(path, { compact: true });
        return this.edit(`{"op":"set","path":${JSON.stringify(path)},"new":${old.trim()}}`, { label: `revert ${path}`, ...options });
    }

    /** @param {Level} level @param {number} index */
    #documentOf(level, index) {
        return level.documents[index] ?? level;
    }

    /**
     * The changes of all steps together, as `mapstone diff --json` prints them.
     * @param {{document?: number, all?: boolean}} [options]
     */
    changes({ document = 0, all = false } = {}) {
        return this.#documentOf(this.original, document).diff(this.#document(document), { all });
    }

    /**
     * The changes as text.
     * @param {{document?: number, all?: boolean}} [options]
     */
    changesText({ document = 0, all = false } = {}) {
        return this.#documentOf(this.original, document).diffText(this.#document(document), { all });
    }

    /**
     * The patch from the level as opened to its current state.
     * @param {{document?: number, withData?: boolean}} [options]
     */
    patch({ document = 0, withData = false } = {}) {
        return this.#documentOf(this.original, document).patchTo(this.#document(document), { withData });
    }

    /** Frees its memory; the level's `close` also does this. */
    close() {
        for (const { address } of this.#steps.splice(0)) this.#of.library.dropStep(address);
        this.#position = 0;
        this.#original?.close();
        this.#original = undefined;
    }
}

// ---- loading -------------------------------------------------------------------------------------------------

/** @returns {Promise<WebAssembly.Module>} */
async function compile() {
    const url = new URL('./mapstone.wasm', import.meta.url);
    if (url.protocol === 'file:' && typeof process === 'object') {
        const { readFile } = await import('node:fs/promises');
        return WebAssembly.compile(new Uint8Array(await readFile(url)));
    }
    const response = await fetch(url);
    return response.headers.get('content-type') === 'application/wasm' ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * A browser's file, read in slices as the library needs them: for workers, where reading may block.
 * @param {Blob} file
 * @returns {Slices}
 */
export function slicesOf(file) {
    const Reader = /** @type {any} */ (globalThis).FileReaderSync, reader = new Reader();
    return { size: file.size, read: (offset, length) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length))) };
}

/** @type {Promise<Mapstone> | undefined} */
let shared;

/**
 * An instance of the library; without a module, the shared one that `open` uses.
 * @param {WebAssembly.Module | BufferSource} [module]  mapstone.wasm
 * @returns {Promise<Mapstone>}
 */
export async function load(module) {
    if (module) return new Mapstone(module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module));
    shared ??= compile().then((one) => new Mapstone(one));
    return shared;
}

/**
 * Opens a file and the files that belong to it.
 * @param {Source} source
 * @param {OpenOptions} [options]
 */
export async function open(source, options) {
    return (await load()).open(source, options);
}
