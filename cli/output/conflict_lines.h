/* SPDX-License-Identifier: MIT */
/* Conflicts of merges, for people and as JSON lines. */
#ifndef CLI_OUTPUT_CONFLICT_LINES_H
#define CLI_OUTPUT_CONFLICT_LINES_H

#include "streams.h"
#include <mapstone/merge.h>

/* A line. */
void conflict_put(stream *to, const mst_conflict *conflict);
/* `resolved`: how it was; NULL: nothing is said. */
void conflict_put_json(stream *to, const mst_conflict *conflict, const char *resolved);

#endif
