/* SPDX-License-Identifier: MIT */
/* Joins of conditions: & and | between them, where & binds closer, ! before one, round brackets around
 * several. */
#ifndef MST_READ_JOINED_H
#define MST_READ_JOINED_H

#include "excerpt.h"
#include <mapstone/base.h>
#include <stdbool.h>

#define MST_JOINED_DEPTH 16 /* nested brackets */

/* A text from which conditions are taken in order: initialize with {.text, .length}, all else 0. */
typedef struct mst_joined {
    const char *text;
    size_t length, at;
    unsigned depth;
    bool joins; /* expects & or | or a bracket, not a condition */
} mst_joined;

typedef enum mst_joined_kind {
    MST_JOINED_END,
    MST_JOINED_CONDITION,
    MST_JOINED_AND,
    MST_JOINED_OR,
    MST_JOINED_NOT,
    MST_JOINED_OPEN,
    MST_JOINED_CLOSE
} mst_joined_kind;

/* The next part of the text. A condition ends at & or | outside quotes, or at the bracket that closes the
 * enclosing one; its own brackets belong to it. */
mst_joined_kind mst_joined_next(mst_joined *in, mst_excerpt *condition);
/* The next condition, however it is joined; false if there is none. */
bool mst_joined_condition(mst_joined *in, mst_excerpt *condition);
/* MST_ARGUMENT, with the column: the text is not joined conditions. An empty one is valid. */
mst_status mst_joined_check(mst_excerpt text, mst_diagnostic *diagnostic);
/* Evaluates the text, with `holds` for each condition. The text has been checked; an empty one is true. */
bool mst_joined_holds(mst_excerpt text, bool (*holds)(void *user, mst_excerpt condition), void *user);
/* Whether a text is in round brackets, the first and last of which match each other. */
bool mst_is_in_brackets(mst_excerpt text);

#endif
