/* SPDX-License-Identifier: MIT */
/* The names and materials of a level's faces. */
#include "faces.h"

const char *mst_path_of_face(mst_face_work *f, uint32_t face) {
    return mst_arena_printf(f->w->arena, MST_FACES "[%lu]", (unsigned long)face);
}

static const char *material_of(const mst_face_work *f, int32_t material, size_t *length) {
    const mst_model *model = &f->w->model;
    const uint32_t at = material >= 0 ? mst_model_extra(model, model->materials[material].extras, "path") : 0;
    *length = at ? model->json.nodes[at].length : 0;
    return at && model->json.nodes[at].kind == MST_JSON_STRING ? model->json.nodes[at].text : NULL;
}

/* The index of a material of the level; MST_NO_INDEX: it has none of that name. */
static uint32_t index_of_material(const mst_face_work *f, const char *name, size_t length) {
    mst_value list, element;
    uint32_t index = 0;
    if (mst_find(mst_root(f->document), "mesh.materials", &list, NULL) != MST_OK)
        return MST_NO_INDEX;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
        char own[400];
        size_t own_length;
        if (mst_get_text(&element, own, sizeof own, &own_length) == MST_OK && own_length == length &&
            length < sizeof own && memcmp(own, name, length) == 0)
            return index;
    }
    return MST_NO_INDEX;
}

mst_status mst_import_material(mst_face_work *f, const mst_face_triangle *before,
                               const mst_face_triangle *after) {
    size_t length;
    const char *name = material_of(f, after->material, &length);
    const mst_extras *extras = &f->w->scene->materials[before->material].extras;
    for (size_t i = 0; i < extras->count && name; i++)
        if (strcmp(extras->items[i].name, "path") == 0 && strlen(extras->items[i].text) == length &&
            memcmp(extras->items[i].text, name, length) == 0)
            return MST_OK;
    if (!name)
        return MST_OK;
    const uint32_t index = index_of_material(f, name, length);
    if (index == MST_NO_INDEX)
        return mst_importing_warn(f->w, mst_path_of_face(f, before->face), "the level has no material %.*s",
                                  length < 120 ? (int)length : 120, name);
    return mst_script_line(f->w, f->script, "set " MST_FACES "[%lu].material = %lu",
                           (unsigned long)before->face, (unsigned long)index);
}
