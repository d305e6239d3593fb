/* SPDX-License-Identifier: MIT */
/* The files that a document of a level is edited and saved with (mst_file_group): they also become documents
 * of the level, so that mst_level_save writes all of them or none. */
#include "../core/diagnose.h"
#include "../core/search.h"
#include "../core/text.h"
#include "../edit/numbered.h"
#include "../edit/single_edit.h"
#include "../system/system.h"
#include "inside.h"
#include <string.h>

/* A document that is being edited, and its copy with the edits so far. */
typedef struct pending {
    mst_document *document, *copy;
} pending;

typedef struct level_group {
    mst_file_group base; /* the first member, which the hooks receive */
    mst_level *level;
    const char *path;   /* of the document */
    mst_search *search; /* in its folder or one above, made when needed; NULL: not yet */
    unsigned above;     /* of the folder of `search`: levels above the document's */
    mst_array changes;  /* pending */
    size_t parts;       /* of the level before the first change */
} level_group;

/* ---- finding ------------------------------------------------------------------------------------ */

/* The length of the path of the folder that is `above` folders above the document's, with its slash. If the
 * path has too few of them, `up` receives the missing number. */
static size_t folder_length(const char *path, unsigned above, unsigned *up) {
    size_t length = (size_t)(mst_base_name(path) - path);
    while (above && length > 1) {
        size_t name = length - 1;
        while (name && !mst_system_separates(path[name - 1]))
            name--;
        if (length - name < 2 || path[name] == '.') /* "//", "./", "../", or a hidden folder */
            break;
        length = name;
        above--;
    }
    *up = above;
    return length;
}

static mst_status search_in(level_group *group, unsigned above) {
    if (group->search && group->above == above)
        return MST_OK;
    mst_search_free(group->search);
    group->search = NULL;
    unsigned up;
    int length = (int)folder_length(group->path, above, &up);
    const char *folder =
        mst_arena_printf(&group->level->arena, "%.*s%.*s", length, group->path, (int)(3 * up), "../../../");
    if (!folder || mst_search_create(&group->level->allocator, &group->search) != MST_OK)
        return MST_NO_MEMORY;
    group->above = above;
    mst_search_unmapped(group->search);
    return mst_search_add(group->search, folder, NULL);
}

/* The path of a file of the group; NULL if it does not exist or cannot be read. */
static const char *path_of(level_group *group, const char *name, mst_status *status) {
    unsigned above = 0;
    const void *bytes;
    size_t size;
    for (; strncmp(name, "../", 3) == 0 && above < 3; name += 3)
        above++;
    *status = search_in(group, above);
    mst_resolver resolver = mst_search_resolver(group->search);
    if (*status == MST_OK)
        *status = resolver.find(resolver.user, name, &bytes, &size);
    return *status == MST_OK ? mst_search_found(group->search) : NULL;
}

static const char *group_folder(mst_file_group *base) {
    level_group *group = (level_group *)base;
    size_t length = (size_t)(mst_base_name(group->path) - group->path);
    const char *copy = length > 1 ? mst_arena_text(&group->level->arena, group->path, length - 1) : NULL;
    const char *name = copy ? mst_base_name(copy) : "";
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : "";
}

static mst_status group_has(mst_file_group *base, const char *name) {
    mst_status status;
    path_of((level_group *)base, name, &status);
    return status;
}

/* ---- opening ------------------------------------------------------------------------------------ */

/* The document of the level that has a file at `path`; NULL if none is open. */
static mst_document *open_at(const mst_level *level, const char *path) {
    size_t folder = (size_t)(mst_base_name(path) - path);
    for (size_t i = 0; i < level->parts.count; i++) {
        const mst_level_part *part = mst_level_part_at(level, i);
        bool beside = part->document && !part->is_member &&
                      folder == (size_t)(mst_base_name(part->path) - part->path) &&
                      strncmp(part->path, path, folder) == 0;
        if (beside && strcmp(part->path, path) == 0)
            return part->document;
        for (size_t f = 0; beside && f < mst_document_file_count(part->document); f++) {
            const char *name = NULL;
            mst_document_file(part->document, f, &name, NULL);
            if (name && strcmp(name, mst_base_name(path)) == 0)
                return part->document;
        }
    }
    return NULL;
}

static mst_status open_new(mst_level *level, const char *path, const mst_format *alone,
                           mst_document **document, mst_diagnostic *diagnostic) {
    mst_level_options options = level->options;
    options.format = alone ? alone->information.id : NULL;
    options.found = 0;
    mst_status status = mst_level_open_part(level, path, SIZE_MAX, &options, diagnostic);
    mst_level_part *part = mst_level_part_at(level, level->parts.count - 1);
    if (status != MST_OK)
        return status;
    part->is_sidecar = true;
    part->is_alone = alone != NULL;
    *document = part->document;
    return MST_OK;
}

static mst_status group_open(mst_file_group *base, const char *name, const mst_format *alone,
                             mst_document **document, mst_diagnostic *diagnostic) {
    level_group *group = (level_group *)base;
    mst_status status;
    const char *path = path_of(group, name, &status);
    *document = NULL;
    if (!path)
        return status;
    if (!group->changes.count)
        group->parts = group->level->parts.count;
    mst_document *is = open_at(group->level, path);
    const pending *changes = group->changes.items;
    for (size_t i = 0; i < group->changes.count; i++)
        if (changes[i].document == is)
            *document = changes[i].copy;
    if (*document)
        return MST_OK;
    pending *added = mst_array_push(&group->changes, 1);
    if (!added)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    *added = (pending){is, NULL};
    if (!is)
        status = open_new(group->level, path, alone, &added->document, diagnostic);
    if (status == MST_OK)
        status = mst_edit_copy(added->document, &added->copy, diagnostic);
    if (status != MST_OK)
        group->changes.count--;
    *document = added->copy;
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------ */

static bool is_changed(const pending *one) {
    return one->copy->size != one->document->size ||
           memcmp(one->copy->data, one->document->data, (size_t)one->copy->size) != 0;
}

/* Closes the documents that were opened and are unchanged. */
static void close_unchanged(level_group *group) {
    mst_array *parts = &group->level->parts;
    for (size_t i = parts->count; i-- > group->parts;) {
        mst_level_part *part = mst_level_part_at(group->level, i);
        if (mst_is_edited(part->document))
            continue;
        mst_level_part_free(group->level, part);
        memmove(part, part + 1, (parts->count - 1 - i) * sizeof *part);
        parts->count--;
    }
}

static mst_status group_finish(mst_file_group *base, bool keep, mst_diagnostic *diagnostic) {
    level_group *group = (level_group *)base;
    pending *changes = group->changes.items;
    size_t count = group->changes.count;
    mst_status status = MST_OK;
    for (size_t i = 0; keep && i < count && status == MST_OK; i++)
        if (is_changed(&changes[i]) && changes[i].copy->format->files.count)
            status = mst_serialize(changes[i].copy, diagnostic);
    for (size_t i = 0; i < count; i++) {
        if (keep && status == MST_OK && is_changed(&changes[i])) {
            mst_edit_adopt(changes[i].document, changes[i].copy);
            group->level->together = true;
        }
        mst_close(changes[i].copy);
    }
    if (count)
        close_unchanged(group);
    mst_array_free(&group->changes);
    mst_search_free(group->search); /* the next edit reads the files again */
    group->search = NULL;
    return status;
}

/* ---- joining ------------------------------------------------------------------------------------ */

mst_status mst_level_join_group(mst_level *level, mst_level_part *part) {
    if (!part->document || part->is_member || part->is_json || !level->options.writable)
        return MST_OK;
    level_group *group = mst_arena_zero(&level->arena, 1, sizeof *group);
    if (!group)
        return MST_NO_MEMORY;
    *group = (level_group){
        .base = {group_folder, group_has, group_open, group_finish}, .level = level, .path = part->path};
    group->changes = (mst_array){.element_size = sizeof(pending), .allocator = level->allocator};
    part->document->group = &group->base;
    return MST_OK;
}

mst_status mst_level_open_part_from(mst_level *level, const char *path, size_t member,
                                    mst_file_reader *reader, const mst_level_options *options,
                                    mst_diagnostic *diagnostic) {
    mst_status status = mst_level_read_part(level, path, member, reader, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_level_part *part = mst_level_part_at(level, level->parts.count - 1);
    if (mst_level_join_group(level, part) == MST_OK)
        return MST_OK;
    mst_level_part_free(level, part);
    level->parts.count--;
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the files in the directory of %s",
                    path);
}

mst_status mst_level_open_part(mst_level *level, const char *path, size_t member,
                               const mst_level_options *options, mst_diagnostic *diagnostic) {
    mst_file_reader reader;
    reader.file = -1;
    reader.beginning_size = 0;
    mst_status status = mst_level_open_part_from(level, path, member, &reader, options, diagnostic);
    mst_file_close(&reader);
    return status;
}
