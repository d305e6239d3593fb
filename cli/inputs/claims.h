/* SPDX-License-Identifier: MIT */
/* Which input of a batch writes which file, so that none overwrites another's. */
#ifndef CLI_INPUTS_CLAIMS_H
#define CLI_INPUTS_CLAIMS_H

#include "../../src/core/map.h"
#include <stddef.h>

typedef struct claims {
    struct claim *items;
    size_t count;
    mst_hash_map by_key; /* the last item with a key, + 1 */
} claims;

/* Notes that `input`, which must live as long as the claims, writes the file at `path`, whose directory must
 * exist. Returns NULL, or the input that has already written the file, perhaps under another name. */
const char *claims_take(claims *all, const char *path, const char *input);
void claims_free(claims *all);

#endif
