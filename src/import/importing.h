/* SPDX-License-Identifier: MIT */
/* The state of an import, and the operations that it makes. */
#ifndef MST_IMPORT_IMPORTING_H
#define MST_IMPORT_IMPORTING_H

#include "../core/map.h"
#include "../read/placement.h"
#include "model.h"
#include <mapstone/import.h>

/* The codes of models that cannot be read; NULL past the end. */
const mst_code_information *mst_import_code_at(size_t index);

/* The operations on one document, as lines of a script. Removals are last, so that all other paths are those
 * of the unchanged document; new elements are appended to their lists. */
typedef struct mst_import_script {
    mst_buffer text;
    mst_array removed;   /* paths, const char * */
    mst_hash_map counts; /* by the path of a list: the number of elements before anything is removed */
} mst_import_script;

struct mst_imported {
    mst_allocator allocator;
    mst_arena arena;
    mst_import_script *scripts;
    size_t script_count;
};

typedef struct mst_import_state {
    mst_level *level;
    const mst_import_options *options;
    mst_imported *result;
    mst_arena *arena; /* of the result */
    mst_arena scratch;
    mst_diagnostic *diagnostic;
    mst_model model;
    mst_scene *scene; /* the level as exported */
    uint8_t *stands;
    float *matrices;       /* of the scene's nodes in the world */
    uint8_t *meshes;       /* of the model: whether they were changed (import_meshes.c) */
    double (*worlds)[16];  /* of its nodes in the edited model: of the original, or the same as above */
    mst_hash_map elements; /* by file and path: the node of the scene */
} mst_import_state;

mst_status mst_importing_no_memory(const mst_import_state *w);
/* Reports properties of an element that cannot be imported. */
mst_status mst_importing_warn(const mst_import_state *w, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- operations (import_script.c) ---- */

/* The script for the document that a source names; NULL, with a diagnosis, if there is no such document. */
mst_import_script *mst_importing_script(mst_import_state *w, const char *file, mst_document **document,
                                        mst_status *status);
mst_status mst_script_line(mst_import_state *w, mst_import_script *script, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The index of a new element at the end of a list. */
mst_status mst_script_append(mst_import_state *w, mst_import_script *script, const mst_document *document,
                             const char *list, uint64_t *index);
mst_status mst_script_remove(mst_import_state *w, mst_import_script *script, const char *path);
/* Adds the removals, the last element of a list first, and reads all lines. */
mst_status mst_script_finish(mst_import_state *w, mst_import_script *script);

/* ---- places (import_places.c) ---- */

/* A decomposed transform: rotation row by row. */
typedef struct mst_frame {
    double move[3], turn[3][3], scale[3];
    bool flat; /* without rotation, because it has no size in a direction */
} mst_frame;
void mst_matrix_of_floats(const float from[16], double to[16]);
void mst_matrix_product(const double a[16], const double b[16], double product[16]);
/* False if it has no inverse. */
bool mst_matrix_inverse(const double matrix[16], double inverse[16]);
void mst_matrix_split(const double matrix[16], mst_frame *place);
/* Roll, pitch and yaw of Ry(yaw) Rx(pitch) Rz(roll). */
void mst_angles_of_turn(const double m[3][3], double angles[3]);
/* The number with the fewest decimals within a tolerance. */
double mst_tidy(double number, double tolerance);

/* Operations for an element at `path` that changed its place from `before` to `after`, both relative to the
 * node's parent; `metres` is the size of their unit. */
mst_status mst_import_place(mst_import_state *w, mst_import_script *script, const mst_value *element,
                            const char *path, const mst_frame *before, const mst_frame *after, double metres);

/* The position, as the format stores it, of an element that was moved. False if it has none. */
bool mst_import_position(const mst_value *element, const mst_frame *before, const mst_frame *after,
                         double position[3]);

/* ---- parts of a map (import_sectors.c) ---- */

/* The document to which an element belongs at its new place; NULL: its own. */
mst_status mst_import_sector(mst_import_state *w, const mst_document *document, const mst_value *element,
                             const char *path, const mst_frame *before, const mst_frame *after,
                             mst_document **other);
/* Inserts a copy of an element into another document, at the path `to` there. */
mst_status mst_import_transfer(mst_import_state *w, const mst_value *element, const char *path,
                               const mst_document *other, mst_import_script **script, const char **to);

/* ---- extras (import_extras.c) ---- */

mst_status mst_import_extras(mst_import_state *w, mst_import_script *script, const mst_value *element,
                             const char *path, const mst_extras *before, uint32_t extras);

/* The same for changes of the lamp itself: strength and colour, if extras have them. */
mst_status mst_import_lamp(mst_import_state *w, mst_import_script *script, const mst_value *element,
                           const char *path, const mst_node *before, const mst_model_node *after);

/* ---- layers and groups (import_labels.c) ---- */

/* For an element at `path` of a list: puts it on the layers and into the group that its extras name, if these
 * differ from those `before` (NULL: a new element without any). */
mst_status mst_import_labels(mst_import_state *w, mst_import_script *script, const mst_document *document,
                             const char *list, const char *path, const mst_extras *before, uint32_t extras);
bool mst_is_label_extra(const char *name);

/* ---- all entities (import_entities.c) ---- */

mst_status mst_import_entities(mst_import_state *w);
/* New lights and empties. (import_new.c) */
mst_status mst_import_new(mst_import_state *w);

/* ---- meshes (import_meshes.c) ---- */

/* Reports meshes that were changed or added, of all that is not a face of Natural Selection 2. */
mst_status mst_import_meshes(mst_import_state *w);
/* Whether the mesh of an exported node is another one than it was. */
mst_status mst_compare_mesh(mst_import_state *w, const mst_model_node *node, bool *changed);

/* ---- what exporters leave out (import_doubts.c) ---- */

/* For missing elements, `worlds` [15] is 0. */
mst_status mst_keep_lights(mst_import_state *w);
mst_status mst_keep_empties(mst_import_state *w);
mst_status mst_check_axes(const mst_import_state *w);
mst_status mst_check_face_numbers(const mst_import_state *w);
/* Reports that most elements that were exported, such as "faces", are missing. */
mst_status mst_doubt_missing(const mst_import_state *w, const char *what, size_t missing, size_t count);

/* ---- models without a level (import_level.c) ---- */

/* Everything of the model, for the document that the options name. */
mst_status mst_import_level(mst_import_state *w);
/* (face_material.c) JSON of the path of a material: the extra `path`, or else a path made of the material's
 * name. NULL: no memory. */
const char *mst_material_path(const mst_import_state *w, int32_t material, mst_arena *arena);

#endif
