/* SPDX-License-Identifier: MIT */
/* Notes which input of a batch writes each file, so that no input overwrites another's output. */
#ifndef CLI_INPUTS_CLAIMS_H
#define CLI_INPUTS_CLAIMS_H

#include "../../src/core/map.h"
#include <stddef.h>

typedef struct claims {
    struct claim *items;
    size_t count;
    mst_hash_map by_key; /* index of the last item with a key, + 1 */
} claims;

/* Notes that `input`, which must live as long as the claims, writes the file at `path`, whose directory must
 * exist. Returns NULL, or the input that has already written the file, perhaps by another name. */
const char *claims_take(claims *all, const char *path, const char *input);
void claims_free(claims *all);

#endif
