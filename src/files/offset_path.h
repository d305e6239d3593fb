/* SPDX-License-Identifier: MIT */
/* Offsets in place of paths: @0x2e33e. */
#ifndef MST_FILES_OFFSET_PATH_H
#define MST_FILES_OFFSET_PATH_H

#include <mapstone/document.h>
#include <stdbool.h>

/* The path of the value that begins at an offset (mst_offset_field). MST_NO_PATH: none does, for a reason
 * that the diagnostic has. */
mst_status mst_offset_path(const mst_document *document, const char *offset, char *path, size_t capacity,
                           mst_diagnostic *diagnostic);

/* A number in decimal digits, or after 0x in hexadecimal ones. */
bool mst_offset_number(const char *text, size_t length, uint64_t *number);

#endif
