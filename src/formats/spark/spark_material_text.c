/* SPDX-License-Identifier: MIT */
#include "spark_material_text.h"
#include "../../core/text.h"
#include <string.h>

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}
static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool begins(const char *text, size_t size, size_t at, const char *start) {
    size_t length = strlen(start);
    return at <= size && length <= size - at && memcmp(text + at, start, length) == 0;
}

/* ---- steps in a text: each returns the offset after the skipped text ------------------------------- */

static size_t skip_line(const char *text, size_t size, size_t at) {
    while (at < size && !is_line_end(text[at]))
        at++;
    return at;
}

static size_t skip_blanks(const char *text, size_t size, size_t at) {
    while (at < size && is_blank(text[at]))
        at++;
    return at;
}

size_t mst_material_skip(const char *text, size_t size, size_t at) {
    while (at < size) {
        if (is_blank(text[at]) || is_line_end(text[at])) {
            at++;
        } else if (begins(text, size, at, "//")) {
            at = skip_line(text, size, at);
        } else if (begins(text, size, at, "/*")) {
            size_t end = at + 2;
            while (end < size && !begins(text, size, end, "*/"))
                end++;
            if (end == size) /* never closed: the rest would be lost */
                return at;
            at = end + 2;
        } else {
            return at;
        }
    }
    return at;
}

static size_t skip_name(const char *text, size_t size, size_t at) {
    if (at < size && is_letter(text[at]))
        while (at < size && (is_letter(text[at]) || is_digit(text[at])))
            at++;
    return at;
}

static size_t skip_number(const char *text, size_t size, size_t at) {
    size_t from = at, digits = 0;
    if (at < size && text[at] == '-')
        at++;
    for (; at < size && is_digit(text[at]); at++)
        digits++;
    if (at < size && text[at] == '.')
        for (at++; at < size && is_digit(text[at]); at++)
            digits++;
    return digits ? at : from;
}

/* A value without quotes: a list up to its bracket, or a word. */
static size_t skip_word(const char *text, size_t size, size_t at) {
    size_t end = at;
    if (at < size && text[at] == '[') {
        while (end < size && text[end] != ']' && !is_line_end(text[end]))
            end++;
        if (end < size && text[end] == ']')
            return end + 1;
    }
    for (end = at; end < size && !is_blank(text[end]) && !is_line_end(text[end]) && text[end] != '"' &&
                   !begins(text, size, end, "//") && !begins(text, size, end, "/*");)
        end++;
    return end;
}

/* The inside of quotes, in one line. */
static size_t skip_string(const char *text, size_t size, size_t at) {
    while (at < size && text[at] != '"' && !is_line_end(text[at]))
        at++;
    return at;
}

/* ---- reading -------------------------------------------------------------------------------------- */

mst_material_text mst_material_begin(const void *bytes, size_t size) {
    mst_material_text text = {.bytes = bytes, .size = size};
    text.at = text.mark = mst_byte_order_mark(bytes, size);
    size_t at = text.at;
    while (at < size && (is_blank(text.bytes[at]) || is_line_end(text.bytes[at])))
        at++;
    if (at < size && text.bytes[at] == '<') {
        text.form = MST_MATERIAL_XML;
        text.at = at;
    }
    return text;
}

/* The name, the equals sign and the value that begin here. */
static bool read_pair(const char *text, size_t size, size_t at, mst_material_value *v) {
    v->name = at;
    at = skip_name(text, size, at);
    v->name_size = at - v->name;
    at = skip_blanks(text, size, at);
    if (!v->name_size || at == size || text[at] != '=')
        return false;
    at = skip_blanks(text, size, at + 1);
    bool quoted = at < size && text[at] == '"';
    v->value = at + quoted;
    v->value_size = (quoted ? skip_string(text, size, at + 1) : skip_word(text, size, at)) - v->value;
    return quoted || v->value_size;
}

/* type="name" value="value" within an element. */
static bool read_attributes(const char *text, size_t size, size_t at, mst_material_value *v) {
    static const char type[] = "type=\"", value[] = "value=\"";
    if (!begins(text, size, at, type))
        return false;
    v->name = at + sizeof type - 1;
    at = skip_string(text, size, v->name);
    v->name_size = at - v->name;
    if (at == size || text[at] != '"' || !v->name_size)
        return false;
    at = skip_blanks(text, size, at + 1);
    if (!begins(text, size, at, value))
        return false;
    v->value = at + sizeof value - 1;
    at = skip_string(text, size, v->value);
    v->value_size = at - v->value;
    return at < size && text[at] == '"';
}

bool mst_material_next(mst_material_text *text, mst_material_value *value) {
    const char *bytes = text->bytes;
    while (text->form == MST_MATERIAL_XML && text->at < text->size) {
        if (read_attributes(bytes, text->size, text->at, value)) {
            text->at = value->value + value->value_size;
            return true;
        }
        text->at++;
    }
    while (text->at < text->size) {
        text->at = mst_material_skip(bytes, text->size, text->at);
        if (read_pair(bytes, text->size, text->at, value)) {
            text->at = value->value + value->value_size;
            if (text->at < text->size && bytes[value->value - 1] == '"' && bytes[text->at] == '"')
                text->at++;
            return true;
        }
        text->at = skip_line(bytes, text->size, text->at);
    }
    return false;
}

/* ---- writing -------------------------------------------------------------------------------------- */

bool mst_material_is_plain(const char *value, size_t size) {
    size_t at = skip_number(value, size, 0);
    if (at)
        return at == size;
    if (!size || value[0] != '[')
        return false;
    for (at = 1;; at++) {
        at = skip_blanks(value, size, at);
        size_t end = skip_number(value, size, at);
        if (end == at)
            return false;
        at = skip_blanks(value, size, end);
        if (at == size || value[at] != ',')
            return at + 1 == size && value[at] == ']';
    }
}

void mst_material_usual(const char *value, size_t size, char between[4], size_t *between_size, char after[2],
                        size_t *after_size) {
    bool plain = mst_material_is_plain(value, size);
    memcpy(between, " = \"", 4);
    memcpy(after, plain ? "\n" : "\"\n", plain ? 1 : 2);
    *between_size = plain ? 3 : 4;
    *after_size = plain ? 1 : 2;
}

bool mst_material_is_name(mst_material_form form, const char *name, size_t size) {
    return size && (form == MST_MATERIAL_XML ? skip_string(name, size, 0) : skip_name(name, size, 0)) == size;
}

bool mst_material_is_between(mst_material_form form, const char *between, size_t size) {
    size_t at = 0;
    if (form == MST_MATERIAL_XML)
        return begins(between, size, 0, "\"") &&
               begins(between, size, at = skip_blanks(between, size, 1), "value=\"") &&
               at + strlen("value=\"") == size;
    at = skip_blanks(between, size, 0);
    if (at == size || between[at] != '=')
        return false;
    at = skip_blanks(between, size, at + 1);
    return at == size || (at + 1 == size && between[at] == '"');
}

bool mst_material_is_value(bool quoted, const char *value, size_t size) {
    return quoted ? skip_string(value, size, 0) == size : size && skip_word(value, size, 0) == size;
}

bool mst_material_is_called(const char *name, size_t size, const char *wanted) {
    return size == strlen(wanted) && mst_same_letters(name, wanted, size);
}
