/* SPDX-License-Identifier: MIT */
/* The JSON part of a glTF file: everything but the arrays and the images. */
#include "gltf_json.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../scene/geometry.h"
#include <float.h>
#include <math.h>

static void write_number(mst_output *out, uint64_t value) {
    mst_output_advance(out, mst_write_u64(mst_output_reserve(out, MST_NUMBER_MAX), value));
}

static void write_float(mst_output *out, float value) {
    mst_output_advance(out, mst_write_f32(mst_output_reserve(out, MST_NUMBER_MAX), finite_or(value, 0)));
}

static void write_floats(mst_output *out, const char *key, const float *values, size_t count) {
    mst_output_text(out, key);
    for (size_t i = 0; i < count; i++) {
        mst_output_bytes(out, i ? "," : "[", 1);
        write_float(out, values[i]);
    }
    mst_output_bytes(out, "]", 1);
}

/* Integral values get a fraction too, by which readers distinguish reals from integers, which they refuse if
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

/* Begins an element of a list, and the list itself before the first; `*count` elements precede it. */
static void begin_element(mst_output *out, const char *list, size_t *count) {
    if ((*count)++)
        mst_output_text(out, ",\n");
    else
        mst_output_text(out, list);
}

static void end_list(mst_output *out, size_t count) {
    if (count)
        mst_output_bytes(out, "]", 1);
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
static void write_extra(mst_output *out, const mst_extra *extra, size_t *count) {
    mst_output_text(out, (*count)++ ? "," : ",\"extras\":{");
    write_text(out, extra->name);
    mst_output_bytes(out, ":", 1);
    if (extra->kind == MST_EXTRA_INTEGER)
        mst_output_advance(out, mst_write_i64(mst_output_reserve(out, MST_NUMBER_MAX), extra->integer));
    else if (extra->kind == MST_EXTRA_REAL)
        write_real(out, extra->real);
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
            write_extra(out, &text, &count);
    }
    for (size_t i = 0; i < more->count; i++)
        if (!has_extra(extras, more->items[i].name))
            write_extra(out, &more->items[i], &count);
    for (size_t i = 0; extras && i < extras->count; i++)
        write_extra(out, &extras->items[i], &count);
    if (count)
        mst_output_bytes(out, "}", 1);
}

static void write_extras(mst_output *out, const mst_gltf_plan *p, const mst_extras *extras,
                         const text_pair *pairs, size_t pair_count) {
    static const mst_extras none = {0};
    write_all_extras(out, p, extras, pairs, pair_count, &none);
}

/* The level's name, if the one in the file differs. */
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

/* A light in terms of glTF. */
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
    write_floats(out, "\",\"color\":", values.color, 3);
    mst_output_text(out, ",\"intensity\":");
    write_float(out, values.intensity);
    if (values.range > 0) {
        mst_output_text(out, ",\"range\":");
        write_float(out, values.range);
    }
    if (values.outer_angle > 0) {
        mst_output_text(out, ",\"spot\":{\"innerConeAngle\":");
        write_float(out, values.inner_angle);
        mst_output_text(out, ",\"outerConeAngle\":");
        write_float(out, values.outer_angle);
        mst_output_bytes(out, "}", 1);
    }
}

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
        begin_element(out, ",\n\"extensionsUsed\":[", &count);
        mst_output_text(out, "\"KHR_lights_punctual\"");
    }
    if (p->unlit) {
        begin_element(out, ",\n\"extensionsUsed\":[", &count);
        mst_output_text(out, "\"KHR_materials_unlit\"");
    }
    if (p->specular) {
        begin_element(out, ",\n\"extensionsUsed\":[", &count);
        mst_output_text(out, "\"KHR_materials_specular\"");
    }
    end_list(out, count);
    count = 0;
    for (size_t i = 0; i < scene->light_count; i++) {
        if (p->light_list.index[i] < 0)
            continue;
        begin_element(out, ",\n\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[\n", &count);
        write_name(out, p->light_list.names[i]);
        write_light(out, &scene->lights[i]);
        end_item(out, p, scene->lights[i].name, p->light_list.names[i]);
    }
    if (count)
        mst_output_text(out, "]}}");
}

/* `one_more`: the overview's node, which follows all others, is the last of them. */
static void write_siblings(mst_output *out, const char *key, const mst_gltf_plan *p, int32_t first,
                           bool one_more) {
    if (first < 0)
        return;
    mst_output_text(out, key);
    for (int32_t i = first; i >= 0; i = p->next_sibling[i]) {
        mst_output_bytes(out, i == first ? "[" : ",", 1);
        write_number(out, (uint64_t)p->nodes.index[i]);
    }
    if (one_more) {
        mst_output_bytes(out, ",", 1);
        write_number(out, p->nodes.written);
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
    write_number(out, (uint64_t)s->index[index]);
}

static void write_node(mst_output *out, const mst_gltf_plan *p, size_t i) {
    const mst_node *node = &p->scene->nodes[i];
    float translation[3], rotation[4], scale[3];
    mst_node_transform(node, translation, rotation, scale);
    write_name(out, p->nodes.names[i]);
    if (translation[0] != 0 || translation[1] != 0 || translation[2] != 0)
        write_floats(out, ",\"translation\":", translation, 3);
    if (rotation[0] != 0 || rotation[1] != 0 || rotation[2] != 0) /* a full turn is the identity */
        write_floats(out, ",\"rotation\":", rotation, 4);
    if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1)
        write_floats(out, ",\"scale\":", scale, 3);
    write_reference(out, ",\"mesh\":", &p->meshes, node->mesh);
    if (skin_of(p, node) >= 0) {
        mst_output_text(out, ",\"skin\":");
        write_number(out, (uint64_t)skin_of(p, node));
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
    const text_pair pairs[4] = {original_name(node->name, p->nodes.names[i]),
                                {"role", known ? roles[node->role] : NULL},
                                {"class", node->class_name},
                                {"layer", node->layer}};
    write_all_extras(out, p, &node->extras, pairs, 4, &left_out);
    mst_output_bytes(out, "}", 1);
}

static void write_overview_node(mst_output *out, const mst_gltf_plan *p) {
    static const text_pair role = {"role", "camera"};
    write_name(out, "overview");
    write_floats(out, ",\"translation\":", p->overview.position, 3);
    write_floats(out, ",\"rotation\":", p->overview.rotation, 4);
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
    write_float(out, fov > 0 && fov < 3.1F ? fov : 0.8F);
    mst_output_text(out, ",\"znear\":");
    write_float(out, near_plane);
    if (isfinite(far_plane) && far_plane > near_plane) {
        mst_output_text(out, ",\"zfar\":");
        write_float(out, far_plane);
    }
    mst_output_bytes(out, "}", 1);
    end_item(out, p, camera->name, name);
}

static void write_cameras(mst_output *out, const mst_gltf_plan *p) {
    const mst_camera overview = {
        .name = "overview", .vertical_fov = MST_GLTF_OVERVIEW_FOV, .near_plane = p->overview.near_plane};
    size_t count = 0;
    if (p->overview.there) {
        begin_element(out, ",\n\"cameras\":[", &count);
        write_camera(out, p, &overview, overview.name);
    }
    for (size_t i = 0; i < p->cameras.count; i++) {
        if (p->cameras.index[i] < 0)
            continue;
        begin_element(out, ",\n\"cameras\":[", &count);
        write_camera(out, p, &p->scene->cameras[i], p->cameras.names[i]);
    }
    end_list(out, count);
}

/* Returns how many accessors there are. */
static uint64_t write_targets(mst_output *out, const mst_gltf_primitive *primitive, uint64_t accessor) {
    if (!(primitive->flags & MST_GLTF_HAS_TARGETS))
        return accessor;
    for (uint32_t t = 0; t < primitive->source->target_count; t++) {
        mst_output_text(out, t ? "},{\"POSITION\":" : ",\"targets\":[{\"POSITION\":");
        write_number(out, accessor++);
        if (target_width(primitive) > 12) {
            mst_output_text(out, ",\"NORMAL\":");
            write_number(out, accessor++);
        }
    }
    mst_output_text(out, "}]");
    return accessor;
}

static uint64_t write_meshes(mst_output *out, const mst_gltf_plan *p) {
    static const struct {
        unsigned flag;
        const char *key;
    } attributes[] = {{MST_GLTF_HAS_NORMALS, ",\"NORMAL\":"},  {MST_GLTF_HAS_TEXCOORDS, ",\"TEXCOORD_0\":"},
                      {MST_GLTF_HAS_COLORS, ",\"COLOR_0\":"},  {MST_GLTF_HAS_TANGENTS, ",\"TANGENT\":"},
                      {MST_GLTF_HAS_JOINTS, ",\"JOINTS_0\":"}, {MST_GLTF_HAS_JOINTS, ",\"WEIGHTS_0\":"}};
    size_t count = 0, k = 0;
    uint64_t accessor = 0;
    for (size_t i = 0; i < p->meshes.count; i++) {
        if (p->meshes.index[i] < 0)
            continue;
        begin_element(out, ",\n\"meshes\":[", &count);
        write_name(out, p->meshes.names[i]);
        mst_output_text(out, ",\"primitives\":[");
        for (size_t first = k; k < p->mesh_ends[i]; k++) {
            unsigned flags = p->primitives[k].flags;
            mst_output_text(out,
                            k > first ? ",{\"attributes\":{\"POSITION\":" : "{\"attributes\":{\"POSITION\":");
            write_number(out, accessor++);
            for (size_t a = 0; a < sizeof attributes / sizeof *attributes; a++)
                if (flags & attributes[a].flag) {
                    mst_output_text(out, attributes[a].key);
                    write_number(out, accessor++);
                }
            mst_output_bytes(out, "}", 1);
            if (flags & MST_GLTF_HAS_INDICES) {
                mst_output_text(out, ",\"indices\":");
                write_number(out, accessor++);
            }
            write_reference(out, ",\"material\":", &p->materials, p->primitives[k].source->material);
            accessor = write_targets(out, &p->primitives[k], accessor);
            mst_output_bytes(out, "}", 1);
        }
        mst_output_bytes(out, "]", 1);
        end_item(out, p, p->scene->meshes[i].name, p->meshes.names[i]);
    }
    end_list(out, count);
    return accessor;
}

/* A texture of a material, if it has it. */
static bool write_texture(mst_output *out, const char *key, const mst_gltf_plan *p,
                          const mst_material *material, unsigned which) {
    int32_t image = texture_of(p, material, which);
    if (image < 0)
        return false;
    uint32_t lower = p->image_samplers[image] & ((1u << sampler_of(material)) - 1);
    mst_output_text(out, key);
    write_number(out, p->first_texture[image] + count_bits(lower));
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
        begin_element(out, ",\n\"materials\":[", &count);
        write_name(out, p->materials.names[i]);
        float color[4];
        for (int k = 0; k < 4; k++)
            color[k] = clamped(material->color[k], 0, 1);
        write_floats(out, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":", color, 4);
        write_texture(out, ",\"baseColorTexture\":{\"index\":", p, material, MST_GLTF_BASE_COLOR);
        mst_output_text(out, ",\"metallicFactor\":0,\"roughnessFactor\":");
        write_float(out, material->roughness > 0 && material->roughness < 1 ? material->roughness : 1);
        mst_output_bytes(out, "}", 1);
        write_texture(out, ",\"normalTexture\":{\"index\":", p, material, MST_GLTF_NORMAL);
        if (write_texture(out, ",\"emissiveTexture\":{\"index\":", p, material, MST_GLTF_EMISSIVE))
            mst_output_text(out, ",\"emissiveFactor\":[1,1,1]");
        if (material->alpha_mode == MST_ALPHA_MASK) {
            mst_output_text(out, ",\"alphaMode\":\"MASK\",\"alphaCutoff\":");
            write_float(out, material->alpha_cutoff > 0 ? material->alpha_cutoff : 0);
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
    end_list(out, count);
}

/* Returns how many accessors there are. */
static uint64_t write_skins(mst_output *out, const mst_gltf_plan *p, uint64_t accessor) {
    size_t count = 0;
    for (size_t i = 0; i < p->scene->skin_count; i++) {
        const mst_skin *skin = &p->scene->skins[i];
        if (p->skins[i] < 0)
            continue;
        begin_element(out, ",\n\"skins\":[", &count);
        mst_output_text(out, "{\"inverseBindMatrices\":");
        write_number(out, accessor++);
        mst_output_text(out, ",\"joints\":");
        for (size_t k = 0; k < skin->joint_count; k++) {
            mst_output_bytes(out, k ? "," : "[", 1);
            write_number(out, (uint64_t)p->nodes.index[skin->joints[k]]);
        }
        mst_output_text(out, "]}");
    }
    end_list(out, count);
    return accessor;
}

/* One sampler for each channel; `input` are the accessors of its times: of one, and of all frames. */
static void write_samplers(mst_output *out, const mst_gltf_plan *p, const mst_animation *animation,
                           const uint64_t input[2], uint64_t *accessor) {
    size_t count = 0;
    for (size_t k = 0; k < animation->channel_count; k++) {
        const mst_channel *channel = &animation->channels[k];
        if (!channel_fits(p, animation, channel))
            continue;
        begin_element(out, ",\"samplers\":[", &count);
        mst_output_text(out, "{\"input\":");
        write_number(out, input[channel->value_count != 1]);
        mst_output_text(out, ",\"output\":");
        write_number(out, (*accessor)++);
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
        begin_element(out, ",\n\"animations\":[", &count);
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
            write_number(out, sampler++);
            write_reference(out, ",\"target\":{\"node\":", &p->nodes, channel->node);
            mst_output_text(out, ",\"path\":\"");
            mst_output_text(out, paths[channel->kind]);
            mst_output_text(out, "\"}}");
        }
        mst_output_bytes(out, "]", 1);
        end_item(out, p, animation->name, p->animations.names[i]);
    }
    end_list(out, count);
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
        begin_element(out, ",\n\"images\":[", &count);
        write_name(out, p->images.names[i]);
        if (p->image_folder) {
            mst_output_text(out, ",\"uri\":\"");
            mst_gltf_uri(out, p->image_folder);
            mst_gltf_uri(out, p->images.names[i]);
            mst_output_text(out, ".png\"");
        } else {
            mst_output_text(out, ",\"mimeType\":\"image/png\",\"bufferView\":");
            write_number(out, first_view + (uint64_t)p->images.index[i]);
        }
        end_item(out, p, p->scene->images[i].name, p->images.names[i]);
    }
    end_list(out, count);
}

static void write_textures(mst_output *out, const mst_gltf_plan *p, uint64_t first_view) {
    size_t count = 0;
    for (size_t i = 0; i < p->images.count; i++)
        for (uint32_t sampler = 0; sampler < MST_GLTF_SAMPLER_COUNT; sampler++)
            if (p->image_samplers[i] >> sampler & 1u) {
                begin_element(out, ",\n\"textures\":[", &count);
                mst_output_text(out, "{\"sampler\":");
                write_number(out, count_bits(p->sampler_bits & ((1u << sampler) - 1)));
                write_reference(out, ",\"source\":", &p->images, (int32_t)i);
                mst_output_bytes(out, "}", 1);
            }
    end_list(out, count);
    count = 0;
    static const unsigned wraps[3] = {10497, 33071, 33648}; /* the numbers of OpenGL */
    for (uint32_t sampler = 0; sampler < MST_GLTF_SAMPLER_COUNT; sampler++)
        if (p->sampler_bits >> sampler & 1u) {
            begin_element(out, ",\n\"samplers\":[", &count);
            mst_output_format(out, "{\"magFilter\":%d,\"minFilter\":%d,\"wrapS\":%u,\"wrapT\":%u}",
                              sampler % 2 ? 9728 : 9729, sampler % 2 ? 9984 : 9987, wraps[sampler / 6],
                              wraps[sampler / 2 % 3]);
        }
    end_list(out, count);
    write_images(out, p, first_view);
}

typedef struct accessor_writer {
    mst_output *out;
    uint64_t view_index[MST_GLTF_VIEW_COUNT];
    uint64_t offset[MST_GLTF_VIEW_COUNT]; /* within the view, of the next accessor */
    size_t count;
} accessor_writer;

/* One accessor without its closing brace. */
static void begin_accessor(accessor_writer *w, int view, uint64_t count) {
    static const struct {
        const char *type;
        unsigned size;
    } kinds[MST_GLTF_VIEW_COUNT] = {{",\"componentType\":5126,\"type\":\"VEC3\"", 12},
                                    {",\"componentType\":5126,\"type\":\"VEC2\"", 8},
                                    {",\"componentType\":5126,\"type\":\"VEC4\"", 16},
                                    {",\"componentType\":5123,\"type\":\"SCALAR\"", 2},
                                    {",\"componentType\":5125,\"type\":\"SCALAR\"", 4},
                                    {",\"componentType\":5123,\"type\":\"VEC4\"", 8},
                                    {",\"componentType\":5126,\"type\":\"MAT4\"", 64},
                                    {",\"componentType\":5126,\"type\":\"SCALAR\"", 4},
                                    {",\"componentType\":5126,\"type\":\"VEC3\"", 12},
                                    {",\"componentType\":5126,\"type\":\"VEC4\"", 16},
                                    {",\"componentType\":5126,\"type\":\"SCALAR\"", 4}};
    begin_element(w->out, ",\n\"accessors\":[", &w->count);
    mst_output_text(w->out, "{\"bufferView\":");
    write_number(w->out, w->view_index[view]);
    if (w->offset[view]) {
        mst_output_text(w->out, ",\"byteOffset\":");
        write_number(w->out, w->offset[view]);
    }
    mst_output_text(w->out, kinds[view].type);
    mst_output_text(w->out, ",\"count\":");
    write_number(w->out, count);
    w->offset[view] += padded(count * kinds[view].size);
}

static void write_accessor(accessor_writer *w, int view, uint64_t count) {
    begin_accessor(w, view, count);
    mst_output_bytes(w->out, "}", 1);
}

static void write_bounded(accessor_writer *w, int view, uint64_t count, const float *low, const float *high,
                          size_t width) {
    begin_accessor(w, view, count);
    write_floats(w->out, ",\"min\":", low, width);
    write_floats(w->out, ",\"max\":", high, width);
    mst_output_bytes(w->out, "}", 1);
}

static void write_times(accessor_writer *w, const mst_animation *animation, uint32_t count) {
    const float first = 0, last = time_of(animation, count - 1);
    write_bounded(w, MST_GLTF_VIEW_TIME, count, &first, &last, 1);
}

static void write_animation_accessors(accessor_writer *w, const mst_gltf_plan *p,
                                      const mst_animation *animation) {
    if (has_times(p, animation, true))
        write_times(w, animation, 1);
    if (has_times(p, animation, false))
        write_times(w, animation, animation->frame_count);
    for (size_t k = 0; k < animation->channel_count; k++) {
        const mst_channel *channel = &animation->channels[k];
        if (channel_fits(p, animation, channel))
            write_accessor(w, view_of(channel),
                           channel->value_count *
                               (uint64_t)(channel->kind == MST_MORPHS ? width_of(p, channel) : 1));
    }
}

static void write_target_accessors(accessor_writer *w, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    for (uint32_t t = 0; t < source->target_count; t++) {
        const float *moves = source->targets + 3 * (size_t)source->vertex_count * t;
        float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (size_t i = 0; i < 3 * (size_t)primitive->vertex_count; i++) {
            low[i % 3] = fminf(low[i % 3], finite_or(moves[i], 0));
            high[i % 3] = fmaxf(high[i % 3], finite_or(moves[i], 0));
        }
        write_bounded(w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count, low, high, 3);
        if (target_width(primitive) > 12)
            write_accessor(w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count);
    }
}

static void write_accessors(mst_output *out, const mst_gltf_plan *p,
                            const uint64_t view_index[MST_GLTF_VIEW_COUNT]) {
    accessor_writer w = {.out = out};
    memcpy(w.view_index, view_index, sizeof w.view_index);
    for (size_t i = 0; i < p->primitive_count; i++) {
        const mst_gltf_primitive *primitive = &p->primitives[i];
        write_bounded(&w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count, primitive->minimum,
                      primitive->maximum, 3);
        if (primitive->flags & MST_GLTF_HAS_NORMALS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR3, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_TEXCOORDS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR2, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_COLORS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR4, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_TANGENTS)
            write_accessor(&w, MST_GLTF_VIEW_VECTOR4, primitive->vertex_count);
        if (primitive->flags & MST_GLTF_HAS_JOINTS) {
            write_accessor(&w, MST_GLTF_VIEW_JOINTS, primitive->vertex_count);
            write_accessor(&w, MST_GLTF_VIEW_VECTOR4, primitive->vertex_count);
        }
        if (primitive->flags & MST_GLTF_HAS_INDICES)
            write_accessor(
                &w, primitive->flags & MST_GLTF_WIDE_INDICES ? MST_GLTF_VIEW_INDEX32 : MST_GLTF_VIEW_INDEX16,
                primitive->index_count);
        if (primitive->flags & MST_GLTF_HAS_TARGETS)
            write_target_accessors(&w, primitive);
    }
    for (size_t i = 0; i < p->scene->skin_count; i++)
        if (p->skins[i] >= 0)
            write_accessor(&w, MST_GLTF_VIEW_MATRIX, p->scene->skins[i].joint_count);
    for (size_t i = 0; i < p->animations.count; i++)
        write_animation_accessors(&w, p, &p->scene->animations[i]);
    end_list(out, w.count);
}

static void begin_view(mst_output *out, size_t *count, uint64_t offset, uint64_t size) {
    begin_element(out, ",\n\"bufferViews\":[", count);
    mst_output_text(out, "{\"buffer\":0,\"byteOffset\":");
    write_number(out, offset);
    mst_output_text(out, ",\"byteLength\":");
    write_number(out, size);
}

static void write_views(mst_output *out, const mst_gltf_plan *p) {
    static const char *const ends[MST_GLTF_VIEW_COUNT] = {",\"byteStride\":12,\"target\":34962}",
                                                          ",\"byteStride\":8,\"target\":34962}",
                                                          ",\"byteStride\":16,\"target\":34962}",
                                                          ",\"target\":34963}",
                                                          ",\"target\":34963}",
                                                          ",\"byteStride\":8,\"target\":34962}"};
    size_t count = 0;
    uint64_t offset = 0;
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++) {
        if (!p->view_size[view])
            continue;
        begin_view(out, &count, offset, p->view_size[view]);
        mst_output_text(out, ends[view] ? ends[view] : "}");
        offset += p->view_size[view];
    }
    for (size_t i = 0; i < p->images.count; i++) {
        if (p->images.index[i] < 0 || p->image_folder)
            continue;
        begin_view(out, &count, offset, p->pictures[i].size);
        mst_output_bytes(out, "}", 1);
        offset += padded(p->pictures[i].size);
    }
    end_list(out, count);
}

/* Everything up to the buffer, whose URI depends on the kind of file. */
void mst_gltf_json(mst_output *out, const mst_gltf_plan *p) {
    write_header(out, p);
    write_scene(out, p);
    size_t count = 0;
    for (size_t i = 0; i < p->scene->node_count; i++) {
        if (p->nodes.index[i] < 0)
            continue;
        begin_element(out, ",\n\"nodes\":[\n", &count);
        write_node(out, p, i);
    }
    if (p->overview.there) {
        begin_element(out, ",\n\"nodes\":[\n", &count);
        write_overview_node(out, p);
    }
    end_list(out, count);
    uint64_t view_index[MST_GLTF_VIEW_COUNT], views = 0;
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++) {
        view_index[view] = views;
        views += p->view_size[view] ? 1 : 0;
    }
    write_cameras(out, p);
    write_animations(out, p, write_skins(out, p, write_meshes(out, p)));
    write_materials(out, p);
    write_textures(out, p, views);
    write_accessors(out, p, view_index);
    write_views(out, p);
    if (p->binary_size) {
        mst_output_text(out, ",\n\"buffers\":[{\"byteLength\":");
        write_number(out, p->binary_size);
    }
}

void mst_gltf_json_end(mst_output *out, const mst_gltf_plan *p) {
    mst_output_text(out, p->binary_size ? "}]}" : "}");
}
