/* SPDX-License-Identifier: MIT */
/* The conditions of table --where. */
#ifndef CLI_WHERE_H
#define CLI_WHERE_H

#include "columns.h"
#include "options.h"

typedef enum comparison {
    WHERE_IS,
    WHERE_IS_NOT,
    WHERE_LIKE,
    WHERE_UNLIKE,
    WHERE_OTHER /* what only the library compares: numbers, flags, places */
} comparison;

typedef struct condition {
    size_t column; /* SIZE_MAX: it is about none */
    comparison how;
    char *text, *value; /* the complete condition; what comes after the operator, without quotes */
} condition;

typedef struct conditions {
    condition *items;
    size_t count;
} conditions;

/* Reads what --where says, several if & joins them, and adds the columns. False, with a message, if that is
 * no condition. */
bool conditions_read(conditions *all, columns *shown, const options *given);
void conditions_free(conditions *all);

/* Whether the text of a cell is what the condition says: of a comparison with a text. */
bool condition_is_met(const condition *one, const char *cell, size_t size);
/* Whether elements can be compared by a name that is no field of theirs: `layer`. */
bool condition_is_known(const condition *one, const mst_value *element);

#endif
