/* SPDX-License-Identifier: MIT */
/* The plan of a glTF file: which items of the scene are used, their names, and sizes. */
#include "gltf_plan.h"
#include "../core/diagnose.h"
#include "../scene/build.h"
#include "../scene/tangents.h"
#include "gltf_open.h"
#include "png.h"
#include <float.h>
#include <stdlib.h>

#define NAME_LIMIT 63u /* Blender truncates longer names */

/* ---- written values ---- */

static bool normals_fit(const float *normals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double x = (double)normals[3 * i], y = (double)normals[3 * i + 1], z = (double)normals[3 * i + 2];
        double square = x * x + y * y + z * z;
        if (!(square > 0.9999 && square < 1.0001))
            return false;
    }
    return true;
}

static bool within_range(const float *values, size_t count, float low, float high) {
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= low && values[i] <= high))
            return false;
    return true;
}

/* ---- the plan ---- */

static void plan_bounds(mst_gltf_primitive *primitive) {
    const float *positions = primitive->source->positions;
    bool finite = within_range(positions, (size_t)primitive->vertex_count * 3, -FLT_MAX, FLT_MAX);
    for (int k = 0; k < 3; k++) {
        primitive->minimum[k] = INFINITY;
        primitive->maximum[k] = -INFINITY;
    }
    for (size_t v = 0; v < primitive->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            float value = positions[3 * v + (size_t)k];
            if (!finite)
                value = finite_or(value, 0);
            primitive->minimum[k] = value < primitive->minimum[k] ? value : primitive->minimum[k];
            primitive->maximum[k] = value > primitive->maximum[k] ? value : primitive->maximum[k];
        }
    primitive->flags |= finite ? MST_GLTF_AS_IS_POSITIONS : 0;
}

/* False if the primitive has nothing visible. */
static bool plan_primitive(const mst_primitive *source, mst_gltf_primitive *primitive) {
    *primitive = (mst_gltf_primitive){.source = source, .vertex_count = source->vertex_count};
    if (!source->positions || source->vertex_count < 3)
        return false;
    if (source->indices) {
        uint32_t end = source->index_count / 3 * 3;
        for (uint32_t i = 0; i < end; i += 3)
            if (triangle_fits(source->indices + i, source->vertex_count))
                primitive->index_count += 3;
        if (!primitive->index_count)
            return false;
        primitive->flags = MST_GLTF_HAS_INDICES | (source->vertex_count > 65535 ? MST_GLTF_WIDE_INDICES : 0) |
                           (primitive->index_count == end ? MST_GLTF_AS_IS_INDICES : 0);
    } else {
        primitive->vertex_count = source->vertex_count / 3 * 3;
    }
    plan_bounds(primitive);
    size_t count = primitive->vertex_count;
    if (source->normals)
        primitive->flags |=
            MST_GLTF_HAS_NORMALS | (normals_fit(source->normals, count) ? MST_GLTF_AS_IS_NORMALS : 0);
    if (source->colors)
        primitive->flags |=
            MST_GLTF_HAS_COLORS | (within_range(source->colors, 4 * count, 0, 1) ? MST_GLTF_AS_IS_COLORS : 0);
    return true;
}

/* Marks the targets of a mesh whose primitives all have equally many; returns the number. */
static uint32_t plan_targets(mst_gltf_primitive *primitives, size_t count) {
    bool whole = count > 0 && primitives->source->target_count > 0;
    for (size_t i = 0; i < count && whole; i++)
        whole = primitives[i].source->targets &&
                primitives[i].source->target_count == primitives->source->target_count;
    for (size_t i = 0; i < count && whole; i++)
        primitives[i].flags |= MST_GLTF_HAS_TARGETS;
    return whole ? primitives->source->target_count : 0;
}

/* Zeroed memory; failures set p->lacks_memory, which is checked once after several calls. */
static void *need(mst_gltf_plan *p, size_t count, size_t size) {
    void *place = mst_arena_zero(&p->arena, count, size);
    p->lacks_memory = p->lacks_memory || !place;
    return place;
}

/* The lists of a scene and the parts of the plan for them. */
typedef struct list {
    mst_gltf_selection *selection;
    const void *items;
    size_t count, item_size;
    const char *otherwise; /* name of items without a name */
} list;
#define LISTS 7

static void find_lists(mst_gltf_plan *p, list lists[LISTS]) {
    const mst_scene *s = p->scene;
    lists[0] = (list){&p->nodes, s->nodes, s->node_count, sizeof *s->nodes, "node"};
    lists[1] = (list){&p->meshes, s->meshes, s->mesh_count, sizeof *s->meshes, "mesh"};
    lists[2] = (list){&p->materials, s->materials, s->material_count, sizeof *s->materials, "material"};
    lists[3] = (list){&p->images, s->images, s->image_count, sizeof *s->images, "image"};
    lists[4] = (list){&p->light_list, s->lights, s->light_count, sizeof *s->lights, "light"};
    lists[5] = (list){&p->cameras, s->cameras, s->camera_count, sizeof *s->cameras, "camera"};
    lists[6] = (list){&p->animations, s->animations, s->animation_count, sizeof *s->animations, "animation"};
}

/* Marks nothing as written. */
static void begin_selections(mst_gltf_plan *p, const list lists[LISTS]) {
    for (int k = 0; k < LISTS; k++) {
        mst_gltf_selection *s = lists[k].selection;
        s->count = lists[k].count;
        s->index = need(p, s->count, sizeof *s->index);
        s->names = need(p, s->count, sizeof *s->names);
        if (s->index)
            memset(s->index, 0xFF, s->count * sizeof *s->index); /* -1 */
    }
}

/* Converts marks to indices in the file. */
static void number_selection(mst_gltf_selection *s) {
    for (size_t i = 0; i < s->count; i++)
        if (s->index[i] >= 0)
            s->index[i] = (int32_t)s->written++;
}

static void mark(mst_gltf_selection *s, int32_t index) {
    if (within(index, s->count))
        s->index[index] = 0;
}

static bool plan_meshes(mst_gltf_plan *p) {
    const mst_scene *scene = p->scene;
    size_t max = 0;
    for (size_t i = 0; i < scene->mesh_count; i++)
        if (p->meshes.index[i] >= 0)
            max += scene->meshes[i].primitive_count;
    p->primitives = mst_arena_take(&p->arena, max, sizeof *p->primitives);
    if (!p->primitives)
        return false;
    for (size_t i = 0; i < scene->mesh_count; i++) {
        const mst_mesh *mesh = &scene->meshes[i];
        size_t before = p->primitive_count;
        for (size_t k = 0; p->meshes.index[i] >= 0 && k < mesh->primitive_count; k++)
            if (plan_primitive(&mesh->primitives[k], &p->primitives[p->primitive_count])) {
                mark(&p->materials, mesh->primitives[k].material);
                p->primitive_count++;
            }
        p->mesh_ends[i] = p->primitive_count;
        p->targets[i] = plan_targets(p->primitives + before, p->primitive_count - before);
        if (p->primitive_count == before)
            p->meshes.index[i] = -1;
    }
    number_selection(&p->meshes);
    number_selection(&p->materials);
    return true;
}

/* The images that are encoded, possibly in parallel. */
typedef struct encoding {
    mst_gltf_plan *plan;
    const size_t *images;
    mst_status *statuses;
} encoding;

static void encode_image(void *data, size_t index) {
    const encoding *all = data;
    size_t i = all->images[index];
    const mst_image *image = &all->plan->scene->images[i];
    mst_diagnostic why; /* unsupported images are silently left out; others lack memory */
    all->statuses[index] = MST_UNSUPPORTED;
    if ((image->packed || image->pixels.data) && image->pixels.width && image->pixels.height)
        all->statuses[index] = mst_image_write_png(image, &all->plan->arena.allocator,
                                                   mst_buffer_sink(&all->plan->pictures[i]), &why);
}

/* Encodes the used images; images that cannot be encoded are left out. */
static mst_status encode_images(mst_gltf_plan *p, mst_parallel parallel, mst_diagnostic *diagnostic) {
    size_t count = 0, *images = mst_arena_take(&p->arena, p->images.count, sizeof *images);
    mst_status *statuses = mst_arena_take(&p->arena, p->images.count, sizeof *statuses);
    if (!images || !statuses)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    for (size_t i = 0; i < p->images.count; i++)
        if (p->images.index[i] >= 0)
            images[count++] = i;
    encoding all = {p, images, statuses};
    if (parallel.run && count > 1)
        parallel.run(parallel.user, count, encode_image, &all);
    for (size_t i = 0; i < count; i++) {
        if (!parallel.run || count == 1)
            encode_image(&all, i);
        if (statuses[i] == MST_UNSUPPORTED)
            p->images.index[images[i]] = -1;
        else if (statuses[i] != MST_OK)
            return mst_fail(diagnostic, statuses[i], "an image could not be written as PNG");
    }
    return MST_OK;
}

/* Encodes the used images. In a build without PNG the materials have only their colour. */
static mst_status plan_images(mst_gltf_plan *p, mst_parallel parallel, mst_diagnostic *diagnostic) {
    const mst_scene *scene = p->scene;
    for (size_t i = 0; i < scene->material_count; i++)
        for (unsigned t = 0; p->materials.index[i] >= 0 && t < MST_GLTF_TEXTURES; t++)
            mark(&p->images, image_for(&scene->materials[i], t));
    mst_status status = encode_images(p, parallel, diagnostic);
    if (status != MST_OK)
        return status;
    number_selection(&p->images);
    for (size_t i = 0; i < scene->material_count; i++) {
        if (p->materials.index[i] < 0)
            continue;
        p->unlit = p->unlit || scene->materials[i].unlit;
        for (unsigned t = 0; t < MST_GLTF_TEXTURES; t++) {
            int32_t image = texture_of(p, &scene->materials[i], t);
            if (image >= 0)
                p->image_samplers[image] |= 1u << sampler_of(&scene->materials[i]);
            p->specular = p->specular || (image >= 0 && t == MST_GLTF_SPECULAR);
        }
    }
    uint32_t textures = 0;
    for (size_t i = 0; i < scene->image_count; i++) {
        p->first_texture[i] = textures;
        textures += count_bits(p->image_samplers[i]);
        p->sampler_bits |= p->image_samplers[i];
    }
    return MST_OK;
}

/* Tangents for the primitives with a normal map. */
static bool plan_tangents(mst_gltf_plan *p) {
    for (size_t i = 0; i < p->primitive_count; i++) {
        mst_gltf_primitive *primitive = &p->primitives[i];
        const mst_primitive *source = primitive->source;
        if (!source->normals || !source->texcoords || !within(source->material, p->materials.count) ||
            texture_of(p, &p->scene->materials[source->material], MST_GLTF_NORMAL) < 0)
            continue;
        float *tangents = mst_arena_take(&p->arena, source->vertex_count, 4 * sizeof *tangents);
        if (!tangents)
            return false;
        mst_primitive_tangents(source, tangents);
        primitive->tangents = tangents;
        primitive->flags |= MST_GLTF_HAS_TANGENTS;
    }
    return true;
}

/* The skins of written nodes whose joints are also written. */
static bool plan_skins(mst_gltf_plan *p) {
    const mst_scene *scene = p->scene;
    p->skins = mst_arena_take(&p->arena, scene->skin_count, sizeof *p->skins);
    if (!p->skins)
        return false;
    for (size_t i = 0; i < scene->skin_count; i++) {
        const mst_skin *skin = &scene->skins[i];
        bool used = false, whole = skin->joint_count > 0 && skin->joint_count <= UINT16_MAX;
        for (size_t n = 0; n < scene->node_count; n++)
            used = used || (scene->nodes[n].skin == i + 1 && p->nodes.index[n] >= 0 &&
                            within(scene->nodes[n].mesh, scene->mesh_count));
        for (size_t k = 0; k < skin->joint_count; k++)
            whole =
                whole && within(skin->joints[k], scene->node_count) && p->nodes.index[skin->joints[k]] >= 0;
        p->skins[i] = used && whole ? (int32_t)p->skin_count++ : -1;
        if (p->skins[i] >= 0)
            p->view_size[MST_GLTF_VIEW_MATRIX] += 64 * (uint64_t)skin->joint_count;
    }
    for (size_t n = 0; n < scene->node_count; n++) { /* joints of a mesh without its skin are meaningless */
        int32_t mesh = scene->nodes[n].mesh;
        bool skinned = skin_of(p, &scene->nodes[n]) >= 0;
        if (!skinned || !within(mesh, scene->mesh_count))
            continue;
        for (size_t k = mesh ? p->mesh_ends[mesh - 1] : 0; k < p->mesh_ends[mesh]; k++)
            if (p->primitives[k].source->joints && p->primitives[k].source->weights)
                p->primitives[k].flags |= MST_GLTF_HAS_JOINTS;
    }
    return true;
}

/* The animations of nodes that are written. */
static void plan_animations(mst_gltf_plan *p) {
    for (size_t i = 0; i < p->animations.count; i++) {
        const mst_animation *animation = &p->scene->animations[i];
        for (size_t k = 0; k < animation->channel_count; k++) {
            const mst_channel *channel = &animation->channels[k];
            if (!channel_fits(p, animation, channel))
                continue;
            mark(&p->animations, (int32_t)i);
            p->view_size[view_of(channel)] += 4 * (uint64_t)channel->value_count * width_of(p, channel);
        }
        p->view_size[MST_GLTF_VIEW_TIME] += has_times(p, animation, true) ? 4 : 0;
        p->view_size[MST_GLTF_VIEW_TIME] +=
            has_times(p, animation, false) ? 4 * (uint64_t)animation->frame_count : 0;
    }
    number_selection(&p->animations);
}

/* Texture coordinates are written if they exist and a texture uses them. */
static void plan_sizes(mst_gltf_plan *p) {
    for (size_t i = 0; i < p->primitive_count; i++) {
        mst_gltf_primitive *primitive = &p->primitives[i];
        const mst_primitive *source = primitive->source;
        uint64_t vertices = primitive->vertex_count, indices = primitive->index_count;
        if (source->texcoords || is_textured(p, source->material) ||
            primitive->flags & MST_GLTF_HAS_NUMBERS) {
            primitive->flags |= MST_GLTF_HAS_TEXCOORDS;
            if (source->texcoords && within_range(source->texcoords, 2 * (size_t)vertices, -FLT_MAX, FLT_MAX))
                primitive->flags |= MST_GLTF_AS_IS_TEXCOORDS;
            p->view_size[MST_GLTF_VIEW_VECTOR2] +=
                vertices * (primitive->flags & MST_GLTF_HAS_NUMBERS ? 16 : 8);
        }
        p->view_size[MST_GLTF_VIEW_VECTOR3] += vertices * (primitive->flags & MST_GLTF_HAS_NORMALS ? 24 : 12);
        if (primitive->flags & MST_GLTF_HAS_TARGETS)
            p->view_size[MST_GLTF_VIEW_VECTOR3] += vertices * source->target_count * target_width(primitive);
        if (primitive->flags & MST_GLTF_HAS_COLORS)
            p->view_size[MST_GLTF_VIEW_VECTOR4] += vertices * 16;
        if (primitive->flags & MST_GLTF_HAS_TANGENTS)
            p->view_size[MST_GLTF_VIEW_VECTOR4] += vertices * 16;
        if (primitive->flags & MST_GLTF_HAS_JOINTS) {
            p->view_size[MST_GLTF_VIEW_VECTOR4] += vertices * 16;
            p->view_size[MST_GLTF_VIEW_JOINTS] += vertices * 8;
        }
        if (primitive->flags & MST_GLTF_WIDE_INDICES)
            p->view_size[MST_GLTF_VIEW_INDEX32] += indices * 4;
        else if (primitive->flags & MST_GLTF_HAS_INDICES)
            p->view_size[MST_GLTF_VIEW_INDEX16] += padded(indices * 2);
    }
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++)
        p->binary_size += p->view_size[view];
    for (size_t i = 0; i < p->images.count; i++)
        if (p->images.index[i] >= 0 && !p->image_folder)
            p->binary_size += padded(p->pictures[i].size);
}

const char *mst_gltf_safe_name(mst_gltf_plan *p, const char *name, const char *otherwise) {
    if (!name || !*name)
        return otherwise;
    char safe[NAME_LIMIT + 1];
    size_t length = 0;
    for (const char *c = name; *c && length < NAME_LIMIT; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     *c == '_' || *c == '-';
        if (plain)
            safe[length++] = *c;
        else if (((unsigned char)*c & 0xC0) != 0x80) /* one per UTF-8 character, not per byte */
            safe[length++] = '_';
    }
    safe[length] = 0;
    if (!length)
        return otherwise;
    return strcmp(safe, name) == 0 ? name : mst_arena_text(&p->arena, safe, length);
}

/* The required ending of an item's name; "": none. */
static const char *name_end(const mst_gltf_plan *p, const mst_gltf_selection *s, size_t index) {
    const mst_node *node = s == &p->nodes ? &p->scene->nodes[index] : NULL;
    if (!p->collision || !node || !within(node->mesh, p->scene->mesh_count))
        return "";
    return node->role == MST_ROLE_GEOMETRY ? "-col" : node->role == MST_ROLE_COLLISION ? "-colonly" : "";
}

/* A unique name. NULL: no memory. */
static const char *unique_name(mst_gltf_plan *p, mst_names *names, const char *safe, const char *end) {
    const char *own = mst_names_unique(names, safe, NAME_LIMIT - strlen(end));
    if (!own || !*end)
        return own;
    const char *whole = mst_arena_printf(&p->arena, "%s%s", own, end);
    return whole ? mst_names_unique(names, whole, NAME_LIMIT) : NULL;
}

static bool name_list(mst_gltf_plan *p, const list *of) {
    mst_gltf_selection *s = of->selection;
    mst_names names;
    mst_names_begin(&names, &p->arena);
    bool made = true;
    if (p->overview.there && (s == &p->nodes || s == &p->cameras)) /* it is the first */
        made = mst_names_unique(&names, "overview", NAME_LIMIT) != NULL;
    for (size_t i = 0; made && i < s->count; i++) {
        if (s->index[i] < 0)
            continue;
        /* Every item begins with its name, a node with its class second. */
        const char *const *texts =
            (const char *const *)(const void *)((const char *)of->items + i * of->item_size);
        const char *name = texts[0];
        if (s == &p->nodes && (!name || !*name))
            name = texts[1];
        const char *safe = mst_gltf_safe_name(p, name, of->otherwise);
        s->names[i] = safe ? unique_name(p, &names, safe, name_end(p, s, i)) : NULL;
        made = s->names[i] != NULL;
    }
    mst_names_end(&names);
    return made;
}

static bool plan_names(mst_gltf_plan *p, const list lists[LISTS]) {
    bool made = true;
    for (int k = 0; made && k < LISTS; k++)
        made = name_list(p, &lists[k]);
    return made;
}

/* Lists of children, in node order. A node whose parent does not precede it becomes a root. */
static void plan_tree(mst_gltf_plan *p) {
    p->first_root = -1;
    for (size_t i = 0; i < p->scene->node_count; i++)
        p->first_child[i] = -1;
    for (size_t i = p->scene->node_count; i-- > 0;) {
        if (p->nodes.index[i] < 0)
            continue;
        int32_t parent = p->scene->nodes[i].parent;
        if (p->scene->nodes[i].skin) /* joints place it: a parent would have no effect */
            parent = -1;
        int32_t *first = within(parent, i) ? &p->first_child[parent] : &p->first_root;
        p->next_sibling[i] = *first;
        *first = (int32_t)i;
    }
}

/* ---- lights ---- */

/* Viewers compute every light for every pixel, and their shaders support a few dozen: with hundreds they show
 * nothing, or a frame takes minutes. */

typedef struct candidate {
    double brightness;
    float range;
    size_t node;
} candidate;

/*
 * Equal on every machine: the colour is rounded to 14 bits and the weights are integers, so that the
 * luminance has 28 bits and its product with a 24-bit float is exact.
 */
static double brightness_of(const mst_light *light) {
    static const uint32_t weights[3] = {2126, 7152, 722}; /* of BT.709, which has the primaries of sRGB */
    uint32_t luminance = 0;
    for (int i = 0; i < 3; i++)
        luminance += weights[i] * (uint32_t)(clamped(light->color[i], 0, 1) * 16384.0F);
    return (double)intensity_of(light) * luminance;
}

/* Directional lights are first: they light everything, and lux cannot be compared with candela. */
static candidate candidate_of(const mst_scene *scene, size_t node) {
    const mst_light *light = &scene->lights[scene->nodes[node].light];
    const float range = range_of(light);
    candidate result = {
        .brightness = brightness_of(light), .range = range > 0 ? range : INFINITY, .node = node};
    if (light_kind_of(light) == MST_LIGHT_DIRECTIONAL && result.brightness > 0)
        result.brightness = INFINITY;
    return result;
}

static int brighter_first(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    if (a->brightness != b->brightness)
        return (a->brightness < b->brightness) - (a->brightness > b->brightness);
    if (a->range != b->range)
        return (a->range < b->range) - (a->range > b->range);
    return (a->node > b->node) - (a->node < b->node);
}

static bool plan_lights(mst_gltf_plan *p, int32_t max_lights) {
    const mst_scene *scene = p->scene;
    size_t count = 0, limit = max_lights > 0 ? (size_t)max_lights : max_lights ? 0 : MST_GLTF_LIGHTS;
    for (size_t i = 0; i < scene->node_count; i++)
        if (p->nodes.index[i] >= 0 && within(scene->nodes[i].light, scene->light_count))
            count++;
    candidate *candidates = mst_arena_take(&p->arena, count, sizeof *candidates);
    p->lit = mst_arena_zero(&p->arena, scene->node_count, sizeof *p->lit);
    if (!candidates || !p->lit)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        if (p->nodes.index[i] >= 0 && within(scene->nodes[i].light, scene->light_count))
            candidates[at++] = candidate_of(scene, i);
    if (count > limit && limit)
        qsort(candidates, count, sizeof *candidates, brighter_first);
    for (size_t i = 0; i < count && i < limit; i++) {
        p->lit[candidates[i].node] = true;
        p->light_list.index[scene->nodes[candidates[i].node].light] = 0;
    }
    p->lights_left_out = count > limit ? count - limit : 0;
    return true;
}

/* Passes on images that are to be in separate files. */
static mst_status write_images(mst_gltf_plan *p, const mst_gltf_images *images, mst_diagnostic *diagnostic) {
    for (size_t i = 0; i < p->images.count; i++) {
        char name[NAME_LIMIT + sizeof ".png"];
        if (p->images.index[i] < 0)
            continue;
        mst_buffer *picture = &p->pictures[i];
        size_t length = strlen(p->images.names[i]);
        memcpy(name, p->images.names[i], length);
        memcpy(name + length, ".png", sizeof ".png");
        mst_status status = images->write(images->user, name, picture->data, picture->size);
        if (status != MST_OK)
            return mst_fail(diagnostic, status, "the image %s could not be written", name);
        mst_buffer_free(picture);
        *picture = (mst_buffer){.allocator = p->arena.allocator};
    }
    return MST_OK;
}

static bool is_unseen(const mst_node *node) {
    return node->role == MST_ROLE_COLLISION || node->role == MST_ROLE_HELPER;
}

static bool is_body(const mst_gltf_plan *p, const mst_node *node) {
    return p->collision && node->role == MST_ROLE_COLLISION;
}

/* Whether the scene has meshes other than unseen ones. */
static bool has_more_than_unseen(const mst_scene *scene) {
    bool any = false;
    for (size_t i = 0; i < scene->node_count; i++) {
        bool mesh = within(scene->nodes[i].mesh, scene->mesh_count);
        if (mesh && !is_unseen(&scene->nodes[i]))
            return true;
        any = any || mesh;
    }
    return !any;
}

/* ---- all of it ---- */

mst_status mst_gltf_plan_make(mst_gltf_plan *p, const mst_scene *scene, const mst_gltf_options *options,
                              mst_diagnostic *diagnostic) {
    *p = (mst_gltf_plan){.scene = scene};
    p->editing = options && options->for_editing;
    p->collision = options && options->collision;
    p->extras = p->editing || !options || !options->no_extras;
    mst_arena_begin(&p->arena, options ? &options->allocator : NULL, 0);
    const mst_scene *opened = mst_gltf_open(scene, options, &p->arena);
    if (!opened) {
        p->lacks_memory = true;
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    }
    p->scene = scene = opened;
    list lists[LISTS];
    find_lists(p, lists);
    begin_selections(p, lists);
    p->mesh_ends = need(p, scene->mesh_count, sizeof *p->mesh_ends);
    p->targets = need(p, scene->mesh_count, sizeof *p->targets);
    p->image_samplers = need(p, scene->image_count, sizeof *p->image_samplers);
    p->first_texture = need(p, scene->image_count, sizeof *p->first_texture);
    p->first_child = need(p, scene->node_count, sizeof *p->first_child);
    p->next_sibling = need(p, scene->node_count, sizeof *p->next_sibling);
    p->pictures = need(p, scene->image_count, sizeof *p->pictures);
    if (p->lacks_memory)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    for (size_t i = 0; i < scene->image_count; i++)
        p->pictures[i].allocator = p->arena.allocator;
    bool visible = !p->editing && !(options && options->with_hidden) && has_more_than_unseen(scene);
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (node->hidden || (visible && is_unseen(node) && !is_body(p, node)) ||
            (within(node->parent, i) && p->nodes.index[node->parent] < 0))
            continue;
        mark(&p->nodes, (int32_t)i);
        mark(&p->meshes, scene->nodes[i].mesh);
        mark(&p->cameras, scene->nodes[i].camera);
    }
    bool overview = !p->editing && (!options || !options->no_overview);
    if (!plan_lights(p, p->editing ? MST_GLTF_ALL_LIGHTS
                        : options  ? options->max_lights
                                   : 0) ||
        !plan_meshes(p) || (overview && !mst_gltf_find_overview(p)))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    number_selection(&p->nodes);
    p->cameras.written = p->overview.there;
    number_selection(&p->cameras);
    number_selection(&p->light_list);
    plan_tree(p);
    mst_status status =
        options && options->for_editing ? mst_gltf_plan_editing(p, options->polygons, diagnostic) : MST_OK;
    if (status == MST_OK)
        status = plan_images(p, options ? options->parallel : (mst_parallel){NULL, NULL}, diagnostic);
    if (status != MST_OK)
        return status;
    if (!plan_tangents(p) || !plan_skins(p))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    plan_animations(p);
    const mst_gltf_images *images = options ? options->images : NULL;
    if (images)
        p->image_folder = images->folder ? images->folder : "";
    plan_sizes(p);
    if (options && options->lights_left_out)
        *options->lights_left_out = p->lights_left_out;
    if (!plan_names(p, lists))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    return images ? write_images(p, images, diagnostic) : MST_OK;
}

void mst_gltf_plan_end(mst_gltf_plan *p) {
    for (size_t i = 0; !p->lacks_memory && i < p->scene->image_count; i++)
        mst_buffer_free(&p->pictures[i]);
    mst_arena_end(&p->arena);
}
