/* SPDX-License-Identifier: MIT */
/* The new numbers are written first, while every place still is where it was; then the elements come or go,
 * the last of the file first, so that the paths of the others stay right. */
#include "../core/diagnose.h"
#include "edit.h"
#include "following.h"
#include <stdio.h>
#include <stdlib.h>

/* An element that goes, or a place where one is inserted. */
typedef struct place {
    uint64_t offset;
    const change *list;
    uint64_t index;
} place;

static int last_first(const void *left, const void *right) {
    const place *a = left, *b = right;
    return a->offset != b->offset ? (a->offset < b->offset) - (a->offset > b->offset)
                                  : (a->index < b->index) - (a->index > b->index);
}

static mst_status offset_of_element(const follow *w, const change *list, uint64_t index, uint64_t *offset) {
    mst_value value, element;
    mst_status status = mst_find(mst_root(w->document), list->path, &value, NULL);
    *offset = value.offset;
    if (status == MST_OK && index < list->count) {
        status = mst_element(&value, index, &element);
        *offset = element.offset;
    }
    return status;
}

/* All places, the last of the file first. */
static mst_status places_of(follow *w, place **places, size_t *count) {
    size_t total = 0;
    for (const change *c = w->changes; c; c = c->next)
        total += w->inserts ? 1 : (size_t)c->removed;
    *places = mst_arena_take(&w->arena, total + 1, sizeof **places);
    *count = 0;
    if (!*places)
        return MST_NO_MEMORY;
    mst_status status = MST_OK;
    for (const change *c = w->changes; c; c = c->next)
        for (uint64_t i = w->inserts ? c->at : 0; i <= c->count && status == MST_OK; i++) {
            if (!w->inserts && (i == c->count || !c->gone[i] || (c->field->flags & MST_FIELD_SLOTS)))
                continue;
            place *made = &(*places)[(*count)++];
            *made = (place){0, c, i};
            status = offset_of_element(w, c, i, &made->offset);
            if (w->inserts)
                break;
        }
    qsort(*places, *count, sizeof **places, last_first);
    return status;
}

/* Writes the empty pattern over the removed elements of lists of slots. */
static mst_status empty_slots(follow *w) {
    for (const change *c = w->changes; c; c = c->next) {
        const mst_record *record = c->field->record;
        if (!(c->field->flags & MST_FIELD_SLOTS) || !c->removed)
            continue;
        if (!record || !record->empty)
            return mst_fail(w->diagnostic, MST_REFUSED,
                            "the game has a fixed number of them, and no empty one is known");
        for (uint64_t i = 0; i < c->count; i++) {
            uint64_t offset;
            if (!c->gone[i])
                continue;
            if (offset_of_element(w, c, i, &offset) != MST_OK)
                return MST_DAMAGED;
            for (uint32_t b = 0; b < mst_plan_of(w->document, record)->stride; b++) {
                patch *made = mst_array_push(&w->patches, 1);
                if (!made)
                    return MST_NO_MEMORY;
                *made = (patch){offset + b, record->empty[b], 1, false};
            }
        }
    }
    return MST_OK;
}

mst_status mst_follow_write_numbers(follow *w) {
    mst_status status = empty_slots(w);
    if (status != MST_OK || !w->patches.count)
        return status;
    uint8_t *bytes = mst_edit_bytes(w->document);
    if (!bytes)
        return MST_NO_MEMORY;
    const patch *all = w->patches.items;
    for (size_t i = 0; i < w->patches.count; i++)
        mst_store(bytes + all[i].offset, all[i].width, all[i].bits, all[i].big);
    return MST_OK;
}

/* A field of the root that some of the lists that change make void; NULL: none. */
static const char *voided_by(const follow *w) {
    const char *name = NULL;
    mst_value value;
    for (const change *c = w->changes; c && !name; c = c->next) {
        if (w->document->format->edit.voids && (w->inserts || c->removed) &&
            mst_find(mst_root(w->document), c->path, &value, NULL) == MST_OK)
            name = w->document->format->edit.voids(&value);
    }
    return name;
}

static mst_status remove_voided(follow *w, const char *name) {
    mst_value root = mst_root(w->document), value;
    if (mst_member(&root, name, &value) != MST_OK)
        return MST_OK;
    mst_status status = mst_edit_remove(w->document, name, w->diagnostic);
    return status == MST_OK
               ? mst_follow_say(w, MST_WARNING, name, MST_NO_OFFSET, "removed, too: it is no longer valid")
               : status;
}

mst_status mst_follow_carry_out(follow *w, const char *json) {
    place *places;
    size_t count = 0;
    const change *first = w->changes;
    while (first && first->next) /* what the caller named was the first of all */
        first = first->next;
    const char *voided = voided_by(w);
    mst_status status = places_of(w, &places, &count);
    if (status == MST_OK)
        status = mst_follow_write_numbers(w);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        char path[MAX_PATH + 24];
        snprintf(path, sizeof path, "%s[%llu]", places[i].list->path, (unsigned long long)places[i].index);
        if (w->inserts)
            status = mst_edit_insert(w->document, path, places[i].list == first ? json : NULL, w->diagnostic);
        else
            status = mst_edit_remove(w->document, path, w->diagnostic);
    }
    return status == MST_OK && voided ? remove_voided(w, voided) : status;
}

mst_status mst_follow_permute(follow *w) {
    uint8_t *bytes = mst_edit_bytes(w->document);
    for (const change *c = w->changes; c; c = c->next) {
        mst_value list, element;
        if (!c->now)
            continue;
        if (c->field->mode == MST_COUNT_ARCHIVE)
            return mst_fail(w->diagnostic, MST_REFUSED, "blocks of an archive keep their order");
        mst_status status = mst_find(mst_root(w->document), c->path, &list, NULL);
        uint64_t *ends = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *ends), begin = 0, i = 0;
        uint32_t *from = mst_arena_take(&w->arena, (size_t)c->count + 1, sizeof *from);
        if (status != MST_OK || !ends || !from)
            return status != MST_OK ? status : MST_NO_MEMORY;
        for (mst_iterator it = mst_iterate(&list); i < c->count && mst_next(&it, &element); i++) {
            from[c->now[i]] = (uint32_t)i;
            ends[i] = mst_value_after(&element);
            begin = i ? begin : element.offset;
        }
        if (i < c->count || !i)
            continue;
        uint8_t *old = mst_arena_take(&w->arena, (size_t)(ends[i - 1] - begin), 1), *to = bytes + begin;
        if (!old)
            return MST_NO_MEMORY;
        memcpy(old, bytes + begin, (size_t)(ends[i - 1] - begin));
        for (i = 0; i < c->count; i++) {
            uint64_t first = from[i] ? ends[from[i] - 1] : begin;
            memcpy(to, old + (first - begin), (size_t)(ends[from[i]] - first));
            to += ends[from[i]] - first;
        }
    }
    return MST_OK;
}
