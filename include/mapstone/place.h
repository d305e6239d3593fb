/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a document's files that store a value, and the reverse: the values stored in bytes of a file.
 * For hex views, and for finding the bytes behind a part of a picture.
 *
 *     mst_value_places(&value, show_bytes, view);
 *     mst_file_range row = {.size = sizeof row, .offset = 0x1a0, .length = 16};
 *     mst_range_fields(level, &row, show_field, view);
 */
#ifndef MAPSTONE_PLACE_H
#define MAPSTONE_PLACE_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Calls `found` for each run of bytes that the value comes from, in the value's order: of kind
 * MST_PLACE_FILE, or MST_PLACE_PACKED, with one place for each run of packed bytes. A value that is not
 * computed from the files has none. Any status but MST_OK from `found` stops it and is returned, MST_STOPPED
 * as success. MST_NO_MEMORY: places cannot be determined.
 */
typedef mst_status (*mst_place_function)(void *user, const mst_place *place);
MST_API mst_status mst_value_places(const mst_value *value, mst_place_function found, void *user);

/* Bytes of one of the document's files, or of the unpacked form of its packed bytes. */
typedef struct mst_file_range {
    size_t size; /* sizeof(mst_file_range) */
    size_t file; /* index, as for mst_document_file */
    uint64_t offset, length;
    bool packed;        /* offset and length refer to the unpacked form of the packed bytes at `packed_at` */
    uint64_t packed_at; /* offset in the file, as in mst_place */
} mst_file_range;

/* A field in a file: a value (a list of numbers counts as its numbers), or bytes that no path names. */
typedef struct mst_file_field {
    mst_place place; /* MST_PLACE_FILE; PACKED: with the place of the packed bytes in the file */
    mst_byte_class byte_class;
    const char *path; /* of the value; else of the record or list that the bytes belong to */
    const char *name; /* of the field, "" for elements; for other bytes their meaning: "count", "padding" */
    const mst_value *value; /* NULL: bytes that no path names */
    uint64_t unpacked;      /* of packed bytes: their unpacked size; else 0 */
} mst_file_field;

/*
 * Calls `found` for each field that has bytes in the range, in the order of the bytes. Fields at the range's
 * ends are given whole, so that they may begin before it or end after it. No two share a byte: where several
 * values are computed from the same bytes, the first gets them. Bytes that nothing leads to are a field of
 * class MST_BYTES_GAP. Takes time proportional to the range and the lists around it, not to the size of the
 * file. The texts are valid during the call. Any status but MST_OK from `found` stops it and is returned,
 * MST_STOPPED as success. MST_ARGUMENT: there is no such file, or no such packed bytes. MST_IO: the files
 * have changed since they were opened.
 */
typedef mst_status (*mst_file_field_function)(void *user, const mst_file_field *field);
MST_API mst_status mst_range_fields(const mst_document *document, const mst_file_range *range,
                                    mst_file_field_function found, void *user, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
