/* SPDX-License-Identifier: MIT */
/*
 * Finds the lists that numbers refer to. The code that walks a document reports which records it enters and
 * leaves; the target of a fact (mst_refers) is then looked up once per record that could contain it.
 */
#ifndef MST_CHECK_REFERS_H
#define MST_CHECK_REFERS_H

#include "../read/conditions.h"
#include "../read/engine.h"

/* The target of a fact at one position of the walk. */
typedef struct mst_referred {
    const mst_refers *fact;
    uint64_t scope;         /* number of the scope it was looked up in; 0: not yet */
    bool known;             /* the list exists */
    bool by_place;          /* numbers are indices: there is no `key`, or this version lacks the field */
    uint64_t count;         /* elements, including those of `then` */
    uint64_t first;         /* elements of the target alone */
    uint64_t places;        /* indices below this are valid */
    mst_value target, then; /* the lists; `document` is NULL if this file lacks them */
    uint64_t list;          /* offset of the list that `ids` were read from */
    uint64_t *ids;          /* ascending */
    size_t id_count, id_capacity;
} mst_referred;

typedef struct mst_refers_scope {
    const mst_record *record;
    mst_value value;
    uint64_t number; /* unique */
    uint32_t depth;
} mst_refers_scope;

#define MST_REFERS_SCOPES 32 /* nested records with such lists; nothing is checked in deeper ones */
typedef struct mst_refers_state {
    const mst_document *document;
    mst_arena *arena;
    mst_referred *referred; /* one for each fact, by address */
    size_t referred_count;
    mst_referred *recent[8]; /* the last ones looked up, by address */
    uint8_t *scoped;         /* by record index: whether it can have a list that facts refer to */
    mst_refers_scope *scopes;
    uint32_t scope_count;
    uint32_t too_deep; /* depth of the first record that did not fit into `scopes`; 0: none */
    uint64_t last_number;
} mst_refers_state;

/* Memory comes from the arena; MST_NO_MEMORY. Without facts in the tables the other functions do nothing. */
mst_status mst_refers_begin(mst_refers_state *state, const mst_document *document, mst_arena *arena);
/* Whether the table of a record has the list, or the record, that a path begins with. */
bool mst_refers_has_list(const mst_record *record, const char *path);
/* The walk is at the beginning or the end of a record. */
void mst_refers_enter(mst_refers_state *state, const mst_item *item);
void mst_refers_leave(mst_refers_state *state, uint32_t depth);
/* The innermost enclosing record that has such lists; NULL: none. */
const mst_value *mst_refers_around(const mst_refers_state *state);

/* The target of the fact here; `result` is NULL if there is no such list. MST_NO_MEMORY. */
mst_status mst_refers_look_up(mst_refers_state *state, const mst_refers *fact, const mst_referred **result);
bool mst_refers_has_id(const mst_referred *referred, uint64_t id);
/* Whether a number refers to an element, or is the list's length where the fact allows that. The fact's other
 * "no reference" values are not considered. */
static inline bool mst_refers_hits(const mst_referred *referred, uint64_t number) {
    return referred->by_place ? number < referred->places : mst_refers_has_id(referred, number);
}
/* Whether component `component` of a number of that width, as stored, is one of the values that name
 * nothing. */
static inline bool mst_refers_is_none(const mst_refers *fact, uint64_t stored, unsigned width,
                                      uint32_t component) {
    uint64_t all = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
    for (uint8_t i = 0; i < fact->nones && component >= fact->none_from; i++)
        if (stored == (fact->none[i] & all))
            return true;
    return false;
}
/* The expected value, for a finding about a number of that field. */
void mst_refers_expected(const mst_referred *referred, const mst_field *field, char *text, size_t capacity);

/* The value of number `index` that names no element, as the field displays it. */
long long mst_refers_none(const mst_field *field, const mst_refers *fact, uint8_t index);

/* The path of the list that a parallel list describes, element by element; NULL: it describes none, or out of
 * memory. */
const char *mst_list_about(const mst_document *document, const char *path, mst_arena *arena);

#endif
