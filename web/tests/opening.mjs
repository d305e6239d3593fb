// SPDX-License-Identifier: MIT
// Prints the processor time that opening the largest level of each family takes in the page, until its picture, light and
// findings are shown, next to that of the command's check and model of it. The process that draws is counted apart: here it draws by
// software.
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { command } from './native.mjs';
import { families, inPage, launch, openPage, processes, serve } from './page.mjs';

const runs = 5;
/** @param {number[]} all */
const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;

/** The milliseconds of processor time of a command. @param {string[]} given */
function nativeTime(given) {
    const { stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', 'time', command, ...given], { encoding: 'utf8' });
    return 1000 * stderr.trim().split(' ').reduce((sum, one) => sum + Number(one), 0);
}

const server = await serve(), browser = await launch({ width: 1280, height: 720 });
console.log('| level | check + model | opening in the page | times | and for drawing |\n|---|--:|--:|--:|--:|');
for (const files of Object.values(families)) {
    const path = files[0]?.path ?? '', model = join('/tmp', `${basename(path)}.glb`);
    /** @type {number[]} */ const natives = [], pages = [], draws = [];
    for (let run = 0; run < runs; run++) {
        natives.push(nativeTime(['check', '-q', path]) + nativeTime(['convert', path, '-o', model]));
        const { page } = await openPage(browser, server.url), before = processes(browser);
        const input = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement> | null} */ (await page.$('#pick-files'));
        await input?.uploadFile(...files.map((one) => one.path));
        await page.waitForFunction(() => /** @type {any} */ (globalThis).mapstonePage.app.findings !== null, { timeout: 120000 });
        await inPage(page, ({ view }) => view.drawNow(true));
        const after = processes(browser), spent = (/** @type {RegExp} */ kind) => [...after].reduce((sum, [number, one]) => sum + (kind.test(one.kind) ? one.time - (before.get(number)?.time ?? 0) : 0), 0);
        pages.push(spent(/^(?!gpu)/));
        draws.push(spent(/^gpu/));
        await page.close();
    }
    const [native, here, drawn] = [natives, pages, draws].map(median);
    console.log(`| ${basename(path)}, ${Math.round(readFileSync(path).length / 1000)} kB | ${native?.toFixed(0)} ms | ${here?.toFixed(0)} ms | ${((here ?? 0) / (native || 1)).toFixed(1)} | ${drawn?.toFixed(0)} ms |`);
}
await browser.close();
server.close();
