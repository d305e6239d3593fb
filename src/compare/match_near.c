/* SPDX-License-Identifier: MIT */
/*
 * The last steps of matching, for the few remaining elements: an element matches the one that refers to most
 * of the same elements. Each is compared with a bounded number of candidates.
 */
#include "../check/refers.h"
#include "distances.h"
#include <math.h>
#include <stdlib.h>

#define CANDIDATES 64 /* compared with one element, in each cell */
#define KEPT       8  /* the best of them */

/* Two elements that may be the same; sorted by distance. */
typedef struct couple {
    double distance;
    uint32_t old_index, new_index;
} couple;

static int by_distance(const void *left, const void *right) {
    const couple *a = left, *b = right;
    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->old_index != b->old_index)
        return a->old_index < b->old_index ? -1 : 1;
    return (a->new_index > b->new_index) - (a->new_index < b->new_index);
}

/* The best candidates of one element. */
typedef struct best {
    couple kept[KEPT];
    size_t count;
} best;

static void consider(best *all, double distance, uint32_t old_index, uint32_t new_index) {
    couple one = {distance, old_index, new_index};
    if (all->count == KEPT && by_distance(&one, &all->kept[KEPT - 1]) >= 0)
        return;
    size_t at = all->count < KEPT ? all->count++ : KEPT - 1;
    for (; at && by_distance(&one, &all->kept[at - 1]) < 0; at--)
        all->kept[at] = all->kept[at - 1];
    all->kept[at] = one;
}

/* Matches couples, the best first. */
static void marry(mst_match *match, couple *couples, size_t count, mst_match_step step) {
    if (count)
        qsort(couples, count, sizeof *couples, by_distance);
    for (size_t i = 0; i < count; i++)
        if (match->others[MST_OLD][couples[i].old_index] == MST_NOBODY &&
            match->others[MST_NEW][couples[i].new_index] == MST_NOBODY)
            mst_match_set(match, couples[i].old_index, couples[i].new_index, step);
}

/* Chains of items with equal hashes. */
typedef struct cells {
    uint32_t *heads, *nexts;
    size_t slots;
} cells;

static bool cells_begin(mst_diff_state *state, mst_arena *arena, cells *all, uint64_t count) {
    all->slots = 16;
    while (all->slots < count)
        all->slots *= 2;
    all->heads = mst_diff_take(state, arena, all->slots, sizeof *all->heads);
    all->nexts = mst_diff_take(state, arena, count, sizeof *all->nexts);
    if (all->heads)
        memset(all->heads, 0xFF, all->slots * sizeof *all->heads);
    return all->heads && all->nexts;
}

static size_t slot_of(const cells *all, uint64_t hash) {
    return (size_t)(hash * UINT64_C(0xD1342543DE82EF95) >> 20) & (all->slots - 1);
}

static void cells_add(cells *all, uint64_t hash, uint32_t item) {
    size_t slot = slot_of(all, hash);
    all->nexts[item] = all->heads[slot];
    all->heads[slot] = item;
}

static uint64_t count_left(const mst_match *match, int side) {
    uint64_t left = 0;
    for (uint64_t i = 0; i < match->counts[side]; i++)
        left += match->others[side][i] == MST_NOBODY;
    return left;
}

/* ---- elements that refer to the same ---------------------------------------------------------------- */

/* The references of unmatched elements: which element refers to what. An element that consists of parts
 * refers to the targets of its parts: a face to the vertices of its edges. */
typedef struct links {
    mst_array items; /* mst_left, each once */
    mst_diff_state *state;
    int side;
    uint32_t owner;
    size_t first; /* of the owner */
    mst_value record;
    unsigned depth;
    bool by_number;         /* targets are identified by their number, not by their content */
    const mst_match *parts; /* of the last one */
} links;
#define LINKS_DEPTH 4

static mst_status add_link(links *all, uint64_t same) {
    mst_left *items = all->items.items;
    for (size_t i = all->items.count; i-- > all->first && all->items.count - i < CANDIDATES;)
        if (items[i].hash == same)
            return MST_OK;
    mst_left *one = mst_array_push(&all->items, 1);
    if (!one)
        return MST_NO_MEMORY;
    *one = (mst_left){same, all->owner};
    return MST_OK;
}

static mst_status find_links_of(links *all, const mst_value *element);

static mst_status note_link(void *user, const mst_item *item) {
    links *all = user;
    mst_diff_state *state = all->state;
    const mst_document *document = state->documents[all->side];
    if (item->kind == MST_ITEM_BEGIN_RECORD)
        all->record = mst_value_of_item(document, item);
    if (item->kind != MST_ITEM_LEAF || !mst_is_number(item->field) || !mst_names_by_index(item->field))
        return MST_OK;
    const mst_refers *fact = mst_fact_of(item->field, &all->record);
    const mst_match *target = fact ? mst_scope_match(state, fact) : NULL;
    if (!target || target->busy || target->as != MST_AS_PARTS || !target->facts || !target->facts->part)
        return MST_OK;
    unsigned width = mst_kind_width[item->field->kind];
    mst_status status = MST_OK;
    for (uint64_t i = 0; status == MST_OK && i < item->shape.count; i++) {
        uint64_t offset = item->offset + item->shape.prefix + i * width, same;
        uint64_t number = mst_scalar_bits(document, item->field, offset);
        bool busy;
        mst_value part;
        const uint64_t stored = number & UINT64_MAX >> (64 - 8 * width);
        if (all->by_number && mst_refers_is_none(fact, stored, width, (uint32_t)i))
            continue; /* the unused fourth corner of a triangle */
        bool refers = state->refers[mst_field_of(&target->lists[all->side])->record->index];
        if (refers && mst_scope_element(state, all->side, fact, number, &part)) {
            status = find_links_of(all, &part);
        } else if (mst_scope_number(state, all->side, fact, number, &same, &busy)) {
            status = add_link(all, all->by_number ? number : same);
            all->parts = target;
        }
    }
    return status;
}

/* Recurses as deep as the tables nest parts. */
static mst_status find_links_of(links *all, const mst_value *element) {
    uint32_t context[MST_VARIABLES];
    mst_walk_request request = {.document = element->document,
                                .field = mst_field_of(element),
                                .context = mst_context_of(element, context),
                                .offset = element->offset,
                                .end = element->end,
                                .index = UINT64_MAX,
                                .single = true,
                                .visitor = note_link,
                                .user = all};
    if (all->depth == LINKS_DEPTH)
        return MST_OK;
    all->depth++;
    mst_status status = mst_walk_field(&request, NULL, NULL);
    all->depth--;
    return status;
}

static bool find_links(mst_diff_state *state, const mst_match *match, int side, links *all) {
    *all = (links){.state = state, .side = side};
    all->items.element_size = sizeof(mst_left);
    all->items.allocator = state->allocator;
    for (uint64_t i = 0; i < match->counts[side]; i++) {
        if (match->others[side][i] != MST_NOBODY)
            continue;
        mst_value element = mst_match_element(match, side, i);
        all->owner = (uint32_t)i;
        all->first = all->items.count;
        if (find_links_of(all, &element) == MST_NO_MEMORY) {
            state->out_of_memory = true;
            return false;
        }
    }
    return true;
}

/* The number of links that each candidate has in common with one element. */
typedef struct common {
    struct {
        uint32_t element;
        uint32_t links;
    } items[CANDIDATES];
    size_t count;
} common;

static void count_common(common *all, uint32_t element) {
    size_t i = 0;
    while (i < all->count && all->items[i].element != element)
        i++;
    if (i == all->count) {
        if (all->count == CANDIDATES)
            return;
        all->items[all->count].element = element;
        all->items[all->count++].links = 0;
    }
    all->items[i].links++;
}

/* The number of links from `at` on that belong to the same element. */
static size_t run_of(const links *all, size_t at) {
    const mst_left *items = all->items.items;
    size_t end = at;
    while (end < all->items.count && items[end].index == items[at].index)
        end++;
    return end - at;
}

/* `half`: half of the links is enough; otherwise most of them are needed. */
static size_t find_common(const links *old, const links *now, const cells *all, const uint32_t *sizes,
                          bool half, couple *couples) {
    const mst_left *olds = old->items.items, *news = now->items.items;
    size_t count = 0;
    for (size_t at = 0, run; at < now->items.count; at += run) {
        common shared = {.count = 0};
        best found = {.count = 0};
        run = run_of(now, at);
        for (size_t i = at; i < at + run; i++) {
            uint32_t one = all->heads[slot_of(all, news[i].hash)]; /* none if `olds` is empty */
            for (size_t tried = 0; olds && one != MST_NOBODY && tried < CANDIDATES;
                 one = all->nexts[one], tried++)
                if (olds[one].hash == news[i].hash)
                    count_common(&shared, olds[one].index);
        }
        for (size_t i = 0; i < shared.count; i++) {
            uint32_t most = sizes[shared.items[i].element];
            most = most > run ? most : (uint32_t)run;
            if (2 * (size_t)shared.items[i].links >= most + !half)
                consider(&found, -(double)shared.items[i].links / most, shared.items[i].element,
                         news[at].index);
        }
        memcpy(&couples[count], found.kept, found.count * sizeof *couples);
        count += found.count;
    }
    return count;
}

/* Matches elements by their links, which are freed. */
static void match_links(mst_diff_state *state, mst_match *match, links *old, links *now,
                        mst_match_step step) {
    mst_arena arena;
    cells all;
    mst_diff_arena_begin(state, &arena);
    uint32_t *sizes = mst_diff_take(state, &arena, match->counts[MST_OLD], sizeof *sizes);
    couple *couples = mst_diff_take(state, &arena, count_left(match, MST_NEW), KEPT * sizeof *couples);
    if (sizes && couples && cells_begin(state, &arena, &all, old->items.count)) {
        const mst_left *items = old->items.items;
        for (size_t i = old->items.count; i-- > 0;)
            cells_add(&all, items[i].hash, (uint32_t)i);
        for (size_t at = 0, run; at < old->items.count; at += run) {
            run = run_of(old, at);
            sizes[items[at].index] = (uint32_t)run;
        }
        size_t count = find_common(old, now, &all, sizes, step == MST_MATCH_SHARES, couples);
        marry(match, couples, count, step);
    }
    mst_diff_arena_end(state, &arena);
}

void mst_match_shares(mst_diff_state *state, mst_match *match) {
    links old, now = {.state = NULL};
    if (find_links(state, match, MST_OLD, &old) && find_links(state, match, MST_NEW, &now))
        match_links(state, match, &old, &now, MST_MATCH_SHARES);
    mst_array_free(&old.items);
    mst_array_free(&now.items);
}

/* The positions of the parts that an element refers to, in order; NULL if it refers to other things or to
 * nothing. */
static double (*find_corners(mst_diff_state *state, int side, const mst_value *element, mst_arena *arena,
                             size_t *count))[3] {
    links all = {.state = state, .side = side, .by_number = true};
    all.items = (mst_array){.element_size = sizeof(mst_left), .allocator = state->allocator};
    const mst_status status = find_links_of(&all, element);
    const mst_left *items = all.items.items;
    double(*corners)[3] = NULL;
    *count = all.items.count;
    state->out_of_memory = state->out_of_memory || status == MST_NO_MEMORY;
    if (status == MST_OK && *count)
        corners = mst_diff_take(state, arena, *count, sizeof *corners);
    for (size_t i = 0; corners && i < *count; i++) {
        const mst_match *parts = all.parts;
        mst_value part;
        if (items[i].hash < parts->counts[side])
            part = mst_match_element(parts, side, items[i].hash);
        if (items[i].hash >= parts->counts[side] || !mst_diff_position(&part, parts->facts, corners[i]))
            corners = NULL;
    }
    mst_array_free(&all.items);
    return corners;
}

/* Whether all corners have moved by one distance, comparing the new ones from `from` on. */
static bool are_moved(const double (*was)[3], const double (*is)[3], size_t count, size_t from,
                      double by[3]) {
    for (size_t k = 0; k < 3; k++)
        by[k] = is[from][k] - was[0][k];
    for (size_t i = 0; i < count; i++)
        if (!mst_is_at(was[i], by, is[(i + from) % count]))
            return false;
    return fabs(by[0]) + fabs(by[1]) + fabs(by[2]) > MST_TOGETHER;
}

bool mst_diff_moved_by(mst_diff_state *state, const mst_value *old_element, const mst_value *new_element,
                       double by[3]) {
    mst_arena arena;
    size_t n = 0, m = 0;
    mst_diff_arena_begin(state, &arena);
    const double(*was)[3] = (const double(*)[3])find_corners(state, MST_OLD, old_element, &arena, &n);
    const double(*is)[3] = (const double(*)[3])find_corners(state, MST_NEW, new_element, &arena, &m);
    bool moved = false;
    for (size_t from = 0; was && is && n == m && from < n && from < CANDIDATES && !moved; from++)
        moved = are_moved(was, is, n, from, by);
    mst_diff_arena_end(state, &arena);
    return moved && mst_diff_round_distance(state, by);
}

/* ---- elements linked with the same ------------------------------------------------------------------ */

static int by_owner(const void *left, const void *right) {
    const mst_left *a = left, *b = right;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* The links of one document, and the match. */
typedef struct ends {
    const mst_match *match;
    links *all;
} ends;

/* Adds a link's end, seen from its other end. An unmatched end equals nothing. */
static bool note_end(const mst_match *match, links *all, uint64_t from, uint64_t to) {
    if (from >= match->counts[all->side] || to >= match->counts[all->side] ||
        match->others[all->side][from] != MST_NOBODY)
        return true;
    uint32_t other = match->others[all->side][to];
    mst_left *one = mst_array_push(&all->items, 1);
    if (!one)
        return false;
    one->hash = all->side == MST_OLD ? to : other;
    if (other == MST_NOBODY)
        one->hash = UINT64_MAX - 2 * to - (uint64_t)all->side;
    one->index = (uint32_t)from;
    return true;
}

static bool note_ends(void *user, uint64_t from, uint64_t to) {
    const ends *e = user;
    return note_end(e->match, e->all, from, to) && note_end(e->match, e->all, to, from);
}

/* Finds the elements that the unmatched elements are linked with. */
static bool find_ends(mst_diff_state *state, const mst_match *match, links *all) {
    ends e = {match, all};
    if (!mst_match_each_link(state, match, all->side, note_ends, &e))
        return false;
    if (all->items.count)
        qsort(all->items.items, all->items.count, sizeof(mst_left), by_owner);
    return true;
}

void mst_match_linked(mst_diff_state *state, mst_match *match) {
    links sides[2] = {{.state = state, .side = MST_OLD}, {.state = state, .side = MST_NEW}};
    bool enough = count_left(match, MST_OLD) && count_left(match, MST_NEW);
    for (int side = 0; side < 2; side++) {
        sides[side].items = (mst_array){.element_size = sizeof(mst_left), .allocator = state->allocator};
        enough = enough && find_ends(state, match, &sides[side]);
    }
    if (enough && sides[MST_OLD].items.count) {
        uint64_t before = count_left(match, MST_NEW);
        match_links(state, match, &sides[MST_OLD], &sides[MST_NEW], MST_MATCH_MOVED);
        state->moved = state->moved || count_left(match, MST_NEW) < before;
    }
    mst_array_free(&sides[MST_OLD].items);
    mst_array_free(&sides[MST_NEW].items);
}
