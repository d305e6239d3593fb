/* SPDX-License-Identifier: MIT */
#ifndef MST_FORMATS_SFA_SCENE_PARAMETERS_H
#define MST_FORMATS_SFA_SCENE_PARAMETERS_H

#include "../../../core/number.h"
#include "../../../scene/work.h"
#include "../../../schema/engine.h"

/* Offsets in a record. */
enum {
    AT_ACTS_0 = 3,
    AT_LOAD_FLAGS = 4,
    AT_ACTS_1 = 5,
    AT_BOUND = 6,
    AT_CULL_DISTANCE = 7,
    AT_POSITION = 8,
    AT_ID = 0x14,
    AT_PARAMETERS = 0x18,
    AT_CURVE_KIND = 0x19,
    AT_CURVE_BLOCKED = 0x1B,
    AT_CURVE_LINKS = 0x1C,
    AT_CHECKPOINT_NEXT = 0x20,
    AT_TRIGGER_SIZE = 0x3A
};
#define NO_LINK 0xFFFFFFFFu

static inline float mst_sfa_real_at(const uint8_t *bytes) {
    return mst_f32_of_bits(mst_load32(bytes, true));
}

/* Adds what an object's record holds: its header, the parameters that `part` (may be NULL) describes, and all
 * of them as bytes. `name` is that of the type. */
void mst_sfa_add_parameters(mst_extra_list *list, int type, const char *name, const mst_record *part,
                            const uint8_t *record, uint64_t size);
/* The offset of the yaw byte in a record; -1: none. */
int16_t mst_sfa_yaw_offset(const mst_record *part);

#endif
