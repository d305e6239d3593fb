// SPDX-License-Identifier: MIT
/** The ways in which files and elements get into the page: choosing, dropping, pasting, and the samples. */
import { byId, el } from './dom.js';
import { filesOfDrop, filesOfInput } from './files.js';
import { once } from './later.js';
import { samplePicture, samples } from './samples.js';

/** @param {import('./app.js').App} app @param {import('./session.js').Session} session @param {{refuse: (why: string) => void}} edit */
export function takeFiles(app, session, edit) {
    const pickFiles = byId('pick-files'), pickFolder = byId('pick-folder');
    for (const input of [pickFiles, pickFolder])
        input.addEventListener('change', async () => {
            const chosen = filesOfInput(input);
            input.value = '';
            const [now] = app.files, [old] = chosen;
            if (comparing && now && old) {
                comparing = false;
                return void (await session.open([old, now]));
            }
            await session.open(adding ? [...app.files, ...chosen] : chosen, adding && app.documents[0] ? { level: app.documents[0].name } : {});
            adding = false;
        });
    let adding = false, comparing = false;
    byId('choose-files').addEventListener('click', () => ((comparing = false), pickFiles.click()));
    byId('choose-folder').addEventListener('click', () => pickFolder.click());
    pickFiles.addEventListener('cancel', () => (comparing = false));
    app.on('compare', () => {
        comparing = true;
        pickFiles.click();
    });
    app.on('add-folder', () => {
        adding = true;
        pickFolder.click();
    });

    const veil = el('div.drop-veil', { hidden: true }, 'Drop to open');
    document.body.append(veil);
    addEventListener('dragover', (event) => {
        event.preventDefault();
        veil.hidden = byId('app').hidden;
        byId('zone').classList.add('over');
    });
    addEventListener('dragleave', (event) => {
        if (event.relatedTarget) return;
        veil.hidden = true;
        byId('zone').classList.remove('over');
    });
    addEventListener('drop', async (event) => {
        event.preventDefault();
        veil.hidden = true;
        byId('zone').classList.remove('over');
        if (event.dataTransfer) await session.open(await filesOfDrop(event.dataTransfer));
    });
    const clip = once(() => import('./clip.js'));
    /** Whether text is being edited or selected: copying then applies to the text. @param {Event} event */
    const isText = (event) => app.documents.length === 0 || (event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null) || String(getSelection()) !== '';
    addEventListener('copy', async (event) => {
        if (isText(event)) return;
        event.preventDefault();
        (await clip()).copyElements(app);
    });
    addEventListener('paste', async (event) => {
        const files = [...(event.clipboardData?.files ?? [])].map((file) => ({ name: file.name, file })), text = event.clipboardData?.getData('text/plain') ?? '';
        if (files.length) await session.open(files);
        else if (!isText(event)) (await clip()).pasteElements(app, edit.refuse, text);
    });
    app.on('copy', async () => (await clip()).copyElements(app));
    app.on('paste', async () => (await clip()).pasteElements(app, edit.refuse));

    for (const sample of samples) {
        const button = el('button.sample', { type: 'button', id: `sample-${sample.id}`, onclick: () => session.openSample(sample.id).catch((error) => session.refuse([], error, {})) }, el('img', { src: samplePicture(sample.id), alt: '', width: 100, height: 70 }), el('b', {}, sample.name), el('small', {}, sample.game));
        byId('samples').append(button);
    }
}
