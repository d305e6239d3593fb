/* SPDX-License-Identifier: MIT */
/* Renders the pages, which are Markdown with only headings, paragraphs, items, tables and blocks of
 * commands. */
#define _GNU_SOURCE
#include "topics.h"
#include "../output/wrap.h"
#include <stdlib.h>
#include <string.h>

static const char paths[] = {
#include "paths.inc"
    0};
static const char selectors[] = {
#include "selectors.inc"
    0};
static const char editing[] = {
#include "editing.inc"
    0};

const char *const topic_names[] = {"paths", "selectors", "editing", NULL};
static const char *const pages[] = {paths, selectors, editing};

#define CELL_END 34 /* column of a table's second cell */

/* The bracket that closes the label of a link. NULL: the text is not a link. */
static const char *label_end(const char *text, size_t length) {
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == ']' && text[i + 1] == '(')
            return text + i;
    return NULL;
}

/* Appends a text without the addresses of its links, and (`plain`) without the marks of code. */
static void add_text(stream *to, const char *text, size_t length, bool plain) {
    bool code = false;
    for (size_t i = 0; i < length; i++) {
        const char *end = text[i] == '[' && !code ? label_end(text + i, length - i) : NULL;
        code ^= text[i] == '`';
        if (end) {
            add_text(to, text + i + 1, (size_t)(end - text) - i - 1, plain);
            const char *close = memchr(end, ')', length - (size_t)(end - text));
            i = close ? (size_t)(close - text) : length;
        } else if (!(text[i] == '\\' && i + 1 < length && text[i + 1] == '|') && !(plain && text[i] == '`')) {
            put(to, text + i, 1);
        }
    }
}

/* Writes the collected text of a paragraph or an item. */
static void put_collected(stream *to, stream *text) {
    if (!text->size)
        return;
    put(text, "", 1);
    put_wrapped(to, text->data);
    text->size = 0;
}

static void put_title(stream *to, const char *line, size_t length) {
    const size_t marks = strspn(line, "# ");
    put_text(to, line[1] == '#' ? "\n" : "");
    paint(to, COLOR_BOLD);
    put(to, line + marks, length - marks);
    unpaint(to);
    put_text(to, "\n");
}

/* The end of a cell: a bar without a backslash before it. */
static size_t cell_length(const char *line, size_t length) {
    size_t i = 0;
    while (i < length && !(line[i] == '|' && (!i || line[i - 1] != '\\')))
        i++;
    return i;
}

/* Writes a row of a table; the row below the heading is skipped. */
static void put_table_row(stream *to, const char *line, size_t length) {
    if (line[1] == '-')
        return;
    stream cells[2] = {stream_memory(), stream_memory()};
    size_t at = 1;
    for (size_t i = 0; i < 2 && at < length; i++) {
        size_t end = cell_length(line + at, length - at), last = end;
        while (last && line[at + last - 1] == ' ')
            last--;
        const size_t blank = last ? strspn(line + at, " ") : 0;
        add_text(&cells[i], line + at + blank, last - blank, i == 0);
        at += end + 1;
    }
    for (size_t i = 0; i < 2; i++)
        put(&cells[i], "", 1);
    put_hanging(to, "  ", cells[0].data, CELL_END, cells[1].data);
    stream_free(&cells[0]);
    stream_free(&cells[1]);
}

/* Writes a line, or collects it. `code`: within a block of commands. */
static void put_line(stream *to, stream *text, const char *line, size_t length, bool *code) {
    const bool item = length > 1 && strncmp(line, WRAP_ITEM, strlen(WRAP_ITEM)) == 0;
    if (length >= 3 && !strncmp(line, "```", 3)) {
        put_collected(to, text);
        *code = !*code;
    } else if (*code) {
        print(to, "  %.*s\n", (int)length, line);
    } else if (!length || *line == '#' || *line == '|' || *line == '<' || item) {
        put_collected(to, text);
        if (!length)
            put_text(to, "\n");
        else if (*line == '#')
            put_title(to, line, length);
        else if (*line == '|')
            put_table_row(to, line, length);
        else if (item)
            add_text(text, line, length, false);
    } else {
        put_text(text, text->size ? " " : "");
        const size_t blank = strspn(line, " ");
        add_text(text, line + blank, length - blank, false);
    }
}

bool topic_put(stream *to, const char *name) {
    size_t which = 0;
    while (topic_names[which] && strcmp(topic_names[which], name) != 0)
        which++;
    if (!topic_names[which])
        return false;
    stream text = stream_memory();
    bool code = false;
    for (const char *line = pages[which]; *line;) {
        const size_t length = strcspn(line, "\n");
        put_line(to, &text, line, length, &code);
        line += length + (line[length] == '\n');
    }
    put_collected(to, &text);
    stream_free(&text);
    return true;
}
