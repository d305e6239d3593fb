/* SPDX-License-Identifier: MIT */
/* Determines which elements of two lists are the same: in steps, the surest first. */
#include "comparing.h"

/* ---- elements --------------------------------------------------------------------------------------- */

/* Records the positions of a list's elements. */
static bool find_elements(mst_diff_state *state, mst_match *match, int side) {
    const mst_value *list = &match->lists[side];
    bool fixed = mst_shape_of(list) == MST_SHAPE_LIST && mst_shape_of_list(list).element;
    uint64_t count = match->counts[side] = mst_count(list);
    mst_value element;
    if (count >= MST_NOBODY)
        return false;
    if (!fixed && !(match->extents[side] = mst_diff_take(state, &match->arena, count, sizeof(mst_range))))
        return false;
    uint64_t at = 0;
    for (mst_iterator it = mst_iterate(list); at < count && mst_next(&it, &element); at++) {
        if (!at)
            match->first[side] = element;
        if (fixed)
            break;
        match->extents[side][at] = (mst_range){element.offset, element.end};
    }
    if (!fixed)
        match->counts[side] = at;
    return true;
}

static bool take_arrays(mst_diff_state *state, mst_match *match) {
    for (int side = 0; side < 2; side++) {
        size_t bytes = (size_t)match->counts[side] * sizeof(uint32_t);
        match->others[side] = mst_diff_take(state, &match->arena, match->counts[side], sizeof(uint32_t));
        if (!match->others[side])
            return false;
        memset(match->others[side], 0xFF, bytes);
    }
    match->steps = mst_diff_take(state, &match->arena, match->counts[MST_NEW], 1);
    if (match->steps)
        memset(match->steps, MST_MATCH_NONE, (size_t)match->counts[MST_NEW]);
    return match->steps != NULL;
}

/* ---- joining ---------------------------------------------------------------------------------------- */

/* Elements that have a hash, in ascending order of their indices. */
typedef struct hashed {
    mst_left *items;
    size_t count;
} hashed;

/* The old elements by their hashes. */
typedef struct table {
    const mst_left *items;
    uint32_t *heads, *nexts; /* first item of each slot's hash, and the next one with the same hash */
    size_t slots;
} table;

static size_t slot_of(const table *of, uint64_t hash) {
    size_t slot = (size_t)(hash * UINT64_C(0xD1342543DE82EF95) >> 20) & (of->slots - 1);
    while (of->heads[slot] != MST_NOBODY && of->items[of->heads[slot]].hash != hash)
        slot = (slot + 1) & (of->slots - 1);
    return slot;
}

static bool table_begin(mst_diff_state *state, mst_arena *arena, const hashed *old, table *of) {
    of->items = old->items;
    of->slots = 16;
    while (of->slots < 2 * old->count)
        of->slots *= 2;
    of->heads = mst_diff_take(state, arena, of->slots, sizeof *of->heads);
    of->nexts = mst_diff_take(state, arena, old->count, sizeof *of->nexts);
    if (!of->heads || !of->nexts)
        return false;
    memset(of->heads, 0xFF, of->slots * sizeof *of->heads);
    for (size_t i = old->count; i-- > 0;) {
        size_t slot = slot_of(of, old->items[i].hash);
        of->nexts[i] = of->heads[slot];
        of->heads[slot] = (uint32_t)i;
    }
    return true;
}

/* Finds the slots of the new elements, and counts in `hits` how often each is hit, up to twice. */
static void find_slots(const table *old, const hashed *now, uint32_t *slots, uint8_t *hits) {
    memset(hits, 0, old->slots);
    for (size_t i = 0; i < now->count; i++) {
        const size_t slot = slot_of(old, now->items[i].hash);
        slots[i] = (uint32_t)slot;
        hits[slot] = (uint8_t)(hits[slot] + (hits[slot] < 2));
    }
}

/* Of several elements with one hash, matches the one at the expected position: one list may have more of them
 * than the other, such as vertices in one place of which some have moved. */
static void join_in_step(mst_match *match, const hashed sides[2], const table *old, const uint32_t *slots,
                         const uint8_t *hits, mst_match_step step) {
    int64_t shift = 0;
    for (size_t i = 0; i < sides[MST_NEW].count; i++) {
        const mst_left *now = &sides[MST_NEW].items[i];
        const uint32_t head = old->heads[slots[i]];
        if (head == MST_NOBODY)
            continue;
        if (hits[slots[i]] == 1 && old->nexts[head] == MST_NOBODY)
            shift = (int64_t)head - (int64_t)i;
        const uint64_t expected = (uint64_t)((int64_t)i + shift); /* wraps beyond the end if negative */
        if (expected < sides[MST_OLD].count && old->items[expected].hash == now->hash &&
            match->others[MST_OLD][old->items[expected].index] == MST_NOBODY)
            mst_match_set(match, old->items[expected].index, now->index, step);
    }
}

/* Matches elements with equal hashes: first those in step, then the rest in order. */
static bool join(mst_diff_state *state, mst_match *match, hashed sides[2], mst_match_step step) {
    mst_arena arena;
    table old;
    const hashed *now = &sides[MST_NEW];
    mst_diff_arena_begin(state, &arena);
    uint32_t *slots = mst_diff_take(state, &arena, now->count, sizeof *slots);
    bool enough = slots && table_begin(state, &arena, &sides[MST_OLD], &old);
    uint8_t *hits = enough ? mst_diff_take(state, &arena, old.slots, 1) : NULL;
    enough = hits != NULL;
    if (enough) {
        find_slots(&old, now, slots, hits);
        join_in_step(match, sides, &old, slots, hits, step);
    }
    for (size_t i = 0; enough && i < now->count; i++) {
        uint32_t *first = &old.heads[slots[i]];
        if (match->others[MST_NEW][now->items[i].index] != MST_NOBODY)
            continue;
        while (*first != MST_NOBODY && match->others[MST_OLD][old.items[*first].index] != MST_NOBODY)
            *first = old.nexts[*first];
        if (*first != MST_NOBODY)
            mst_match_set(match, old.items[*first].index, now->items[i].index, step);
    }
    mst_diff_arena_end(state, &arena);
    return enough;
}

/* Matches elements whose hash is unique in both lists, if they are not matched yet. */
static bool join_unique(mst_diff_state *state, mst_match *match, hashed sides[2], mst_match_step step) {
    mst_arena arena;
    table old;
    mst_diff_arena_begin(state, &arena);
    uint8_t *hits = mst_diff_take(state, &arena, sides[MST_OLD].count, 1);
    bool enough = hits && table_begin(state, &arena, &sides[MST_OLD], &old);
    if (enough)
        memset(hits, 0, sides[MST_OLD].count);
    for (int pass = 0; enough && pass < 2; pass++)
        for (size_t i = 0; i < sides[MST_NEW].count; i++) {
            uint32_t head = old.heads[slot_of(&old, sides[MST_NEW].items[i].hash)];
            if (head == MST_NOBODY || old.nexts[head] != MST_NOBODY)
                continue;
            if (!pass)
                hits[head] = (uint8_t)(hits[head] + (hits[head] < 2));
            else if (hits[head] == 1 && match->others[MST_OLD][old.items[head].index] == MST_NOBODY &&
                     match->others[MST_NEW][sides[MST_NEW].items[i].index] == MST_NOBODY)
                mst_match_set(match, old.items[head].index, sides[MST_NEW].items[i].index, step);
        }
    mst_diff_arena_end(state, &arena);
    return enough;
}

/* ---- identical elements ----------------------------------------------------------------------------- */

static uint64_t hash_element(mst_diff_state *state, mst_match *match, int side, uint64_t index) {
    mst_value element = mst_match_element(match, side, index);
    mst_hashes hashes = mst_diff_hash(state, side, &element, NULL, 0);
    match->approximate = match->approximate || hashes.busy;
    return hashes.all;
}

/* Hashes the elements from `from` to before `to`. */
static bool hash_elements(mst_diff_state *state, mst_match *match, int side, uint64_t from, uint64_t to,
                          hashed *all, mst_arena *arena) {
    all->items = mst_diff_take(state, arena, to - from, sizeof *all->items);
    all->count = 0;
    for (uint64_t i = from; all->items && i < to; i++)
        all->items[all->count++] = (mst_left){hash_element(state, match, side, i), (uint32_t)i};
    return all->items != NULL;
}

/* Whether two elements are identical; `bytes_tell`: elements of equal bytes are. */
static bool are_identical(mst_diff_state *state, mst_match *match, uint64_t old_index, uint64_t new_index,
                          bool bytes_tell) {
    if (bytes_tell) {
        mst_value old = mst_match_element(match, MST_OLD, old_index),
                  now = mst_match_element(match, MST_NEW, new_index);
        if (mst_diff_same_bytes(&old, &now))
            return true;
    }
    return hash_element(state, match, MST_OLD, old_index) == hash_element(state, match, MST_NEW, new_index);
}

/* Whether elements of equal bytes have equal hashes. */
static bool do_bytes_tell(mst_diff_state *state, mst_match *match) {
    const mst_field *field = mst_field_of(&match->first[MST_NEW]);
    if (field->kind != MST_KIND_RECORD ||
        !mst_diff_read_alike(state, &match->first[MST_OLD], &match->first[MST_NEW]))
        return false;
    const mst_known_targets known = mst_match_targets(state, field->record);
    match->approximate = match->approximate || known.busy;
    return known.bytes_tell;
}

/* Matches identical elements at both ends before the others, so that among several equal ones the right ones
 * are matched. */
static bool match_identical(mst_diff_state *state, mst_match *match) {
    mst_arena arena;
    hashed middle[2];
    uint64_t n = match->counts[MST_OLD], m = match->counts[MST_NEW], first = 0;
    bool tell = n && m && do_bytes_tell(state, match), enough = true;
    for (; first < n && first < m && are_identical(state, match, first, first, tell); first++)
        mst_match_set(match, (uint32_t)first, (uint32_t)first, MST_MATCH_IDENTICAL);
    for (; n > first && m > first && are_identical(state, match, n - 1, m - 1, tell); n--, m--)
        mst_match_set(match, (uint32_t)n - 1, (uint32_t)m - 1, MST_MATCH_IDENTICAL);
    mst_diff_arena_begin(state, &arena);
    for (int side = 0; side < 2 && enough; side++)
        enough = hash_elements(state, match, side, first, side == MST_OLD ? n : m, &middle[side], &arena);
    enough = enough && join(state, match, middle, MST_MATCH_IDENTICAL);
    mst_diff_arena_end(state, &arena);
    return enough;
}

static const mst_compared pairs = {.as = MST_AS_SEQUENCE, .keys = {"name"}};

/* ---- by the facts of the tables --------------------------------------------------------------------- */

/* Hashes everything but the type. */
static bool hash_untyped(mst_diff_state *state, const mst_match *match, int side, const mst_value *element,
                         uint64_t *hash) {
    mst_value type;
    if (!mst_diff_find(element, match->facts->kind[0], &type))
        return false;
    const mst_range range = {type.offset, mst_value_after(&type)};
    *hash = mst_diff_hash(state, side, element, &range, 1).rest;
    return true;
}

/* Hashes the values that must be equal at a step; false: this element does not take part. */
static bool hash_for(mst_diff_state *state, const mst_match *match, int side, const mst_value *element,
                     mst_match_step step, uint64_t *hash) {
    mst_found found;
    if (step == MST_MATCH_TYPE)
        return hash_untyped(state, match, side, element, hash);
    *hash = mst_diff_hash_paths(state, side, element, match->facts->keys, &found);
    return step == MST_MATCH_BLANK ? found != MST_FOUND_SOME : found == MST_FOUND_ALL;
}

/* Where elements have places, a key shared with an element that is identical in both lists is not unique:
 * then places decide (pairing.c). */
static bool match_step(mst_diff_state *state, mst_match *match, mst_match_step step) {
    mst_arena arena;
    hashed sides[2];
    bool enough = true, all = step == MST_MATCH_KEY && match->facts->place[0];
    mst_diff_arena_begin(state, &arena);
    for (int side = 0; side < 2 && enough; side++) {
        uint64_t left = 0;
        for (uint64_t i = 0; i < match->counts[side]; i++)
            left += all || match->others[side][i] == MST_NOBODY;
        sides[side].count = 0;
        sides[side].items = mst_diff_take(state, &arena, left, sizeof(mst_left));
        enough = sides[side].items != NULL;
        for (uint64_t i = 0; enough && i < match->counts[side]; i++) {
            if (!all && match->others[side][i] != MST_NOBODY)
                continue;
            mst_value element = mst_match_element(match, side, i);
            mst_left one = {0, (uint32_t)i};
            if (hash_for(state, match, side, &element, step, &one.hash))
                sides[side].items[sides[side].count++] = one;
        }
    }
    const bool unique = step == MST_MATCH_KEY || step == MST_MATCH_TYPE;
    enough = enough && (unique ? join_unique(state, match, sides, step) : join(state, match, sides, step));
    mst_diff_arena_end(state, &arena);
    return enough;
}

static void match_by_facts(mst_diff_state *state, mst_match *match) {
    const mst_compared *facts = match->facts;
    bool enough = !facts->keys[0] || match_step(state, match, MST_MATCH_KEY);
    if (enough && facts->place[0] && facts->kind[0] && !facts->shares)
        enough = match_step(state, match, MST_MATCH_TYPE);
    if (enough && facts->place[0])
        enough = mst_match_pairs(state, match);
    if (enough && facts->shares)
        mst_match_shares(state, match);
    if (enough && facts->shares && state->moved) { /* all of its parts have moved */
        state->by_match = true;
        mst_match_shares(state, match);
        state->by_match = false;
    }
    if (enough && (facts->as == MST_AS_PARTS || facts == &pairs))
        enough = match_step(state, match, MST_MATCH_BLANK);
    if (enough && facts == &pairs)
        enough = mst_match_same_names(state, match);
    if (enough && facts->links) {
        mst_match_linked(state, match);
        if (mst_match_together(state, match)) /* linked with these and with parts that did not move */
            mst_match_linked(state, match);
    }
    if (enough && facts->part && !facts->links && state->moved) {
        state->by_match = true;
        match_step(state, match, MST_MATCH_MOVED);
        state->by_match = false;
    }
}

/* Hashes the content of parts. */
static void name_parts(mst_diff_state *state, mst_match *match) {
    for (int side = 0; side < 2; side++) {
        uint64_t *parts = mst_diff_take(state, &match->arena, match->counts[side], sizeof *parts);
        for (uint64_t i = 0; parts && i < match->counts[side]; i++) {
            mst_value element = mst_match_element(match, side, i);
            mst_found found;
            parts[i] = mst_diff_hash_paths(state, side, &element, match->facts->keys, &found);
        }
        match->parts[side] = parts;
    }
}

/* ---- lists ------------------------------------------------------------------------------------------ */

static uint8_t kind_of_list(const mst_match *match) {
    const mst_field *field = mst_field_of(&match->lists[MST_NEW]);
    if (match->facts)
        return match->facts->as;
    bool fixed = field->mode == MST_COUNT_FIXED || field->mode == MST_COUNT_PRODUCT ||
                 (field->flags & (MST_FIELD_SLOTS | MST_FIELD_NUMBERED));
    return fixed ? MST_AS_GRID : MST_AS_SEQUENCE;
}

/* A list whose rows are about the elements of another is matched like that list. False if that is missing or
 * has another length. */
static bool follow_target(mst_diff_state *state, mst_match *match) {
    const mst_refers *parallel = mst_field_of(&match->lists[MST_NEW])->parallel;
    const mst_match *target = parallel ? mst_scope_match(state, parallel) : NULL;
    if (!target || target->busy || target->counts[MST_OLD] != match->counts[MST_OLD] ||
        target->counts[MST_NEW] != match->counts[MST_NEW])
        return false;
    match->by_index = target->same || target->by_index;
    match->borrowed = true;
    match->others[MST_OLD] = target->others[MST_OLD];
    match->others[MST_NEW] = target->others[MST_NEW];
    match->doubts = target->doubts;
    return true;
}

static void match_elements(mst_diff_state *state, mst_match *match) {
    const mst_record *record = mst_field_of(&match->lists[MST_NEW])->record;
    for (int side = 0; side < 2; side++)
        if (!find_elements(state, match, side)) {
            state->out_of_memory = true;
            return;
        }
    match->as = kind_of_list(match);
    if (match->facts && match->facts->part)
        name_parts(state, match);
    const mst_value *old = &match->lists[MST_OLD], *now = &match->lists[MST_NEW];
    match->same = match->counts[MST_OLD] == match->counts[MST_NEW] &&
                  mst_diff_means_its_bytes(state, mst_field_of(now)) &&
                  mst_diff_read_alike(state, old, now) && mst_diff_same_bytes(old, now);
    if (match->same || follow_target(state, match))
        return;
    match->by_index = match->as == MST_AS_GRID || (state->in_place && record && match->as != MST_AS_PARTS &&
                                                   match->counts[MST_OLD] == match->counts[MST_NEW]);
    if (match->by_index || !take_arrays(state, match))
        return;
    if (!match->facts && record && record->pairs)
        match->facts = &pairs;
    if (record && match->counts[MST_OLD] && match->counts[MST_NEW])
        mst_match_targets(state, record);
    if (!match_identical(state, match))
        return;
    if (match->facts)
        match_by_facts(state, match);
    if (match->facts && match->facts->part)
        mst_match_unused(state, match);
    if (match->as == MST_AS_SEQUENCE && match->facts != &pairs)
        mst_match_between(state, match);
}

/* Whether numbers of elements have the same meaning in both lists. */
static bool is_in_place(const mst_match *match) {
    if (match->same)
        return true;
    bool in_place = match->counts[MST_OLD] == match->counts[MST_NEW] && !match->parts[MST_OLD] &&
                    (match->by_index || match->others[MST_NEW]);
    for (uint64_t i = 0; in_place && !match->by_index && i < match->counts[MST_NEW]; i++)
        in_place = match->others[MST_NEW][i] == i;
    return in_place;
}

void mst_match_elements(mst_diff_state *state, mst_match *match) {
    match_elements(state, match);
    match->in_place = is_in_place(match);
    state->known = (mst_known_targets){.record = NULL};
}
