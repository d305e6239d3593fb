/* SPDX-License-Identifier: MIT */
/*
 * Importing models: a level was exported for editing (export.h, for_editing), edited in Blender or another
 * glTF program, and is imported again. An import determines the changes made to the model, and returns them
 * as a script of operations (edit.h) on the level; everything else keeps every byte.
 *
 *     mst_imported *changes;
 *     mst_import(level, model, size, NULL, &changes, &why);
 *     for (size_t i = 0; i < mst_level_count(level); i++) {
 *         const char *script = mst_imported_script(changes, i);
 *         mst_operations *operations = NULL;
 *         size_t count;
 *         mst_operations_read(&operations, script, strlen(script), true, NULL, &why);
 *         const mst_operation *all = mst_operations_all(operations, &count);
 *         mst_edit(mst_level_document(level, i), all, count, NULL, &why);
 *         mst_operations_free(operations);
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

/* The parts of a level to export. Omitted parts are recorded in the scene's extras, and are not taken for
 * deleted when the model is imported. */
typedef struct mst_editing_options {
    size_t size;                    /* sizeof(mst_editing_options) */
    const mst_scene_options *scene; /* NULL: default ones */
    const char *const *only;        /* entities, lights and cameras of these classes: mst_scene_choice */
    size_t only_count;
    const char *const *hide; /* nothing of these classes */
    size_t hide_count;
    /* Only these elements, by paths or selectors: entities, or elements shown by triangles, such as
     * mesh.faces[0:10]. A selector may match nothing in some documents of the level, but not in all. */
    const char *const *select;
    size_t select_count;
} mst_editing_options;

/* The scene of a level to be exported for editing: mst_level_scene with extras by which mst_import identifies
 * the level and its omitted parts. */
MST_API mst_status mst_editing_scene(mst_level *level, const mst_editing_options *options, mst_scene **scene,
                                     mst_diagnostic *diagnostic);

typedef struct mst_import_options {
    size_t size; /* sizeof(mst_import_options) */
    mst_allocator allocator;
    const mst_resolver *beside; /* finds the buffers of a .gltf; NULL: it has none in other files */
    bool other_base;            /* the level need not be the one that the model was exported from */
    /* Receives changes that cannot be imported, or only approximately (a rounded position): warnings, with
     * the path of the element. May be NULL. */
    mst_report_function report;
    void *user;
    /* A document of Natural Selection 2 (such as mst_new makes) that receives the whole content of a model
     * that was not exported from a level; the level is then NULL. Materials are found by their names:
     * "materials/dev/floor", or "floor" for materials/floor.material. */
    mst_document *onto;
} mst_import_options;

/* The changes in a model, as operations on each of the level's documents. */
typedef struct mst_imported mst_imported;

/*
 * Compares the model (.glb, or .gltf) with the level as it would be exported. Entities are identified by the
 * `path` in their extras: of several with one path, the one that has the name of the exported node is the
 * original, and the others are copies. Positions, angles and scales are taken from world transforms, whatever
 * the parents; only the place of a thing whose mesh was changed, too, stays, as Blender's Apply changes both.
 * Changed extras set the field or property from which they were exported. A model without KHR_lights_punctual
 * keeps the level's lights. MST_DAMAGED, MST_UNSUPPORTED: the model cannot be read. MST_REFUSED: it was not
 * exported for editing, or not from this level (whose SHA-256 it has), it lies on its side or has no numbers
 * of faces, or, with `onto`, it was exported from a level or is empty. Operations are ordered so that all
 * paths are right.
 */
MST_API mst_status mst_import(mst_level *level, const void *model, size_t size,
                              const mst_import_options *options, mst_imported **imported,
                              mst_diagnostic *diagnostic);
/* The operations on a document of the level, as lines of a script; "" if there are none. */
MST_API const char *mst_imported_script(const mst_imported *imported, size_t document);
/* NULL is allowed. */
MST_API void mst_imported_free(mst_imported *imported);

#ifdef __cplusplus
}
#endif
#endif
