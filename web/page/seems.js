// SPDX-License-Identifier: MIT
/** Guesses what a file is that is not a level, and what to do with it. */

/** First bytes of files, their kinds, and the advice to give. @type {[string, string, string][]} */
const beginnings = [
    ['\x89PNG', 'a PNG picture', 'picture'], ['\xff\xd8\xff', 'a JPEG picture', 'picture'], ['GIF8', 'a GIF picture', 'picture'], ['BM', 'a bitmap picture', 'picture'], ['DDS ', 'a texture', 'texture'],
    ['7z\xbc\xaf\x27\x1c', 'a 7-Zip archive', 'unpack'], ['Rar!', 'a RAR archive', 'unpack'], ['\x1f\x8b', 'a file packed by gzip', 'unpack'], ['BZh', 'a file packed by bzip2', 'unpack'], ['\xfd7zXZ', 'a file packed by xz', 'unpack'], ['MSCF', 'a cabinet', 'unpack'],
    ['PK\x03\x04', 'a zip archive', 'inside'], ['PK\x05\x06', 'an empty zip archive', 'inside'], ['PACK', 'a PAK archive', 'unpack'],
    ['MZ', 'a program for Windows', 'game'], ['\x7fELF', 'a program for Linux', 'game'], ['%PDF', 'a PDF document', 'other'], ['\xd0\xcf\x11\xe0', 'an old Office document', 'other'],
    ['RIFF', 'sound or video', 'other'], ['OggS', 'sound', 'other'], ['fLaC', 'sound', 'other'], ['ID3', 'sound', 'other'],
    ['glTF', 'a glTF model', 'model'], ['Kaydara FBX', 'an FBX model', 'model'], ['BLENDER', 'a Blender file', 'model'], ['IDP', 'a Quake model', 'game'], ['IBSP', 'a Quake or Source map', 'game'], ['VBSP', 'a Source map', 'game'], ['IWAD', 'a Doom archive', 'game'], ['PWAD', 'a Doom archive', 'game'],
    ['SQLite format 3', 'a database', 'other'], ['version https://git-lfs', 'a git-lfs pointer, not the file itself', 'lfs'],
];
/** @type {Record<string, string>} */
const advice = {
    picture: 'Textures are shown with the level that uses them: drop the folder that contains both.', texture: 'Textures are shown with the level that uses them: drop the folder that contains both.', unpack: 'Unpack it, and drop the folder.', inside: 'It contains no level in a format that mapstone supports.',
    game: 'mapstone does not know levels of that game. The levels that it knows are listed under “Formats” in its manual.', model: 'Open the level that it was exported from, then drop the model: its changes are listed, and applied if you agree.', lfs: 'Fetch the file itself with git lfs pull.', other: 'Choose the file of a level, or the folder it is in.',
};

/**
 * The probable kind of a file, in a sentence, and what to do next.
 * @param {string} name @param {Uint8Array} first  its first bytes
 */
export function seems(name, first) {
    const own = name.split('/').at(-1) ?? name;
    if (!first.length) return `${own} is empty.`;
    if (first.every((byte) => byte === 0)) return `${own} begins with nothing but zeros: the copy may be incomplete.`;
    const text = String.fromCharCode(...first.subarray(0, 64)), [, what, kind = ''] = beginnings.find(([begin]) => text.startsWith(begin)) ?? [];
    if (what) return `${own} seems to be ${what}. ${advice[kind]}`;
    const letters = new TextDecoder().decode(first).replace(/\ufffd$/, '');
    if (/^\s*<(\?xml|!doctype|html)/i.test(letters)) return `${own} seems to be ${/html/i.test(letters) ? 'a web page: the download may have failed' : 'XML'}. ${advice.other}`;
    if (/^\s*[{[]/.test(letters)) return `${own} seems to be JSON, but not what mapstone writes. ${advice.other}`;
    if (!/[\0-\x08\x0e-\x1f\ufffd]/.test(letters)) return `${own} seems to be text. ${advice.other}`;
    return `${own} begins with ${[...first.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}, which matches no format that mapstone supports. ${advice.other}`;
}
