/* SPDX-License-Identifier: MIT */
/*
 * Comparing two documents. `match.c` determines which elements of two lists are the same, in steps;
 * `compare_values.c` walks both documents in parallel and reports differences; `value_hash.c` turns values
 * into numbers, in which a reference represents the element that it names, whatever its index.
 */
#ifndef MST_COMPARE_COMPARING_H
#define MST_COMPARE_COMPARING_H

#include "../check/refers.h"
#include <mapstone/diff.h>

enum { MST_OLD = 0, MST_NEW = 1 };
#define MST_NOBODY UINT32_MAX

typedef struct mst_match mst_match;

/* A record of both documents that the comparison has entered. */
typedef struct mst_scope {
    const mst_record *record;
    mst_value values[2];
} mst_scope;
#define MST_SCOPES 64 /* deeper values are compared by their stored numbers */

/* The facts about a field. */
typedef struct mst_compared_field {
    const mst_field *field;
    const mst_compared *facts;
} mst_compared_field;

/* The match that a fact leads to from the innermost scopes. */
typedef struct mst_diff_target {
    const mst_refers *fact;
    uint32_t scope; /* number of scopes up to the one that has the list */
    bool known;
    mst_match *match, *then;
} mst_diff_target;

/* The matched lists that numbers in a record refer to. */
typedef struct mst_known_targets {
    const mst_record *record; /* NULL: none */
    uint32_t scope;           /* the number of scopes when they were looked up */
    bool bytes_tell;          /* records of equal bytes are equal: their targets kept their indices */
    bool busy;                /* ... or are in a list that is being matched */
} mst_known_targets;

typedef struct mst_diff_state mst_diff_state;
struct mst_diff_state {
    /* mst_match_elements. It hashes elements, hashing needs the targets of their numbers, and the lists of
     * these targets have to be matched first: hence the pointer. */
    void (*match_elements)(mst_diff_state *state, mst_match *match);
    const mst_document *documents[2];
    const mst_format *format;
    bool same_variant;
    bool in_place; /* mst_diff_options.in_place */
    bool out_of_memory;
    bool moved;    /* some matched parts have moved */
    bool by_match; /* references are equal if their targets are matched, even if these have moved */
    mst_allocator allocator;
    mst_arena arena; /* for the duration of the comparison */
    size_t budget, used;
    bool *refers; /* by record index: whether numbers in it name elements by index */
    mst_compared_field *compared;
    size_t compared_count;
    mst_scope *scopes;
    uint32_t scope_count;
    mst_array targets;       /* mst_diff_target */
    mst_known_targets known; /* the last one; reset when a scope is left or a list has been matched */
    mst_array matches;       /* mst_match *: of lists that numbers refer to */
    mst_array distances;     /* double[3]: by which parts have moved together */
};

/* Memory within the budget; NULL if it is used up, which the state remembers. */
void mst_diff_arena_begin(mst_diff_state *state, mst_arena *arena);
void mst_diff_arena_end(mst_diff_state *state, mst_arena *arena);
void *mst_diff_take(mst_diff_state *state, mst_arena *arena, uint64_t count, size_t size);

/* Sets the values that identify the element of a change: its kind and its keys, each path once. */
void mst_diff_put_known_by(mst_difference *change, const mst_compared *facts);

/* The facts about the field of a value; NULL if the format has none. */
const mst_compared *mst_compared_of(const mst_diff_state *state, const mst_field *field);

/* ---- scopes ---------------------------------------------------------------------------------------- */

/* Enters and leaves a record of both documents; on leaving, the targets of numbers in it are forgotten. */
void mst_scope_enter(mst_diff_state *state, const mst_value *old_record, const mst_value *new_record);
void mst_scope_leave(mst_diff_state *state);

/* The innermost record that the comparison has entered, in one document; NULL if it is nested too deep. */
static inline const mst_value *mst_scope_record(const mst_diff_state *state, int side) {
    uint32_t count = state->scope_count;
    return count && count <= MST_SCOPES ? &state->scopes[count - 1].values[side] : NULL;
}

/* Maps a number to the element that it names: `*same` is equal for the same element in both documents. False
 * if the fact leads nowhere: then the number has no target. */
bool mst_scope_number(mst_diff_state *state, int side, const mst_refers *fact, uint64_t number,
                      uint64_t *same, bool *busy);
/* The index in the new list of the element that the number names; MST_NOBODY if only one document has it. */
uint32_t mst_scope_matched(mst_diff_state *state, int side, const mst_refers *fact, uint64_t number);
/* The element that the number names; false if there is none. */
bool mst_scope_element(mst_diff_state *state, int side, const mst_refers *fact, uint64_t number,
                       mst_value *element);
/* The match of the lists that a fact leads to; NULL if there are none. */
const mst_match *mst_scope_match(mst_diff_state *state, const mst_refers *fact);
/* Whether equal numbers name the same elements in both documents because these kept their indices. `*busy` is
 * set if such numbers are left out of hashes because the list is being matched. */
bool mst_scope_in_place(mst_diff_state *state, const mst_refers *fact, bool *busy);
/* The fact by index that applies to a number of a record; NULL if there is none. */
const mst_refers *mst_fact_of(const mst_field *field, const mst_value *record);
/* Whether numbers of the field can name elements by index. */
static inline bool mst_names_by_index(const mst_field *field) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        if (field->refers[i].by == MST_BY_INDEX)
            return true;
    return false;
}

/* ---- hashes ---------------------------------------------------------------------------------------- */

typedef struct mst_range {
    uint64_t from, to;
} mst_range;

/* Of a value: of all of it, and of everything outside the ranges. */
typedef struct mst_hashes {
    uint64_t all, rest;
    bool busy; /* numbers that refer to a list that is being matched were left out */
} mst_hashes;
mst_hashes mst_diff_hash(mst_diff_state *state, int side, const mst_value *value, const mst_range *ranges,
                         size_t range_count);
static inline uint64_t mst_mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}
/* The hash of the values at paths below an element, and whether it has all of them, and not only empty
 * texts. */
typedef enum mst_found { MST_FOUND_SOME, MST_FOUND_BLANK, MST_FOUND_ALL } mst_found;
uint64_t mst_diff_hash_paths(mst_diff_state *state, int side, const mst_value *element,
                             const char *const paths[MST_COMPARED_PATHS], mst_found *found);
/* Whether equal bytes of the field have the same meaning in both documents, regardless of other values. */
bool mst_diff_means_its_bytes(const mst_diff_state *state, const mst_field *field);
/* Whether two values would be read identically if their bytes were equal, and whether they are. */
bool mst_diff_read_alike(const mst_diff_state *state, const mst_value *old_value, const mst_value *new_value);
bool mst_diff_same_bytes(const mst_value *old_value, const mst_value *new_value);
/* Whether two values are equal: the same numbers, texts and bytes, and references to the same elements.
 * Without `whole`, false may be returned for equal values: then everything in them is equal. */
bool mst_diff_equal(mst_diff_state *state, const mst_value *old_value, const mst_value *new_value,
                    bool whole);
/* Whether two lists of numbers, which list members, differ only in order and in elements that one of the
 * documents lacks. */
bool mst_diff_same_members(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list);
/* The value at a path below an element; "" is the element itself. */
bool mst_diff_find(const mst_value *element, const char *path, mst_value *found);

/* ---- matching -------------------------------------------------------------------------------------- */

typedef enum mst_match_step {
    MST_MATCH_NONE = 0,
    MST_MATCH_IDENTICAL,
    MST_MATCH_KEY,
    MST_MATCH_TYPE,    /* everything but the type */
    MST_MATCH_PAIRED,  /* by the fewest changes (pairing.c) */
    MST_MATCH_SHARES,  /* refers to half of the same elements */
    MST_MATCH_MOVED,   /* linked with the same elements, or made of parts matched by this */
    MST_MATCH_BLANK,   /* the same key, although it is empty */
    MST_MATCH_BETWEEN, /* between the same neighbours */
    MST_MATCH_INDEX
} mst_match_step;

/* A note that an old element could as well match another new one. */
typedef struct mst_doubt {
    uint32_t group; /* the least index among elements that can be confused, once it is determined; MST_NOBODY:
                     * no doubt */
    uint32_t other; /* another of these, or if `is_new` an unmatched new element */
    bool is_new;
} mst_doubt;

/* Which elements of two lists are the same. */
struct mst_match {
    mst_value lists[2], first[2]; /* the lists, and the first element of each */
    uint64_t counts[2];
    mst_range *extents[2]; /* of elements of different sizes */
    uint32_t *others[2];   /* of an element, the index of its counterpart in the other list, or MST_NOBODY */
    uint8_t *steps;        /* mst_match_step, of the elements of the new list */
    mst_doubt *doubts;     /* of the elements of the old list; NULL: no doubts */
    uint8_t *unused[2];    /* of parts, whether nothing consists of them; NULL: not determined */
    uint64_t *parts[2];    /* of parts, hashes of their content, whatever their index: several may be equal */
    const mst_compared *facts;
    uint8_t as;
    bool same;        /* all elements are identical: there are no arrays */
    bool busy;        /* it is being made */
    bool in_place;    /* all elements are matched by their indices */
    bool approximate; /* identical elements may still refer to different ones */
    bool by_index;    /* an element is its index: there are no arrays */
    bool borrowed;    /* the arrays belong to another match */
    uint32_t scope;
    mst_arena arena;
};

/* NULL if there is not enough memory. Freed by mst_match_free. */
mst_match *mst_match_lists(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list);
void mst_match_free(mst_diff_state *state, mst_match *match);
/* The match of these lists if one was made for numbers that refer to them; NULL. */
mst_match *mst_match_made(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list);
mst_value mst_match_element(const mst_match *match, int side, uint64_t index);
/* The counterpart in the other list; MST_NOBODY. */
static inline uint32_t mst_match_other(const mst_match *match, int side, uint64_t index) {
    if (match->same || match->by_index)
        return index < match->counts[1 - side] ? (uint32_t)index : MST_NOBODY;
    return match->others[side] ? match->others[side][index] : MST_NOBODY; /* memory ran out */
}

/* Determines which elements of the match's lists are the same (match.c). */
void mst_match_elements(mst_diff_state *state, mst_match *match);

/* Matches the lists that numbers in a record refer to before the record is hashed: doing it from within the
 * hashing walk would take more stack. */
mst_known_targets mst_match_targets(mst_diff_state *state, const mst_record *record);

/* An element that is not matched yet. */
typedef struct mst_left {
    uint64_t hash;
    uint32_t index;
} mst_left;

/* For qsort: by hash, elements of equal hash by index. */
int mst_left_by_hash(const void *left, const void *right);
/* The number of leading elements that have the hash. */
static inline size_t mst_left_run(const mst_left *all, size_t count, uint64_t hash) {
    size_t end = 0;
    while (end < count && all[end].hash == hash)
        end++;
    return end;
}

/* Matches the remaining elements with the fewest changes (pairing.c). False: out of memory. */
bool mst_match_pairs(mst_diff_state *state, mst_match *match);
/* In a sequence, matches the remaining elements between the same neighbours (sequence.c). False: out of
 * memory. */
bool mst_match_between(mst_diff_state *state, mst_match *match);
/* The same for parts that nothing consists of (unused.c). */
bool mst_match_unused(mst_diff_state *state, mst_match *match);
/* Matches pairs that share a name (same_names.c). */
bool mst_match_same_names(mst_diff_state *state, mst_match *match);
/* The group of elements that an old one can be confused with (doubts.c); MST_NOBODY if there is no doubt. */
uint32_t mst_match_doubt_group(const mst_match *match, uint64_t old_index);
/* Matches the remaining elements by the elements that they refer to, or that they are linked with. */
void mst_match_shares(mst_diff_state *state, mst_match *match);
void mst_match_linked(mst_diff_state *state, mst_match *match);
/* Matches linked parts that have moved together, such as the vertices of a room (together.c). False: none. */
bool mst_match_together(mst_diff_state *state, mst_match *match);
/* Calls a function with the two ends of each link of one document; false if there are none or memory ran
 * out. */
typedef bool (*mst_link_function)(void *user, uint64_t from, uint64_t to);
bool mst_match_each_link(mst_diff_state *state, const mst_match *match, int side, mst_link_function found,
                         void *user);
/* The position of a part, if the first of its keys is one. */
bool mst_diff_position(const mst_value *part, const mst_compared *facts, double at[3]);
#define MST_TOGETHER (1.0 / 512) /* smaller differences are rounding errors */
/* Whether all parts of an element have moved by the same distance. */
bool mst_diff_moved_by(mst_diff_state *state, const mst_value *old_element, const mst_value *new_element,
                       double by[3]);
/* Replaces a distance by an earlier one that equals it except for rounding; false: no memory. */
bool mst_diff_round_distance(mst_diff_state *state, double by[3]);
static inline void mst_match_set(mst_match *match, uint32_t old_index, uint32_t new_index,
                                 mst_match_step step) {
    match->others[MST_OLD][old_index] = new_index;
    match->others[MST_NEW][new_index] = old_index;
    match->steps[new_index] = (uint8_t)step;
}
static inline void mst_match_unset(mst_match *match, uint32_t old_index) {
    const uint32_t new_index = match->others[MST_OLD][old_index];
    match->others[MST_OLD][old_index] = match->others[MST_NEW][new_index] = MST_NOBODY;
    match->steps[new_index] = MST_MATCH_NONE;
}

/* The ambiguous elements of the old document, and loose parts that were removed. */
typedef struct mst_doubted {
    const char *list;      /* its path */
    uint64_t offset, end;  /* in the old document */
    uint32_t index, group; /* MST_NOBODY: no doubt */
    bool is_loose;         /* a part that nothing consists of: a change to it is an edit of its own */
    bool is_changed; /* merging: of the first of a group, whether the other side has changed one of them */
} mst_doubted;
typedef struct mst_doubts {
    mst_arena *arena; /* of the paths */
    mst_array items;  /* mst_doubted */
} mst_doubts;
/* mst_diff; `doubts` (may be NULL) receives the ambiguous elements. */
mst_status mst_diff_with_doubts(const mst_document *old_document, const mst_document *new_document,
                                const mst_diff_options *options, mst_difference_function found, void *user,
                                mst_doubts *doubts, mst_diagnostic *diagnostic);

/* Whether two documents are the same bytes. */
bool mst_same_files(const mst_document *a, const mst_document *b);

#endif
