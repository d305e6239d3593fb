/* SPDX-License-Identifier: MIT */
/* Which fields objects of some types have, judged by the bytes after the common fields. */
#include "revenant.h"

/* Versions 4-13 do not store the beginning of the inventory: it is after the known part of the body, if the
 * bytes there can be an inventory. They can if the records, by their sizes, fit. */
bool mst_revenant_is_inventory(const mst_document *document, uint64_t offset, uint64_t end,
                               const uint32_t *context) {
    const uint8_t *data = document->data;
    uint32_t version = context[MST_VARIABLE_VERSION];
    if (version < 4)
        return true;
    if (!mst_fits(offset, 4, end))
        return false;
    uint32_t count = mst_load32(data + offset, false);
    offset += 4;
    unsigned header = version >= 8 ? 10 : 8; /* of a slot that is not empty, up to and including its size */
    while (count--) {
        if (!mst_fits(offset, 2, end))
            return false;
        if ((int16_t)mst_load16(data + offset, false) < 0) {
            offset += 2;
            continue;
        }
        if (!mst_fits(offset, header, end))
            return false;
        uint16_t size = mst_load16(data + offset + header - 2, false);
        if (!mst_fits(offset + header, size, end))
            return false;
        offset += header + size;
    }
    return true;
}

/* The same for Kaitai Struct: slots up to the first one that does not fit. */
const char mst_revenant_inventory_types[] =
    "  slot_ahead:\n    params:\n      - id: limit\n        type: u8\n      - id: header\n        type: u4\n"
    "    seq:\n      - id: first\n        type: s2\n        if: limit - _io.pos >= 2\n"
    "      - id: mark\n        size: 0\n        if: room >= 0\n"
    "      - id: middle\n        size: header - 4\n        if: is_full and room >= header - 2\n"
    "      - id: length\n        type: u2\n        if: is_full and room >= header - 2\n"
    "      - id: rest\n        size: length\n        if: is_full and room >= header - 2 and room - (header - "
    "2) >= length\n"
    "    instances:\n      room:\n        value: limit - _io.pos\n"
    "      is_full:\n        value: first >= 0\n"
    "      fits:\n        value: 'not is_full or (room >= header - 2 and room - (header - 2) >= length)'\n"
    "  inventory_ahead:\n    params:\n      - id: limit\n        type: u8\n    seq:\n      - id: count\n     "
    "   type: u4\n"
    "      - id: mark\n        size: 0\n        if: room >= 0\n"
    "      - id: slots\n        type: 'slot_ahead(limit, _root.format_version >= 8 ? 10 : 8)'\n        "
    "repeat: until\n"
    "        repeat-until: 'not _.fits or slots.size >= count or limit - _io.pos < 2'\n        if: count > 0 "
    "and limit - "
    "_io.pos >= 2\n"
    "    instances:\n      room:\n        value: limit - _io.pos\n"
    "      is_one:\n        value: 'count == 0 or (room >= 2 and slots.last.fits and slots.size == count)'\n";

/* Whether that many bytes are left in the body, with an inventory after them where one is required. Up to
 * version 3 the end of a body is not stored, and the fields of the type always exist. */
static bool has_more(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context,
                     uint64_t size) {
    uint32_t version = context[MST_VARIABLE_VERSION];
    if (version < 4)
        return true;
    return mst_fits(offset, size, end) &&
           (version >= 14 || mst_revenant_is_inventory(document, offset + size, end, context));
}
bool mst_revenant_has_4(const mst_document *document, uint64_t offset, uint64_t end,
                        const uint32_t *context) {
    return has_more(document, offset, end, context, 4);
}
bool mst_revenant_has_12(const mst_document *document, uint64_t offset, uint64_t end,
                         const uint32_t *context) {
    return has_more(document, offset, end, context, 12);
}
/* The size of the numbers after the text: one, from version 14 on three. */
static uint64_t after_sound(const uint32_t *context) {
    return context[MST_VARIABLE_VERSION] >= 14 ? 12 : 4;
}
bool mst_revenant_has_sound(const mst_document *document, uint64_t offset, uint64_t end,
                            const uint32_t *context) {
    uint64_t length = mst_fits(offset, 1, end) ? document->data[offset] : 0;
    return has_more(document, offset, end, context, 1 + length + after_sound(context));
}
bool mst_revenant_has_length(const mst_document *document, uint64_t offset, uint64_t end,
                             const uint32_t *context) {
    return has_more(document, offset, end, context, after_sound(context));
}

/* ---- from version 14 on, types whose ids are not known ------------------------------------------- */

/* A Cube or BarrierCube stores a position; no other effect except a Drip stores as many bytes. */
bool mst_revenant_has_target(const mst_document *document, uint64_t offset, uint64_t end,
                             const uint32_t *context) {
    (void)document, (void)context;
    return end - offset == 12;
}

bool mst_revenant_is_nul(const uint8_t *bytes, bool big) {
    (void)big;
    return *bytes == 0;
}

#define MONSTERS   5      /* maximum for a generator */
#define NUMBER_MAX 19999U /* of the second number of each */

/* A MonsterGen stores the monsters that it makes, up to the last byte. */
bool mst_revenant_has_generator(const mst_document *document, uint64_t offset, uint64_t end,
                                const uint32_t *context) {
    const uint8_t *data = document->data;
    if (!mst_fits(offset, 1, end) || data[offset] > MONSTERS)
        return false;
    uint8_t count = data[offset++];
    uint64_t numbers = context[MST_VARIABLE_VERSION] >= 15 ? 12 : 8;
    while (count--) {
        while (offset < end && data[offset])
            offset++;
        if (!mst_fits(offset, 1 + numbers, end) || mst_load32(data + offset + 5, false) > NUMBER_MAX)
            return false;
        offset += 1 + numbers;
    }
    return end - offset == 4;
}
