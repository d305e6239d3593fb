/* SPDX-License-Identifier: MIT */
/* The object types of the game's maps: numbers, names and record sizes. */
#include "../../../core/lower_bound.h"
#include "../sfa_names.h"
#include "objects.h"

#define OWN(number, words, label)    {number, words, label},
#define SHARED(number, words, label) {number, words, label},
static const mst_sfa_object_type types[] = {
#include "type_list.h"
};
#undef OWN
#undef SHARED

/* The type number makes shared names unique. */
#define OWN(number, words, label)    {number, label},
#define SHARED(number, words, label) {number, label "_" #number},
static const mst_enum_name type_names[] = {
#include "type_list.h"
};
const mst_enum mst_sfa_object_type_names = {type_names, MST_COUNT_OF(type_names)};

_Static_assert(MST_COUNT_OF(types) == MST_SFA_OBJECT_TYPES, "a type is missing");

const mst_sfa_object_type *mst_sfa_object_type_at(size_t index) {
    return index < MST_COUNT_OF(types) ? &types[index] : NULL;
}

const mst_sfa_object_type *mst_sfa_object_type_of(int type) {
    MST_LOWER_BOUND(low, middle, MST_COUNT_OF(types), types[middle].type < type);
    return low < MST_COUNT_OF(types) && types[low].type == type ? &types[low] : NULL;
}

unsigned mst_sfa_curve_words(unsigned kind) {
    switch (kind) {
    case 0x09:
    case 0x15:
    case 0x17:
    case 0x1B: return 14;
    case 0x08:
    case 0x1A: return 15;
    case 0x26: return 17;
    default: return 13;
    }
}

unsigned mst_sfa_words_of(int type, unsigned kind) {
    if (type == MST_SFA_CURVE)
        return mst_sfa_curve_words(kind);
    const mst_sfa_object_type *known = mst_sfa_object_type_of(type);
    return known ? known->words : 0;
}

bool mst_sfa_width_known(int type, unsigned kind, unsigned words) {
    return words != 0 && mst_sfa_words_of(type, kind) == words;
}
