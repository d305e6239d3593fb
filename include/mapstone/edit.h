/* SPDX-License-Identifier: MIT */
/*
 * Editing many values at once, all or none, so that the level stays whole: what belongs to an element goes
 * with it, numbers that name elements follow, and new errors refuse the edit.
 *
 *     mst_operation operations[] = {{MST_OPERATION_REMOVE, "mesh.faces[100]", NULL},
 *                                   {MST_OPERATION_SET, "objects[3].class_name", "location"}};
 *     mst_edit_options options = {.size = sizeof options, .cascade = 1};
 *     mst_edit(document, operations, 2, &options, &why);
 */
#ifndef MAPSTONE_EDIT_H
#define MAPSTONE_EDIT_H

#include <mapstone/document.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_operation_kind {
    MST_OPERATION_SET = 0, /* as mst_set */
    MST_OPERATION_INSERT,  /* as mst_insert */
    MST_OPERATION_REMOVE   /* as mst_remove */
} mst_operation_kind;

/* Paths are those of the document after the operations before; those of SET and REMOVE may be selectors. */
typedef struct mst_operation {
    mst_operation_kind kind;
    const char *path;
    const char *value; /* JSON; NULL for REMOVE */
} mst_operation;

typedef struct mst_edit_options {
    size_t size; /* sizeof(mst_edit_options) */
    /* What refers to a removed element refers to nothing afterwards, where the format has a value for that,
     * or is removed, too. Otherwise the removal is refused. */
    int cascade;
    int each; /* selectors may stand for several values, all of which are edited; otherwise that is an error
               */
    int keep_loose; /* what only removed elements referred to stays: edges and vertices without a face */
    /* The checks of the document run before and after all operations: an error that was not there before
     * refuses them, with the finding as the diagnosis. NULL: no checks. */
    const mst_check_options *checks;
    int force; /* new errors are reported, but refuse nothing */
    /* Receives what else changes (severity information), what refers to an element that cannot be removed
     * (error), new findings of the checks (their severity). NULL: nobody. Not MST_OK ends the edit with it.
     */
    mst_report_function report;
    void *user;
} mst_edit_options;

/*
 * Applies the operations in their order, all or none: on failure the document is unchanged. Success
 * invalidates every value handle of the document. `options` NULL: no cascade, no checks. MST_REFUSED: the
 * result would not read back as intended, others refer to a removed element, or there is a new error.
 */
MST_API mst_status mst_edit(mst_document *document, const mst_operation *operations, size_t count,
                            const mst_edit_options *options, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
