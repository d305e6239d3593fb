/* SPDX-License-Identifier: MIT */
/*
 * Scenes of Star Fox Adventures. A block becomes meshes once and is placed as often as cells name it: a node
 * with one child for each pass, one for what is hidden and one for its collision.
 */
#ifndef MST_SFA_SCENE_H
#define MST_SFA_SCENE_H

#include "../../scene/build.h"
#include "block.h"
#include "texture.h"

#define MST_SFA_BLOCK_EDGE 640.0F /* units */
#define MST_SFA_METRES     0.1F   /* of a unit: a person is about 20 of them high */

/* ---- textures ------------------------------------------------------------------------------------ */

typedef struct mst_sfa_scene_texture {
    uint64_t content, content_size; /* of its first picture in the bank's form; size 0: there is none */
    bool tried;
    int32_t image; /* in the scene; -1: none */
    mst_wrap wrap_s, wrap_t;
    bool nearest;
} mst_sfa_scene_texture;

/* The textures of a directory, decoded when they are first asked for. */
typedef struct mst_sfa_scene_textures {
    mst_document *bank;    /* NULL: not there, or none that can be used */
    mst_array entries;     /* mst_sfa_scene_texture */
    size_t first_material; /* materials of blocks that use them begin there */
    char directory[32];    /* "" beside the level */
    char state[160];       /* what was found, for extras */
} mst_sfa_scene_textures;

/* ---- work ---------------------------------------------------------------------------------------- */

typedef struct mst_sfa_scene_work {
    mst_scene_builder *build;
    mst_allocator allocator;
    const mst_resolver *sidecars; /* NULL: none */
    mst_names material_names;
    mst_array materials; /* that were made of shaders */
    int32_t surface_materials[256];
    float linear[16]; /* of a nibble of a colour */
    /* for one mesh after the other */
    mst_array draws, table, positions, texcoords, colors, indices, corners, remap;
} mst_sfa_scene_work;

void mst_sfa_scene_work_begin(mst_sfa_scene_work *w, mst_scene_builder *build,
                              const mst_scene_options *options);
void mst_sfa_scene_work_end(mst_sfa_scene_work *w);
/* Notes that memory is short. */
void mst_sfa_scene_fail(mst_sfa_scene_work *w);
/* A text of the scene's own, of at most 159 bytes; "" if memory is short, which is noted. */
const char *mst_sfa_scene_text(mst_scene_builder *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Finds a file beside the level, or ("animtest") in a directory below; false if there is none. */
bool mst_sfa_scene_find(const mst_sfa_scene_work *w, const char *directory, const char *name,
                        const void **bytes, size_t *size);
/* Opens one as a document of a format, which finds the other file of a pair in the same place; NULL if it is
 * not there or cannot be read, and why is in `state` ("" if it was opened). */
mst_document *mst_sfa_scene_open(const mst_sfa_scene_work *w, const char *directory, const char *name,
                                 const char *format, char *state, size_t capacity);

/* Opens TEX1 of a directory ("": beside the level). End it in every case; images stay. */
void mst_sfa_scene_textures_begin(mst_sfa_scene_work *w, const char *directory,
                                  mst_sfa_scene_textures *textures);
void mst_sfa_scene_textures_end(mst_sfa_scene_textures *textures);

/* ---- blocks -------------------------------------------------------------------------------------- */

enum {
    MST_SFA_PASS_OPAQUE,
    MST_SFA_PASS_TRANSPARENT,
    MST_SFA_PASS_WATER,
    MST_SFA_PASS_HIDDEN,
    MST_SFA_PASSES
};

typedef struct mst_sfa_scene_surface {
    unsigned surface;
    int32_t mesh;
} mst_sfa_scene_surface;

/* A block as meshes; what it points at is the scene's. */
typedef struct mst_sfa_scene_block {
    bool usable; /* false: its bytes are not understood */
    const char *name;
    int32_t meshes[MST_SFA_PASSES]; /* -1: none */
    mst_extras extras[MST_SFA_PASSES];
    mst_extras block_extras;
    const mst_sfa_scene_surface *surfaces;
    size_t surface_count;
} mst_sfa_scene_block;

/* Makes the meshes of a block's image. */
void mst_sfa_scene_block_make(mst_sfa_scene_work *w, const uint8_t *image, uint64_t size,
                              mst_sfa_scene_textures *textures, mst_sfa_scene_block *made);
/* A node of them, which is returned; its parts are on layers by what they are. */
int32_t mst_sfa_scene_block_place(mst_sfa_scene_work *w, int32_t parent, const char *name,
                                  const float place[3], const mst_sfa_scene_block *made);

/* Text that pictures write at a place. */
void mst_sfa_scene_label(mst_sfa_scene_work *w, int32_t parent, const char *text, float x, float z);

/* ---- scenes -------------------------------------------------------------------------------------- */

mst_status mst_sfa_block_scene(const mst_document *document, const mst_scene_options *options,
                               mst_scene **scene, mst_diagnostic *diagnostic);
mst_status mst_sfa_blocks_scene(const mst_document *document, const mst_scene_options *options,
                                mst_scene **scene, mst_diagnostic *diagnostic);
/* One map, or the world. */
mst_status mst_sfa_maps_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic);

/* Arrows between objects that are linked (mst_map_line); NULL if there are none. */
const mst_map *mst_sfa_scene_links(mst_scene_builder *build, const mst_array *lines);
/* The bytes that a scene may take. */
size_t mst_sfa_scene_budget(const mst_scene_options *options, uint64_t size);
/* The scene of a builder, which it ends. */
mst_status mst_sfa_scene_finish(mst_scene_builder *build, const mst_scene *settings, mst_scene **scene,
                                mst_diagnostic *diagnostic);
/* A document's name without its ending. */
void mst_sfa_scene_name(const mst_document *document, char *name, size_t capacity);

#endif
