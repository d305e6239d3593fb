/* SPDX-License-Identifier: MIT */
/* Exhaustive tests for several formats: checks stopped at each of their findings, and scenes and checks with
 * each request for memory refused. */
#ifndef MST_TESTS_THOROUGH_H
#define MST_TESTS_THOROUGH_H

#include "documents.h"
#include <mapstone/scene.h>

/* ---- stopped checks ---------------------------------------------------------------------------- */

typedef struct stop_at {
    size_t met, wanted;
    const findings *all;
} stop_at;

mst_status stop_at_finding(void *user, const mst_diagnostic *finding);

/* `all` are the findings with these options (NULL: the default). The report function can stop the check at
 * each of the first twelve and at the last. */
void assert_stops(const mst_document *document, const mst_check_options *options, const findings *all);

/* ---- memory piece by piece --------------------------------------------------------------------- */

/*
 * Arenas allocate blocks and hand out parts of them, so that most requests never reach the allocator. This
 * allocator refuses large blocks except those that are indispensable: arenas then request each piece
 * separately, and each request can be refused.
 */
typedef struct frugal {
    counted memory;
    size_t needed[256], needed_count; /* sizes of indispensable large blocks */
    size_t refused;                   /* the large block refused last */
    bool at_ease;                     /* no request is refused */
} frugal;

#define FRUGAL_PAGE 4096 /* an arena's first block */

void *frugal_resize(void *user, void *old, size_t old_size, size_t new_size);

/* Makes the scene of a document repeatedly while the first, second, ... request for memory is refused: each
 * failure is MST_NO_MEMORY and leaks nothing, and finally there is a scene. Returns the number of failures.
 */
size_t assert_refused_scenes(const mst_document *document, const mst_scene_options *with);

/* The same for checks; `all` are the findings without refusals. Returns the number of failures. */
size_t assert_refused_checks(const void *bytes, size_t size, const mst_check_options *options,
                             const findings *all);

#endif
