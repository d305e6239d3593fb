/* SPDX-License-Identifier: MIT */
/* The materials and meshes of a block's scene. */
#ifndef MST_SFA_SCENE_MESHES_H
#define MST_SFA_SCENE_MESHES_H

#include "sfa_scene.h"

extern const char *const mst_sfa_pass_names[MST_SFA_PASSES];

/* The path of a list in the block being made. */
const char *mst_sfa_scene_part_path(mst_sfa_scene_work *w, const char *list);

/* ---- materials ----------------------------------------------------------------------------------- */

/* Equal shaders with the same textures become one material. */
typedef struct mst_sfa_material_key {
    uint8_t shader[MST_SFA_SHADER];
    uint32_t textures[4]; /* numbers in the bank */
    uint8_t pass, textured, lone;
} mst_sfa_material_key;

typedef struct mst_sfa_material {
    uint32_t hash;
    int32_t index;
    mst_sfa_material_key key;
} mst_sfa_material;

/* The material of a shader, made on first use; for a shader that does not exist: the material of parts
 * without one. */
int32_t mst_sfa_scene_material(mst_sfa_scene_work *w, const mst_sfa_block *block,
                               mst_sfa_scene_textures *textures, unsigned shader, unsigned pass,
                               bool textured);
/* The material of collision on a surface, made on first use, and the surface's name. */
int32_t mst_sfa_scene_surface_material(mst_sfa_scene_work *w, unsigned surface);
void mst_sfa_scene_surface_name(unsigned surface, char name[32]);

/* ---- meshes -------------------------------------------------------------------------------------- */

/* A list drawn by a pass. */
typedef struct mst_sfa_draw {
    uint8_t list, pass;
    bool water; /* ignores the alpha of vertex colours */
    bool textured;
    bool leads; /* is the first draw of its material */
    int32_t material;
} mst_sfa_draw;

typedef struct mst_sfa_vertex_slot {
    uint64_t key; /* position, colour, texcoord; plus 1, as 0 is an empty slot */
    uint32_t vertex;
} mst_sfa_vertex_slot;

/* The triangles of all draws with the material of draw `first`; false: none. */
bool mst_sfa_scene_make_drawn(mst_sfa_scene_work *w, const mst_sfa_block *block, size_t first,
                              mst_primitive *primitive, uint64_t *dropped);
/* The maximum number of collision polygons of each surface. Returns the number of surfaces that have any. */
size_t mst_sfa_scene_count_surfaces(const mst_sfa_block *block, uint32_t polygons[256]);
/* The collision polygons of a surface, at most `polygons`; false: none. */
bool mst_sfa_scene_make_surface(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned surface,
                                uint32_t polygons, mst_primitive *primitive, uint64_t *dropped);

#endif
