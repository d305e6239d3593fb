// SPDX-License-Identifier: MIT
/** Styles of panes that are loaded later. */

/** @param {string} text */
export function addStyles(text) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
}
