// SPDX-License-Identifier: MIT
// The manual of the library: the comments and declarations of a public header, section by section.

/** The text of a comment as HTML: its paragraphs, and its indented examples. */
function paragraphs(comment, escape) {
    const lines = comment.replace(/^\/\*+ ?|\s*\*\/$/g, '').split('\n').map((line) => line.replace(/^ \* ?/, ''));
    let html = '', block = [], example = false;
    const flush = () => {
        while (block.length && !block.at(-1).trim()) block.pop();
        const text = escape(block.join('\n'));
        if (block.length) html += example ? `<pre><code>${text}</code></pre>\n` : `<p>${text}</p>\n`;
        block = [];
    };
    for (const line of lines) {
        const indented = /^ {4}/.test(line);
        if (line.trim() && indented !== example) {
            flush();
            example = indented;
        } else if (!line.trim() && !example) {
            flush();
        }
        if (line.trim() || block.length) block.push(example ? line.replace(/^ {4}/, '') : line);
    }
    flush();
    return html;
}

/** A header as HTML. Comments at the beginning of a line become text; the code after them is shown unchanged. */
export function headerPage(text, escape, slug) {
    const body = text.replace(/^\/\* SPDX.*\n/, '').replace(/^#(ifndef|define) MAPSTONE_\w+_H\n/gm, '')
        .replace(/#ifdef __cplusplus\n.*\n#endif\n/g, '').replace(/\n#endif\s*$/, '\n');
    let html = '';
    for (const piece of body.split(/^(\/\*[\s\S]*?\*\/)$/m)) {
        const section = piece.match(/^\/\* -{3,} (.*?) -+ \*\/$/);
        if (section) html += `<h2 id="${slug(section[1])}">${escape(section[1])}</h2>\n`;
        else if (piece.startsWith('/*')) html += paragraphs(piece, escape);
        else if (piece.trim()) html += `<pre><code>${escape(piece.trim().replace(/\n{3,}/g, '\n\n'))}</code></pre>\n`;
    }
    return html;
}
