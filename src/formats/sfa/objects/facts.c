/* SPDX-License-Identifier: MIT */
/* The values in the game's records of the parameters of objects, for the reference. */
#include "../../../core/diagnose.h"
#include "objects.h"

/* A row that names a type, with the number of its records in `used`, and then the rows of its parameters. */
typedef enum how { TYPE, NUMBERS, TURNED_BITS, SWITCHES, HUNDREDTHS } how;
typedef struct row {
    uint8_t how;
    uint8_t offset; /* in the record */
    uint16_t used;  /* records in which it is set */
    int32_t low, high;
} row;

#define TURNED_SHIFT 16 /* in `high` of game bits: the number of inverted ones */

#define IN(type, count)               {TYPE, 0, count, type, 0},
#define SEEN(offset, used, low, high) {NUMBERS, offset, used, low, high},
#define TURNED(offset, used, low, high, turned)                                                              \
    {TURNED_BITS, offset, used, low, (turned) << TURNED_SHIFT | (high)},
#define BITS(offset, used, bits)      {SWITCHES, offset, used, 0, bits},
#define REAL(offset, used, low, high) {HUNDREDTHS, offset, used, low, high},
static const row rows[] = {
#include "parameter_facts.inc"
    {TYPE, 0, 0, -1, 0}};

/* The row of a type; the last row if there is none. */
static const row *row_of(uint32_t type) {
    const row *at = rows;
    while (at < rows + MST_COUNT_OF(rows) - 1 && (at->how != TYPE || (uint32_t)at->low != type))
        at++;
    return at;
}

static const row *parameter_of(const row *type, uint32_t offset) {
    for (const row *at = type + 1; at < rows + MST_COUNT_OF(rows) && at->how != TYPE; at++)
        if (at->offset == offset)
            return at;
    return NULL;
}

static void put_range(mst_seen *seen, const mst_field *field, const row *known) {
    long long low = known->low, high = known->high;
    if (field->kind == MST_KIND_U32)
        high = (uint32_t)high;
    if (known->how == SWITCHES)
        MST_SET(seen->range, "bits 0x%X", (unsigned)high);
    else if (known->how == HUNDREDTHS)
        MST_SET(seen->range, "%g to %g", (double)low / 100, (double)high / 100);
    else if (known->how == TURNED_BITS)
        MST_SET(seen->range, "%lld to %d, %d of them inverted", low, known->high & 0xFFFF,
                known->high >> TURNED_SHIFT);
    else if (low == high)
        MST_SET(seen->range, "%lld", low);
    else
        MST_SET(seen->range, "%lld to %lld", low, high);
}

bool mst_sfa_seen(uint32_t type, const mst_field *field, uint32_t offset, mst_seen *seen) {
    const row *of_type = row_of(type), *known = parameter_of(of_type, offset);
    unsigned count = of_type->used, layout = mst_sfa_layout_of_type(type);
    bool by_hand = layout == MST_SFA_PART_CURVE || layout == MST_SFA_PART_TRIGGER;
    if (!count || field->record || (!known && (by_hand || strncmp(field->name, "unknown_", 8) == 0)))
        return false;
    const char *none = field->unit == mst_sfa_game_bit ? "-1" : "0";
    if (known && known->used) {
        put_range(seen, field, known);
        MST_SET(seen->evidence, "%u of %u records of the type are not %s", known->used, count, none);
    } else {
        MST_SET(seen->range, "%s", none);
        MST_SET(seen->evidence, "all of %u records of the type", count);
    }
    return true;
}
