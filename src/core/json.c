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
    uint32_t open;     /* the innermost open container; until it is closed, its `end` is the enclosing one */
    const char *wrong; /* what is wrong with the text at `at`; NULL: nothing yet */
    bool lacks_memory;
} json_reader;

/* Each node except the first follows a bracket, a comma or a colon. Text that is not JSON may give another
 * number, but not fewer than there are up to where it stops being JSON. */
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

static bool refuse(json_reader *r, const char *message) {
    r->wrong = r->at == r->end ? "the text ends too early" : message;
    return false;
}

static bool unexpected(json_reader *r) {
    return refuse(r, "unexpected text");
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

/* Reads the escape at `at` into `*to`, which moves on: an escape takes no less than what it stands for. */
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
        r->at += r->end - r->at > 1; /* what is wrong is after the backslash */
        return unexpected(r);
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        *to = put_utf8(*to, unit);
        r->at += 6;
        return true;
    }
    if (unit > 0xDBFF || !read_unit(r, r->at + 6, &low) || low < 0xDC00 || low > 0xDFFF)
        return refuse(r, "half of a surrogate pair");
    *to = put_utf8(*to, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
    r->at += 12;
    return true;
}

/* Moves to the end of a run of characters that are what they stand for. */
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
        return unexpected(r);
    r->at++;
    return true;
}

/* ---- numbers and words -------------------------------------------------------------------------- */

static bool skip_digits(json_reader *r) {
    if (r->at == r->end || *r->at < '0' || *r->at > '9')
        return unexpected(r);
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
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
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return unexpected(r);
    r->at += length;
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
        return unexpected(r);
    if (!read_string(r))
        return false;
    skip_blanks(r);
    if (r->at == r->end || *r->at != ':')
        return unexpected(r);
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

/* A value; of a container that is not empty only its beginning, up to its first value: then `*done` is
 * false. */
static bool read_value(json_reader *r, bool *done) {
    *done = true;
    skip_blanks(r);
    if (r->at == r->end)
        return unexpected(r);
    if (is_open(r, MST_JSON_ARRAY))
        r->nodes[r->open].count++;
    switch (*r->at) {
    case '"': return read_string(r);
    case '[': return open_container(r, MST_JSON_ARRAY, ']', done);
    case '{': return open_container(r, MST_JSON_OBJECT, '}', done);
    case 't': return read_word(r, "true", MST_JSON_TRUE);
    case 'f': return read_word(r, "false", MST_JSON_FALSE);
    case 'n': return read_word(r, "null", MST_JSON_NULL);
    default: return *r->at == '-' || (*r->at >= '0' && *r->at <= '9') ? read_number(r) : unexpected(r);
    }
}

/* What follows a value: the ends of containers, then a comma and what leads to the next value, or, with
 * `*more` false, the end of the text. */
static bool read_after_value(json_reader *r, bool *more) {
    for (;;) {
        skip_blanks(r);
        *more = r->open != NO_NODE;
        if (!*more)
            return r->at == r->end || unexpected(r);
        bool array = is_open(r, MST_JSON_ARRAY);
        if (r->at < r->end && *r->at == ',') {
            r->at++;
            return array || read_key(r);
        }
        if (r->at == r->end || *r->at != (array ? ']' : '}'))
            return unexpected(r);
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

static mst_status damaged(mst_diagnostic *diagnostic, size_t offset, const char *message) {
    mst_fail(diagnostic, MST_DAMAGED, "not JSON: %s", message);
    if (diagnostic)
        diagnostic->offset = offset;
    return MST_DAMAGED;
}

mst_status mst_json_parse(const char *text, size_t size, mst_arena *arena, mst_json *json,
                          mst_diagnostic *diagnostic) {
    *json = (mst_json){0};
    if (size > TEXT_MAX)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "JSON text of more than %lu bytes",
                        (unsigned long)TEXT_MAX);
    if (!mst_utf8_valid(text, size))
        return damaged(diagnostic, first_bad_byte(text, size), "invalid UTF-8");
    json_reader reader = {.at = text,
                          .end = text + size,
                          .arena = arena,
                          .capacity = (uint32_t)count_nodes(text, text + size),
                          .open = NO_NODE};
    reader.nodes = mst_arena_take(arena, reader.capacity, sizeof *reader.nodes);
    if (!reader.nodes || (!read_document(&reader) && reader.lacks_memory))
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for JSON of %zu bytes", size);
    if (reader.wrong)
        return damaged(diagnostic, (size_t)(reader.at - text), reader.wrong);
    *json = (mst_json){reader.nodes, reader.count};
    return MST_OK;
}
