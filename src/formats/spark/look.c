/* SPDX-License-Identifier: MIT */
#include "look.h"
#include "../../core/number.h"
#include "../../core/text.h"
#include "spark_material_text.h"
#include <string.h>

/* ---- the material --------------------------------------------------------------------------------- */

static void set_path(char path[MST_ASSET_NAME], const char *value, size_t size) {
    path[0] = 0;
    if (size && value[0] != '*' && value[0] != '%' && !mst_asset_name(value, size, path))
        path[0] = 0;
}

/* "[0.5, 0.6, 0.7]" */
static void set_color(mst_spark_look *look, const char *value, size_t size) {
    size_t at = 0;
    for (unsigned k = 0; k < 3; k++) {
        while (at < size && strchr("[, \t", value[at]))
            at++;
        size_t start = at;
        double number;
        while (at < size && !strchr("], \t", value[at]))
            at++;
        if (!mst_read_f64(value + start, at - start, &number) || !(number >= 0 && number <= 1))
            return;
        look->tint[k] = (float)number;
    }
    look->tinted = true;
}

void mst_spark_look_read(mst_spark_look *look, const void *material, size_t size) {
    const struct {
        const char *names[3]; /* the last in XML */
        char *path;
    } maps[] = {{{"albedoMap", "albedoMapTeam1", "texture"}, look->albedo},
                {{"normalMap", "normalMapTeam1", "bump"}, look->normal},
                {{"opacityMap", "opacityMapTeam1", "opacity"}, look->opacity},
                {{"emissiveMap", "emissiveMapTeam1", "emissive"}, look->emissive},
                {{"specularMap", "specularMapTeam1", "specular"}, look->specular},
                {{"shader", NULL, NULL}, look->shader}};
    mst_material_text text = mst_material_begin(material, size);
    mst_material_value v;
    *look = (mst_spark_look){.alpha = MST_SPARK_SOLID};
    while (mst_material_next(&text, &v)) {
        const char *name = text.bytes + v.name, *value = text.bytes + v.value;
        for (size_t i = 0; i < MST_COUNT_OF(maps); i++)
            for (unsigned k = 0; k < 3; k++)
                if (maps[i].names[k] && mst_material_is_called(name, v.name_size, maps[i].names[k]))
                    set_path(maps[i].path, value, v.value_size); /* the last value of a name counts */
        if (mst_material_is_called(name, v.name_size, "transmissionColor"))
            set_color(look, value, v.value_size);
    }
}

/* ---- the shader ----------------------------------------------------------------------------------- */

static bool has(const char *text, size_t size, const char *wanted) {
    size_t length = strlen(wanted);
    for (const char *at = text; size >= length; at++, size--) {
        const char *next = memchr(at, wanted[0], size - length + 1);
        if (!next)
            return false;
        size -= (size_t)(next - at);
        at = next;
        if (memcmp(at, wanted, length) == 0)
            return true;
    }
    return false;
}

/* Whether <param name="...">true</param> is in the text; blanks do not occur in it. */
static bool is_set(const char *text, size_t size, const char *parameter) {
    char wanted[48] = "name=\"";
    strncat(wanted, parameter, 20);
    strncat(wanted, "\">true<", 8);
    return has(text, size, wanted);
}

/* The last part of the shader's path in lower case, without its ending. */
static void stem_of(const char *path, char stem[64]) {
    const char *base = mst_base_name(path), *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    length = length < 63 ? length : 63;
    for (size_t i = 0; i < length; i++)
        stem[i] = mst_lower(base[i]);
    stem[length] = 0;
}

static bool is_one_of(const char *stem, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(stem, parts[i]))
            return true;
    return false;
}

void mst_spark_look_judge(mst_spark_look *look, const void *shader, size_t size) {
    static const char *const glows[] = {"hologram", "superglow", "display"},
                             *const glass[] = {"glass", "exoshield", "water"},
                             *const skins[] = {"emissive", "marine", "alien", "coloredskins"};
    char stem[64];
    stem_of(look->shader, stem);
    bool glowing = is_one_of(stem, glows, MST_COUNT_OF(glows)) || strcmp(stem, "emissive") == 0 ||
                   strcmp(stem, "emissive_colored") == 0;
    if (glowing && !look->albedo[0])
        look->alpha = MST_SPARK_GLOWING;
    else if (look->tinted || is_one_of(stem, glass, MST_COUNT_OF(glass)))
        look->alpha = MST_SPARK_GLASS;
    else if (strstr(stem, "decal"))
        look->alpha = MST_SPARK_MIXED;
    else if (strstr(stem, "alpha") || strstr(stem, "web_model") || strcmp(stem, "infestation") == 0)
        look->alpha = MST_SPARK_HOLES;
    look->own_alpha = strcmp(stem, "infestation") == 0 || look->alpha == MST_SPARK_MIXED;
    if (!glowing && !is_one_of(stem, skins, MST_COUNT_OF(skins)))
        look->emissive[0] = 0;
    if (!shader || look->alpha == MST_SPARK_GLOWING)
        return;
    /* the file is more reliable than its name */
    look->double_sided = is_set(shader, size, "twoSided");
    if (is_set(shader, size, "translucent"))
        look->alpha = MST_SPARK_MIXED;
    else if (look->alpha != MST_SPARK_GLASS)
        look->alpha = is_set(shader, size, "alphaTest") && has(shader, size, "material.opacity") &&
                              has(shader, size, "opacityMap")
                          ? MST_SPARK_HOLES
                      : look->own_alpha ? look->alpha
                                        : MST_SPARK_SOLID;
}
