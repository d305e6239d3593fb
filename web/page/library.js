// SPDX-License-Identifier: MIT
/** The library in its worker: one request at a time, each with a promise. */
import { isServed } from './opened.js';

/** A single-file page contains the worker and the module. @typedef {{worker: string, wasm: ArrayBuffer}} Parts */

function startWorker() {
    const parts = /** @type {any} */ (globalThis).mapstoneParts;
    const worker = parts ? new Worker(parts.worker, { name: 'mapstone' }) : new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'mapstone' });
    worker.postMessage({ wasm: parts?.wasm, first: isServed() ? 'mapstone' : 'look' }); // the worker starts loading
    return worker;
}

/** A refusal by the library or the worker, with the members of a MapstoneError. */
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
    #worker;

    constructor() {
        this.#worker = this.#start();
    }

    #start() {
        const worker = startWorker();
        worker.onmessage = ({ data }) => {
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

    /** The number of requests without an answer. */
    get pending() {
        return this.#waiting.size;
    }

    /**
     * @param {string} method  a method of worker.js
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

    /** Aborts all work, closes the level, and starts a new worker. */
    restart() {
        this.#worker.terminate();
        this.#rejectAll('Cancelled.');
        this.#worker = this.#start();
    }
}
