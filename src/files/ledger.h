/* SPDX-License-Identifier: MIT */
/* Walks over all bytes of a document, and of its files: the basis of the ledger (mst_byte_coverage), proofs
 * of edits and the command's outlines. */
#ifndef MST_FILES_LEDGER_H
#define MST_FILES_LEDGER_H

#include <mapstone/document.h>
#include <stdbool.h>

/* The events of a walk, in file order. */
typedef enum mst_event_kind {
    MST_EVENT_BEGIN_RECORD,
    MST_EVENT_BEGIN_LIST,
    MST_EVENT_END,
    MST_EVENT_LEAF,
    MST_EVENT_DERIVED /* a count, size or id that no path names */
} mst_event_kind;

typedef struct mst_event {
    mst_event_kind kind;
    mst_byte_class byte_class; /* LEAF and DERIVED */
    uint64_t offset, length;   /* BEGIN and END: length 0 */
    const char *name;          /* of the field or derived number; "" for elements */
    uint64_t index;            /* of an element; UINT64_MAX for fields */
    uint32_t depth;
    uint64_t count;         /* elements of a list */
    bool fixed_records;     /* BEGIN_LIST: elements have one fixed size */
    const mst_value *value; /* NULL for END, DERIVED and padding */
    mst_place place;        /* mst_walk_files: for LEAF and DERIVED */
} mst_event;

/* MST_OK continues, MST_STOPPED ends the walk; for a BEGIN, MST_UNKNOWN skips the content, as one LEAF. */
typedef mst_status (*mst_visit_function)(void *user, const mst_event *event);
mst_status mst_walk(const mst_document *document, mst_visit_function visit, void *user);
/*
 * The same, with the places of all bytes in the document's files. If these were parsed, file content beyond
 * the parsed bytes is reported as DERIVED events, near the values it belongs to: magic numbers, sizes and
 * offsets, packed bytes, padding; their `offset` is MST_NO_OFFSET. Counts and sizes of the parsed bytes that
 * are in no file, and copies kept for writing the files, are left out.
 */
mst_status mst_walk_files(const mst_document *document, mst_visit_function visit, void *user);

#endif
