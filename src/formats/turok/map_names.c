/* SPDX-License-Identifier: MIT */
/* The files that a level names: models of static meshes and actors, and the animations of actors. */
#include "../../files/named_files.h"
#include "../present.h"
#include "turok.h"
#include <stdio.h>
#include <string.h>

static mst_status take_paths(const mst_value *paths, const char *where, mst_asset_kind kind,
                             mst_take_name take, void *taker) {
    mst_value path;
    mst_status status = MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(paths); status == MST_OK && mst_next(&it, &path); index++) {
        char at[80], first[2];
        snprintf(at, sizeof at, "%s[%llu]", where, (unsigned long long)index);
        mst_get_text(&path, first, sizeof first, NULL);
        if (first[0] != '_') /* a word, not a path: _morph */
            status = mst_take_text(take, taker, kind, &path, at);
    }
    return status;
}

mst_status mst_turok_map_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                               void *taker) {
    (void)sidecars;
    mst_value root = mst_root(document), cells = mst_member_in(&root, "grid_sections"), cell, list;
    mst_value actors = mst_member_in(&root, "actors");
    mst_status status = MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&cells); status == MST_OK && mst_next(&it, &cell); index++) {
        char where[64];
        snprintf(where, sizeof where, "grid_sections[%llu].models", (unsigned long long)index);
        if (mst_member(&cell, "models", &list) == MST_OK)
            status = take_paths(&list, where, MST_ASSET_MODEL, take, taker);
    }
    list = mst_member_in(&actors, "models");
    if (status == MST_OK)
        status = take_paths(&list, "actors.models", MST_ASSET_MODEL, take, taker);
    list = mst_member_in(&actors, "animations");
    return status == MST_OK ? take_paths(&list, "actors.animations", MST_ASSET_ANIMATION, take, taker)
                            : status;
}
