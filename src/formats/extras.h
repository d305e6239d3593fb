/* SPDX-License-Identifier: MIT */
/* Fields of records in a scene: as extras of nodes, and as texts. */
#ifndef MST_EXTRAS_H
#define MST_EXTRAS_H

#include "../read/engine.h"
#include "../scene/build.h"

/* Adds the numbers of a record under their names: list elements as `list_0`, ...; names of values as
 * `field_name`; the names of set flags as `field_names`. */
void mst_extras_fields(mst_extras_builder *extras, const mst_value *record);
/* The names of the flags that are set, as in "water ceiling"; bits without a name are "bit_12". */
void mst_extras_flags(mst_extras_builder *extras, const mst_field *field, uint64_t bits);

/* A text, in the scene's memory or its scratch memory; "" after a failure. `length` may be NULL. */
const char *mst_scene_text_of(mst_scene_builder *builder, mst_arena *arena, const mst_value *value,
                              size_t *length);

#endif
