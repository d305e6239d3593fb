/* SPDX-License-Identifier: MIT */
/* Texts with wildcards, the same on every system. */
#ifndef CLI_INPUTS_PATTERN_H
#define CLI_INPUTS_PATTERN_H

#include <stdbool.h>

/* Whether a text is as the pattern says: `*` stands for any characters, `?` for one byte, `[a-z]` for one of
 * these,
 * `[!a-z]` for one of the others; everything else for itself, as does a `[` without an end. */
bool is_like(const char *text, const char *pattern);

#endif
