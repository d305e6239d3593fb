// SPDX-License-Identifier: MIT
// The output of `mapstone help COMMAND`, which is laid out for terminals, as HTML for any width.

/** "  -o, --output=FILE   write to FILE": options and their meanings, which may continue on further lines. */
function options(lines, escape) {
    const rows = [];
    for (const line of lines) {
        const begin = line.match(/^ {2,6}(\S(?:.*?\S)?)(?: {2,}(.*))?$/);
        if (begin && !/^ {20}/.test(line)) rows.push([begin[1], begin[2] ?? '']);
        else rows.at(-1)[1] += ` ${line.trim()}`;
    }
    return `<div class="table"><table><tbody>\n${rows.map(([name, text]) => `<tr><td><code>${escape(name)}</code></td><td>${escape(text.trim())}</td></tr>`).join('\n')}\n</tbody></table></div>\n`;
}

/** A paragraph, then "- item" lines, which may continue on indented lines. */
function list(lines, escape) {
    const at = lines.findIndex((line) => line.startsWith('- ')), items = [];
    for (const line of lines.slice(at)) {
        if (line.startsWith('- ')) items.push(line.slice(2));
        else items.push(`${items.pop()} ${line.trim()}`);
    }
    const before = at ? `<p>${escape(lines.slice(0, at).join(' '))}</p>\n` : '';
    return `${before}<ul>\n${items.map((item) => `<li>${escape(item)}</li>`).join('\n')}\n</ul>\n`;
}

export function helpPage(text, escape) {
    return text.trimEnd().split(/\n\n+/).map((block) => {
        const [first, ...rest] = block.split('\n');
        if (block.split('\n').some((line) => line.startsWith('- '))) return list([first, ...rest], escape);
        if (first.startsWith('usage:') || first.startsWith('  ') && !/^ {2,6}-/.test(first)) return `<pre><code>${escape(block)}</code></pre>\n`;
        if (/^ {2,6}-/.test(first)) return options([first, ...rest], escape);
        if (!rest.length || !rest.every((line) => line.startsWith('  '))) return `<p>${escape(block.replaceAll('\n', ' '))}</p>\n`;
        const inside = /^ {2,6}-/.test(rest[0]) ? options(rest, escape) : `<pre><code>${escape(rest.map((line) => line.slice(2)).join('\n'))}</code></pre>\n`;
        return `<h2>${escape(first)}</h2>\n${inside}`;
    }).join('');
}
