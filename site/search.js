// SPDX-License-Identifier: MIT
// The page search.html: finds sections of the site by their words. A classic script, like the index (search-index.js, written by build.mjs),
// so that it works on pages opened from a disk.

/** The sections with all words of a query, or words beginning with them, the best first. A section is [address, page, heading, words]. */
function find(index, query) {
    const wanted = query.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
    if (!wanted.length) return [];
    const rate = (text, word) => {
        const at = ` ${text}`.indexOf(` ${word}`);
        return at < 0 ? 0 : ` ${text} `.includes(` ${word} `) ? 2 : 1;
    };
    const found = [];
    for (const entry of index) {
        const heading = entry[2].toLowerCase(), page = entry[1].toLowerCase();
        let score = 0;
        for (const word of wanted) {
            const best = Math.max(rate(heading, word) * 8, rate(page, word) * 5, rate(entry[3], word));
            if (!best) { score = 0; break; }
            score += best;
        }
        // whole pages before their parts, and guides before references
        const rank = (heading === page ? 4 : 0) + (entry[0].startsWith('docs/') ? 2 : 0) - Math.min(heading.length, 80) / 100;
        if (score) found.push({ entry, score: score + rank });
    }
    return found.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function show() {
    const query = document.getElementById('query'), list = document.getElementById('found'), said = document.getElementById('said');
    const most = 40, all = find(globalThis.searchIndex, query.value);
    list.replaceChildren(...all.slice(0, most).map(([address, page, heading]) => {
        const item = document.createElement('li'), link = document.createElement('a'), where = document.createElement('span');
        link.href = address;
        link.textContent = heading;
        where.textContent = heading === page ? '' : ` ${page}`;
        item.append(link, where);
        return item;
    }));
    said.textContent = !query.value.trim() ? '' : all.length ? `${all.length} section${all.length === 1 ? '' : 's'}${all.length > most ? `, the first ${most}` : ''}` : 'Nothing has all these words.';
}

if (globalThis.document) {
    const query = document.getElementById('query');
    query.value = new URLSearchParams(location.search).get('q') ?? '';
    query.addEventListener('input', show);
    show();
}
