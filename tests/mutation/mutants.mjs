// SPDX-License-Identifier: MIT
// Faults to make in C code, one at a time. Sources are laid out by clang-format, so that lines and blanks identify
// operators; engine.mjs leaves out faults that do not compile, or compile to the same code.
import { createHash } from "node:crypto";
import fs from "node:fs";

// The text with comments, strings, character constants and preprocessor lines blanked, at the same offsets.
export function blank(text) {
    const cover = (piece) => piece.replace(/[^\n]/g, " ");
    return text
        .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
                 (piece) => (piece[0] === '"' ? `"${"_".repeat(piece.length - 2)}"` : piece[0] === "'" ? `'${"_".repeat(piece.length - 2)}'` : cover(piece)))
        .replace(/^#(?:[^\n]*\\\n)*[^\n]*/gm, cover);
}

// The bodies of functions: a line that begins with a name and ends with "{", until "}" in the first column.
export function functions(code) {
    const found = [];
    const head = /^[A-Za-z_](?:[^;{}=]|\n)*?\b(\w+)\([^;{}]*\)\s*\{\n/gm;
    for (let match; (match = head.exec(code)); ) {
        const begin = head.lastIndex, end = code.indexOf("\n}", begin);
        if (end < 0) break;
        found.push({ name: match[1], begin, end });
        head.lastIndex = end;
    }
    return found;
}

// The position of the bracket that closes the one at `at`.
function closing(code, at) {
    for (let depth = 0, i = at; i < code.length; i++) {
        if ("([{".includes(code[i])) depth++;
        else if (")]}".includes(code[i]) && --depth === 0) return i;
    }
    return -1;
}

// The end of the operand that begins at `at`: at a bracket that it did not open, or at one of the words.
function operand(code, at, words) {
    for (let depth = 0, i = at; i < code.length; i++) {
        if ("([{".includes(code[i])) depth++;
        else if (")]}".includes(code[i]) && depth-- === 0) return i;
        else if (depth === 0 && words.some((word) => code.startsWith(word, i))) return i;
    }
    return -1;
}

const LIMITS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const SIGNS = { "+": "-", "-": "+", "+=": "-=", "-=": "+=" };

// Changes in a function's body: {kind, begin, end, text}: text replaces the code from begin to end.
function* changes(text, code, body) {
    const inside = function* (expression) {
        expression.lastIndex = body.begin;
        for (let match; (match = expression.exec(code)) && match.index < body.end; ) yield match;
    };
    for (const match of inside(/ (<|<=|>|>=) /g))
        yield { kind: "limit", begin: match.index, end: match.index + match[0].length, text: ` ${LIMITS[match[1]]} ` };
    for (const match of inside(/(?<=[\w)\]]) ([+-]|\+=|-=) /g))
        yield { kind: "sign", begin: match.index, end: match.index + match[0].length, text: ` ${SIGNS[match[1]]} ` };
    for (const match of inside(/\bif \(/g)) {
        const begin = match.index + 4, end = closing(code, begin - 1);
        if (end > 0) yield { kind: "check", begin, end, text: `0 && (${text.slice(begin, end)})` };
    }
    for (const match of inside(/ (&&|\|\|)\s+/g)) {
        const begin = match.index + match[0].length, end = operand(code, begin, [" &&", " ||", " ?", " :", ";", ","]);
        if (end > 0)
            yield { kind: "check", begin, end, text: `(${match[1] === "&&" ? "1 ||" : "0 &&"} (${text.slice(begin, end)}))` };
    }
    for (const match of inside(/ \? /g)) {
        const begin = match.index + 3, middle = operand(code, begin, [" : "]);
        const end = middle > 0 ? operand(code, middle + 3, [";", ",", " : ", " ? "]) : -1;
        if (end > 0)
            yield { kind: "order", begin, end, text: `${text.slice(middle + 3, end)} : ${text.slice(begin, middle)}` };
    }
    for (const match of inside(/\b(?!if|for|while|switch|return|sizeof)\w+\(/g)) {
        const begin = match.index + match[0].length, comma = operand(code, begin, [", "]);
        if (comma < 0 || code[comma] !== ",") continue;
        const end = operand(code, comma + 2, [", "]);
        if (end > 0)
            yield { kind: "order", begin, end, text: `${text.slice(comma + 2, end)}, ${text.slice(begin, comma)}` };
    }
    // two statements of a line each, where one uses a value that the other changes
    for (const match of inside(/\n( +)(?!return|break|continue|goto|case|if|for|while|else|do)([^\n]*;)(?=\n\1(?!return|break|continue|goto|case|if|for|while|else|do)(\w[^\n]*;)\n)/g)) {
        const first = match.index + 1 + match[1].length, half = first + match[2].length;
        const second = half + 1 + match[1].length, end = second + match[3].length;
        if (end < body.end && (mentions(match[3], changed(match[2])) || mentions(match[2], changed(match[3]))))
            yield { kind: "order", begin: first, end, text: text.slice(second, end) + text.slice(half, second) + text.slice(first, half) };
    }
}

// The subject of a statement: the assigned variable, or the first argument of a call; "" if unknown.
function changed(statement) {
    const match = /^(?:\w+ (?:const )?\**)?([\w>.-]+(?:\[\w+\])?)(?: [-+*\/|&^%]?= |(?:\+\+|--);|;)/.exec(statement) ?? /^\w+\(&?([\w>.-]+)[,)]/.exec(statement);
    return match ? match[1].replace(/[->.]+$/, "") : "";
}
function mentions(statement, name) {
    const expression = new RegExp(`(?<![\\w.>])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`);
    return name !== "" && expression.test(statement);
}

const lineOf = (text, at) => text.slice(0, at).split("\n").length;
const squeeze = (text) => text.trim().replace(/\s+/g, " ");

// Every fault of a file: {id, kind, file, line, last, before, after, text}; text is the whole file with the fault in it.
export function mutantsOf(file) {
    const text = fs.readFileSync(file, "utf8"), code = blank(text);
    const found = [], seen = new Map();
    for (const body of functions(code))
        for (const change of changes(text, code, body)) {
            const from = text.lastIndexOf("\n", change.begin) + 1, to = text.indexOf("\n", change.end);
            const changed = text.slice(0, change.begin) + change.text + text.slice(change.end);
            const before = squeeze(text.slice(from, to));
            const after = squeeze(changed.slice(from, to + changed.length - text.length));
            if (before === after || /MST_UNREACHABLE|assert\(/.test(before)) continue;
            const name = `${file} ${body.name}\n- ${before}\n+ ${after}`;
            const time = (seen.get(name) ?? 0) + 1;
            seen.set(name, time);
            found.push({ id: time > 1 ? `${name} #${time}` : name, kind: change.kind, file, line: lineOf(text, change.begin),
                         last: lineOf(text, change.end), text: changed });
        }
    return found;
}

// All faults of the files, each kind in an order determined by the seed; other changes of the code do not affect the
// order.
export function drawn(files, seed) {
    const kinds = new Map();
    for (const file of files)
        for (const mutant of mutantsOf(file)) {
            mutant.rank = createHash("sha256").update(`${seed} ${mutant.id}`).digest("hex");
            kinds.set(mutant.kind, [...(kinds.get(mutant.kind) ?? []), mutant]);
        }
    for (const mutants of kinds.values()) mutants.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    return kinds;
}
