/* SPDX-License-Identifier: MIT */
/* Recomputes derived values after an edit of a block. Values that were wrong before are kept. */
#include "parts.h"

typedef struct side {
    mst_sfa_block block;
    mst_sfa_call calls[256];
} side;

/* If polygons were added or removed, shifts the first polygons of the groups after them. */
static void move_groups(const mst_sfa_block *before, const mst_sfa_block *after, uint8_t *bytes) {
    const mst_column *old = &before->groups, *groups = &after->groups;
    unsigned old_count = (unsigned)before->polygons.count, count = (unsigned)after->polygons.count, same = 0;
    if (!old->data || !groups->data || old_count == count)
        return;
    if (mst_column_u16(old, old->count, 0) == count || mst_column_u16(groups, groups->count, 0) == count)
        return; /* the numbers already follow the polygons */
    while (same < old_count && same < count &&
           memcmp(before->polygons.data + (size_t)same * MST_SFA_POLYGON,
                  after->polygons.data + (size_t)same * MST_SFA_POLYGON, MST_SFA_POLYGON) == 0)
        same++;
    uint8_t *first_polygons = bytes + (groups->data - after->image);
    if (mst_column_u16(old, old->count, 0) == old_count)
        mst_store16(first_polygons + (size_t)groups->count * MST_SFA_GROUP, (uint16_t)count, true);
    if (old->count != groups->count)
        return;
    for (unsigned i = 0; i < groups->count; i++) {
        unsigned first = mst_column_u16(old, i, 0);
        if (first <= same || first > old_count || mst_column_u16(groups, i, 0) != first)
            continue;
        if (count > old_count)
            first += count - old_count;
        else
            first = first - same > old_count - count ? first - (old_count - count) : same;
        mst_store16(first_polygons + (size_t)i * MST_SFA_GROUP, (uint16_t)first, true);
    }
}

/* Whether all values of a kind are right. */
static bool all_agree(const side *s, mst_sfa_derived_kind kind) {
    uint8_t made[12];
    for (unsigned i = 0; i < mst_sfa_derived_count(&s->block, kind); i++) {
        unsigned size = mst_sfa_derive(&s->block, s->calls, kind, i, made);
        if (size && memcmp(mst_sfa_derived_place(&s->block, kind, i), made, size) != 0)
            return false;
    }
    return true;
}

static void recompute(const side *before, const side *after, mst_sfa_derived_kind kind, uint8_t *bytes) {
    unsigned count = mst_sfa_derived_count(&after->block, kind);
    bool paired = mst_sfa_derived_count(&before->block, kind) == count;
    if (!paired && !all_agree(before, kind))
        return;
    for (unsigned i = 0; i < count; i++) {
        uint8_t made[12], old[12];
        unsigned size = mst_sfa_derive(&after->block, after->calls, kind, i, made);
        if (!size)
            continue;
        if (paired && mst_sfa_derive(&before->block, before->calls, kind, i, old)) {
            bool wrong = memcmp(mst_sfa_derived_place(&before->block, kind, i), old, size) != 0;
            if (wrong || memcmp(old, made, size) == 0)
                continue;
        }
        memcpy(bytes + (mst_sfa_derived_place(&after->block, kind, i) - after->block.image), made, size);
    }
}

static bool view(side *s, const uint8_t *image, size_t size) {
    if (mst_sfa_block_view(image, size, &s->block) != MST_OK || s->block.raw)
        return false;
    mst_sfa_block_calls(&s->block, s->calls);
    return true;
}

/* A separate function, as two `side`s would make one stack frame too large. */
static void fix_up_from(const side *before, uint8_t *after, size_t after_size) {
    side now;
    if (!view(&now, after, after_size))
        return;
    move_groups(&before->block, &now.block, after);
    /* the y range is last, as it is derived from the boxes */
    for (unsigned kind = 0; kind < MST_SFA_DERIVED_KINDS; kind++)
        recompute(before, &now, (mst_sfa_derived_kind)kind, after);
}

void mst_sfa_block_fix_up(const uint8_t *before, size_t before_size, uint8_t *after, size_t after_size) {
    side was;
    if (view(&was, before, before_size))
        fix_up_from(&was, after, after_size);
}
