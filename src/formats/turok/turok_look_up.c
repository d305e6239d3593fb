/* SPDX-License-Identifier: MIT */
/*
 * Information about an actor or a static mesh that is not in its record: paths are in lists parallel to the
 * list of records. Names of types are from the definitions of the game or of a mod.
 */
#include "../../core/arena.h"
#include "../present.h"
#include "turok.h"
#include <stdio.h>

/* The text in another list of the same record, at the index that the element has in the first list. */
static mst_status path_beside(const mst_value *element, const mst_value *owner, const char *list,
                              const char *first, const char *other, char *text, size_t capacity) {
    mst_value elements = mst_member_in(owner, list), paths = mst_member_in(owner, other), path;
    mst_column places = mst_column_in(&elements, first);
    const uint8_t *at = element->document->data + element->offset;
    if (MST_CHANGED(!places.count)) /* the element is one of them */
        return MST_NO_PATH;
    uint64_t index = (uint64_t)(at - places.data) / places.stride;
    if (mst_element(&paths, index, &path) == MST_OK)
        mst_get_text(&path, text, capacity, NULL);
    return MST_OK;
}

/* The cell that has a mesh: cells are in the order of their bytes. */
static bool find_cell(const mst_value *mesh, mst_value *cell) {
    mst_value root = mst_root(mesh->document), cells = mst_member_in(&root, "grid_sections");
    uint64_t low = 0, high = mst_count(&cells);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        *cell = mst_element_in(&cells, middle);
        if (cell->end <= mesh->offset)
            low = middle + 1;
        else if (cell->offset > mesh->offset)
            high = middle;
        else
            return true;
    }
    return false;
}

static mst_status type_name(const mst_value *actor, const mst_resolver *sidecars, char *text,
                            size_t capacity) {
    const mst_turok_actor_names *names;
    mst_arena scratch;
    mst_arena_begin(&scratch, &actor->document->allocator, 0);
    mst_status status = mst_turok_recall_actor_names(sidecars, &scratch, &names);
    if (status == MST_OK && !names->count)
        status = MST_NO_PATH;
    const char *name =
        status == MST_OK ? mst_turok_name_of_actor(names, (int32_t)mst_number_in(actor, "type")) : NULL;
    if (name)
        snprintf(text, capacity, "%s", name);
    mst_arena_end(&scratch);
    return status;
}

mst_status mst_turok_look_up(const mst_value *element, const char *column, const mst_resolver *sidecars,
                             char *text, size_t capacity) {
    const mst_field *field = mst_field_of(element);
    const char *record = field->record && mst_shape_of(element) == MST_SHAPE_ONE ? field->record->name : "";
    bool model = strcmp(column, "model") == 0, animation = strcmp(column, "animation") == 0;
    mst_value root = mst_root(element->document), owner;
    if (strcmp(record, "actor") == 0) {
        owner = mst_member_in(&root, "actors");
        if (model || animation)
            return path_beside(element, &owner, "records", "type", model ? "models" : "animations", text,
                               capacity);
        return strcmp(column, "type_name") == 0 ? type_name(element, sidecars, text, capacity) : MST_NO_PATH;
    }
    if (!model || strcmp(record, "static_mesh") != 0)
        return MST_NO_PATH;
    bool found = find_cell(element, &owner);
    return MST_CHANGED(!found) /* it is in one of them */
               ? MST_NO_PATH
               : path_beside(element, &owner, "static_meshes", "origin", "models", text, capacity);
}
