/* SPDX-License-Identifier: MIT */
/* Writing a zip archive of files that are not compressed: textures and models hardly shrink. */
#ifndef CLI_OUTPUT_ZIP_OUT_H
#define CLI_OUTPUT_ZIP_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zip_out zip_out;

/* NULL, with a message, if the file cannot be written. */
zip_out *zip_out_begin(const char *path);
/* False, with a message: it cannot be written, or is too large. */
bool zip_out_add(zip_out *zip, const char *name, const void *bytes, size_t size);
/* Ends it; unless `keep`, nothing is left. False, with a message, if it could not be written. */
bool zip_out_end(zip_out *zip, bool keep);

#endif
