/* SPDX-License-Identifier: MIT */
/* The lists of a level that tables can show. */
#ifndef CLI_OUTPUT_LEVEL_LISTS_H
#define CLI_OUTPUT_LEVEL_LISTS_H

#include <mapstone/document.h>

typedef void (*list_function)(void *user, const char *path, const mst_value *list);

/* Calls `each` for every list in the root or in records below it, in order; lists within elements of lists
 * are skipped. */
void each_list(const mst_document *document, list_function each, void *user);

#endif
