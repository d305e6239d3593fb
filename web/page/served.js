// SPDX-License-Identifier: MIT
/** Files on a web server that serves parts of them, for the worker, where reading may block. */

/** Bytes per request, since small requests take as long as larger ones; and the number of blocks that are cached. */
const block = 1 << 16, most = 64;
/** The last blocks that were read, by address and number, the oldest first. @type {Map<string, Uint8Array>} */ const kept = new Map();

const unreachable = 'The file cannot be read: mapstone view has ended.';

export class Served {
    #url;
    #name;

    /** @param {{url: string, name: string, size: number}} file */
    constructor({ url, name, size }) {
        this.#url = url;
        this.#name = name;
        this.size = size;
    }

    /** Clears the cache, because files may have changed. */
    static forget() {
        kept.clear();
    }

    /** @param {number} offset @param {number} length @returns {Uint8Array} */
    read(offset, length) {
        if (length > block) return this.#request(offset, length);
        const bytes = new Uint8Array(length);
        for (let done = 0; done < length; ) {
            const at = offset + done, inside = at % block, part = this.#block(Math.floor(at / block)).subarray(inside, inside + length - done);
            bytes.set(part, done);
            done += part.length;
        }
        return bytes;
    }

    /** @param {number} number */
    #block(number) {
        const key = `${number} ${this.#url}`, bytes = kept.get(key) ?? this.#request(number * block, Math.min(block, this.size - number * block));
        kept.delete(key);
        kept.set(key, bytes);
        const [oldest] = kept.keys();
        if (kept.size > most && oldest) kept.delete(oldest);
        return bytes;
    }

    /** @param {number} offset @param {number} length */
    #request(offset, length) {
        if (length <= 0 || offset + length > this.size) throw new Error(`${this.#name} is shorter than expected.`);
        const request = new XMLHttpRequest();
        request.open('GET', this.#url, false);
        request.responseType = 'arraybuffer';
        request.setRequestHeader('Range', `bytes=${offset}-${offset + length - 1}`);
        try {
            request.send();
        } catch {
            throw new Error(unreachable);
        }
        return this.#part(request.status, request.response, request.getResponseHeader('Content-Range'), length);
    }

    /** Its first bytes, without blocking. @param {number} length */
    async first(length) {
        const wanted = Math.min(length, this.size);
        if (!wanted) return new Uint8Array();
        const answer = await fetch(this.#url, { headers: { Range: `bytes=0-${wanted - 1}` } }).catch(() => {
            throw new Error(unreachable);
        });
        return this.#part(answer.status, await answer.arrayBuffer(), answer.headers.get('Content-Range'), wanted);
    }

    /** @param {number} status @param {ArrayBuffer} bytes @param {string | null} range @param {number} length */
    #part(status, bytes, range, length) {
        if (status === 404) throw new Error(`${this.#name} no longer exists.`);
        if (status !== 206 || bytes.byteLength !== length || Number(range?.split('/')[1]) !== this.size) throw new Error(`${this.#name} has changed since mapstone view was started. Start it again.`);
        return new Uint8Array(bytes);
    }
}
