/* SPDX-License-Identifier: MIT */
/* The state hash, over the position of the sector, its number of slots and its characters. */
#include "../../core/diagnose.h"
#include "../../edit/fix_findings.h"
#include "../../edit/single_edit.h"
#include "../../read/binding.h"
#include "revenant.h"

typedef struct bound_object {
    int16_t class_number, size_1, size_2;
} bound_object;
static const mst_binding items[] = {MST_BINDING(bound_object, class_number, "class"),
                                    MST_BINDING(bound_object, size_1, "size_1"),
                                    MST_BINDING(bound_object, size_2, "size_2")};
const mst_bindings mst_revenant_object_bindings = MST_BINDINGS(bound_object, "object", items);

#define HEADER 12 /* bytes: versions, class, type, sizes */

/* Hashes the record as if it had no inventory: version, class, type, sizes, body. */
static void add_character(const mst_document *document, const mst_value *object, const bound_object *stored,
                          mst_revenant_hash *hash) {
    if (stored->class_number == MST_REVENANT_PLAYER) {
        static const uint8_t nobody[2] = {0xFF, 0xFF};
        mst_revenant_hash_add(hash, nobody, sizeof nobody);
        return;
    }
    const uint8_t *data = document->data + object->offset;
    size_t body = (uint16_t)stored->size_1;
    if (document->variant.layout == 0)
        body -= (uint16_t)stored->size_2;
    uint64_t max = object->end - object->offset - HEADER;
    body = MST_CHANGED(body > max) ? (size_t)max : body;
    uint8_t header[HEADER];
    memcpy(header, data, 8);
    mst_store16(header + 8, (uint16_t)body, false);
    mst_store16(header + 10, 0, false);
    mst_revenant_hash_add_two(hash, header, sizeof header, data + HEADER, body);
}

bool mst_revenant_state_hash(const mst_document *document, uint32_t *hash) {
    mst_revenant_place place;
    mst_value root = mst_root(document), objects = root, object;
    if (document->variant.version < 14 || !mst_revenant_place_of(document->name, &place))
        return false;
    mst_member(&root, "objects", &objects);
    mst_bound bound;
    mst_bind(document, &mst_revenant_object_bindings, &bound);
    mst_revenant_hash sum = {1, 0};
    const uint32_t numbers[] = {(uint32_t)place.level, (uint32_t)place.x, (uint32_t)place.y,
                                (uint32_t)mst_count(&objects)};
    for (size_t i = 0; i < MST_COUNT_OF(numbers); i++) {
        uint8_t bytes[4];
        mst_store32(bytes, numbers[i], false);
        mst_revenant_hash_add(&sum, bytes, sizeof bytes);
    }
    for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object);) {
        if (object.end - object.offset < HEADER) /* the slot is empty */
            continue;
        bound_object stored = {0};
        mst_fill(&bound, &object, &stored);
        if (stored.class_number == MST_REVENANT_PLAYER || stored.class_number == MST_REVENANT_CHARACTER)
            add_character(document, &object, &stored, &sum);
    }
    *hash = mst_revenant_hash_end(&sum);
    return true;
}

void mst_revenant_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    uint32_t old, now;
    mst_value root = mst_root(after), stored = root;
    mst_revenant_move(before, after, bytes);
    if (!mst_revenant_state_hash(after, &now))
        return;
    /* an unchanged sector keeps its hash, right or wrong */
    if (mst_revenant_state_hash(before, &old) && old == now)
        return;
    mst_member(&root, "state_hash", &stored);
    mst_store32(bytes + stored.offset, now, false);
}

/* Edits keep what they set. */
mst_status mst_revenant_settle(const mst_document *before, mst_document *after,
                               const struct mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_value roots[2] = {mst_root(before), mst_root(after)};
    mst_value hashes[2];
    uint32_t old, now;
    (void)diagnostic;
    if (options)
        return MST_OK;
    mst_revenant_place_items(before, after);
    if (mst_member(&roots[0], "state_hash", &hashes[0]) == MST_OK &&
        mst_member(&roots[1], "state_hash", &hashes[1]) == MST_OK && mst_revenant_state_hash(before, &old) &&
        mst_scalar_of(&hashes[0]) == old && mst_revenant_state_hash(after, &now))
        mst_store32(mst_edit_bytes(after) + hashes[1].offset, now, false);
    return MST_OK;
}

mst_status mst_revenant_fix_hash(mst_fix_context *fixing) {
    return fixing->set(fixing, "state_hash", "auto");
}
