/* SPDX-License-Identifier: MIT */
/* Paths: `objects[12].properties[name=origin].value[1]`, `mesh.vertices[0:100].position`. */
#include "../core/diagnose.h"
#include "../core/name.h"
#include "../core/number.h"
#include "../core/spelling.h"
#include "conditions.h"
#include "engine.h"
#include "landmarks.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct reader {
    const char *path;
    const char *at;
    mst_diagnostic *diagnostic;
    mst_landmarks *landmarks;
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

/* Reports an unknown name and lists the known ones, the most similar first. `names` has them already. */
static mst_status no_name(const reader *r, const char *what, const mst_names *names) {
    const char *nearest = mst_names_nearest(names);
    no_path(r, nearest ? "%s \"%s\"; did you mean \"%s\"?" : "%s \"%s\"", what, names->wanted, nearest);
    if (r->diagnostic)
        mst_names_text(names, r->diagnostic->expected, sizeof r->diagnostic->expected);
    return mst_because(MST_NO_PATH, r->diagnostic, nearest ? MST_REASON_NEAR_NAME : MST_REASON_NONE);
}

static void add_members(mst_names *names, const mst_value *record) {
    mst_value member;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &member);)
        mst_names_add(names, mst_field_of(&member)->name);
}

/* An element that a path passes by name: `properties.origin`; or the list that has rows: `actors[12]`. */
typedef struct passed {
    mst_value pair;
    uint64_t index;  /* UINT64_MAX: none */
    mst_value pairs; /* the list that `origin` alone leads through; void: it was named */
    bool list;
} passed;

static bool is_list_of_pairs(const mst_value *list) {
    const mst_record *record = mst_field_of(list)->record;
    uint32_t shape = mst_shape_of(list);
    return (shape == MST_SHAPE_LIST || shape == MST_SHAPE_CHUNK_LIST) && record && record->pairs;
}

/* In a list of pairs, the value of the first with that name. */
static bool value_of_pair(const mst_value *list, const char *name, passed *through, mst_value *found) {
    mst_value key;
    if (!is_list_of_pairs(list))
        return false;
    through->index = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &through->pair); through->index++)
        if (mst_member(&through->pair, "name", &key) == MST_OK && mst_value_is(&key, name, strlen(name)))
            return mst_member(&through->pair, "value", found) == MST_OK;
    through->index = UINT64_MAX;
    return false;
}

/* In a record, the value of the pair with that name in the record's list of pairs: `objects[7].origin`. */
static bool value_of_inner_pair(const mst_value *record, const char *name, passed *through,
                                mst_value *found) {
    const mst_record *table =
        mst_shape_of(record) == MST_SHAPE_ONE ? mst_record_of(record->document, mst_field_of(record)) : NULL;
    mst_value list;
    for (uint16_t i = 0; table && i < table->field_count; i++)
        if (table->fields[i].record && table->fields[i].record->pairs &&
            mst_member(record, table->fields[i].name, &list) == MST_OK &&
            value_of_pair(&list, name, through, found)) {
            through->pairs = list;
            return true;
        }
    return false;
}

/* Reports a name that no pair of a list has. */
static mst_status no_pair(const reader *r, const mst_value *list, const char *name) {
    char what[192];
    snprintf(what, sizeof what, "there is no \"%s\"", name);
    mst_fail_unnamed(what, list, name, r->diagnostic);
    if (r->diagnostic)
        MST_SET(r->diagnostic->path, "%s", r->path);
    return MST_NO_PATH;
}

static mst_status step_name(const reader *r, mst_value *value, const char *name, size_t length,
                            passed *through) {
    char text[128];
    if (!length || length >= sizeof text)
        return no_path(r, "a field name is missing at \"%.*s\"", 40, r->at);
    memcpy(text, name, length);
    text[length] = 0;
    mst_names names = {.wanted = text};
    uint32_t shape = mst_shape_of(value);
    if (shape == MST_SHAPE_SLICE && !(value->shape >> MST_SHAPE_COLUMN) && mst_field_of(value)->record) {
        const mst_record *record = mst_field_of(value)->record;
        for (uint16_t i = 0; i < record->field_count; i++) {
            if (strcmp(record->fields[i].name, text) == 0) {
                value->shape |= (uint32_t)(i + 1) << MST_SHAPE_COLUMN;
                return MST_OK;
            }
            mst_names_add(&names, record->fields[i].name);
        }
        return no_name(r, "the elements have no field", &names);
    }
    mst_value member;
    through->index = UINT64_MAX;
    if (mst_member(value, text, &member) == MST_OK || value_of_pair(value, text, through, &member) ||
        value_of_inner_pair(value, text, through, &member)) {
        *value = member;
        return MST_OK;
    }
    if (!r->diagnostic)
        return MST_NO_PATH;
    if (shape == MST_SHAPE_ONE) {
        add_members(&names, value);
        return no_name(r, "there is no field", &names);
    }
    if (mst_count(value) && is_list_of_pairs(value))
        return no_pair(r, value, text);
    no_path(r, "\"%s\" cannot be a field of a list: pick an element", text);
    MST_SET(r->diagnostic->expected, "[0] to [%llu]", (unsigned long long)mst_count(value) - 1);
    if (!mst_count(value))
        MST_SET(r->diagnostic->expected, "no field: the list is empty");
    return MST_NO_PATH;
}

bool mst_value_is(const mst_value *value_of, const char *wanted, size_t length) {
    mst_value member = *value_of;
    char text[512];
    size_t needed;
    if (mst_get_text(&member, text, sizeof text, &needed) == MST_OK)
        return needed == length && needed < sizeof text && memcmp(text, wanted, length) == 0;
    int64_t number, value;
    double real, as_real;
    if (mst_value_type(&member) == MST_TYPE_BOOL && mst_get_integer(&member, &value) == MST_OK &&
        (value == 0 || value == 1) && length == strlen(value ? "true" : "false") &&
        memcmp(wanted, value ? "true" : "false", length) == 0)
        return true;
    mst_value one;
    uint64_t bits;
    mst_misfit why;
    const mst_field *field = mst_single_of(&member, &one) ? mst_field_of(&one) : NULL;
    if (field && (field->flags & MST_FIELD_FLAGS)) {
        uint64_t has = mst_scalar_of(&one);
        return mst_flags_of_text(field, wanted, length, &has, &bits, &why) && bits == has;
    }
    if (mst_get_name(&member) && strlen(mst_get_name(&member)) == length &&
        memcmp(mst_get_name(&member), wanted, length) == 0)
        return true;
    if (mst_read_i64(wanted, length, &number))
        return mst_get_integer(&member, &value) == MST_OK && value == number;
    if (!mst_read_f64(wanted, length, &real) || mst_get_real(&member, &as_real) != MST_OK)
        return false;
    return field && field->kind == MST_KIND_F32 ? (float)real == (float)as_real : real == as_real;
}

/* Whether the element has a field of that name with the given text or number. */
static bool matches(const mst_value *element, const char *name, const char *wanted, size_t length) {
    mst_value member;
    return mst_member(element, name, &member) == MST_OK && mst_value_is(&member, wanted, length);
}

/* Reports that no element has `name` equal to `wanted`, and suggests the most similar one. Both are the
 * path's next `text_length` bytes. */
static mst_status no_element(const reader *r, const mst_value *list, const char *name, const char *wanted,
                             size_t length, int text_length) {
    if (!r->diagnostic)
        return MST_NO_PATH;
    char text[64], best[64] = "";
    unsigned min = UINT_MAX;
    bool has_field = false;
    mst_value element, member;
    mst_names names = {.wanted = name};
    length = length < sizeof text ? length : sizeof text - 1;
    char sought[sizeof text];
    memcpy(sought, wanted, length);
    sought[length] = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element);) {
        if (mst_member(&element, name, &member) != MST_OK) {
            if (!names.count && !has_field)
                add_members(&names, &element);
            continue;
        }
        has_field = true;
        const char *value = mst_get_name(&member);
        size_t needed;
        if (!value && mst_get_text(&member, text, sizeof text, &needed) == MST_OK && needed < sizeof text)
            value = text;
        unsigned distance = value ? mst_name_distance(sought, value) : UINT_MAX;
        if (distance < min) {
            min = distance;
            MST_SET(best, "%s", value);
        }
    }
    if (!has_field && names.count)
        return no_name(r, "the elements have no field", &names);
    no_path(r, best[0] ? "no element has %.*s; did you mean %s=%s?" : "no element has %.*s", text_length,
            r->at, name, best);
    return mst_because(MST_NO_PATH, r->diagnostic, best[0] ? MST_REASON_NEAR_NAME : MST_REASON_NONE);
}

bool mst_path_index(const char **at, uint64_t count, uint64_t *index) {
    const char *digits = *at + (**at == '-');
    size_t n = strspn(digits, "0123456789");
    uint64_t number;
    if (!n || !mst_read_u64(digits, n, &number))
        return false;
    *index = number;
    if (digits != *at)
        *index = number <= count ? count - number : MST_BEFORE_FIRST;
    *at = digits + n;
    return true;
}

/* Resolves the content after '[': an index, a slice or name=value. `index` gets the element's index. */
static mst_status step_bracket(reader *r, mst_value *value, uint64_t *index, passed *through) {
    const char *p = r->at;
    *index = UINT64_MAX;
    mst_value record = *value;
    through->list = mst_rows_of(value, &through->pair);
    if (through->list)
        *value = through->pair;
    if (mst_shape_of(value) == MST_SHAPE_ONE)
        return no_path(r, "this is not a list, so it cannot have \"[%.*s\"", 40, p);
    /* counting chunks is slow: only if needed */
    bool slice = p[strspn(p, "-0123456789")] == ':';
    uint64_t count = slice || *p == '-' ? mst_count(value) : 0, first = 0, last;
    bool number = mst_path_index(&p, count, &first);
    if (*p == ':') {
        p++;
        last = count;
        if (*p != ']' && !mst_path_index(&p, count, &last))
            return no_path(r, "a slice must look like [0:100], not \"[%.*s\"", 40, r->at);
        if (*p != ']')
            return no_path(r, "a closing bracket is missing at \"%.*s\"", 40, r->at);
        first = first == MST_BEFORE_FIRST ? 0 : first;
        last = last == MST_BEFORE_FIRST ? 0 : last;
        if (last > count)
            last = count;
        if (first > last)
            first = last;
        bool chunks = mst_shape_of(value) == MST_SHAPE_CHUNK_LIST;
        if (mst_shape_of(value) == MST_SHAPE_SLICE)
            return no_path(r, "a slice of a slice at \"%.*s\" is not possible", 40, r->at);
        value->shape = (value->shape & ~(uint32_t)MST_SHAPE_MASK) | MST_SHAPE_SLICE;
        if (chunks)
            value->shape |= MST_SHAPE_CHUNKED;
        value->first = first;
        value->count = last - first;
        r->at = p + 1;
        return MST_OK;
    }
    if (number && *p == ']') {
        mst_value element;
        if (mst_landmarks_element(r->landmarks, value, first, &element) != MST_OK) {
            no_path(r, "there is no element [%.*s]", (int)(p - r->at), r->at);
            if (r->diagnostic && *r->at == '-' && count)
                MST_SET(r->diagnostic->expected, "-%llu to -1", (unsigned long long)count);
            else if (r->diagnostic)
                MST_SET(r->diagnostic->expected, "below %llu", (unsigned long long)mst_count(value));
            return MST_NO_PATH;
        }
        if (through->list)
            mst_make_row(&element, &record, first);
        *value = element;
        *index = first;
        r->at = p + 1;
        return MST_OK;
    }
    const char *equals = strchr(r->at, '=');
    const char *close = equals && equals[1] == '"' ? strstr(equals + 2, "\"]") : strchr(r->at, ']');
    char name[64];
    if (!equals || !close || equals > close || equals == r->at || (size_t)(equals - r->at) >= sizeof name)
        return no_path(r, "an index, a slice or name=value and a closing bracket must follow at \"[%.*s\"",
                       40, r->at);
    memcpy(name, r->at, (size_t)(equals - r->at));
    name[equals - r->at] = 0;
    const char *wanted = equals + 1 + (equals[1] == '"');
    mst_value element;
    uint64_t at = 0;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element); at++) {
        if (through->list)
            mst_make_row(&element, &record, at);
        if (matches(&element, name, wanted, (size_t)(close - wanted))) {
            *value = element;
            *index = at;
            r->at = close + 1 + (*close == '"');
            return MST_OK;
        }
    }
    return no_element(r, value, name, wanted, (size_t)(close - wanted), (int)(close - r->at));
}

/* A row's parallel element is in another list: replaces the row by that list. */
static void step_aside(mst_chain *chain, const char *name, size_t length) {
    const mst_value row = chain->values[chain->count - 1];
    char text[64];
    mst_value list, member;
    if (!(row.shape & MST_SHAPE_ROW) || length >= sizeof text)
        return;
    memcpy(text, name, length);
    text[length] = 0;
    if (!mst_row_member(&row, text, &list, &member))
        return;
    chain->count--;
    chain->values[chain->count - 1] = list;
}

static mst_status resolve(mst_value from, const char *path, mst_value *found, mst_chain *chain,
                          mst_landmarks *landmarks, mst_diagnostic *diagnostic) {
    reader r = {path, path, diagnostic, landmarks};
    mst_value value = from;
    if (chain) {
        chain->count = 1;
        chain->values[0] = value;
        chain->indices[0] = UINT64_MAX;
    }
    while (*r.at) {
        mst_status status;
        passed through = {.index = UINT64_MAX, .pairs = {.document = NULL}};
        uint64_t index = UINT64_MAX;
        if (*r.at == '[') {
            r.at++;
            status = step_bracket(&r, &value, &index, &through);
        } else {
            if (*r.at == '.')
                r.at++;
            size_t n = strcspn(r.at, ".[");
            bool row = (value.shape & MST_SHAPE_ROW) && mst_shape_of(&value) == MST_SHAPE_ONE;
            uint64_t place = value.first;
            status = step_name(&r, &value, r.at, n, &through);
            if (status == MST_OK && row && (value.shape & MST_SHAPE_ELEMENT))
                index = place;
            if (status == MST_OK && chain && index != UINT64_MAX)
                step_aside(chain, r.at, n);
            r.at += n;
        }
        if (status != MST_OK)
            return status;
        bool passes = through.index != UINT64_MAX || through.list, inner = !mst_is_void(&through.pairs);
        if (chain && chain->count + passes + inner >= MST_PATH_DEPTH)
            return no_path(&r, "the path is too deep at \"%.*s\"", 40, r.at);
        if (chain && inner) {
            chain->values[chain->count] = through.pairs;
            chain->indices[chain->count++] = UINT64_MAX;
        }
        if (chain && passes) {
            chain->values[chain->count] = through.pair;
            chain->indices[chain->count++] = through.index;
        }
        if (chain) {
            chain->values[chain->count] = value;
            chain->indices[chain->count++] = index;
        }
    }
    if (found)
        *found = value;
    return MST_OK;
}

mst_status mst_find(mst_value from, const char *path, mst_value *found, mst_diagnostic *diagnostic) {
    if (!path || mst_is_void(&from))
        return mst_fail(diagnostic, MST_ARGUMENT, "a value and a path are needed");
    return resolve(from, path, found, NULL, NULL, diagnostic);
}

mst_status mst_landmarks_find(mst_landmarks *landmarks, mst_value from, const char *path, mst_value *found) {
    return resolve(from, path, found, NULL, landmarks, NULL);
}

mst_status mst_find_chain(mst_value from, const char *path, mst_chain *chain, mst_diagnostic *diagnostic) {
    return resolve(from, path, NULL, chain, chain->landmarks, diagnostic);
}

static mst_status refuse_element(mst_diagnostic *diagnostic, const char *path, const char *message) {
    mst_fail(diagnostic, MST_ARGUMENT, "%s", message);
    if (diagnostic)
        MST_SET(diagnostic->path, "%s", path);
    return MST_ARGUMENT;
}

mst_status mst_element_at(const mst_document *document, const char *path, mst_arena *arena,
                          const char **list_path, mst_value *list, uint64_t *index,
                          mst_diagnostic *diagnostic) {
    char text[400];
    size_t length = 0;
    mst_chain chain = {.values = mst_arena_take(arena, MST_PATH_DEPTH, sizeof *chain.values),
                       .indices = mst_arena_take(arena, MST_PATH_DEPTH, sizeof *chain.indices)};
    if (!chain.values || !chain.indices)
        return MST_NO_MEMORY;
    mst_status status = mst_find_chain(mst_root(document), path, &chain, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t last = chain.count - 1;
    if (!last || chain.indices[last] == UINT64_MAX || mst_shape_of(&chain.values[last]) == MST_SHAPE_SLICE)
        return refuse_element(diagnostic, path, "this is not an element of a list");
    text[0] = 0;
    for (uint32_t i = 1; i < last; i++)
        length = mst_path_step(text, sizeof text, length,
                               chain.indices[i] == UINT64_MAX ? mst_field_of(&chain.values[i])->name : "",
                               chain.indices[i]);
    *list = chain.values[last - 1];
    *index = chain.indices[last];
    if (length >= sizeof text)
        return refuse_element(diagnostic, path, "the path is too long");
    *list_path = mst_arena_text(arena, text, length);
    return *list_path ? MST_OK : MST_NO_MEMORY;
}
