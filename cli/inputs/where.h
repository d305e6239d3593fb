/* SPDX-License-Identifier: MIT */
/* The conditions of table --where. */
#ifndef CLI_INPUTS_WHERE_H
#define CLI_INPUTS_WHERE_H

#include "../../src/read/excerpt.h"
#include "../output/columns.h"
#include "options.h"

typedef struct condition {
    size_t column;     /* SIZE_MAX: it is about none */
    char *text, *rest; /* the complete condition; its operator and what follows */
    const char *given; /* where it is in what the user wrote */
} condition;

/* What one --where says. */
typedef struct where {
    mst_excerpt text;
    bool joined; /* it is conditions that are joined; else one, which may have & in its value */
} where;

typedef struct conditions {
    condition *items;
    size_t count;
    where *texts; /* as they were given: they say how the conditions are joined */
    size_t text_count;
} conditions;

/* Reads what --where says, several if & and | join them, and adds the columns. False, with a message, if that
 * is no condition. */
bool conditions_read(conditions *all, columns *shown, const options *given);
void conditions_free(conditions *all);
/* Whether all --where are true when `holds` says it of each condition. */
bool conditions_hold(const conditions *all, bool (*holds)(void *user, const condition *one), void *user);

/* Whether the text of a cell that is no value of the level meets the condition. */
bool condition_is_met(const condition *one, const char *cell, const mst_value *element);
/* Whether elements can be compared by a name that is no field of theirs: `layer`. */
bool condition_is_known(const condition *one, const mst_value *element);

#endif
