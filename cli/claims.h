/* SPDX-License-Identifier: MIT */
/* Which input of a batch has written which file, so that none is lost to another. */
#ifndef CLI_CLAIMS_H
#define CLI_CLAIMS_H

#include <stddef.h>

typedef struct claims {
    struct claim *slots;
    size_t used, capacity;
} claims;

/* Notes that `input`, which must live as long as the claims, writes the file at `path`, whose directory is
 * there. Returns NULL, or the input that has written it already, if need be under another name. */
const char *claims_take(claims *all, const char *path, const char *input);
void claims_free(claims *all);

#endif
