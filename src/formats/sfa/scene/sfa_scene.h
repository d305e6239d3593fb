/* SPDX-License-Identifier: MIT */
/*
 * Scenes of Star Fox Adventures. A block is converted to meshes once and placed for each cell that refers to
 * it: a node with one child for each pass, one for hidden parts and one for collision.
 */
#ifndef MST_SFA_SCENE_SFA_SCENE_H
#define MST_SFA_SCENE_SFA_SCENE_H

#include "../../../scene/work.h"
#include "../block/block.h"
#include "../textures/texture.h"

#define MST_SFA_BLOCK_EDGE 640.0F                    /* units */
#define MST_SFA_METRES     0.1                       /* per unit: a person is about 20 units tall */
#define MST_SFA_BANK_BLOCK "blocks[%u].packed.block" /* path of a block in a bank, by its index */

/* ---- textures ------------------------------------------------------------------------------------ */

typedef struct mst_sfa_scene_texture {
    uint64_t content, content_size; /* of its first frame in the parsed bank; size 0: absent */
    bool tried;
    int32_t image; /* in the scene; -1: none */
    mst_wrap wrap_s, wrap_t;
    bool nearest;
} mst_sfa_scene_texture;

/* The textures of a directory, decoded on first use. */
typedef struct mst_sfa_scene_textures {
    mst_document *bank;    /* NULL: missing or unusable */
    mst_array entries;     /* mst_sfa_scene_texture */
    size_t first_material; /* index of the first material of blocks that use them */
    char directory[32];    /* "": the level's directory */
    char state[160];       /* describes what was found, for extras */
} mst_sfa_scene_textures;

/* ---- shared state -------------------------------------------------------------------------------- */

#define MST_SFA_SHADERS_MAX 64 /* as many as a stream can select */

/* The materials of a stream's shaders, made on first use; shaders with the same material count as one. */
typedef struct mst_sfa_stream_shaders {
    int32_t materials[MST_SFA_SHADERS_MAX + 1][2]; /* without and with texcoords; -1: not yet made */
    uint8_t same[MST_SFA_SHADERS_MAX + 1][2];      /* the first shader with the same material */
    uint8_t seen[MST_SFA_SHADERS_MAX + 1][32];     /* a bit for each list drawn with it */
    bool begun[MST_SFA_SHADERS_MAX + 1][2];        /* whether one has been drawn */
} mst_sfa_stream_shaders;

/* In scratch memory: too much for the stack. */
typedef struct mst_sfa_scene_work {
    mst_scene_builder *build;
    mst_scene_options options;
    uint64_t size; /* of the level and all opened sidecars: determines the memory limit */
    mst_names material_names;
    mst_array materials; /* made from shaders */
    int32_t surface_materials[256];
    float linear[16];              /* linear value of a 4-bit colour component */
    mst_sfa_block block;           /* the block being made */
    mst_scene_source source;       /* of that block */
    double drawn[2], collision[2]; /* of that block: twice the areas that face up, and down */
    mst_sfa_stream_shaders stream_shaders;
    mst_diagnostic why; /* the last sidecar could not be opened */
    /* scratch, reused for each mesh */
    mst_array draws, table, positions, texcoords, colors, indices, corners, elements, remap;
} mst_sfa_scene_work;

/* `size`: of the level's files. */
void mst_sfa_scene_work_begin(mst_sfa_scene_work *w, mst_scene_builder *build,
                              const mst_scene_options *options, uint64_t size);
void mst_sfa_scene_work_end(mst_sfa_scene_work *w);

/* Finds a file next to the level ("") or in a directory below ("animtest"); false if it is missing. */
bool mst_sfa_scene_find(const mst_sfa_scene_work *w, const char *directory, const char *name,
                        const void **bytes, size_t *size);
/* Opens such a file as a document of a format; the other file of a pair is found in the same directory. NULL
 * if it is missing or cannot be read, and `state` (may be NULL) receives the reason ("" on success). */
mst_document *mst_sfa_scene_open(mst_sfa_scene_work *w, const char *directory, const char *name,
                                 const char *format, char *state, size_t capacity);

/* Opens TEX1 of a directory ("": the level's). Always requires a call of _end, after which decoded images
 * stay valid. */
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

/* The meshes of a block; pointers are owned by the scene. */
typedef struct mst_sfa_scene_block {
    bool usable; /* false: its bytes could not be decoded */
    const char *name;
    mst_scene_source source;
    int32_t meshes[MST_SFA_PASSES]; /* -1: none */
    mst_extras extras[MST_SFA_PASSES];
    mst_extras block_extras;
    const mst_sfa_scene_surface *surfaces;
    size_t surface_count;
} mst_sfa_scene_block;

/* Makes the meshes of a block from its image; `source` is its record. */
void mst_sfa_scene_block_make(mst_sfa_scene_work *w, const uint8_t *image, uint64_t size,
                              const mst_scene_source *source, mst_sfa_scene_textures *textures,
                              mst_sfa_scene_block *made);
/* Adds a node with these meshes and returns it; its parts are on layers by their kind. */
int32_t mst_sfa_scene_block_place(mst_sfa_scene_work *w, int32_t parent, const char *name,
                                  const float position[3], const mst_sfa_scene_block *made);

/* Adds a label that pictures show at a place. */
void mst_sfa_scene_label(mst_sfa_scene_work *w, int32_t parent, const char *text, float x, float z);

/* ---- scenes -------------------------------------------------------------------------------------- */

mst_status mst_sfa_block_scene(const mst_document *document, const mst_scene_options *options,
                               mst_scene **scene, mst_diagnostic *diagnostic);
mst_status mst_sfa_blocks_scene(const mst_document *document, const mst_scene_options *options,
                                mst_scene **scene, mst_diagnostic *diagnostic);
/* One map, or the world. */
mst_status mst_sfa_maps_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic);

/* A document's name without its extension. */
void mst_sfa_scene_name(const mst_document *document, char *name, size_t capacity);

#endif
