/* SPDX-License-Identifier: MIT */
/*
 * Building a scene: a builder owns the memory, formats add to it, mst_scene_finish hands out the result.
 * Every add returns the index, or -1 after a failure; the first failure is kept, and everything after it
 * does nothing, so that callers check once.
 */
#ifndef MST_SCENE_BUILD_H
#define MST_SCENE_BUILD_H

#include "../core/arena.h"
#include <mapstone/scene.h>

typedef struct mst_scene_builder {
    mst_arena arena; /* everything the scene points at; formats may take from it */
    mst_status status;
    mst_array nodes, meshes, materials, images, lights, cameras;
} mst_scene_builder;

void mst_scene_begin(mst_scene_builder *builder, const mst_allocator *allocator, size_t budget);

/* A node with identity transform, no mesh, light or camera; the text is copied. NULL texts are "". */
int32_t mst_scene_add_node(mst_scene_builder *builder, int32_t parent, const char *name, mst_role role);
/* The node, to be filled in; valid until the next node is added. NULL after a failure. */
mst_node *mst_scene_node(mst_scene_builder *builder, int32_t index);

/* The struct is copied; what it points at must be in the builder's arena (or be constant). */
int32_t mst_scene_add_mesh(mst_scene_builder *builder, const mst_mesh *mesh);
int32_t mst_scene_add_material(mst_scene_builder *builder, const mst_material *material);
int32_t mst_scene_add_image(mst_scene_builder *builder, const mst_image *image);
int32_t mst_scene_add_light(mst_scene_builder *builder, const mst_light *light);
int32_t mst_scene_add_camera(mst_scene_builder *builder, const mst_camera *camera);

/* A picture for materials whose texture is not at hand: a light grid with a mark in its upper left corner, so
 * that scale, direction and mirroring can be seen. Materials tint it by their colour. */
int32_t mst_scene_add_placeholder(mst_scene_builder *builder);

/* A cube from -0.5 to 0.5 with flat normals, of one material. */
int32_t mst_scene_add_cube(mst_scene_builder *builder, const char *name, int32_t material);

/* Gives texels that are wholly transparent the colour of those around them: filters and smaller copies mix it
 * in. False: no memory. */
bool mst_image_bleed(uint8_t *pixels, uint32_t width, uint32_t height, const mst_allocator *allocator);
/* The same for copies of all images that no opaque material shows, whose colours are seen wherever they are.
 * For mst_scene_finish, once references hold. */
bool mst_scene_bleed(mst_scene_builder *builder);

/* Extras: begin, add, and store the result in a node or material. Values that do not fit (integers beyond
 * int32) become reals, or text when a double cannot hold them; NaN and infinities become text. A name
 * given twice gets "_2" and so on. */
typedef struct mst_extras_builder {
    mst_scene_builder *scene;
    mst_array items;
    const mst_extra *like; /* NULL, or extras of which the names are taken */
    size_t like_count;
    mst_extra *places; /* as many */
} mst_extras_builder;
void mst_extras_begin(mst_extras_builder *extras, mst_scene_builder *scene);
/* For many things that are alike: the values, in the same order, get the names that `like` has, which are
 * unique already. What is given as a name is not looked at. */
void mst_extras_begin_like(mst_extras_builder *extras, mst_scene_builder *scene, const mst_extras *like);
void mst_extras_text(mst_extras_builder *extras, const char *name, const char *text, size_t length);
void mst_extras_integer(mst_extras_builder *extras, const char *name, int64_t value);
void mst_extras_real(mst_extras_builder *extras, const char *name, double value);
mst_extras mst_extras_end(mst_extras_builder *extras);

/*
 * Makes names unique: the first of a kind stays, the next ones get "_2", "_3" and so on. The texts it makes
 * are in the arena; the table is given back by mst_names_end.
 */
typedef struct mst_names {
    mst_arena *arena;
    struct mst_name_entry *entries;
    size_t count, capacity;
} mst_names;
void mst_names_begin(mst_names *names, mst_arena *arena);
/* The text itself (which must live as long as the table) or one with a suffix, of at most `limit` bytes if
 * that is not 0 (the text must not be longer, the limit at least 16). NULL if there is no memory. */
const char *mst_names_unique(mst_names *names, const char *text, size_t limit);
void mst_names_end(mst_names *names);

/*
 * Gives the scene; `settings` supplies name, format, extras, unit_metres, grid_step, symbolic, pictured,
 * storeys and map (the rest of it is ignored); what its map and storeys point at must be in the builder's
 * arena. Ends the builder in every case.
 */
mst_status mst_scene_finish(mst_scene_builder *builder, const mst_scene *settings, mst_scene **scene);
/* Ends the builder without a scene. */
void mst_scene_abandon(mst_scene_builder *builder);

#endif
