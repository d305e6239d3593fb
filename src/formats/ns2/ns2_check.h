/* SPDX-License-Identifier: MIT */
/* Shared by the checks of levels and clipboards. */
#ifndef MST_NS2_NS2_CHECK_H
#define MST_NS2_NS2_CHECK_H

#include "../../check/finding.h"
#include "../present.h"
#include "ids.h"
#include "ns2.h"
#include "ns2_bindings.h"
#include "setup.h"

typedef struct mst_ns2_ids {
    mst_ns2_id *items; /* ascending */
    size_t count;
} mst_ns2_ids;

/* A level or a clipboard being checked. */
typedef struct mst_ns2_objects mst_ns2_objects;
typedef struct mst_ns2_mesh_check mst_ns2_mesh_check;
typedef struct mst_ns2_level {
    mst_ns2_objects *objects;
    mst_ns2_mesh_check *mesh; /* the mesh that the walk is in; NULL: none */
    uint32_t mesh_depth;
    uint64_t block; /* of a clipboard: the block that the walk is in */
    mst_checker *checker;
    mst_value root;
    mst_ns2_setup *setup; /* NULL: no schema */
    bool copied;          /* a clipboard */
} mst_ns2_level;

/* A growing list in the check's scratch memory. */
typedef struct mst_ns2_list {
    void *items;
    size_t count, capacity;
} mst_ns2_list;
/* Appends an element, uninitialized; NULL if memory runs out. */
void *mst_ns2_push(mst_ns2_level *level, mst_ns2_list *list, size_t size);

/* Reads the ids of a table; of duplicates only the first is kept. */
mst_status mst_ns2_read_ids(mst_ns2_level *level, const mst_value *table, mst_ns2_ids *list);

/* Reports unknown chunks of a record. */
mst_status mst_ns2_check_chunks(mst_ns2_level *level, const mst_value *record, const char *path);
/* Checks the number that states the format of layer words. */
mst_status mst_ns2_check_layer_format(mst_ns2_level *level, uint32_t number, uint64_t offset,
                                      const char *path);

/* Check a mesh during the walk: at its beginning, for each item in it, and at its end. */
mst_status mst_ns2_mesh_begin(mst_ns2_level *level, const mst_value *mesh, const char *path,
                              mst_ns2_mesh_check **result);
mst_status mst_ns2_mesh_item(mst_ns2_mesh_check *mesh, const mst_item *item);
mst_status mst_ns2_mesh_end(mst_ns2_mesh_check *mesh);

/* Check entities during the walk: before it, for each item, and after it. */
mst_status mst_ns2_objects_begin(mst_ns2_level *level, const char *path, mst_ns2_objects **objects);
mst_status mst_ns2_objects_item(void *objects, const mst_item *item);
mst_status mst_ns2_objects_end(mst_ns2_objects *objects);

#endif
