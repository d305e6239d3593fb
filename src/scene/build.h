/* SPDX-License-Identifier: MIT */
/*
 * Building a scene: a builder owns the memory, formats add to it, mst_scene_finish returns the result. Every
 * add returns the index, or -1 after a failure. The first failure is kept and later calls do nothing, so that
 * callers check once.
 */
#ifndef MST_SCENE_BUILD_H
#define MST_SCENE_BUILD_H

#include "../core/arena.h"
#include "../core/map.h"
#include <mapstone/scene.h>

typedef struct mst_scene_builder {
    mst_arena arena;   /* everything the scene points to */
    mst_arena scratch; /* freed when the scene is finished */
    mst_status status;
    mst_array nodes, meshes, materials, images, lights, cameras;
} mst_scene_builder;

void mst_scene_begin(mst_scene_builder *builder, const mst_allocator *allocator, size_t budget);

static inline bool mst_scene_ok(const mst_scene_builder *builder) {
    return builder->status == MST_OK;
}
/* Records that memory ran out. */
void mst_scene_fail(mst_scene_builder *builder);
/* Zeroed memory of the scene, or for the duration of building; NULL after a failure. */
void *mst_scene_take(mst_scene_builder *builder, uint64_t count, size_t size);
void *mst_scene_scratch(mst_scene_builder *builder, uint64_t count, size_t size);
/* A copy of elements in the scene's memory. */
void *mst_scene_copy(mst_scene_builder *builder, const void *items, uint64_t count, size_t size);
/* A growing array, to be freed before the scene is finished, and uninitialised elements appended to one. */
mst_array mst_scene_array(const mst_scene_builder *builder, size_t element_size);
void *mst_scene_push(mst_scene_builder *builder, mst_array *array, uint64_t n);
/* A copy in the scene's memory; "" after a failure. */
const char *mst_scene_text(mst_scene_builder *builder, const char *text, size_t length);
const char *mst_scene_printf(mst_scene_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A node with identity transform, no mesh, light or camera; the text is copied. NULL texts are "". */
int32_t mst_scene_add_node(mst_scene_builder *builder, int32_t parent, const char *name, mst_role role);
/* The node, for the caller to fill in; valid until the next node is added. NULL after a failure. */
mst_node *mst_scene_node(mst_scene_builder *builder, int32_t index);

/* Sets the source of a node. The path (of a list, unless `element` is MST_NO_INDEX) and the file (NULL: the
 * parent's) must live as long as the scene. */
void mst_scene_set_source(mst_scene_builder *builder, int32_t index, const char *file, const char *path,
                          uint64_t element);
/* The struct is copied; its pointers must be into the builder's arena or to constants. */
int32_t mst_scene_add_mesh(mst_scene_builder *builder, const mst_mesh *mesh);
int32_t mst_scene_add_material(mst_scene_builder *builder, const mst_material *material);
int32_t mst_scene_add_image(mst_scene_builder *builder, const mst_image *image);
int32_t mst_scene_add_light(mst_scene_builder *builder, const mst_light *light);
int32_t mst_scene_add_camera(mst_scene_builder *builder, const mst_camera *camera);

/* An image for materials whose texture is missing: a light grid with a mark in its upper left corner, so that
 * scale, direction and mirroring can be seen. Materials tint it by their colour. */
int32_t mst_scene_add_placeholder(mst_scene_builder *builder);

/* A box with flat normals: a cube around the origin, or `placement` on it. NULL after a failure. */
const mst_primitive *mst_scene_box(mst_scene_builder *builder, float edge, bool placement);
/* A mesh of one primitive: a copy of `shape`, whose geometry it shares, in a material. -1 if that is NULL. */
int32_t mst_scene_add_shape(mst_scene_builder *builder, const mst_primitive *shape, const char *name,
                            int32_t material);
/* A cube from -0.5 to 0.5. */
int32_t mst_scene_add_cube(mst_scene_builder *builder, const char *name, int32_t material);

/* Gives fully transparent texels the colour of their neighbours, because filtering and mipmaps mix it in.
 * False: no memory. */
bool mst_image_bleed(uint8_t *pixels, uint32_t width, uint32_t height, const mst_allocator *allocator);
/* Replaces images by bled copies, except those that an opaque material uses, in which transparent texels are
 * visible. For mst_scene_finish, once references are valid. */
bool mst_scene_bleed(mst_scene_builder *builder);

/* Extras: begin, add, and store the result in a node or material. Integers outside of int32 become reals, or
 * text if a double cannot hold them; NaN and infinities become text. A duplicate name gets "_2" and so on. */
typedef struct mst_extras_builder {
    mst_scene_builder *scene;
    mst_array items;
    const mst_extra *like; /* extras whose names are used; may be NULL */
    size_t like_count;
    mst_extra *values; /* `like_count` of them */
} mst_extras_builder;
void mst_extras_begin(mst_extras_builder *extras, mst_scene_builder *scene);
/* For many records of the same kind: values, in the same order, get the names in `like`, which are already
 * unique. The names passed with the values are ignored. */
void mst_extras_begin_like(mst_extras_builder *extras, mst_scene_builder *scene, const mst_extras *like);
void mst_extras_text(mst_extras_builder *extras, const char *name, const char *text, size_t length);
void mst_extras_string(mst_extras_builder *extras, const char *name, const char *text);
void mst_extras_integer(mst_extras_builder *extras, const char *name, int64_t value);
void mst_extras_real(mst_extras_builder *extras, const char *name, double value);
mst_extras mst_extras_end(mst_extras_builder *extras);

/*
 * Makes names unique: the first one stays, duplicates get "_2", "_3" and so on. New texts are in the arena;
 * mst_names_end frees the table.
 */
typedef struct mst_names {
    mst_arena *arena;
    mst_hash_map map;
} mst_names;
void mst_names_begin(mst_names *names, mst_arena *arena);
/* Returns the text itself, which must live as long as the table, or one with a suffix. With a `limit` other
 * than 0 the result has at most that many bytes; it must be at least 16, and the text not longer. NULL: no
 * memory. */
const char *mst_names_unique(mst_names *names, const char *text, size_t limit);
void mst_names_end(mst_names *names);

/*
 * Returns the scene in `scene`. `settings` supplies name, format, extras, unit_metres, grid_step, symbolic,
 * pictured, object, storeys, skins, animations and map (the rest is ignored); their pointers must be into the
 * builder's arena. Ends the builder even on failure.
 */
mst_status mst_scene_finish(mst_scene_builder *builder, const mst_scene *settings, mst_scene **scene,
                            mst_diagnostic *diagnostic);
/* Ends the builder without a scene. */
void mst_scene_abandon(mst_scene_builder *builder);

#endif
