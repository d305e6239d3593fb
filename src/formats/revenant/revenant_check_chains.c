/* SPDX-License-Identifier: MIT */
/* Up to version 2 objects refer to others by their slots: first_item and next_item chain carried objects,
 * shadow is the slot of a shadow. */
#include "../../check/finding.h"
#include "../present.h"
#include "revenant.h"

#define NO_SLOT (-1)

typedef enum step { STEP_FIRST_ITEM, STEP_NEXT_ITEM, STEPS } step;
static const char *const step_names[STEPS] = {"first_item", "next_item"};

typedef struct chains {
    const mst_revenant_link *links;
    uint64_t count;
    uint8_t *loops; /* per slot: bit 1 << step is set if the step leads back to a slot that leads here */
} chains;

static int64_t slot_after(const chains *c, uint64_t slot, step by) {
    return by == STEP_FIRST_ITEM ? c->links[slot].first : c->links[slot].next;
}

/* Whether the step leads to another object. */
static bool leads_on(const chains *c, uint64_t slot, step by) {
    int64_t to = slot_after(c, slot, by);
    return to >= 0 && (uint64_t)to < c->count && (uint64_t)to != slot && c->links[to].class_number >= 0;
}

/* The state of the search at a slot: it begins with 0, then follows both steps. */
enum { SEARCH_NOT_BEGUN, SEARCH_FIRST_ITEM, SEARCH_NEXT_ITEM, SEARCH_GONE_BY_BOTH, SEARCH_DONE };

/* Depth-first search, each step once: a step to a slot that is still on the current path leads back. */
static mst_status find_loops(const chains *c, mst_arena *scratch) {
    uint8_t *search = mst_arena_zero(scratch, (size_t)c->count, 1);
    uint32_t *way = mst_arena_take(scratch, (size_t)c->count, sizeof *way);
    if (!search || !way)
        return MST_NO_MEMORY;
    for (uint64_t begin = 0; begin < c->count; begin++) {
        uint64_t length = 0;
        if (search[begin] == SEARCH_NOT_BEGUN && c->links[begin].class_number >= 0) {
            search[begin] = SEARCH_FIRST_ITEM;
            way[length++] = (uint32_t)begin;
        }
        while (length) {
            uint32_t slot = way[length - 1];
            if (search[slot] == SEARCH_GONE_BY_BOTH) {
                search[slot] = SEARCH_DONE;
                length--;
                continue;
            }
            step by = search[slot] == SEARCH_FIRST_ITEM ? STEP_FIRST_ITEM : STEP_NEXT_ITEM;
            search[slot]++;
            if (!leads_on(c, slot, by))
                continue;
            uint32_t to = (uint32_t)slot_after(c, slot, by);
            if (search[to] == SEARCH_NOT_BEGUN) {
                search[to] = SEARCH_FIRST_ITEM;
                way[length++] = to;
            } else if (search[to] != SEARCH_DONE) {
                c->loops[slot] |= (uint8_t)(1u << by);
            }
        }
    }
    return MST_OK;
}

static bool is_good(const chains *c, uint64_t slot, step by) {
    return slot_after(c, slot, by) == NO_SLOT || (leads_on(c, slot, by) && !(c->loops[slot] >> by & 1));
}

static mst_status check_step(mst_checker *checker, const chains *c, const mst_value *object, uint64_t slot,
                             step by) {
    int64_t to = slot_after(c, slot, by);
    bool loops = (c->loops[slot] >> by & 1) != 0;
    if (is_good(c, slot, by))
        return MST_OK;
    mst_value member = mst_member_in(object, step_names[by]);
    mst_diagnostic *finding =
        mst_finding_of(checker, &member, "objects[%llu].%s", (unsigned long long)slot, step_names[by]);
    if (loops)
        MST_SET(finding->expected, "a slot that does not lead to this one, or -1");
    else if (to >= 0 && (uint64_t)to < c->count)
        MST_SET(finding->expected, "another slot that is not empty, or -1");
    else
        MST_SET(finding->expected, "below %llu, or -1", (unsigned long long)c->count);
    return mst_report(checker, loops ? "REV-V0-LOOP" : "REV-V0-CHAIN", NULL, "%lld", (long long)to);
}

/*
 * Of the 56 objects of 119 real files whose shadow is set, 44 refer to a slot of their file that has an
 * object; 11 refer to another sector, because the file was renamed later, and 1 to an empty slot.
 */
static mst_status check_shadow(mst_checker *checker, const chains *c, const mst_value *object,
                               uint64_t slot) {
    mst_value member;
    mst_revenant_place at;
    if (mst_member(object, "shadow", &member) != MST_OK ||
        !mst_revenant_place_of(checker->document->name, &at))
        return MST_OK;
    const uint32_t shadow = (uint32_t)mst_scalar_of(&member), named = shadow & 0xFFFF;
    const bool own = mst_revenant_is_own_slot(checker->document, shadow);
    if (shadow == UINT32_MAX || (own && named < c->count && c->links[named].class_number >= 0))
        return MST_OK;
    mst_diagnostic *finding =
        mst_finding_of(checker, &member, "objects[%llu].shadow", (unsigned long long)slot);
    if (own && named < c->count)
        MST_SET(finding->expected, "a slot that is not empty, or -1");
    else
        MST_SET(finding->expected, "a slot of sector %d_%d_%d below %llu, or -1", (int)at.level, (int)at.x,
                (int)at.y, (unsigned long long)c->count);
    return mst_report(checker, own ? "REV-SHADOW" : "REV-SHADOW-SECTOR", NULL,
                      "%d, slot %u of sector %u_%u_%u", (int32_t)shadow, (unsigned)named,
                      (unsigned)(shadow >> 28), (unsigned)(shadow >> 22 & 63), (unsigned)(shadow >> 16 & 63));
}

mst_status mst_revenant_check_chains(mst_checker *checker, const mst_value *objects) {
    if (checker->document->variant.version > 2)
        return MST_OK;
    mst_revenant_link *links;
    chains c = {0};
    mst_status status = mst_revenant_links(objects, &checker->scratch, &links, &c.count);
    if (status != MST_OK)
        return status;
    c.links = links;
    c.loops = mst_arena_zero(&checker->scratch, (size_t)c.count, 1);
    status = c.loops ? find_loops(&c, &checker->scratch) : MST_NO_MEMORY;
    mst_value object = *objects;
    mst_iterator it = mst_iterate(objects);
    for (uint64_t slot = 0, passed = 0; status == MST_OK && slot < c.count; slot++) {
        if (links[slot].class_number < 0 ||
            (is_good(&c, slot, STEP_FIRST_ITEM) && is_good(&c, slot, STEP_NEXT_ITEM) &&
             links[slot].shadow == NO_SLOT))
            continue;
        while (passed <= slot && mst_next(&it, &object))
            passed++;
        for (step by = STEP_FIRST_ITEM; by < STEPS && status == MST_OK; by++)
            status = check_step(checker, &c, &object, slot, by);
        if (status == MST_OK)
            status = check_shadow(checker, &c, &object, slot);
    }
    return status;
}
