// SPDX-License-Identifier: MIT
// Collision and helpers in the page: they are hidden, as in pictures and models, until the user wants them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { corpus } from './native.mjs';
import { begin, browser, give, inPage, openPage, openSample, picture, server, settle, skip } from './page.mjs';

begin();

const button = '[aria-label="Show collision and helpers"]';
/** The picture, and its number of triangles. @param {import('puppeteer-core').Page} page */
async function look(page) {
    await settle(page);
    return inPage(page, async ({ view }) => {
        view.drawNow(true);
        const on = document.querySelector('[aria-label="Show collision and helpers"]');
        return { shown: view.canvas.toDataURL(), seen: view.scene.seen, triangles: view.scene.triangles, says: view.canvas.getAttribute('aria-label'), on: on?.getAttribute('aria-pressed'), hidden: on instanceof HTMLElement && on.hidden };
    });
}
/** The roles of surfaces at points of the view. @param {import('puppeteer-core').Page} page @returns {Promise<string[]>} */
const rolesAt = (page) => inPage(page, async ({ view }) => {
    /** @type {Set<string>} */ const roles = new Set();
    for (let i = 0; i < 400; i++) {
        const found = view.pick(view.canvas.clientWidth * ((i % 20) + 0.5) / 20, view.canvas.clientHeight * (Math.floor(i / 20) + 0.5) / 20);
        if (found?.triangle === undefined) continue;
        const part = view.scene.parts.find((/** @type {any} */ one) => found.triangle >= one.first && found.triangle < one.first + one.count);
        roles.add(view.scene.groups[part.group].role);
    }
    return [...roles].sort();
});

for (const id of ['bunker', 'valley'])
    test(`${id}: they are off, and one switch shows them`, { skip }, async () => {
        const { page, errors } = await openPage(browser, server.url);
        await openSample(page, id);
        const off = await look(page);
        assert.ok(off.seen > 0 && off.seen < off.triangles, `${off.seen} of ${off.triangles}`);
        assert.match(off.says, new RegExp(`, ${off.seen.toLocaleString('en-GB')} triangles$`));
        assert.deepEqual([off.on, off.hidden], ['false', false]);
        assert.ok((await rolesAt(page)).every((one) => one !== 'collision' && one !== 'helper'));
        await page.click(button);
        const on = await look(page);
        assert.equal(on.on, 'true');
        assert.notEqual(on.shown, off.shown);
        assert.ok((await rolesAt(page)).some((one) => one === 'collision' || one === 'helper'));
        await picture(page, `unseen-${id}`);
        await page.click(button);
        assert.equal((await look(page)).shown, off.shown);
        // Another level opens without them.
        await page.click(button);
        await openSample(page, id);
        assert.equal((await look(page)).on, 'false');
        assert.ok((await rolesAt(page)).every((one) => one !== 'collision' && one !== 'helper'));
        assert.deepEqual(errors, []);
        await page.close();
    });

test('faces of tool materials are helpers; an edit leaves the switch as it is', { skip }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await openSample(page, 'outpost');
    const before = await look(page);
    assert.deepEqual([before.seen, before.hidden], [before.triangles, true]);
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['mesh.materials[0] = "materials/tools/toolsskybox.material"'])), '');
    const off = await look(page);
    assert.ok(off.seen < before.seen && off.triangles === before.triangles, `${off.seen}, ${before.seen}`);
    assert.ok(!(await rolesAt(page)).includes('helper'));
    await page.click(button);
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['objects[0].class_name = location'])), '');
    assert.equal((await look(page)).on, 'true');
    assert.ok((await rolesAt(page)).includes('helper'));
    assert.deepEqual(errors, []);
    await page.close();
});

test('L111: 15,544 of 38,028 triangles are collision', { skip: skip || (corpus ? false : 'there is no corpus') }, async () => {
    const { page, errors } = await openPage(browser, server.url);
    await give(page, ['L111LEV.MAP', '111GFX.BIN'].map((name) => ({ name, path: join(corpus, 'alien', name) })), { level: 'L111LEV.MAP' });
    const { seen, triangles } = await look(page);
    assert.equal(triangles - seen, 15544);
    assert.ok(!(await rolesAt(page)).includes('collision'));
    await picture(page, 'unseen-l111');
    assert.deepEqual(errors, []);
    await page.close();
});
