/* SPDX-License-Identifier: MIT */
/*
 * Where the lists are that numbers refer to. Whoever walks a document says which records it enters and
 * leaves; the list of a fact is then looked up once for each record that could have it.
 */
#ifndef MST_SCHEMA_REFERS_H
#define MST_SCHEMA_REFERS_H

#include "engine.h"

/* What a fact refers to at one place. */
typedef struct mst_referred {
    const mst_refers *fact;
    uint64_t scope;  /* where it was looked up; 0: nowhere yet */
    bool known;      /* there is such a list */
    bool by_place;   /* numbers are places: there is no `key`, or this version has none */
    uint64_t count;  /* elements, with those of `then` */
    uint64_t places; /* below that, places are right */
    uint64_t list;   /* offset of the list that `ids` are of */
    uint64_t *ids;   /* ascending */
    size_t id_count, id_capacity;
} mst_referred;

typedef struct mst_refers_scope {
    const mst_record *record;
    mst_value value;
    uint64_t number; /* no two scopes have the same */
    uint32_t depth;
} mst_refers_scope;

#define MST_REFERS_SCOPES                                                                                    \
    32 /* of records in each other that have such lists; nothing is said of deeper ones */
typedef struct mst_refers_state {
    const mst_document *document;
    mst_arena *arena;
    mst_referred *referred; /* one for each fact, by address */
    size_t referred_count;
    uint8_t *scoped; /* by record index: whether it can have a list that is referred to */
    mst_refers_scope *scopes;
    uint32_t scope_count;
    uint32_t too_deep; /* depth of the first record that has no room among them; 0: none */
    uint64_t last_number;
} mst_refers_state;

/* MST_NO_MEMORY. Memory is the arena's. Without facts in the tables the rest does nothing. */
mst_status mst_refers_begin(mst_refers_state *state, const mst_document *document, mst_arena *arena);
/* The walk is at the beginning or the end of a record. */
void mst_refers_enter(mst_refers_state *state, const mst_item *item);
void mst_refers_leave(mst_refers_state *state, uint32_t depth);
/* The innermost record around the place that matters; NULL: none. */
const mst_value *mst_refers_around(const mst_refers_state *state);

/* What the fact refers to here; `result` is NULL if there is no such list. MST_NO_MEMORY. */
mst_status mst_refers_look_up(mst_refers_state *state, const mst_refers *fact, const mst_referred **result);
bool mst_refers_has_id(const mst_referred *referred, uint64_t id);
/* Whether a number refers to an element, or is the place after the last one where the fact allows that. Other
 * values that are meant to refer to nothing are not looked at. */
static inline bool mst_refers_hits(const mst_referred *referred, uint64_t number) {
    return referred->by_place ? number < referred->places : mst_refers_has_id(referred, number);
}
/* What would be right, for a finding about a number of that field. */
void mst_refers_expected(const mst_referred *referred, const mst_field *field, char *text, size_t capacity);

#endif
