// SPDX-License-Identifier: MIT
/** The library in its worker: one request after the other, each with a promise. */
import { isServed } from './opened.js';

/** A single-file page has the worker and the module in itself. @typedef {{worker: string, wasm: ArrayBuffer}} Parts */

function startWorker() {
    const parts = /** @type {any} */ (globalThis).mapstoneParts;
    const worker = parts ? new Worker(parts.worker, { name: 'mapstone' }) : new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mapstone' });
    worker.postMessage({ wasm: parts?.wasm, first: isServed() ? 'mapstone' : 'look' }); // it begins to load
    return worker;
}

/** What the library, or the worker, refuses: with what a MapstoneError has. */
export class Refusal extends Error {
    /** @param {{message: string, finding?: any, details?: any[], status?: string}} why */
    constructor(why) {
        super(why.message);
        this.name = 'Refusal';
        this.finding = why.finding;
        this.details = why.details ?? [];
        this.status = why.status ?? '';
    }
}

export class Library {
    /** @type {Map<number, {resolve: (result: any) => void, reject: (why: any) => void}>} */
    #waiting = new Map();
    #last = 0;
    /** @type {(text: string) => void} */
    onProgress = () => undefined;
    #worker;

    constructor() {
        this.#worker = this.#start();
    }

    #start() {
        const worker = startWorker();
        worker.onmessage = ({ data }) => {
            if (data.progress) return this.onProgress(data.progress);
            const waiting = this.#waiting.get(data.id);
            this.#waiting.delete(data.id);
            if (data.error) waiting?.reject(new Refusal(data.error));
            else waiting?.resolve(data.result);
        };
        worker.onerror = (event) => this.#rejectAll(event.message || 'The library could not be loaded.');
        return worker;
    }

    /** @param {string} message */
    #rejectAll(message) {
        for (const { reject } of this.#waiting.values()) reject(new Refusal({ message, status: 'cancelled' }));
        this.#waiting.clear();
    }

    /** How many requests have no answer yet. */
    get pending() {
        return this.#waiting.size;
    }

    /**
     * @param {string} method  of worker.js
     * @param {...any} given
     * @returns {Promise<any>}
     */
    call(method, ...given) {
        return new Promise((resolve, reject) => {
            const id = ++this.#last;
            this.#waiting.set(id, { resolve, reject });
            this.#worker.postMessage({ id, method, given });
        });
    }

    /** Ends what it does, and what is open; a new worker starts. */
    restart() {
        this.#worker.terminate();
        this.#rejectAll('Cancelled.');
        this.#worker = this.#start();
    }
}
