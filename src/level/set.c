/* SPDX-License-Identifier: MIT */
/* The files that a document of a level is edited and saved with (mst_file_set): they become documents of the
 * level, too, so that mst_level_save writes all of them or none. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../schema/edit.h"
#include "../schema/numbered.h"
#include "inside.h"
#include <string.h>

/* A document that is being edited, and its copy with the edits so far. */
typedef struct pending {
    mst_document *document, *copy;
} pending;

typedef struct level_set {
    mst_file_set base; /* the first member: it is what the hooks get */
    mst_level *level;
    const char *path;   /* of the document */
    mst_search *search; /* in its folder and those above, as they are asked for; NULL: none was */
    unsigned above;     /* of which folder `search` is: how many above the document's */
    mst_array changes;  /* pending */
    size_t parts;       /* of the level before the first change */
} level_set;

/* ---- finding ------------------------------------------------------------------------------------ */

/* The length of the path of the folder that is `above` folders above the document's, with its slash. Where
 * the path has too few of them, `up` receives how many are missing. */
static size_t folder_length(const char *path, unsigned above, unsigned *up) {
    size_t length = (size_t)(mst_base_name(path) - path);
    while (above && length > 1) {
        size_t name = length - 1;
        while (name && path[name - 1] != '/')
            name--;
        if (length - name < 2 || path[name] == '.') /* "//", "./", "../", or a hidden folder */
            break;
        length = name;
        above--;
    }
    *up = above;
    return length;
}

static mst_status search_in(level_set *set, unsigned above) {
    if (set->search && set->above == above)
        return MST_OK;
    mst_search_free(set->search);
    set->search = NULL;
    unsigned up;
    int length = (int)folder_length(set->path, above, &up);
    const char *folder =
        mst_arena_printf(&set->level->arena, "%.*s%.*s", length, set->path, (int)(3 * up), "../../../");
    if (!folder || mst_search_create(&set->level->allocator, &set->search) != MST_OK)
        return MST_NO_MEMORY;
    set->above = above;
    mst_search_unmapped(set->search);
    return mst_search_add(set->search, folder, NULL);
}

/* The path of a file of the set; NULL: there is none, or it cannot be read. */
static const char *path_of(level_set *set, const char *name, mst_status *status) {
    unsigned above = 0;
    const void *bytes;
    size_t size;
    for (; strncmp(name, "../", 3) == 0 && above < 3; name += 3)
        above++;
    *status = search_in(set, above);
    mst_resolver resolver = mst_search_resolver(set->search);
    if (*status == MST_OK)
        *status = resolver.find(resolver.user, name, &bytes, &size);
    return *status == MST_OK ? mst_search_found(set->search) : NULL;
}

static const char *set_folder(mst_file_set *base) {
    level_set *set = (level_set *)base;
    size_t length = (size_t)(mst_base_name(set->path) - set->path);
    const char *copy = length > 1 ? mst_arena_text(&set->level->arena, set->path, length - 1) : NULL;
    const char *name = copy ? mst_base_name(copy) : "";
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : "";
}

static mst_status set_has(mst_file_set *base, const char *name) {
    mst_status status;
    path_of((level_set *)base, name, &status);
    return status;
}

/* ---- opening ------------------------------------------------------------------------------------ */

/* The document of the level that has a file at `path`; NULL: none is open. */
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

static mst_status set_open(mst_file_set *base, const char *name, const mst_format *alone,
                           mst_document **document, mst_diagnostic *diagnostic) {
    level_set *set = (level_set *)base;
    mst_status status;
    const char *path = path_of(set, name, &status);
    *document = NULL;
    if (!path)
        return status;
    if (!set->changes.count)
        set->parts = set->level->parts.count;
    mst_document *is = open_at(set->level, path);
    const pending *changes = set->changes.items;
    for (size_t i = 0; i < set->changes.count; i++)
        if (changes[i].document == is)
            *document = changes[i].copy;
    if (*document)
        return MST_OK;
    pending *added = mst_array_push(&set->changes, 1);
    if (!added)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the edit");
    *added = (pending){is, NULL};
    if (!is)
        status = open_new(set->level, path, alone, &added->document, diagnostic);
    if (status == MST_OK)
        status = mst_edit_copy(added->document, &added->copy, diagnostic);
    if (status != MST_OK)
        set->changes.count--;
    *document = added->copy;
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------ */

static bool is_changed(const pending *one) {
    return one->copy->size != one->document->size ||
           memcmp(one->copy->data, one->document->data, (size_t)one->copy->size) != 0;
}

/* Closes the documents that were opened and stay as they were. */
static void close_unchanged(level_set *set) {
    mst_array *parts = &set->level->parts;
    for (size_t i = parts->count; i-- > set->parts;) {
        mst_level_part *part = mst_level_part_at(set->level, i);
        if (mst_is_edited(part->document))
            continue;
        mst_level_part_free(set->level, part);
        memmove(part, part + 1, (parts->count - 1 - i) * sizeof *part);
        parts->count--;
    }
}

static mst_status set_finish(mst_file_set *base, bool keep, mst_diagnostic *diagnostic) {
    level_set *set = (level_set *)base;
    pending *changes = set->changes.items;
    size_t count = set->changes.count;
    mst_status status = MST_OK;
    for (size_t i = 0; keep && i < count && status == MST_OK; i++)
        if (is_changed(&changes[i]) && changes[i].copy->format->files.count)
            status = mst_serialize(changes[i].copy, diagnostic);
    for (size_t i = 0; i < count; i++) {
        if (keep && status == MST_OK && is_changed(&changes[i])) {
            mst_edit_adopt(changes[i].document, changes[i].copy);
            set->level->together = true;
        }
        mst_close(changes[i].copy);
    }
    if (count)
        close_unchanged(set);
    mst_array_free(&set->changes);
    mst_search_free(set->search); /* the next edit reads the files anew */
    set->search = NULL;
    return status;
}

mst_status mst_level_join_set(mst_level *level, mst_level_part *part) {
    if (!part->document || part->is_member || part->is_json || !level->options.writable)
        return MST_OK;
    level_set *set = mst_arena_zero(&level->arena, 1, sizeof *set);
    if (!set)
        return MST_NO_MEMORY;
    *set =
        (level_set){.base = {set_folder, set_has, set_open, set_finish}, .level = level, .path = part->path};
    set->changes = (mst_array){.element_size = sizeof(pending), .allocator = level->allocator};
    part->document->set = &set->base;
    return MST_OK;
}
