// SPDX-License-Identifier: MIT
/** Converts bytes of a field to its value. */

/** @typedef {import('../mapstone.js').Field} Field */

/** The number that bytes represent; undefined if it cannot be set. @param {string} kind @param {Uint8Array} bytes @param {boolean} little @returns {number | string | undefined} */
function read(kind, bytes, little) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), bits = 8 * bytes.length;
    if (/^f(32|64)$/.test(kind)) {
        const value = bits === 32 ? view.getFloat32(0, little) : bits === 64 ? view.getFloat64(0, little) : NaN;
        return Number.isFinite(value) ? value : undefined;
    }
    if (!/^[uis]\d/.test(kind) || bits > 64) return undefined;
    let value = 0n;
    for (const one of little ? [...bytes].reverse() : bytes) value = (value << 8n) | BigInt(one);
    if (/^[is]/.test(kind)) value = BigInt.asIntN(bits, value);
    return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? `0x${BigInt.asUintN(bits, value).toString(16)}` : Number(value);
}

/** Whether a field's number is little-endian; null if its bytes do not show it. @param {Field} field @param {Uint8Array} bytes  the present bytes @returns {boolean | null} */
export function isLittle({ kind = '', text = '' }, bytes) {
    const now = Number.parseFloat(text), wanted = kind === 'f32' ? Math.fround(now) : now, [little, big] = [read(kind, bytes, true), read(kind, bytes, false)];
    return (little === wanted) === (big === wanted) ? null : little === wanted;
}

/** A field's value for other bytes; undefined if no value has these bytes. @param {Field} field @param {Uint8Array} bytes  all of the field's @param {boolean} little @param {unknown} now  its value @returns {unknown} */
export function valueOf({ type, kind = '' }, bytes, little, now) {
    if (type === 'bool') return bytes.some((one) => one !== 0);
    if (type === 'text') return new TextDecoder('windows-1252').decode(bytes).replace(/\0+$/, '');
    if (type === 'bytes') return typeof now === 'string' && now.length === 2 * bytes.length ? [...bytes].map((one) => one.toString(16).padStart(2, '0')).join('') : undefined;
    return read(kind, bytes, little);
}

/** The offset of bytes in a file; -1 if they occur in no place or several. @param {Uint8Array} file @param {Uint8Array} wanted */
export function placeOf(file, wanted) {
    const counts = new Uint32Array(256), often = (/** @type {number} */ at) => counts[wanted[at] ?? 0] ?? 0;
    for (const one of file) counts[one] = (counts[one] ?? 0) + 1;
    let rare = 0, found = -1; // searches for the byte that is rarest in the file
    wanted.forEach((_, at) => (rare = often(at) < often(rare) ? at : rare));
    for (let at = file.indexOf(wanted[rare] ?? 0, rare); at >= 0; at = file.indexOf(wanted[rare] ?? 0, at + 1)) {
        const first = at - rare;
        let same = 0;
        while (same < wanted.length && file[first + same] === wanted[same]) same++;
        if (same < wanted.length || !same) continue;
        if (found >= 0) return -1;
        found = first;
    }
    return found;
}
