/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "change_filter.h"
#include "../../src/core/text.h"
#include "../../src/read/excerpt.h"
#include "../../src/read/opened.h"
#include "../output/show.h"
#include <stdlib.h>
#include <string.h>

/* ---- reading ---------------------------------------------------------------------------------------- */

static bool read_pattern(change_pattern *made, const char *text) {
    const char *bracket = strchr(text, '['), *rest = text;
    *made = (change_pattern){.given = text};
    if (bracket) {
        size_t length = mst_bracket_length(bracket + 1);
        if (length == SIZE_MAX || bracket == text)
            return false;
        made->list = copy_of(text, (size_t)(bracket - text));
        made->element = copy_of(bracket + 1, length);
        rest = bracket + length + 2;
        if (*rest && *rest != '.' && *rest != ':')
            return false;
        rest += *rest == '.';
    }
    const char *colon = strchr(rest, ':');
    made->path = copy_of(rest, colon ? (size_t)(colon - rest) : strlen(rest));
    made->flags = colon ? need(strdup(colon + 1)) : NULL;
    return (bracket || *made->path) && (!colon || (*made->path && colon[1]));
}

bool change_filter_read(change_filter *filter, const options *given) {
    *filter = (change_filter){.items = NULL};
    for (size_t i = 0; i < given->argument_count; i++) {
        const argument *one = &given->arguments[i];
        if (one->id != OPTION_IGNORE && one->id != OPTION_SELECT)
            continue;
        filter->items = need(realloc(filter->items, (filter->count + 1) * sizeof *filter->items));
        change_pattern *made = &filter->items[filter->count++];
        bool good = read_pattern(made, one->value);
        made->ignores = one->id == OPTION_IGNORE;
        filter->selects = filter->selects || !made->ignores;
        if (good)
            continue;
        options_usage(given,
                      "'%s' is not of the form LIST[CONDITIONS].PATH, FIELD or FIELD:FLAG,... as in "
                      "'objects[*].flags'",
                      one->value);
        change_filter_end(filter, true);
        return false;
    }
    return true;
}

/* ---- comparing -------------------------------------------------------------------------------------- */

/* Whether a path matches the pattern, or is below a path that does. */
static bool is_below(const char *path, const char *pattern) {
    size_t length = strlen(pattern);
    char begin[512];
    for (size_t end = 0; end < sizeof begin; end++) {
        if (!path[end] || path[end] == '.' || path[end] == '[') {
            memcpy(begin, path, end);
            begin[end] = 0;
            if (mst_text_is_like(begin, pattern, length))
                return true;
        }
        if (!path[end])
            break;
    }
    return false;
}

/* Whether a step of a path matches the pattern: a field, at any depth. */
static bool has_step(const char *path, const char *pattern) {
    char step[256];
    while (*path) {
        size_t length = strcspn(path, ".[");
        if (length && length < sizeof step) {
            memcpy(step, path, length);
            step[length] = 0;
            if (mst_text_is_like(step, pattern, strlen(pattern)))
                return true;
        }
        path += length;
        path += *path == '[' ? strcspn(path, "]") : 0;
        path += *path != 0;
    }
    return false;
}

static bool is_element(const change_pattern *like, const mst_difference *change) {
    bool met = false;
    char *end;
    if (!strcmp(like->element, "*"))
        return true;
    unsigned long long index = strtoull(like->element, &end, 10);
    if (*like->element && !*end)
        return index == change->new_index || index == change->old_index;
    if (change->new_index != MST_NOWHERE)
        mst_matches(&change->new_element, like->element, &met, NULL);
    if (!met && change->old_index != MST_NOWHERE)
        mst_matches(&change->old_element, like->element, &met, NULL);
    return met;
}

/* Whether a text has a word; separators are between its words. */
static bool has_word(const char *text, const char *separators, const char *word, size_t length) {
    while (*text) {
        size_t n = strcspn(text, separators);
        if (n == length && !memcmp(text, word, n))
            return true;
        text += n;
        text += strspn(text, separators);
    }
    return false;
}

/* Whether all flags of `a` that `b` lacks are among the names. */
static bool only_lacks(const char *a, const char *b, const char *names) {
    while (*a) {
        size_t length = strcspn(a, " ");
        if (length && !has_word(b, " ", a, length) && !has_word(names, ", ", a, length))
            return false;
        a += length;
        a += strspn(a, " ");
    }
    return true;
}

/* Whether two values differ only in these flags. */
static bool only_flags(const mst_difference *change, const char *names) {
    if (!is_flags(&change->old_value) || !is_flags(&change->new_value))
        return false;
    stream old = stream_memory(), now = stream_memory();
    put_value_plain(&old, &change->old_value);
    put_value_plain(&now, &change->new_value);
    put(&old, "", 1);
    put(&now, "", 1);
    bool only = only_lacks(old.data, now.data, names) && only_lacks(now.data, old.data, names);
    stream_free(&old);
    stream_free(&now);
    return only;
}

static bool is_like(const change_pattern *like, const mst_difference *change) {
    const char *path = change->kind == MST_DIFFERENCE_SET ? change->path : "";
    bool is;
    if (like->element)
        is = mst_text_is_like(change->list, like->list, strlen(like->list)) && is_element(like, change) &&
             (!*like->path || is_below(path, like->path));
    else
        is = is_below(change->list, like->path) || has_step(path, like->path) || is_below(path, like->path);
    return is && (!like->flags || only_flags(change, like->flags));
}

bool change_filter_takes(change_filter *filter, const mst_difference *change) {
    bool takes = !filter->selects, ignored = false;
    for (size_t i = 0; i < filter->count; i++) {
        change_pattern *one = &filter->items[i];
        if (!is_like(one, change))
            continue;
        one->met = true;
        takes = takes || !one->ignores;
        ignored = ignored || one->ignores;
    }
    if (filter->count && change->sort == MST_DIFFERENCE_DERIVED)
        takes = false; /* it may follow from an ignored change */
    return takes && !ignored;
}

void change_filter_end(change_filter *filter, bool quiet) {
    for (size_t i = 0; i < filter->count; i++) {
        const change_pattern *one = &filter->items[i];
        if (!one->met && !quiet)
            say_plain("%s %s: no change is like it", one->ignores ? "--ignore" : "--select", one->given);
        free(one->list);
        free(one->element);
        free(one->path);
        free(one->flags);
    }
    free(filter->items);
}
