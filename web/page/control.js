// SPDX-License-Identifier: MIT
/** The control that edits a value, by its meaning: numbers, names, flags, elements of lists, text. */
import { count, el, iconButton, isWithin, short, some } from './dom.js';
import { isColor } from './fields.js';
import { openPicker } from './picker.js';

/** @typedef {import('./app.js').Where} Where */
/** @typedef {import('./app.js').Row} Row */
/** @typedef {import('../mapstone.js').Description} Description */

/** The placeholder where several values are shown as one and differ. */
const mixed = 'mixed';

/** The most elements of a list that are offered; the user types the numbers of others. */
const offered = 5000;

/** The number for typed text, which may be an expression: "64*2". @param {string} text @returns {number | string} */
export function arithmetic(text) {
    const plain = text.trim();
    if (/^-?(0x[\da-f]+|\d+\.?\d*(e[-+]?\d+)?|\.\d+)$/i.test(plain)) return /^-?0x/i.test(plain) ? (plain.startsWith('-') ? -1 : 1) * Number.parseInt(plain.replace('-', ''), 16) : Number(plain);
    const parts = plain.match(/\d+\.?\d*|[-+*/()]|\S/g) ?? [];
    if (!/^[\d\s.+\-*/()]+$/.test(plain)) return plain;
    let at = 0;
    /** @returns {number} */
    const atom = () => {
        const one = parts[at++];
        if (one === '-') return -atom();
        if (one === '(') {
            const inner = sum();
            return parts[at++] === ')' ? inner : NaN;
        }
        return one === undefined ? NaN : Number(one);
    };
    const product = () => {
        let value = atom();
        while (parts[at] === '*' || parts[at] === '/') value = parts[at++] === '*' ? value * atom() : value / atom();
        return value;
    };
    const sum = () => {
        let value = product();
        while (parts[at] === '+' || parts[at] === '-') value = parts[at++] === '+' ? value + product() : value - product();
        return value;
    };
    const result = sum();
    return at === parts.length && Number.isFinite(result) ? result : plain;
}

const encoder = new TextEncoder();

/**
 * The reason why a text cannot be stored, as far as it is known in advance; '' if none.
 * @param {string} text @param {Description | null | undefined} known @param {string} name
 */
export function refusal(text, known, name) {
    if (known?.meaning === 'text') {
        const bytes = encoder.encode(text).length;
        return known.limit && bytes > known.limit ? `${some(bytes, 'byte')} do not fit: ${name} has ${known.limit}.` : '';
    }
    const number = arithmetic(text), { minimum, maximum } = known ?? {};
    if (typeof number !== 'number' || minimum === undefined || maximum === undefined || maximum > 1e30) return '';
    return number < minimum || number > maximum ? `${short(number)} does not fit: ${name} is ${count(minimum)} to ${count(maximum)}.` : '';
}

/**
 * A list of flags with one of them set or cleared, and the others unchanged.
 * @param {unknown[]} flags @param {string} name @param {boolean} on
 */
export const withFlag = (flags, name, on) => (on ? [...flags.filter((one) => one !== name), name] : flags.filter((one) => one !== name));

/** A list of flags with another number in the other bits. @param {unknown} flags @param {unknown} number */
export const withNumber = (flags, number) => [...(Array.isArray(flags) ? flags.filter((one) => typeof one !== 'number') : []), number];

/** The number that identifies an element, from the value of its field: for text, the number at its end. @param {unknown} value */
export const numberOf = (value) => (typeof value === 'string' ? Number(/\d+$/.exec(value)?.[0] ?? NaN) : value);

/** Whether a number is the index of an element, without other bits. @param {Description | null} [known] @returns {known is Description} */
const refersAlone = (known) => Boolean(known?.refers?.path && !known.refers.bits);

/** Whether a value's unit is written next to its name, because there are buttons next to the value. @param {Row} row @param {Description | null} [known] */
const isNamedWithUnit = (row, known) => isVector(row) || Boolean(known?.names?.length) || Boolean(known?.refers?.path);

/** Whether a value is a few numbers that belong together. @param {Row} row @returns {boolean} */
const isVector = ({ value, type }) => type === 'list' && Array.isArray(value) && value.length > 1 && value.length <= 4 && value.every((one) => typeof one === 'number');

/**
 * A field: its name and its control. Long numbers of a vector get separate lines, so that they are fully visible.
 * @param {Where} where @param {Row} row @param {ReturnType<typeof makeControls>} control @param {Description | null} [known] @param {() => void} [choose]
 */
export function fieldOf(where, row, control, known, choose) {
    const made = el('div.field', { title: [row.kind, row.documentation].filter(Boolean).join(' · ') }), vector = isVector(row);
    made.append(el('label', { for: `f-${where.path}`, onclick: choose }, row.name, row.unit && isNamedWithUnit(row, known) ? el('span.unit', {}, ` ${row.unit}`) : null));
    made.classList.toggle('wide', vector && (refersAlone(known) || /** @type {number[]} */ (row.value).some((one) => short(one).length > 4)));
    made.append(control(where, row, made, known));
    return made;
}

/** A colour of numbers as `#rrggbb`. @param {number[]} value @param {number} full  the value of full intensity */
const colorText = (value, full) => `#${value.slice(0, 3).map((one) => Math.round((255 * Math.min(full, Math.max(0, one))) / full).toString(16).padStart(2, '0')).join('')}`;

/** @param {import('./app.js').App} app @param {(where: Where, value: unknown, field: HTMLElement) => Promise<void>} commit */
export function makeControls(app, commit) {
    /** @param {string} value @param {(text: string) => unknown} take @param {boolean} numeric @param {(text: string) => string} [check] the reason for refusing it */
    function textInput(value, take, numeric, check) {
        const input = /** @type {HTMLInputElement} */ (el('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', inputmode: numeric ? 'decimal' : undefined }));
        input.value = value;
        input.addEventListener('change', () => input.value !== value && take(input.value));
        input.addEventListener('input', () => {
            const why = check?.(input.value) ?? '';
            input.classList.toggle('refused', why !== '');
            input.toggleAttribute('aria-invalid', why !== '');
            input.title = why;
        });
        input.addEventListener('keydown', (event) => {
            if (event.key === 'Escape') {
                input.value = value;
                input.dispatchEvent(new Event('input'));
                event.stopPropagation();
            } else if (numeric && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
                const now = arithmetic(input.value);
                if (typeof now !== 'number') return;
                event.preventDefault();
                input.value = short(now + (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1));
            }
        });
        return input;
    }

    /** A colour's swatch, which opens the browser's picker. Components other than red, green and blue are kept. @param {Where} where @param {Row} row @param {HTMLElement} field */
    function swatch(where, row, field) {
        const value = /** @type {number[]} */ (row.value), full = /^[us]\d/.test(row.kind) ? 255 : 1, now = colorText(value, full);
        const input = /** @type {HTMLInputElement} */ (el('input', { type: 'color', 'aria-label': `Colour of ${row.name}`, title: now }));
        input.value = now;
        input.addEventListener('change', () => {
            const parts = [1, 3, 5].map((at) => Number.parseInt(input.value.slice(at, at + 2), 16));
            commit(where, value.map((one, index) => (index > 2 ? one : full === 255 ? parts[index] : Number(((parts[index] ?? 0) / 255).toPrecision(4)))), field);
        });
        return input;
    }

    /** A button that lists the names that a number can have. @param {Where} where @param {Row} row @param {Description} known @param {HTMLElement} field */
    function namesButton(where, row, known, field) {
        const button = iconButton('down', `Choose ${row.name}`, () => openPicker(button, {
            label: row.name, current: row.value, take: ({ value }) => commit(where, value, field),
            choices: (known.names ?? []).map(({ value, name, words }) => ({ value: name, name: `${value} ${name}`, words })),
        }));
        button.setAttribute('aria-haspopup', 'dialog');
        return button;
    }

    /** A box for each flag, with the number of its bit. @param {Where} where @param {Row} row @param {Description} known @param {HTMLElement} field */
    function flagBoxes(where, row, known, field) {
        const flags = /** @type {unknown[]} */ ([row.value].flat()), names = known.names ?? [];
        const boxes = names.map(({ value: bit, name, words }) => {
            const box = /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox', 'data-flag': name }));
            box.checked = flags.includes(name);
            box.addEventListener('change', () => commit(where, withFlag(flags, name, box.checked), field));
            return el('label.flag', { title: words }, box, el('span.unit', {}, String(bit)), name);
        });
        const others = flags.filter((one) => !names.some(({ name }) => name === one));
        const set = flags.length - others.length, all = el('details.flags', {}, el('summary', {}, set ? flags.filter((one) => !others.includes(one)).join(', ') : `none of ${names.length}`), ...boxes);
        if (others.length && !known.refers?.path) all.append(el('p.where', {}, `and ${others.join(', ')}, which have no names`));
        all.toggleAttribute('open', names.length <= 8 || openFlags.has(row.name));
        all.addEventListener('toggle', () => openFlags[/** @type {HTMLDetailsElement} */ (all).open ? 'add' : 'delete'](row.name));
        return all;
    }
    /** Fields whose flags are shown; they stay so for the next selection. @type {Set<string>} */ const openFlags = new Set();

    /**
     * Buttons that go to the element that a number refers to, and that choose another one.
     * @param {Where} where @param {Row} row @param {Description} known @param {HTMLElement} field @param {number} [at]  which number of a list
     */
    function elementButtons(where, row, known, field, at) {
        const { path: list = '', key, none } = known.refers ?? {}, of = at === undefined ? row.name : `${row.name} ${at + 1}`;
        const own = at === undefined ? where : { doc: where.doc, path: `${where.path}[${at}]` };
        /** @param {unknown} number */
        const put = (number) => commit(where, known.meaning === 'flags' ? withNumber(row.value, number) : at === undefined ? number : /** @type {unknown[]} */ (row.value).map((one, index) => (index === at ? number : one)), field);
        /** @param {number} index */
        const take = async (index) => put(key ? numberOf(await app.library.call('get', { doc: where.doc, path: `${list}[${index}].${key}` })) : index);
        const choose = iconButton('down', `Choose ${of}`, async () => {
            const [{ row: whole, rows }, [now]] = await Promise.all([app.rows({ doc: where.doc, path: list }, 0, offered), app.library.call('references', own)]);
            const choices = rows.map((one, index) => ({ value: /** @type {unknown} */ (index), name: `[${index}] ${one.label ?? one.text ?? ''}` }));
            if (none !== undefined) choices.unshift({ value: null, name: `${none} none` });
            const inView = el('button.plain', { type: 'button', onclick: () => app.pick(`${list}[…] for ${of}`, (/** @type {Where} */ picked) => {
                const index = picked.doc === where.doc && isWithin(picked.path, list) ? Number.parseInt(picked.path.slice(list.length + 1), 10) : NaN;
                if (!Number.isFinite(index)) return `${picked.path} is not in ${list}.`;
                app.select(where, { from: 'picker' });
                take(index);
                return '';
            }) }, 'Pick it in the view, the map, the tree or the table');
            openPicker(choose, {
                label: of, choices, current: now ? Number.parseInt(now.to.slice(now.to.lastIndexOf('[') + 1), 10) : null, take: ({ value }) => (value === null ? put(none) : take(/** @type {number} */ (value))),
                more: [inView, (whole.count ?? 0) > rows.length ? el('span.where', {}, `The first ${count(rows.length)} of ${count(whole.count ?? 0)}; type the number of another.`) : null],
            });
        });
        choose.setAttribute('aria-haspopup', 'dialog');
        const follow = iconButton('link', `Go to the element that ${of} refers to`, async () => {
            const [to] = await app.library.call('references', own);
            if (to) app.select({ doc: where.doc, path: to.to }, { from: 'inspector', jump: true, fly: true });
            else app.say(`${of} does not refer to anything in this file.`);
        });
        return [choose, follow];
    }

    /**
     * The control of one value.
     * @param {Where} where @param {Row} row @param {HTMLElement} field @param {Description | null} [known] @returns {HTMLElement}
     */
    return function control(where, row, field, known) {
        const { value, type } = row, id = `f-${where.path}`;
        const inputs = el('div.inputs');
        /** @param {HTMLElement} made */
        const named = (made) => {
            if (!inputs.children.length) made.id = id;
            made.dataset.path = where.path;
            made.setAttribute('aria-label', row.name);
            inputs.append(made);
            return made;
        };
        const check = (/** @type {string} */ text) => refusal(text, known, row.name);
        if (known?.derived && type !== 'record' && type !== 'list') inputs.append(el('span.fixed', { title: 'It is computed from other values.' }, row.text ?? ''), el('span.unit', {}, 'computed'));
        else if (typeof value === 'boolean') {
            const box = /** @type {HTMLInputElement} */ (named(el('input', { type: 'checkbox' })));
            box.checked = value;
            box.indeterminate = row.mixed ?? false;
            box.addEventListener('change', () => commit(where, box.checked, field));
        } else if (known?.meaning === 'flags' && (Array.isArray(value) || known.refers?.path) && known.names?.length && type !== 'list') {
            const boxes = flagBoxes(where, row, known, field), numbers = /** @type {number[]} */ ([value].flat().filter((one) => typeof one === 'number'));
            if (known.refers?.path) {
                const number = named(textInput(short(numbers[0] ?? 0), (text) => commit(where, withNumber(value, arithmetic(text)), field), true));
                inputs.append(el('span.each', {}, number, ...elementButtons(where, row, known, field)), boxes);
            } else named(boxes);
        } else if (Array.isArray(value) && value.every((one) => typeof one === 'number') && value.length <= 4 && type === 'list') {
            const all = value.map((one, index) => textInput(Number.isNaN(one) ? '' : short(one), (text) => {
                const list = [...value];
                list[index] = /** @type {number} */ (arithmetic(text));
                return commit(where, list, field);
            }, true, check));
            for (const [index, one] of all.entries()) {
                named(one);
                if (refersAlone(known)) inputs.append(el('span.each', {}, one, ...elementButtons(where, row, known, field, index)));
            }
            all.forEach((one, index) => Number.isNaN(value[index]) && one.setAttribute('placeholder', mixed));
            inputs.classList.toggle('several', all.length > 1);
            if (isColor(row) && !value.some(Number.isNaN)) inputs.append(swatch(where, row, field));
        } else if (Array.isArray(value) && type === 'list' && value.length > 0 && value.length <= 4 && value.every((one) => typeof one === 'boolean')) {
            value.forEach((one, index) => {
                const box = /** @type {HTMLInputElement} */ (named(el('input', { type: 'checkbox' })));
                box.checked = one;
                box.indeterminate = row.mixed ?? false;
                box.addEventListener('change', () => commit(where, value.map((each, at) => (at === index ? box.checked : each)), field));
            });
        } else if (type === 'integer' || type === 'real') {
            const text = typeof value === 'number' ? short(value) : String(value ?? row.text ?? '');
            named(textInput(text, (next) => commit(where, arithmetic(next), field), typeof value === 'number' || row.mixed === true, check));
            const name = type === 'integer' && typeof value === 'string' ? (row.text ?? '').split(' ')[0] : '';
            if (name && name !== value && name.length < 7) inputs.append(el('span.unit', {}, name));
            const onlyNone = known?.refers?.path && (known.names ?? []).every(({ value: one }) => one === known.refers?.none);
            if (known?.names?.length && known.meaning !== 'flags' && !onlyNone) inputs.append(namesButton(where, row, known, field));
            if (refersAlone(known)) inputs.append(...elementButtons(where, row, known, field));
        } else if (type === 'text' && typeof value === 'string') {
            named(textInput(value, (next) => commit(where, next, field), false, check));
            if (known?.limit) inputs.append(el('span.unit', { title: 'Maximum length in bytes' }, `of ${known.limit}`));
        } else if (type === 'list' || type === 'record') {
            inputs.append(el('button.plain.data', { type: 'button', onclick: () => app.select(where, { from: 'inspector' }) }, `${row.label || row.text || some(row.count ?? 0, 'field')}`));
        } else if (value !== undefined) {
            named(textInput(typeof value === 'string' ? value : JSON.stringify(value), (next) => {
                /** @type {unknown} */ let given = next;
                try {
                    given = JSON.parse(next);
                } catch {
                    // a name
                }
                return commit(where, given, field);
            }, false));
        } else inputs.append(el('span.fixed', {}, row.text ?? ''));
        if (row.mixed) inputs.querySelector(':scope > input[type=text]:only-of-type')?.setAttribute('placeholder', mixed);
        if (row.unit && !isNamedWithUnit(row, known)) inputs.append(el('span.unit', {}, row.unit));
        return inputs;
    };
}
