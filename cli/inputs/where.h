/* SPDX-License-Identifier: MIT */
/* The conditions of table --where. */
#ifndef CLI_INPUTS_WHERE_H
#define CLI_INPUTS_WHERE_H

#include "../../src/read/excerpt.h"
#include "../output/columns.h"
#include "options.h"

typedef struct condition {
    size_t column;     /* SIZE_MAX: no column */
    char *text, *rest; /* the complete condition; its operator and value */
    const char *given; /* its position in the argument */
} condition;

/* One --where. */
typedef struct where {
    mst_excerpt text;
    bool joined; /* several joined conditions; else one, which may have & in its value */
} where;

typedef struct conditions {
    condition *items;
    size_t count;
    where *texts; /* the arguments as given: they define how the conditions are joined */
    size_t text_count;
} conditions;

/* Parses all --where, with several conditions where & and | join them, and adds their columns. False, with a
 * message, if one is invalid. */
bool conditions_read(conditions *all, columns *shown, const options *given);
void conditions_free(conditions *all);
/* Whether all --where are true, with `holds` deciding each condition. */
bool conditions_hold(const conditions *all, bool (*holds)(void *user, const condition *one), void *user);

/* Whether the text of a cell that is not from a value of the level meets the condition. */
bool condition_is_met(const condition *one, const char *cell, const mst_value *element);
/* Whether conditions accept a name, such as `layer`, that is not a field of the elements. */
bool condition_is_known(const condition *one, const mst_value *element);

#endif
