/* SPDX-License-Identifier: MIT */
/* The names and materials of a level's faces. */
#include "../core/json_text.h"
#include "faces.h"

#define NO_MATERIAL "materials/dev/dev_wall_grid.material" /* for faces without a material */

const char *mst_path_of_face(mst_face_work *f, uint32_t face) {
    return mst_arena_printf(f->w->arena, MST_FACES "[%lu]", (unsigned long)face);
}

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

/* The path of a material: its extra, or its name if that is a path, as people write for materials that the
 * level does not have yet. NULL: neither. */
static const char *path_of(const mst_model *model, int32_t material, size_t *length) {
    const mst_model_material *of = material >= 0 ? &model->materials[material] : NULL;
    const mst_json_node *said = of ? mst_model_text(model, of->extras, "path") : NULL;
    if (said) {
        *length = said->length;
        return said->text;
    }
    if (!of || !strchr(of->name, '/'))
        return NULL;
    *length = without_number(of->name, strlen(of->name));
    return ends_with(of->name, *length, ".material") ? of->name : NULL;
}

/* Programs that drop the extras of materials have not painted anything. */
static bool has_paths(const mst_model *model) {
    for (size_t i = 0; i < model->material_count; i++)
        if (mst_model_extra(model, model->materials[i].extras, "path"))
            return true;
    return false;
}

const char *mst_face_material(const mst_face_work *f, int32_t material, mst_arena *arena) {
    size_t length;
    const char *path = path_of(&f->w->model, material, &length);
    return path ? mst_json_quoted(arena, path, length) : NULL;
}

mst_status mst_import_material(mst_face_work *f, const mst_face_triangle *before,
                               const mst_face_triangle *after) {
    size_t length = 0;
    const mst_model *model = &f->w->model;
    const char *path = path_of(model, after->material, &length);
    const mst_extras *extras = &f->w->scene->materials[before->material].extras;
    for (size_t i = 0; i < extras->count && path; i++)
        if (strcmp(extras->items[i].name, "path") == 0 && strlen(extras->items[i].text) == length &&
            memcmp(extras->items[i].text, path, length) == 0)
            return MST_OK;
    if (!path && (after->material < 0 || !has_paths(model)))
        return MST_OK;
    if (!path)
        return mst_importing_warn(f->w, mst_path_of_face(f, before->face),
                                  "the level has no material \"%.80s\", and the face keeps its own: paint it "
                                  "with an exported material, or name the new one by its path, such as "
                                  "\"materials/dev/floor.material\"",
                                  model->materials[after->material].name);
    const char *quoted = mst_json_quoted(f->w->arena, path, length);
    return quoted ? mst_script_line(f->w, f->script, "set " MST_FACES "[%lu].material = %s",
                                    (unsigned long)before->face, quoted)
                  : mst_importing_no_memory(f->w);
}

/* ---- models without a level ---- */

const char *mst_material_path(const mst_import_state *w, int32_t material, mst_arena *arena) {
    static const char folder[] = "materials/", extension[] = ".material";
    const mst_model *model = &w->model;
    const mst_model_material *of = material >= 0 ? &model->materials[material] : NULL;
    const mst_json_node *said = of ? mst_model_text(model, of->extras, "path") : NULL;
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
