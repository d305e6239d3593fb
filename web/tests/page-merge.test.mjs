// SPDX-License-Identifier: MIT
// Another version merged into the open level: its conflicts are listed and resolved by clicking, and the saved file equals that of `mapstone merge` and `mapstone resolve`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { valueOf } from '../page/merge.js';
import { bytesOf, command, digest, native, top } from './native.mjs';
import { begin, browser, download, families, give, inPage, openPage, picture, rules, server, settle, settled, skip } from './page.mjs';

const place = mkdtempSync(join(tmpdir(), 'mapstone-merge-')), outpost = join(top, 'web/dist/samples/outpost.level');
begin({ width: 1280, height: 720 });
after(() => rmSync(place, { recursive: true }));

/** The edits of ours and theirs in the outpost, from the end of its list: so removals do not shift the indices of later edits. */
const changes = (/** @type {'Ours' | 'Theirs'} */ side) => [
    `objects[33].properties.model = ${side}33.model`, `objects[31].properties.model = ${side}31.model`, `objects[23].properties.intensity = ${side === 'Ours' ? 2.5 : 2.75}`,
    side === 'Ours' ? 'objects[22].properties.intensity = 9' : 'remove objects[22]', side === 'Ours' ? 'remove objects[20]' : 'objects[20].properties.intensity = 3',
    `objects[19].properties.intensity = ${side === 'Ours' ? 2.5 : 2.75}`, `mesh.vertices[100].position[1] = ${side === 'Ours' ? 7 : 8}`, `layers[0].name = ${side}`, `mesh.faces[0].material = ${side === 'Ours' ? 2 : 3}`,
];
/** Three versions of a level, as files. @param {string} base @param {string} name @param {string[]} ours @param {string[]} theirs */
function versions(base, name, ours, theirs) {
    const files = /** @type {const} */ (['base', 'ours', 'theirs']).map((side) => join(place, `${name}-${side}.level`));
    const [first = '', ...sides] = files;
    copyFileSync(base, first);
    for (const [index, script] of [ours, theirs].entries()) {
        const made = native(['edit', '-q', '--cascade', first, ...script.flatMap((one) => ['-e', one]), '--no-history', '-o', sides[index] ?? '']);
        assert.equal(made.code, 0, made.said);
    }
    return { base: first, ours: sides[0] ?? '', theirs: sides[1] ?? '' };
}
/** A repository of git in which the command merges the same versions; `run` runs it there. @param {string} name @param {ReturnType<typeof versions>} files */
function repository(name, { base, ours, theirs }) {
    const folder = join(place, name), home = join(place, 'home');
    for (const one of [folder, home, join(place, 'bin')]) mkdirSync(one, { recursive: true });
    writeFileSync(join(place, 'bin/mapstone'), `#!/bin/sh\nexec '${resolve(command)}' "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}`, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true', GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
    /** @param {string} program @param {...string} given */
    const run = (program, ...given) => {
        const made = spawnSync(program, given, { cwd: folder, env, encoding: 'utf8' });
        return { code: made.status, said: made.stdout + made.stderr };
    };
    const commit = (/** @type {string} */ from, /** @type {string} */ message) => (copyFileSync(from, join(folder, 'a.level')), run('git', 'add', '.'), assert.equal(run('git', 'commit', '-q', '-m', message).code, 0));
    run('git', 'init', '-q', '-b', 'main');
    assert.equal(run('mapstone', 'git-setup', '-q').code, 0);
    commit(base, 'base');
    run('git', 'switch', '-q', '-c', 'theirs');
    commit(theirs, 'theirs');
    run('git', 'switch', '-q', 'main');
    commit(ours, 'ours');
    assert.notEqual(run('git', 'merge', '-q', '-m', 'all', 'theirs').code, 0, 'there are conflicts');
    return { run, file: join(folder, 'a.level') };
}
/** Opens the dialog, chooses the files, and merges. @param {import('puppeteer-core').Page} page @param {string} theirs @param {string} [base] */
async function merge(page, theirs, base) {
    await page.click('#file-menu');
    await (await page.waitForSelector('.menu ::-p-text(Merge another version)'))?.click();
    const [other, older] = /** @type {any[]} */ (await Promise.all([page.waitForSelector('#merge-theirs'), page.waitForSelector('#merge-base')]));
    await other.uploadFile(theirs);
    if (base) await older.uploadFile(base);
    await page.click('dialog [data-answer=merge]');
}
/** @param {import('puppeteer-core').Page} page @returns {Promise<string>} */
const now = (page) => inPage(page, async ({ app }) => (await app.library.call('save', 0)).digest);
/** The rows: the sign and the path. @param {import('puppeteer-core').Page} page */
const rows = (page) => page.$$eval('#panel-conflicts .row', (all) => all.map((one) => [one.children[0]?.textContent ?? '', one.children[1]?.getAttribute('title') ?? '']));
/** Clicks a side of a conflict, and waits until it is decided. @param {import('puppeteer-core').Page} page @param {string} path @param {string} side */
async function click(page, path, side) {
    await page.evaluate((where, which) => /** @type {any} */ ([...document.querySelectorAll('#panel-conflicts .row')].find((one) => one.children[1]?.getAttribute('title') === where)?.querySelector(`[data-side=${which}]`)).click(), path, side);
}
/** @param {import('puppeteer-core').Page} page @param {string} path @param {boolean} [decided] */
const decided = (page, path, decided = true) => page.waitForFunction((where, wanted) => {
    const row = [...document.querySelectorAll('#panel-conflicts .row')].find((one) => one.children[1]?.getAttribute('title') === where);
    return row?.classList.contains('decided') === wanted && !document.querySelector('#panel-conflicts .column[inert]');
}, { timeout: 120000 }, path, decided);

test('what is typed has the kind of the value', () => {
    assert.deepEqual([valueOf('a b', 'x'), valueOf('4', [2.5]), valueOf('[1,2]', [2.5, 3]), valueOf('7', 2), valueOf('1e', 2), valueOf('4', '3')], ['a b', [4], [1, 2], 7, '1e', '4']);
});

test('conflicts are listed and decided by clicking, as merge and resolve do', { skip }, async () => {
    const files = versions(outpost, 'outpost', changes('Ours'), changes('Theirs')), { run, file } = repository('git', files);
    const listed = native(['conflicts', '--json', files.base, files.ours, files.theirs]).text.trim().split('\n').map((line) => JSON.parse(line));
    const { page, errors } = await openPage(browser, server.url);
    await page.setViewport({ width: 1280, height: 900 });
    await give(page, [{ name: 'ours.level', path: files.ours }]);
    await settle(page);
    await merge(page, files.theirs, files.base);
    await page.waitForSelector('#panel-conflicts .row');
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(file)), 'ours stays where both changed the same');
    assert.deepEqual((await rows(page)).map(([, path]) => path), listed.map((one) => one.path));
    assert.ok((await rows(page)).every(([sign]) => sign === '!'));
    assert.deepEqual(await rules(page), []);
    await picture(page, 'merge-conflicts');
    // On a phone everything that can be chosen is within its width and large enough for a finger.
    const wide = page.viewport();
    await page.setViewport({ width: 390, height: 844 });
    await inPage(page, ({ app }) => app.emit('to-pane', 'conflicts'));
    await settle(page);
    await picture(page, 'merge-phone');
    const sides = await page.$$eval('#panel-conflicts .row [data-side]', (all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right, height, top }) => ({ left, right, height, top })));
    assert.ok(sides.length > 5 && sides.every(({ left, right, height, top }) => left >= 0 && right <= 390 && height >= 40 && top > 0), JSON.stringify(sides));
    await page.setViewport(wide);
    await settle(page);
    // One by one, each with the command's result.
    const { path: light } = listed.find((one) => one.path.startsWith('objects[19]')), { path: model } = listed.find((one) => one.path.startsWith('objects[33]')), { path: back } = listed.find((one) => one.conflict === 'removed-by-ours'), { path: lost } = listed.find((one) => one.conflict === 'removed-by-theirs');
    for (const [path, side] of /** @type {[string, string][]} */ ([[light, 'theirs'], [back, 'theirs'], [lost, 'theirs'], [model, 'ours']])) {
        assert.equal(run('mapstone', 'resolve', 'a.level', path, `--${side}`).code, 1);
        await click(page, path, side);
        await decided(page, path);
        await settled(page);
        assert.equal(await now(page), digest(bytesOf(file)), `${path} ${side}`);
    }
    // A value instead of both.
    const { path: typed } = listed.find((one) => one.path.startsWith('objects[23]'));
    assert.equal(run('mapstone', 'resolve', 'a.level', typed, '--value', '4').code, 1);
    await click(page, typed, 'value');
    await page.waitForSelector('dialog input[aria-label=Value]');
    await page.$eval('dialog input[aria-label=Value]', (input) => (/** @type {HTMLInputElement} */ (input).value = ''));
    await page.type('dialog input[aria-label=Value]', '4');
    await page.keyboard.press('Enter');
    await decided(page, typed);
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(file)), 'a value');
    // The same choice again undoes it; another one replaces it.
    await click(page, light, 'theirs');
    await decided(page, light, false);
    assert.equal(run('mapstone', 'resolve', 'a.level', light, '--ours').code, 1);
    await click(page, light, 'ours');
    await decided(page, light);
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(file)), 'another thought');
    // A click on the place shows it.
    await page.evaluate((where) => /** @type {any} */ ([...document.querySelectorAll('#panel-conflicts .row')].find((one) => one.children[1]?.getAttribute('title') === where)?.children[1]).click(), light);
    await page.waitForFunction(() => document.querySelector('#inspector .field.selected, #inspector h2')?.textContent?.includes('light'));
    assert.match(await inPage(page, ({ app }) => app.selected.path), /^objects\[\d+\]\.properties/);
    await settle(page);
    await picture(page, 'merge-place');
    // All remaining conflicts.
    run('mapstone', 'resolve', 'a.level', '--all', '--theirs');
    await page.click('#panel-conflicts [data-all=theirs]');
    await page.waitForFunction(() => document.querySelector('#panel-conflicts [role=status]')?.textContent?.startsWith('All'));
    await settled(page);
    const saved = await download(page, () => page.click('#save'));
    assert.equal(digest(saved.bytes), digest(bytesOf(file)));
    // The merge is one step of undo and redo.
    await page.click('[aria-label=Undo]');
    await page.waitForFunction(() => document.querySelector('[aria-label=Undo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(files.ours)));
    await page.click('[aria-label=Redo]');
    await page.waitForFunction(() => !document.querySelector('[aria-label=Undo]')?.hasAttribute('disabled'));
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(file)));
    // Later edits are not lost.
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['objects[0].class_name = mine'])), '');
    const mine = await now(page);
    await click(page, light, 'theirs');
    await page.waitForSelector('.refusal:not(.picking)');
    assert.match(await page.$eval('.refusal:not(.picking)', (one) => one.textContent ?? ''), /undo those changes first/);
    assert.equal(await now(page), mine);
    await (await page.waitForSelector('#panel-conflicts ::-p-text(Done)'))?.click();
    await page.waitForFunction(() => /** @type {HTMLElement} */ (document.querySelector('#tab-conflicts')).hidden);
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('the base may be the file as it was opened, and a merge outlives a reload', { skip }, async () => {
    const files = versions(outpost, 'opened', ['objects[19].properties.intensity = 2.5'], ['objects[23].properties.intensity = 2.75', 'layers[0].name = Theirs']), out = join(place, 'opened-merged.level');
    assert.equal(native(['merge', '-q', files.base, files.ours, files.theirs, '-o', out]).code, 0);
    const { page, errors } = await openPage(browser, server.url);
    await give(page, [{ name: 'outpost.level', path: files.base }]);
    await merge(page, files.theirs);
    await page.waitForFunction(() => /Choose the base/.test(document.querySelector('dialog .diagnosis')?.textContent ?? ''));
    await page.click('dialog [data-answer=""]');
    assert.equal(await inPage(page, ({ app }) => app.edit(0, ['objects[19].properties.intensity = 2.5'])), '');
    assert.equal(await now(page), digest(bytesOf(files.ours)));
    await merge(page, files.theirs);
    await page.waitForFunction(() => document.querySelector('#live')?.textContent?.startsWith('Merged'));
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(out)));
    assert.ok(await page.$eval('#tab-conflicts', (one) => /** @type {HTMLElement} */ (one).hidden), 'without conflicts there is no list of them');
    await settle(page);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload({ waitUntil: 'load' });
    await page.locator('.draft .primary').click(); // when it has stopped moving
    await page.waitForFunction(() => ![...document.querySelectorAll('.draft')].some((one) => one.textContent?.startsWith('outpost.level'))); // it is deleted once its changes are restored
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(out)));
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});

test('the largest level', { skip: skip || (families.ns2?.length ? false : 'there is no corpus') }, async () => {
    const level = families.ns2?.[0]?.path ?? '', [light = '', other = ''] = native(['tree', level, 'objects[class_name=light_point]']).text.match(/^objects\[\d+\]/gm) ?? [];
    const files = versions(level, 'fort', [`move ${light} by 0,1,0`, `${other}.properties.intensity = 1.5`], [`move ${light} by 0,2,0`, `${other}.properties.intensity = 1.75`]), { run, file } = repository('fort', files);
    const { page, errors } = await openPage(browser, server.url);
    await give(page, [{ name: 'ours.level', path: files.ours }]);
    await settle(page);
    await merge(page, files.theirs, files.base);
    await page.waitForSelector('#panel-conflicts .row', { timeout: 120000 });
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(file)));
    const [[, path = ''] = []] = await rows(page);
    run('mapstone', 'resolve', 'a.level', path, '--theirs');
    await click(page, path, 'theirs');
    await decided(page, path);
    await settled(page);
    assert.equal(await now(page), digest(bytesOf(file)));
    await page.click('#panel-conflicts .row .key');
    await settle(page);
    await picture(page, 'merge-2fort');
    assert.deepEqual(errors, []);
    await page.close({ runBeforeUnload: false });
});
