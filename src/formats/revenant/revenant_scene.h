/* SPDX-License-Identifier: MIT */
/* The fields of objects as extras of their nodes. Names are few and objects many: texts are kept once. */
#ifndef MST_REVENANT_REVENANT_SCENE_H
#define MST_REVENANT_REVENANT_SCENE_H

#include "../../read/binding.h"
#include "../../scene/work.h"

#define MST_REVENANT_NAMES      512 /* size of the cache of extras' names, a power of 2 */
#define MST_REVENANT_FLAG_TEXTS 64  /* size of the cache of texts of flags */

typedef struct mst_revenant_kept_name {
    const mst_field *field;
    uint32_t component;
    const char *text;
} mst_revenant_kept_name;

typedef struct mst_revenant_flag_text {
    const mst_field *field;
    uint32_t flags;
    const char *text;
} mst_revenant_flag_text;

typedef struct mst_revenant_texts {
    mst_scene_builder *builder;
    mst_revenant_kept_name names[MST_REVENANT_NAMES];
    size_t name_count;
    mst_revenant_flag_text flags[MST_REVENANT_FLAG_TEXTS];
} mst_revenant_texts;

/* Adds a number with the names of its flags, a list of up to three numbers, the number of bytes if nonzero,
 * or a text, which it returns; else "". */
const char *mst_revenant_add_field(mst_revenant_texts *texts, mst_extra_list *list, const mst_value *value);
/* Adds the statistics: "stat_HP"; a second one with the same code is "stat_HP_2". */
void mst_revenant_add_stats(mst_extra_list *list, const mst_bound *bound, const mst_value *stats);

#endif
