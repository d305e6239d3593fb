/* SPDX-License-Identifier: MIT */
/* exit.def: the exits that have a destination, and their destinations. */
#include "../../core/lower_bound.h"
#include "revenant_classes.h"
#include "revenant_words.h"
#include <stdlib.h>

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The name at the beginning of a line `name (x, y, z) level n ...`; false if there is none. */
static bool exit_of_line(const char *line, size_t length, const char **name, size_t *name_length) {
    while (length && is_blank(*line)) {
        line++;
        length--;
    }
    size_t end = 0;
    if (length && *line == '"') {
        line++;
        length--;
        while (end < length && line[end] != '"')
            end++;
    } else {
        while (end < length && !is_blank(line[end]) && !strchr("(){},=\"", line[end]) &&
               !(line[end] == '/' && end + 1 < length && line[end + 1] == '/'))
            end++;
        if (is_word(line, end, "begin") || is_word(line, end, "end")) {
            size_t rest = end;
            while (rest < length && is_blank(line[rest]))
                rest++;
            if (rest == length || line[rest] == '/')
                return false;
        }
    }
    *name = line;
    *name_length = end;
    return end > 0;
}

/* An integer at `at`, clamped; false if there is none. */
static bool read_integer(const char *line, size_t length, size_t *at, int32_t *number) {
    bool negative = *at < length && line[*at] == '-';
    size_t i = *at + negative, first = i;
    int64_t value = 0;
    for (; i < length && line[i] >= '0' && line[i] <= '9'; i++)
        value = value > INT32_MAX ? value : value * 10 + (line[i] - '0');
    if (i == first)
        return false;
    value = negative ? -value : value;
    *number = (int32_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
    *at = i;
    return true;
}

static void skip_separators(const char *line, size_t length, size_t *at) {
    while (*at < length && (is_blank(line[*at]) || line[*at] == ',' || line[*at] == '='))
        ++*at;
}

/* Three numbers in brackets; `at` is after the opening one. */
static bool read_three(const char *line, size_t length, size_t *at, int32_t three[3]) {
    for (int i = 0; i < 3; i++) {
        skip_separators(line, length, at);
        if (!read_integer(line, length, at, &three[i]))
            return false;
    }
    return true;
}

/* The rest of the line after the name: (x, y, z) level n mapindex n ambient n (r, g, b), in any order. */
static void read_destination(const char *line, size_t length, mst_revenant_exit *one) {
    for (size_t at = 0; at < length;) {
        if (line[at] == '/' && at + 1 < length && line[at + 1] == '/')
            return;
        if (line[at] == '(') {
            at++;
            if (!one->has_position)
                one->has_position = read_three(line, length, &at, one->position);
            else if (!one->has_color)
                one->has_color = read_three(line, length, &at, one->color);
            continue;
        }
        size_t end = at;
        while (end < length && ((line[end] | 32) >= 'a' && (line[end] | 32) <= 'z'))
            end++;
        int32_t *to = is_word(line + at, end - at, "level")      ? &one->level
                      : is_word(line + at, end - at, "mapindex") ? &one->map_index
                      : is_word(line + at, end - at, "ambient")  ? &one->ambient
                                                                 : NULL;
        at = end > at ? end : at + 1;
        if (!to)
            continue;
        skip_separators(line, length, &at);
        read_integer(line, length, &at, to);
    }
}

bool mst_revenant_next_exit(const char *text, size_t size, mst_revenant_exit *one) {
    size_t at = one->at;
    if (!at)
        at = mst_byte_order_mark(text, size);
    while (at < size) {
        size_t end = at;
        while (end < size && !is_newline(text[end]))
            end++;
        bool found = exit_of_line(text + at, end - at, &one->name, &one->name_length);
        one->line = one->next_line;
        one->next_line += end < size && (text[end] == '\n' || end + 1 == size || text[end + 1] != '\n');
        one->at = end + 1;
        if (found) {
            size_t after = (size_t)(one->name - text) + one->name_length;
            one->has_position = one->has_color = false;
            one->level = one->map_index = one->ambient = -1;
            read_destination(text + after, end - after, one);
            return true;
        }
        at = end + 1;
    }
    return false;
}

mst_status mst_revenant_read_exits(const char *text, size_t size, mst_arena *arena,
                                   mst_revenant_exits *exits) {
    *exits = (mst_revenant_exits){0};
    if (size > UINT32_MAX)
        return MST_NO_MEMORY;
    mst_array names = {.element_size = sizeof(char *), .allocator = arena->allocator};
    mst_status status = MST_OK;
    mst_revenant_exit one = MST_REVENANT_FIRST_EXIT;
    while (status == MST_OK && mst_revenant_next_exit(text, size, &one)) {
        char **added = mst_array_push(&names, 1);
        char *copy = added ? copy_text(arena, one.name, one.name_length, true) : NULL;
        if (copy)
            *added = copy;
        else
            status = MST_NO_MEMORY;
    }
    const char **list = status == MST_OK ? mst_arena_take(arena, names.count, sizeof *list) : NULL;
    if (list) {
        char **items = names.items;
        if (names.count)
            qsort(items, names.count, sizeof *items, compare_texts);
        for (size_t i = 0; i < names.count; i++)
            if (exits->count == 0 || strcmp(list[exits->count - 1], items[i]) != 0)
                list[exits->count++] = items[i];
        exits->names = list;
    } else {
        status = MST_NO_MEMORY;
    }
    mst_array_free(&names);
    return status;
}

/* As strcmp, with the name converted as by copy_text. */
static int compare_name(const char *known, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char one[2] = {mst_lower(name[i]), 0}, *unit = is_foreign(name[i]) ? REPLACEMENT : one;
        for (; *unit; unit++, known++)
            if (*known != *unit)
                return (unsigned char)*known < (unsigned char)*unit ? -1 : 1;
    }
    return *known ? 1 : 0;
}

bool mst_revenant_has_exit(const mst_revenant_exits *exits, const char *name, size_t length) {
    MST_LOWER_BOUND(low, middle, exits->count, compare_name(exits->names[middle], name, length) < 0);
    return low < exits->count && compare_name(exits->names[low], name, length) == 0;
}
