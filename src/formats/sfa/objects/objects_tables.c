/* SPDX-License-Identifier: MIT */
/*
 * Placed objects: a header that all types share, then parameters by type (objects_parameters.c). Unknown
 * parameters are kept as bytes. The names of unknown fields give their offsets from the start of the record.
 */
#include "../../../tables/words.h"
#include "objects.h"

#define ONLY_CURVES   IF(IS(MST_SFA_VARIABLE_LAYOUT, MST_SFA_PART_CURVE))
#define OTHER_OBJECTS IF(IS_NOT(MST_SFA_VARIABLE_LAYOUT, MST_SFA_PART_CURVE))

/* A record that is too short for its type's parameters has no parameters; its bytes are kept. */
static bool has_parameters(const mst_document *document, uint64_t offset, uint64_t end,
                           const uint32_t *context) {
    return mst_sfa_layout_fits(document, context[MST_SFA_VARIABLE_LAYOUT], end - offset);
}

static const mst_enum_name load_flag_names[] = {{0x01, "level_object"}, {0x02, "manual"},
                                                {0x04, "near_player"},  {0x08, "by_code"},
                                                {0x10, "grouped"},      {0x20, "block_object"}};

static const char by_type[] = "The fields particular to the type.";
#define PARAMETERS(layout)                                                                                   \
    {                                                                                                        \
        .name = "parameters", .kind = MST_KIND_RECORD,                                                       \
        .record = &mst_sfa_object_parts[MST_SFA_PART_##layout], .present = has_parameters, .doc = by_type,   \
        IF(IS(MST_SFA_VARIABLE_LAYOUT, MST_SFA_PART_##layout))                                               \
    }

static const mst_field object_fields[] = {
    {.name = "type",
     I16,
     BIND(MST_SFA_VARIABLE_LAYOUT),
     .transform = mst_sfa_layout_of_type,
     .names = &mst_sfa_object_type_names,
     .doc = "Index into OBJINDEX.bin; negative: the index of the object definition itself, negated."},
    {.name = "size_words",
     U8,
     .flags = MST_FIELD_SIZE,
     .size_scale = 4,
     .size_bias = 3,
     .doc = "How long the record is: the next object begins after it."},
    {.name = "walk_group",
     U8,
     .doc = "The number of the group of walkable places that the point is in.",
     ONLY_CURVES},
    {.name = "link_walk_groups",
     U8,
     FIXED(4),
     .doc = "The walk group of each linked point. Of a walk patch: x and z of two of its corners, from the "
            "point, signed.",
     ONLY_CURVES},
    {.name = "acts_0", U8, .doc = "Bit n: not loaded in act n + 1.", OTHER_OBJECTS},
    {.name = "load_flags",
     U8,
     NAMES(load_flag_names),
     .doc = "When the object is loaded; `grouped`: with the object group `bound`.",
     OTHER_OBJECTS},
    {.name = "acts_1",
     U8,
     .doc =
         "Bit 7: not loaded in act 9, down to bit 1: in act 15. Bits 4 and 3 also select the model of some.",
     OTHER_OBJECTS},
    {.name = "bound",
     U8,
     .doc = "The radius within which the object is loaded, in units of 8, or the number of its object group.",
     OTHER_OBJECTS},
    {.name = "cull_distance",
     U8,
     .unit = "8 units",
     .doc = "How far away the object is still drawn.",
     OTHER_OBJECTS},
    {.name = "position", F32, FIXED(3), .doc = "x, y, z on the map, in units; y is up."},
    {.name = "id", U32, .doc = "Identifies the object in scripts and saved games; 0 and duplicates occur."},
    PARAMETERS(CURVE),
    PARAMETERS(TRIGGER),
#define PART(type, label, text) PARAMETERS(type),
#include "parameter_layouts.h"
#undef PART
    {.name = "parameters",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The parameters of a type that is not described here.",
     IF(IS(MST_SFA_VARIABLE_LAYOUT, MST_SFA_PART_OTHER))},
    {.name = "unknown_tail",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the type's parameters, or all of a record that is too short for them.",
     IF(IS_NOT(MST_SFA_VARIABLE_LAYOUT, MST_SFA_PART_OTHER))},
};
/* As in the scene: x is the angle about Y where there are several. */
static const mst_placement_fields stands = {
    .position = {"position"},
    .turn = {"parameters.rotation_x", "parameters.rotation_y", "parameters.rotation_zyx[2]",
             "parameters.rotation_xyz[0]", "parameters.rotation_xy[0]", "parameters.yaw"},
    .units = 256,
    .wraps = true,
    .from = 2,
    .to = 0};
const mst_record mst_sfa_object_record = {.name = "object",
                                          .placement = &stands,
                                          .index = 0,
                                          .fields = object_fields,
                                          .field_count = MST_COUNT_OF(object_fields),
                                          .doc = "a thing placed on a map"};
