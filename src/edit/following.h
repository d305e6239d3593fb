/* SPDX-License-Identifier: MIT */
/* The state of an edit with all that follows: the lists that change (follow_lists.c), the numbers that name
 * their elements (follow_numbers.c), and how it is carried out (follow_carry.c). follow.c goes over the
 * document. */
#ifndef MST_EDIT_FOLLOWING_H
#define MST_EDIT_FOLLOWING_H

#include "../check/numbers.h"
#include "follow.h"
#include "single_edit.h"

/* An element goes; it goes as the caller asked for it. */
#define MST_GONE       1
#define MST_GONE_ASKED 2

/* A list that changes, or whose elements go when nothing refers to them. */
typedef struct change change;
struct change {
    change *next;
    const char *path;
    const mst_field *field;
    uint64_t offset, count;
    uint8_t *gone;         /* by element: 0, MST_GONE or MST_GONE_ASKED */
    uint32_t *lower;       /* how many elements before each are gone; one more for the list's end */
    uint32_t *kept, *lost; /* OWNED: how often what stays, and what goes, refers to the element; else NULL */
    uint64_t removed;
    uint64_t at;         /* insertions: the new element's index */
    const uint32_t *now; /* where each element goes; NULL: the order stays */
    uint64_t more;       /* with `now`: elements that come */
};

/* The ids that no element of a list has any more. */
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
    const char *path;           /* what the caller inserts or removes */
    bool inserts, more, stable; /* stable: nothing more goes; what refers to what goes is reported */
    uint32_t pass;
    uint32_t dead;       /* depth of the removed element that the walk is in; 0: none */
    uint8_t how_dead;    /* MST_GONE or MST_GONE_ASKED */
    bool implied;        /* an element that was asked for would also go with others */
    const change *given; /* only numbers in the element that was inserted into this list change; NULL: all */
    uint32_t inside;     /* depth of that element, if the walk is in it */
    uint64_t copied;     /* insertions: the element that is copied, with its rows; UINT64_MAX: none */
    uint64_t users;
    mst_diagnostic said;
} follow;

/* ---- lists (follow_lists.c) -------------------------------------------------------------------------- */

change *mst_change_at(const follow *w, const mst_field *field, uint64_t offset);
change *mst_change_of(const follow *w, const mst_value *list);
/* NULL: there is no memory. */
change *mst_change_begin(follow *w, const mst_field *field, uint64_t offset, uint64_t count,
                         const char *path);
/* The change of the list that the walk is at, begun if there is none. MST_NO_MEMORY. */
mst_status mst_change_of_item(follow *w, const mst_item *item, change **own);

/* Whether elements of the list go with the last that refers to them. */
bool mst_follow_owns(const follow *w, const mst_field *list);
/* Says what else the edit changes. */
mst_status mst_follow_say(follow *w, mst_severity severity, const char *path, uint64_t offset,
                          const char *message);
mst_status mst_follow_remove(follow *w, change *list, uint64_t index, const char *why);
/* The numbers that the elements have afterwards. */
void mst_change_number_again(change *list);

/* ---- numbers (follow_numbers.c) ----------------------------------------------------------------------- */

mst_status mst_follow_numbers(mst_numbers_walk *walk, const mst_numbers *n);

/* ---- carrying it out (follow_carry.c) ------------------------------------------------------------------ */

/* Writes the numbers that were noted, while every place is where it was. */
mst_status mst_follow_write_numbers(follow *w);
/* The same, and then inserts or removes. `json`: of the element that the caller inserts. */
mst_status mst_follow_carry_out(follow *w, const char *json);
/* The same for several elements of the first list that changes, and the rows about them. */
mst_status mst_follow_carry_insertions(follow *w, const mst_insertion *all, size_t count);
/* Fills the rows about the element that was inserted into the list of the path, as its format makes them. */
mst_status mst_follow_fill_rows(follow *w, const change *changes, uint64_t index);
/* A field of the root that some of the lists that change make void; NULL: none. */
const char *mst_follow_voided(const follow *w);
mst_status mst_follow_remove_voided(follow *w, const char *name);
/* Puts the elements of the lists into their new order: they only change places. The document must be opened
 * again. */
mst_status mst_follow_permute(follow *w);

#endif
