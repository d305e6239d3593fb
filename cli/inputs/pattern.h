/* SPDX-License-Identifier: MIT */
/* Patterns with wildcards, the same on every system. */
#ifndef CLI_INPUTS_PATTERN_H
#define CLI_INPUTS_PATTERN_H

#include <stdbool.h>

/* Whether a text matches the pattern: `*` matches any characters, `?` one byte, `[a-z]` one of these,
 * `[!a-z]` one of the others; everything else matches itself, as does a `[` without an end. */
bool is_like(const char *text, const char *pattern);

#endif
