// SPDX-License-Identifier: MIT
/** Other forms to save the level in: a model, JSON, pictures of the view and of the map. */

/**
 * @param {import('./app.js').App} app @param {ReturnType<typeof import('./view.js').makeView>} view
 * @param {{menu: (at: any, items: ([string, string, () => void] | null)[]) => void, write: (bytes: Uint8Array, name: string, key: string) => Promise<boolean>, refuse: (why: string) => void}} edit
 * @param {import('./app.js').At} at  the place of the menu
 */
export function showForms(app, view, edit, at) {
    const doc = app.selected?.doc ?? 0, stem = (/** @type {number} */ of) => app.nameOf(of).replace(/\.[^.]*$/, '');
    /** @param {string} name @param {() => Promise<Uint8Array>} make */
    const save = async (name, make) => {
        try {
            await edit.write(await make(), name, name);
            app.say(`Saved ${name}.`);
        } catch (error) {
            edit.refuse(/** @type {Error} */ (error).message);
        }
    };
    /** @param {HTMLCanvasElement} from @returns {Promise<Uint8Array>} */
    const png = (from) => new Promise((resolve, reject) => from.toBlob(async (blob) => (blob ? resolve(new Uint8Array(await blob.arrayBuffer())) : reject(new Error('The picture is too large for this browser.')))));
    async function map() {
        const { pixels, width, height } = await app.ask('Drawing the map', 'picture', { view: 'above', width: 2048, cut: Number.isFinite(view.look.cut) ? view.look.cut : 0 }), drawn = document.createElement('canvas');
        [drawn.width, drawn.height] = [width, height];
        drawn.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
        return png(drawn);
    }
    /** @type {[string, string, () => void][]} */ const pictures = view.draws ? [1, 2, 4].filter((times) => times * Math.max(...view.size) <= 8192).map((times) => [`Picture of the view, ${view.size.map((one) => one * times).join(' × ')}`, '.png', () => save(`${stem(0)}.png`, () => png(view.pictureOf(times)))]) : [];
    edit.menu(at, [
        ['Model with its textures', '.glb', () => save(`${stem(0)}.glb`, () => app.ask('Making the model', 'model'))], ['Model to be edited in Blender', '.glb', () => save(`${stem(0)}-edit.glb`, () => app.ask('Making the model', 'model', true))], ['All values as JSON', '.json', () => save(`${app.nameOf(doc)}.json`, async () => new TextEncoder().encode(await app.ask('Writing JSON', 'json', doc)))], null,
        ...pictures, ['Picture of the map', '.png', () => save(`${stem(0)}-map.png`, map)],
    ]);
}
