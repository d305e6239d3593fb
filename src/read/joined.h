/* SPDX-License-Identifier: MIT */
/* How conditions are joined: & and | between them, where & binds closer, ! before one, round brackets around
 * several. */
#ifndef MST_READ_JOINED_H
#define MST_READ_JOINED_H

#include "excerpt.h"
#include <mapstone/base.h>
#include <stdbool.h>

#define MST_JOINED_DEPTH 16 /* brackets in each other */

/* A text that conditions are taken from, one by one: begins with {.text, .length}, all else 0. */
typedef struct mst_joined {
    const char *text;
    size_t length, at;
    unsigned depth;
    bool joins; /* what comes next is not a condition but & or | or a bracket */
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

/* The next part of the text. A condition ends at & or | outside quotes, or at the bracket that closes the one
 * it is in; brackets of its own belong to it. */
mst_joined_kind mst_joined_next(mst_joined *in, mst_excerpt *condition);
/* The next condition, however it is joined; false: there is none. */
bool mst_joined_condition(mst_joined *in, mst_excerpt *condition);
/* MST_ARGUMENT, with the column: the text is not conditions that are joined. An empty one is. */
mst_status mst_joined_check(mst_excerpt text, mst_diagnostic *diagnostic);
/* Whether the text is true when `holds` says it of each condition. The text has been checked; an empty one is
 * true. */
bool mst_joined_holds(mst_excerpt text, bool (*holds)(void *user, mst_excerpt condition), void *user);
/* Whether a text is in round brackets, of which the first and the last belong together. */
bool mst_is_in_brackets(mst_excerpt text);

#endif
