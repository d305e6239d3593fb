/* SPDX-License-Identifier: MIT */
/* The order of a list: the game only records the start of each of its parts. */
#include "../../../core/diagnose.h"
#include "../../../edit/follow.h"
#include "objects.h"
#include <mapstone/edit.h>
#include <string.h>

#define GROUPED 0x10 /* of load_flags */

unsigned mst_sfa_order_of(const mst_sfa_object *object) {
    if (object->type == MST_SFA_CURVE || object->type == MST_SFA_CHECKPOINT)
        return 0x200;
    return object->load_flags & GROUPED ? 0x100u + object->bound : 0;
}

bool mst_sfa_order_depends_on(const char *path) {
    static const char *const fields[] = {"type", "load_flags", "bound"};
    const char *dot = strrchr(path, '.'), *field = dot ? dot + 1 : "";
    bool depends = !dot; /* the path of an object, or of the list */
    for (size_t i = 0; i < MST_COUNT_OF(fields); i++)
        depends = depends || strcmp(field, fields[i]) == 0;
    return depends;
}

static bool read_list(const mst_document *document, mst_arena *arena, mst_sfa_objects *objects,
                      mst_status *status) {
    mst_value root = mst_root(document), list;
    if (mst_member(&root, "objects", &list) != MST_OK)
        return false;
    *status = mst_sfa_read_objects(&list, arena, objects);
    return *status == MST_OK;
}

static bool same_record(const mst_sfa_object *a, const mst_sfa_object *b) {
    size_t size = (size_t)(a->value.end - a->value.offset);
    return size == b->value.end - b->value.offset &&
           memcmp(a->value.document->data + a->value.offset, b->value.document->data + b->value.offset,
                  size) == 0;
}

/* The new order of a list: which object is at each place. */
typedef struct order_state {
    const mst_sfa_objects *after;
    uint32_t *at;
    uint32_t count;
} order_state;

static unsigned key_at(const order_state *o, uint32_t place) {
    return mst_sfa_order_of(&o->after->items[o->at[place]]);
}

/* The place for an object that is to be at `wanted`: the nearest one that is neither before an object of an
 * earlier part nor after one of a later part. */
static uint32_t place_for(const order_state *o, unsigned key, uint32_t wanted) {
    uint32_t first = 0, end = 0;
    while (end < o->count && key_at(o, end) <= key)
        end++;
    for (uint32_t i = 0; i < end; i++)
        if (key_at(o, i) < key)
            first = i + 1;
    return wanted < first ? first : wanted > end ? end : wanted;
}

static mst_status say_moved(const mst_edit_options *options, uint32_t from, uint32_t to) {
    mst_diagnostic line = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!options || !options->report)
        return MST_OK;
    MST_SET(line.path, "objects[%u]", (unsigned)from);
    MST_SET(line.message, "moves to objects[%u]: the order of groups", (unsigned)to);
    return options->report(options->user, &line);
}

/* Puts the objects from `first` up to `end`, which are new or changed, among the others. `moved`: by object,
 * whether it was put elsewhere than wanted. */
static void arrange(order_state *o, uint32_t first, uint32_t end, bool *moved) {
    uint32_t total = o->after->count, wanted = first;
    for (uint32_t i = 0; i < total; i++)
        if (i < first || i >= end)
            o->at[o->count++] = i;
    for (uint32_t i = first; i < end; i++) {
        uint32_t place = place_for(o, mst_sfa_order_of(&o->after->items[i]), wanted);
        memmove(o->at + place + 1, o->at + place, (o->count - place) * sizeof *o->at);
        o->at[place] = i;
        o->count++;
        moved[i] = place != wanted;
        wanted += place <= wanted;
    }
}

mst_status mst_sfa_settle_objects(const mst_document *before, mst_document *after,
                                  const mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_sfa_objects old, new;
    mst_arena arena;
    mst_status status = MST_OK;
    mst_arena_begin(&arena, &before->allocator, 0);
    if (!read_list(before, &arena, &old, &status) || !read_list(after, &arena, &new, &status)) {
        mst_arena_end(&arena);
        return status == MST_OK ? status : mst_fail(diagnostic, status, "not enough memory for the edit");
    }
    uint32_t shorter = old.count < new.count ? old.count : new.count, first = 0, same = 0;
    while (first < shorter && same_record(&old.items[first], &new.items[first]))
        first++;
    while (same < shorter - first &&
           same_record(&old.items[old.count - 1 - same], &new.items[new.count - 1 - same]))
        same++;
    order_state o = {.after = &new, .at = mst_arena_take(&arena, new.count + 1u, sizeof *o.at)};
    uint32_t *now = mst_arena_take(&arena, new.count + 1u, sizeof *now);
    bool *moved = mst_arena_zero(&arena, new.count + 1u, sizeof *moved), any = false;
    if (!o.at || !now || !moved) {
        mst_arena_end(&arena);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    }
    arrange(&o, first, new.count - same, moved);
    for (uint32_t i = 0; i < o.count; i++)
        now[o.at[i]] = i;
    for (uint32_t i = first; i < new.count - same &&status == MST_OK; i++)
        if (now[i] != i) {
            any = true;
            if (moved[i])
                status = say_moved(options, i, now[i]);
        }
    if (status == MST_OK && any)
        status = mst_follow_order(after, "objects", now, NULL, diagnostic);
    mst_arena_end(&arena);
    return status;
}
