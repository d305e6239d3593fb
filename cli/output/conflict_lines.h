/* SPDX-License-Identifier: MIT */
/* Conflicts of merges, as text and as JSON lines. */
#ifndef CLI_OUTPUT_CONFLICT_LINES_H
#define CLI_OUTPUT_CONFLICT_LINES_H

#include "streams.h"
#include <mapstone/merge.h>

/* As a line of text. */
void conflict_put(stream *to, const mst_conflict *conflict);
/* `resolved`: how it was resolved; NULL: not included. */
void conflict_put_json(stream *to, const mst_conflict *conflict, const char *resolved);

#endif
