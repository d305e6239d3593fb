/* SPDX-License-Identifier: MIT */
/* The position of the comparison, and the reports from there. */
#ifndef MST_COMPARE_REPORT_H
#define MST_COMPARE_REPORT_H

#include "comparing.h"

/* A record or list of both documents that is being compared; while it is reported, any value of one or
 * both. */
typedef struct frame {
    mst_value values[2];
    const char *name;    /* "" for elements */
    uint64_t indices[2]; /* MST_NOWHERE for fields */
    mst_difference_sort sort;
    bool is_list, is_element, is_pair;
    bool owns_match;
    bool has_moved; /* an element that is a part and has moved */
    bool by_match;  /* numbers below are equal if their targets are matched (mst_diff_state.by_match) */
    bool follows;   /* the value differs only because parts have moved */
    uint8_t phase;
    const mst_compared *facts; /* of an element: the facts of its list */
    bool side_by_side;         /* both have had the same fields so far */
    mst_match *match;          /* of a list */
    uint64_t next;
    mst_array moved;         /* uint8_t for each element of the new list; empty: none has moved */
    mst_iterator it, beside; /* of an entered record; `beside` walks the new one */
} frame;

typedef struct texts {
    char list[2048], path[2048], item[2048], label[256], type[96], place[96];
} texts;

typedef struct comparison {
    mst_diff_state state;
    mst_array frames;
    texts *texts;
    mst_difference_function found;
    void *user;
    uint64_t changes;
    bool within_derived;
    const char *schema; /* size 0: none */
    size_t schema_size;
    mst_array kinds; /* kinds whose initial values have been read (defaults.c) */
    mst_arena defaults;
    mst_doubts *doubts; /* NULL: not needed */
    mst_diagnostic *diagnostic;
} comparison;

/* Determines whether the new value is the initial value of an element of the list. */
mst_status mst_diff_is_default(comparison *c, const mst_field *list, const mst_compared *facts,
                               mst_difference *change);
/* The size of an element of `kinds`. */
extern const size_t mst_diff_kind_size;

static inline frame *frame_top(const comparison *c) {
    return c->frames.count ? &((frame *)c->frames.items)[c->frames.count - 1] : NULL;
}

/* `value` is below the top frame. `field`: of a value in both documents that may be a reference; NULL. */
mst_status report_set(comparison *c, const frame *value, const mst_field *field);
/* An element that only one list has. */
mst_status report_alone(comparison *c, const frame *element);
mst_status report_move(comparison *c, const frame *element);
/* Notes the ambiguous elements of the list in the top frame. */
mst_status report_doubts(comparison *c);
/* The documents differ only in how they are stored. */
mst_status report_storage(comparison *c);

#endif
