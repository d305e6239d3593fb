/* SPDX-License-Identifier: MIT */
/* Offsets in place of paths: @0x2e33e. */
#ifndef MST_FILES_OFFSET_PATH_H
#define MST_FILES_OFFSET_PATH_H

#include <mapstone/place.h>
#include <stdbool.h>

/*
 * The field that has the byte at an offset, as `mapstone tree --offsets` writes offsets: "0x2e33e" or
 * "189246"; in packed data "0x10+0x24", byte 0x24 of the unpacked form of the bytes at 0x10; "2:0x8" in the
 * second file of a pair. MST_ARGUMENT: the text is not an offset; MST_NO_PATH: the file has no byte there.
 * Otherwise like mst_range_fields.
 */
mst_status mst_offset_field(const mst_document *document, const char *offset, mst_file_field_function found,
                            void *user, mst_diagnostic *diagnostic);

/* The path of the value that begins at an offset (mst_offset_field). MST_NO_PATH: none does; the diagnostic
 * states why. */
mst_status mst_offset_path(const mst_document *document, const char *offset, char *path, size_t capacity,
                           mst_diagnostic *diagnostic);

/* A number in decimal digits, or in hexadecimal ones after 0x. */
bool mst_offset_number(const char *text, size_t length, uint64_t *number);

#endif
