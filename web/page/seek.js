// SPDX-License-Identifier: MIT
/** Searches a file for bytes and text, for the worker: in parts, so that files of any size fit. */

/** Bytes per read. */
const part = 1 << 20;
const decoder = new TextDecoder('windows-1252'); // one character for each byte

/**
 * Parses the wanted bytes, such as `de ad be ef` or `0xdead`, or text, which may be in quotes; lower-case text matches any case.
 * @param {string} text @returns {{bytes: Uint8Array, text: boolean} | null}
 */
export function wantedOf(text) {
    const plain = text.trim(), quoted = /^"(.*)"$/.exec(plain) ?? /^'(.*)'$/.exec(plain), digits = plain.replace(/^0x/i, '').replaceAll(/\s+/g, '');
    if (!quoted && digits.length % 2 === 0 && /^(0x)?[\da-f]{2}(\s*[\da-f]{2})*$/i.test(plain)) return { bytes: Uint8Array.from(digits.match(/../g) ?? [], (one) => Number.parseInt(one, 16)), text: false };
    const inside = quoted ? (quoted[1] ?? '') : plain;
    return inside ? { bytes: new TextEncoder().encode(inside), text: true } : null;
}

/**
 * The first match at or after an offset, or the last one before it; -1 if there is none.
 * @param {(offset: number, length: number) => Uint8Array} read @param {number} size @param {{bytes: Uint8Array, text: boolean}} wanted @param {number} from @param {boolean} [backwards]
 */
export function seek(read, size, wanted, from, backwards = false) {
    const length = wanted.bytes.length, exact = decoder.decode(wanted.bytes), any = wanted.text && exact === exact.toLowerCase(), text = any ? exact.toLowerCase() : exact;
    /** @param {number} offset @param {number} end */
    const within = (offset, end) => {
        const found = decoder.decode(read(offset, Math.min(size, end + length - 1) - offset)), all = any ? found.toLowerCase() : found, at = backwards ? all.lastIndexOf(text) : all.indexOf(text);
        return at < 0 ? -1 : offset + at;
    };
    if (!length || size < length) return -1;
    if (!backwards) {
        for (let offset = Math.max(0, from); offset < size; offset += part) {
            const at = within(offset, offset + part);
            if (at >= 0) return at;
        }
        return -1;
    }
    for (let end = Math.min(size, from); end > 0; end -= part) {
        const at = within(Math.max(0, end - part), end);
        if (at >= 0) return at;
    }
    return -1;
}
