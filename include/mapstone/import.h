/* SPDX-License-Identifier: MIT */
/*
 * Models in: a level that was exported for editing (export.h, for_editing), edited in Blender or another
 * program for glTF, and is brought back. An import finds out what was done to the model, and says it as
 * operations (edit.h) on the level; what was not done keeps every byte.
 *
 *     mst_imported *changes;
 *     mst_import(level, model, size, NULL, &changes, &why);
 *     for (size_t i = 0; i < mst_level_count(level); i++) {
 *         size_t count;
 *         const mst_operation *all = mst_operations_all(mst_imported_operations(changes, i), &count);
 *         mst_edit(mst_level_document(level, i), all, count, NULL, &why);
 *     }
 *     mst_imported_free(changes);
 */
#ifndef MAPSTONE_IMPORT_H
#define MAPSTONE_IMPORT_H

#include "edit.h"
#include "level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What of a level is exported. What is left out is said in the scene's extras, and is not taken for deleted
 * when the model is imported. */
typedef struct mst_editing_options {
    size_t size;                    /* sizeof(mst_editing_options) */
    const mst_scene_options *scene; /* NULL: default ones */
    const char *const *only;        /* entities, lights and cameras of these classes: mst_scene_choice */
    size_t only_count;
    const char *const *hide; /* nothing of these classes */
    size_t hide_count;
    /* Only these elements, by paths or selectors: entities, or what triangles show, as mesh.faces[0:10]. A
     * selector may stand for nothing in some documents of the level, but not in all. */
    const char *const *select;
    size_t select_count;
} mst_editing_options;

/* The scene of a level to be exported for editing: mst_level_scene with extras by which mst_import knows the
 * level and what was left out. */
MST_API mst_status mst_editing_scene(mst_level *level, const mst_editing_options *options, mst_scene **scene,
                                     mst_diagnostic *diagnostic);

typedef struct mst_import_options {
    size_t size; /* sizeof(mst_import_options) */
    mst_allocator allocator;
    const mst_resolver *beside; /* finds the buffers of a .gltf; NULL: it has none in other files */
    bool other_base;            /* the level need not be the one that the model was exported from */
    /* Receives what cannot be imported, or only nearly (a position that is rounded): warnings, with the path
     * of the element. NULL: nobody. */
    mst_report_function report;
    void *user;
    /* A document of Natural Selection 2 (such as mst_new makes) that gets everything of a model which was not
     * exported from a level; the level is NULL then. Materials are found by their names:
     * "materials/dev/floor", or "floor" for materials/floor.material. */
    mst_document *onto;
} mst_import_options;

/* The changes that a model has, as operations on each of the level's documents. */
typedef struct mst_imported mst_imported;

/*
 * Compares the model (.glb, or .gltf) with the level as it would be exported. Entities are known by the
 * `path` in their extras: of several with one path, the one that has the name of the exported node is the
 * original, and the others are copies. Positions, angles and scales are taken from where things are in the
 * world, whatever their parents. Extras that were changed set the field or property that they come from.
 * MST_DAMAGED, MST_UNSUPPORTED: the model cannot be read. MST_REFUSED: it was not exported for editing, or
 * not from this level (whose SHA-256 it has), or, for a document of its own, it was exported from a level or
 * has nothing in it. Operations are in such an order that all paths are right.
 */
MST_API mst_status mst_import(mst_level *level, const void *model, size_t size,
                              const mst_import_options *options, mst_imported **imported,
                              mst_diagnostic *diagnostic);
/* The operations on a document of the level, NULL if there are none; and the same as lines of a script, ""
 * if there are none. */
MST_API const mst_operations *mst_imported_operations(const mst_imported *imported, size_t document);
MST_API const char *mst_imported_script(const mst_imported *imported, size_t document);
/* NULL is allowed. */
MST_API void mst_imported_free(mst_imported *imported);

#ifdef __cplusplus
}
#endif
#endif
