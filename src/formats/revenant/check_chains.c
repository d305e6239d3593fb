/* SPDX-License-Identifier: MIT */
/* Up to version 2 carried objects are in slots of the sector: first_item and next_item chain them. */
#include "../../schema/finding.h"
#include "../present.h"
#include "revenant.h"

#define NO_SLOT (-1)

static mst_status check_slot(mst_checker *checker, const mst_value *object, uint64_t index, const char *name,
                             const uint8_t *empty, uint64_t count) {
    mst_value member;
    int64_t slot = NO_SLOT;
    if (mst_member(object, name, &member) == MST_OK)
        mst_get_integer(&member, &slot);
    if (slot == NO_SLOT)
        return MST_OK;
    bool there = slot >= 0 && (uint64_t)slot < count;
    if (there && (uint64_t)slot != index && !empty[slot])
        return MST_OK;
    mst_diagnostic finding = mst_finding_of(&member, "objects[%llu].%s", (unsigned long long)index, name);
    if (there)
        MST_SET(finding.expected, "another slot that is not empty, or -1");
    else
        MST_SET(finding.expected, "below %llu, or -1", (unsigned long long)count);
    return mst_report(checker, "REV-V0-CHAIN", &finding, NULL, "%lld", (long long)slot);
}

mst_status mst_revenant_check_chains(mst_checker *checker, const mst_value *objects) {
    const mst_document *document = checker->document;
    uint64_t count = mst_count(objects), index = 0;
    mst_value object;
    if (document->variant.version > 2 || !count)
        return MST_OK;
    uint8_t *empty = mst_arena_zero(&checker->scratch, (size_t)count, 1);
    if (!empty)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(objects); index < count && mst_next(&it, &object); index++) {
        mst_value class_number = mst_member_in(&object, "class");
        int64_t number = 0;
        mst_get_integer(&class_number, &number);
        empty[index] = number < 0;
    }
    mst_status status = MST_OK;
    index = 0;
    for (mst_iterator it = mst_iterate(objects); status == MST_OK && index < count && mst_next(&it, &object);
         index++) {
        if (empty[index])
            continue;
        status = check_slot(checker, &object, index, "first_item", empty, count);
        if (status == MST_OK)
            status = check_slot(checker, &object, index, "next_item", empty, count);
    }
    return status;
}
