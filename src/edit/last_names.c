/* SPDX-License-Identifier: MIT */
#include "last_names.h"
#include "../read/labels.h"
#include "../tables/fields.h"
#include "../tables/room_hooks.h"

const char *mst_path_before(const char *path, mst_arena *arena, const char **name) {
    size_t brackets = 0, dot = SIZE_MAX;
    for (size_t i = 0; path[i]; i++) {
        brackets += path[i] == '[';
        if (path[i] == ']' && brackets)
            brackets--;
        if (path[i] == '.' && !brackets)
            dot = i;
    }
    if (dot == SIZE_MAX || strchr(path + dot, '['))
        return NULL;
    *name = path + dot + 1;
    return mst_arena_text(arena, path, dot);
}

bool mst_is_label_word(const mst_document *document, const char *name) {
    const mst_rooms *rooms = document->format->rooms;
    const mst_excerpt word = {name, strlen(name)};
    if (rooms && strcmp(rooms->word, name) == 0)
        return true;
    for (mst_fields it = mst_fields_of_format(document->format); mst_fields_next(&it);)
        if (it.field->refers_count && mst_label_fact(document->format, it.field, word))
            return true;
    return false;
}

const char *mst_label_word_of(const mst_document *document, const mst_operation *operation,
                              mst_arena *arena) {
    const char *name = NULL;
    bool assigns = operation->assignment == MST_ASSIGN || operation->assignment == MST_ASSIGN_PLUS ||
                   operation->assignment == MST_ASSIGN_MINUS || operation->assignment == MST_ASSIGN_OR_ADD;
    if (operation->kind != MST_OPERATION_SET || !assigns || !mst_path_before(operation->path, arena, &name))
        return NULL;
    return mst_is_label_word(document, name) ? name : NULL;
}
