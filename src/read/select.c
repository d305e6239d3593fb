/* SPDX-License-Identifier: MIT */
/* Selectors: paths whose brackets may select many elements. */
#include "../core/diagnose.h"
#include "conditions.h"
#include "rooms.h"
#include <stdio.h>

#define FRAMES   8   /* nested brackets that select many elements */
#define MAX_PATH 512 /* longer paths are not selected */

/* A list whose elements are being iterated. */
typedef struct frame {
    mst_iterator iterator;
    mst_value record;       /* whose rows are iterated; document NULL: elements are */
    uint64_t index, end;    /* of the next element; after the last of the slice */
    mst_excerpt conditions; /* empty: all elements */
    mst_condition_scope scope;
    uint64_t skip, most; /* of the matching elements: how many to skip, then how many to take */
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
    mst_diagnostic lack; /* a missing value: the first one, or one that has a similar name */
    frame frames[FRAMES];
    size_t frame_count;
    bool unnamed; /* a condition names something that does not exist */
    bool special; /* there are conditions that mst_find does not support */
    char path[MAX_PATH];
    size_t path_length;
} selection;

static mst_status bad(const selection *s, const char *message, const char *at) {
    mst_fail(s->diagnostic, MST_ARGUMENT, "%s at \"%.40s\"", message, at);
    if (s->diagnostic)
        MST_SET(s->diagnostic->path, "%s", s->selector);
    return MST_ARGUMENT;
}

/* ---- brackets --------------------------------------------------------------------------------------- */

/* Whether a bracket selects at most one element. */
static bool is_index(const char *text, size_t length) {
    size_t minus = length && *text == '-';
    return length > minus && strspn(text + minus, "0123456789") == length - minus;
}

static bool is_slice(const char *text) {
    return text[strspn(text, "-0123456789")] == ':';
}

bool mst_is_selector(const char *path, bool slices) {
    if (!path)
        return false;
    if (mst_is_room(path, NULL))
        return true;
    for (const char *at = strchr(path, '['); at; at = strchr(at, '[')) {
        size_t length = mst_bracket_length(++at);
        if (length == SIZE_MAX)
            return false;
        if (!is_index(at, length) && (slices || !is_slice(at)))
            return true;
        at += length;
    }
    return false;
}

/* The position of the ; of a bracket, after which an index or a slice chooses among the matching elements;
 * the length if there is none. */
static size_t semicolon_in(const char *text, size_t length) {
    size_t found = length;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        quoted ^= text[i] == '"';
        if (text[i] == ';' && !quoted)
            found = i;
    }
    if (found == length)
        return length;
    mst_excerpt after = mst_trimmed(text + found + 1, length - found - 1);
    bool chooses = after.length && strspn(after.text, "-0123456789:") >= after.length;
    return chooses ? found : length; /* it is part of a value */
}

/* The next element of a list that meets its conditions; false if there is none. */
static bool next_match(frame *f, mst_value *value, uint64_t *index) {
    while (f->index < f->end && mst_next(&f->iterator, value)) {
        *index = f->index++;
        if (f->record.document)
            mst_make_row(value, &f->record, *index);
        f->scope.index = *index;
        if (mst_conditions_hold(value, &f->scope, f->conditions))
            return true;
    }
    return false;
}

/* An index or a slice of the matching elements: "0", "-1", "0:3". */
static mst_status choose_some(selection *s, frame *f, mst_excerpt which) {
    frame all = *f;
    mst_value value;
    uint64_t count = 0, first = 0, end, index;
    while (next_match(&all, &value, &index))
        count++;
    const char *p = which.text, *stop = which.text + which.length;
    bool slices = memchr(which.text, ':', which.length) != NULL;
    if (*p != ':' && !mst_path_index(&p, count, &first))
        return bad(s, "after ; an index or a slice is needed, such as 0, -1 or 0:3", which.text);
    end = slices ? count : first + 1;
    if (slices && ++p < stop && !mst_path_index(&p, count, &end))
        return bad(s, "after ; an index or a slice is needed, such as 0, -1 or 0:3", which.text);
    if (p != stop)
        return bad(s, "after ; an index or a slice is needed, such as 0, -1 or 0:3", which.text);
    bool before = first == MST_BEFORE_FIRST;
    f->skip = before ? 0 : first;
    end = end == MST_BEFORE_FIRST ? 0 : end;
    f->most = (before && !slices) || end < f->skip ? 0 : end - f->skip;
    return MST_OK;
}

/* Looks up data that the conditions need beyond the elements, by the path of their list in the document. */
static mst_status begin_scope(selection *s, frame *f, const mst_value *list, bool rows) {
    const mst_value root = mst_root(s->from.document);
    char path[MAX_PATH];
    if (rows || !f->conditions.length || s->path_length >= sizeof path)
        return MST_OK;
    memcpy(path, s->path, s->path_length);
    path[s->path_length] = 0;
    if (s->from.field != root.field && !mst_path_of(list, path, sizeof path))
        return MST_OK;
    return mst_condition_scope_of(s->from.document, path, f->conditions, &f->scope, s->diagnostic);
}

static mst_status begin_frame(selection *s, const mst_value *list, const char *text, size_t length) {
    frame *f = &s->frames[s->frame_count];
    mst_value record = {.document = NULL}, rows;
    if (mst_rows_of(list, &rows)) {
        record = *list;
        list = &rows;
    }
    uint32_t shape = mst_shape_of(list);
    if (shape == MST_SHAPE_ONE && s->frame_count && mst_field_of(list)->record) /* it may lack its lists */
        return MST_NO_PATH;
    if (shape != MST_SHAPE_LIST && shape != MST_SHAPE_CHUNK_LIST)
        return bad(s, "this is not a list", text);
    if (s->frame_count == FRAMES)
        return bad(s, "there are too many brackets", text);
    *f = (frame){.iterator = mst_iterate(list),
                 .record = record,
                 .end = UINT64_MAX,
                 .most = UINT64_MAX,
                 .rest = text + length + 1};
    f->path_length = s->path_length;
    const size_t semicolon = semicolon_in(text, length);
    f->conditions = mst_trimmed(text, semicolon);
    const char *p = text;
    uint64_t count = mst_count(list), last = count;
    if (is_slice(text)) {
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
    s->special = s->special || mst_conditions_are_special(mst_field_of(list)->record, f->conditions);
    mst_status status =
        mst_conditions_check(s->from.document, mst_field_of(list)->record, f->conditions, s->diagnostic);
    if (status == MST_OK)
        status = begin_scope(s, f, list, record.document != NULL);
    s->special = s->special || f->scope.count;
    if (status != MST_OK && s->diagnostic)
        MST_SET(s->diagnostic->path, "%s", s->selector);
    s->unnamed = status == MST_NO_PATH;
    if (status == MST_OK && semicolon < length)
        status = choose_some(s, f, mst_trimmed(text + semicolon + 1, length - semicolon - 1));
    return status;
}

/* The next element of the innermost list that has one; false at the end of all. */
static bool next_element(selection *s, mst_value *value, const char **rest) {
    while (s->frame_count) {
        frame *f = &s->frames[s->frame_count - 1];
        uint64_t index;
        while (f->skip && next_match(f, value, &index))
            f->skip--;
        if (f->most && next_match(f, value, &index)) {
            f->most--;
            s->path[f->path_length] = 0;
            s->path_length = mst_path_step(s->path, sizeof s->path, f->path_length, "", index);
            *rest = f->rest;
            return true;
        }
        mst_condition_scope_release(&f->scope);
        s->frame_count--;
    }
    return false;
}

/* Notes the path that an element lacks, while no element has it. */
static void note_lack(selection *s, const mst_value *element, const char *steps) {
    mst_value value;
    mst_diagnostic why;
    if (!s->diagnostic || s->selected.count || s->lack.reason == MST_REASON_NEAR_NAME)
        return;
    if (mst_find(*element, steps, &value, &why) != MST_OK &&
        (!s->lack.status || why.reason == MST_REASON_NEAR_NAME))
        s->lack = why;
}

/* Follows the steps of a selector up to the next bracket that selects many elements. MST_NO_PATH: they lead
 * nowhere. */
static mst_status follow_steps(selection *s, mst_value *value, const char **at) {
    char steps[MAX_PATH];
    size_t length = 0;
    const char *from = *at;
    while (from[length]) {
        length += strcspn(from + length, "[");
        if (!from[length])
            break;
        size_t inside = mst_bracket_length(from + length + 1);
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
    const mst_value element = *value;
    mst_status status = mst_find(*value, steps, value, s->frame_count ? NULL : s->diagnostic);
    if (status == MST_NO_PATH && s->frame_count)
        note_lack(s, &element, steps);
    s->path_length =
        mst_path_step(s->path, sizeof s->path, s->path_length, *name == '[' ? "" : name, UINT64_MAX);
    if (*name == '[') { /* an index directly after a bracket */
        memcpy(s->path + s->path_length, name, strlen(name) + 1);
        s->path_length += strlen(name);
    }
    return status;
}

/* Whether a bracket has conditions that paths do not support: theirs are name=value. */
static bool is_condition(const char *text, size_t length) {
    size_t name = strcspn(text, "=!<>~&|;( ]\"");
    return !is_index(text, length) && !is_slice(text) &&
           (text[name] != '=' || !name || memchr(text, '.', name) || strcspn(text, "&|;(") < length);
}

static bool has_conditions(const char *selector) {
    for (const char *at = strchr(selector, '['); at; at = strchr(at, '[')) {
        size_t length = mst_bracket_length(++at);
        if (length == SIZE_MAX)
            return false;
        if (is_condition(at, length))
            return true;
        at += length;
    }
    return false;
}

static void say_lack(const selection *s, unsigned long long lacking) {
    char what[sizeof s->lack.message] = "";
    if (s->lack.status)
        MST_SET(what, ": %s", s->lack.message);
    if (lacking == 1)
        mst_fail(s->diagnostic, MST_NO_PATH, "the only match lacks it%s", what);
    else
        mst_fail(s->diagnostic, MST_NO_PATH, "all %llu matches lack it%s", lacking, what);
    if (s->diagnostic && s->lack.status)
        memcpy(s->diagnostic->expected, s->lack.expected, sizeof s->diagnostic->expected);
}

/* Nothing was found: tries the selector as a path, in which & may belong to a value, or reports why. */
static mst_status take_nothing(selection *s) {
    mst_value value;
    unsigned long long lacking = s->selected.lacking;
    mst_status status = mst_find(s->from, s->selector, &value, s->diagnostic);
    if (status == MST_OK)
        return s->found(s->user, s->selector, &value);
    if (lacking)
        say_lack(s, lacking);
    else if (s->special || has_conditions(s->selector))
        mst_fail(s->diagnostic, MST_NO_PATH, "nothing matches");
    if (s->diagnostic)
        MST_SET(s->diagnostic->path, "%s", s->selector);
    return MST_NO_PATH;
}

static mst_status select_all(mst_value from, const char *selector, mst_select_function found, void *user,
                             mst_selected *selected, mst_diagnostic *diagnostic) {
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
            status = begin_frame(&s, &value, at + 1, mst_bracket_length(at + 1));
            if (status == MST_NO_PATH && !s.unnamed) {
                s.selected.lacking++;
                status = MST_OK;
            }
        }
    } while (status == MST_OK && next_element(&s, &value, &at));
    while (s.frame_count)
        mst_condition_scope_release(&s.frames[--s.frame_count].scope);
    if (selected)
        *selected = s.selected;
    else if (status == MST_OK && !s.selected.count)
        status = take_nothing(&s);
    return status;
}

/* Selects elements in a room, from one of the lists that can have them. */
static mst_status select_in_list(const mst_value *from, const char *list, mst_excerpt room, const char *rest,
                                 mst_select_function found, void *user, mst_selected *selected,
                                 mst_diagnostic *diagnostic) {
    char selector[MAX_PATH];
    int length = snprintf(selector, sizeof selector, "%s[within=\"%.*s\"]%s", list,
                          (int)(room.length < MAX_PATH ? room.length : MAX_PATH), room.text, rest);
    if (length < 0 || (size_t)length >= sizeof selector)
        return mst_fail(diagnostic, MST_ARGUMENT, "the selector is too long");
    return select_all(*from, selector, found, user, selected, diagnostic);
}

static mst_status select_in_room(const mst_value *from, const char *selector, mst_select_function found,
                                 void *user, mst_selected *selected, mst_diagnostic *diagnostic) {
    const mst_rooms *rooms = mst_rooms_of(from->document, diagnostic);
    mst_excerpt room;
    const char *rest = mst_is_room(selector, &room);
    mst_selected all = {0}, some;
    mst_status status = MST_OK;
    if (!rooms)
        return MST_ARGUMENT;
    for (size_t i = 0; rooms->lists[i] && status == MST_OK; i++) {
        some = (mst_selected){0};
        status = select_in_list(from, rooms->lists[i], room, rest, found, user, &some, diagnostic);
        all.count += some.count;
        all.lacking += some.lacking;
    }
    if (selected)
        *selected = all;
    else if (status == MST_OK && !all.count)
        status = mst_fail(diagnostic, MST_NO_PATH, "nothing is in the room");
    return status;
}

mst_status mst_select(mst_value from, const char *selector, mst_select_function found, void *user,
                      mst_selected *selected, mst_diagnostic *diagnostic) {
    if (!selector || !found || mst_is_void(&from))
        return mst_fail(diagnostic, MST_ARGUMENT, "a value, a selector and a function are needed");
    return mst_is_room(selector, NULL) ? select_in_room(&from, selector, found, user, selected, diagnostic)
                                       : select_all(from, selector, found, user, selected, diagnostic);
}
