/* SPDX-License-Identifier: MIT */
/* Selectors: paths whose brackets may stand for many elements. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "engine.h"
#include <stdio.h>

#define FRAMES   8   /* brackets that stand for many elements, in each other */
#define MAX_PATH 512 /* longer paths are not selected */

typedef struct span {
    const char *text;
    size_t length;
} span;

/* A list of which several elements are gone over. */
typedef struct frame {
    mst_iterator iterator;
    mst_value record;    /* of which rows are gone over; document NULL: elements are */
    uint64_t index, end; /* of the next element; after the last of the slice */
    span conditions;     /* empty: all elements */
    const char *rest;    /* of the selector, after the bracket */
    size_t path_length;
} frame;

typedef struct selection {
    mst_value from;
    const char *selector;
    mst_select_function found;
    void *user;
    mst_diagnostic *diagnostic;
    mst_selected selected;
    frame frames[FRAMES];
    size_t frame_count;
    char path[MAX_PATH];
    size_t path_length;
} selection;

static mst_status bad(const selection *s, const char *message, const char *at) {
    mst_fail(s->diagnostic, MST_ARGUMENT, "%s at \"%.40s\"", message, at);
    if (s->diagnostic)
        MST_SET(s->diagnostic->path, "%s", s->selector);
    return MST_ARGUMENT;
}

static span trimmed(const char *text, size_t length) {
    while (length && *text == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    return (span){text, length};
}

/* ---- conditions ------------------------------------------------------------------------------------- */

typedef enum comparison { IS, IS_NOT, BELOW, AT_MOST, ABOVE, AT_LEAST, LIKE, UNLIKE, HAS, EXISTS } comparison;
static const struct {
    const char *text;
    comparison kind;
} operators[] = {{"!=", IS_NOT}, {"!~", UNLIKE}, {"<=", AT_MOST}, {">=", AT_LEAST}, {"=", IS},
                 {"<", BELOW},   {">", ABOVE},   {"~", LIKE},     {" has ", HAS}};

/* Splits one condition at its operator; what comes before it is a path. */
static comparison split(span condition, span *path, span *wanted) {
    for (size_t i = 0; i < condition.length; i++)
        for (size_t k = 0; k < MST_COUNT_OF(operators); k++) {
            size_t length = strlen(operators[k].text);
            if (length > condition.length - i || memcmp(condition.text + i, operators[k].text, length) != 0)
                continue;
            *path = trimmed(condition.text, i);
            *wanted = trimmed(condition.text + i + length, condition.length - i - length);
            if (wanted->length > 1 && wanted->text[0] == '"' && wanted->text[wanted->length - 1] == '"')
                *wanted = (span){wanted->text + 1, wanted->length - 2};
            return operators[k].kind;
        }
    *path = trimmed(condition.text, condition.length);
    return EXISTS;
}

/* Whether the text is like a pattern, in which * stands for any characters and ? for one. */
static bool is_like(const char *text, span pattern) {
    const char *p = pattern.text, *end = p + pattern.length, *star = NULL, *again = NULL;
    while (*text) {
        if (p < end && *p == '*') {
            star = ++p;
            again = text;
        } else if (p < end && (*p == '?' || *p == *text)) {
            p++, text++;
        } else if (star) {
            p = star;
            text = ++again;
        } else {
            return false;
        }
    }
    while (p < end && *p == '*')
        p++;
    return p == end;
}

static bool matches_pattern(const mst_value *value, span pattern) {
    char text[MAX_PATH];
    const char *name = mst_get_name(value);
    size_t length;
    if (!name && mst_get_text(value, text, sizeof text, &length) == MST_OK && length < sizeof text)
        name = text;
    return name && is_like(name, pattern);
}

static bool has_flags(const mst_value *value, span wanted) {
    mst_value one;
    uint64_t bits;
    mst_misfit why;
    const mst_field *field = mst_single_of(value, &one) ? mst_field_of(&one) : NULL;
    return field && (field->flags & MST_FIELD_FLAGS) &&
           mst_flags_of_text(field, wanted.text, wanted.length, NULL, &bits, &why) &&
           (mst_scalar_of(&one) & bits) == bits;
}

static bool holds(const mst_value *element, span condition) {
    char name[128];
    span path = {NULL, 0}, wanted = {NULL, 0};
    comparison kind = split(condition, &path, &wanted);
    mst_value value;
    double real, limit;
    if (!path.length || path.length >= sizeof name)
        return false;
    memcpy(name, path.text, path.length);
    name[path.length] = 0;
    if (mst_find(*element, name, &value, NULL) != MST_OK)
        return false;
    switch (kind) {
    case EXISTS: return true;
    case IS: return mst_value_is(&value, wanted.text, wanted.length);
    case IS_NOT: return !mst_value_is(&value, wanted.text, wanted.length);
    case LIKE: return matches_pattern(&value, wanted);
    case UNLIKE: return !matches_pattern(&value, wanted);
    case HAS: return has_flags(&value, wanted);
    case BELOW:
    case AT_MOST:
    case ABOVE:
    case AT_LEAST: break;
    }
    if (mst_get_real(&value, &real) != MST_OK || !mst_read_f64(wanted.text, wanted.length, &limit))
        return false;
    return kind == BELOW     ? real < limit
           : kind == AT_MOST ? real <= limit
           : kind == ABOVE   ? real > limit
                             : real >= limit;
}

/* The next condition of several that & joins; false: there is none. */
static bool next_condition(span *conditions, span *one) {
    bool quoted = false;
    size_t length = 0;
    if (!conditions->length)
        return false;
    for (; length < conditions->length && (quoted || conditions->text[length] != '&'); length++)
        quoted ^= conditions->text[length] == '"';
    *one = trimmed(conditions->text, length);
    length += length < conditions->length;
    *conditions = (span){conditions->text + length, conditions->length - length};
    return true;
}

static bool all_hold(const mst_value *element, span conditions) {
    span one;
    while (next_condition(&conditions, &one))
        if (!holds(element, one))
            return false;
    return true;
}

/* ---- brackets --------------------------------------------------------------------------------------- */

/* The length of what is in a bracket; SIZE_MAX: it is not closed. */
static size_t bracket_length(const char *text) {
    bool quoted = false;
    size_t depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == ']' && !quoted && !depth--)
            return i;
        depth += text[i] == '[' && !quoted;
        quoted ^= text[i] == '"';
    }
    return SIZE_MAX;
}

/* Whether a bracket stands for one element at most. */
static bool is_index(const char *text, size_t length) {
    size_t minus = length && *text == '-';
    return length > minus && strspn(text + minus, "0123456789") == length - minus;
}

int mst_is_selector(const char *path, int slices) {
    if (!path)
        return false;
    for (const char *at = strchr(path, '['); at; at = strchr(at, '[')) {
        size_t length = bracket_length(++at);
        if (length == SIZE_MAX)
            return false;
        bool slice = at[strspn(at, "-0123456789")] == ':';
        if (!is_index(at, length) && (slices || !slice))
            return true;
        at += length;
    }
    return false;
}

static mst_status begin_frame(selection *s, const mst_value *list, const char *text, size_t length) {
    frame *f = &s->frames[s->frame_count];
    mst_value record = {.document = NULL}, rows;
    if (mst_rows_of(list, &rows)) {
        record = *list;
        list = &rows;
    }
    uint32_t shape = mst_shape_of(list);
    if (shape != MST_SHAPE_LIST && shape != MST_SHAPE_CHUNK_LIST)
        return bad(s, "this is not a list", text);
    if (s->frame_count == FRAMES)
        return bad(s, "there are too many brackets", text);
    *f = (frame){
        .iterator = mst_iterate(list), .record = record, .end = UINT64_MAX, .rest = text + length + 1};
    f->path_length = s->path_length;
    f->conditions = trimmed(text, length);
    const char *p = text;
    uint64_t count = mst_count(list), last = count;
    bool slice = text[strspn(text, "-0123456789")] == ':';
    if (slice) {
        if (*p != ':' && !mst_path_index(&p, count, &f->index))
            return bad(s, "a slice must look like [0:100]", text);
        if (p[1] != ']' && (p++, !mst_path_index(&p, count, &last)))
            return bad(s, "a slice must look like [0:100]", text);
        uint64_t first = f->index == MST_BEFORE_FIRST ? 0 : f->index;
        mst_value skipped;
        f->end = last == MST_BEFORE_FIRST ? 0 : last;
        f->conditions.length = 0;
        for (f->index = 0; f->index < first && mst_next(&f->iterator, &skipped);)
            f->index++;
    } else if (f->conditions.length == 1 && *f->conditions.text == '*') {
        f->conditions.length = 0;
    }
    s->frame_count++;
    return MST_OK;
}

/* The next element of the innermost list that has one; false: all have been gone over. */
static bool next_element(selection *s, mst_value *value, const char **rest) {
    while (s->frame_count) {
        frame *f = &s->frames[s->frame_count - 1];
        while (f->index < f->end && mst_next(&f->iterator, value)) {
            uint64_t index = f->index++;
            if (f->record.document)
                mst_make_row(value, &f->record, index);
            if (!all_hold(value, f->conditions))
                continue;
            s->path[f->path_length] = 0;
            s->path_length = mst_path_step(s->path, sizeof s->path, f->path_length, "", index);
            *rest = f->rest;
            return true;
        }
        s->frame_count--;
    }
    return false;
}

/* The steps of a selector up to the next bracket that stands for many elements. MST_NO_PATH: they lead
 * nowhere. */
static mst_status follow_steps(selection *s, mst_value *value, const char **at) {
    char steps[MAX_PATH];
    size_t length = 0;
    const char *from = *at;
    while (from[length]) {
        length += strcspn(from + length, "[");
        if (!from[length])
            break;
        size_t inside = bracket_length(from + length + 1);
        if (inside == SIZE_MAX)
            return bad(s, "a closing bracket is missing", from + length);
        if (!is_index(from + length + 1, inside))
            break;
        length += inside + 2;
    }
    *at = from + length;
    if (!length)
        return MST_OK;
    if (length >= sizeof steps || s->path_length + length + 1 >= sizeof s->path)
        return bad(s, "the selector is too long", from);
    memcpy(steps, from, length);
    steps[length] = 0;
    const char *name = steps + (*steps == '.');
    mst_status status = mst_find(*value, steps, value, s->frame_count ? NULL : s->diagnostic);
    s->path_length =
        mst_path_step(s->path, sizeof s->path, s->path_length, *name == '[' ? "" : name, UINT64_MAX);
    if (*name == '[') { /* an index directly after a bracket */
        memcpy(s->path + s->path_length, name, strlen(name) + 1);
        s->path_length += strlen(name);
    }
    return status;
}

mst_status mst_select(mst_value from, const char *selector, mst_select_function found, void *user,
                      mst_selected *selected, mst_diagnostic *diagnostic) {
    if (!selector || !found || mst_is_void(&from))
        return mst_fail(diagnostic, MST_ARGUMENT, "a value, a selector and a function are needed");
    selection s = {
        .from = from, .selector = selector, .found = found, .user = user, .diagnostic = diagnostic};
    mst_value value = from;
    const char *at = selector;
    mst_status status;
    do {
        status = follow_steps(&s, &value, &at);
        if (status == MST_NO_PATH && s.frame_count) {
            s.selected.lacking++;
            status = MST_OK;
        } else if (status == MST_OK && !*at) {
            s.selected.count++;
            status = found(user, s.path, &value);
        } else if (status == MST_OK) {
            status = begin_frame(&s, &value, at + 1, bracket_length(at + 1));
        }
    } while (status == MST_OK && next_element(&s, &value, &at));
    if (selected)
        *selected = s.selected;
    return status;
}
