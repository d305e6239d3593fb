/* SPDX-License-Identifier: MIT */
/* The operations of an import, as lines of a script. */
#include "../core/diagnose.h"
#include "importing.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

mst_import_script *mst_importing_script(mst_import_state *w, const char *file, mst_document **document,
                                        mst_status *status) {
    *status = w->options->onto ? MST_OK : mst_level_find(w->level, file, document, w->diagnostic);
    if (*status != MST_OK)
        return NULL;
    const size_t count = w->options->onto ? 1 : mst_level_count(w->level);
    size_t index = 0;
    if (w->options->onto)
        *document = w->options->onto;
    while (!w->options->onto && index < count && mst_level_document(w->level, index) != *document)
        index++;
    if (count > w->result->script_count) {
        mst_import_script *scripts = mst_arena_zero(w->arena, count, sizeof *scripts);
        if (!scripts) {
            *status = mst_importing_no_memory(w);
            return NULL;
        }
        if (w->result->script_count)
            memcpy(scripts, w->result->scripts, w->result->script_count * sizeof *scripts);
        for (size_t i = w->result->script_count; i < count; i++)
            scripts[i] = (mst_import_script){
                .text = {.allocator = w->result->allocator},
                .removed = {.element_size = sizeof(const char *), .allocator = w->result->allocator},
                .counts = {.allocator = w->result->allocator}};
        w->result->scripts = scripts;
        w->result->script_count = count;
    }
    return &w->result->scripts[index];
}

mst_status mst_script_line(mst_import_state *w, mst_import_script *script, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *line = length >= 0 ? mst_arena_take(&w->scratch, (size_t)length + 2, 1) : NULL;
    if (line)
        vsnprintf(line, (size_t)length + 1, format, again);
    va_end(again);
    if (!line)
        return mst_importing_no_memory(w);
    line[length] = '\n';
    const mst_sink sink = mst_buffer_sink(&script->text);
    return sink.write(sink.user, line, (size_t)length + 1) == MST_OK ? MST_OK : mst_importing_no_memory(w);
}

mst_status mst_script_append(mst_import_state *w, mst_import_script *script, const mst_document *document,
                             const char *list, uint64_t *index) {
    mst_value value;
    const char *key = mst_arena_text(w->arena, list, strlen(list));
    if (!key)
        return mst_importing_no_memory(w);
    uint32_t *count = mst_hash_map_find(&script->counts, mst_key_text(key));
    if (!count) {
        mst_status status = mst_find(mst_root(document), list, &value, w->diagnostic);
        if (status != MST_OK)
            return status;
        mst_hash_map_entry entry = mst_key_text(key);
        entry.value = (uint32_t)mst_count(&value);
        count = mst_hash_map_add(&script->counts, entry);
        if (!count)
            return mst_importing_no_memory(w);
    }
    *index = (*count)++;
    return MST_OK;
}

mst_status mst_script_remove(mst_import_state *w, mst_import_script *script, const char *path) {
    const char **place = mst_array_push(&script->removed, 1);
    const char *kept = path ? mst_arena_text(w->arena, path, strlen(path)) : NULL;
    if (!place || !kept)
        return mst_importing_no_memory(w);
    *place = kept;
    return MST_OK;
}

/* Compares paths, with the numbers in them as numbers. */
static int compare_paths(const char *a, const char *b) {
    while (*a && *b) {
        const bool digits = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
        if (digits) {
            char *end[2];
            const unsigned long long x = strtoull(a, &end[0], 10), y = strtoull(b, &end[1], 10);
            if (x != y)
                return x < y ? -1 : 1;
            a = end[0], b = end[1];
        } else if (*a != *b) {
            return *a < *b ? -1 : 1;
        } else {
            a++, b++;
        }
    }
    return (*a != 0) - (*b != 0);
}

static int last_first(const void *left, const void *right) {
    return compare_paths(*(const char *const *)right, *(const char *const *)left);
}

mst_status mst_script_finish(mst_import_state *w, mst_import_script *script) {
    const char **removed = script->removed.items;
    mst_status status = MST_OK;
    if (script->removed.count > 1)
        qsort((void *)removed, script->removed.count, sizeof *removed, last_first);
    for (size_t i = 0; i < script->removed.count && status == MST_OK; i++)
        status = mst_script_line(w, script, "remove %s", removed[i]);
    const mst_sink sink = mst_buffer_sink(&script->text);
    if (status == MST_OK && sink.write(sink.user, "", 1) != MST_OK) /* terminates the text */
        status = mst_importing_no_memory(w);
    return status;
}
