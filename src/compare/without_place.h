/* SPDX-License-Identifier: MIT */
/* An element that may be in another file of the level, as text: where it is, and all else. */
#ifndef MST_COMPARE_WITHOUT_PLACE_H
#define MST_COMPARE_WITHOUT_PLACE_H

#include "../core/arena.h"
#include <mapstone/document.h>

typedef struct mst_placed_text {
    const char *all;   /* JSON of the element */
    const char *place; /* of the field that is its place; NULL: it has none */
    size_t cut;        /* where that begins in `all`; 0: it is not a field of the element itself */
    const char *rest;  /* `all` without it */
} mst_placed_text;

/* Memory is taken from the arena. */
mst_status mst_placed_text_of(const mst_value *element, mst_arena *arena, mst_placed_text *text,
                              mst_diagnostic *diagnostic);

#endif
