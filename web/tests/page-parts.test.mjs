// SPDX-License-Identifier: MIT
// Parts of the page that need no browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bake, vertexBytes, worldMatrices } from '../page/bake.js';
import { kindOf, readings } from '../page/bytes.js';
import { hex, isWithin, parentPath, size, steps } from '../page/dom.js';
import { pathOfChange } from '../page/changes.js';
import { arithmetic, numberOf, refusal, withFlag, withNumber } from '../page/control.js';
import { follow, merge } from '../page/several.js';
import { filterOf } from '../page/table.js';
import { farSectors, mostSectors } from '../page/world.js';

test('paths', () => {
    assert.deepEqual(steps('map.doors[2].lock'), ['map', 'doors', '[2]', 'lock']);
    assert.equal(parentPath('map.doors[2].lock'), 'map.doors[2]');
    assert.equal(parentPath('map.doors[2]'), 'map.doors');
    assert.equal(parentPath('map'), '');
    assert.ok(isWithin('map.doors[2]', 'map.doors') && isWithin('map', 'map') && isWithin('map', ''));
    assert.ok(!isWithin('map.doors2', 'map.doors'));
    assert.equal(hex(520056), '0x7ef78');
    assert.deepEqual([size(1), size(515000), size(2651543)], ['1 byte', '515 KB', '2.7 MB']);
});

test('numbers that are typed', () => {
    assert.deepEqual(['64*2', '-3', '0x10', '(1+2)*-4', '1.5e3', '7/2'].map(arithmetic), [128, -3, 16, -12, 1500, 3.5]);
    assert.deepEqual(['locked', '2*', '1/0', '0x'].map(arithmetic), ['locked', '2*', '1/0', '0x']);
});

test('what fits, and flags', () => {
    const byte = /** @type {any} */ ({ meaning: 'number', minimum: 0, maximum: 255 }), name = /** @type {any} */ ({ meaning: 'text', limit: 4 });
    assert.deepEqual(['255', '256', '-1', '2*200', 'locked'].map((one) => refusal(one, byte, 'lock')), ['', '256 does not fit: lock is 0 to 255.', '-1 does not fit: lock is 0 to 255.', '400 does not fit: lock is 0 to 255.', '']);
    assert.deepEqual(['able', 'äöü', ''].map((one) => refusal(one, name, 'name')), ['', '6 bytes do not fit: name has 4.', '']);
    assert.deepEqual(withFlag(['a', '0x80'], 'b', true), ['a', '0x80', 'b']);
    assert.deepEqual(withFlag(['a', 'b', '0x80'], 'a', false), ['b', '0x80']);
    assert.deepEqual([withNumber(['last', 9], 3), withNumber(9, 3), withNumber(['last'], 3)], [['last', 3], [3], ['last', 3]]);
    assert.deepEqual([numberOf('D012'), numberOf(7)], [12, 7]);
});

test('filters of the table', () => {
    const one = /** @type {any} */ ({ className: 'ls_ammo_pile', name: 'Hub', layer: 'Props', path: 'objects[3]', role: 'entity' });
    assert.ok(filterOf('')(one) && filterOf('class = ls_*_pile')(one) && filterOf('hub')(one) && filterOf('layer=props & ammo')(one));
    assert.ok(!filterOf('class = ls_*_post')(one) && !filterOf('ammo & reactor')(one) && !filterOf('name = hu')(one) && !filterOf('objects[4]')(one));
});

test('where a difference is', () => {
    const moved = { op: 'set', at: { list: 'objects', class_name: 'tech_point', index: 5 }, path: 'properties.origin', note: { new_index: 6 } };
    assert.deepEqual([pathOfChange(moved), pathOfChange(moved, true)], ['objects[6].properties.origin', 'objects[5].properties.origin']);
    assert.equal(pathOfChange({ op: 'remove', at: { list: 'mesh.faces', index: 0 }, path: '' }, true), 'mesh.faces[0]');
    assert.equal(pathOfChange({ op: 'insert', path: 'map.quads[4]' }), 'map.quads[4]');
});

test('the sectors around one', () => {
    const known = Array.from({ length: 400 }, (_, index) => ({ name: `w/8_${index % 20}_${Math.floor(index / 20)}.DAT`, id: 'revenant-sector' }));
    known.push({ name: 'w/9_5_5.DAT', id: 'revenant-sector' }, { name: 'w/class.def', id: 'revenant-classes' });
    assert.equal(farSectors(known.slice(0, mostSectors), undefined), null);
    const far = farSectors(known, 'w/8_10_10.DAT');
    assert.ok(far && far.out.size === 401 - mostSectors && far.sectors === 401);
    assert.ok(!far.out.has('w/8_10_10.DAT') && !far.out.has('w/8_14_13.DAT') && far.out.has('w/8_17_10.DAT') && far.out.has('w/9_5_5.DAT') && !far.out.has('w/class.def'));
    assert.ok(!farSectors(known, undefined)?.out.has('w/8_0_0.DAT'));
});

test('kinds and readings of bytes', () => {
    const field = (/** @type {object} */ more) => /** @type {any} */ ({ offset: 0, length: 1, path: 'a', name: 'a', class: 'field', ...more });
    assert.deepEqual([{ type: 'integer', text: '0' }, { type: 'integer', text: '2 locked' }, { type: 'text' }, { name: 'unknown_02', type: 'integer' }, { class: 'derived' }, { class: 'gap' }, { class: 'packed' }].map((one) => kindOf(field(one))),
        ['number', 'enum', 'text', 'unknown', 'derived', 'padding', 'packed']);
    assert.deepEqual(readings(new Uint8Array([1, 47])), [['u8, s8', '1, 1'], ['u16 little, big', '12033, 303'], ['bits', '00000001 00101111']]);
});

test('triangles of a scene in the world', () => {
    const node = { role: 'geometry', rotation: [0, 0, 0, 1], scale: [1, 1, 1], translation: [0, 0, 0] };
    const primitive = { vertexCount: 3, indexCount: 0, positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]) };
    const scene = /** @type {any} */ ({
        nodes: [{ ...node, scale: [2, 2, 2] }, { ...node, parent: 0, mesh: 0, translation: [1, 2, 3] }, { ...node, parent: 0, mesh: 0, scale: [-1, 1, 1], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] }],
        meshes: [{ primitives: [{ ...primitive, material: 0 }, { ...primitive, material: 1 }] }], materials: [{ alphaMode: 'blend' }, { alphaMode: 'opaque' }],
    });
    const baked = bake(scene), floats = new Float32Array(baked.vertices);
    assert.equal(baked.triangles, 4);
    assert.deepEqual(baked.batches, [{ material: 1, first: 0, count: 2 }, { material: 0, first: 2, count: 2 }]);
    assert.deepEqual(baked.parts.map(({ node: of, first, count }) => [of, first, count]), [[1, 0, 1], [2, 1, 1], [1, 2, 1], [2, 3, 1]]);
    const corner = (/** @type {number} */ number) => [...floats.subarray((number * vertexBytes) / 4, (number * vertexBytes) / 4 + 3)];
    assert.deepEqual([corner(0), corner(1), corner(2)], [[2, 4, 6], [4, 4, 6], [2, 6, 6]]);
    // A quarter turn to the left maps X to -Z; the mirror reverses the order of the corners.
    assert.deepEqual([corner(3), corner(4), corner(5)].map((one) => one.map((value) => Math.round(value * 1000) / 1000 + 0)), [[0, 2, 0], [0, 0, 2], [0, 0, 0]]);
    assert.equal(worldMatrices(scene.nodes).length, 36);
});

test('values of several elements are shown as one, and changed in each', () => {
    const row = (/** @type {unknown} */ value) => /** @type {any} */ ({ name: 'x', path: 'a', type: 'real', kind: 'f32', value });
    assert.deepEqual(merge([row(1), row(1)]), row(1));
    assert.deepEqual(merge([row(1), row(2)]), { ...row(''), text: '', mixed: true });
    assert.equal(merge([row(true), row(false)]).value, true);
    assert.deepEqual(merge([row([1, 2, 3]), row([1, 5, 3])]).value, [1, NaN, 3]);
    assert.deepEqual(merge([row(['a', 'b']), row(['b', 'c'])]).value, ['b']);
    assert.equal(follow(3, '', 4), 4);
    assert.deepEqual(follow([1, 5, 3], [1, NaN, 3], [1, NaN, 9]), [1, 5, 9]);
    assert.deepEqual(follow([1, 5, 3], [1, NaN, 3], [1, 7, 3]), [1, 7, 3]);
    assert.deepEqual(follow(['b', 'c'], ['b'], ['b', 'd']), ['b', 'c', 'd']);
    assert.deepEqual(follow(['b', 'c'], ['b'], []), ['c']);
});

/** The colours that a selector of the page's style sets. @param {string} selector */
function coloursOf(selector) {
    const style = readFileSync(new URL('../page/style.css', import.meta.url), 'utf8'), [, inside = ''] = style.split(`\n${selector} {`);
    return Object.fromEntries([...inside.slice(0, inside.indexOf('}')).matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

/** The luminance of a colour, as defined by the Web Content Accessibility Guidelines. @param {string} colour */
function luminance(colour) {
    const digits = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour;
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255).map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('text stands out from every ground, in all colours', () => {
    const dark = coloursOf(':root'), light = { ...dark, ...coloursOf(':root.light') }, more = coloursOf(':root.contrast');
    const themes = /** @type {[string, number, Record<string, string>][]} */ ([['dark', 4.5, dark], ['light', 4.5, light], ['contrast', 7, { ...dark, ...more }], ['light contrast', 7, { ...light, ...more, ...coloursOf(':root.contrast.light') }]]);
    for (const [name, wanted, theme] of themes)
        for (const text of ['text', 'text-2', 'text-3', 'select', 'error', 'warn', 'note', 'added', 'removed', 'changed', 'moved', 'number', 'derived', 'text-bytes', 'unknown', 'enum', 'packed', 'reference', 'padding'])
            for (const ground of ['surface', 'raised', 'void', 'hover', 'select-fill']) {
                const [one = 0, other = 0] = [theme[text] ?? '', theme[ground] ?? ''].map(luminance).sort((a, b) => b - a);
                assert.ok((one + 0.05) / (other + 0.05) >= wanted, `${name}: ${text} ${theme[text]} on ${ground} ${theme[ground]} is ${((one + 0.05) / (other + 0.05)).toFixed(2)} : 1`);
            }
});
