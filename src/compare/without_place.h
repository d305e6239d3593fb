/* SPDX-License-Identifier: MIT */
/* An element that may be in another file of the level, as text: its place and the rest. */
#ifndef MST_COMPARE_WITHOUT_PLACE_H
#define MST_COMPARE_WITHOUT_PLACE_H

#include "../core/arena.h"
#include <mapstone/document.h>

typedef struct mst_placed_text {
    const char *all;   /* JSON of the element */
    const char *place; /* the field that is its place; NULL: none */
    size_t cut;        /* where it begins in `all`; 0: it is not a field of the element itself */
    const char *rest;  /* `all` without it */
} mst_placed_text;

/* Memory is taken from the arena. */
mst_status mst_placed_text_of(const mst_value *element, mst_arena *arena, mst_placed_text *text,
                              mst_diagnostic *diagnostic);

#endif
