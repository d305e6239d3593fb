/* SPDX-License-Identifier: MIT */
/* Lists of objects: of documents by bindings, and of packed lists next to them by the headers of their
 * records. */
#include "../../present.h"
#include "objects.h"

/* ---- lists that are not opened ------------------------------------------------------------------ */

/* Offsets in a record. */
enum { AT_WORDS = 2, AT_ID = 0x14, AT_KIND = 0x19 };

bool mst_sfa_object_at(const uint8_t *data, uint64_t offset, uint64_t end, mst_sfa_object_header *header) {
    if (!mst_fits(offset, MST_SFA_OBJECT_HEADER, end))
        return false;
    unsigned words = data[offset + AT_WORDS];
    if (words < MST_SFA_OBJECT_HEADER / 4 || !mst_fits(offset, 4 * (uint64_t)words, end))
        return false;
    *header = (mst_sfa_object_header){.offset = offset,
                                      .size = 4 * (uint64_t)words,
                                      .type = (int16_t)mst_load16(data + offset, true),
                                      .words = words,
                                      .id = mst_load32(data + offset + AT_ID, true)};
    if (header->type == MST_SFA_CURVE && header->size > AT_KIND)
        header->kind = data[offset + AT_KIND];
    return true;
}

uint64_t mst_sfa_count_objects(const uint8_t *data, uint64_t size, uint64_t *intact) {
    mst_sfa_object_header header;
    uint64_t count = 0, at = 0;
    for (; mst_sfa_object_at(data, at, size, &header); at += header.size)
        count++;
    *intact = at;
    return count;
}

/* ---- documents ---------------------------------------------------------------------------------- */

static const mst_binding object_items[] = {
    MST_BINDING(mst_sfa_object, type, "type"),
    MST_BINDING(mst_sfa_object, size_words, "size_words"),
    MST_BINDING(mst_sfa_object, load_flags, "load_flags"),
    MST_BINDING(mst_sfa_object, bound, "bound"),
    MST_BINDING(mst_sfa_object, acts_0, "acts_0"),
    MST_BINDING(mst_sfa_object, acts_1, "acts_1"),
    MST_BINDING(mst_sfa_object, cull_distance, "cull_distance"),
    MST_BINDING(mst_sfa_object, position, "position"),
    MST_BINDING(mst_sfa_object, id, "id"),
};
static const mst_binding curve_items[] = {
    MST_BINDING(mst_sfa_object, kind, "kind"),
    MST_BINDING(mst_sfa_object, blocked_links, "blocked_links"),
    MST_BINDING(mst_sfa_object, links, "links"),
};
static const mst_binding command_items[] = {
    MST_BINDING(mst_sfa_command, flags, "flags"),
    MST_BINDING(mst_sfa_command, command, "command"),
    MST_BINDING(mst_sfa_command, parameter_1, "parameter_1"),
    MST_BINDING(mst_sfa_command, parameter_2, "parameter_2"),
};
const mst_bindings mst_sfa_object_bindings = MST_BINDINGS(mst_sfa_object, "object", object_items),
                   mst_sfa_curve_bindings = MST_BINDINGS(mst_sfa_object, "curve", curve_items),
                   mst_sfa_command_bindings = MST_BINDINGS(mst_sfa_command, "command", command_items);

static void read_parameters(const mst_bound *curve, mst_sfa_object *object) {
    for (unsigned k = 0; k < MST_SFA_LINKS; k++)
        object->links[k] = MST_SFA_NO_LINK;
    if (!mst_sfa_object_part_of(object->type))
        return;
    mst_value own;
    if (mst_member(&object->value, "parameters", &own) == MST_OK) {
        object->parameters = own;
        if (object->type == MST_SFA_CURVE)
            mst_fill(curve, &own, object);
    } else if (object->type == MST_SFA_CURVE) { /* too short for parameters, but may have a kind */
        own = mst_member_in(&object->value, "unknown_tail");
        object->kind = own.end - own.offset >= 2 ? mst_bytes_in(&own, 2)[1] : 0;
    }
}

mst_status mst_sfa_read_objects(const mst_value *list, mst_arena *arena, mst_sfa_objects *objects) {
    uint64_t capacity = mst_count(list);
    mst_bound object, curve;
    mst_value value;
    objects->count = 0;
    objects->items = mst_arena_zero(arena, (size_t)capacity, sizeof *objects->items);
    if (!objects->items)
        return MST_NO_MEMORY;
    mst_bind(list->document, &mst_sfa_object_bindings, &object);
    mst_bind(list->document, &mst_sfa_curve_bindings, &curve);
    mst_iterator it = mst_iterate(list);
    while (objects->count < capacity && mst_next(&it, &value)) {
        mst_sfa_object *one = &objects->items[objects->count++];
        one->value = value;
        mst_fill(&object, &value, one);
        read_parameters(&curve, one);
    }
    return MST_OK;
}
