/* SPDX-License-Identifier: MIT */
/*
 * Levels of several files that are parts of one map, each for the things within its area: the sectors of
 * Revenant. A thing that was moved to another sector is moved to its file.
 */
#include "../core/diagnose.h"
#include "../edit/assign.h"
#include "importing.h"
#include <math.h>

#define SECTOR 1024 /* the width of a sector in units */

/* The part of the map that a document is; false if it is not a part of one. */
static bool place_of(const mst_document *document, mst_part_place *place) {
    const mst_parts_scene *parts = document->format->parts;
    return parts && parts->place && parts->place(mst_document_name(document), place);
}

/* The document of the level for a place; NULL if the level has none. */
static mst_document *document_at(const mst_import_state *w, const mst_part_place *wanted) {
    for (size_t i = 0; i < mst_level_count(w->level); i++) {
        mst_document *document = mst_level_document(w->level, i);
        mst_part_place place;
        if (place_of(document, &place) && place.level == wanted->level && place.x == wanted->x &&
            place.y == wanted->y)
            return document;
    }
    return NULL;
}

mst_status mst_import_sector(mst_import_state *w, const mst_document *document, const mst_value *element,
                             const char *path, const mst_frame *before, const mst_frame *after,
                             mst_document **other) {
    double was[3], is[3];
    mst_part_place own, wanted;
    *other = NULL;
    if (mst_position_of(element, was) < 2 || !place_of(document, &own) ||
        !mst_import_position(element, before, after, is))
        return MST_OK;
    const double x = floor(is[0] / SECTOR), y = floor(is[1] / SECTOR);
    const bool same = x == floor(was[0] / SECTOR) && y == floor(was[1] / SECTOR);
    if (same || !(fabs(x) < 1e6 && fabs(y) < 1e6))
        return MST_OK;
    wanted = (mst_part_place){own.level, (int32_t)x, (int32_t)y};
    *other = document_at(w, &wanted);
    if (!*other)
        return mst_importing_warn(
            w, path, "the level has no file for the sector %d,%d, where it is now: it stays in its file",
            (int)wanted.x, (int)wanted.y);
    *other = *other == document ? NULL : *other;
    return MST_OK;
}

mst_status mst_import_transfer(mst_import_state *w, const mst_value *element, const char *path,
                               const mst_document *other, mst_import_script **script, const char **to) {
    mst_document *found;
    mst_status status;
    uint64_t index;
    const char *json, *bracket = strrchr(path, '[');
    const char *list = bracket ? mst_arena_text(w->arena, path, (size_t)(bracket - path)) : NULL;
    *script = mst_importing_script(w, mst_document_name(other), &found, &status);
    if (!*script || !list)
        return *script ? mst_importing_no_memory(w) : status;
    status = mst_script_append(w, *script, found, list, &index);
    if (status == MST_OK)
        status = mst_value_text(element, &w->scratch, &json, w->diagnostic);
    *to = status == MST_OK ? mst_arena_printf(w->arena, "%s[%llu]", list, (unsigned long long)index) : NULL;
    if (status == MST_OK)
        status = *to ? mst_script_line(w, *script, "insert %s = %s", *to, json) : MST_NO_MEMORY;
    return status == MST_NO_MEMORY ? mst_importing_no_memory(w) : status;
}
