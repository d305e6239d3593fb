/* SPDX-License-Identifier: MIT */
/* The tables of the data of entities: properties, and extras such as the cubemaps of reflection probes. */
#include "ns2_bindings.h"
#include "ns2_tables.h"

static const mst_enum_name type_names[] = {
    {0, "string"},     {1, "bool"},  {2, "real"}, {3, "integer"},  {4, "file_name"}, {5, "color"},
    {6, "percentage"}, {7, "angle"}, {8, "time"}, {9, "distance"}, {10, "choice"}};
static const mst_enum types = {type_names, MST_COUNT_OF(type_names)};

#define VALUE_WHEN(mask) .name = "value", IF(IS(R_ID, 2), IS(R_ANIMATED, 0), {MST_ONE_OF, R_TYPE, (mask)})
#define COMPONENTS       .mode = MST_COUNT_VARIABLE, .count_variable = R_COMPONENTS
static const mst_field property_fields[] = {
    {.name = "id",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = 2,
     BIND(R_ID),
     .doc = "2: a property as below; 1: an older kind, kept as bytes."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "name",
     NARROW,
     IF(IS(R_ID, 2)),
     .doc = "The name of the property in the entity's class; may repeat."},
    {.name = "type",
     U32,
     .names = &types,
     BIND(R_TYPE),
     IF(IS(R_ID, 2)),
     .doc = "How the value is stored, and shown in the editor.",
     .rule = {.kind = MST_RULE_NAMED, .code = "NS2-PROPERTY-TYPE"}},
    {.name = "component_count",
     U32,
     .length_of = "value",
     BIND(R_COMPONENTS),
     IF(IS(R_ID, 2)),
     .doc = "1 for most; 3 for vectors (origin, angles, scale), 3 or 4 for colours."},
    {.name = "animated",
     .kind = MST_KIND_U32,
     .flags = MST_FIELD_BOOL,
     BIND(R_ANIMATED),
     IF(IS(R_ID, 2)),
     .doc = "0 in all known levels; if true, how the value is stored is not known, and it is kept as bytes."},
    {VALUE_WHEN(1u << 0 | 1u << 4), .kind = MST_KIND_RECORD, COMPONENTS,
     .record = &mst_ns2_wide_string_record, .doc = "string, file_name: a path below the game's root."},
    {VALUE_WHEN(1u << 1), BOOL, COMPONENTS, .doc = "bool: 0 no, 1 yes."},
    {VALUE_WHEN(1u << 9), F32, COMPONENTS, .unit = "m",
     .doc = "distance: the editor shows inches, 39.37 to the metre."},
    {VALUE_WHEN(1u << 7), F32, COMPONENTS, .unit = "rad",
     .doc = "angle: the editor shows degrees; three of them are roll, pitch, yaw."},
    {VALUE_WHEN(1u << 2 | 1u << 5 | 1u << 6 | 1u << 8), F32, COMPONENTS,
     .doc = "real; color: red, green, blue, alpha; percentage; time, whose unit is not known."},
    {VALUE_WHEN(1u << 3 | 1u << 10), .kind = MST_KIND_I32, COMPONENTS,
     .doc = "integer; choice: one of the values that editor_setup.xml lists for the property."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the known fields."},
};
_Static_assert(MST_COUNT_OF(property_fields) == MST_NS2_PROPERTY_FIELDS, "one constant for each field");
MST_NS2_RECORD(property, "property", "a named value of an entity", .pairs = true);

static const mst_field cube_row_fields[] = {{.name = "pixels",
                                             .kind = MST_KIND_RAW,
                                             FIXED(MST_NS2_CUBEMAP_ROW),
                                             .flags = MST_FIELD_CONTENT,
                                             .doc = "Red, green, blue, and the exponent of all three."}};
MST_NS2_RECORD(cube_row, "cube_row", "64 pixels", .is_inline = true);
static const mst_field cube_side_fields[] = {{.name = "rows",
                                              .kind = MST_KIND_RECORD,
                                              FIXED(MST_NS2_CUBEMAP_SIDE),
                                              .record = &mst_ns2_cube_row_record,
                                              .doc = "64 rows of 64 pixels; not known which way is up."}};
MST_NS2_RECORD(cube_side, "cube_side", "the view to one side", .is_inline = true);

/* The name ends where the length begins, just before the data. */
static bool is_cubemap(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    static const char name[] = MST_NS2_CUBEMAP;
    enum { NAME = sizeof name - 1 };
    (void)context;
    if (end - offset != MST_NS2_CUBEMAP_SIZE || offset < NAME + 8)
        return false;
    const uint8_t *length = document->data + offset - NAME - 8;
    return mst_load32(length, document->variant.big) == NAME && memcmp(length + 4, name, NAME) == 0;
}

const mst_expression mst_ns2_expressions[] = {
    {.present = is_cubemap, .text = "@ == 98304 and name == \"" MST_NS2_CUBEMAP "\""}, {.text = NULL}};

static const mst_field extra_fields[] = {
    {.name = "name", NARROW, .doc = "Only reflection_probe_cubemap is known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "cubemap",
     .kind = MST_KIND_RECORD,
     FIXED(6),
     .record = &mst_ns2_cube_side_record,
     .present = is_cubemap,
     .doc = "Cubemap of a reflection probe: in an extra reflection_probe_cubemap of the right size."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Data of any other extra."},
};
MST_NS2_RECORD(extra, "extra", "a block of data that the editor made for an entity");
