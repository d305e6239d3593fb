/* SPDX-License-Identifier: MIT */
/* The names and materials of a level's faces. */
#include "../core/json_text.h"
#include "faces.h"

#define NO_MATERIAL "materials/dev/dev_wall_grid.material" /* for faces without a material */

const char *mst_path_of_face(mst_face_work *f, uint32_t face) {
    return mst_arena_printf(f->w->arena, MST_FACES "[%lu]", (unsigned long)face);
}

static const char *material_of(const mst_face_work *f, int32_t material, size_t *length) {
    const mst_model *model = &f->w->model;
    const uint32_t at = material >= 0 ? mst_model_extra(model, model->materials[material].extras, "path") : 0;
    *length = at ? model->json.nodes[at].length : 0;
    return at && model->json.nodes[at].kind == MST_JSON_STRING ? model->json.nodes[at].text : NULL;
}

/* The index of a material of the level; MST_NO_INDEX if it has none of that name. */
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

/* ---- models without a level ---- */

static bool ends_with(const char *text, size_t length, const char *end) {
    const size_t tail = strlen(end);
    return length >= tail && memcmp(text + length - tail, end, tail) == 0;
}

/* The length without Blender's suffix for copies: "floor.001". */
static size_t without_number(const char *name, size_t length) {
    size_t digits = 0;
    while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
        digits++;
    return digits == 3 && length > 4 && name[length - 4] == '.' ? length - 4 : length;
}

const char *mst_material_path(const mst_import_state *w, int32_t material, mst_arena *arena) {
    static const char folder[] = "materials/", extension[] = ".material";
    const mst_model *model = &w->model;
    const mst_model_material *of = material >= 0 ? &model->materials[material] : NULL;
    const uint32_t at = of ? mst_model_extra(model, of->extras, "path") : 0;
    const mst_json_node *said =
        at && model->json.nodes[at].kind == MST_JSON_STRING ? &model->json.nodes[at] : NULL;
    const char *name = said ? said->text : of ? of->name : "";
    size_t length = said ? said->length : strlen(name);
    for (; length && *name == '/'; length--)
        name++;
    length = without_number(name, length);
    if (!length)
        return mst_json_quoted(arena, NO_MATERIAL, sizeof NO_MATERIAL - 1);
    const bool whole = memchr(name, '/', length) != NULL;
    char *path = mst_arena_printf(arena, "%s%.*s%s", whole ? "" : folder, (int)length, name,
                                  ends_with(name, length, extension) ? "" : extension);
    for (char *c = path; c && *c; c++)
        *c = *c == '\\' ? '/' : (unsigned char)*c < ' ' ? '_' : *c;
    return path ? mst_json_quoted(arena, path, strlen(path)) : NULL;
}
