/* SPDX-License-Identifier: MIT */
/*
 * Values that are calculated from others: `round(origin[1], 0.25) * 2`, `"door_" + index`. Names are paths,
 * brackets are round, + also joins texts. Numbers are doubles; integers are exact, or an error.
 */
#ifndef MST_READ_EXPRESSION_H
#define MST_READ_EXPRESSION_H

#include "engine.h"
#include "excerpt.h"

#define MST_EXPRESSION_LENGTH 1024 /* longer ones are refused */
/* 2^53: a number that was rounded to it, or above, may represent another integer. */
#define MST_EXACT            9007199254740992.0
#define MST_EXPRESSION_DEPTH 32 /* nested brackets */

typedef struct mst_calculation {
    mst_excerpt text;
    const mst_value *scopes; /* in which names are looked up, in order */
    size_t scope_count;
    uint64_t index; /* the value of `index`; UINT64_MAX: none */
    char *texts;    /* room for texts while they are joined; the result points to it */
    size_t capacity;
} mst_calculation;

/* A number, or a text. (Some 100 of them are on the stack.) */
typedef struct mst_operand {
    double number;
    const char *name;       /* of a number, as joined to texts: "true", or an enum's; NULL: none */
    uint16_t start, length; /* of a text, in `texts` */
    uint16_t column;        /* of its token, from 1 */
    bool is_text : 1;
    bool whole : 1;  /* the number is an integer made of integers only */
    bool single : 1; /* the number involves an f32, and is written as one */
} mst_operand;

/* Whether the text is an expression, whatever its names are. MST_ARGUMENT, with the column. `has_index`:
 * `index` is allowed. */
mst_status mst_expression_check(mst_excerpt text, bool has_index, mst_diagnostic *diagnostic);
/* MST_ARGUMENT, MST_NO_PATH: with the column; the diagnosis has no path. */
mst_status mst_expression_value(const mst_calculation *expression, mst_operand *value,
                                mst_diagnostic *diagnostic);
/* Fails because of the token at a column of an expression. */
mst_status mst_expression_fail(mst_excerpt text, size_t column, mst_status status, const char *message,
                               mst_diagnostic *diagnostic);

#endif
