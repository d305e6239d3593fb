/* SPDX-License-Identifier: MIT */
/* exit.def: the names of exits that have a destination. The destinations themselves are not read. */
#include "classes.h"
#include "words.h"
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

mst_status mst_revenant_read_exits(const char *text, size_t size, mst_arena *arena,
                                   mst_revenant_exits *exits) {
    *exits = (mst_revenant_exits){0};
    if (size > UINT32_MAX)
        return MST_NO_MEMORY;
    mst_array names = {.element_size = sizeof(char *), .allocator = arena->allocator};
    mst_status status = MST_OK;
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && status == MST_OK) {
        size_t end = at, length;
        while (end < size && !is_newline(text[end]))
            end++;
        const char *name;
        if (exit_of_line(text + at, end - at, &name, &length)) {
            char **added = mst_array_push(&names, 1);
            char *copy = added ? copy_text(arena, name, length, true) : NULL;
            if (copy)
                *added = copy;
            else
                status = MST_NO_MEMORY;
        }
        at = end + 1;
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
        const char one[2] = {lower(name[i]), 0}, *unit = is_foreign(name[i]) ? REPLACEMENT : one;
        for (; *unit; unit++, known++)
            if (*known != *unit)
                return (unsigned char)*known < (unsigned char)*unit ? -1 : 1;
    }
    return *known ? 1 : 0;
}

bool mst_revenant_has_exit(const mst_revenant_exits *exits, const char *name, size_t length) {
    uint32_t low = 0, high = exits->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_name(exits->names[middle], name, length);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
