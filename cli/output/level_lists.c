/* SPDX-License-Identifier: MIT */
#include "level_lists.h"
#include <string.h>

#define DEPTH_MAX 4 /* records within records */

void each_list(const mst_document *document, list_function each, void *user) {
    mst_iterator levels[DEPTH_MAX];
    size_t ends[DEPTH_MAX];
    char path[256];
    size_t depth = 1;
    mst_value root = mst_root(document), value;
    levels[0] = mst_iterate(&root);
    ends[0] = 0;
    while (depth) {
        if (!mst_next(&levels[depth - 1], &value)) {
            depth--;
            continue;
        }
        const char *name = mst_value_field(&value).name;
        size_t start = ends[depth - 1], length = strlen(name);
        if (start + length + 2 > sizeof path)
            continue;
        memcpy(path + start, name, length + 1);
        mst_type type = mst_value_type(&value);
        if (type == MST_TYPE_LIST) {
            each(user, path, &value);
        } else if (type == MST_TYPE_RECORD && depth < DEPTH_MAX) {
            memcpy(path + start + length, ".", 2);
            levels[depth] = mst_iterate(&value);
            ends[depth++] = start + length + 1;
        }
    }
}
