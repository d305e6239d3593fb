// SPDX-License-Identifier: MIT
/** Styles of panes that are loaded later. */

/** The window of a phone, as in style.css. */
export const phone = '(max-width: 767px)';

/** @param {string} text */
export function addStyles(text) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
}
