/* SPDX-License-Identifier: MIT */
/* Writes a zip archive without compression: textures and models hardly shrink. */
#ifndef CLI_OUTPUT_ZIP_OUT_H
#define CLI_OUTPUT_ZIP_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zip_out zip_out;

/* NULL, with a message, if the file cannot be written. */
zip_out *zip_out_begin(const char *path);
/* False, with a message, if it cannot be written or is too large. */
bool zip_out_add(zip_out *zip, const char *name, const void *bytes, size_t size);
/* Ends it; without `keep` the file is removed. False, with a message, if it could not be written. */
bool zip_out_end(zip_out *zip, bool keep);

#endif
