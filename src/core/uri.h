/* SPDX-License-Identifier: MIT */
/* URIs in files: names of other files in the same directory, and data. */
#ifndef MST_CORE_URI_H
#define MST_CORE_URI_H

#include "arena.h"

#define MST_URI_CAPACITY 1024

/* The file name that a relative URI denotes. False: it is absolute, data, leads elsewhere (..), or is not a
 * valid name. */
bool mst_uri_file_name(const char *uri, size_t length, char name[MST_URI_CAPACITY]);
/* Whether a URI is Base64 data, which then begins at `*begin`. */
bool mst_uri_is_data(const char *uri, size_t length, size_t *begin);

#endif
