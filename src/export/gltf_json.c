/* SPDX-License-Identifier: MIT */
/* The JSON part of a glTF file: everything but the arrays and the images. */
#include "gltf_json.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../scene/elements.h"
#include "../scene/geometry.h"
#include "../scene/surface.h"
#include <float.h>
#include <math.h>

/* Integral values also get a fraction, by which readers distinguish reals from integers, which they refuse if
 * large. Nearly all reals come from 32 bits, for which 0.1 means the same as 0.10000000149011612, and is
 * found faster. */
static void write_real(mst_output *out, double value) {
    char *text = mst_output_reserve(out, MST_NUMBER_MAX + 2);
    bool small = fabs(value) <= FLT_MAX && (double)(float)value == value && value != trunc(value);
    size_t length =
        small ? mst_write_f32(text, (float)value) : mst_write_f64(text, isfinite(value) ? value : 0);
    if (!memchr(text, '.', length) && !memchr(text, 'e', length)) {
        text[length++] = '.';
        text[length++] = '0';
    }
    mst_output_advance(out, length);
}

/* Text that is not valid UTF-8 is read as Latin-1, which old tools wrote. */
static void write_text(mst_output *out, const char *text) {
    size_t length = strlen(text);
    if (mst_utf8_valid(text, length)) {
        mst_output_json_string(out, text, length);
        return;
    }
    mst_output_bytes(out, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= 0xA0) {
            char pair[2] = {(char)(0xC0 | c >> 6), (char)(0x80 | (c & 0x3F))};
            mst_output_bytes(out, pair, 2);
        } else if (mst_is_control(c) || c == '"' || c == '\\') {
            mst_output_text(out, "\\u00");
            mst_output_advance(out, mst_write_hex(mst_output_reserve(out, MST_NUMBER_MAX), c, 2));
        } else {
            mst_output_bytes(out, text, 1);
        }
    }
    mst_output_bytes(out, "\"", 1);
}

static bool has_extra(const mst_extras *extras, const char *name) {
    for (size_t i = 0; extras && i < extras->count; i++)
        if (extras->items[i].name[0] == name[0] && strcmp(extras->items[i].name, name) == 0)
            return true;
    return false;
}

typedef struct text_pair {
    const char *name, *text;
} text_pair;

/* `*count` precede it. */
static void write_extra(mst_output *out, const mst_gltf_plan *p, const mst_extra *extra, size_t *count) {
    mst_output_text(out, (*count)++ ? "," : ",\"extras\":{");
    write_text(out, extra->name);
    mst_output_bytes(out, ":", 1);
    if (extra->kind == MST_EXTRA_INTEGER)
        mst_output_advance(out, mst_write_i64(mst_output_reserve(out, MST_NUMBER_MAX), extra->integer));
    else if (extra->kind == MST_EXTRA_REAL && !(p->editing && mst_gltf_is_wide(extra->real)))
        write_real(out, extra->real);
    else if (extra->kind == MST_EXTRA_REAL) /* Blender cuts integers to 32 bits, some readers also reals */
        mst_output_format(out, "\"%.0f\"", extra->real);
    else
        write_text(out, extra->text ? extra->text : "");
}

/* Extras of the level, preceded by our own texts and values, unless these are empty or the level has extras
 * with the same names. */
static void write_all_extras(mst_output *out, const mst_gltf_plan *p, const mst_extras *extras,
                             const text_pair *pairs, size_t pair_count, const mst_extras *more) {
    size_t count = 0;
    if (!p->extras)
        return;
    for (size_t i = 0; i < pair_count; i++) {
        const mst_extra text = {.name = pairs[i].name, .kind = MST_EXTRA_TEXT, .text = pairs[i].text};
        if (text.text && *text.text && !has_extra(extras, text.name))
            write_extra(out, p, &text, &count);
    }
    for (size_t i = 0; i < more->count; i++)
        if (!has_extra(extras, more->items[i].name))
            write_extra(out, p, &more->items[i], &count);
    for (size_t i = 0; extras && i < extras->count; i++)
        write_extra(out, p, &extras->items[i], &count);
    if (count)
        mst_output_bytes(out, "}", 1);
}

static void write_extras(mst_output *out, const mst_gltf_plan *p, const mst_extras *extras,
                         const text_pair *pairs, size_t pair_count) {
    static const mst_extras none = {0};
    write_all_extras(out, p, extras, pairs, pair_count, &none);
}

/* The level's name, if the name in the file differs. */
static text_pair original_name(const char *original, const char *written) {
    bool changed = original && strcmp(original, written) != 0;
    return (text_pair){"name", changed ? original : NULL};
}

static void write_name(mst_output *out, const char *name) {
    mst_output_text(out, "{\"name\":\"");
    mst_output_text(out, name);
    mst_output_bytes(out, "\"", 1);
}

/* Ends an item without extras of the level. */
static void end_item(mst_output *out, const mst_gltf_plan *p, const char *original, const char *written) {
    text_pair pair = original_name(original, written);
    write_extras(out, p, NULL, &pair, 1);
    mst_output_bytes(out, "}", 1);
}

/* A light in glTF's terms. */
typedef struct light_values {
    const char *kind;
    float color[3];
    float intensity, range;         /* range 0: unlimited */
    float inner_angle, outer_angle; /* outer 0: not a spot */
} light_values;

static light_values values_of(const mst_light *light) {
    static const char *const kinds[] = {"point", "spot", "directional"};
    mst_light_kind kind = light_kind_of(light);
    light_values values = {.kind = kinds[kind], .intensity = intensity_of(light), .range = range_of(light)};
    for (int i = 0; i < 3; i++)
        values.color[i] = clamped(light->color[i], 0, 1);
    if (kind == MST_LIGHT_SPOT) {
        const float right_angle = 1.5707962F; /* the largest float that is not greater */
        float outer = light->outer_angle > 0 ? clamped(light->outer_angle, 0.001F, right_angle) : 0.7853982F;
        float inner = clamped(light->inner_angle, 0, outer);
        values.outer_angle = outer;
        values.inner_angle = inner < outer ? inner : outer * 0.99F;
    }
    return values;
}

static void write_light(mst_output *out, const mst_light *light) {
    const light_values values = values_of(light);
    mst_output_text(out, ",\"type\":\"");
    mst_output_text(out, values.kind);
    mst_gltf_floats(out, "\",\"color\":", values.color, 3);
    mst_output_text(out, ",\"intensity\":");
    mst_gltf_float(out, values.intensity);
    if (values.range > 0) {
        mst_output_text(out, ",\"range\":");
        mst_gltf_float(out, values.range);
    }
    if (values.outer_angle > 0) {
        mst_output_text(out, ",\"spot\":{\"innerConeAngle\":");
        mst_gltf_float(out, values.inner_angle);
        mst_output_text(out, ",\"outerConeAngle\":");
        mst_gltf_float(out, values.outer_angle);
        mst_output_bytes(out, "}", 1);
    }
}

#define PATH_CAPACITY        512 /* for the path of a source */
#define LIGHT_EXTRAS         6
#define LIGHT_COLOR_CAPACITY (3 * (MST_NUMBER_MAX + 1))

/* A light that is left out, in the extras of its node. */
static size_t light_extras(const mst_light *light, mst_extra extras[LIGHT_EXTRAS],
                           char color[LIGHT_COLOR_CAPACITY]) {
    const light_values values = values_of(light);
    size_t count = 0, length = 0;
    for (int i = 0; i < 3; i++) {
        length += mst_write_f32(color + length, values.color[i]);
        color[length++] = i < 2 ? ' ' : 0;
    }
    extras[count++] = (mst_extra){.name = "light", .kind = MST_EXTRA_TEXT, .text = values.kind};
    extras[count++] = (mst_extra){.name = "light_color", .kind = MST_EXTRA_TEXT, .text = color};
    extras[count++] =
        (mst_extra){.name = "light_intensity", .kind = MST_EXTRA_REAL, .real = (double)values.intensity};
    if (values.range > 0)
        extras[count++] =
            (mst_extra){.name = "light_range", .kind = MST_EXTRA_REAL, .real = (double)values.range};
    if (values.outer_angle > 0) {
        extras[count++] = (mst_extra){
            .name = "light_inner_angle", .kind = MST_EXTRA_REAL, .real = (double)values.inner_angle};
        extras[count++] = (mst_extra){
            .name = "light_outer_angle", .kind = MST_EXTRA_REAL, .real = (double)values.outer_angle};
    }
    return count;
}

static void write_header(mst_output *out, const mst_gltf_plan *p) {
    const mst_scene *scene = p->scene;
    mst_output_text(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"mapstone " MST_VERSION "\"}");
    size_t count = 0;
    if (p->light_list.written) {
        mst_gltf_element(out, ",\n\"extensionsUsed\":[", &count);
        mst_output_text(out, "\"KHR_lights_punctual\"");
    }
    if (p->unlit) {
        mst_gltf_element(out, ",\n\"extensionsUsed\":[", &count);
        mst_output_text(out, "\"KHR_materials_unlit\"");
    }
    if (p->specular) {
        mst_gltf_element(out, ",\n\"extensionsUsed\":[", &count);
        mst_output_text(out, "\"KHR_materials_specular\"");
    }
    mst_gltf_end_list(out, count);
    count = 0;
    for (size_t i = 0; i < scene->light_count; i++) {
        if (p->light_list.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[\n", &count);
        write_name(out, p->light_list.names[i]);
        write_light(out, &scene->lights[i]);
        end_item(out, p, scene->lights[i].name, p->light_list.names[i]);
    }
    if (count)
        mst_output_text(out, "]}}");
}

/* `one_more`: the last node is the overview's, which follows all others. */
static void write_siblings(mst_output *out, const char *key, const mst_gltf_plan *p, int32_t first,
                           bool one_more) {
    if (first < 0)
        return;
    mst_output_text(out, key);
    for (int32_t i = first; i >= 0; i = p->next_sibling[i]) {
        mst_output_bytes(out, i == first ? "[" : ",", 1);
        mst_gltf_number(out, (uint64_t)p->nodes.index[i]);
    }
    if (one_more) {
        mst_output_bytes(out, ",", 1);
        mst_gltf_number(out, p->nodes.written);
    }
    mst_output_bytes(out, "]", 1);
}

static void write_scene(mst_output *out, const mst_gltf_plan *p) {
    const mst_scene *scene = p->scene;
    mst_output_text(out, ",\n\"scene\":0,\n\"scenes\":[{\"name\":");
    write_text(out, scene->name && *scene->name ? scene->name : "scene");
    write_siblings(out, ",\"nodes\":", p, p->first_root, p->overview.there);
    text_pair format = {"format", scene->format};
    write_extras(out, p, &scene->extras, &format, 1);
    mst_output_text(out, "}]");
}

static void write_reference(mst_output *out, const char *key, const mst_gltf_selection *s, int32_t index) {
    if (!within(index, s->count) || s->index[index] < 0)
        return;
    mst_output_text(out, key);
    mst_gltf_number(out, (uint64_t)s->index[index]);
}

/* The extras of a node in a file for editing: its source, before all others. Extras of the level with the
 * same names are left out. */
static void write_editing_extras(mst_output *out, const mst_gltf_plan *p, size_t i, const text_pair *pairs,
                                 size_t pair_count) {
    const mst_node *node = &p->scene->nodes[i];
    const unsigned stands = p->stands[i];
    const char *file = stands && node->source.file ? node->source.file : "";
    char path[PATH_CAPACITY] = "";
    if (stands)
        mst_scene_source_path(&node->source, path, sizeof path);
    const text_pair own[] = {{"path", stands == MST_NODE_ELEMENT ? path : ""},
                             {"part_of", stands == MST_NODE_PART ? path : ""},
                             {"file", file},
                             {"node", p->nodes.names[i]}};
    const size_t own_count = sizeof own / sizeof *own;
    size_t count = 0;
    for (size_t k = 0; k < own_count + pair_count; k++) {
        const text_pair *pair = k < own_count ? &own[k] : &pairs[k - own_count];
        const mst_extra text = {.name = pair->name, .kind = MST_EXTRA_TEXT, .text = pair->text};
        if (text.text && *text.text && (k < own_count || !has_extra(&node->extras, text.name)))
            write_extra(out, p, &text, &count);
    }
    for (size_t k = 0; k < node->extras.count; k++) {
        const mst_extra *extra = &node->extras.items[k];
        if (strcmp(extra->name, "path") != 0 && strcmp(extra->name, "part_of") != 0 &&
            strcmp(extra->name, "node") != 0 && !(*file && strcmp(extra->name, "file") == 0))
            write_extra(out, p, extra, &count);
    }
    for (size_t k = 0; i == 0 && k < p->scene->extras.count; k++) /* some programs lose the scene's extras */
        write_extra(out, p, &p->scene->extras.items[k], &count);
    mst_output_bytes(out, "}", 1);
}

static void write_node(mst_output *out, const mst_gltf_plan *p, size_t i) {
    const mst_node *node = &p->scene->nodes[i];
    float translation[3], rotation[4], scale[3];
    mst_node_transform(node, translation, rotation, scale);
    write_name(out, p->nodes.names[i]);
    if (translation[0] != 0 || translation[1] != 0 || translation[2] != 0)
        mst_gltf_floats(out, ",\"translation\":", translation, 3);
    if (rotation[0] != 0 || rotation[1] != 0 || rotation[2] != 0) /* a full turn is the identity */
        mst_gltf_floats(out, ",\"rotation\":", rotation, 4);
    if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1)
        mst_gltf_floats(out, ",\"scale\":", scale, 3);
    write_reference(out, ",\"mesh\":", &p->meshes, node->mesh);
    if (skin_of(p, node) >= 0) {
        mst_output_text(out, ",\"skin\":");
        mst_gltf_number(out, (uint64_t)skin_of(p, node));
    }
    write_reference(out, ",\"camera\":", &p->cameras, node->camera);
    mst_extra light[LIGHT_EXTRAS];
    char color[LIGHT_COLOR_CAPACITY];
    mst_extras left_out = {.items = light};
    if (p->lit[i]) {
        write_reference(out, ",\"extensions\":{\"KHR_lights_punctual\":{\"light\":", &p->light_list,
                        node->light);
        mst_output_text(out, "}}");
    } else if (within(node->light, p->light_list.count)) {
        left_out.count = light_extras(&p->scene->lights[node->light], light, color);
    }
    write_siblings(out, ",\"children\":", p, p->first_child[i], false);
    static const char *const roles[] = {"group",  "geometry", "collision", "helper",
                                        "entity", "light",    "camera"};
    const bool known = (unsigned)node->role < sizeof roles / sizeof *roles;
    const text_pair pairs[] = {original_name(node->name, p->nodes.names[i]),
                               {"role", known ? roles[node->role] : NULL},
                               {"class", node->class_name},
                               {"layer", node->layer}};
    if (p->editing)
        write_editing_extras(out, p, i, pairs, sizeof pairs / sizeof *pairs);
    else
        write_all_extras(out, p, &node->extras, pairs, sizeof pairs / sizeof *pairs, &left_out);
    mst_output_bytes(out, "}", 1);
}

static void write_overview_node(mst_output *out, const mst_gltf_plan *p) {
    static const text_pair role = {"role", "camera"};
    write_name(out, "overview");
    mst_gltf_floats(out, ",\"translation\":", p->overview.position, 3);
    mst_gltf_floats(out, ",\"rotation\":", p->overview.rotation, 4);
    mst_output_text(out, ",\"camera\":0");
    write_extras(out, p, NULL, &role, 1);
    mst_output_bytes(out, "}", 1);
}

static void write_camera(mst_output *out, const mst_gltf_plan *p, const mst_camera *camera,
                         const char *name) {
    write_name(out, name);
    float fov = camera->vertical_fov, near_plane = camera->near_plane, far_plane = camera->far_plane;
    if (!(isfinite(near_plane) && near_plane > 0))
        near_plane = 0.1F;
    mst_output_text(out, ",\"type\":\"perspective\",\"perspective\":{\"yfov\":");
    mst_gltf_float(out, fov > 0 && fov < 3.1F ? fov : 0.8F);
    mst_output_text(out, ",\"znear\":");
    mst_gltf_float(out, near_plane);
    if (isfinite(far_plane) && far_plane > near_plane) {
        mst_output_text(out, ",\"zfar\":");
        mst_gltf_float(out, far_plane);
    }
    mst_output_bytes(out, "}", 1);
    end_item(out, p, camera->name, name);
}

static void write_cameras(mst_output *out, const mst_gltf_plan *p) {
    const mst_camera overview = {
        .name = "overview", .vertical_fov = MST_GLTF_OVERVIEW_FOV, .near_plane = p->overview.near_plane};
    size_t count = 0;
    if (p->overview.there) {
        mst_gltf_element(out, ",\n\"cameras\":[", &count);
        write_camera(out, p, &overview, overview.name);
    }
    for (size_t i = 0; i < p->cameras.count; i++) {
        if (p->cameras.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"cameras\":[", &count);
        write_camera(out, p, &p->scene->cameras[i], p->cameras.names[i]);
    }
    mst_gltf_end_list(out, count);
}

/* Returns the number of accessors. */
static uint64_t write_targets(mst_output *out, const mst_gltf_primitive *primitive, uint64_t accessor) {
    if (!(primitive->flags & MST_GLTF_HAS_TARGETS))
        return accessor;
    for (uint32_t t = 0; t < primitive->source->target_count; t++) {
        mst_output_text(out, t ? "},{\"POSITION\":" : ",\"targets\":[{\"POSITION\":");
        mst_gltf_number(out, accessor++);
        if (target_width(primitive) > 12) {
            mst_output_text(out, ",\"NORMAL\":");
            mst_gltf_number(out, accessor++);
        }
    }
    mst_output_text(out, "}]");
    return accessor;
}

static uint64_t write_meshes(mst_output *out, const mst_gltf_plan *p) {
    static const struct {
        unsigned flag;
        const char *key;
    } attributes[] = {
        {MST_GLTF_HAS_NORMALS, ",\"NORMAL\":"},     {MST_GLTF_HAS_TEXCOORDS, ",\"TEXCOORD_0\":"},
        {MST_GLTF_HAS_NUMBERS, ",\"TEXCOORD_1\":"}, {MST_GLTF_HAS_COLORS, ",\"COLOR_0\":"},
        {MST_GLTF_HAS_TANGENTS, ",\"TANGENT\":"},   {MST_GLTF_HAS_JOINTS, ",\"JOINTS_0\":"},
        {MST_GLTF_HAS_JOINTS, ",\"WEIGHTS_0\":"}};
    size_t count = 0, k = 0;
    uint64_t accessor = 0;
    for (size_t i = 0; i < p->meshes.count; i++) {
        if (p->meshes.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"meshes\":[", &count);
        write_name(out, p->meshes.names[i]);
        mst_output_text(out, ",\"primitives\":[");
        for (size_t first = k; k < p->mesh_ends[i]; k++) {
            unsigned flags = p->primitives[k].flags;
            mst_output_text(out,
                            k > first ? ",{\"attributes\":{\"POSITION\":" : "{\"attributes\":{\"POSITION\":");
            mst_gltf_number(out, accessor++);
            for (size_t a = 0; a < sizeof attributes / sizeof *attributes; a++)
                if (flags & attributes[a].flag) {
                    mst_output_text(out, attributes[a].key);
                    mst_gltf_number(out, accessor++);
                }
            mst_output_bytes(out, "}", 1);
            if (flags & MST_GLTF_HAS_INDICES) {
                mst_output_text(out, ",\"indices\":");
                mst_gltf_number(out, accessor++);
            }
            write_reference(out, ",\"material\":", &p->materials, p->primitives[k].source->material);
            accessor = write_targets(out, &p->primitives[k], accessor);
            mst_output_bytes(out, "}", 1);
        }
        mst_output_bytes(out, "]", 1);
        const text_pair pairs[] = {original_name(p->scene->meshes[i].name, p->meshes.names[i]),
                                   {MST_SURFACE_EXTRA, p->surfaces ? p->surfaces[i] : NULL}};
        write_extras(out, p, NULL, pairs, sizeof pairs / sizeof *pairs);
        mst_output_bytes(out, "}", 1);
    }
    mst_gltf_end_list(out, count);
    return accessor;
}

/* A texture of a material, if it has one. */
static bool write_texture(mst_output *out, const char *key, const mst_gltf_plan *p,
                          const mst_material *material, unsigned which) {
    int32_t image = texture_of(p, material, which);
    if (image < 0)
        return false;
    uint32_t lower = p->image_samplers[image] & ((1u << sampler_of(material)) - 1);
    mst_output_text(out, key);
    mst_gltf_number(out, p->first_texture[image] + count_bits(lower));
    mst_output_bytes(out, "}", 1);
    return true;
}

static void write_extensions(mst_output *out, const mst_gltf_plan *p, const mst_material *material) {
    bool specular = write_texture(
        out, ",\"extensions\":{\"KHR_materials_specular\":{\"specularColorTexture\":{\"index\":", p, material,
        MST_GLTF_SPECULAR);
    if (material->unlit)
        mst_output_text(out, specular ? "},\"KHR_materials_unlit\":{}}"
                                      : ",\"extensions\":{\"KHR_materials_unlit\":{}}");
    else if (specular)
        mst_output_text(out, "}}");
}

static void write_materials(mst_output *out, const mst_gltf_plan *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->materials.count; i++) {
        const mst_material *material = &p->scene->materials[i];
        if (p->materials.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"materials\":[", &count);
        write_name(out, p->materials.names[i]);
        float color[4];
        for (int k = 0; k < 4; k++)
            color[k] = clamped(material->color[k], 0, 1);
        mst_gltf_floats(out, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":", color, 4);
        write_texture(out, ",\"baseColorTexture\":{\"index\":", p, material, MST_GLTF_BASE_COLOR);
        mst_output_text(out, ",\"metallicFactor\":0,\"roughnessFactor\":");
        mst_gltf_float(out, material->roughness > 0 && material->roughness < 1 ? material->roughness : 1);
        mst_output_bytes(out, "}", 1);
        write_texture(out, ",\"normalTexture\":{\"index\":", p, material, MST_GLTF_NORMAL);
        if (write_texture(out, ",\"emissiveTexture\":{\"index\":", p, material, MST_GLTF_EMISSIVE))
            mst_output_text(out, ",\"emissiveFactor\":[1,1,1]");
        if (material->alpha_mode == MST_ALPHA_MASK) {
            mst_output_text(out, ",\"alphaMode\":\"MASK\",\"alphaCutoff\":");
            mst_gltf_float(out, material->alpha_cutoff > 0 ? material->alpha_cutoff : 0);
        } else if (material->alpha_mode == MST_ALPHA_BLEND) {
            mst_output_text(out, ",\"alphaMode\":\"BLEND\"");
        }
        if (material->double_sided)
            mst_output_text(out, ",\"doubleSided\":true");
        write_extensions(out, p, material);
        text_pair pair = original_name(material->name, p->materials.names[i]);
        write_extras(out, p, &material->extras, &pair, 1);
        mst_output_bytes(out, "}", 1);
    }
    mst_gltf_end_list(out, count);
}

/* Returns the number of accessors. */
static uint64_t write_skins(mst_output *out, const mst_gltf_plan *p, uint64_t accessor) {
    size_t count = 0;
    for (size_t i = 0; i < p->scene->skin_count; i++) {
        const mst_skin *skin = &p->scene->skins[i];
        if (p->skins[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"skins\":[", &count);
        mst_output_text(out, "{\"inverseBindMatrices\":");
        mst_gltf_number(out, accessor++);
        mst_output_text(out, ",\"joints\":");
        for (size_t k = 0; k < skin->joint_count; k++) {
            mst_output_bytes(out, k ? "," : "[", 1);
            mst_gltf_number(out, (uint64_t)p->nodes.index[skin->joints[k]]);
        }
        mst_output_text(out, "]}");
    }
    mst_gltf_end_list(out, count);
    return accessor;
}

/* One sampler for each channel; `input` are the accessors of its times: for a single one, and for all
 * frames. */
static void write_samplers(mst_output *out, const mst_gltf_plan *p, const mst_animation *animation,
                           const uint64_t input[2], uint64_t *accessor) {
    size_t count = 0;
    for (size_t k = 0; k < animation->channel_count; k++) {
        const mst_channel *channel = &animation->channels[k];
        if (!channel_fits(p, animation, channel))
            continue;
        mst_gltf_element(out, ",\"samplers\":[", &count);
        mst_output_text(out, "{\"input\":");
        mst_gltf_number(out, input[channel->value_count != 1]);
        mst_output_text(out, ",\"output\":");
        mst_gltf_number(out, (*accessor)++);
        mst_output_bytes(out, "}", 1);
    }
    mst_output_bytes(out, "]", 1);
}

static void write_animations(mst_output *out, const mst_gltf_plan *p, uint64_t accessor) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    size_t count = 0;
    for (size_t i = 0; i < p->animations.count; i++) {
        const mst_animation *animation = &p->scene->animations[i];
        if (p->animations.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"animations\":[", &count);
        write_name(out, p->animations.names[i]);
        uint64_t input[2];
        input[0] = accessor;
        input[1] = accessor += has_times(p, animation, true);
        accessor += has_times(p, animation, false);
        write_samplers(out, p, animation, input, &accessor);
        size_t sampler = 0;
        for (size_t k = 0; k < animation->channel_count; k++) {
            const mst_channel *channel = &animation->channels[k];
            if (!channel_fits(p, animation, channel))
                continue;
            mst_output_text(out, sampler ? ",{\"sampler\":" : ",\"channels\":[{\"sampler\":");
            mst_gltf_number(out, sampler++);
            write_reference(out, ",\"target\":{\"node\":", &p->nodes, channel->node);
            mst_output_text(out, ",\"path\":\"");
            mst_output_text(out, paths[channel->kind]);
            mst_output_text(out, "\"}}");
        }
        mst_output_bytes(out, "]", 1);
        end_item(out, p, animation->name, p->animations.names[i]);
    }
    mst_gltf_end_list(out, count);
}

void mst_gltf_uri(mst_output *out, const char *name) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    for (; *name; name++) {
        if (strchr(plain, *name))
            mst_output_bytes(out, name, 1);
        else
            mst_output_format(out, "%%%02X", (unsigned)(unsigned char)*name);
    }
}

static void write_images(mst_output *out, const mst_gltf_plan *p, uint64_t first_view) {
    size_t count = 0;
    for (size_t i = 0; i < p->images.count; i++) {
        if (p->images.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"images\":[", &count);
        write_name(out, p->images.names[i]);
        if (p->image_folder) {
            mst_output_text(out, ",\"uri\":\"");
            mst_gltf_uri(out, p->image_folder);
            mst_gltf_uri(out, p->images.names[i]);
            mst_output_text(out, ".png\"");
        } else {
            mst_output_text(out, ",\"mimeType\":\"image/png\",\"bufferView\":");
            mst_gltf_number(out, first_view + (uint64_t)p->images.index[i]);
        }
        end_item(out, p, p->scene->images[i].name, p->images.names[i]);
    }
    mst_gltf_end_list(out, count);
}

static void write_textures(mst_output *out, const mst_gltf_plan *p, uint64_t first_view) {
    size_t count = 0;
    for (size_t i = 0; i < p->images.count; i++)
        for (uint32_t sampler = 0; sampler < MST_GLTF_SAMPLER_COUNT; sampler++)
            if (p->image_samplers[i] >> sampler & 1u) {
                mst_gltf_element(out, ",\n\"textures\":[", &count);
                mst_output_text(out, "{\"sampler\":");
                mst_gltf_number(out, count_bits(p->sampler_bits & ((1u << sampler) - 1)));
                write_reference(out, ",\"source\":", &p->images, (int32_t)i);
                mst_output_bytes(out, "}", 1);
            }
    mst_gltf_end_list(out, count);
    count = 0;
    static const unsigned wraps[3] = {10497, 33071, 33648}; /* the numbers of OpenGL */
    for (uint32_t sampler = 0; sampler < MST_GLTF_SAMPLER_COUNT; sampler++)
        if (p->sampler_bits >> sampler & 1u) {
            mst_gltf_element(out, ",\n\"samplers\":[", &count);
            mst_output_format(out, "{\"magFilter\":%d,\"minFilter\":%d,\"wrapS\":%u,\"wrapT\":%u}",
                              sampler % 2 ? 9728 : 9729, sampler % 2 ? 9984 : 9987, wraps[sampler / 6],
                              wraps[sampler / 2 % 3]);
        }
    mst_gltf_end_list(out, count);
    write_images(out, p, first_view);
}

/* Everything up to the buffer, whose URI depends on the sort of file. */
void mst_gltf_json(mst_output *out, const mst_gltf_plan *p) {
    write_header(out, p);
    write_scene(out, p);
    size_t count = 0;
    for (size_t i = 0; i < p->scene->node_count; i++) {
        if (p->nodes.index[i] < 0)
            continue;
        mst_gltf_element(out, ",\n\"nodes\":[\n", &count);
        write_node(out, p, i);
    }
    if (p->overview.there) {
        mst_gltf_element(out, ",\n\"nodes\":[\n", &count);
        write_overview_node(out, p);
    }
    mst_gltf_end_list(out, count);
    uint64_t view_index[MST_GLTF_VIEW_COUNT], views = 0;
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++) {
        view_index[view] = views;
        views += p->view_size[view] ? 1 : 0;
    }
    write_cameras(out, p);
    write_animations(out, p, write_skins(out, p, write_meshes(out, p)));
    write_materials(out, p);
    write_textures(out, p, views);
    mst_gltf_accessors(out, p, view_index);
    mst_gltf_views(out, p);
    if (p->binary_size) {
        mst_output_text(out, ",\n\"buffers\":[{\"byteLength\":");
        mst_gltf_number(out, p->binary_size);
    }
}

void mst_gltf_json_end(mst_output *out, const mst_gltf_plan *p) {
    mst_output_text(out, p->binary_size ? "}]}" : "}");
}
