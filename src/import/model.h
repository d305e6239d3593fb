/* SPDX-License-Identifier: MIT */
/* A model that was read from a glTF file: the parts that an import uses. */
#ifndef MST_IMPORT_MODEL_H
#define MST_IMPORT_MODEL_H

#include "../core/arena.h"
#include "../core/json.h"
#include <mapstone/document.h>
#include <mapstone/scene.h>

/* Triangles of one material, always with indices. */
typedef struct mst_model_primitive {
    int32_t material;
    uint32_t vertex_count, index_count; /* a multiple of 3; all indices are valid */
    const float *positions;             /* 3 each */
    const float *texcoords[2];          /* 2 each; NULL: there are none */
    const uint32_t *indices;
    uint32_t extras; /* node of the JSON; 0: none */
} mst_model_primitive;

typedef struct mst_model_mesh {
    const mst_model_primitive *primitives;
    size_t primitive_count;
    uint32_t extras; /* node of the JSON; 0: none */
} mst_model_mesh;

typedef struct mst_model_material {
    const char *name;
    uint32_t extras; /* node of the JSON; 0: none */
    unsigned texcoord;
    double transform[6]; /* of texture coordinates: u = [0] s + [1] t + [2], v = [3] s + [4] t + [5] */
} mst_model_material;

typedef struct mst_model_light {
    mst_light_kind kind;
    double color[3], intensity, range, inner_angle, outer_angle; /* range 0: unlimited */
} mst_model_light;

typedef struct mst_model_node {
    const char *name;
    uint32_t extras;
    int32_t parent, mesh, light; /* -1: none */
    bool shown;                  /* it is in the scene */
    double world[16];            /* column by column */
} mst_model_node;

typedef struct mst_model {
    mst_arena arena;
    mst_json json;
    uint32_t extras; /* of the scene; 0: none */
    const char *generator;
    mst_model_node *nodes;
    size_t node_count;
    mst_model_mesh *meshes;
    size_t mesh_count;
    mst_model_material *materials;
    size_t material_count;
    mst_model_light *lights;
    size_t light_count;
    bool has_lights; /* it has a list of lights, which may be empty */
} mst_model;

/* Extras of an item by name; 0 if it has none. */
static inline uint32_t mst_model_extra(const mst_model *model, uint32_t extras, const char *name) {
    return extras ? mst_json_find(&model->json, extras, name, strlen(name)) : 0;
}

/* The same if it is a text; else NULL. */
static inline const mst_json_node *mst_model_text(const mst_model *model, uint32_t extras, const char *name) {
    const uint32_t at = mst_model_extra(model, extras, name);
    return at && model->json.nodes[at].kind == MST_JSON_STRING ? &model->json.nodes[at] : NULL;
}

/* Whether it is this text. */
static inline bool mst_model_says(const mst_model *model, uint32_t extras, const char *name,
                                  const char *word) {
    const mst_json_node *text = mst_model_text(model, extras, name);
    return text && mst_is_word(text, word);
}

/* Whether a node was exported from the level. */
static inline bool mst_is_exported(const mst_model *model, const mst_model_node *node) {
    return mst_model_extra(model, node->extras, "role") || mst_model_extra(model, node->extras, "path");
}

/*
 * Reads glTF 2.0 (.glb, or .gltf with its buffers, which `beside` finds; may be NULL). `bytes` must live as
 * long as the model. End it in any case. Images, skins, animations, cameras and morph targets are not read.
 * `report` (may be NULL) receives parts that are left out. MST_DAMAGED, with a code; MST_UNSUPPORTED: an
 * extension, or another kind of content, that the diagnosis names.
 */
mst_status mst_model_read(mst_model *model, const void *bytes, size_t size, const mst_resolver *beside,
                          const mst_allocator *allocator, mst_report_function report, void *user,
                          mst_diagnostic *diagnostic);
void mst_model_end(mst_model *model);

#endif
