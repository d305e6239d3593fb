/* SPDX-License-Identifier: MIT */
/* The plan of a glTF file, shared by the parts of the exporter. */
#ifndef MST_EXPORT_GLTF_PLAN_H
#define MST_EXPORT_GLTF_PLAN_H

#include "../core/arena.h"
#include "../core/output.h"
#include <mapstone/export.h>
#include <math.h>
#include <stdbool.h>

#define MST_GLTF_SAMPLER_COUNT 18u /* 3 * 3 wraps, 2 filters */

/* One buffer view per kind of element, with all accessors of that kind in order of use. */
enum {
    MST_GLTF_VIEW_VECTOR3,
    MST_GLTF_VIEW_VECTOR2,
    MST_GLTF_VIEW_VECTOR4,
    MST_GLTF_VIEW_INDEX16,
    MST_GLTF_VIEW_INDEX32,
    MST_GLTF_VIEW_JOINTS,
    MST_GLTF_VIEW_MATRIX,
    MST_GLTF_VIEW_TIME,
    MST_GLTF_VIEW_MOVEMENT3,
    MST_GLTF_VIEW_MOVEMENT4,
    MST_GLTF_VIEW_WEIGHT,
    MST_GLTF_VIEW_COUNT
};

enum {
    MST_GLTF_HAS_NORMALS = 1,
    MST_GLTF_HAS_TEXCOORDS = 2,
    MST_GLTF_HAS_COLORS = 4,
    MST_GLTF_HAS_INDICES = 8,
    MST_GLTF_WIDE_INDICES = 16,    /* 32 bits each */
    MST_GLTF_AS_IS_POSITIONS = 32, /* all values are finite: copied in one piece */
    MST_GLTF_AS_IS_NORMALS = 64,
    MST_GLTF_AS_IS_TEXCOORDS = 128,
    MST_GLTF_AS_IS_COLORS = 256,
    MST_GLTF_AS_IS_INDICES = 512,
    MST_GLTF_HAS_TANGENTS = 1024,
    MST_GLTF_HAS_JOINTS = 2048,
    MST_GLTF_HAS_TARGETS = 4096, /* all primitives of the mesh have them */
    MST_GLTF_HAS_NUMBERS = 8192  /* for editing: of elements and vertices, as texture coordinates */
};

typedef struct mst_gltf_primitive {
    const mst_primitive *source;
    uint32_t vertex_count, index_count; /* as written */
    unsigned flags;
    float minimum[3], maximum[3];
    const float *tangents; /* 4 each, where a normal map needs them */
    const float *numbers;  /* 2 each: MST_GLTF_HAS_NUMBERS */
} mst_gltf_primitive;

/* The written items of one list of the scene: `index` is the index in the file, -1 if left out. */
typedef struct mst_gltf_selection {
    int32_t *index;
    const char **names; /* safe and unique */
    size_t count, written;
} mst_gltf_selection;

/* A camera that is not in the scene; its node is a root. */
#define MST_GLTF_OVERVIEW_FOV 0.8F
typedef struct mst_gltf_overview {
    bool there;
    float position[3], rotation[4], near_plane;
} mst_gltf_overview;

typedef struct mst_gltf_plan {
    mst_arena arena;
    const mst_scene *scene;
    bool extras;
    bool editing;          /* the file is to be edited and imported again */
    uint8_t *stands;       /* then for each node: mst_node_meaning (scene/elements.h) */
    const char **surfaces; /* and for each mesh of the scene its surface as a text; NULL: not compared */
    bool lacks_memory;     /* an allocation failed */
    mst_gltf_selection nodes, meshes, materials, images, light_list, cameras, animations;
    mst_gltf_primitive *primitives; /* of all written meshes, consecutively */
    size_t *mesh_ends;              /* for each mesh of the scene: the end of its primitives */
    uint32_t *targets;              /* for each mesh of the scene: the number written */
    bool *lit;                      /* for each node: whether its light is written */
    size_t lights_left_out;
    int32_t *first_child, *next_sibling;
    int32_t first_root;
    mst_buffer *pictures;     /* encoded, for each image of the scene; empty after they are written */
    const char *image_folder; /* NULL: they are in the binary part */
    uint32_t *image_samplers; /* per image: bits of the samplers used with it */
    uint32_t *first_texture;  /* of each image */
    uint32_t sampler_bits;
    bool unlit, specular;
    bool collision;    /* names tell Godot where to make bodies */
    int32_t *skins;    /* for each skin of the scene its index in the file, -1 if it is left out */
    size_t skin_count; /* number of written skins */
    mst_gltf_overview overview;
    uint64_t view_size[MST_GLTF_VIEW_COUNT];
    uint64_t binary_size;
    size_t primitive_count;
} mst_gltf_plan;

static inline bool within(int32_t index, size_t count) {
    return index >= 0 && (size_t)index < count;
}

static inline uint64_t padded(uint64_t size) {
    return (size + 3) & ~UINT64_C(3);
}

static inline uint32_t count_bits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static inline float clamped(float value, float low, float high) {
    return isnan(value) || value < low ? low : value > high ? high : value;
}

static inline float finite_or(float value, float otherwise) {
    return isfinite(value) ? value : otherwise;
}

/* The values of a light as written, sanitised. */
static inline mst_light_kind light_kind_of(const mst_light *light) {
    return (unsigned)light->kind < 3 ? light->kind : MST_LIGHT_POINT;
}

static inline float intensity_of(const mst_light *light) {
    return light->intensity > 0 ? finite_or(light->intensity, 0) : 0;
}

/* 0: unlimited */
static inline float range_of(const mst_light *light) {
    bool limited = light_kind_of(light) != MST_LIGHT_DIRECTIONAL && light->range > 0;
    return limited ? finite_or(light->range, 0) : 0;
}

static inline uint32_t sampler_of(const mst_material *material) {
    uint32_t s = (uint32_t)material->wrap_s % 3, t = (uint32_t)material->wrap_t % 3;
    return (s * 3 + t) * 2 + (material->nearest ? 1 : 0);
}

/* Triangles with indices out of range or repeated corners are left out. */
static inline bool triangle_fits(const uint32_t *triangle, uint32_t vertex_count) {
    return triangle[0] < vertex_count && triangle[1] < vertex_count && triangle[2] < vertex_count &&
           triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0];
}

/* Bytes of a vertex in each target. */
static inline uint64_t target_width(const mst_gltf_primitive *primitive) {
    return primitive->flags & MST_GLTF_HAS_NORMALS && primitive->source->target_normals ? 24 : 12;
}

/* The textures of a material. */
#define MST_GLTF_TEXTURES 4u
enum { MST_GLTF_BASE_COLOR, MST_GLTF_NORMAL, MST_GLTF_EMISSIVE, MST_GLTF_SPECULAR };

/* The image of one of these textures, -1 if none. */
static inline int32_t image_for(const mst_material *material, unsigned which) {
    const uint32_t others[] = {0, material->normal_texture, material->emissive_texture,
                               material->specular_texture};
    return which == MST_GLTF_BASE_COLOR ? material->image : (int32_t)(others[which] - 1);
}

/* The written image of one of these textures, -1 if none. */
static inline int32_t texture_of(const mst_gltf_plan *p, const mst_material *material, unsigned which) {
    int32_t image = image_for(material, which);
    return within(image, p->images.count) && p->images.index[image] >= 0 ? image : -1;
}

/* Whether a written material shows a texture. */
static inline bool is_textured(const mst_gltf_plan *p, int32_t material) {
    bool any = false;
    for (unsigned t = 0; t < MST_GLTF_TEXTURES && within(material, p->materials.count); t++)
        any = any || texture_of(p, &p->scene->materials[material], t) >= 0;
    return any;
}

/* The number of components of one of its values. */
static inline uint32_t width_of(const mst_gltf_plan *p, const mst_channel *channel) {
    if (channel->kind != MST_MORPHS)
        return channel->kind == MST_TURNS ? 4 : 3;
    int32_t mesh = p->scene->nodes[channel->node].mesh;
    return within(mesh, p->meshes.count) ? p->targets[mesh] : 0;
}

static inline int view_of(const mst_channel *channel) {
    return channel->kind == MST_MORPHS  ? MST_GLTF_VIEW_WEIGHT
           : channel->kind == MST_TURNS ? MST_GLTF_VIEW_MOVEMENT4
                                        : MST_GLTF_VIEW_MOVEMENT3;
}

/* Whether a channel of an animation is written. */
static inline bool channel_fits(const mst_gltf_plan *p, const mst_animation *animation,
                                const mst_channel *channel) {
    return within(channel->node, p->nodes.count) && p->nodes.index[channel->node] >= 0 && channel->values &&
           (unsigned)channel->kind <= MST_MORPHS && width_of(p, channel) &&
           (channel->value_count == 1 || channel->value_count == animation->frame_count);
}

/* Whether the file has times for an animation: of its frames, or (`one`) the first one for constant
 * channels. */
static inline bool has_times(const mst_gltf_plan *p, const mst_animation *animation, bool one) {
    bool any = false;
    for (size_t i = 0; i < animation->channel_count; i++)
        any = any || (channel_fits(p, animation, &animation->channels[i]) &&
                      (animation->channels[i].value_count == 1) == one);
    return any;
}

static inline float time_of(const mst_animation *animation, uint32_t frame) {
    float rate = animation->frame_rate;
    return (float)((double)frame / (rate >= 0.01F && rate <= 1000 ? (double)rate : 30));
}

/* The index in the file of a node's skin, -1 if none. */
static inline int32_t skin_of(const mst_gltf_plan *p, const mst_node *node) {
    return within((int32_t)(node->skin - 1), p->scene->skin_count) ? p->skins[node->skin - 1] : -1;
}

/* Integers that a 32-bit reader would truncate. */
static inline bool mst_gltf_is_wide(double value) {
    return isfinite(value) && value == trunc(value) && fabs(value) >= 2147483648.0 && fabs(value) < 1e15;
}

/* Determines the meaning of nodes, numbers the vertices, and makes polygons of triangles if requested.
 * MST_NO_MEMORY, or MST_UNSUPPORTED: the level has more elements than 32-bit floats can count. */
mst_status mst_gltf_plan_editing(mst_gltf_plan *p, bool polygons, mst_diagnostic *diagnostic);

/* Makes the plan; end it in any case. MST_NO_MEMORY, or an image that cannot be encoded. */
mst_status mst_gltf_plan_make(mst_gltf_plan *p, const mst_scene *scene, const mst_gltf_options *options,
                              mst_diagnostic *diagnostic);
void mst_gltf_plan_end(mst_gltf_plan *p);
/* The name with every character outside [A-Za-z0-9_-] replaced, cut to 63 bytes; `otherwise` if it is empty.
 * NULL: no memory. */
const char *mst_gltf_safe_name(mst_gltf_plan *p, const char *name, const char *otherwise);
/* Finds a camera position that shows all written nodes. False: no memory. */
bool mst_gltf_find_overview(mst_gltf_plan *p);

#endif
