// SPDX-License-Identifier: MIT
// What `mapstone help COMMAND` prints, which is set for terminals, as text that fits any width.

/** "  -o, --output=FILE   write to FILE": options and their meanings, which may go on in further lines. */
function options(lines, escape) {
    const rows = [];
    for (const line of lines) {
        const begin = line.match(/^ {2,6}(\S(?:.*?\S)?)(?: {2,}(.*))?$/);
        if (begin && !/^ {20}/.test(line)) rows.push([begin[1], begin[2] ?? '']);
        else rows.at(-1)[1] += ` ${line.trim()}`;
    }
    return `<div class="table"><table><tbody>\n${rows.map(([name, text]) => `<tr><td><code>${escape(name)}</code></td><td>${escape(text.trim())}</td></tr>`).join('\n')}\n</tbody></table></div>\n`;
}

export function helpPage(text, escape) {
    return text.trimEnd().split(/\n\n+/).map((block) => {
        const [first, ...rest] = block.split('\n');
        if (first.startsWith('usage:') || first.startsWith('  ') && !/^ {2,6}-/.test(first)) return `<pre><code>${escape(block)}</code></pre>\n`;
        if (/^ {2,6}-/.test(first)) return options([first, ...rest], escape);
        if (!rest.length || !rest.every((line) => line.startsWith('  '))) return `<p>${escape(block.replaceAll('\n', ' '))}</p>\n`;
        const inside = /^ {2,6}-/.test(rest[0]) ? options(rest, escape) : `<pre><code>${escape(rest.map((line) => line.slice(2)).join('\n'))}</code></pre>\n`;
        return `<h2>${escape(first)}</h2>\n${inside}`;
    }).join('');
}
