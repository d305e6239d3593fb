/* SPDX-License-Identifier: MIT */
#include "show.h"
#include "../../src/read/opened.h"
#include <stdlib.h>
#include <string.h>

#define SHORT_TEXT  64
#define GUESS_SHOWN 200
#define SHORT_BYTES 8

bool is_scalar(const mst_value *value) {
    switch (mst_value_type(value)) {
    case MST_TYPE_BOOL:
    case MST_TYPE_INTEGER:
    case MST_TYPE_REAL:
    case MST_TYPE_TEXT: return true;
    case MST_TYPE_NONE:
    case MST_TYPE_BYTES:
    case MST_TYPE_RECORD:
    case MST_TYPE_LIST: break;
    }
    return false;
}

bool is_short_list(const mst_value *value, uint64_t max) {
    mst_value element;
    if (mst_value_type(value) != MST_TYPE_LIST || mst_count(value) > max)
        return false;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element);)
        if (!is_scalar(&element))
            return false;
    return true;
}

bool is_flags(const mst_value *value) {
    return mst_get_flags(value, NULL, 0, NULL) == MST_OK;
}

/* Writes a list of names and numbers, ["light","0x400"], as light, 0x400. */
static void put_list_plain(stream *to, const mst_value *value, const char *separator) {
    stream json = stream_memory();
    put_value_json(&json, value);
    if (json.size && json.data[0] != '[') { /* a number where others are flags: none is set */
        put(to, json.data, json.size);
        json.size = 0;
    }
    for (size_t i = 1; i + 1 < json.size; i++) {
        if (json.data[i] == ',')
            put_text(to, separator);
        else if (json.data[i] != '"')
            put(to, &json.data[i], 1);
    }
    stream_free(&json);
}

void put_value_json(stream *to, const mst_value *value) {
    stream json = stream_memory();
    mst_json_options how = {.size = sizeof how, .compact = 1};
    mst_diagnostic why;
    if (mst_write_json(value, &how, stream_sink(&json), &why) != MST_OK) {
        put_text(to, "null");
    } else {
        while (json.size && json.data[json.size - 1] == '\n')
            json.size--;
        put(to, json.data, json.size);
    }
    int64_t number;
    char text[64];
    bool left_out = !json.size; /* JSON leaves it out, like derived values and constants */
    if (left_out && mst_get_integer(value, &number) == MST_OK)
        print(to, "%lld", (long long)number);
    else if (left_out && mst_get_text(value, text, sizeof text, NULL) == MST_OK)
        put_json_string(to, text, strlen(text));
    stream_free(&json);
}

static void put_scalar_plain(stream *to, const mst_value *value) {
    if (mst_value_type(value) != MST_TYPE_TEXT) {
        stream json = stream_memory();
        put_value_json(&json, value);
        bool quoted = json.size >= 2 && json.data[0] == '"'; /* a name, or a number that JSON cannot have */
        put(to, json.data + quoted, json.size - 2 * quoted);
        stream_free(&json);
        return;
    }
    char capacity[256];
    size_t length = 0;
    if (mst_get_text(value, capacity, sizeof capacity, &length) != MST_OK)
        return;
    if (length < sizeof capacity) {
        put_data(to, capacity, length);
        return;
    }
    char *text = need(malloc(length + 1));
    if (mst_get_text(value, text, length + 1, NULL) == MST_OK)
        put_data(to, text, length);
    free(text);
}

void put_value_plain(stream *to, const mst_value *value) {
    if (mst_value_type(value) != MST_TYPE_LIST) {
        if (is_flags(value))
            put_list_plain(to, value, " ");
        else if (is_scalar(value))
            put_scalar_plain(to, value);
        else
            put_value_json(to, value);
        return;
    }
    mst_value element;
    bool first = true;
    if (mst_element(value, 0, &element) == MST_OK && mst_value_type(&element) != MST_TYPE_TEXT &&
        is_scalar(&element) && !is_flags(&element)) { /* [1,2,3] as 1 2 3 */
        put_list_plain(to, value, " ");
        return;
    }
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element);) {
        if (!first)
            put(to, " ", 1);
        first = false;
        put_value_plain(to, &element); /* the elements of short lists are scalars: no deeper recursion */
    }
}

static void put_short_text(stream *to, const mst_value *value) {
    char text[SHORT_TEXT * 4 + 1];
    size_t length = 0;
    if (mst_get_text(value, text, SHORT_TEXT + 1, &length) != MST_OK)
        return;
    size_t shown = length <= SHORT_TEXT ? length : strlen(text);
    put_json_string(to, text, shown);
    if (length > SHORT_TEXT)
        print(to, ".. (%zu bytes)", length);
}

void put_value_short(stream *to, const mst_value *value) {
    const char *name;
    switch (mst_value_type(value)) {
    case MST_TYPE_TEXT: put_short_text(to, value); break;
    case MST_TYPE_BOOL:
    case MST_TYPE_INTEGER:
    case MST_TYPE_REAL:
        name = mst_get_name(value);
        int64_t number;
        if (is_flags(value)) {
            put_text(to, "[");
            put_list_plain(to, value, ", ");
            put_text(to, "]");
        } else if (name && mst_get_integer(value, &number) == MST_OK)
            print(to, "%lld %s", (long long)number, name);
        else
            put_scalar_plain(to, value);
        break;
    case MST_TYPE_LIST:
        if (is_short_list(value, 8)) {
            put_text(to, "[");
            mst_value element;
            bool first = true;
            for (mst_iterator it = mst_iterate(value); mst_next(&it, &element); first = false) {
                put_text(to, first ? "" : ", ");
                if (mst_value_type(&element) == MST_TYPE_TEXT)
                    put_short_text(to, &element);
                else
                    put_scalar_plain(to, &element);
            }
            put_text(to, "]");
        } else {
            uint64_t count = mst_count(value);
            print(to, "(%llu)", (unsigned long long)count);
        }
        break;
    case MST_TYPE_BYTES: {
        const void *bytes;
        size_t size;
        if (mst_get_bytes(value, &bytes, &size) != MST_OK)
            break;
        print(to, "%zu bytes", size);
        for (size_t i = 0; i < size && i < SHORT_BYTES; i++)
            print(to, "%s%02x", i ? " " : ": ", ((const unsigned char *)bytes)[i]);
        put_text(to, size > SHORT_BYTES ? " .." : "");
        char guess[GUESS_SHOWN];
        if (mst_guess_content(value, guess, sizeof guess) == MST_OK) {
            paint(to, COLOR_DIM);
            print(to, " (maybe %s)", guess);
            unpaint(to);
        }
        break;
    }
    case MST_TYPE_NONE:
    case MST_TYPE_RECORD: break;
    }
}

bool put_label(stream *to, const mst_value *element) {
    static const char *const names[] = {"class_name", "name"};
    mst_value field;
    if (mst_value_type(element) != MST_TYPE_RECORD)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[SHORT_TEXT + 1];
        if (mst_member(element, names[i], &field) == MST_OK && mst_value_type(&field) == MST_TYPE_TEXT &&
            mst_get_text(&field, text, sizeof text, NULL) == MST_OK) {
            put_visible(to, text);
            return true;
        }
    }
    const char *type = mst_member(element, "type", &field) == MST_OK ? mst_get_name(&field) : NULL;
    put_text(to, type ? type : "");
    return type != NULL;
}

/* The length of the path up to an '@', which unpacks the value before it; without one, of the whole path. */
static size_t path_part(const char *path) {
    size_t n = 0;
    int brackets = 0;
    for (; path[n] && (path[n] != '@' || brackets); n++)
        brackets += path[n] == '[' ? 1 : path[n] == ']' ? -1 : 0;
    return n;
}

mst_status find_inside(const mst_document *document, const char *path, mst_document **inside,
                       mst_value *value, mst_diagnostic *why) {
    *inside = NULL;
    for (;;) {
        size_t n = path_part(path);
        char *part = copy_of(path, n);
        mst_status status = mst_find(mst_root(*inside ? *inside : document), part, value, why);
        free(part);
        if (status != MST_OK || !path[n])
            return status;
        mst_document *content;
        status = mst_open_content(value, NULL, &content, why);
        mst_close(*inside);
        *inside = content;
        if (status != MST_OK)
            return status;
        path += n + 1;
    }
}

const char *byte_class_name(mst_byte_class byte_class) {
    static const char *const names[] = {"field", "derived", "padding", "gap", "raw"};
    return names[byte_class];
}
