/* SPDX-License-Identifier: MIT */
#include "csv.h"

#include <string.h>

static bool has_prefix(const char *text, size_t size, const char *prefix) {
    size_t length = strlen(prefix);
    return size >= length && memcmp(text, prefix, length) == 0;
}

/* The length of a blank that spreadsheets skip before a formula; 0: the text does not begin with one. */
static size_t blank_length(const char *text, size_t size) {
    static const char *const wide[] = {"\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
                                       "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE2\x81\xA0",
                                       "\xE3\x80\x80", "\xEF\xBB\xBF"};
    if ((unsigned char)*text <= ' ' || *text == 0x7F)
        return 1;
    if (has_prefix(text, size, "\xE2\x80") && size > 2 &&
        (unsigned char)text[2] <= 0x8F) /* U+2000 to U+200F */
        return 3;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (has_prefix(text, size, wide[i]))
            return strlen(wide[i]);
    return 0;
}

/* Whether a cell that begins here is a formula. */
static bool begins_formula(const char *text, size_t size) {
    static const char *const signs[] = {
        "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    for (size_t blank; size && !memchr("\t\r\n", *text, 3) && (blank = blank_length(text, size)) != 0;
         size -= blank)
        text += blank;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (has_prefix(text, size, signs[i]))
            return true;
    return false;
}

bool csv_is_formula(const char *text, size_t size) {
    return size && (memchr("\t\r\n", *text, 3) || begins_formula(text, size));
}

void csv_put_cell(stream *to, const char *text, size_t size) {
    bool quoted = false;
    for (size_t i = 0; i < size && !quoted; i++)
        quoted = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    if (!quoted) {
        put_data(to, text, size);
        return;
    }
    put(to, "\"", 1);
    for (const char *quote; size && (quote = memchr(text, '"', size)); put(to, "\"", 1)) {
        size_t part = (size_t)(quote - text) + 1;
        put_data(to, text, part);
        text += part;
        size -= part;
    }
    put_data(to, text, size);
    put(to, "\"", 1);
}

void csv_put_safe_cell(stream *to, const char *text, size_t size) {
    stream safe = stream_memory();
    if (csv_is_formula(text, size))
        put(&safe, "'", 1);
    for (size_t i = 0; i < size; i++) {
        put(&safe, text + i, 1);
        if (memchr(";\t\r\n", text[i], 4) && begins_formula(text + i + 1, size - i - 1))
            put(&safe, "'", 1);
    }
    csv_put_cell(to, safe.data ? safe.data : "", safe.size);
    stream_free(&safe);
}
