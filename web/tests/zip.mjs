// SPDX-License-Identifier: MIT
// Writes zip archives, for the tests of opening them.
import { crc32, deflateRawSync } from 'node:zlib';

/** A table of CRC-32, for versions of Node without one. @param {Uint8Array} bytes */
function checksum(bytes) {
    if (crc32) return crc32(bytes);
    let crc = -1;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
}

/** A zip archive with every second member compressed, after other bytes. @param {[string, Uint8Array][]} members @param {number} before */
export function zip(members, before) {
    /** @type {Buffer[]} */ const parts = [Buffer.from('PK\x03\x04'), Buffer.alloc(before)], entries = /** @type {Buffer[]} */ ([]);
    let at = 4 + before;
    members.forEach(([name, bytes], index) => {
        const data = index % 2 ? deflateRawSync(bytes) : Buffer.from(bytes), head = Buffer.alloc(30), entry = Buffer.alloc(46);
        head.writeUInt32LE(0x04034b50, 0);
        entry.writeUInt32LE(0x02014b50, 0);
        for (const [to, first] of /** @type {[Buffer, number][]} */ ([[head, 4], [entry, 6]])) {
            to.writeUInt16LE(20, first);
            to.writeUInt16LE(index % 2 ? 8 : 0, first + 4);
            to.writeUInt32LE(checksum(bytes), first + 10);
            to.writeUInt32LE(data.length, first + 14);
            to.writeUInt32LE(bytes.length, first + 18);
            to.writeUInt16LE(Buffer.byteLength(name), first + 22);
        }
        entry.writeUInt32LE(at, 42);
        entries.push(entry, Buffer.from(name));
        parts.push(head, Buffer.from(name), data);
        at += 30 + Buffer.byteLength(name) + data.length;
    });
    const directory = Buffer.concat(entries), end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(members.length, 8);
    end.writeUInt16LE(members.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(at, 16);
    return new Uint8Array(Buffer.concat([...parts, directory, end]));
}
