// SPDX-License-Identifier: MIT
/** Changes made elsewhere, for the worker: models of the level edited in another program, and other versions of the level to be merged. */
import { isWithin } from './dom.js';

/** @typedef {import('./worker.js').Given} Given */
/** @typedef {import('../mapstone.js').Level} Level */
/** @typedef {import('../mapstone.js').Conflict} Conflict */
/** @typedef {import('../mapstone.js').Choice} Choice */
/** @typedef {import('./worker.js').Inside} Inside */
/** An operation as a line of a script, and the name of its element. @typedef {{text: string, label: string}} Line */
/** @typedef {{parts: {doc: number, operations: string[]}[], lines: (Line & {doc: number})[], count: number, findings: import('../mapstone.js').Finding[], why: string, older: boolean}} Imported  `older`: it was exported from an earlier version, and is merged */

/** The most operations whose elements' names are looked up. */
const named = 500;

/**
 * A merge; `ours`: a copy of the level from before the merge.
 * @typedef {{doc: number, level: Level, base: Level, theirs: Level, index: number, before: number, made: number, choices: [string, Choice][], ours: Level | null, label: string}} Merging  `index`: of the document in base and theirs; `before`, `made`: the last step before the merge, and the step of the merge
 */
/** @type {Merging | null} */ let merging = null;
/** The changes found in a model of an earlier version, until they are merged; `files`: that version, unless it is the level as opened. @type {{base: Level, files: Given[] | undefined, parts: Imported['parts']} | null} */ let found = null;

/** @param {Inside} of @param {Given} given */
function bytesOf(of, { file }) {
    const from = of.source(file);
    return from instanceof Uint8Array ? from : from instanceof ArrayBuffer ? new Uint8Array(from) : from.read(0, from.size);
}

/** Operations as lines, with the names of their elements. @param {Level} level @param {Imported['parts']} parts */
function linesOf(level, parts) {
    const documents = level.documents;
    let left = named;
    return parts.flatMap(({ doc, operations }) => operations.map((text) => {
        const [path] = /[a-z_]\w*(\.\w+)*\[\d+\]/i.exec(text) ?? [];
        let label = '';
        if (path && left-- > 0)
            try {
                label = documents[doc]?.tree(path, { count: 0 }).row.label ?? '';
            } catch {
                // the element is new
            }
        return { doc, text, label };
    }));
}

/** The reason why operations are refused, or ''. @param {Level} level @param {Imported['parts']} parts */
function refusalOf(level, parts) {
    try {
        for (const { doc, operations } of parts) level.documents[doc]?.edit(operations, { dryRun: true });
        return '';
    } catch (error) {
        return String(/** @type {Error} */ (error).message);
    }
}

/**
 * Converts the edits of a model to operations on the level. A model of an earlier version is compared with that version: the level as opened, or other files.
 * @param {Inside} of @param {Given} given @param {Given[]} [base] @returns {Imported}
 */
export function importModel(of, given, base) {
    const level = of.level(), bytes = bytesOf(of, given);
    /** @param {Level} from @param {boolean} older */
    const compare = (from, older) => {
        const { parts, findings } = from.importModel(bytes), own = parts.map(({ document, operations }) => ({ doc: document, operations }));
        if (older) found = { base: from, files: base, parts: own };
        return { parts: own, lines: linesOf(from, own), count: own.reduce((sum, one) => sum + one.operations.length, 0), findings, why: refusalOf(from, own), older };
    };
    end(of);
    if (base) return compare(of.openAside(base), true);
    try {
        return compare(level, false);
    } catch (error) {
        const { finding } = /** @type {any} */ (error);
        if (finding?.reason !== 'other-base' || !level.documents.some((one) => one.information.edited)) throw error;
        try {
            return compare(level.history().original, true);
        } catch {
            throw error;
        }
    }
}

/** Merges the changes found in a model of an earlier version into the level. @param {Inside} of @param {string} label */
export function mergeImported(of, label) {
    const { base, files, parts: [only, ...more] } = found ?? { parts: [] };
    if (!base || !only || more.length) throw new Error('Several files change: import the model onto its own version of the level, and merge that.');
    const theirs = files ? of.openAside(files) : of.again(of.level());
    theirs.documents[only.doc]?.edit(only.operations);
    return begin(of, only.doc, base, theirs, only.doc, label);
}

/** Merges files into a document; the base defaults to the file as opened. @param {Inside} of @param {number} doc @param {Given[] | null} base @param {Given[]} theirs @param {string} label */
export function merge(of, doc, base, theirs, label) {
    end(of);
    const { level, index } = of.owner(doc), other = of.openAside(theirs);
    const from = base ? of.openAside(base) : level.history().original, at = base ? 0 : index;
    return begin(of, doc, from, other, at, label);
}

/** @param {Inside} of @param {number} doc @param {Level} base @param {Level} theirs @param {number} index @param {string} label */
function begin(of, doc, base, theirs, index, label) {
    const { level } = of.owner(doc);
    merging = { doc, level, base, theirs, index, before: of.last(), made: 0, choices: [], ours: copyOf(of, doc), label };
    try {
        return decide(of, []);
    } catch (error) {
        end(of);
        throw error;
    }
}

/** A second copy of a document in its present state; null if it does not open. @param {Inside} of @param {number} doc */
function copyOf(of, doc) {
    const { level, index } = of.owner(doc), document = level.documents[index] ?? level, { files, name } = document.information;
    try {
        return of.openAside(files.map((one, at) => ({ name: one.name || name, file: document.save(at) })));
    } catch {
        return null;
    }
}

/** Ends a merge; its result is kept. @param {Inside} of */
export function end(of) {
    merging = null;
    found = null;
    of.closeAside();
    return null;
}

/**
 * Merges again, with choices for the paths of conflicts. If a choice cannot be applied, it is ignored and `why` is the reason.
 * @param {Inside} of @param {[string, Choice][]} choices
 */
export function decide(of, choices) {
    if (!merging || merging.level !== of.owner(merging.doc).level) throw new Error('Nothing is being merged.');
    const { level, doc, index, base, theirs, before, label } = merging, own = of.owner(doc).index, history = level.history(), undone = merging.made !== 0 && of.last() === merging.made;
    if (!undone && of.last() !== before) throw new Error('The level was changed after the merge, and each choice merges it again: undo those changes first, or make the choice by changing the value.');
    const old = base.documents[index] ?? base, other = theirs.documents[theirs.documents.length > index ? index : 0] ?? theirs;
    /** @param {[string, Choice][]} some */
    const run = (some) => history.merge(old, other, { choices: new Map(some), document: own, label });
    if (undone) of.go('undo');
    /** @type {Conflict[]} */ let conflicts;
    let why = '';
    try {
        conflicts = run(choices);
    } catch (error) {
        if (undone) of.go('redo');
        throw error;
    }
    const lost = conflicts.find((one) => !one.resolved && choices.some(([path]) => path === one.path));
    if (lost) {
        why = `${lost.path} cannot be resolved this way: ours needs it.`;
        history.undo();
        choices = merging.choices;
        conflicts = run(choices);
    }
    of.addStep(doc, label);
    Object.assign(merging, { made: of.last(), choices });
    return { doc, conflicts, choices, why, patch: patchOf(of), past: of.past(), documents: of.summaries() };
}

/** The merge as a patch for the draft; null if there cannot be one. @param {Inside} of */
function patchOf(of) {
    const { ours, doc, level } = /** @type {Merging} */ (merging), document = level.documents[of.owner(doc).index] ?? level;
    try {
        return ours?.patchTo(document, { withData: true }) ?? null;
    } catch {
        return null;
    }
}

/** The place of an element of the base that the result lacks: a point, or corners of its triangles. @param {Inside} of @param {string} path */
export async function place(of, path) {
    const { base } = merging ?? {};
    if (!base) return null;
    const thing = base.entities().filter((one) => isWithin(path, one.path)).sort((a, b) => b.path.length - a.path.length)[0];
    if (thing) return { at: thing.world };
    const [{ bake, vertexBytes }, { cornersOf, runsOf }, { wholeOf }] = await Promise.all([import('./bake.js'), import('./marks.js'), import('./changes.js')]);
    const scene = base.scene({ ...of.sceneOptions(), noTextures: true }), { vertices, parts } = bake(scene);
    const corners = cornersOf(new Float32Array(vertices), vertexBytes / 4, runsOf({ scene, parts }, [wholeOf(path)]), 3000);
    return corners.length ? { corners } : null;
}
