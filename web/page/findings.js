// SPDX-License-Identifier: MIT
/** The library's findings, grouped by code, each with the found and expected values. */
import { same } from './app.js';
import { count, data, el, icon, some } from './dom.js';
import { Rows } from './rows.js';

/** Findings that are listed for each code at first. */
const few = 100;
const rank = { error: 0, warning: 1, information: 2 };

/** @param {import('./app.js').App} app */
export function makeFindings(app) {
    /** @typedef {{code: string, message: string, severity: 'error' | 'warning' | 'information', list: import('./app.js').Finding[], open: boolean, all: boolean}} Group */
    /** @type {Group[]} */ let groups = [];
    /** @type {({group: Group} | {finding: import('./app.js').Finding} | {more: Group})[]} */ let lines = [];
    const rows = new Rows({ label: 'Findings', role: 'listbox', height: 28, make, act: (index, event) => act(index, event) });
    const empty = el('div.empty', { role: 'status' }, 'Checking…');
    const element = el('div.column', {}, empty, rows.element);

    function fill() {
        lines = groups.flatMap((group) => [{ group }, ...(group.open ? [...group.list.slice(0, group.all ? Infinity : few).map((finding) => ({ finding })), ...(group.all || group.list.length <= few ? [] : [{ more: group }])] : [])]);
        rows.set(lines.length);
    }

    /** @param {number} index */
    function make(index) {
        const line = lines[index];
        if (!line) return el('div');
        if ('more' in line) return el('div', { role: 'option', 'aria-selected': 'false' }, `Show all ${count(line.more.list.length)}`);
        if ('group' in line) {
            const { severity, message, list, code, open } = line.group;
            return el('div.group-row', { role: 'option', 'aria-selected': 'false', title: open ? 'Enter closes it' : 'Enter opens it' }, el(`span.twist${open ? '.open' : ''}`, {}, icon('down')), el(`span.mark-${severity}`, { title: severity }, icon(severity)), el('span.key', {}, message), el('span.badge', {}, count(list.length)), el('span.code', {}, code));
        }
        const { finding } = line, where = { doc: finding.doc, path: finding.path }, here = same(app.selected, where);
        const made = el('div.cells', { role: 'option', 'aria-selected': String(here), title: finding.message }, el('span', {}, finding.path || app.nameOf(finding.doc)), el('span.found', {}, finding.found ? 'found ' : '', data(finding.found ?? '')), el('span.found', {}, finding.expected ? 'expected ' : '', data(finding.expected ?? '')));
        made.style.gridTemplateColumns = 'minmax(180px, 2fr) minmax(100px, 1fr) minmax(140px, 2fr)';
        made.style.paddingLeft = '44px';
        if (here) made.classList.add('selected');
        return made;
    }

    /** @param {number} index @param {Event} event */
    function act(index, event) {
        const line = lines[index];
        if (!line) return;
        rows.active = index;
        const moved = event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ';
        if ('finding' in line) go(line.finding, !moved);
        else if (!moved && 'group' in line) {
            line.group.open = !line.group.open;
            fill();
        } else if (!moved && 'more' in line) {
            line.more.all = true;
            fill();
        }
    }

    /** @param {import('./app.js').Finding} finding @param {boolean} fly */
    function go(finding, fly) {
        current = finding;
        app.select({ doc: finding.doc, path: finding.path }, { from: 'findings', jump: fly, fly });
        app.say(`${finding.message}. ${finding.path}`);
    }

    /** The last shown finding: several may be about one value. @type {import('./app.js').Finding | null} */ let current = null;
    /** Shows the finding after the last shown one, or after the first one about the selection. @param {number} by */
    function step(by) {
        const all = groups.flatMap((one) => one.list), isHere = (/** @type {import('./app.js').Finding} */ one) => same(app.selected, { doc: one.doc, path: one.path });
        if (!all.length) return app.say('No findings.');
        const now = current && isHere(current) ? all.indexOf(current) : all.findIndex(isHere);
        const next = all[now < 0 && by < 0 ? all.length - 1 : (now + by + all.length) % all.length];
        if (!next) return;
        const group = groups.find((one) => one.list.includes(next));
        if (group && !group.open) {
            group.open = true;
            fill();
        }
        const line = lines.findIndex((one) => 'finding' in one && one.finding === next);
        go(next, true);
        if (line >= 0) rows.reveal((rows.active = line));
    }

    app.on('open', () => {
        groups = [];
        empty.hidden = false;
        empty.textContent = 'Checking…';
        fill();
    });
    app.on('findings', () => {
        const opened = new Set(groups.filter((one) => one.open).map((one) => one.code)), first = !groups.length;
        /** @type {Map<string, Group>} */ const byCode = new Map();
        for (const one of app.findings ?? []) {
            const known = byCode.get(one.code);
            if (known) known.list.push(one);
            else byCode.set(one.code, { code: one.code, message: one.message, severity: one.severity, list: [one], open: opened.has(one.code), all: false });
        }
        groups = [...byCode.values()].sort((a, b) => rank[a.severity] - rank[b.severity] || b.list.length - a.list.length);
        if (first && groups[0]) groups[0].open = true;
        empty.hidden = groups.length > 0;
        empty.textContent = 'Nothing odd.';
        fill();
    });
    app.on('select', () => rows.draw(true));
    const counted = () => (app.findings ?? []).filter((one) => one.severity !== 'information').length;
    const summary = () => some(counted(), 'finding');
    return { element, step, focus: () => rows.element.focus(), counted, summary };
}
