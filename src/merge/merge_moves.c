/* SPDX-License-Identifier: MIT */
/* Elements that moved from one file of a level to another while both sides changed them: each may end in one
 * place only. */
#include "../compare/without_place.h"
#include "../core/diagnose.h"
#include "../core/text.h"
#include "../edit/assign.h"
#include "../tables/fields.h"
#include "merge_sets.h"
#include <mapstone/edit.h>
#include <stdio.h>
#include <stdlib.h>

#define CANDIDATES 64 /* with the same identity, that are compared with each other */

/* A side's change to an element of a file. */
typedef enum deed { DEED_CHANGED, DEED_WENT, DEED_CAME } deed;

typedef struct traveller {
    entry *file;
    int side;
    uint8_t deed;
    const char *list, *label;
    uint64_t index;            /* in the base document; for inserted elements, in the side's document */
    mst_placed_text text;      /* of inserted or removed elements; no place: empty */
    const char *identity;      /* list, keys and kind; NULL: none */
    struct traveller *partner; /* the element inserted for a removed one; NULL */
    bool has_come;             /* is the partner of another */
} traveller;

typedef struct moves {
    sets *s;
    mst_array all; /* traveller */
    entry *file;
    int side;
    mst_diagnostic *diagnostic;
} moves;

/* ---- changes by the sides ---------------------------------------------------------------------------- */

/* The place of a file in a level; false if it is not part of a level of many files. */
static bool place_of(const sets *s, const entry *one, mst_part_place *place) {
    for (size_t i = 0; mst_format_at(i); i++) {
        const mst_format *format = mst_format_of(mst_format_at(i));
        if (MST_OPTION(format->parts, place) && format->parts->place(mst_base_name(one->name), place))
            return true;
    }
    (void)s;
    return false;
}

static bool same_level(const sets *s, const entry *a, const entry *b) {
    mst_part_place one, other;
    size_t directory = (size_t)(mst_base_name(a->name) - a->name);
    return place_of(s, a, &one) && place_of(s, b, &other) && one.level == other.level &&
           directory == (size_t)(mst_base_name(b->name) - b->name) &&
           memcmp(a->name, b->name, directory) == 0;
}

/* Makes the identity of an element: its list, keys and kind. */
static mst_status identify(moves *m, const mst_value *element, const mst_compared *facts, traveller *to) {
    const char *made = to->list;
    if (!facts->keys[0])
        return MST_OK;
    for (size_t i = 0; i < 2 * (size_t)MST_COMPARED_PATHS; i++) {
        const char *path = i < MST_COMPARED_PATHS ? facts->keys[i] : facts->kind[i - MST_COMPARED_PATHS];
        const char *text = "";
        mst_value value;
        if (!path)
            continue;
        if (mst_find(*element, path, &value, NULL) == MST_OK) {
            mst_status status = mst_value_text(&value, &m->s->arena, &text, m->diagnostic);
            if (status != MST_OK)
                return status;
        }
        made = mst_arena_printf(&m->s->arena, "%s %s", made, text);
        if (!made)
            return MST_NO_MEMORY;
    }
    to->identity = made;
    return MST_OK;
}

/* An element without a place stays in its file. */
static mst_status split(moves *m, const mst_value *element, traveller *to) {
    mst_status status = mst_placed_text_of(element, &m->s->arena, &to->text, m->diagnostic);
    return status == MST_OK && to->text.place
               ? identify(m, element, mst_compared_facts(element->document->format, mst_field_of(element)),
                          to)
               : status;
}

static mst_status note(void *user, const mst_difference *change) {
    moves *m = user;
    bool came = change->kind == MST_DIFFERENCE_ADD, went = change->kind == MST_DIFFERENCE_REMOVE;
    if (change->sort != MST_DIFFERENCE_CONTENT || !*change->list || change->kind == MST_DIFFERENCE_MOVE ||
        strchr(change->list, '['))
        return MST_OK;
    traveller one = {.file = m->file,
                     .side = m->side,
                     .deed = came   ? DEED_CAME
                             : went ? DEED_WENT
                                    : DEED_CHANGED};
    mst_status status = MST_OK;
    one.index = came ? change->new_index : change->old_index;
    one.list = mst_arena_text(&m->s->arena, change->list, strlen(change->list));
    one.label = mst_arena_text(&m->s->arena, change->label, strlen(change->label));
    if (one.list && one.label && (came || went))
        status = split(m, came ? &change->new_element : &change->old_element, &one);
    traveller *kept = status == MST_OK && one.list && one.label ? mst_array_push(&m->all, 1) : NULL;
    if (!kept)
        return status == MST_OK ? MST_NO_MEMORY : status;
    *kept = one;
    return MST_OK;
}

/* Finds a side's changes to the elements of a file. */
static mst_status find_deeds(moves *m, entry *one, int side) {
    mst_document *documents[2] = {NULL, NULL};
    m->file = one;
    m->side = side;
    mst_status status = mst_merge_open(m->s, one, BASE, &documents[0]);
    if (status == MST_OK)
        status = mst_merge_open(m->s, one, side, &documents[1]);
    if (status == MST_OK && documents[0]->format == documents[1]->format)
        status = mst_diff(documents[0], documents[1], NULL, note, m, m->diagnostic);
    return status == MST_UNKNOWN ? MST_OK : status;
}

static int by_content(const void *left, const void *right) {
    const traveller *a = *(traveller *const *)left, *b = *(traveller *const *)right;
    int order =
        a->side != b->side ? (a->side > b->side) - (a->side < b->side) : strcmp(a->text.rest, b->text.rest);
    return order ? order : (a > b) - (a < b);
}

static int by_identity(const void *left, const void *right) {
    const traveller *a = *(traveller *const *)left, *b = *(traveller *const *)right;
    int order =
        a->side != b->side ? (a->side > b->side) - (a->side < b->side) : strcmp(a->identity, b->identity);
    return order ? order : (a > b) - (a < b);
}

/* Whether a removed element may be the inserted one. */
static bool may_be(const moves *m, const traveller *went, const traveller *came) {
    return went->deed == DEED_WENT && !went->partner && came->deed == DEED_CAME && !came->has_come &&
           went->file != came->file && same_level(m->s, went->file, came->file);
}

static void marry(traveller *went, traveller *came) {
    went->partner = came;
    came->has_come = true;
}

/* Among elements of equal content, pairs the first removed with the first inserted. */
static void pair_equal(moves *m, traveller **some, size_t count) {
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        while (next < count && (some[next]->deed != DEED_WENT || some[next]->partner))
            next++;
        if (next < count && may_be(m, some[next], some[i]))
            marry(some[next], some[i]);
    }
}

/* The number of equal bytes at both ends of two elements' JSON. */
static size_t likeness(const traveller *a, const traveller *b) {
    size_t n = strlen(a->text.rest), k = strlen(b->text.rest), first = 0, last = 0;
    while (first < n && first < k && a->text.rest[first] == b->text.rest[first])
        first++;
    while (last < n - first && last < k - first && a->text.rest[n - 1 - last] == b->text.rest[k - 1 - last])
        last++;
    return first + last;
}

/* Among elements of equal identity, pairs each removed element with the most similar inserted one. */
static void pair_alike(moves *m, traveller **some, size_t count) {
    size_t left = 0; /* elements without a partner are first */
    for (size_t i = 0; i < count; i++)
        if (some[i]->deed == DEED_CAME ? !some[i]->has_come : !some[i]->partner)
            some[left++] = some[i];
    for (size_t i = 0; i < left && left <= CANDIDATES; i++) {
        traveller *best = NULL;
        size_t most = 0;
        for (size_t k = 0; k < left; k++) {
            size_t here = may_be(m, some[i], some[k]) ? likeness(some[i], some[k]) + 1 : 0;
            if (here > most) {
                most = here;
                best = some[k];
            }
        }
        if (best)
            marry(some[i], best);
    }
}

/* Finds elements that moved from one file to another: by content, or by identity if the content has
 * changed. */
static mst_status pair(moves *m) {
    traveller *all = m->all.items;
    traveller **sorted = mst_arena_take(&m->s->arena, m->all.count + 1, sizeof *sorted);
    if (!sorted)
        return MST_NO_MEMORY;
    for (int step = 0; step < 2; step++) {
        int (*order)(const void *, const void *) = step ? by_identity : by_content;
        size_t count = 0;
        for (size_t i = 0; i < m->all.count; i++)
            if (all[i].deed != DEED_CHANGED && all[i].text.place && (!step || all[i].identity))
                sorted[count++] = &all[i];
        if (count)
            qsort(sorted, count, sizeof *sorted, order);
        for (size_t begin = 0, end; begin < count; begin = end) {
            for (end = begin + 1; end < count && sorted[end]->side == sorted[begin]->side &&
                                  (step ? strcmp(sorted[end]->identity, sorted[begin]->identity)
                                        : strcmp(sorted[end]->text.rest, sorted[begin]->text.rest)) == 0;
                 end++)
                ;
            (step ? pair_alike : pair_equal)(m, &sorted[begin], end - begin);
        }
    }
    return MST_OK;
}

/* ---- changes by both --------------------------------------------------------------------------------- */

static int by_element(const void *left, const void *right) {
    const traveller *a = *(traveller *const *)left, *b = *(traveller *const *)right;
    int order = a->file != b->file ? (a->file > b->file) - (a->file < b->file) : strcmp(a->list, b->list);
    if (order || a->index != b->index)
        return order ? order : (a->index > b->index) - (a->index < b->index);
    return (a->side > b->side) - (a->side < b->side);
}

/* Drops an inserted element, or with `as` replaces its JSON. */
static mst_status amend(moves *m, const traveller *came, const char *as) {
    dropped *made = mst_arena_zero(&m->s->arena, 1, sizeof *made), **at = &came->file->dropped;
    if (!made)
        return MST_NO_MEMORY;
    *made = (dropped){.side = came->side, .list = came->list, .index = came->index, .as = as};
    while (*at && (*at)->index > made->index)
        at = &(*at)->next;
    made->next = *at;
    *at = made;
    return MST_OK;
}

static mst_status drop(moves *m, const traveller *came) {
    return amend(m, came, NULL);
}

/* The inserted element keeps its place and takes the rest of its content from the other side. */
static mst_status take_content(moves *m, const traveller *came, const traveller *from) {
    if (!from->text.cut)
        return MST_OK;
    const char *as =
        mst_arena_printf(&m->s->arena, "%.*s%s%s", (int)from->text.cut, from->text.all, came->text.place,
                         from->text.all + from->text.cut + strlen(from->text.place));
    return as ? amend(m, came, as) : MST_NO_MEMORY;
}

static bool is_changed(const traveller *one) {
    return one->partner && strcmp(one->text.rest, one->partner->text.rest) != 0;
}

static const char *where(moves *m, const traveller *one) {
    return one->partner ? mst_arena_printf(&m->s->arena, "{\"file\":\"%s\",\"place\":%s%s%s}",
                                           mst_base_name(one->partner->file->name), one->partner->text.place,
                                           is_changed(one) ? ",\"element\":" : "",
                                           is_changed(one) ? one->partner->text.all : "")
                        : NULL;
}

/* Both sides took an element out of its file; at least one of them moved it. */
static mst_status weigh_both(moves *m, const traveller *ours, const traveller *theirs) {
    const traveller *a = ours->partner, *b = theirs->partner;
    if (a && b && a->file == b->file && strcmp(a->text.place, b->text.place) == 0) {
        if (strcmp(a->text.rest, b->text.rest) == 0)
            return MST_OK; /* inserted twice identically; merging the file finds it */
        if (!is_changed(ours) || !is_changed(theirs))
            return drop(m, is_changed(ours) ? b : a);
    }
    sets *s = m->s;
    bool prefers = s->each.prefer == MST_PREFER_THEIRS;
    const char *path = mst_arena_printf(&s->arena, "%s[%llu]", ours->list, (unsigned long long)ours->index);
    mst_conflict conflict = {.size = sizeof conflict,
                             .kind = !a   ? MST_CONFLICT_REMOVED_BY_OURS
                                     : !b ? MST_CONFLICT_REMOVED_BY_THEIRS
                                          : MST_CONFLICT_VALUE,
                             .path = path,
                             .label = ours->label,
                             .base = ours->text.place,
                             .ours = where(m, ours),
                             .theirs = where(m, theirs)};
    if (!path || (a && !conflict.ours) || (b && !conflict.theirs))
        return MST_NO_MEMORY;
    s->file = ours->file->name;
    s->conflicts += s->each.prefer == MST_PREFER_NONE;
    mst_status status = s->each.conflict(s->each.user, &conflict);
    const traveller *wrong = prefers ? a : b, *right = prefers ? b : a;
    bool content = right && is_changed(prefers ? ours : theirs) && !is_changed(prefers ? theirs : ours);
    if (status == MST_OK && content)
        status = take_content(m, right, wrong);
    return status == MST_OK && wrong ? drop(m, wrong) : status;
}

/* Compares the two sides' changes to each element. */
static mst_status weigh_deeds(moves *m) {
    traveller *all = m->all.items;
    size_t count = 0;
    traveller **sorted = mst_arena_take(&m->s->arena, m->all.count + 1, sizeof *sorted);
    if (!sorted)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < m->all.count; i++)
        if (all[i].deed != DEED_CAME)
            sorted[count++] = &all[i];
    if (count)
        qsort(sorted, count, sizeof *sorted, by_element);
    mst_status status = MST_OK;
    for (size_t i = 0; i + 1 < count && status == MST_OK; i++) {
        const traveller *ours = sorted[i], *theirs = sorted[i + 1];
        if (ours->side != OURS || theirs->side != THEIRS || ours->file != theirs->file ||
            ours->index != theirs->index || strcmp(ours->list, theirs->list) != 0)
            continue;
        if (ours->deed == DEED_WENT && theirs->deed == DEED_WENT && (ours->partner || theirs->partner))
            status = weigh_both(m, ours, theirs);
        else if (ours->deed == DEED_CHANGED && theirs->partner && m->s->each.prefer != MST_PREFER_THEIRS)
            status = drop(m, theirs->partner); /* a conflict of its file, which keeps ours */
    }
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

mst_status mst_merge_moves(sets *s) {
    moves m = {.s = s, .diagnostic = s->diagnostic};
    bool any[SIDES] = {false, false, false};
    mst_part_place place;
    for (size_t i = 0; i < s->count; i++)
        for (int side = OURS; side < SIDES; side++)
            any[side] = any[side] || (s->entries[i].changed[side] && place_of(s, &s->entries[i], &place));
    if (!any[OURS] || !any[THEIRS])
        return MST_OK;
    m.all = (mst_array){.element_size = sizeof(traveller), .allocator = s->arena.allocator};
    size_t opened = s->documents.count;
    mst_status status = MST_OK;
    for (size_t i = 0; i < s->count && status == MST_OK; i++) {
        entry *one = &s->entries[i];
        for (int side = OURS; side < SIDES && status == MST_OK; side++)
            if (one->changed[side] && one->at[BASE] != NOT_THERE && one->at[side] != NOT_THERE &&
                place_of(s, one, &place))
                status = find_deeds(&m, one, side);
        while (s->documents.count > opened)
            mst_close(((mst_document **)s->documents.items)[--s->documents.count]);
    }
    if (status == MST_OK)
        status = pair(&m);
    if (status == MST_OK)
        status = weigh_deeds(&m);
    mst_array_free(&m.all);
    return status;
}

mst_status mst_merge_drop(sets *s, const entry *one, int side, mst_document *document) {
    mst_status status = MST_OK;
    char path[300];
    for (const dropped *at = one->dropped; at && status == MST_OK; at = at->next) {
        if (at->side != side)
            continue;
        snprintf(path, sizeof path, "%.256s[%llu]", at->list, (unsigned long long)at->index);
        status = at->as ? mst_set(document, path, at->as, s->diagnostic)
                        : mst_remove(document, path, s->diagnostic);
    }
    return status;
}
