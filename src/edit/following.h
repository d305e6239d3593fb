/* SPDX-License-Identifier: MIT */
/* The state of an edit with its consequences: the lists that change (follow_lists.c), the numbers that name
 * their elements (follow_numbers.c), and applying it (follow_carry.c). follow.c walks over the document. */
#ifndef MST_EDIT_FOLLOWING_H
#define MST_EDIT_FOLLOWING_H

#include "../check/numbers.h"
#include "follow.h"
#include "single_edit.h"

/* An element is removed; it is removed on the caller's request. */
#define MST_GONE       1
#define MST_GONE_ASKED 2

/* A list that changes, or whose elements are removed when nothing refers to them. */
typedef struct change change;
struct change {
    change *next;
    const char *path;
    const mst_field *field;
    uint64_t offset, count;
    uint8_t *gone;         /* by element: 0, MST_GONE or MST_GONE_ASKED */
    uint32_t *lower;       /* number of removed elements before each; one more for the list's end */
    uint32_t *kept, *lost; /* OWNED: kept and removed references to the element; else NULL */
    uint64_t removed;
    uint64_t at;         /* insertions: the new element's index */
    const uint32_t *now; /* the new index of each element; NULL: the order is kept */
    uint64_t more;       /* with `now`: number of inserted elements */
};

/* The ids of the removed elements of a list. */
typedef struct vanished {
    const mst_refers *fact;
    uint32_t pass;
    uint64_t *ids;
    size_t count;
} vanished;

typedef struct patch {
    uint64_t offset, bits;
    uint8_t width;
    bool big;
} patch;

#define VANISHED 16 /* facts with ids about changing lists; no format has as many */
#define MAX_PATH 400

typedef struct follow {
    mst_numbers_walk walk;
    mst_document *document;
    const mst_edit_options *options;
    mst_diagnostic *diagnostic;
    mst_arena arena;
    change *changes;
    vanished ids[VANISHED];
    mst_array patches;
    const char *path;           /* the path that the caller inserts or removes */
    bool inserts, more, stable; /* stable: nothing more is removed; users of removed elements are reported */
    uint32_t pass;
    uint32_t dead;       /* depth of the removed element that the walk is in; 0: none */
    uint8_t how_dead;    /* MST_GONE or MST_GONE_ASKED */
    bool implied;        /* a requested element would also be removed with others */
    const change *given; /* only numbers in the element that was inserted into this list change; NULL: all */
    uint32_t inside;     /* depth of that element, if the walk is in it */
    uint64_t copied;     /* insertions: the element to copy, with its rows; UINT64_MAX: none */
    uint64_t users;
    mst_diagnostic said;
} follow;

/* ---- lists (follow_lists.c) -------------------------------------------------------------------------- */

change *mst_change_at(const follow *w, const mst_field *field, uint64_t offset);
change *mst_change_of(const follow *w, const mst_value *list);
/* NULL: out of memory. */
change *mst_change_begin(follow *w, const mst_field *field, uint64_t offset, uint64_t count,
                         const char *path);
/* The change of the list that the walk is at, begun if there is none. MST_NO_MEMORY. */
mst_status mst_change_of_item(follow *w, const mst_item *item, change **own);

/* Whether elements of the list are removed with the last reference to them. */
bool mst_follow_owns(const follow *w, const mst_field *list);
/* Reports another change that the edit makes. */
mst_status mst_follow_say(follow *w, mst_severity severity, const char *path, uint64_t offset,
                          const char *message);
mst_status mst_follow_remove(follow *w, change *list, uint64_t index, const char *why);
/* Determines the numbers of the elements after the edit. */
void mst_change_number_again(change *list);

/* ---- numbers (follow_numbers.c) ----------------------------------------------------------------------- */

mst_status mst_follow_numbers(mst_numbers_walk *walk, const mst_numbers *n);

/* ---- applying it (follow_carry.c) ---------------------------------------------------------------------- */

/* Writes the recorded numbers, before anything moves. */
mst_status mst_follow_write_numbers(follow *w);
/* The same, and then inserts or removes. `json`: of the element that the caller inserts. */
mst_status mst_follow_carry_out(follow *w, const char *json);
/* The same for several elements of the first list that changes, and the rows about them. */
mst_status mst_follow_carry_insertions(follow *w, const mst_insertion *all, size_t count);
/* Has the format fill the rows about the element that was inserted into the list of the path. */
mst_status mst_follow_fill_rows(follow *w, const change *changes, uint64_t index);
/* A field of the root that is void because one of the lists changes; NULL: none. */
const char *mst_follow_voided(const follow *w);
mst_status mst_follow_remove_voided(follow *w, const char *name);
/* Puts the elements of the lists into their new order: they only change places. The document must be opened
 * again. */
mst_status mst_follow_permute(follow *w);

#endif
