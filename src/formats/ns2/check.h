/* SPDX-License-Identifier: MIT */
/* What the checks of a level share. */
#ifndef MST_FORMATS_NS2_CHECK_H
#define MST_FORMATS_NS2_CHECK_H

#include "../../core/diagnose.h"
#include "../present.h"
#include "ns2.h"
#include "setup.h"

/* A level or a clipboard being checked. */
typedef struct mst_ns2_level {
    struct mst_ns2_objects *objects;
    mst_checker *checker;
    mst_value root;
    mst_ns2_setup *setup; /* NULL: no schema */
} mst_ns2_level;

/* A finding about a value (NULL: about no bytes), with its path. */
mst_diagnostic mst_ns2_finding(const mst_value *value, const char *path);

/* Chunks of a record that are not known. */
mst_status mst_ns2_check_chunks(mst_ns2_level *level, const mst_value *record, const char *path);
/* A number that says how words of layers are to be read. */
mst_status mst_ns2_check_layer_format(mst_ns2_level *level, const mst_item *item, const char *path);

mst_status mst_ns2_check_mesh(mst_ns2_level *level, const mst_value *value, const char *path);

/* Entities, as the walk meets them: begin in front of it, a visitor, and what only the end tells. */
typedef struct mst_ns2_objects mst_ns2_objects;
mst_status mst_ns2_objects_begin(mst_ns2_level *level, const char *path, mst_ns2_objects **objects);
mst_status mst_ns2_objects_item(void *objects, const mst_item *item);
mst_status mst_ns2_objects_end(mst_ns2_objects *objects);

#define MST_NS2_REPORT(level, code, finding)                                                                 \
    do {                                                                                                     \
        mst_status reported = mst_checker_report((level)->checker, code, &(finding));                        \
        if (reported != MST_OK)                                                                              \
            return reported;                                                                                 \
    } while (0)

#endif
