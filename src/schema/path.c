/* SPDX-License-Identifier: MIT */
/* Paths: `objects[12].properties[name=origin].value[1]`, `mesh.vertices[0:100].position`. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "engine.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

size_t mst_path_step(char *path, size_t capacity, size_t length, const char *name, uint64_t index) {
    int n = 0;
    if (name && *name && length < capacity)
        n = snprintf(path + length, capacity - length, "%s%s", length ? "." : "", name);
    length += n > 0 ? (size_t)n : 0;
    n = 0;
    if (index != UINT64_MAX && length < capacity)
        n = snprintf(path + length, capacity - length, "[%llu]", (unsigned long long)index);
    return length + (n > 0 ? (size_t)n : 0);
}

typedef struct reader {
    const char *path;
    const char *at;
    mst_diagnostic *diagnostic;
} reader;

static mst_status no_path(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static mst_status no_path(const reader *r, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    mst_fail(r->diagnostic, MST_NO_PATH, "%s", message);
    if (r->diagnostic)
        MST_SET(r->diagnostic->path, "%s", r->path);
    return MST_NO_PATH;
}

/* Which names there are instead. */
static void list_members(const mst_value *value, mst_diagnostic *diagnostic) {
    if (!diagnostic)
        return;
    char names[sizeof diagnostic->expected];
    size_t length = 0;
    names[0] = 0;
    mst_value member;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &member) && length < sizeof names;) {
        int n = snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                         mst_field_of(&member)->name);
        if (n > 0)
            length += (size_t)n;
    }
    if (length)
        MST_SET(diagnostic->expected, "%s", names);
}

static mst_status step_name(const reader *r, mst_value *value, const char *name, size_t length) {
    char text[128];
    if (!length || length >= sizeof text)
        return no_path(r, "a field's name is wanted at \"%.*s\"", 40, r->at);
    memcpy(text, name, length);
    text[length] = 0;
    uint32_t shape = mst_shape_of(value);
    if (shape == MST_SHAPE_SLICE && !value->column && mst_field_of(value)->record) {
        const mst_record *record = mst_field_of(value)->record;
        for (uint16_t i = 0; i < record->field_count; i++)
            if (strcmp(record->fields[i].name, text) == 0) {
                value->column = &record->fields[i];
                return MST_OK;
            }
        return no_path(r, "the elements have no field \"%.*s\"", (int)length, text);
    }
    mst_value member;
    if (mst_member(value, text, &member) == MST_OK) {
        *value = member;
        return MST_OK;
    }
    no_path(r,
            shape == MST_SHAPE_ONE ? "there is no field \"%.*s\""
                                   : "\"%.*s\" is asked of a list: pick an element",
            (int)length, text);
    list_members(value, r->diagnostic);
    return MST_NO_PATH;
}

/* Whether the element has a field of that name whose text or number is as given. */
static bool matches(const mst_value *element, const char *name, const char *wanted, size_t length) {
    mst_value member;
    if (mst_member(element, name, &member) != MST_OK)
        return false;
    char text[512];
    size_t whole;
    if (mst_get_text(&member, text, sizeof text, &whole) == MST_OK)
        return whole == length && whole < sizeof text && memcmp(text, wanted, length) == 0;
    int64_t number, value;
    double real, as_real;
    if (mst_get_name(&member) && strlen(mst_get_name(&member)) == length &&
        memcmp(mst_get_name(&member), wanted, length) == 0)
        return true;
    if (mst_read_i64(wanted, length, &number))
        return mst_get_integer(&member, &value) == MST_OK && value == number;
    return mst_read_f64(wanted, length, &real) && mst_get_real(&member, &as_real) == MST_OK &&
           real == as_real;
}

static bool read_index(const char **at, uint64_t *index) {
    size_t n = 0;
    while ((*at)[n] >= '0' && (*at)[n] <= '9')
        n++;
    if (!n || !mst_read_u64(*at, n, index))
        return false;
    *at += n;
    return true;
}

/* Behind '['. Either an index, a slice or name=value. `index` gets the element's. */
static mst_status step_bracket(reader *r, mst_value *value, uint64_t *index) {
    const char *p = r->at;
    *index = UINT64_MAX;
    if (mst_shape_of(value) == MST_SHAPE_ONE)
        return no_path(r, "this is not a list, so \"[%.*s\" has no meaning", 40, p);
    uint64_t first = 0, last;
    bool number = read_index(&p, &first);
    if (*p == ':') {
        uint64_t count = mst_count(value);
        p++;
        last = count;
        if (*p != ']' && !read_index(&p, &last))
            return no_path(r, "a slice looks like [0:100], not \"[%.*s\"", 40, r->at);
        if (*p != ']')
            return no_path(r, "a closing bracket is missing at \"%.*s\"", 40, r->at);
        if (last > count)
            last = count;
        if (first > last)
            first = last;
        bool chunks = mst_shape_of(value) == MST_SHAPE_CHUNK_LIST;
        if (mst_shape_of(value) == MST_SHAPE_SLICE)
            return no_path(r, "a slice of a slice at \"%.*s\" is not possible", 40, r->at);
        value->shape = (value->shape & ~(uint32_t)MST_SHAPE_MASK) | MST_SHAPE_SLICE;
        if (!chunks)
            value->chunks = NULL;
        value->first = first;
        value->count = last - first;
        r->at = p + 1;
        return MST_OK;
    }
    if (number && *p == ']') {
        mst_value element;
        if (mst_element(value, first, &element) != MST_OK) {
            no_path(r, "there is no element [%.*s]", (int)(p - r->at), r->at);
            if (r->diagnostic)
                MST_SET(r->diagnostic->expected, "below %llu", (unsigned long long)mst_count(value));
            return MST_NO_PATH;
        }
        *value = element;
        *index = first;
        r->at = p + 1;
        return MST_OK;
    }
    const char *equals = strchr(r->at, '=');
    const char *close = equals && equals[1] == '"' ? strstr(equals + 2, "\"]") : strchr(r->at, ']');
    char name[64];
    if (!equals || !close || equals > close || equals == r->at || (size_t)(equals - r->at) >= sizeof name)
        return no_path(r, "an index, a slice or name=value and a closing bracket are wanted at \"[%.*s\"", 40,
                       r->at);
    memcpy(name, r->at, (size_t)(equals - r->at));
    name[equals - r->at] = 0;
    const char *wanted = equals + 1 + (equals[1] == '"');
    mst_value element;
    uint64_t at = 0;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element); at++)
        if (matches(&element, name, wanted, (size_t)(close - wanted))) {
            *value = element;
            *index = at;
            r->at = close + 1 + (*close == '"');
            return MST_OK;
        }
    return no_path(r, "no element has %.*s", (int)(close - r->at), r->at);
}

static mst_status resolve(mst_value from, const char *path, mst_value *found, mst_chain *chain,
                          mst_diagnostic *diagnostic) {
    reader r = {path, path, diagnostic};
    mst_value value = from;
    if (chain) {
        chain->count = 1;
        chain->values[0] = value;
        chain->indices[0] = UINT64_MAX;
    }
    while (*r.at) {
        mst_status status;
        uint64_t index = UINT64_MAX;
        if (*r.at == '[') {
            r.at++;
            status = step_bracket(&r, &value, &index);
        } else {
            if (*r.at == '.')
                r.at++;
            size_t n = strcspn(r.at, ".[");
            status = step_name(&r, &value, r.at, n);
            r.at += n;
        }
        if (status != MST_OK)
            return status;
        if (chain) {
            if (chain->count == MST_PATH_DEPTH)
                return no_path(&r, "the path is too deep at \"%.*s\"", 40, r.at);
            chain->values[chain->count] = value;
            chain->indices[chain->count++] = index;
        }
    }
    if (found)
        *found = value;
    return MST_OK;
}

mst_status mst_find(mst_value from, const char *path, mst_value *found, mst_diagnostic *diagnostic) {
    return resolve(from, path, found, NULL, diagnostic);
}

mst_status mst_find_chain(mst_value from, const char *path, mst_chain *chain, mst_diagnostic *diagnostic) {
    return resolve(from, path, NULL, chain, diagnostic);
}
