/* SPDX-License-Identifier: MIT */
/* Strict JSON (RFC 8259), in two passes: one counts the nodes, so that they are allocated at once, the other
 * fills them. Open containers are linked through their nodes, so depth takes no stack. */
#include "json.h"
#include "diagnose.h"
#include "text.h"
#include "unreachable.h"

#include <string.h>

#define NO_NODE  UINT32_MAX
#define TEXT_MAX (UINT32_MAX - 2) /* node indices and lengths have 32 bits */

typedef struct json_reader {
    const char *at, *end;
    mst_arena *arena;
    mst_json_node *nodes;
    uint32_t count, capacity;
    uint32_t open; /* the innermost open container; until it is closed, its `end` is the enclosing one */
    const char *wrong, *expected; /* the error in the text at `at`; NULL: none yet */
    bool lacks_memory;
} json_reader;

/* Each node except the first follows a bracket, a comma or a colon. For invalid JSON the number may differ,
 * but is never smaller than the number of nodes before the error. */
static size_t count_nodes(const char *at, const char *end) {
    size_t count = 1;
    for (; at < end; at++)
        switch (*at) {
        case '"':
            for (at++; at < end && *at != '"'; at++)
                if (*at == '\\' && at + 1 < end)
                    at++;
            if (at == end)
                return count;
            break;
        case '[':
        case '{':
        case ',':
        case ':': count++; break;
        default: break;
        }
    return count;
}

static bool refuse(json_reader *r, const char *message, const char *expected) {
    r->wrong = r->at == r->end ? "the text is incomplete" : message;
    r->expected = expected;
    return false;
}

static bool unexpected(json_reader *r, const char *expected) {
    return refuse(r, "unexpected text", expected);
}

static void skip_blanks(json_reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
}

static mst_json_node *add_node(json_reader *r, mst_json_kind kind) {
    if (MST_UNREACHABLE(r->count == r->capacity)) { /* see count_nodes */
        r->lacks_memory = true;
        return NULL;
    }
    mst_json_node *node = &r->nodes[r->count++];
    *node = (mst_json_node){.kind = (uint8_t)kind, .end = r->count};
    return node;
}

/* ---- texts -------------------------------------------------------------------------------------- */

static bool is_digit(char c, unsigned base) {
    return (c >= '0' && c <= '9') || (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

static bool read_unit(const json_reader *r, const char *at, uint32_t *unit) {
    uint8_t bytes[2];
    if (r->end - at < 6 || at[0] != '\\' || at[1] != 'u' || !mst_read_hex(at + 2, 4, bytes))
        return false;
    *unit = (uint32_t)bytes[0] << 8 | bytes[1];
    return true;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | code >> 12);
        } else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

/* Reads the escape at `at` into `*to`, which advances: an escape is never shorter than its character. */
static bool read_escape(json_reader *r, char **to) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    uint32_t unit, low;
    const char *name = r->end - r->at > 1 && r->at[1] ? strchr(names, r->at[1]) : NULL;
    if (name) {
        *(*to)++ = values[name - names];
        r->at += 2;
        return true;
    }
    if (!read_unit(r, r->at, &unit)) {
        size_t good = 1; /* the length before the error */
        bool numbered = r->end - r->at > 1 && r->at[1] == 'u';
        while (r->at + good < r->end && numbered && good < 6 && (good == 1 || is_digit(r->at[good], 16)))
            good++;
        r->at += good;
        return unexpected(r, numbered ? "four hexadecimal digits"
                                      : "one of \"\\/bfnrt, or u and four hexadecimal digits");
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        *to = put_utf8(*to, unit);
        r->at += 6;
        return true;
    }
    if (unit > 0xDBFF || !read_unit(r, r->at + 6, &low) || low < 0xDC00 || low > 0xDFFF)
        return refuse(r, "half of a surrogate pair", "both halves, such as \\ud83d\\ude00");
    *to = put_utf8(*to, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
    r->at += 12;
    return true;
}

/* Moves to the end of a run of unescaped characters. */
static void skip_plain(json_reader *r) {
    while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
        r->at++;
}

/* A string with escapes: `begin` is after its quote, `at` at the first escape. */
static bool read_escaped(json_reader *r, mst_json_node *node, const char *begin) {
    const char *first = r->at, *closing = first;
    while (closing < r->end && *closing != '"')
        closing += *closing == '\\' && r->end - closing > 1 ? 2 : 1;
    char *copy = mst_arena_take(r->arena, (size_t)(closing - begin), 1), *to = copy;
    if (!copy) {
        r->lacks_memory = true;
        return false;
    }
    memcpy(to, begin, (size_t)(first - begin));
    to += first - begin;
    while (r->at < r->end && *r->at == '\\') {
        if (!read_escape(r, &to))
            return false;
        const char *plain = r->at;
        skip_plain(r);
        memcpy(to, plain, (size_t)(r->at - plain));
        to += r->at - plain;
    }
    node->text = copy;
    node->length = (uint32_t)(to - copy);
    return true;
}

static bool read_string(json_reader *r) {
    mst_json_node *node = add_node(r, MST_JSON_STRING);
    if (MST_UNREACHABLE(!node)) /* see count_nodes */
        return false;
    const char *begin = ++r->at;
    skip_plain(r);
    if (r->at < r->end && *r->at == '\\') {
        if (!read_escaped(r, node, begin))
            return false;
    } else {
        node->text = begin;
        node->length = (uint32_t)(r->at - begin);
    }
    if (r->at == r->end || *r->at != '"')
        return unexpected(r, "a closing quote; control characters are written as \\u and four digits");
    r->at++;
    return true;
}

/* ---- numbers and words -------------------------------------------------------------------------- */

static const char a_value[] = "a value";

static bool skip_digits(json_reader *r) {
    if (r->at == r->end || !is_digit(*r->at, 10))
        return unexpected(r, "a digit");
    while (r->at < r->end && is_digit(*r->at, 10))
        r->at++;
    return true;
}

static bool read_number(json_reader *r) {
    const char *begin = r->at;
    if (*r->at == '-')
        r->at++;
    if (r->at < r->end && *r->at == '0')
        r->at++;
    else if (!skip_digits(r))
        return false;
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        if (!skip_digits(r))
            return false;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
            r->at++;
        if (!skip_digits(r))
            return false;
    }
    mst_json_node *node = add_node(r, MST_JSON_NUMBER);
    if (MST_UNREACHABLE(!node)) /* see count_nodes */
        return false;
    node->text = begin;
    node->length = (uint32_t)(r->at - begin);
    return true;
}

static bool read_word(json_reader *r, const char *word, mst_json_kind kind) {
    for (; *word; word++, r->at++)
        if (r->at == r->end || *r->at != *word)
            return unexpected(r, a_value);
    return add_node(r, kind) != NULL;
}

/* ---- containers --------------------------------------------------------------------------------- */

static bool is_open(const json_reader *r, mst_json_kind kind) {
    return r->open != NO_NODE && r->nodes[r->open].kind == (uint8_t)kind;
}

static bool close_container(json_reader *r) {
    mst_json_node *node = &r->nodes[r->open];
    r->open = node->end;
    node->end = r->count;
    r->at++;
    return true;
}

/* The key of a pair, and the colon after it. */
static bool read_key(json_reader *r) {
    skip_blanks(r);
    if (r->at == r->end || *r->at != '"')
        return unexpected(r, "a name in double quotes");
    if (!read_string(r))
        return false;
    skip_blanks(r);
    if (r->at == r->end || *r->at != ':')
        return unexpected(r, "a colon");
    r->at++;
    r->nodes[r->open].count++;
    return true;
}

/* After a bracket: true if the container is empty, and closed. */
static bool open_container(json_reader *r, mst_json_kind kind, char closing, bool *empty) {
    mst_json_node *node = add_node(r, kind);
    if (MST_UNREACHABLE(!node)) /* see count_nodes */
        return false;
    node->end = r->open;
    r->open = r->count - 1;
    r->at++;
    skip_blanks(r);
    *empty = r->at < r->end && *r->at == closing;
    if (*empty)
        return close_container(r);
    return kind == MST_JSON_ARRAY || read_key(r);
}

/* A value. Of a container that is not empty, only the part before its first value: then `*done` is false. */
static bool read_value(json_reader *r, bool *done) {
    *done = true;
    skip_blanks(r);
    if (r->at == r->end)
        return unexpected(r, a_value);
    if (is_open(r, MST_JSON_ARRAY))
        r->nodes[r->open].count++;
    switch (*r->at) {
    case '"': return read_string(r);
    case '[': return open_container(r, MST_JSON_ARRAY, ']', done);
    case '{': return open_container(r, MST_JSON_OBJECT, '}', done);
    case 't': return read_word(r, "true", MST_JSON_TRUE);
    case 'f': return read_word(r, "false", MST_JSON_FALSE);
    case 'n': return read_word(r, "null", MST_JSON_NULL);
    default: return *r->at == '-' || is_digit(*r->at, 10) ? read_number(r) : unexpected(r, a_value);
    }
}

/* The text after a value: the ends of containers, then a comma and any key of the next value, or, with
 * `*more` false, the end of the text. */
static bool read_after_value(json_reader *r, bool *more) {
    for (;;) {
        skip_blanks(r);
        *more = r->open != NO_NODE;
        if (!*more)
            return r->at == r->end || unexpected(r, "the end of the text");
        bool array = is_open(r, MST_JSON_ARRAY);
        if (r->at < r->end && *r->at == ',') {
            r->at++;
            return array || read_key(r);
        }
        if (r->at == r->end || *r->at != (array ? ']' : '}'))
            return unexpected(r, array ? "a comma or ]" : "a comma or }");
        close_container(r);
    }
}

static bool read_document(json_reader *r) {
    bool more = true, done;
    while (more)
        if (!read_value(r, &done) || (done && !read_after_value(r, &more)))
            return false;
    return true;
}

/* The first byte that is not part of a well-formed character. */
static size_t first_bad_byte(const char *text, size_t size) {
    size_t good = 0;
    for (size_t length = 1; length <= 4 && length <= size - good;)
        if (mst_utf8_valid(text + good, length)) {
            good += length;
            length = 1;
        } else {
            length++;
        }
    return good;
}

/* Describes the error at `at` and its position for people: lines and characters are counted from 1. */
static mst_status damaged(mst_diagnostic *diagnostic, const json_reader *r, const char *text,
                          const char *end) {
    mst_fail(diagnostic, MST_DAMAGED, "not JSON: %s", r->wrong);
    if (!diagnostic)
        return MST_DAMAGED;
    size_t line = 1, column = 1, length = 1;
    for (const char *at = text; at < r->at; at++) {
        line += *at == '\n';
        column = *at == '\n' ? 1 : column + (((unsigned char)*at & 0xC0) != 0x80);
    }
    while (length < 4 && length < (size_t)(end - r->at) && ((unsigned char)r->at[length] & 0xC0) == 0x80)
        length++;
    diagnostic->offset = (uint64_t)(r->at - text);
    MST_SET(diagnostic->path, "line %zu, column %zu", line, column);
    MST_SET(diagnostic->expected, "%s", r->expected);
    if (r->at == end)
        MST_SET(diagnostic->found, "the end of the text");
    else if ((unsigned char)*r->at < 0x20 || !mst_utf8_valid(r->at, length))
        MST_SET(diagnostic->found, "byte 0x%02x", (unsigned char)*r->at);
    else
        MST_SET(diagnostic->found, "%.*s", (int)length, r->at);
    return MST_DAMAGED;
}

mst_status mst_json_parse(const char *text, size_t size, mst_arena *arena, mst_json *json,
                          mst_diagnostic *diagnostic) {
    *json = (mst_json){0};
    if (size > TEXT_MAX)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "JSON text of more than %lu bytes",
                        (unsigned long)TEXT_MAX);
    size_t good = mst_utf8_valid(text, size) ? size : first_bad_byte(text, size);
    json_reader reader = {.at = text,
                          .end = text + good,
                          .arena = arena,
                          .capacity = (uint32_t)count_nodes(text, text + good),
                          .open = NO_NODE};
    reader.nodes = mst_arena_take(arena, reader.capacity, sizeof *reader.nodes);
    if (!reader.nodes || (!read_document(&reader) && reader.lacks_memory))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for JSON of %zu bytes", size);
    if (good < size && reader.at == reader.end) { /* the text before it may be JSON, or its beginning */
        reader.wrong = "invalid UTF-8";
        reader.expected = "text in UTF-8";
    }
    if (reader.wrong)
        return damaged(diagnostic, &reader, text, text + size);
    *json = (mst_json){reader.nodes, reader.count};
    return MST_OK;
}

uint32_t mst_json_find(const mst_json *json, uint32_t object, const char *name, size_t length) {
    const mst_json_node *nodes = json->nodes;
    if (!json->count || nodes[object].kind != MST_JSON_OBJECT)
        return 0;
    for (uint32_t at = object + 1; at < nodes[object].end; at = nodes[at + 1].end)
        if (nodes[at].length == length && (!length || memcmp(nodes[at].text, name, length) == 0))
            return at + 1;
    return 0;
}

bool mst_same_tree(const mst_json *a, uint32_t at, const mst_json *b, uint32_t other) {
    uint32_t end = a->nodes[at].end;
    if (b->nodes[other].end - other != end - at)
        return false;
    for (; at < end; at++, other++) {
        const mst_json_node *x = &a->nodes[at], *y = &b->nodes[other];
        if (x->kind != y->kind || x->length != y->length || x->count != y->count ||
            (x->length && memcmp(x->text, y->text, x->length) != 0))
            return false;
    }
    return true;
}
