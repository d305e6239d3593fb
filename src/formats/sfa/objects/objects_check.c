/* SPDX-License-Identifier: MIT */
/* Checks of a list of objects. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "objects.h"
#include <stdlib.h>

typedef struct known_id {
    uint32_t id;
    uint32_t index; /* of the object */
} known_id;

static int compare_ids(const void *a, const void *b) {
    const known_id *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static mst_status check_object(mst_checker *checker, const mst_sfa_object *object, uint32_t index,
                               unsigned before) {
    mst_status status = MST_OK;
    if (mst_sfa_order_of(object) < before) {
        mst_finding_of(checker, &object->value, "objects[%u]", index);
        status = mst_checker_report(checker, "SFA-ROMLIST-ORDER");
    }
    unsigned words = mst_sfa_words_of(object->type, object->kind), flags = object->load_flags;
    if (status == MST_OK && words && words != object->size_words) {
        mst_value size = mst_member_in(&object->value, "size_words");
        mst_diagnostic *finding = mst_finding_of(checker, &size, "objects[%u]", index);
        MST_SET(finding->expected, "%u words", words);
        status = mst_report(checker, "SFA-ROMLIST-WIDTH", NULL, "%u", object->size_words);
    }
    if (status == MST_OK && (flags > 0x20 || (flags & (flags - 1)))) { /* curves have no load flags */
        mst_value value = mst_member_in(&object->value, "load_flags");
        mst_finding_of(checker, &value, "objects[%u].load_flags", index);
        status = mst_report(checker, "SFA-ROMLIST-FLAGS", "0, 1, 2, 4, 8, 16 or 32", "%u", flags);
    }
    return status;
}

/* One finding for each nonzero id that several objects have, at the second of them. */
static mst_status check_repeats(mst_checker *checker, const mst_sfa_objects *objects) {
    mst_status status = MST_OK;
    known_id *ids = mst_arena_take(&checker->scratch, objects->count, sizeof *ids);
    if (!ids)
        return MST_NO_MEMORY;
    for (uint32_t i = 0; i < objects->count; i++)
        ids[i] = (known_id){objects->items[i].id, i};
    qsort(ids, objects->count, sizeof *ids, compare_ids);
    for (uint32_t i = 0, after; i < objects->count && status == MST_OK; i = after) {
        after = i + 1;
        while (after < objects->count && ids[after].id == ids[i].id)
            after++;
        if (after - i == 1 || !ids[i].id)
            continue;
        uint32_t second = ids[i + 1].index;
        mst_value value = mst_member_in(&objects->items[second].value, "id");
        mst_finding_of(checker, &value, "objects[%u].id", second);
        status = mst_report(checker, "SFA-ROMLIST-ID", NULL, "0x%08X, %u objects", ids[i].id, after - i);
    }
    return status;
}

mst_status mst_sfa_check_objects(mst_checker *checker, const mst_sfa_objects *objects) {
    mst_status status = MST_OK;
    unsigned before = 0;
    for (uint32_t i = 0; i < objects->count && status == MST_OK; i++) {
        status = check_object(checker, &objects->items[i], i, before);
        before = mst_sfa_order_of(&objects->items[i]);
    }
    if (status == MST_OK)
        status = check_repeats(checker, objects);
    if (status == MST_OK)
        status = mst_sfa_check_bits(checker, objects);
    return status == MST_OK ? mst_sfa_check_links(checker, objects) : status;
}
