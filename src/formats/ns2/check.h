/* SPDX-License-Identifier: MIT */
/* What the checks of a level share. */
#ifndef MST_FORMATS_NS2_CHECK_H
#define MST_FORMATS_NS2_CHECK_H

#include "../../core/diagnose.h"
#include "../present.h"
#include "ids.h"
#include "ns2.h"
#include "setup.h"

typedef struct mst_ns2_ids {
    mst_ns2_id *items; /* ascending */
    size_t count;
} mst_ns2_ids;

/* A level being checked, and its tables of ids. */
typedef struct mst_ns2_level {
    struct mst_ns2_objects *objects;
    mst_checker *checker;
    mst_value root;
    mst_ns2_ids groups, layers, mapping_groups;
    mst_ns2_setup *setup; /* NULL: no schema */
} mst_ns2_level;

bool mst_ns2_has_id(const mst_ns2_ids *list, uint32_t id);

/* A finding about a value (NULL: about no bytes), with its path. */
mst_diagnostic mst_ns2_finding(const mst_value *value, const char *path);

/* Chunks of a record that are not known. */
mst_status mst_ns2_check_chunks(mst_ns2_level *level, const mst_value *record, const char *path);
/* Layers that words of bits name, from bit `first` on. */
mst_status mst_ns2_check_layers(mst_ns2_level *level, uint64_t bits, uint64_t first, uint64_t offset,
                                uint64_t length, const char *path);

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
